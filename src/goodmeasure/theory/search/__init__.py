"""The search for proofs: it asks the kernel for cases, and for facts that settle them."""
