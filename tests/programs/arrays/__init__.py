"""Arrays: how they are made, joined, read by positions and written to."""
