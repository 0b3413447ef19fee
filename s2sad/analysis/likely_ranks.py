"""Ranks that arguments without examples are likely to have: a text that asks for them is shorter.

S = Q @ K.T                            K is a matrix: a vector is its own transpose
E = np.exp(S - np.max(S, axis=1)[:, None])      so is S, and Q is one
r = X @ w + b - y                      X begins with a capital, w does not; b and y may be anything
a, b, c = p                            p is a vector

Of what operations take, the least that makes sense is taken for what is meant: no stacks of matrices.
Arguments of which arithmetic alone is done give no axes to what is computed from others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import product
from operator import is_

import numpy as np

from s2sad.analysis.fields import field_of
from s2sad.analysis.ranks import (
    EVERY,
    FEW,
    MOST,
    PLACE,
    Path,
    Ranks,
    Relation,
    Row,
    Search,
    bindings,
    given_by_name,
    in_webs,
    is_fixed,
    relation_of,
)
from s2sad.analysis.terms import elementwise_operands
from s2sad.analysis.tuples import taken_apart
from s2sad.ir.expression import Expr, Variable, calls, index_parts, is_own_call, keywords, name
from s2sad.ir.program import (
    Block,
    For,
    Function,
    If,
    Let,
    Parameter,
    Program,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Number, Numeric, Reference, Regions, Tuple, is_integer
from s2sad.ir.walk import (
    bound,
    bound_in,
    called_in,
    closed,
    expressions,
    nodes,
    nodes_in,
    own_nodes,
    read_counts,
    read_variables,
    statements,
    with_nodes,
)
from s2sad.operators.guards import is_none, value_of
from s2sad.operators.table import calls_one

MATRIX = 2
NUMBER = frozenset({0})

ORDERS = frozenset({"<", "<=", ">", ">="})


Seen = tuple[str, ...]
NONE: frozenset[Variable] = frozenset()


def likely_ranks(program: Program, is_number: bool) -> tuple[Mapping[str, int], frozenset[str]]:
    """Return the ranks of a program's arguments by how they are used, and those that fit any array."""
    search = searched(program.function, is_number, program, ())
    if search is None:
        return {}, frozenset()
    return {str(v): r for v, r in search.single().items()}, frozenset(map(str, search.free))


def compared_with_data(function: Function, free: frozenset[str]) -> frozenset[str]:
    """Return the arguments that are read once, and taken off what is computed: y of f(t) - y."""
    counts = Counter(str(node.data) for node in nodes_in(function.body) if node.op == "name")
    own = {str(p.variable) for p in function.parameters}
    differences = [n.args for n in nodes_in(function.body) if n.op == "binary" and n.data == "-"]
    pairs = [pair for left, right in differences for pair in ((left, right), (right, left))]
    return frozenset(
        str(one.data)
        for one, other in pairs
        if one.op == "name" and str(one.data) in free and counts[str(one.data)] == 1
        if other.op != "name" or str(other.data) not in own
    )


def is_capital(path: str) -> bool:
    """Tell whether a name, or the key of a part, begins with a capital: A, p['A'], p.A."""
    word: str = re.findall(r"\w+", path)[-1]
    return word[:1].isupper()


def searched(function: Function, is_number: bool, program: Program, seen: Seen) -> Likely | None:
    """Return what is found of the ranks in a function; None where it has none in which it runs."""
    seen = (*seen, function.name)
    function = in_webs(
        taken_apart(_with_parts_as_names(function, program.regions), program.regions)
    )
    called = [n for n in sorted(set(called_in(function))) if n not in seen]
    every = ((n, searched(program.functions[n], False, program, seen)) for n in called)
    inner = {n: search for n, search in every if search is not None}
    for most, numbers, carried in product((MATRIX, MOST), (True, False), (True, False)):
        search = Likely(function, is_number, True, is_carried=carried, inner=inner)
        search.are_numbers, search.most = numbers, most
        search.begin()
        if search.is_narrowed():
            search.choose()
            return search
    return None


