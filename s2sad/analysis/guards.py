"""Guards: what keeps a value away from where a slope is infinite, or leaves its slope out.

np.sqrt(np.maximum(x, 0.0))             np.where(x > 0, np.log(x), 0.0)             r[r == 0] = 1.0

0 * inf is nan: where a guard leaves a value out, an infinite slope must not be multiplied by 0.

for _ in range(n):
    v = np.maximum(0.9 * v[1:], k - s)      v is finite where its start, k and s are
    w = v / s                               w not surely: s may be zero

A value that is bound again cannot be traced back to arguments: it is finite if all is that it, or
memory that it refers to, is ever given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

import numpy as np

from s2sad.analysis.memory import Memory
from s2sad.analysis.terms import has_axes
from s2sad.ir.expression import (
    Expr,
    Variable,
    called,
    called_object,
    chooses,
    is_own_call,
    positional,
    text_of_call,
)
from s2sad.ir.program import Copied, Function, If, Let, Statement, Store, Try, While
from s2sad.ir.types import Number
from s2sad.ir.walk import (
    blocks,
    bound,
    closed,
    expressions,
    nodes,
    operands,
    read_variables,
    rebuilt,
    statements,
)
from s2sad.operators.table import calls_one, named, words

FUNCTIONS = words("guards")
FINITE = named("finiteness")
SKIPS = named("skips_nan")
# variables, and memory by its sites
Holders = frozenset[Hashable]
ABSOLUTE = words("absolute")


def has_guards(function: Function) -> bool:
    """Tell whether a function chooses among values by tests."""
    if clamps(function):
        return True
    for statement in statements(function.body):
        if isinstance(statement, Store) and is_partial(statement.target):
            return True
        every = [n for expr in expressions(statement) for n in nodes(expr)]
        if any(_is_guard(n) or takes_one_element(n) for n in every):
            return True
    return False


def clamps(function: Function) -> dict[Variable, frozenset[float]]:
    """Return the literals that tests assign to variables: `if x < 0.0: x = 0.0`."""
    found: dict[Variable, frozenset[float]] = {}
    for variable, level in _clamped(function):
        found[variable] = found.get(variable, frozenset()) | {level}
    return found


def _clamped(function: Function) -> Iterator[tuple[Variable, float]]:
    for each in (let for test in statements(function.body) for let in run_by_test(test)):
        if isinstance(each.target, Variable) and each.value.op == "constant":
            if type(each.value.data) in (int, float):
                yield each.target, float(each.value.data)


def run_by_test(statement: Statement) -> Iterator[Let]:
    """Yield what a branch, the handlers of a `try`, or a `while` on what it tests bind by their test."""
    found: tuple[Statement, ...] = ()
    match statement:
        case If():
            found = (*statement.body, *statement.orelse)
        case While():
            tested = read_variables(statement.test)
            found = tuple(s for s in statement.body if tested & frozenset(bound(s)))
        case Try():
            found = tuple(each for block in blocks(statement)[1:] for each in block)
    yield from (each for each in found if isinstance(each, Let))


def holds_guard(expr: Expr) -> bool:
    """Tell whether a value is chosen by tests somewhere in an expression."""
    return any(map(_is_guard, nodes(expr)))


def _is_guard(node: Expr) -> bool:
    match node.op:
        case "conditional":
            return True
        case "call" if takes_one_element(node):
            return not all(map(is_plain, operands(node)))
        case "call" if node.args[0].op in ("global", "attribute"):
            word = node.args[0].data
            called = word if isinstance(word, str) else word.text
            return not FUNCTIONS.isdisjoint(called.split("."))
        case "binary" if node.data == "*":
            return any(getattr(arg.type, "dtype", "") == "bool" for arg in node.args)
        case "binary":
            return folded(node) is not None
        case "subscript":
            return chooses(node.args[1])
    return False


PLAIN = frozenset("name constant global unary binary subscript slice tuple attribute".split())


def is_plain(value: Expr) -> bool:
    """Tell whether all elements of a value vary if those that it is computed of do: no 0.0 is put among them."""
    for node in nodes(value):
        if node.op == "call":
            is_ufunc = isinstance(called_object(node), np.ufunc) and not _is_guard(node)
            if not is_ufunc and not calls_one(node, "reduces", "sums"):
                return False
        elif node.op not in PLAIN:
            return False
    return True


def takes_one_element(node: Expr) -> bool:
    """Tell whether a call gives elements as they are, the largest along an axis: np.max(x, axis=0)."""
    if node.op != "call" or not {"axis", "keepdims"}.issuperset(node.data):
        return False
    is_function = calls_one(node, "reduces") and len(positional(node)) < 3
    return called(node) in ("max", "min") and (is_function or node.args[0].op == "attribute")


def folded(node: Expr) -> tuple[Expr, str] | None:
    """Return a and its side on which abs(a) + a, or a - abs(a), is not zero."""
    if node.op != "binary" or node.data not in ("+", "-"):
        return None
    for a, other in (node.args, node.args[::-1]):
        if other.op == "call" and other.args[1:] == (a,) and called(other) in ABSOLUTE:
            return a, ">" if node.data == "+" else "<"
    return None


def is_partial(target: Expr) -> bool:
    """Tell whether a store chooses elements by an array of positions or a mask."""
    return target.op == "subscript" and chooses(target.args[1])


# ---------------------------------------------------------------------------- what is finite


def perhaps_missing(function: Function) -> Holders:
    """Return the variables, and arrays of the module, of whose elements a function asks whether they are nan.

    r = d - x; w = r * r; s = np.sum(w[~np.isnan(r)])          r, what it is made of, and w
    """
    lets = [each for each in statements(function.body) if isinstance(each, Let)]
    values = (value for each in statements(function.body) for value in expressions(each))
    asked = frozenset(held for value in values for held in _asked_by_element(value))
    reads = [(frozenset(bound(let)), frozenset(held_in(let.value))) for let in lets]
    made = closed(asked, lambda found: (v for new, read in reads if found & read for v in new))
    return made | closed(
        asked, lambda found: (h for new, read in reads if found & new for h in read)
    )


def held_in(value: Expr) -> Iterator[Hashable]:
    """Yield the variables, and the arrays of the module, that a value reads."""
    for node in nodes(value):
        if node.op == "name" or (node.op == "global" and isinstance(node.data.value, np.ndarray)):
            yield node.data


def _asked_by_element(value: Expr) -> Iterator[Hashable]:
    """Yield what is asked for nan element by element: that all are numbers leaves none out."""
    word = text_of_call(value)
    if (word in FINITE and has_axes(value)) or word in SKIPS:
        yield from held_in(value.args[1])
    elif word.rpartition(".")[2] not in ("all", "any"):
        for arg in value.args:
            yield from _asked_by_element(arg)


Test = Callable[[Expr], bool]
# an expression of a statement as it is where the result is finite, numbers as well or not
Simplified = Callable[[Expr, Statement, bool], Expr]


def not_surely_finite(
    function: Function,
    memory: Memory,
    simplified: Simplified,
    may_not_be: Test,
    asks_numbers: bool,
    directly: bool = False,
) -> Holders:
    """Return the variables, and the memory, that may hold what is not finite.

    Values are asked `simplified`. Where only elements are asked for, numbers count as finite;
    `directly`: by what is stored there itself, whatever that is computed from.
    """
    numbers = frozenset(v for v, type_ in memory.types.items() if isinstance(type_, Number))
    left_out = frozenset() if asks_numbers else numbers
    once = _bound_once(function, memory)
    feeds: dict[Hashable, Holders] = {}
    found: Holders = frozenset()
    for statement in statements(function.body):
        given = memory.changed_by((statement,)) - left_out
        values = [simplified(each, statement, asks_numbers) for each in _values(statement)]
        read = frozenset(v for each in values for v in read_variables(each))
        for variable in read - left_out:
            for source in (variable, *memory.reach(variable)):
                feeds[source] = feeds.get(source, frozenset()) | given
        is_open = isinstance(statement, Copied)  # its expressions do not show what it gives
        if is_open or any(_may_give(value, may_not_be, once) for value in values):
            found |= given
    return (
        found
        if directly
        else closed(found, lambda known: {h for each in known for h in feeds.get(each, ())})
    )


def _values(statement: Statement) -> tuple[Expr, ...]:
    """Return what a statement computes: of `w[:] /= d` that is the quotient."""
    if isinstance(statement, Store) and statement.op != "=":
        target, value = statement.target, statement.value
        return (Expr("binary", (target, value), statement.op, target.type),)
    return expressions(statement)


def _may_give(value: Expr, may_not_be: Test, once: dict[Variable, Expr]) -> bool:
    """Tell whether a value of finite ones may not be finite; what a function gives is not known."""
    if any(map(is_own_call, nodes(value))):
        return True
    if not may_not_be(value):
        return False
    return may_not_be(rebuilt(value, lambda e: once.get(e.data) if e.op == "name" else None))


def _bound_once(function: Function, memory: Memory) -> dict[Variable, Expr]:
    """Return what stands for variables wherever they are read: their one binding."""
    lets = [s for s in statements(function.body) if isinstance(s, Let)]
    return {
        s.target: s.value
        for s in lets
        if isinstance(s.target, Variable) and memory.uses.is_bound_at_one_place(s.target)
        if not memory.is_memory(s.target)
    }
