"""What is measured on: confusion matrices, and how they are counted from labels."""
