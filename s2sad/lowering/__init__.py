"""A syntax tree becomes a Program by partial evaluation."""
