"""Branches, loops, trials and names that are bound on some ways."""
