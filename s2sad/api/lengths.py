"""Lengths that differ from pass to pass: a gradient that sums to shapes is made again, and tried.

h = np.tanh(W @ h + b)      b_bar = _sum_to(g, np.shape(b))     ->     b_bar = g

The second one takes what is mixed element by element for equally long, and asks for it. It is
taken where it runs with the examples, and the first one where it does not.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.analysis.pass_lengths import MADE_FOR
from s2sad.api.again import with_printed
from s2sad.api.rounds import Arguments
from s2sad.checkpoint.gradient import Derivation, Tools
from s2sad.ir.errors import NotYet, S2sadError, Underived
from s2sad.ir.program import Let, Program, Raise
from s2sad.ir.records import replace
from s2sad.ir.text import runnable
from s2sad.ir.walk import nodes_in, statements
from s2sad.types import Context, Fails, Mismatch


def with_known_lengths(
    make: Callable[[Tools], Derivation], tools: Tools, args: Arguments | None, context: Context
) -> Derivation:
    """Return a gradient that sums to fewer shapes, if there is one that fits the examples."""
    first = make(tools)
    count = 0 if args is None else _sums(first.program)
    if args is None or not count:
        return first
    try:
        second = make(replace(tools, assumes=True))
        fits = _sums(second.program) < count and _runs(with_printed(second.program, context), args)
    except Mismatch as mismatch:
        if all(context.assumptions.agree(a, b) for a, b in mismatch.pairs):
            raise  # lengths of arguments, which are asked for at the entry
        return first
    except (S2sadError, NotYet, Underived, Fails):
        return first
    return second if fits else first


def _sums(program: Program) -> int:
    """Return how often a program sums to a shape that is known as it runs."""
    named = (node.data.text for node in nodes_in(program.body) if node.op == "global")
    return sum(text == "_sum_to" for text in named)


def _runs(program: Program, args: Arguments) -> bool:
    """Tell whether a program runs with the examples; one that does more than compute is not run."""
    if not only_computes(program):
        return False
    try:
        run(program, args)
    except Exception:
        return False
    return True


def only_computes(program: Program) -> bool:
    """Tell whether nobody sees that a program is run: it neither draws nor prints."""
    effects = (s.effect for s in statements(program.body) if isinstance(s, Let))
    return not any(each.draws or each.prints or each.writes_all for each in effects)


def run(program: Program, args: Arguments) -> Any:
    """Return what a program gives for the examples, which stay as they are."""
    values = tuple(args.values()) if isinstance(args, Mapping) else args
    with np.errstate(all="ignore"):
        return runnable(program)(*copy.deepcopy(values))


def asked_inside(program: Program) -> Iterator[str]:
    """Yield what a text says where values inside of it have other lengths than it was made for."""
    for statement in statements(program.body):
        if isinstance(statement, Raise) and statement.value is not None:
            said: Any = [arg.data for arg in statement.value.args[1:] if arg.op == "constant"]
            yield from (text for text in said if str(text).startswith(MADE_FOR))
