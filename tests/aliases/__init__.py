"""Names of one memory, as users meet them."""
