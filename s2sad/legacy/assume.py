"""What specialised text takes for granted is checked where it is known.

if x.shape != y.shape:
    raise ValueError("made for x and y of equal shape")
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

import gast

from s2sad.ir.errors import Span
from s2sad.legacy.facts import Facts, same_shape
from s2sad.legacy.printing import text
from s2sad.legacy.program import (
    Attr,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Op,
    Opaque,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.traverse import expressions, statements, walk
from s2sad.source.trees import nodes_of

if TYPE_CHECKING:
    from s2sad.legacy.reverse import Sweep
    from s2sad.source.text import Source


LIKE = frozenset({"np.zeros_like", "np.ones_like", "np.full_like", "np.empty_like"})


def assume_equal(sweep: Sweep, operands: Iterable[Expr], target: Var, span: Span) -> bool:
    """Check that two arrays of equal rank have one shape, so that nothing was broadcast.

    Tell whether that holds from here on; where nothing may be assumed it does not.
    """
    pair = [each for each in operands if isinstance(each, Var) and sweep.facts.of(each).is_array]
    if sweep.assumed is None or len(pair) != 2 or any(is_temp(each.slot) for each in pair):
        return False
    a, b = (sweep.facts.of(each) for each in pair)
    if not a.rank or a.rank != b.rank or same_shape(a, b) or _has_ones(a.shape, b.shape):
        return False
    message = f"made for {base(pair[0].slot)} and {base(pair[1].slot)} of equal shape"
    sweep.assumed.append(message)
    test = Op("!=", (Attr(pair[0], "shape"), Attr(pair[1], "shape")))
    sweep.emit(If(test, (raised(message, span),), (), (), span, sweep.numbers.key()))
    return True


def _has_ones(*shapes: object) -> bool:
    # a length known to be 1 is there to be broadcast
    return any(not dim.symbol for shape in shapes if isinstance(shape, tuple) for dim in shape)


def raised(message: str, span: Span) -> Effect:
    """Return the statement that raises ValueError with a message."""
    node = gast.parse(f"raise ValueError({message!r})").body[0]
    return Effect(Opaque(node), span)


def is_check(stmt: Stmt) -> bool:
    """Tell whether a statement does nothing but to raise an error where a test holds."""
    match stmt:
        case If(_, (Effect(Opaque(gast.Raise())),), ()):
            return True
    return False


def entry_checks(program: Program, facts: Facts) -> dict[str, str]:
    """Return the tests, with their messages, of lengths of parameters that are taken as equal."""
    params = {param.var for param in program.params}
    found: dict[str, str] = {}
    for meeting in facts.meetings:
        if meeting.left in params and meeting.right is None:
            name, rank = meeting.left.slot, facts.of(meeting.left).rank
            where = f" along axis {meeting.left_axis}" if rank != 1 else ""
            test = f"{name}.shape[{meeting.left_axis}] != {meeting.right_axis}"
            found.setdefault(test, f"made for {name} of length {meeting.right_axis}{where}")
        elif meeting.left in params and meeting.right in params and meeting.right is not None:
            a, b = meeting.left.slot, meeting.right.slot
            test = f"{a}.shape[{meeting.left_axis}] != {b}.shape[{meeting.right_axis}]"
            said = f"{a} and {b} of equal length" if a != b else f"a square {a}"
            found.setdefault(test, f"made for {said}")
    return found


def rank_checks(
    program: Program, facts: Facts, wrt: Collection[str], floats: Collection[str]
) -> dict[str, str]:
    """Return the tests of the ranks and options that specialised text was made for.

    A number is asked only where there are arrays: they take longer than the question. Arrays in
    whose like adjoints are kept (`floats`) are asked for floats at once.
    """
    found = dict(_option_checks(program, facts))
    for param in program.params:
        known, name = facts.of(param.var), param.var.slot
        if known.is_array and known.rank is not None:
            test, message = f"{name}.ndim != {known.rank}", f"made for {name} of rank {known.rank}"
            if name in floats:
                test, message = f'{test} or {name}.dtype.kind in "biu"', f"{message}, of floats"
            found[test] = message
    if any(".ndim" in test for test in found):
        for param in program.params:
            name = param.var.slot
            if name in wrt and facts.of(param.var).is_scalar:
                found[f"np.ndim({name}) != 0"] = f"made for a number {name}"
    return found


def like_parameters(program: Program, facts: Facts, wrt: Collection[str]) -> list[str]:
    """Return the arguments in whose like a derivative keeps adjoints or tangents.

    Arrays made like integers would cut them off.
    """
    asked = {param.var.slot: facts.of(param.var) for param in program.params}
    names = sorted(set(_like_operands(program)) & asked.keys() & set(wrt))
    return [name for name in names if not asked[name].is_scalar]


def has_rank(program: Program, facts: Facts, name: str) -> bool:
    """Tell whether an argument is asked for its rank."""
    known = [facts.of(param.var) for param in program.params if param.var.slot == name]
    return any(each.is_array and each.rank is not None for each in known)


def float_test(name: str) -> tuple[str, str]:
    """Return the test, with its message, that an argument of any kind holds floats."""
    return f'np.asarray({name}).dtype.kind in "biu"', f"made for floats {name}"


def _like_operands(program: Program) -> Iterator[str]:
    """Yield the names in whose like arrays are made."""
    for stmt in statements(program.body):
        for expr in expressions(stmt):
            for part in walk(expr):
                match part:
                    case Call(Ref(text), (Var(slot), *_), ()) if text in LIKE:
                        yield slot


def index_checks(program: Program, facts: Facts, source: Source) -> dict[str, str]:
    """Return the tests of positions, masks and numbers whose kind decides what the text does.

    A mask names no element twice, and one position makes no array: positions in a list would.
    """
    found: dict[str, str] = {}
    tested = set(_names_handed_to(source, ("isinstance", "type")))
    ranked = set(_names_handed_to(source, ("ndim", "shape", "size", "isscalar")))
    positions = set(_positions(program))
    for param in program.params:
        name, known = param.var.slot, facts.of(param.var)
        if name in tested and known.is_scalar and known.dtype[:3] in ("int", "flo"):
            kind = "int" if known.dtype[:3] == "int" else "float"
            found[f"not isinstance({name}, {kind})"] = f"made for {name} of kind {kind}"
        elif name in positions and known.is_array and known.dtype[:3] in ("boo", "int", "uin"):
            kinds = "b" if known.dtype == "bool" else "iu"
            word = "a mask" if kinds == "b" else "positions"
            found[f'{name}.dtype.kind not in "{kinds}"'] = f"made for {word} {name}"
        elif name in positions | ranked and known.is_scalar:
            word = "one position" if name in positions else "a number"
            found[f"np.ndim({name}) != 0"] = f"made for {word} {name}"
    return found


def _positions(program: Program) -> Iterator[str]:
    """Yield the names that stand in subscripts as they are."""
    for stmt in statements(program.body):
        keys = [stmt.index] if isinstance(stmt, Update) and stmt.index is not None else []
        for expr in expressions(stmt):
            keys += [p.args[1] for p in walk(expr) if isinstance(p, Op) and p.op == "index"]
        for key in keys:
            parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
            yield from (part.slot for part in parts if isinstance(part, Var))


def _names_handed_to(source: Source, functions: tuple[str, ...]) -> Iterator[str]:
    """Yield the names that are handed to one of some functions."""
    for node in nodes_of(source.tree):
        match node:
            case gast.Call(
                func=gast.Name(id=called) | gast.Attribute(attr=called),
                args=[gast.Name(id=name), *_],
            ) if called in functions:
                yield name


def _option_checks(program: Program, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the tests of parameters that are None, True, False or a text, which decide what runs."""
    for param in program.params:
        known, name = facts.of(param.var).value, param.var.slot
        if not isinstance(known, Const):
            continue
        message = f"made for {name}={text(known, str)}"
        match known.value:
            case None:
                yield f"{name} is not None", message
            case True:
                yield f"not {name}", message
            case False:
                yield name, message
            case str():
                yield f"{name} != {text(known, str)}", message


def without_own(checks: dict[str, str], program: Program) -> dict[str, str]:
    """Return the checks that the text of a derivative does not make already."""
    own = set()
    for stmt in program.body:
        if isinstance(stmt, If) and is_check(stmt):
            own.add(text(stmt.test, str))
    return {test: message for test, message in checks.items() if test not in own}


def check_lines(checks: dict[str, str]) -> list[str]:
    """Return entry checks as lines of text."""
    lines: list[str] = []
    for test, message in checks.items():
        lines += [f"    if {test}:", f"        raise ValueError({text(Const(message), str)})"]
    return lines
