"""The measure that is judged: how its function is called, its values, and a time limit for functions of users."""
