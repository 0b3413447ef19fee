"""Ranks that arguments without examples may have: as their use tells, where one text for all cannot be made.

def f(A, x, d):                        A: 2, x: 1
    r = np.tanh(A @ x) - d.copy()      d: 1, as its method is one of arrays
    return np.sum(r * r)

A text that is made for a guess asks for it at its entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from s2sad.analysis.likely_ranks import (
    MATRIX,
    NONE,
    Likely,
    is_capital,
    is_part,
    operands_of,
    searched,
)
from s2sad.analysis.loops import side_by_side
from s2sad.analysis.ranks import EVERY, Ranks, bindings
from s2sad.ir.expression import (
    Expr,
    Variable,
    calls,
    is_of_libraries,
    is_own_call,
    positional,
    root_of,
)
from s2sad.ir.program import For, Program, RegionOp, Statement, Store
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import closed, nodes_in, read_variables, statements
from s2sad.operators.table import calls_one

HIGHEST = 3
# what holds values, or is one of them
HOLDERS = frozenset({"conditional", "list", "tuple", "starred"})


def guessed_ranks(program: Program | None, paths: Iterable[str]) -> Iterator[Mapping[str, int]]:
    """Yield ranks that arguments, and parts of them, may have where no text for all can be made.

    The likeliest come first: those of arrays alone, then with numbers for the others, with vectors,
    with one vector among numbers (at first where no program is known), and with more axes.
    """
    found, whole, rows = ({}, frozenset(), frozenset()) if program is None else _used(program)
    least = {path: _least_meant(path, found.get(path, EVERY), path in whole) for path in paths}
    known = {path: rank for path, rank in least.items() if len(found.get(path, EVERY)) == 1}
    yield {path: rank for path, rank in known.items() if rank}
    yield {path: rank for path, rank in least.items() if rank}
    of_rows = {p: max(r, MATRIX * (MATRIX in found[p])) for p, r in least.items() if p in rows}
    yield {path: rank for path, rank in {**least, **of_rows}.items() if rank}
    vectors = {path: max(rank, int(path not in known)) for path, rank in least.items()}
    one_array = [{**least, path: 1} for path in least if path not in known]
    yield from (*one_array, least, vectors) if not found else (least, vectors, *one_array)
    for more in range(1, HIGHEST):
        yield {path: rank and min(rank + more, HIGHEST) for path, rank in least.items()}


Names = frozenset[str]


def _used(program: Program) -> tuple[Mapping[str, Ranks], Names, Names]:
    """Return the ranks that names may have as a program uses them, those that are taken whole, and those of rows."""
    is_number = isinstance(program.facts.get("result"), Number)
    search = searched(program.function, is_number, program, ())
    if search is None:
        return {}, frozenset(), frozenset()
    _prefer_matrices(search)
    ranks = {str(variable): ranks for variable, ranks in search.ranks.items()}
    every = nodes_in(search.function.body)
    read = (n.args[0] for n in every if search.with_numbers_as_places(n) is not n)
    rows = frozenset(str(each.data) for each in read if each.op == "name")
    return ranks, frozenset(map(str, _given_whole(search))), rows


def _prefer_matrices(search: Likely) -> None:
    """Take what stands on the left of `@` alone for matrices: a and b of a @ (b @ x).

    Beside a name in capitals what has none is taken for a vector: x of x @ A.
    """
    products = [n for n in nodes_in(search.function.body) if (n.op, n.data) == ("binary", "@")]
    right = {variable for n in products for variable in read_variables(n.args[1])}
    for product in products:
        has_capitals = any(is_capital(v.name) for v in read_variables(product))
        for variable in _perhaps_arrays(product.args[0], search)[-1:]:
            if variable not in right and (is_capital(variable.name) or not has_capitals):
                search.prefer(variable, MATRIX)


def _least_meant(path: str, ranks: Ranks, is_whole: bool) -> int:
    """Return the rank of an argument of which several are left: capitals are matrices."""
    wanted = MATRIX if is_capital(path) else int(is_whole)
    return wanted if wanted in ranks else min(ranks)


def _given_whole(search: Likely) -> frozenset[Variable]:
    """Return the names that functions of arrays are given, and of what these are computed.

    Which of several names is an array, nothing tells: capitals are, else the first.
    """
    body = search.function.body
    every = list(nodes_in(body))
    domains = [s.domain for s in statements(body) if isinstance(s, For)]
    domains += [node.args[0] for node in every if node.op == "generator"]
    asked = [arg for node in every for arg in (*_taken_whole(node), *_by_callee(node, search))]
    through = (each for domain in domains for each in side_by_side(domain))
    asked += [each for each in through if isinstance(each.type, Numeric | Array)]
    start = {v for arg in asked for v in _perhaps_arrays(arg, search)}
    start |= {v for v, ranks in search.ranks.items() if 0 not in ranks}
    start |= {v for each in search.inner.values() for v in _given_whole(each) if is_part(v)}
    made = [(v, _perhaps_arrays(e, search)) for s in statements(body) for v, e in _given(s)]

    def more(found: frozenset[Variable]) -> Iterator[Variable]:
        return (source for v, names in made if v in found for source in names[:1])

    return closed(frozenset(start), more)


def _perhaps_arrays(expr: Expr, search: Likely) -> list[Variable]:
    """Return the names that may be arrays for a value to be one; none but those that are, if some are."""
    leaves = _leaves(expr)
    sure = [leaf for leaf in leaves if 0 not in search.of(leaf)]
    names = [leaf.data for leaf in sure or leaves if leaf.op == "name"]
    return [each for each in names if is_capital(each.name)] or names


def _taken_whole(node: Expr) -> Iterable[Expr]:
    """Return what an operation takes for arrays: x and y of np.sum(x), len(x), x.copy(), x @ y."""
    if node.op != "call":
        return node.args if (node.op, node.data) in (("binary", "@"), ("attribute", "T")) else ()
    function, given = node.args[0], positional(node)
    if function.op == "attribute" and hasattr(np.ndarray, function.data):
        return function.args
    if calls_one(node, "joins"):
        return [item for each in given[:1] for item in each.args]
    is_known = is_of_libraries(function) and not calls_one(node, "takes_numbers", "converts")
    return given if calls(node, len) or (is_known and not operands_of(node)) else ()


def _by_callee(node: Expr, search: Likely) -> list[Expr]:
    """Return what an own function is handed that it takes for an array."""
    handed = list(search.handed(node))
    whole = _given_whole(search.inner[node.args[0].data]) if handed else NONE
    return [arg for variable, arg in handed if variable in whole]


def _leaves(expr: Expr) -> list[Expr]:
    """Return what a value is computed from element by element, or may be an item of."""
    if expr.op == "subscript" and not isinstance(expr.args[0].type, Numeric | Array):
        return _leaves(expr.args[0])
    if expr.op == "comprehension":
        return _leaves(expr.args[0])
    is_held = expr.op in HOLDERS or is_own_call(expr) or expr.data == "T"
    parts = expr.args if is_held else operands_of(expr)
    return [leaf for each in parts for leaf in _leaves(each)] or [expr]


def _given(statement: Statement) -> Iterator[tuple[Variable, Expr]]:
    """Yield the names that a statement binds, or whose containers it changes, with what it gives them."""
    yield from bindings(statement)
    base: Expr | None = None
    if isinstance(statement, RegionOp):
        base, given = statement.base, statement.args
    elif isinstance(statement, Store) and statement.target.args:
        base, given = statement.target.args[0], (statement.value,)
    root = None if base is None else root_of(base)
    if base is not None and root is not None and not isinstance(base.type, Numeric | Array):
        yield from ((root, each) for each in given)
