"""What a function reads outside of itself, and what it may not change there."""
