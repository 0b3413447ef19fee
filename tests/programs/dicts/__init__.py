"""Dicts: of parameters, of settings, and with keys that are computed."""
