"""The measure that is judged: how it is called, its values, and a time limit for functions of users."""
