"""Reading a definition in exact real numbers that are never rounded."""
