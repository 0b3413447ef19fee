"""A Program becomes the text of a derivative."""
