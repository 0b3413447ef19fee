"""Names of one memory: views, items, writes through another name."""
