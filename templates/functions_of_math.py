"""The rules of functions.py for numbers of Python's own, by the module math."""

LIKE = """
functions.py np:math HOLOMORPHIC:OF_COMPLEX
arcsin:asin arccos:acos arctan:atan arctan2:atan2 arcsinh:asinh arccosh:acosh arctanh:atanh
"""
