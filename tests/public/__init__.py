"""What the public functions promise."""
