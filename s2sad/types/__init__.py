"""What is known of every value: inferred by running NumPy on tiny arrays."""
