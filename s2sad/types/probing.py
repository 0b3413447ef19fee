"""Running a function on tiny operands, three times, and reading off the type of its result.

probe(np.diff, (Operand(Array("float64", (n,))),), {}, context)   ->   Array("float64", (n - 1,))
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from s2sad.ir.types import UNKNOWN, Type
from s2sad.operators import printed
from s2sad.types.atoms import Atoms
from s2sad.types.calling import Call, Function, Operand, form
from s2sad.types.context import Context
from s2sad.types.derived import in_lengths
from s2sad.types.repairing import repaired, working_axes
from s2sad.types.samples import NoSample

MOST_AXES = 8


def probe(
    function: Function,
    args: Sequence[Operand],
    keywords: Mapping[str, Operand],
    context: Context,
    called: Hashable = None,
) -> Type:
    """Return the type of a call's result; raise Mismatch or Fails where it does not go through.

    `called` is what the function is known by in the cache (itself, if nothing is said).
    """
    operands = (*args, *keywords.values())
    atoms = Atoms()
    forms = tuple(form(operand, atoms) for operand in operands)
    if len(atoms.lengths) > MOST_AXES:
        return UNKNOWN
    call = Call(function, called or function, len(args), tuple(keywords), forms)
    outcome = call.outcome(tuple(range(len(atoms.lengths))))
    if outcome.error is None:
        return in_lengths(outcome.type, atoms.lengths, context)
    if isinstance(outcome.error, NoSample) or printed.name_of(function):
        return UNKNOWN
    return repaired(call, atoms.lengths, context, outcome.error)


def runs(
    function: Function,
    args: Sequence[Operand],
    keywords: Mapping[str, Operand],
    context: Context,
) -> bool:
    """Tell whether a call runs for operands of these ranks, whatever their lengths."""
    atoms = Atoms()
    forms = tuple(form(operand, atoms) for operand in (*args, *keywords.values()))
    call = Call(function, function, len(args), tuple(keywords), forms)
    return working_axes(call, atoms.lengths, context) is not None
