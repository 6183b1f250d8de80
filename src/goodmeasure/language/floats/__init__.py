"""Reading a definition in floating point: one matrix, batches, very many classes, and derivatives."""
