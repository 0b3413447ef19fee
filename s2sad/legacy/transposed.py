"""What a reverse sweep turns back is what it was before it was turned.

S = L @ L.T             L_T = L.T                     L_T = L.T
                        S = L @ L_T           ->      S = L @ L_T
                        L_bar = S_bar @ L_T.T         L_bar = S_bar @ L
"""

from __future__ import annotations

from s2sad.legacy.blocks import map_everywhere
from s2sad.legacy.program import Assign, Attr, Block, Expr, Var
from s2sad.legacy.traverse import statements, transform


def turned_back(sweep: Block, primal: Block) -> Block:
    """Return a sweep that reads no transpose of the primal's in order to turn it back."""
    before = {
        stmt.target: stmt.value.value
        for stmt in statements(primal)
        if isinstance(stmt, Assign) and not stmt.unpack
        if isinstance(stmt.value, Attr) and stmt.value.name == "T"
    }
    if not before:
        return sweep

    def back(part: Expr) -> Expr:
        match part:
            case Attr(Var() as turned, "T"):
                return before.get(turned, part)
        return part

    return map_everywhere(sweep, lambda expr: transform(expr, back))
