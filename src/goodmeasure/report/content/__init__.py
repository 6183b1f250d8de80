"""What a report says, free of any format: sentences, facts and tables."""
