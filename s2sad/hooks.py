"""Operations on displays of any length get rules made to measure, which no template can spell.

    np.stack((a, b))    ->    part_0_bar = y_bar[0] ; part_1_bar = y_bar[1]

Each leaf of the display is a parameter of the rule: `part_0`, `part_1`, ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2sad.filling import Match, literal, number
from s2sad.program import NONE, Call, Const, Expr, Op, Ref, Var
from s2sad.templating import ELEMENTWISE, JOINT, Line, Rule, local_var

Ask = Callable[[Expr], Any]

LEN = Ref("len", len)
SUM = Ref("sum", sum)
SHAPE = Ref("np.shape", np.shape)
Y_BAR = local_var("y_bar")
WHOLE = Op("slice", (NONE, NONE, NONE))
COMPARISONS = frozenset(["<", "<=", ">", ">=", "==", "!=", "is", "is_not", "in", "not_in"])
FLOATS = (float, np.float64, np.float32)
REAL = frozenset({"float", "int", "bool", "array", "unknown"})


def find(value: Expr, fact: Ask) -> Match | None:
    """Return the rule of an operation that takes any number of operands."""
    match value:
        case Op(op, _) if all(word in COMPARISONS for word in op.split()):
            return Match(Rule("comparison", "constant", (), ()), {}, value)
        case Call(Ref(_, function), (Op("tuple" | "list", parts), *_), _):
            if any(map(_is_star, parts)):
                return None
            made = _on_display(function, value, fact)
            return made if made is None or _is_real(made, fact) else None
        case Call(Ref(_, function), (_, _, _, *_), ()) if function in (max, min):
            return _extreme(value, value.args, fact)
        case Op("*", (Op("list", (part,)), times)) | Op("*", (times, Op("list", (part,)))):
            return _repeated(value, part, times, fact)
        case Op("tuple" | "list", parts) if not any(map(_is_star, parts)):
            return _displayed(value, fact)
    return None


def _is_star(part: Expr) -> bool:
    return isinstance(part, Op) and part.op == "star"


def _is_real(match: Match, fact: Ask) -> bool:
    known = [fact(part) for part in match.bound.values() if literal(part) is None]
    return all(each.kind in REAL and not each.dtype.startswith("complex") for each in known)


def _on_display(function: Any, call: Call, fact: Ask) -> Match | None:
    made = next((hook for known, hook in _hooks() if known is function), None)
    return None if made is None else made(call, fact)


def is_known(value: Expr) -> bool:
    """Tell whether there is a rule for some operands of a function."""
    if not (isinstance(value, Call) and isinstance(value.func, Ref)):
        return False
    return any(known is value.func.value for known, _ in _hooks())


Hook = Callable[[Call, Ask], Match | None]


def _hooks() -> tuple[tuple[Any, Hook], ...]:
    return (
        (np.array, _array),
        (np.asarray, _array),
        (np.concatenate, _concatenate),
        (np.stack, _stack),
        (np.vstack, _vstack),
        (np.hstack, _hstack),
        (np.column_stack, _column_stack),
        (sum, _sum),
        (math.fsum, _sum),
        (max, _extreme_of_display),
        (min, _extreme_of_display),
    )


# ---------------------------------------------------------------------------- made to measure


@dataclass(slots=True)
class _Making:
    """A rule while it is made: its parameters, what they stand for, and what they receive."""

    fact: Ask
    bound: dict[str, Expr] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    def leaf(self, value: Expr, key: Expr | None) -> Expr:
        """Make a parameter for `value`, which receives `y_bar[key]`."""
        name = f"part_{len(self.bound)}"
        self.bound[name] = value
        received = Y_BAR if key is None else Op("index", (Y_BAR, key))
        self.lines.append(Line(name, received))
        return local_var(name)

    def match(self, name: str, form: Expr, family: str = JOINT) -> Match:
        """Return the finished rule, matched."""
        rule = Rule(name, family, tuple(self.bound), (), tuple(self.lines))
        arrays = frozenset(p for p, each in self.bound.items() if self.fact(each).is_array)
        scalars = frozenset(p for p, each in self.bound.items() if _is_scalar(each, self.fact))
        return Match(rule, self.bound, form, arrays, scalars)


def _is_scalar(value: Expr, fact: Ask) -> bool:
    return literal(value) is not None or bool(fact(value).is_scalar)


def _only(call: Call, *allowed: str) -> Mapping[str, Expr] | None:
    """Return the arguments after the display by name; None if there are others."""
    rest = dict(zip(allowed, call.args[1:], strict=False))
    given = {**rest, **dict(call.keywords)}
    complete = len(given) == len(call.args) - 1 + len(call.keywords)
    return given if complete and given.keys() <= set(allowed) else None


def _form(call: Call, display: Expr) -> Call:
    return Call(call.func, (display, *call.args[1:]), call.keywords)


def _display(call: Call) -> Op:
    display = call.args[0]
    assert isinstance(display, Op)
    return display


# ---------------------------------------------------------------------------- arrays of numbers


def _array(call: Call, fact: Ask) -> Match | None:
    given = _only(call, "dtype")
    dtype = None if given is None else given.get("dtype", NONE)
    if dtype is None or not _is_float_type(dtype):
        return None
    making = _Making(fact)
    form = _nested(making, _display(call), ())
    return None if form is None else making.match("array", _form(call, form))


def _is_float_type(dtype: Expr) -> bool:
    return dtype == NONE or (isinstance(dtype, Ref) and dtype.value in FLOATS)


def _nested(making: _Making, display: Op, path: tuple[Expr, ...]) -> Expr | None:
    parts = []
    for i, part in enumerate(display.args):
        where = (*path, Const(i))
        match part:
            case Op("tuple" | "list"):
                form = _nested(making, part, where)
            case Op("star"):
                return None
            case _:
                form = making.leaf(part, _key(where))
        if form is None:
            return None
        parts.append(form)
    return Op(display.op, tuple(parts))


def _key(parts: tuple[Expr, ...]) -> Expr:
    return parts[0] if len(parts) == 1 else Op("tuple", parts)


# ---------------------------------------------------------------------------- stacking


def _stack(call: Call, fact: Ask) -> Match | None:
    given = _only(call, "axis")
    axis = None if given is None else literal(given.get("axis", Const(0)))
    if not isinstance(axis, int):
        return None
    return _stacked(call, fact, axis)


def _stacked(call: Call, fact: Ask, axis: int) -> Match | None:
    display = _display(call)
    making = _Making(fact)
    if axis == 0:
        form = _nested(making, display, ())
    elif any(
        isinstance(part, Op) and part.op in ("tuple", "list", "star") for part in display.args
    ):
        return None
    else:
        keys = (_at(axis, Const(i)) for i in range(len(display.args)))
        leaves = zip(display.args, keys, strict=True)
        form = Op(display.op, tuple(making.leaf(part, key) for part, key in leaves))
    return None if form is None else making.match("stack", _form(call, form))


def _at(axis: int, key: Expr) -> Expr:
    """Return the subscript that takes `key` along an axis, counted from either end."""
    if axis >= 0:
        return _key((WHOLE,) * axis + (key,))
    return Op("tuple", (Const(...), key) + (WHOLE,) * (-1 - axis))


def _vstack(call: Call, fact: Ask) -> Match | None:
    ranks = _ranks(call, fact)
    if call.keywords or len(call.args) > 1:
        return None
    if ranks == {1}:
        return _stacked(call, fact, 0)
    return _joined(call, fact, 0) if ranks == {2} else None


def _hstack(call: Call, fact: Ask) -> Match | None:
    ranks = _ranks(call, fact)
    if call.keywords or len(call.args) > 1:
        return None
    if ranks <= {0, 1}:
        return _joined(call, fact, 0)
    return _joined(call, fact, 1) if ranks == {2} else None


def _column_stack(call: Call, fact: Ask) -> Match | None:
    ranks = _ranks(call, fact)
    if call.keywords or len(call.args) > 1:
        return None
    if ranks == {1}:
        return _stacked(call, fact, 1)
    return _joined(call, fact, 1) if ranks == {2} else None


def _ranks(call: Call, fact: Ask) -> set[int | None]:
    return {_rank(part, fact) for part in _display(call).args}


def _rank(part: Expr, fact: Ask) -> int | None:
    match part:
        case Op("tuple" | "list", parts):
            inner = {_rank(each, fact) for each in parts}
            return 1 if inner <= {0} else None
        case _ if _is_scalar(part, fact):
            return 0
    known = fact(part)
    return known.rank if known.is_array else None


# ---------------------------------------------------------------------------- joining


def _concatenate(call: Call, fact: Ask) -> Match | None:
    given = _only(call, "axis")
    axis = None if given is None else literal(given.get("axis", Const(0)))
    return _joined(call, fact, axis) if isinstance(axis, int) else None


def _joined(call: Call, fact: Ask, axis: int) -> Match | None:
    """Return the rule of arrays set one behind the other: each receives its stretch of y_bar."""
    making = _Making(fact)
    parts: list[Expr] = []
    start = _Position(0, ())
    pieces = _display(call).args
    for i, part in enumerate(pieces):
        last = i == len(pieces) - 1
        match part:
            case Op("tuple" | "list", elements):
                if axis != 0 or not all(_rank(each, fact) == 0 for each in elements):
                    return None
                leaves = (
                    making.leaf(each, start.moved(j).expr()) for j, each in enumerate(elements)
                )
                parts.append(Op(part.op, tuple(leaves)))
                start = start.moved(len(elements))
            case _ if _is_scalar(part, fact):
                parts.append(making.leaf(part, start.expr()))
                start = start.moved(1)
            case _:
                name = f"part_{len(making.bound)}"
                stop = start.behind(_length(local_var(name), part, axis, fact))
                ends = (NONE if i == 0 else start.expr(), NONE if last else stop.expr(), NONE)
                parts.append(making.leaf(part, _at(axis, Op("slice", ends))))
                start = stop
    return making.match("concatenate", _form(call, Op(_display(call).op, tuple(parts))))


@dataclass(frozen=True, slots=True)
class _Position:
    """A place along an axis: a number and some lengths, added."""

    offset: int
    lengths: tuple[Expr, ...]

    def moved(self, by: int) -> _Position:
        return _Position(self.offset + by, self.lengths)

    def behind(self, length: Expr) -> _Position:
        return _Position(self.offset, (*self.lengths, length))

    def expr(self) -> Expr:
        total: Expr | None = None
        for length in self.lengths:
            total = length if total is None else Op("+", (total, length))
        if total is None:
            return number(self.offset)
        return Op("+", (total, number(self.offset))) if self.offset else total


def _length(param: Var, part: Expr, axis: int, fact: Ask) -> Expr:
    if axis == 0:
        return Call(LEN, (param,))
    return Op("index", (Call(SHAPE, (param,)), number(axis)))


# ---------------------------------------------------------------------------- builtins


def _sum(call: Call, fact: Ask) -> Match | None:
    """Return the rule of sum([a, b, ...]): that of a + b + ..."""
    if len(call.args) > 1 or call.keywords:
        return None
    making = _Making(fact)
    display = _display(call)
    parts = tuple(making.leaf(part, None) for part in display.args)
    return making.match("sum", Call(call.func, (Op(display.op, parts),)), ELEMENTWISE)


def _extreme_of_display(call: Call, fact: Ask) -> Match | None:
    parts = _display(call).args
    return None if len(call.args) > 1 or call.keywords else _extreme(call, parts, fact)


def _extreme(call: Call, parts: tuple[Expr, ...], fact: Ask) -> Match | None:
    """Return the rule of max or min: the first operand that equals the result has it all."""
    making = _Making(fact)
    leaves = tuple(making.leaf(part, None) for part in parts)
    displayed = isinstance(call.args[0], Op) and call.args[0].op in ("tuple", "list")
    form = Call(call.func, (Op("tuple", leaves),) if displayed else leaves)
    making.lines = [
        Line(name, Op("if", (_first(i), Y_BAR, Const(0.0)))) for i, name in enumerate(making.bound)
    ]
    match = making.match("extreme", form, ELEMENTWISE)
    return match if _is_real(match, fact) else None


def _first(i: int) -> Expr:
    y = local_var("y")
    hit: Expr = Op("==", (local_var(f"part_{i}"), y))
    before = tuple(Op("!=", (local_var(f"part_{j}"), y)) for j in range(i))
    return Op("and", (hit, *before)) if before else hit


def _repeated(value: Op, part: Expr, times: Expr, fact: Ask) -> Match | None:
    """Return the rule of [a] * n, of a number a."""
    if fact(part).is_array or fact(times).kind != "int":
        return None
    making = _Making(fact)
    display = Op("list", (making.leaf(part, None),))
    making.lines = [Line("part_0", Call(SUM, (Y_BAR,)))]
    form = Op("*", tuple(display if each != times else times for each in value.args))
    match = making.match("repeat", form)
    return match if _is_real(match, fact) else None


def _displayed(value: Op, fact: Ask) -> Match:
    """Return the rule of [a, b, ...]: each value receives its own of the list of adjoints."""
    making = _Making(fact)
    parts = tuple(making.leaf(part, Const(i)) for i, part in enumerate(value.args))
    return making.match("display", Op(value.op, parts))
