"""What is measured on: confusion matrices and how they come from labels."""
