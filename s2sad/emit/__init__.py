"""A Program becomes the text of a derivative: one Python file that stands alone.

text(program, request)         names, header, docstring, check, comments, layout
message_of(program, request)   what the text raises ValueError with, for other arguments
"""

from s2sad.emit.entry import message_of
from s2sad.emit.request import Request
from s2sad.emit.text import text

__all__ = ["Request", "message_of", "text"]