@dataclass(slots=True)
class Likely(Search):
    """Narrows ranks to those that are likely; `inner` are those of the functions that are called."""

    are_numbers: bool = True  # what free arguments and numbers make
    inner: Mapping[str, Likely] = field(default_factory=dict)
    free: frozenset[Variable] = NONE
    most: int = MATRIX  # axes of what is computed with

    def begin(self) -> None:
        """Take every rank for possible of what may be an array."""
        Search.begin(self)
        body = self.function.body
        own = {p.variable for p in self.function.parameters if isinstance(p.type, Numeric)}
        self.free = frozenset(own) - set(_used_as_arrays(body, self)) - bound_in(body)
        self.free -= set(_beside_sums(body))
        for called in self.inner.values():  # parts of what is handed on whole
            self.ranks |= {v: ranks for v, ranks in called.ranks.items() if is_part(v)}
        numbers = {v for s in statements(body) if _binds_number(s) for v in bound(s)}
        for statement in statements(body):
            if isinstance(statement, Let | For):
                many = own.union(self.ranks) if not self.is_carried else numbers
                for variable in set(bound(statement)) - many:
                    self.ranks.setdefault(variable, EVERY)
        if self.is_carried:
            self.ranks |= {v: EVERY for v in own - numbers if v not in self.ranks}
        self.homes = dict.fromkeys(self.ranks, ())

    def every_one(self) -> Iterator[tuple[Statement, Path]]:
        """Yield all statements, those of branches, too."""
        yield from ((statement, ()) for statement in statements(self.function.body))

    def relation(self, expr: Expr) -> Relation | None:
        """Return what an operation gives for the ranks that are likely meant."""
        operands = operands_of(expr)
        firm = tuple(each for each in operands if not self.is_free(each))
        if 0 < len(firm) < len(operands) and len(firm) <= FEW:
            every = product(EVERY, repeat=len(firm))
            return firm, [(ranks, rank) for ranks in every for rank in self.spread(max(ranks))]
        at_places = map(self.with_numbers_as_places, expr.args)
        found = relation_of(self.with_numbers_as_places(expr.with_args(at_places)))
        meant = None if found is None else (found[0], list(_meant(expr, found[1], self.most)))
        # what has three axes for sure is no matrix
        return meant if meant is None or self.possible(meant) else found

    def with_numbers_as_places(self, expr: Expr) -> Expr:
        """Return a part whose positions are numbers with these written out: x[i] of `i, j = lines[k]`."""
        if expr.op != "subscript":
            return expr
        base, index = expr.args
        every = tuple(map(self.as_place, index_parts(index)))
        if all(map(is_, every, index_parts(index))):
            return expr
        return expr.with_args((base, index.with_args(every) if index.op == "tuple" else every[0]))

    def as_place(self, part: Expr) -> Expr:
        is_number = isinstance(part.type, Numeric) and part.op == "name"
        return PLACE if is_number and self.ranks.get(part.data) == NUMBER else part

    def spread(self, rank: int) -> Ranks:
        """Return the ranks of what arithmetic makes of free arguments and a value of a rank."""
        return frozenset({rank}) if rank or self.are_numbers else EVERY

    def is_free(self, expr: Expr) -> bool:
        """Tell whether a value is made of arguments that only arithmetic is done of."""
        names = {n.data for n in nodes(expr) if n.op == "name"}
        return bool(names) and names <= self.free

    def narrow(self, statement: Statement, path: Path) -> None:
        """Narrow what a statement reads and binds; what is taken apart has an axis more than its parts."""
        Search.narrow(self, statement, path)
        for expr in expressions(statement):
            for call in filter(is_own_call, nodes(expr)):
                for variable, arg in self.handed(call):
                    ranks = self.inner[call.args[0].data].single()
                    if variable in ranks:
                        self.ask(arg, frozenset({ranks[variable]}), path)
        for variable, item in _items_written_out(statement):
            if variable in self.ranks:  # taken to have one rank
                self.limit(variable, self.of(item))
                self.ask(item, self.ranks[variable], path)
        for test in _tests(statement):
            if test.op == "compare" and ORDERS.issuperset(test.data):
                for arg in test.args:  # of an array it would not be one
                    self.ask(arg, frozenset({0}), path)
        whole, parts = _taken_apart(statement)
        tracked = [part for part in parts if part in self.ranks]
        if whole is not None and tracked:
            of_parts = frozenset(rank - 1 for rank in self.of(whole) if rank)
            for part in tracked:
                self.limit(part, of_parts)
            common = frozenset.intersection(*(self.ranks[part] for part in tracked))
            self.ask(whole, frozenset(rank + 1 for rank in common), path)

    def handed(self, call: Expr) -> Iterator[tuple[Variable, Expr]]:
        """Yield the parameters of a function that is called, with what they are given."""
        called = self.inner.get(call.args[0].data) if is_own_call(call) else None
        params = () if called is None else called.function.parameters
        yield from ((p.variable, arg) for p, arg in zip(params, call.args[1:], strict=False))

    def single(self) -> Mapping[Variable, int]:
        """Return the ranks of the parameters of which one is left."""
        own = {p.variable for p in self.function.parameters}
        found = ((v, ranks) for v, ranks in self.ranks.items() if v in own or is_part(v))
        return {v: min(ranks) for v, ranks in found if len(ranks) == 1 and 0 < min(ranks) < MOST}

    def choose(self) -> None:
        """Choose ranks where several are left and the way of writing tells one."""
        for variable, rank in _written_so(self.function, self):
            self.prefer(variable, rank)

    def prefer(self, variable: Variable, rank: int) -> None:
        """Choose a rank of several that are left, if no other name is left without one."""
        if rank in self.ranks.get(variable, ()) and len(self.ranks[variable]) > 1:
            before = dict(self.ranks)
            self.ranks[variable] = frozenset({rank})
            if not self.is_narrowed():
                self.ranks = before


