"""Keys of dicts: they are no memory, and have no derivative.

list(d)                         the keys: nothing that d holds
d[u[0]] = 1.0; sum(k for k in d)      refused: a key that varies is read again as a number
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set

from s2sad.analysis.containers import dict_of_view, is_dict, slots
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import Block, For, Function, RegionOp, Return, Statement, Store
from s2sad.ir.types import Reference, Region, Site, is_float
from s2sad.ir.walk import bound, expressions, nodes, statements

Regions = Mapping[Site, Region]
# functions that go through what they are given
THROUGH = frozenset(
    "list tuple set frozenset sorted reversed enumerate zip map filter iter sum max min".split()
)


def gives_keys(expr: Expr, regions: Regions) -> bool:
    """Tell whether what goes through a value is given keys: d, d.keys()."""
    return is_dict(expr.type, regions) or are_keys(expr, regions)


def are_keys(expr: Expr, regions: Regions) -> bool:
    """Tell whether a value is the keys of a dict: d.keys()."""
    return _is_view(expr, "keys", regions)


def _is_view(expr: Expr, word: str, regions: Regions) -> bool:
    base = dict_of_view(expr, (word,))
    return base is not None and is_dict(base.type, regions)


def keys_read(expr: Expr, regions: Regions) -> tuple[Expr, ...]:
    """Return the operands of which a call or a comprehension reads the keys: list(d), zip(d, x)."""
    is_call = expr.op == "call" and expr.args[0].op == "global"
    if expr.op == "generator" or (is_call and expr.args[0].data.text in THROUGH):
        return tuple(arg for arg in expr.args if gives_keys(arg, regions))
    return ()


def refuse_keys(
    body: Block,
    varies: Callable[[Expr], bool],
    useful: Set[Variable],
    regions: Regions,
    functions: Mapping[str, Function],
) -> None:
    """Refuse keys that vary and are read again where that matters to the result.

    Of `functions` that are called, each that has dicts may make keys of all that it is handed.
    """
    every = list(statements(body))
    callees = {n for n, f in functions.items() if _has_dicts(f.body, regions)}
    stored = (key for statement in every for key in _keys_stored(statement, regions, callees))
    if not any(map(varies, stored)):
        return
    for statement in every:
        is_result = isinstance(statement, Return) or not useful.isdisjoint(bound(statement))
        if is_result and _reads_keys(statement, regions, callees):
            raise NotYet("a key of a dict that varies, and is read again", statement.span)


def _has_dicts(body: Block, regions: Regions) -> bool:
    """Tell whether a function has dicts whose keys may be floats."""
    types = (node.type for s in statements(body) for e in expressions(s) for node in nodes(e))
    sites = {t.site for t in types if isinstance(t, Reference) and is_dict(t, regions)}
    return any(is_float(regions[site].key) for site in sites)


def _reads_keys(statement: Statement, regions: Regions, callees: Set[str]) -> bool:
    if isinstance(statement, For) and gives_keys(statement.domain, regions):
        return True
    every = [node for expr in expressions(statement) for node in nodes(expr)]
    if any(is_own_call(n) and n.args[0].data in callees for n in every):
        return True
    return any(keys_read(n, regions) or _is_view(n, "items", regions) for n in every)


def _keys_stored(statement: Statement, regions: Regions, callees: Set[str]) -> Iterator[Expr]:
    """Yield the keys under which a statement puts something into a dict."""
    if isinstance(statement, Store) and statement.target.op == "subscript":
        base, key = statement.target.args
        yield from (key,) if is_dict(base.type, regions) else ()
    elif isinstance(statement, RegionOp) and is_dict(statement.base.type, regions):
        yield from (arg for arg in statement.args[:1] if not is_dict(arg.type, regions))
    for node in (node for expr in expressions(statement) for node in nodes(expr)):
        if node.op == "dict":
            yield from (key for key, _ in slots(node) if key is not None)
        elif node.op == "comprehension" and node.args[0].op == "item":
            yield node.args[0].args[0]
        elif is_own_call(node) and node.args[0].data in callees:
            yield from node.args[1:]
