"""Functions and constants of users that are called as those of Python and NumPy are."""
