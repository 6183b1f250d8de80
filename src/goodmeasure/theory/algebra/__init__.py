"""Reading a definition symbolically for proofs: on support patterns, for every number of classes, along rays."""
