"""A call of NumPy that is handed lists, with arrays in their place, as its rule asks for them.

np.maximum.reduce([u, v])    np.maximum.reduce(np.array([u, v]))
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2sad.ir.expression import Expr, call, global_
from s2sad.ir.types import Array
from s2sad.ir.types import Sequence as SequenceType
from s2sad.operators.guards import is_display
from s2sad.operators.hooks.making import has_star

ARRAY = global_("np.array", np.array)


def with_arrays(
    expr: Expr, infer: Callable[[Expr], Expr], may_vary: Callable[[Expr], bool]
) -> Expr:
    """Return a call with an array for each list that is written out, and for all that do not vary."""
    if expr.op != "call" or expr.args[0].op != "global":
        return expr
    function, *args = expr.args
    is_numpy = function.data.text.startswith("np.") and function.data.text != "np.array"

    def as_array(arg: Expr) -> Expr:
        if is_numpy and is_display(arg) and not has_star(arg) and may_vary(arg):
            made = infer(call(ARRAY, arg))
            return made if isinstance(made.type, Array) else arg
        return infer(call(ARRAY, arg)) if _is_list(arg) and not may_vary(arg) else arg

    return expr.with_args((function, *map(as_array, args)))


def _is_list(arg: Expr) -> bool:
    is_list = isinstance(arg.type, SequenceType) and arg.type.cls in (list, tuple)
    return is_list or (arg.op == "global" and isinstance(arg.data.value, list | tuple))
