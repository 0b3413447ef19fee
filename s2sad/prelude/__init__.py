"""Library functions written as plain Python, lowered like the user's own."""
