"""Reading a definition in exact real numbers, which are never rounded."""
