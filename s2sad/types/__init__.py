"""What is known of every value: inferred by running NumPy on tiny arrays.

    context = Context()
    u = name(Variable("u"), type_of(np.zeros(10), "u", context))
    infer(call(global_("np.diff", np.diff), u), context).type     Array("float64", (n - 1,))

A driver catches Mismatch, lets context.assumptions learn it, and starts again.
"""

from s2sad.types.assumptions import (
    Assumptions,
    Context,
    Fails,
    Mismatch,
    loop_number,
    without_passes,
)
from s2sad.types.checks import entry_checks
from s2sad.types.examples import type_of
from s2sad.types.inference import infer
from s2sad.types.joins import join
from s2sad.types.sharing import is_shown, shares
from s2sad.types.subscripts import count_of

__all__ = [
    "Assumptions",
    "Context",
    "Fails",
    "Mismatch",
    "count_of",
    "entry_checks",
    "infer",
    "is_shown",
    "join",
    "loop_number",
    "shares",
    "type_of",
    "without_passes",
]
