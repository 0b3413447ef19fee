"""Small programs, each with a trap of its own, and what their derivatives must be."""
