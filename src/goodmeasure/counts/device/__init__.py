"""Counting tensors where they are: on a GPU by Triton kernels, elsewhere by PyTorch."""