def _with_parts_as_names(function: Function, regions: Regions) -> Function:
    """Return a function whose parameters are the parts that it reads of dicts, lists, objects and tuples."""
    parts: dict[Variable, Parameter] = {p.variable: p for p in function.parameters}

    def change(node: Expr) -> Expr | None:
        path = _path_of(node, parts, regions)
        if path is None:
            return None
        part = parts.setdefault(Variable(path), Parameter(Variable(path), node.type))
        return name(part.variable, node.type, node.span)

    body = with_nodes(function.body, change)
    return replace(function, parameters=tuple(parts.values()), body=body)


def is_part(variable: Variable) -> bool:
    """Tell whether a variable stands for a part of a parameter."""
    return not variable.name.isidentifier()


def _path_of(node: Expr, own: Container[Variable], regions: Regions) -> str | None:
    """Return how a part of a parameter is reached, as its type says; None of all else."""
    base = node.args[0] if node.op in ("subscript", "attribute") else node
    if base is node or base.op != "name" or base.data not in own:
        return None
    match base.type:
        case Reference(site) if site in regions:
            region = regions[site]
            key = field_of(node, region.cls)
            if region.kind == "list":
                return f"{site}[-1]" if node.op == "subscript" else None
            return region.path_of(key) if key in region.fields else None
        case Tuple(items):
            key = field_of(node, tuple)
            names = getattr(base.type.cls, "_fields", ())
            place = names.index(key) if key in names else key
            return f"{base.data}[{place}]" if place in range(len(items)) else None
    return None


def _items_written_out(statement: Statement) -> Iterator[tuple[Variable, Expr]]:
    """Yield the name that a loop gives the items of a display, with each: f of `for f in (u, v)`."""
    if isinstance(statement, For) and isinstance(statement.target, Variable):
        if statement.domain.op in ("tuple", "list"):
            yield from ((statement.target, item) for item in statement.domain.args)


