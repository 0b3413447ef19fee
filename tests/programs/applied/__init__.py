"""What scientists write, with all that it contains."""
