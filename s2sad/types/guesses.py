"""Ranks that arguments without examples may have: as their use tells, where one text for all cannot be made.

def f(A, x, d):                        A: 2, x: 1, d: 1     numbers where nothing tells of an array
    r = np.tanh(A @ x) - d.copy()      A: 2, x: 1, d: 1
    return np.sum(r * r)

A text that is made for a guess asks for it at its entry.

def f(A, x):              A: 2
    return A[0, 1] * x    x: any
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import gast
import numpy as np

from s2sad.operators.heads import head_of_function
from s2sad.operators.library import candidates
from s2sad.operators.table import words
from s2sad.source.trees import nodes_of

MOST_AXES = 3
Ranks = dict[str, int]
# a name, and how many axes more it has than the part of it that is meant
Part = tuple[str, int]
# the rank of the first name is that of the second and this many more
Flow = tuple[str, str, int]
# the definition of a function of the user's that a text calls by a name
Callees = Callable[[str], Any]


def rank_guesses(
    tree: Any, names: Iterable[str], callees: Callees = lambda called: None
) -> list[Ranks]:
    """Return the ranks that arguments of these names may have, the likeliest first."""
    used = used_ranks(tree)
    tree = _without_positions(tree)
    found_ranks = likely_ranks(tree, used, _taken_by_callees(tree, callees))
    likely = {n: rank for n, rank in found_ranks.items() if n in set(names)}
    every = {name: likely.get(name, 0) for name in names}
    left, inner = _left_operands(tree)
    matrices, fewer = ({n: 2 for n in each if every.get(n) == 1} for each in (left, inner))
    arrays = {n: rank if used.get(n) == 0 else max(rank, 1) for n, rank in every.items()}
    higher = {n: rank + 1 if 0 < rank < MOST_AXES else rank for n, rank in every.items()}
    found: list[Ranks] = []
    capitals = {n: 2 for n, rank in every.items() if left and _is_capital(n) and rank == 1}
    first = (
        guess | more
        for more in (matrices | capitals, matrices, fewer)
        for guess in (likely, every, arrays)
    )
    for guess in (*first, likely, every, arrays, higher):
        if guess and guess not in found:
            found.append(guess)
    return found


def likely_ranks(tree: Any, used: Mapping[str, int], taken: Iterable[Part] = ()) -> Ranks:
    """Return the ranks of names by how they are used, and by how what is made of them is used."""
    found = dict(used)
    nodes = list(nodes_of(tree))
    needs = ((name, 1 + more) for node in nodes for name, more in _taken_for_arrays(node))
    flows = [flow for node in nodes for flow in _flows(node)]
    for name, rank in (*needs, *_taken_by_vectorised(nodes), *taken):
        _raise(found, name, rank, used)
    for _ in range(MOST_AXES):
        for source, target, more in flows:
            if target in found:
                _raise(found, source, found[target] + more, used)
    return found


def _taken_by_vectorised(nodes: list[Any]) -> Iterator[Part]:
    """Yield what functions of elements are called with: x of f(x) where f = np.vectorize(g)."""
    bindings = (n for n in nodes if type(n).__name__ == "Assign" and _is_vectorised(n.value))
    made = {getattr(each.targets[0], "id", "") for each in bindings}
    for node in nodes:
        if type(node).__name__ != "Call":
            continue
        if getattr(node.func, "id", None) in made or _is_vectorised(node.func):
            yield from ((name, 1 + more) for arg in node.args for name, more in _elements(arg))


def _is_vectorised(node: Any) -> bool:
    is_call = type(node).__name__ == "Call"
    return is_call and _of_numpy(node.func) in words("vectorises")


def _taken_by_callees(tree: Any, callees: Callees) -> Iterator[Part]:
    """Yield the names that a function hands on, with the ranks that these are likely to need."""
    for node in nodes_of(tree):
        called = node.func.id if _is_call_of_name(node) else None
        callee = callees(called) if called else None
        if callee is not None:
            needed = likely_ranks(callee, used_ranks(callee))
            for param, arg in zip(callee.args.args, node.args, strict=False):
                rank = 0 if _has_own_axes(arg) else needed.get(param.id, 0)
                yield from ((name, rank + more) for name, more in _elements(arg) if rank)
                if type(arg).__name__ == "Name":  # a dict is handed on
                    held = (
                        (path, r) for path, r in needed.items() if path.startswith(f"{param.id}[")
                    )
                    yield from ((arg.id + path.removeprefix(param.id), r) for path, r in held)


def _is_call_of_name(node: Any) -> bool:
    return type(node).__name__ == "Call" and type(node.func).__name__ == "Name"


def _raise(found: Ranks, name: str, rank: int, used: Mapping[str, int]) -> None:
    if used.get(name) != 0 and rank > found.get(name, 0):
        found[name] = min(rank, MOST_AXES)


def _taken_for_arrays(node: Any) -> Iterator[Part]:
    """Yield the names that an expression takes for arrays: np.sum(x * y), x.copy(), x @ y."""
    match type(node).__name__:
        case "Call" if (function := _of_numpy(node.func)) is not None:
            is_ufunc = isinstance(getattr(np, function, None), np.ufunc)
            if not is_ufunc and function not in words("takes_numbers"):
                joined = node.args[:1] if function in words("joins") else ()
                held = [item for arg in joined for item in _items(arg)]
                axis = _axis_of(node)
                for arg in held or node.args:
                    yield from _along(axis, list(_elements(arg)))
        case "Call" if getattr(node.func, "attr", None) in words("of_matrix") and node.args:
            yield from ((name, more + 1) for name, more in _last(node.args[0]))
        case "Call" if needed := _ranks_of_rule(node.func):
            for arg, rank in zip(node.args, needed, strict=False):
                parts = list(_elements(arg))
                capitals = [part for part in parts if _is_capital(part[0])]
                yield from ((name, more + rank - 1) for name, more in capitals or parts)
        case "Call" if getattr(node.func, "id", None) == "len":
            yield from (part for arg in node.args for part in _elements(arg))
        case "Attribute" if node.attr == "T":
            yield from ((name, more + 1) for name, more in _elements(node.value))
        case "Call" if hasattr(np.ndarray, getattr(node.func, "attr", "")):
            yield from _along(_axis_of(node), list(_elements(node.func.value)))
        case "Attribute" if hasattr(np.ndarray, node.attr) and not hasattr(float, node.attr):
            yield from _elements(node.value)
        case "BinOp" if _is_product(node):
            yield from (*_last(node.left), *_last(node.right))


def _items(display: Any) -> list[Any]:
    """Return the items of a list that is written out, or the one that a comprehension makes."""
    return [display.elt] if hasattr(display, "elt") else getattr(display, "elts", [])


def _along(axis: int, parts: list[Part]) -> Iterator[Part]:
    """Yield names with the axes that what they make has: of ((X - q) ** 2).sum(1), X has them all."""
    capitals = {name for name, _ in parts if _is_capital(name)}
    for name, more in parts:
        yield name, more if capitals and name not in capitals else more + axis


def _without_positions(tree: Any) -> Any:
    """Return a function without the subscripts that are positions, masks or lists of them: u[free]."""
    made = (
        node.targets[0].id
        for node in nodes_of(tree)
        if type(node).__name__ == "Assign" and type(node.targets[0]).__name__ == "Name"
        if _gives_positions(node.value)
    )
    return _WithoutPositions(frozenset(made)).visit(copy.deepcopy(tree))


class _WithoutPositions(gast.NodeTransformer):  # type: ignore[misc]
    """Puts an array in the place of what stands at positions of it."""

    def __init__(self, positions: frozenset[str]):
        self.positions = positions

    def visit_Subscript(self, node: Any) -> Any:
        self.generic_visit(node)
        of_name = getattr(node.slice, "id", None) in self.positions
        return node.value if of_name or _gives_positions(node.slice) else node


def _gives_positions(index: Any) -> bool:
    if type(index).__name__ == "Call":
        return _of_numpy(index.func) in words("positions")
    if type(index).__name__ == "Subscript":
        return type(index.slice).__name__ == "Slice" and _gives_positions(index.value)
    return type(index).__name__ in ("Compare", "List", "ListComp")


def _axis_of(call: Any) -> int:
    """Return how many axes more than one what a call works along an axis of is likely to have.

    np.sum(x)       0       np.sum(x, axis=0)       1 (of a vector it would not be said)
    """
    called = getattr(call.func, "attr", None)
    said = [k.value for k in call.keywords if k.arg == "axis"]
    if called in words("reduces"):  # by its place: x.sum(1), np.sum(x, 1)
        place = 1 if _of_numpy(call.func) else 0
        said += call.args[place : place + 1]
    values = [getattr(each, "value", None) for each in said]
    given = [value for value in values if isinstance(value, int)]
    if called in words("makes_axis"):
        return max(0, *given, 1) - 1
    return max(1, *given) if given else 0


def _ranks_of_rule(function: Any) -> list[int]:
    """Return the least ranks of the arguments of a function whose rules are for no stacks."""
    word = str(getattr(function, "attr", None) or getattr(function, "id", None))
    found = getattr(sys.modules.get("scipy.linalg"), word, None)
    for rule, pattern in candidates(head_of_function(found)) if callable(found) else ():
        if rule.ranks:
            shapes = (rule.shapes.get(getattr(arg.data, "name", "")) for arg in pattern.args[1:])
            ranks = ([len(getattr(s, "elts", ())) for s in each or ()] for each in shapes)
            return [min(each, default=1) for each in ranks]
    return []


def _left_operands(tree: Any) -> tuple[set[str], set[str]]:
    """Return the names on the left of `@`, and those of them that can hardly be vectors.

    These stand between two others, or on the left of one and never on the right: s and b in

    x @ s @ y; s @ w; w @ x; b @ w

    Beside a name in capitals what has none is taken for a vector: A in x @ A; A @ y.
    """
    products = [node for node in nodes_of(tree) if _is_product(node)]
    begun = {id(node.left) for node in products}
    left, inner, heads, right = set[str](), set[str](), set[str](), set[str]()
    for product in products:
        if id(product) not in begun:
            first, *between, last = map(_last_names, _factors(product))
            capitals = set(filter(_is_capital, first.union(last, *between)))
            first, last = capitals or first, last - capitals
            right_of = {getattr(n, "id", None) for n in nodes_of(product.right)}
            first = {name for name in first if _is_capital(name) or name not in right_of}
            left.update(first, *between)  # of b @ solve(C, b) b is a vector
            inner.update(*between)
            heads |= set() if between else first
            right |= last
    return left, inner | (heads - right)


def _is_product(node: Any) -> bool:
    return type(node).__name__ == "BinOp" and type(node.op).__name__ == "MatMult"


def _factors(node: Any) -> list[Any]:
    """Return the operands of a chain of products: x @ A @ y."""
    return [*_factors(node.left), node.right] if _is_product(node) else [node]


def _is_capital(name: str) -> bool:
    """Tell whether a name, or the key of a part, begins with a capital: A, p['A'], p.A."""
    return name.rstrip("]'")[name.rfind("'", 0, -2) + 1 :].rpartition(".")[2][:1].isupper()


def _last_names(operand: Any) -> set[str]:
    return {name for name, _ in _last(operand)}


def _last(operand: Any) -> list[Part]:
    """Return the last factor of an operand of `@`: those before it may be numbers."""
    return list(_elements(operand))[-1:]


def _flows(node: Any) -> Iterator[Flow]:
    """Yield of which name another is made, is a part, or holds."""
    match type(node).__name__:
        case "Assign" if type(node.targets[0]).__name__ == "Name":
            yield from _flows_of(node.value, node.targets[0].id)
        case "For" | "comprehension" if type(node.target).__name__ == "Name":
            for source, target, more in _flows_of(node.iter, node.target.id):
                yield source, target, more + 1
        case "Call" if getattr(node.func, "attr", None) == "append":
            if (owner := getattr(node.func.value, "id", None)) is not None:
                for source, target, more in _flows_of(node.args[0], owner):
                    yield source, target, more - 1


def _flows_of(value: Any, target: str) -> Iterator[Flow]:
    if type(value).__name__ in ("List", "Tuple"):
        for item in value.elts:
            for source, name, more in _flows_of(item, target):
                yield source, name, more - 1
    if any(type(n).__name__ == "Call" and _axis_of(n) for n in nodes_of(value)):
        return  # its axes are those of what is summed along one
    if _has_own_axes(value):
        return
    for name, more in list(_elements(value))[:1]:  # which of several is an array, nothing tells
        yield name, target, more


def _has_own_axes(value: Any) -> bool:
    """Tell whether an expression has its axes from what is made in it: lam * np.ones(n), d * P.dot(r)."""
    return any(map(_makes_array, _operands_of(value)))


def _operands_of(node: Any) -> list[Any]:
    """Return what an expression is computed from by arithmetic."""
    match type(node).__name__:
        case "BinOp" if not _is_product(node):
            return [*_operands_of(node.left), *_operands_of(node.right)]
        case "UnaryOp":
            return _operands_of(node.operand)
    return [node]


def _makes_array(operand: Any) -> bool:
    """Tell whether an operand is a product of matrices, or an array that is made of lengths."""
    if _is_product(operand):
        return True
    called = getattr(getattr(operand, "func", None), "attr", None)
    return called == "dot" or (called in words("creates") and _of_numpy(operand.func) is not None)


def _elements(node: Any) -> Iterator[Part]:
    """Yield the names of which an expression is computed element by element."""
    match type(node).__name__:
        case "Name":
            yield node.id, 0
        case "Subscript":
            index = node.slice
            parts = index.elts if type(index).__name__ == "Tuple" else [index]
            new = sum(getattr(part, "value", 0) is None for part in parts)
            taken = sum(type(part).__name__ != "Slice" for part in parts) - 2 * new
            yield from ((name, more + taken) for name, more in _elements(node.value))
        case "BinOp":  # of x[i] - x it is enough that x has an axis
            both = [*_elements(node.left), *_elements(node.right)]
            yield from {n: min(m for k, m in both if k == n) for n, _ in both}.items()
        case "UnaryOp":
            yield from _elements(node.operand)
        case "Attribute" if node.attr == "T":
            yield from _elements(node.value)
        case "Call" if (function := _of_numpy(node.func)) is not None:
            if isinstance(getattr(np, function, None), np.ufunc) or function in words("keeps_rank"):
                yield from (part for arg in node.args for part in _elements(arg))
        case "Call" if getattr(node.func, "attr", None) == "copy":
            yield from _elements(node.func.value)


def _of_numpy(function: Any) -> str | None:
    """Return the name of a function that is spelled as one of NumPy's: np.sin."""
    if getattr(getattr(function, "value", None), "id", None) in ("np", "numpy"):
        return str(function.attr)
    return None


