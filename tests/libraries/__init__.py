"""Functions of NumPy, SciPy and other packages that are read from their source."""
