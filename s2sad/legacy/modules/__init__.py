"""Texts for other array modules: the same statements, in NumPy's names or CuPy's.

arrays="cupy"         np.sin(x)   ->   cp.sin(x)
arrays="dispatch"     np.sin(x)   ->   xp.sin(x)       with   xp = get_array_module(x)

lacking   what CuPy does not have is refused, with the user's line
fused     runs of elementwise statements become one kernel each
moved     the names of a finished text
"""

from __future__ import annotations

from s2sad.ir.errors import ArgumentError

ARRAYS = ("numpy", "cupy", "dispatch")
FUSED = ("cupy", "dispatch")
# a text in NumPy's names that is right on a device: one to be differentiated again
UNNAMED = "unnamed"


def checked(arrays: str) -> str:
    """Return the name of a kind of text, or refuse it."""
    if arrays not in (*ARRAYS, UNNAMED):
        known = ", ".join(map(repr, ARRAYS))
        raise ArgumentError(f"arrays= is one of {known}, not {arrays!r}")
    return arrays
