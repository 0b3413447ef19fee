"""A Program becomes the text of a derivative: one Python file that stands alone.

text(program, request)   names, header, docstring, check, comments, layout
"""

from s2sad.emit.request import Request
from s2sad.emit.text import text

__all__ = ["Request", "text"]