def used_ranks(tree: Any) -> dict[str, int]:
    """Return the least ranks of names with which a function runs, 0 for those that are numbers.

    u[i]            1        for x in u      1        if x > 0.0     0
    A[i, j], A[i][j]  2      m, n = A.shape  2        math.sin(x)    0
    """
    found: dict[str, int] = {}
    nodes = list(nodes_of(tree))
    for node in nodes:
        for named, rank in _uses(node):
            found[named] = max(rank, found.get(named, 0))
    names = [n for n in nodes if type(n).__name__ == "Name"]
    changed = {n.target.id for n in nodes if _changes_name(n)}
    kept = [n.id for n in names if n.id in changed and type(n.ctx).__name__ == "Store"]
    arrays = {name for node in nodes for name, _ in _taken_for_arrays(node)}
    for named in changed - arrays:  # `c += x` of an argument that has no other value
        if kept.count(named) == sum(_changes_name(n) and n.target.id == named for n in nodes):
            found.setdefault(named, 0)
    return found


def _changes_name(node: Any) -> bool:
    is_change = type(node).__name__ == "AugAssign" and type(node.op).__name__ != "MatMult"
    return is_change and type(node.target).__name__ == "Name"


def _uses(node: Any) -> Iterator[tuple[str, int]]:
    match type(node).__name__:
        case "Subscript":
            yield from _indexed(node)
        case "For" | "comprehension":
            yield from _gone_through(node.iter)
        case "Assign":
            yield from _unpacked(node)
        case "Call":
            of_math = getattr(getattr(node.func, "value", None), "id", None) == "math"
            if of_math or getattr(node.func, "id", None) == "float":
                yield from ((name, 0) for arg in node.args for name in _operands(arg))
        case "If" | "While" | "IfExp":
            yield from ((name, 0) for name in _compared(node.test))


