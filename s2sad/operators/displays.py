"""A call of NumPy that is handed lists, with arrays in their place, as its rule asks for them.

np.maximum.reduce([u, v])    np.maximum.reduce(np.array([u, v]))
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2sad.ir.expression import Expr, call, global_
from s2sad.ir.types import Array, Reference
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
        is_shown = is_numpy and is_display(arg) and not has_star(arg)
        if not (is_shown if may_vary(arg) else _is_list(arg)):
            return arg
        made = infer(call(ARRAY, arg))
        may_be_none = is_shown or isinstance(arg.type, Reference)
        return arg if may_be_none and not isinstance(made.type, Array) else made

    return expr.with_args((function, *map(as_array, args)))


def _is_list(arg: Expr) -> bool:
    if isinstance(arg.type, SequenceType):
        return arg.type.cls in (list, tuple)
    return isinstance(arg.type, Reference) or (
        arg.op == "global" and isinstance(arg.data.value, list | tuple)
    )
