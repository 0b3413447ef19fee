"""Turns an operator into how tightly it binds, as a number.

BINARY["*"] > BINARY["+"] > COMPARE
"""

TEST, OR, AND, NOT, COMPARE = range(5)
BITOR, BITXOR, BITAND, SHIFT, ARITH, TERM, FACTOR, POWER, PRIMARY = range(5, 14)

BINARY = dict.fromkeys(("*", "/", "//", "%", "@"), TERM) | dict.fromkeys(("+", "-"), ARITH)
BINARY |= {"|": BITOR, "^": BITXOR, "&": BITAND, "<<": SHIFT, ">>": SHIFT}
UNARY = {"u-": "-", "u+": "+", "u~": "~", "~": "~"}
LOGIC = {"or": OR, "and": AND}
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "in", "is", "not in", "is not"})
