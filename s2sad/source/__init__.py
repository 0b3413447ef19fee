"""A function object becomes its tree, checked to be what the function runs.

source = read(f)
source.tree    gast.FunctionDef or gast.Lambda, with the lines and columns of the file
"""

from s2sad.source.read import Source, read, span_of

__all__ = ["Source", "read", "span_of"]
