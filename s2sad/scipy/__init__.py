"""SciPy's solvers: what they find is differentiated by what it solves, not by how it was found.

x = brentq(f, 0.0, 2.0, args=(k,))      f(x, k) = 0, so that dx = -(f_k / f_x) dk

`tasks` says what each solver solves and what is read of it, `texts` what follows from that, as plain
Python over `slopes` and `tangent`, which is lowered like the user's own functions.
"""
