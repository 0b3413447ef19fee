"""A function object becomes its syntax tree with names resolved and places known."""