def _tests(statement: Statement) -> Iterator[Expr]:
    """Yield what decides in a statement which way is taken."""
    tests = [statement.test] if isinstance(statement, If | While) else []
    tests += [node.args[0] for node in own_nodes(statement) if node.op == "conditional"]
    for test in tests:
        yield from test.args if test.op in ("and", "or", "unary") else (test,)


def _binds_number(statement: Statement) -> bool:
    return isinstance(statement, Let) and isinstance(statement.value.type, Number)


def _taken_apart(statement: Statement) -> tuple[Expr | None, tuple[Variable, ...]]:
    """Return what a statement goes through, or takes apart, with the names of its parts."""
    match statement:
        case Let(tuple(), value) if isinstance(value.type, Numeric):
            return value, bound(statement)
        case For(Variable() as target, domain) if isinstance(domain.type, Numeric):
            return domain, (target,)
    return None, ()


def _used_as_arrays(body: Block, search: Likely) -> Iterator[Variable]:
    """Yield the names of which more is done than arithmetic, by functions that are called, too."""
    for statement in statements(body):
        is_added = isinstance(statement, Store) and statement.op not in ("=", "@")
        for expr in expressions(statement):
            yield from (expr.data,) if expr.op == "name" and not is_added else ()
            for node in nodes(expr):
                if not operands_of(node) and not _gives_number(node):
                    yield from (arg.data for arg in _read_whole(node, search) if arg.op == "name")


def _gives_number(node: Expr) -> bool:
    """Tell whether an operation makes a number of whatever it is given: np.sum(w)."""
    found = relation_of(node) if node.op == "call" else None
    if found is None or len(found[0]) != 1:
        return False
    rows = [(ranks[0], result) for ranks, result in found[1] if ranks[0] < MOST]
    return rows == [(rank, 0) for rank in range(MOST)]


def _read_whole(node: Expr, search: Likely) -> Iterable[Expr]:
    """Return the operands of an operation that does more than arithmetic, or a call of a function that does."""
    called = search.inner.get(node.args[0].data) if is_own_call(node) else None
    if called is None:
        return node.args
    return [arg for variable, arg in search.handed(node) if variable not in called.free]


def _beside_sums(body: Block) -> Iterator[Variable]:
    """Yield the names beside sums along an axis: Y of Y - X.mean(axis=0) may have more axes than it."""
    lets = [s for s in statements(body) if isinstance(s, Let) and _is_along(s.value)]
    bound_to = {variable for let in lets for variable in bound(let)}
    sums = {n for n in nodes_in(body) if n.op == "name" and n.data in bound_to}
    for node in nodes_in(body):
        summed = [each for each in operands_of(node) if _is_along(each) or each in sums]
        others = [each for each in operands_of(node) if each not in summed] if summed else ()
        yield from (n.data for each in others for n in nodes(each) if n.op == "name")


def _is_along(expr: Expr) -> bool:
    """Tell whether a value is computed along an axis, which it has no more."""
    options = (keywords(node) for node in nodes(expr) if node.op == "call")
    return any("axis" in each and "keepdims" not in each for each in options)


def _meant(expr: Expr, rows: Iterable[Row], most: int) -> Iterator[Row]:
    """Yield the rows of a relation without those that make little sense."""
    least = _least(expr)
    few = [row for row in rows if max(row[0]) <= most]
    for ranks, result in few if expr.op in ("call", "binary") and few else rows:
        if least is None or ranks[0] == least:
            yield ranks, result


def _least(expr: Expr) -> int | None:
    """Return the rank of an operand that is meant: that which is needed; None where several are."""
    match expr.op:
        case "attribute":  # .T
            return MATRIX
        case "subscript" if _has_new_axis(expr):
            return next((count for _, count in _read_axes(expr)), None)
        case "call":
            axis = given_by_name(expr).get("axis")
            place = None if axis is None else value_of(axis)
            return place + 1 if isinstance(place, int) and place > 0 else None
    return None