def _indexed(node: Any) -> Iterator[tuple[str, int]]:
    base, chain = node, []
    while type(base).__name__ == "Subscript":
        index = base.slice
        parts = index.elts if type(index).__name__ == "Tuple" else [index]
        chain.append([p for p in parts if getattr(p, "value", 0) not in (None, Ellipsis)])
        base = base.value
    if type(base).__name__ == "Name":
        taken, rank = 0, 0
        for parts in reversed(chain):
            rank = max(rank, taken + len(parts))
            taken += sum(type(part).__name__ != "Slice" for part in parts)
        yield base.id, rank
    is_shape = type(base).__name__ == "Attribute" and base.attr == "shape"
    place = getattr(node.slice, "value", None)
    if is_shape and type(base.value).__name__ == "Name" and type(place) is int and place >= 0:
        yield base.value.id, place + 1


def _gone_through(domain: Any) -> Iterator[tuple[str, int]]:
    match type(domain).__name__:
        case "Name":
            yield domain.id, 1
        case "Call" if getattr(domain.func, "id", None) in ("zip", "enumerate", "reversed"):
            for arg in domain.args:
                yield from _gone_through(arg)


def _unpacked(node: Any) -> Iterator[tuple[str, int]]:
    target, value = node.targets[0], node.value
    if type(target).__name__ not in ("Tuple", "List"):
        return
    if type(value).__name__ == "Name":
        yield value.id, 1
    elif type(value).__name__ == "Attribute" and value.attr == "shape":
        if type(value.value).__name__ == "Name":
            yield value.value.id, len(target.elts)


def _operands(node: Any) -> Iterator[str]:
    """Yield the names that a number is computed from by arithmetic."""
    match type(node).__name__:
        case "Name":
            yield node.id
        case "BinOp":
            yield from _operands(node.left)
            yield from _operands(node.right)
        case "UnaryOp":
            yield from _operands(node.operand)


def _compared(test: Any) -> Iterator[str]:
    """Yield the names of which a test wants to know how large they are: they are numbers."""
    match type(test).__name__:
        case "Compare":
            orders = all(type(op).__name__ in ("Lt", "LtE", "Gt", "GtE") for op in test.ops)
            if orders:
                for side in (test.left, *test.comparators):
                    yield from _operands(side)
        case "BoolOp":
            for value in test.values:
                yield from _compared(value)
        case "UnaryOp":
            yield from _compared(test.operand)
