"""Which states of a loop are kept for its reverse sweep, and the functions that keep them."""
