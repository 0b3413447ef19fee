"""A list of values that is given where an array is expected becomes one.

    y = np.polyval([1.0, s, 2.0], x)    ->    p%1 = np.array([1.0, s, 2.0]) ; y = np.polyval(p%1, x)

So what the list holds gets its adjoint from that of the array, also where a store spreads it:
`u[:, 0] = [[a], [b]]`. Lists of literals stay.

What is drawn from what varies is drawn as positions: `rng.choice(x, size=3)` is `x[rng.choice(len(x), size=3)]`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.facts import Fact
from s2sad.legacy.hooks.joined import is_bracket
from s2sad.legacy.hooks.making import has_star, is_display
from s2sad.legacy.joins import with_rules
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Expr,
    Op,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
)
from s2sad.legacy.rules import ARRAY, find
from s2sad.legacy.scope import Numbers
from s2sad.legacy.traverse import reads
from s2sad.legacy.twins import has_twin
from s2sad.source.optional import PREFIX

# what makes arrays of the items of a list first
JOINING = (
    *(np.array, np.asarray, np.stack, np.concatenate),
    *(np.vstack, np.hstack, np.dstack, np.column_stack),
)
LEN = Ref("len", len)
DRAWN = ("choice", "permutation")
ARITHMETIC = frozenset("+ - * / ** @ // %".split())
Ask = Callable[[Expr], Any]


def as_arrays(
    program: Program, numbers: Numbers, fact: Ask, is_active: Callable[[Expr], bool]
) -> Program:
    """Return the program in which active lists are arrays where only those have a rule."""

    def one(stmt: Stmt) -> Block:
        if isinstance(stmt, Update):
            return _stored(stmt, numbers, fact) if is_active(stmt.value) else (stmt,)
        if _is_drawn_of(stmt, fact, is_active):
            return _by_positions(stmt, numbers, fact)
        if _joins_rows(stmt, fact) and is_active(stmt.value):
            return _with_rows(stmt, numbers, fact)
        return _statements(stmt, numbers, fact, is_active, over)

    def over(block: Block) -> Block:
        every = (each for stmt in block for each in _by_rules(stmt))
        return tuple(each for stmt in every for each in one(stmt))

    def _by_rules(stmt: Stmt) -> Block:
        known = isinstance(stmt, Assign) and is_active(stmt.value)
        return with_rules(stmt, numbers, fact) if known else (stmt,)

    return replace(program, body=over(program.body))


def _statements(
    stmt: Stmt,
    numbers: Numbers,
    fact: Ask,
    is_active: Callable[[Expr], bool],
    over: Callable[[Block], Block],
) -> Block:
    if not (isinstance(stmt, Assign) and isinstance(stmt.value, Call | Op)):
        return (map_blocks(stmt, over),)
    value = stmt.value
    # np.poly1d([1.0, s])(x): the list is an operand of what makes the object
    within = isinstance(value, Call) and isinstance(value.func, Call)
    holder: Any = value.func if within else value  # type: ignore[union-attr]
    places = _places(holder, fact, is_active)
    if not places or _has_rule(value, fact):
        return (stmt,)
    made: list[Assign] = []
    operands = list(_operands(holder))
    for i in places:
        name = numbers.temp(base(stmt.targets[0].slot))
        made.append(Assign((name,), Call(ARRAY, (operands[i],)), stmt.span))
        operands[i] = name
    known = {each.target: fact(each.value) for each in made}
    filled: Any = _with_operands(holder, operands)
    whole = replace(value, func=filled) if within else filled

    def ask(expr: Expr) -> Any:
        return known[expr] if isinstance(expr, Var) and expr in known else fact(expr)

    if not _has_rule(whole, ask):
        return (stmt,)
    return (*made, replace(stmt, value=whole))


def _operands(value: Call | Op) -> tuple[Expr, ...]:
    given = value.keywords if isinstance(value, Call) else ()
    return (*value.args, *(each for _, each in given))


def _with_operands(value: Call | Op, operands: Sequence[Expr]) -> Call | Op:
    count = len(value.args)
    if isinstance(value, Op):
        return replace(value, args=tuple(operands))
    named = zip(value.keywords, operands[count:], strict=True)
    keywords = tuple((key, each) for (key, _), each in named)
    return replace(value, args=tuple(operands[:count]), keywords=keywords)


def _has_rule(value: Expr, fact: Ask) -> bool:
    if find(value, fact) is not None:
        return True
    return has_twin(value, fact)


def _is_drawn_of(stmt: Stmt, fact: Ask, is_active: Callable[[Expr], bool]) -> TypeGuard[Assign]:
    """Tell whether a statement draws from, or mixes, what varies: rng.choice(x, size=3)."""
    match stmt:
        case Assign(value=Call(Attr(owner, name), (drawn, *_))) if name in DRAWN:
            asked = fact(owner).kind == "generator"
        case Assign(value=Call(Ref(_, function), (drawn, *_))):
            asked = any(function is each for each in (np.random.choice, np.random.permutation))
        case _:
            return False
    known = fact(drawn)
    listed = _of_numbers(known) or (isinstance(drawn, Op) and _holds_values(drawn))
    keywords = dict(stmt.value.keywords)  # type: ignore[union-attr]
    return (
        asked
        and (listed or (known.is_array and bool(known.rank)))
        and is_active(drawn)
        and "axis" not in keywords
        and find(stmt.value, fact) is None
    )


def _by_positions(stmt: Assign, numbers: Numbers, fact: Ask) -> Block:
    """Return a draw as one of positions, which NumPy makes in the same way: x[rng.choice(len(x))]."""
    call: Any = stmt.value
    name = base(stmt.targets[0].slot)
    made: list[Stmt] = []
    drawn = call.args[0]
    if not fact(drawn).is_array:
        made.append(Assign((numbers.temp(name),), Call(ARRAY, (drawn,)), stmt.span))
        drawn = made[-1].targets[0]  # type: ignore[union-attr]
    count, places = numbers.temp(name), numbers.temp(name)
    made.append(Assign((count,), Call(LEN, (drawn,)), stmt.span))
    made.append(Assign((places,), replace(call, args=(count, *call.args[1:])), stmt.span))
    return (*made, replace(stmt, value=Op("index", (drawn, places))))


def _joins_rows(stmt: Stmt, fact: Ask) -> TypeGuard[Assign]:
    """Tell whether what has no rule joins lists: np.array([a, b]) of names, np.vstack([A, [0, 1]])."""
    if not isinstance(stmt, Assign):
        return False
    parts, joins_arrays = _joined(stmt.value)
    listed = any(_is_listed(part, fact, joins_arrays) for part in parts)
    return listed and find(stmt.value, fact) is None


def _joined(value: Expr) -> tuple[tuple[Expr, ...], bool]:
    """Return what a call or np.r_[a, b] joins, and whether it makes an array of each part."""
    match value:
        case Call(Ref(_, function), (Op("list" | "tuple", parts), *_)):
            joins = any(function is each for each in JOINING)
            return (parts if joins else ()), function is not np.array and function is not np.asarray
        case Op("index", (Ref() as owner, Op("tuple", parts))) if is_bracket(owner):
            return parts, True
    return (), False


def _is_listed(part: Expr, fact: Ask, written: bool) -> bool:
    """Tell whether a part is a list with a name, or one that may be `written` out."""
    if isinstance(part, Var | Ref):
        return fact(part).kind in ("list", "tuple")
    return written and is_display(part) and not has_star(part)


def _with_rows(stmt: Assign, numbers: Numbers, fact: Ask) -> Block:
    """Return what joins rows, with an array for each that is a list or tuple."""
    made: list[Stmt] = []
    parts, written = _joined(stmt.value)

    def row(part: Expr) -> Expr:
        if not _is_listed(part, fact, written):
            return part
        name = numbers.temp(base(stmt.targets[0].slot))
        made.append(Assign((name,), Call(ARRAY, (part,)), stmt.span))
        return name

    value: Any = stmt.value
    rows = tuple(map(row, parts))
    if isinstance(value, Op):
        joined = replace(value, args=(value.args[0], Op("tuple", rows)))
    else:
        shown, *rest = value.args
        joined = replace(value, args=(replace(shown, args=rows), *rest))
    return (*made, replace(stmt, value=joined))


def _stored(stmt: Update, numbers: Numbers, fact: Ask) -> Block:
    """Return a store of a list whose values may be spread over what it writes to."""
    listed = fact(stmt.value).kind in ("list", "tuple") and stmt.op not in ("append", "insert")
    kind = fact(stmt.old).kind
    if not listed or kind not in ("array", "unknown"):
        return (stmt,)
    if kind == "unknown" and not _is_of_arrays(stmt.index):
        raise _list_stored(stmt)
    whole = Call(ARRAY, (stmt.value,))
    held = stmt.old if stmt.index is None else Op("index", (stmt.old, stmt.index))
    if isinstance(fact(held).shape, tuple) and fact(held).shape == fact(whole).shape:
        return (stmt,)
    name = numbers.temp(base(stmt.new.slot))
    return Assign((name,), whole, stmt.span), replace(stmt, value=name)


def _is_of_arrays(index: Expr | None) -> bool:
    """Tell whether only an array is written to so: `u[:, 0] = ...`."""
    return isinstance(index, Op) and index.op == "tuple"


def _list_stored(stmt: Update) -> Unsupported:
    error = Unsupported(
        "a list is written here to what may be an array, over which its values would be spread",
        stmt.span,
        "Write np.array of it, or pass like=.",
    )
    error.certain = False
    return error


def _places(value: Call | Op, fact: Ask, is_active: Callable[[Expr], bool]) -> list[int]:
    """Return which operands may be lists where an array is expected."""
    if isinstance(value, Call):
        if not isinstance(value.func, Ref):
            return []
        of_arrays = value.func.text.startswith(("np.", "math.", "statistics.", PREFIX))
        return [
            i
            for i, arg in enumerate(_operands(value))
            if _holds_values(arg) or (of_arrays and _is_row(arg, fact))
        ]
    arrays = any(fact(arg).is_array for arg in value.args)
    if any(fact(arg).weak for arg in value.args):
        return []  # Python's own numbers take no lists
    # what is known of neither may be joined to a list, or repeat it if it does not vary
    spreads = value.op in ARITHMETIC - {"+"} and (
        value.op != "*" or any(map(is_active, value.args))
    )
    if value.op not in ARITHMETIC or not (arrays or spreads):
        return []
    return [i for i, arg in enumerate(value.args) if _holds_values(arg) or _is_row(arg, fact)]


def _is_row(arg: Expr, fact: Ask) -> bool:
    """Tell whether an operand is a name, the module's own or not, for a list of numbers or arrays."""
    return isinstance(arg, Var | Ref) and _of_numbers(fact(arg), "array")


def _of_numbers(known: Fact, *others: str) -> bool:
    if known.kind not in ("list", "tuple") or not known.items:
        return False
    kinds = ("float", "int", "bool", *others)
    return all(item.kind in kinds or _of_numbers(item, *others) for item in known.items)


def _holds_values(arg: Expr) -> bool:
    return isinstance(arg, Op) and arg.op in ("list", "tuple") and bool(reads(arg))
