"""The operators of Python's syntax, as Programs name them."""

from __future__ import annotations

import gast

BINARY = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//",
    gast.Mod: "%", gast.Pow: "**", gast.MatMult: "@", gast.LShift: "<<", gast.RShift: ">>",
    gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^",
}  # fmt: skip
UNARY = {gast.USub: "u-", gast.UAdd: "u+", gast.Not: "not", gast.Invert: "~"}
COMPARE = {
    gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=", gast.Eq: "==",
    gast.NotEq: "!=", gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in",
}  # fmt: skip
