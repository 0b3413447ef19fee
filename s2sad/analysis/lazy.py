"""What is computed as it is gone through: generators, zip, views of dicts.

total(x * x for x in u)         for x in u:
                                    item = x * x
                                    ... what total does with an item

A function that goes through it once does so where it is called, and what is written on the way shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2sad.analysis.containers import dict_of_view
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import (
    Block,
    For,
    Function,
    If,
    Let,
    RegionOp,
    Return,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import replace
from s2sad.ir.types import Code, Number, Other
from s2sad.ir.walk import blocks, bound, expressions, nodes, read_variables, statements
from s2sad.lowering.results import changes_something

GONE_THROUGH = frozenset({"zip", "enumerate", "reversed"})
HOLDING = frozenset({"tuple", "list", "set", "dict", "item", "conditional", "record"})


def is_read_once(parameter: Variable, arg: Expr, body: Block) -> bool:
    """Tell whether an argument is lazy, and a function goes through it in one place, in no loop."""
    if not is_lazy(arg):
        return False
    reads = sum(node.data == parameter for node in _names(body))
    return reads == 1 and not _is_read_again(parameter, body)


def is_lazy(expr: Expr) -> bool:
    """Tell whether a value computes nothing before it is gone through."""
    if is_generator(expr):
        return _is_plain(expr.args[1].args[0])
    if expr.op != "call":
        return False
    function, *args = expr.args
    if function.op == "attribute":
        base = dict_of_view(expr)
        return base is not None and base.op == "name"
    called = function.op == "global" and function.data.text in GONE_THROUGH
    return called and not expr.data and all(map(_is_plain, args))


def _is_plain(expr: Expr) -> bool:
    return expr.op in ("name", "constant") or is_lazy(expr)


def is_generator(expr: Expr) -> bool:
    """Tell whether an expression is a generator of one loop."""
    return expr.op == "comprehension" and expr.data == "generator" and len(expr.args) == 2


def _names(body: Block) -> Iterator[Expr]:
    for statement in statements(body):
        for expr in expressions(statement):
            yield from (node for node in nodes(expr) if node.op == "name")


def _is_read_again(variable: Variable, body: Block) -> bool:
    """Tell whether a variable is read inside of a loop, or by a comprehension for each item."""
    for statement in statements(body):
        inner = [s for b in blocks(statement) for s in b] if _repeats(statement) else []
        tests = [statement.test] if isinstance(statement, While) else []
        every = [n for e in tests for n in nodes(e)] + list(_names(tuple(inner)))
        for expr in expressions(statement):
            found = (n for n in nodes(expr) if n.op == "comprehension")
            every += [n for c in found for n in _each_time(c)]
        if any(n.op == "name" and n.data == variable for n in every):
            return True
    return False


def _repeats(statement: Statement) -> bool:
    return isinstance(statement, For | While)


def _each_time(comprehension: Expr) -> Iterator[Expr]:
    """Yield what a comprehension evaluates for each item: all but its first domain."""
    element, first, *rest = comprehension.args
    for part in (element, *first.args[1:], *rest):
        yield from nodes(part)


def through_generator(loop: For) -> For:
    """Return a loop over what a generator goes over: it computes its items on the way."""
    if not is_generator(loop.domain):
        return loop
    element, source = loop.domain.args
    domain, *tests = source.args
    body: Block = (Let(loop.target, element, loop.span), *loop.body)
    for test in reversed(tests):
        body = (If(test, body, (), loop.span),)
    return through_generator(replace(loop, target=source.data, domain=domain, body=body))


# ---------------------------------------------------------------------------- under a name


def refuse_kept_generators(function: Function) -> Function:
    """Return a function; refuse where a generator that is kept may see what is changed since."""
    every = list(statements(function.body))
    kept = [(s, generator) for s in every for generator in _kept(s)]
    if not kept:
        return function
    sets = Counter(v for s in every for v in bound(s)) + Counter(
        p.variable for p in function.parameters
    )
    writes = any(map(changes_something, every))
    for statement, generator in kept:
        rebound = any(sets[v] > 1 for v in read_variables(generator))
        if rebound or (writes and any(map(_is_memory, nodes(generator)))):
            raise NotYet("what is gone through later than it is named", statement.span)
    return function


def named_values(statement: Statement) -> tuple[Expr, ...]:
    """Return the values that a statement names, stores or returns."""
    match statement:
        case Let() | Store() | Return():
            return (statement.value,)
        case RegionOp():
            return statement.args
    return ()


def held_in(value: Expr) -> Iterator[Expr]:
    """Yield what a value is, or what its displays hold."""
    if value.op not in HOLDING:
        yield value
        return
    for arg in value.args:
        yield from held_in(arg)


def _kept(statement: Statement) -> Iterator[Expr]:
    """Yield the generators that a statement keeps; a list that grows by one takes its items."""
    match statement:
        case Store(op="+") | RegionOp(method="extend"):
            return
    for value in named_values(statement):
        for part in held_in(value):
            if part.op == "comprehension" and part.data == "generator":
                yield part


def _is_memory(node: Expr) -> bool:
    return node.op in ("name", "global") and not isinstance(node.type, Number | Other | Code)
