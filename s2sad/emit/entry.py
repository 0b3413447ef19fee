"""What a text relies on, it asks: one test at its entry, with one message.

if (W.ndim, m.ndim) != (2, 1) or W.dtype.kind != "f":
    raise ValueError("made for W (m, n), m (n,), floats in W")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from s2sad.emit.relied import ANY, asks_of
from s2sad.emit.request import Request
from s2sad.emit.seeds import seed_checks
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    constant,
    global_,
)
from s2sad.ir.program import Check, Let, Program
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Optional, Type
from s2sad.ir.walk import nodes, nodes_in, statements
from s2sad.types.checks import leaves, read_of
from s2sad.types.structure import is_uniform

BOOL, WHOLE = Number("bool"), Number("int64")
WIDTH = 80  # what `if` and `:` leave of a line
OPPOSITE = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}
OPPOSITE_ORDER = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def entry_test(program: Program, request: Request) -> tuple[Expr, str] | None:
    """Return what is not assumed of the arguments, as one test, and the message that says so."""
    checks = [*program.checks, *_number_checks(program, request), *_kind_check(program, request)]
    checks += seed_checks(program, request)
    if not checks:
        return None
    tests = [each for check in checks for each in _parts(check.test)]
    wrong = [negated(each) for each in dict.fromkeys(tests)]
    # two tests on several lines are hard to read, and so are long tuples
    if len(wrong) == 2 and len(expression(_any(wrong))) > WIDTH:
        wrong = [part for each in wrong for part in _one_by_one(each)]
    else:
        long = [each for each in wrong if len(expression(each)) > WIDTH]
        wrong = [part for e in wrong for part in (_one_by_one(e) if e in long else [e])]
    test = _any(wrong)
    told = dict.fromkeys(check.message.removeprefix("made for ") for check in checks)
    # the text quotes the message in double quotes
    return test, f"made for {', '.join(told)}".replace('"', "'")


def message_of(program: Program, request: Request) -> str:
    """Return the message of the text's one check, by which its ValueError is known; "" without."""
    asked = entry_test(program, request)
    return "" if asked is None else asked[1]


def _parts(test: Expr) -> Sequence[Expr]:
    return [part for arg in test.args for part in _parts(arg)] if test.op == "and" else [test]


def negated(test: Expr) -> Expr:
    """Return the opposite of a test."""
    if test.op == "compare" and len(test.data) == 1:
        symbol = test.data[0]
        opposite = OPPOSITE.get(symbol)
        if opposite is None and all(_is_whole(arg) for arg in test.args):
            opposite = OPPOSITE_ORDER[symbol]  # of numbers that are never nan
        if opposite is not None:
            return Expr("compare", test.args, (opposite,), test.type)
    if test.op == "unary" and test.data == "not":
        return test.args[0]
    return Expr("unary", (test,), "not", BOOL)


def _is_whole(expr: Expr) -> bool:
    return isinstance(expr.type, Number) and expr.type.dtype[0] in "iu"


def _any(tests: Sequence[Expr]) -> Expr:
    return tests[0] if len(tests) == 1 else Expr("or", tuple(tests), None, BOOL)


def _one_by_one(test: Expr) -> Iterator[Expr]:
    """Yield the tests of the parts of a tuple: u.ndim != 1, w.ndim != 2."""
    left, right = test.args if test.op == "compare" and test.data == ("!=",) else (test, test)
    if left.op != "tuple" or right.op != "tuple" or len(left.args) != len(right.args):
        yield test
        return
    for one, other in zip(left.args, right.args, strict=True):
        yield Expr("compare", (one, other), ("!=",), BOOL)


def _equal(left: Expr, right: Expr) -> Expr:
    return Expr("compare", (left, right), ("==",), BOOL)


# ---------------------------------------------------------------------------- kinds of numbers


