"""Texts for other array modules: the same statements, in NumPy's names or CuPy's.

arrays="cupy"         np.sin(x)   ->   cp.sin(x)
arrays="dispatch"     np.sin(x)   ->   xp.sin(x)       with   xp = get_array_module(x)

lacking   what CuPy does not have is refused, with the user's line
fused     runs of elementwise statements become one kernel each
moved     the names of a finished text
"""
