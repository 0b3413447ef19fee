"""What is so cheap that the reverse sweep computes it again: arithmetic, parts of arrays, numbers."""

from __future__ import annotations

from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Attr, Call, Expr, Op, Ref, Var
from s2sad.legacy.solvers.task import solver_name
from s2sad.legacy.traverse import walk

CHEAP_OPERATORS = frozenset("+ - * / u- u+ index if tuple slice < <= > >= == != not and or".split())
CHEAP_FUNCTIONS = frozenset(
    "np.roll np.abs np.absolute abs np.sign np.where np.maximum np.minimum np.square min max "
    "np.reshape np.transpose np.ravel len np.shape np.size np.ndim float".split()
)
CHEAP_METHODS = frozenset({"reshape", "transpose", "ravel"})


def is_cheap(value: Expr, fact: Fact) -> bool:
    """Tell whether an expression takes less than what it would take to save its value."""
    if any(solver_name(part) for part in walk(value)):
        return False
    if fact.is_scalar:
        return True
    match value:
        case Op("**", (_, power)):
            return not isinstance(power, Var)
        case Op(op):
            return op in CHEAP_OPERATORS
        case Call(Ref(text)):
            return text in CHEAP_FUNCTIONS
        case Call(Attr(_, name)):
            return name in CHEAP_METHODS
        case Attr() | Var():
            return True
    return not isinstance(value, Call)