def _number_checks(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks of numbers of which the function asks whether they are None, or whole."""
    if request.context is None or request.mode == "primal":
        return
    own = [p for p in program.function.parameters if p.variable.role is Role.PRIMAL]
    found = (leaf for p in own for leaf in leaves(read_of(p), request.context))
    numbers = [leaf for leaf in found if isinstance(leaf.type, Number)]
    many = next((p.variable for p in own if is_uniform(p.type)), None)
    if not numbers and many is None:
        return
    classes = [r.cls for r in request.context.regions.values() if r.cls is not None]
    asks = asks_of(request.source, classes)
    if many is not None and asks.kinds:
        raise NotYet(f"kinds of the many parts of {many}", program.function.span)
    by_words: dict[str, list[tuple[Expr, str]]] = {}
    for leaf in numbers:
        kind = _class_of(leaf.type) if asks.kinds else None  # type: ignore[arg-type]
        path = expression(leaf)
        if kind is not None:
            test = call(global_("isinstance", isinstance), leaf, global_(*kind), type_=BOOL)
            by_words.setdefault(f"of class {kind[0]}", []).append((test, path))
        elif asks.none == ANY or path in asks.none:
            test = Expr("compare", (leaf, constant(None)), ("is not",), BOOL)
            by_words.setdefault("not None", []).append((test, path))
    for words, asked in by_words.items():
        tests = tuple(test for test, _ in asked)
        test = tests[0] if len(tests) == 1 else Expr("and", tests, None, BOOL)
        yield Check(test, f"made for {_listed([path for _, path in asked])} {words}")


def _class_of(type_: Number) -> tuple[str, type] | None:
    """Return the class of the numbers of a type, under the name that the text has for it."""
    letter = type_.dtype[0]
    plain = {"f": float, "i": int, "c": complex, "b": bool}
    boxed = {"f": np.floating, "i": np.integer, "u": np.integer, "c": np.complexfloating}
    if type_.boxed:
        found = boxed.get(letter)
        return None if found is None else (f"np.{found.__name__}", found)
    kind = plain.get(letter)
    return None if kind is None else (kind.__name__, kind)


def _kind_check(program: Program, request: Request) -> Iterator[Check]:
    """Yield the check that arrays hold floats, where whole numbers would cut adjoints off."""
    if request.context is None or request.mode == "primal":
        return
    relied = _relied_on(program)
    asked: list[tuple[Expr, str]] = []
    for parameter in program.function.parameters:
        variable = parameter.variable
        wanted = variable in relied
        if not request.is_forward:
            wanted |= variable.name in request.wrt
        if wanted and variable.role in (Role.PRIMAL, Role.TANGENT):
            for leaf in leaves(read_of(parameter), request.context):
                type_ = _plain(leaf.type)
                if isinstance(type_, Array) and type_.dtype[0] in "fc":
                    asked.append((leaf, type_.dtype[0]))
    if not asked:
        return
    left, *others = (attribute(attribute(leaf, "dtype"), "kind") for leaf, _ in asked)
    for kind in others:
        left = Expr("binary", (left, kind), "+")
    right = constant("".join(letter for _, letter in asked))
    told: dict[str, list[str]] = {}
    for leaf, letter in asked:
        told.setdefault(letter, []).append(expression(leaf))
    words = {"f": "floats", "c": "complex numbers"}
    parts = [f"{words[letter]} in {_listed(each)}" for letter, each in told.items()]
    yield Check(_equal(left, right), f"made for {', '.join(parts)}")


def _plain(type_: Type) -> Type:
    return type_.type if isinstance(type_, Optional) else type_


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _relied_on(program: Program) -> frozenset[Variable]:
    """Return the variables whose kind of numbers new arrays take over: np.zeros_like(u)."""
    found: set[Variable] = set()
    body = program.function.body
    for node in nodes_in(body):
        if _is_copy_of_tangent(node):
            found.add(node.args[0].args[0].data)
        if _is_like(node):
            found |= {n.data for n in nodes(node.args[1]) if n.op == "name"}
    for statement in reversed(list(statements(body))):
        match statement:
            case Let(Variable() as target, value) if target in found:
                arrays = {n.data for n in nodes(value) if n.op == "name" and _is_array(n)}
                # of several one that is known to hold floats is enough
                found |= arrays if len(arrays) == 1 else set()
    return frozenset(found)


def _is_array(expr: Expr) -> bool:
    return isinstance(expr.type, Array)


def _is_copy_of_tangent(node: Expr) -> bool:
    """Tell whether a node copies a tangent: it is written in place."""
    if node.op != "call" or node.args[0].op != "attribute" or node.args[0].data != "copy":
        return False
    base = node.args[0].args[0]
    return base.op == "name" and base.data.role is Role.TANGENT


def _is_like(node: Expr) -> bool:
    if node.op != "call" or node.args[0].op != "global" or len(node.args) < 2:
        return False
    return str(node.args[0].data.text).endswith("_like")
