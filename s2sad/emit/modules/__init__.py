"""Texts for other array modules: the same statements, in NumPy's names or CuPy's.

arrays="cupy"         np.sin(x)   ->   cp.sin(x)
arrays="dispatch"     np.sin(x)   ->   xp.sin(x)       with   xp = get_array_module(x)

chosen      which functions look up the module of their arrays
placed      numbers and lists become arrays where CuPy takes only these
moved       the names of a finished text; what CuPy lacks is refused, with the user's line
"""
