"""The page of `goodmeasure explore`: a local server, what it answers, and a static version of it."""
