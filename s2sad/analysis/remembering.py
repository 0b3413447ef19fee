"""Dicts of the module in which a function keeps what it has computed once: tables, nodes, weights.

if n not in NODES:                      NODES gives the same in each call
    NODES[n] = leggauss(n)
return NODES[n]

What is kept may not hang on arguments that vary: it would be that of the first call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from s2sad.analysis.activity import may_vary
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    Function,
    If,
    Let,
    Program,
    RegionOp,
    Return,
    Statement,
    Store,
)
from s2sad.ir.records import replace
from s2sad.ir.types import Number, Region, Site
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    expressions,
    nodes,
    nodes_in,
    read_in,
    read_variables,
    statements,
)

Regions = Mapping[Site, Region]
# a dict of the module, by its identity, and a key that it does not have
Missing = tuple[int, Expr]


def remembering(program: Program) -> frozenset[int]:
    """Return the identities of the dicts that remember, and are not changed in another way."""
    found: dict[int, bool] = {}
    for function in program.functions.values():
        varying = _varying(function, program.regions)
        for dict_ in _asked_otherwise(function):
            found[dict_] = False
        for statement, missing in _under_tests(function.body, frozenset(), function):
            for dict_, key, value in _stored(statement):
                is_kept = (dict_, key) in missing and not read_variables(value) & varying
                found[dict_] = found.get(dict_, True) and is_kept
    return frozenset(each for each, is_kept in found.items() if is_kept)


def is_item_store(statement: Statement) -> bool:
    """Tell whether a statement stores an item of a dict of the module."""
    return any(_stored(statement))


def remembered_in(program: Program) -> frozenset[str]:
    """Return how the dicts that remember are written in a program."""
    kept = remembering(program)
    every = (node for f in program.functions.values() for node in nodes_in(f.body))
    named = (node.data for node in every if node.op == "global")
    return frozenset(each.text for each in named if id(each.value) in kept) if kept else frozenset()


def _asked_otherwise(function: Function) -> Iterator[int]:
    """Yield the dicts of which more is asked than an item, or whether they have a key."""
    counts: Counter[int] = Counter()
    for node in nodes_in(function.body):
        if node.op == "global" and type(node.data.value) is dict:
            counts[id(node.data.value)] += 1
        is_test = node.op == "compare" and node.data in (("in",), ("not in",))
        held = node.args[1] if is_test else node.args[0] if node.op == "subscript" else None
        if held is not None and held.op == "global":
            counts[id(held.data.value)] -= 1
    yield from (each for each, count in counts.items() if count > 0)


def _does_nothing_else(branch: If, function: Function) -> bool:
    """Tell whether a branch only computes what it stores: nothing of it is read or changed behind it."""
    own = bound_in(branch.body)
    inside = list(statements(branch.body))
    read = Counter(v for s in inside for v in read_in(s))
    every = Counter(v for s in statements(function.body) for v in read_in(s))
    effects = [s.effect for s in inside if isinstance(s, Let)]
    draws = any(e.draws and not e.writes_all for e in effects)  # what is not known may do anything
    if branch.orelse or draws or any(every[v] != read[v] for v in own):
        return False
    return all(any(_stored(s)) or _names(s) <= own for s in inside if not _is_plain(s))


def _is_plain(statement: Statement) -> bool:
    if isinstance(statement, Let):
        return replace(statement.effect, raises=False, prints=False).is_pure
    return not isinstance(statement, Store | RegionOp | Copied | Return | Break | Continue)


def _names(statement: Statement) -> set[Variable]:
    """Return the variables that a statement names, but for numbers."""
    if not isinstance(statement, Let | Store | RegionOp):
        return {Variable("<left>")}
    every = (node for expr in expressions(statement) for node in nodes(expr) if node.op == "name")
    return {node.data for node in every if not isinstance(node.type, Number)}


def _under_tests(
    block: Block, missing: frozenset[Missing], function: Function
) -> Iterator[tuple[Statement, frozenset[Missing]]]:
    """Yield statements with the keys that dicts lack there, as tests around them say."""
    for statement in block:
        yield statement, missing
        inner = list(blocks(statement))
        if isinstance(statement, If) and inner:
            alone = _does_nothing_else(statement, function)
            more = missing | (_lacking(statement.test) if alone else frozenset())
            yield from _under_tests(inner.pop(0), more, function)
        for each in inner:
            yield from _under_tests(each, missing, function)


def _lacking(test: Expr) -> frozenset[Missing]:
    """Return the key that a dict lacks where a test holds: k not in D."""
    is_absence = test.op == "compare" and test.data == ("not in",)
    if not is_absence or test.args[1].op != "global":
        return frozenset()
    return frozenset({(id(test.args[1].data.value), test.args[0])})


def _stored(statement: Statement) -> Iterator[tuple[int, Expr, Expr]]:
    """Yield the dict of the module that a statement stores to, with key and value."""
    if isinstance(statement, Store) and statement.target.op == "subscript":
        base, key = statement.target.args
        if base.op == "global" and type(base.data.value) is dict and statement.op == "=":
            yield id(base.data.value), key, statement.value


def _varying(function: Function, regions: Regions) -> frozenset[Variable]:
    """Return the variables that may hang on a parameter that varies, in whatever order."""
    found = {p.variable for p in function.parameters if may_vary(p.type, regions)}
    every = list(statements(function.body))
    before = -1
    while before != (before := len(found)):
        for statement in every:
            read = set(read_in(statement))
            if read & found:
                found |= set(bound(statement)) | _changed(statement)
    return frozenset(found)


def _changed(statement: Statement) -> set[Variable]:
    """Return the variables whose memory a statement may write to."""
    if isinstance(statement, Let) and statement.effect.is_pure:
        return set()
    names = (node for expr in expressions(statement) for node in nodes(expr) if node.op == "name")
    return {node.data for node in names}
