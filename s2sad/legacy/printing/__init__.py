"""Turns expressions of a Program and copied syntax into Python text, laid out as black would.

text(Op("*", (Const(0.5), Var("x~bar", 0))), names)                  0.5 * x_bar
wrap("return ", "f(a) + g(b)", indent=4, width=20)                   return (
                                                                         f(a)
                                                                         + g(b)
                                                                     )
"""

from s2sad.legacy.printing.expressions import comparison_operators, statement_text, text
from s2sad.legacy.printing.layout import wrap

__all__ = ["comparison_operators", "statement_text", "text", "wrap"]
