"""Which arrays surely lie in memory in one piece, row after row, so that a reshape is a view.

B = np.zeros((m, n))         in one piece, and so is B[1:3]
C = A * 2.0                  as A lies: in the order of its columns where A is A.T of another
C.reshape(-1)                a copy, then
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from s2sad.ir.errors import Span
from s2sad.legacy.assume import raised
from s2sad.legacy.facts import Facts
from s2sad.legacy.links import Asked
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Program,
    Ref,
    Update,
    Var,
    base,
)
from s2sad.legacy.traverse import statements
from s2sad.legacy.turns import IN_ONE_PIECE, is_turn, name_of

NOT_IN_ONE_PIECE = "is reshaped and written to, and has to lie in one piece, row after row"

# what these make is in the order of rows, whatever they are given, with so many arguments at most
ROWS = {
    **dict.fromkeys(("np.zeros", "np.ones", "np.empty", "np.full", "np.eye", "np.outer"), 2),
    **dict.fromkeys(("np.identity", "np.ravel", "np.ascontiguousarray"), 1),
}
PRODUCTS = frozenset({"np.dot", "np.matmul", "np.linalg.inv", "np.linalg.solve"})
ROW_METHODS = frozenset({"copy", "flatten", "ravel", "dot"})
# these are in the order in which their first argument is
LIKE = frozenset({"np.zeros_like", "np.ones_like", "np.empty_like", "np.full_like", "np.copy"})
ARITHMETIC = frozenset({"+", "-", "*", "/", "**", "u-", "u+"})

Certain = frozenset[Var]


def in_one_piece(program: Program, facts: Facts, given: Certain) -> Certain:
    """Return the values that are arrays in one piece, where those that are `given` are."""
    ways = list(_ways(program, facts))
    certain = given | frozenset(var for var, _ in ways)
    while True:
        wrong = {var for var, made in ways if not _is_certain(made, var, certain, facts)}
        if not wrong & certain:
            return certain
        certain -= wrong


def arrays_given(program: Program, facts: Facts) -> Certain:
    """Return the parameters that are arrays."""
    return frozenset(param.var for param in program.params if facts.of(param.var).is_array)


def with_checks(program: Program, facts: Facts) -> Program:
    """Return the program in which the parameters are looked at that have to be in one piece."""
    owners = {each.owner for each in program.asked if may_be_copied(each, facts)}
    params = arrays_given(program, facts) if owners else frozenset()
    owners &= in_one_piece(program, facts, params) if params else frozenset()
    needed = [p for p in params if owners - in_one_piece(program, facts, params - {p})]
    checks = [_check(var, program.span) for var in sorted(needed, key=lambda var: var.slot)]
    return replace(program, body=(*checks, *program.body)) if checks else program


def may_be_copied(asked: Asked, facts: Facts) -> bool:
    """Tell whether a part is a view only of an array that lies in one piece."""
    if asked.key is None or asked.owner is None or not is_turn(asked.key):
        return False
    name, owner = name_of(asked.key), facts.of(asked.owner)
    return owner.is_array and name in IN_ONE_PIECE and (name == "ravel" or owner.rank != 1)


def _check(var: Var, span: Span) -> If:
    name = base(var.slot)
    message = f"{name} {NOT_IN_ONE_PIECE}: np.ascontiguousarray({name})"
    test = Op("not", (Attr(Attr(var, "flags"), "c_contiguous"),))
    return If(test, (raised(message, span),), (), (), span)


def _ways(program: Program, facts: Facts) -> Iterator[tuple[Var, Expr | None]]:
    """Yield each value with what it may be; None where that is not known."""
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), value, unpack=False):
                yield target, value
            case Assign(targets, Op("tuple" | "list", values), unpack=True):
                yield from zip(targets, values, strict=False)
            case Update(new, old, None, op, value) if not facts.of(old).is_array:
                yield new, Op(op, (old, value))
            case Update(new, old):
                yield new, old
            case If(merges=merges):
                yield from (
                    (each.out, side) for each in merges for side in (each.then, each.orelse)
                )
            case Loop(carried=carried):
                for each in carried:
                    for begun in (each.init, each.end):
                        yield from ((each.head, begun), (each.exit, begun))


def _is_certain(made: Expr | None, var: Var, certain: Certain, facts: Facts) -> bool:
    match made:
        case None | Const():
            return False
        case Var():
            return made in certain
    if not facts.expr(made).is_array:
        return False
    match made:
        case Op("index", (Var() as owner, key)):
            return owner in certain and _is_stretch(key)
        case Op(op, parts) if op in ARITHMETIC:
            return _as_operands(parts, var, certain, facts)
        case Op("@"):
            return facts.of(var).rank == 2
        case Call(Ref(text, function), args, () | (("dtype", _),)):
            return _is_certain_call(text, function, args, var, certain, facts)
        case Call(Attr(_, name), args, keywords) if name in ROW_METHODS:
            return not (args or keywords) or name == "dot"
        case Call(Attr(Var() as owner, "reshape"), _, ()):
            return owner in certain
    return False


def _is_certain_call(
    text: str, function: object, args: tuple[Expr, ...], var: Var, certain: Certain, facts: Facts
) -> bool:
    if isinstance(function, np.ufunc) and len(args) == function.nin and text not in PRODUCTS:
        return _as_operands(args, var, certain, facts)
    if len(args) > 2:
        return False
    if text == "np.array":
        return isinstance(args[0], Op) and args[0].op == "list"
    if text in LIKE:
        return args[0] in certain or facts.of(var).rank == 1
    product = text in PRODUCTS and facts.of(var).rank == 2
    return product or len(args) <= ROWS.get(text, 0)


def _as_operands(parts: tuple[Expr, ...], var: Var, certain: Certain, facts: Facts) -> bool:
    """Tell whether an operation puts its elements in order: it keeps the order of its operands."""
    if facts.of(var).rank == 1:
        return True
    return all(part in certain or facts.expr(part).is_scalar for part in parts)


def _is_stretch(key: Expr) -> bool:
    """Tell whether a part is one of neighbours: rows in their order, or elements of one row."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    first, last = parts[:-1], parts[-1]
    if not all(isinstance(each, Const) and isinstance(each.value, int) for each in first):
        return False
    match last:
        case Op("slice", (_, _, step)):
            return step in (Const(None), Const(1))
        case Const(value):
            return isinstance(value, int)
    return False
