"""What parameters are taken to be where nothing is known of them and it decides what is right.

    def f(u, k):            `u` is sliced, so it is taken to be an array, and the file checks that:
        b = u[1:]           if not isinstance(u, np.ndarray):
        b[k] = 1.0              raise ValueError("made for an array u")
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from s2sad.facts import Fact
from s2sad.program import (
    SHAPE_ATTRIBUTES,
    Assign,
    Attr,
    Call,
    Expr,
    Op,
    Program,
    Ref,
    Update,
    Var,
    expressions,
    statements,
    walk,
)

ARRAY, INTEGER = Fact("array"), Fact("int", "int64", ())
ARITHMETIC = frozenset("+ - * / ** @ u-".split())
# attributes and methods that lists do not have
OF_ARRAYS = SHAPE_ATTRIBUTES | frozenset({"T", "sum", "mean", "dot", "reshape", "max", "min"})


def likely(program: Program) -> dict[str, Fact]:
    """Return the parameters that are used as arrays, and those used as positions in one."""
    signs: dict[str, set[str]] = defaultdict(set)
    for slot, sign in _signs(program):
        signs[slot].add(sign)
    for copy, slot in reversed(list(_same(program))):
        signs[slot] |= signs[copy]
    found = {}
    for param in program.params:
        mine = signs[param.var.slot]
        if "array" in mine or {"part", "arithmetic"} <= mine:
            found[param.var.slot] = ARRAY
        elif "position" in mine and "part" not in mine:
            found[param.var.slot] = INTEGER
    return found


def kind_checks(kinds: dict[str, Fact]) -> dict[str, str]:
    """Return the tests, with their messages, of what parameters were taken to be."""
    found = {}
    for name, fact in kinds.items():
        if fact.is_array:
            found[f"not isinstance({name}, np.ndarray)"] = f"made for an array {name}"
        else:
            found[f"not isinstance({name}, (int, np.integer))"] = f"made for an integer {name}"
    return found


def _same(program: Program) -> Iterator[tuple[str, str]]:
    """Yield the names that are bound to what another holds, or to a copy of it."""
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Var(slot) | Call(Attr(Var(slot), "copy"), ())):
                yield target.slot, slot


def _signs(program: Program) -> Iterator[tuple[str, str]]:
    for stmt in statements(program.body):
        if isinstance(stmt, Update) and stmt.index is not None:
            yield from _part(stmt.old, stmt.index)
        elif isinstance(stmt, Update) and stmt.op in ARITHMETIC:
            yield stmt.old.slot, "arithmetic"
        for expr in expressions(stmt):
            for part in walk(expr):
                yield from _sign(part)


def _sign(expr: Expr) -> Iterator[tuple[str, str]]:
    match expr:
        case Op("index", (Var() as owner, key)):
            yield from _part(owner, key)
        case Attr(Var(slot), name) if name in OF_ARRAYS:
            yield slot, "array"
        case Op(op, args) if op in ARITHMETIC:
            yield from ((arg.slot, "arithmetic") for arg in args if isinstance(arg, Var))
        case Call(Ref(text), args) if text.startswith("np."):
            yield from ((arg.slot, "arithmetic") for arg in args if isinstance(arg, Var))


def _part(owner: Var, key: Expr) -> Iterator[tuple[str, str]]:
    yield owner.slot, "part"
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    if len(parts) > 1 or any(isinstance(part, Op) and part.op == "slice" for part in parts):
        yield owner.slot, "array"
    for part in parts:
        operands = part.args if isinstance(part, Op) and part.op in ARITHMETIC else (part,)
        yield from ((each.slot, "position") for each in operands if isinstance(each, Var))
