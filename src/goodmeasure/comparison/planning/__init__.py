"""How many items an interval of a given width, or a test of a given power, needs."""
