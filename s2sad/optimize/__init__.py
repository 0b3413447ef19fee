"""A Program becomes a simpler one with the same values."""
