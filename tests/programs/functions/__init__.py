"""Functions as values, closures, recursion and arguments of every form."""
