"""Objects of classes of the user's own."""
