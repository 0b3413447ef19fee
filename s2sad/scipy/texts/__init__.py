"""Derivatives of solutions, in plain Python: each is lowered for the function that is solved for."""
