"""Rare functions of the standard library in plain Python, lowered like the user's own.

They are written from what the documentation of Python promises, ties included.
"""
