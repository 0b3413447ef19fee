"""What a user's own derivative gives has the shape of what it belongs to, as far as that is known.

def double_reverse(x, y, y_bar):
    return np.sum(y_bar)             refused where x is a vector: its adjoint is one, too
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType

from s2sad.ir.errors import S2sadError, Span, Unsupported
from s2sad.legacy.facts import Fact, infer
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import NONE, Op


def refuse_other_ranks(
    given: FunctionType,
    args: Sequence[Fact],
    names: Sequence[str],
    wanted: Sequence[Fact],
    span: Span,
) -> None:
    """Refuse a derivative that gives something with another number of axes than it belongs to.

    `args` is what it is called with; `names` and `wanted` are what its results belong to.
    """
    try:
        program = normalise(given)
        params = (param.var.slot for param in program.params)
        facts = infer(program, dict(zip(params, args, strict=False)))
    except (S2sadError, RecursionError):
        return  # it is called as it stands
    result = program.result
    several = isinstance(result, Op) and result.op == "tuple"
    results = result.args if several else (result,)  # type: ignore[union-attr]
    if len(results) != len(names):
        return
    for name, part, fact in zip(names, results, wanted, strict=True):
        found, rank = facts.expr(part).rank, fact.rank
        if part != NONE and None not in (found, rank) and found != rank:
            raise Unsupported(
                f"what {given.__name__} gives for {name} has {found} axes, and {name} has {rank}",
                span,
                "Give each the shape of what it belongs to.",
            )