# ---------------------------------------------------------------------------- ways of writing


def _written_so(function: Function, search: Likely) -> Iterator[tuple[Variable, int]]:
    """Yield ranks that names are likely to have by how they are written, the surest first."""
    body = function.body
    every = list(nodes_in(body))
    yield from ((variable, 0) for variable in _positions_of_rows(body))
    yield from ((variable, 1) for variable in _read_at_numbers(function, search))
    read = _only_elements(function, search)
    yield from ((variable, 1) for variable in read if not is_capital(variable.name))
    products = [n for n in every if n.op == "binary" and n.data == "@"]
    for node in products:
        for arg in node.args:
            if arg.op == "name" and is_capital(arg.data.name):
                yield arg.data, MATRIX
    for node in products:
        left, right = node.args
        if right.op == "name" and search.of(left) == {MATRIX}:
            yield right.data, 1
    own = {p.variable for p in function.parameters}
    for node in every:  # x[:, None] - y
        if node.op == "binary" and node.data == "-" and _has_new_axis(node.args[0]):
            if node.args[0].args[0].data in own:
                yield from ((arg.data, 1) for arg in node.args[1:] if arg.op == "name")
    axes = Counter[Variable]()
    for node in every:  # A[i, j], A.shape[1]
        for variable, count in _read_axes(node):
            axes[variable] = max(count, axes[variable])
    yield from ((variable, count) for variable, count in axes.items() if count >= MATRIX)
    yield from ((node.args[1].data, 1) for node in every if _is_diagonal_of_name(node))
    yield from ((variable, MATRIX) for variable in _products_of_rows(function))


def _positions_of_rows(body: Block) -> Iterator[Variable]:
    """Yield the names that rows are taken apart into, and that are positions: i, j = lines[k]."""
    parts = {part for s in statements(body) for part, row in bindings(s) if _is_of_row(s, row)}
    for node in nodes_in(body):
        if node.op == "subscript":
            read = {part.data for part in index_parts(node.args[1]) if part.op == "name"}
            yield from sorted(read & parts, key=str)


def _is_of_row(statement: Statement, value: Expr) -> bool:
    """Tell whether a value that a statement binds is a part of what it goes through, or takes apart."""
    is_part = isinstance(statement, For) or isinstance(getattr(statement, "target", None), tuple)
    return is_part and isinstance(value.type, Numeric) and value.op == "subscript"


def _read_at_numbers(function: Function, search: Likely) -> Iterator[Variable]:
    """Yield the names of which elements alone are read, at positions that rows are taken apart into.

    Not where what is computed of these is summed: d of `d = x[i] - x[j]` in np.sum(d**2) may be a vector.
    """
    every = list(nodes_in(function.body))
    at_numbers = [n for n in every if search.with_numbers_as_places(n) is not n]
    counts = read_counts(function.body)
    lengths = (arg for n in every if _reads_shape(n) for arg in n.args if arg.op == "name")
    read = Counter(each.data for each in lengths)
    read.update(n.args[0].data for n in every if _is_at_number(n, search))
    summed = [n for n in every if n.op == "call" and not operands_of(n)]
    summed += [n for n in every if (n.op, n.data) == ("binary", "@")]
    for variable in dict.fromkeys(n.args[0].data for n in at_numbers if n.args[0].op == "name"):
        made = _computed_of(variable, function.body)
        if read[variable] == counts[variable] and not any(
            n.op == "name" and n.data in made for each in summed for n in nodes(each)
        ):
            yield variable


def _is_at_number(node: Expr, search: Likely) -> bool:
    """Tell whether a value is an element at one position: x[i]."""
    if node.op != "subscript" or node.args[0].op != "name":
        return False
    return is_integer(search.with_numbers_as_places(node).args[1].type)


def _reads_shape(node: Expr) -> bool:
    return calls_one(node, "zeros", "ones", "unset") or calls(node, len)


