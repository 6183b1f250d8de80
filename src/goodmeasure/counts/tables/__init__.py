"""Counting the columns of data frames and lazy engines where the data is."""
