"""Seeds and tangents that would be cut off if they held whole numbers are asked for floats.

u_dot = t_dot.copy()          if np.asarray(t_dot).dtype.kind in "biu":
u_dot[0] = u_dot[1] / 3           raise ValueError("made for floats t_dot")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.legacy.assume import float_test
from s2sad.legacy.callee import Written
from s2sad.legacy.facts import Fact
from s2sad.legacy.printing import text
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Const,
    Expr,
    Loop,
    Op,
    Pop,
    Program,
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.traverse import children, expressions, flat_targets, statements, walk

SHAPES = ("np.shape", "np.ndim", "np.size", "len")
STRUCTURES = frozenset({"list", "tuple", "dict", "record"})


def seed_checks(
    program: Program, facts: Mapping[str, Fact], names: Mapping[str, str]
) -> dict[str, str]:
    """Return the tests, with their messages, of seeds and tangents.

    `facts` tells what they belong to, `names` what they are called.
    """
    found: dict[str, str] = {}
    for slot in (param.var.slot for param in program.params):
        if slot.startswith("seed&") or slot.endswith("~dot"):
            for part in _parts(slot, program, facts.get(slot)):
                if _is_cut_off(part, program):
                    test, message = float_test(text(part, names.__getitem__))
                    found[test] = message
    return found


def _parts(slot: str, program: Program, fact: Fact | None) -> list[Expr]:
    """Return what may be an array of a seed or a tangent: all of it, or the parts that are read."""
    if fact is not None and fact.is_scalar:
        return []
    is_structure = fact is not None and fact.kind in STRUCTURES
    is_array = fact is not None and fact.kind == "array"
    if is_array or (not is_structure and _is_taken_whole(slot, program)):
        return [Var(slot, 0)]
    return list(dict.fromkeys(_parts_read(slot, program)))


def _is_taken_whole(slot: str, program: Program) -> bool:
    """Tell whether something is done with a value as a whole, or written to it: it is an array."""
    for stmt in statements(program.body):
        match stmt:
            case Update(_, old) if old.slot == slot:
                return True
            case Assign(_, Var(), unpack=True):
                continue
        if any(_holds_whole(expr, slot) for expr in expressions(stmt)):
            return True
    return False


def _holds_whole(expr: Expr, slot: str) -> bool:
    if isinstance(expr, Var):
        return expr.slot == slot
    return not _is_path_into(expr, slot) and any(_holds_whole(e, slot) for e in children(expr))


def _parts_read(slot: str, program: Program) -> Iterator[Expr]:
    """Yield the parts that are unpacked, or read at positions and under keys of the text."""
    for stmt in statements(program.body):
        match stmt:
            case Assign(targets, Var(source), unpack=True) if source == slot:
                yield from (Op("index", (Var(slot, 0), Const(n))) for n in range(len(targets)))
        for expr in expressions(stmt):
            yield from _paths(expr, slot)


def _paths(expr: Expr, slot: str) -> Iterator[Expr]:
    """Yield the longest paths of literal keys into what a name holds."""
    if _is_path_into(expr, slot):
        yield expr
    else:
        for part in children(expr):
            yield from _paths(part, slot)


def _is_path_into(expr: Expr, slot: str) -> bool:
    match expr:
        case Op("index", (Var(source), Const())):
            return source == slot
        case Op("index", (Op() as inner, Const())):
            return _is_path_into(inner, slot)
    return False


def _is_cut_off(part: Expr, program: Program) -> bool:
    """Tell whether floats are written to what would hold integers if a seed or tangent did."""
    every = list(statements(program.body))
    whole: set[str | Expr] = {part.slot if isinstance(part, Var) else part}
    while grown := {name for stmt in every for name in _whole_after(stmt, whole)} - whole:
        whole |= grown
    return any(_writes(stmt, whole) for stmt in every)


def _whole_after(stmt: Stmt, whole: set[str | Expr]) -> Iterator[str]:
    match stmt:
        case Assign(targets, Var(source), unpack=True) if source not in whole:
            items = ((n, var) for n, var in enumerate(targets))
            yield from (var.slot for n, var in items if _item(source, n) in whole)
        case Assign(targets, value) if _may_be_whole(value, whole):
            yield from (var.slot for var in targets)
        case Loop(targets, iterable) if iterable is not None and _may_be_whole(iterable, whole):
            yield from (var.slot for var in flat_targets(targets))
        case Update(_, old, _, op, value) if op in ("append", "insert"):
            yield from [old.slot] if _may_be_whole(value, whole) else []
        case Pop(target, _, old) if old.slot in whole:
            yield target.slot
        case Save(store, value) if _may_be_whole(value, whole):
            yield store
        case Restore(target, store) if store in whole:
            yield target.slot


def _item(slot: str, place: int) -> Expr:
    return Op("index", (Var(slot, 0), Const(place)))


def _may_be_whole(expr: Expr, whole: set[str | Expr]) -> bool:
    """Tell whether a value may hold whole numbers where some names and parts do."""
    if expr in whole:
        return True
    match expr:
        case Var(slot):
            return slot in whole
        case Op("/") | Attr(name="shape" | "ndim" | "size"):
            return False
        case Call(Ref(text)) if text in SHAPES:
            return False
        case Op("index", (base, _)):
            return _may_be_whole(base, whole)
        case Op(args=args) if any(isinstance(a, Const) and type(a.value) is float for a in args):
            return False
    return any(_may_be_whole(part, whole) for part in children(expr))


def _writes(stmt: Stmt, whole: set[str | Expr]) -> bool:
    """Tell whether a statement cuts off what it writes, or hands whole numbers to what may do so.

    What is added to a whole array is not cut off: NumPy refuses it.
    """
    match stmt:
        case Update(_, old, index, op):
            if old.slot in whole and index is not None and op not in ("append", "insert"):
                return True
    for part in (part for expr in expressions(stmt) for part in walk(expr)):
        match part:
            case Call(Ref(text, value), args) if isinstance(value, Written) or _fills(text):
                if any(_may_be_whole(each, whole) for each in args):
                    return True
    return False


def _fills(text: str) -> bool:
    """Tell whether a function writes floats to what it makes, or is handed, as it is."""
    return text == "np.full_like" or text.endswith(".at")
