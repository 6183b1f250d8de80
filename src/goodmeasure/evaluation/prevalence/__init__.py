"""What measures would be if class prevalence changed."""