def _computed_of(variable: Variable, body: Block) -> frozenset[Variable]:
    """Return the names of what is computed of elements of an array, but of arrays that these are stored to."""
    every = ((v, value) for s in statements(body) for v, value in bindings(s))
    made = [(v, value) for v, value in every if not _reads_shape(value)]

    def more(found: frozenset[Variable]) -> Iterator[Variable]:
        return (v for v, value in made if not found.isdisjoint(read_variables(value)))

    return closed(frozenset({variable}), more) - {variable}


def _products_of_rows(function: Function) -> Iterator[Variable]:
    """Yield the names of products of which rows are read: pos of `pos = frac @ cell` and pos[i]."""
    read = {n.args[0] for n in nodes_in(function.body) if n.op == "subscript" and is_fixed(n)}
    for statement in statements(function.body):
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            value = statement.value
            is_product = (value.op, value.data) == ("binary", "@")
            if is_product and name(statement.target, value.type) in read:
                yield statement.target


def _is_diagonal_of_name(node: Expr) -> bool:
    """Tell whether a value is np.diag(q): a matrix rather than its diagonal, where either would do."""
    return calls(node, np.diag) and node.args[1].op == "name"


def _read_axes(expr: Expr) -> Iterator[tuple[Variable, int]]:
    """Yield the name of which axes are read, and how many these are."""
    if expr.op == "subscript" and expr.args[0].op == "name":
        parts = index_parts(expr.args[1])
        if not any(part.op == "constant" and part.data is ... for part in parts):
            yield expr.args[0].data, sum(not is_none(part) for part in parts)
    elif expr.op == "subscript" and expr.args[0].op == "attribute":
        of, place = expr.args[0].args[0], value_of(expr.args[1])
        if of.op == "name" and expr.args[0].data == "shape" and isinstance(place, int):
            yield of.data, place + 1


def _has_new_axis(expr: Expr) -> bool:
    return expr.op == "subscript" and any(map(is_none, index_parts(expr.args[1])))


def _only_elements(function: Function, search: Likely) -> Iterator[Variable]:
    """Yield the arguments of which nothing is read but elements that arithmetic is done of.

    Of those of which several elements are read it may be done as a whole, too.
    """
    body = function.body
    every = [s for s in statements(body) if isinstance(s, Let)]
    apart = [(whole, parts) for s in every for whole, parts in (_taken_apart(s),) if whole]
    used = set(_used_as_arrays(body, search))
    taken = [whole for whole, parts in apart if used.isdisjoint(parts)]
    operands = [arg for node in nodes_in(body) for arg in operands_of(node)]
    bound_to = [value for s in every for v, value in bindings(s) if v not in used]
    elements = [each for each in (*operands, *bound_to) if _is_element(each)]
    places = {(each.args[0].data, each.args[1].data) for each in elements}
    several = Counter(variable for variable, _ in places)
    whole = [arg for arg in operands if arg.op == "name" and several[arg.data] > 1]
    counts = read_counts(body)
    read = [*taken, *(each.args[0] for each in elements), *whole]
    lengths = (node.args[1] for node in nodes_in(body) if calls(node, len))
    counts -= Counter(each.data for each in lengths if each.op == "name")
    for variable, count in Counter(each.data for each in read if each.op == "name").items():
        if count == counts[variable]:
            yield variable


def _is_element(expr: Expr) -> bool:
    """Tell whether a value is an element whose place is written out: p[0]."""
    return (
        expr.op == "subscript"
        and isinstance(expr.args[1].data, int)
        and is_integer(expr.args[1].type)
    )


def operands_of(expr: Expr) -> tuple[Expr, ...]:
    """Return what arithmetic is done of, and comparisons."""
    if expr.op == "compare" and set(expr.data) <= {"<", "<=", ">", ">=", "==", "!="}:
        return expr.args
    return expr.args[1:] if calls_one(expr, "elementwise") else elementwise_operands(expr)
