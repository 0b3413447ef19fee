"""Ranks that values have to have for a function to run: what its operations take, and what they give.

L = np.linalg.cholesky(K)             K has two axes or more, and L has as many
s = np.sum(np.log(np.diag(L)))        np.diag takes one or two: L and K are matrices
K = sq[:, None] - 2.0 * Z @ Z.T       so sq has one axis, and Z two at most

for k in range(n):
    v = v + h * w[k]                  where the result is a number, so are v, h and w[k]
return v * v

What an operation gives for which ranks is found by running it on small arrays.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from s2sad.analysis.terms import elementwise_operands
from s2sad.analysis.webs import webs
from s2sad.ir.errors import NotYet, S2sadError
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Variable,
    calls,
    constant,
    index_parts,
    is_of_libraries,
    keywords,
    positional,
    subscript,
)
from s2sad.ir.program import Block, For, Function, Let, Return, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array, Number, Numeric, Type, is_integer
from s2sad.ir.walk import assigned, bound, expressions, nodes, rewritten, statements, with_nodes
from s2sad.operators.algebra import numpy_function
from s2sad.operators.binding import names_of
from s2sad.operators.guards import NOTHING, is_none, value_of
from s2sad.operators.heads import head_of_function
from s2sad.operators.hooks import has_hook
from s2sad.operators.library import candidates
from s2sad.operators.table import calls_one
from s2sad.types import Fails

MOST = 5  # stands for as many axes and more
EVERY = frozenset(range(MOST + 1))
FEW = 3  # operands of an operation that is run
ROUNDS = 20
# parameters that are whole numbers, whatever the lengths
PLACES = frozenset("axis axis1 axis2 shift offset k n ord ddof".split())
PLACE = constant(0, Number("int64"))
FLOATS = ("float64", "float64")
Ranks = frozenset[int]
Infer = Callable[[Expr], Expr]
LEFT = frozenset({"global", "constant", "function", "comprehension", "generator", "slice"})
# the ranks of the operands, and that of what they give
Row = tuple[tuple[int, ...], int]
Relation = tuple[tuple[Expr, ...], Sequence[Row]]
# which loops a statement stands in
Path = tuple[int, ...]


def proved_ranks(function: Function, is_number: bool) -> Mapping[Variable, int]:
    """Return the ranks of parameters with which alone a function runs; a loop is taken to have a pass.

    What is bound several times is taken to have one rank.
    """
    given = [p.variable for p in function.parameters if isinstance(p.type, Numeric)]
    found = known(Search(in_webs(function), is_number, through_loops=True, is_carried=True))
    return {variable: found[variable] for variable in given if variable in found}


def in_webs(function: Function) -> Function:
    """Return a function in which x of `x = x + e` is another variable behind it, if it can be told."""
    try:
        return webs(function)
    except NotYet:
        return function


def with_proved_ranks(function: Function, is_number: bool, infer: Infer) -> Function:
    """Return a function in which the ranks are known that its values have wherever it runs."""
    found = known(Search(function, is_number, through_loops=False))
    lets = [s for s in statements(function.body) if isinstance(s, Let) and _is_fresh(s.value)]
    ranks = {let.target: found[let.target] for let in lets if let.target in found}  # type: ignore[index]
    if not ranks:
        return function

    def change(node: Expr) -> Expr | None:
        if node.op == "name":
            return node.typed(of_rank(node.type, ranks[node.data])) if node.data in ranks else None
        if node.op in LEFT or not any(n.data in ranks for n in nodes(node) if n.op == "name"):
            return None
        try:
            return infer(node)
        except (Fails, S2sadError):
            return None

    def bound_so(statement: Statement) -> Statement:
        if isinstance(statement, Let) and statement.target in ranks:
            value = statement.value
            return replace(
                statement, value=value.typed(of_rank(value.type, ranks[statement.target]))
            )
        return statement

    body = with_nodes(function.body, change)
    return replace(function, body=rewritten(body, bound_so))


def _is_fresh(value: Expr) -> bool:
    """Tell whether a value is no part of another, nor an item of a list: it is in no other memory."""
    if value.op == "call":
        return is_of_libraries(value.args[0]) and not calls_one(value, "free")
    return value.op in ("binary", "unary")


def of_rank(type_: Type, rank: int) -> Type:
    """Return the type of what may be a number or an array, and has so many axes."""
    if not isinstance(type_, Numeric):
        return type_
    return Array(type_.dtype, (None,) * rank) if rank else Number(type_.dtype, None)


def known(search: Search) -> Mapping[Variable, int]:
    return {v: min(r) for v, r in search.found().items() if len(r) == 1 and MOST not in r}


@dataclass(slots=True)
class Search:
    """Narrows the ranks of variables that are bound once, until nothing more follows."""

    function: Function
    is_number: bool
    through_loops: bool
    ranks: dict[Variable, Ranks] = field(default_factory=dict)
    homes: dict[Variable, Path] = field(default_factory=dict)
    is_carried: bool = False  # what is bound several times has one rank
    totals: frozenset[Variable] = frozenset()  # what is returned as a number, and begins as one
    begun: frozenset[Variable] = frozenset()  # what begins as a number, and may become an array
    # what was found of values since a rank was narrowed, with the values, by their identity
    computed: dict[int, tuple[Expr, Ranks]] = field(default_factory=dict)

    def found(self) -> Mapping[Variable, Ranks]:
        """Return the ranks that variables may have; none where the function never runs."""
        self.begin()
        return self.ranks if self.is_narrowed() else {}

    def begin(self) -> None:
        """Take every rank for possible of what is bound once, or is carried from pass to pass."""
        body = self.function.body
        often = Counter(v for s in statements(body) for v in assigned(s))
        numbers = {
            v for s in statements(body) for v, e in bindings(s) if isinstance(e.type, Number)
        }
        for parameter in self.function.parameters:
            if isinstance(parameter.type, Numeric):
                if self.is_carried or not often[parameter.variable]:
                    self.ranks[parameter.variable], self.homes[parameter.variable] = EVERY, ()
        first: dict[Variable, Path] = {p.variable: () for p in self.function.parameters}
        for statement, path in _surely(body):
            for variable in bound(statement):
                first.setdefault(variable, path)
            for variable, value in bindings(statement):
                if isinstance(value.type, Numeric) and (self.is_carried or often[variable] == 1):
                    self.ranks.setdefault(variable, EVERY)
                    self.homes.setdefault(variable, first[variable])
            for variable, value in given_to_names(statement) if self.is_carried else ():
                if isinstance(value.type, Numeric) and variable in numbers:
                    self.ranks.setdefault(variable, EVERY)
                    self.homes.setdefault(variable, first[variable])
        self.begun = frozenset(numbers) if self.is_carried else frozenset()
        end = body[-1] if body and self.is_number else None
        if isinstance(end, Return) and end.value.op == "name" and end.value.data in numbers:
            self.totals = frozenset({end.value.data})

    def is_narrowed(self) -> bool:
        """Narrow all ranks until nothing more follows; tell whether each variable may have one."""
        surely = list(self.every_one())
        self.computed.clear()
        for _ in range(ROUNDS):
            before = dict(self.ranks)
            for statement, path in surely:
                self.narrow(statement, path)
            if self.ranks == before:
                break
        return all(self.ranks.values())

    def every_one(self) -> Iterator[tuple[Statement, Path]]:
        """Yield the statements that tell ranks, and in which loops they stand."""
        return _surely(self.function.body)

    def narrow(self, statement: Statement, path: Path) -> None:
        """Narrow the ranks of what a statement reads and binds."""
        for expr in expressions(statement):
            self.ask(expr, EVERY, path)
        for variable, value in bindings(statement):
            if variable in self.ranks:
                if variable not in self.begun or not isinstance(value.type, Number):
                    self.limit(variable, self.of(value))
                self.ask(value, self.ranks[variable], path)
        for variable, value in given_to_names(statement):
            if variable in self.totals or self.ranks.get(variable) == frozenset({0}):
                self.ask(value, frozenset({0}), path)
        match statement:
            case Return(value) if self.is_number and statement is self.function.body[-1]:
                self.ask(value, frozenset({0}), path)
            case Let(tuple() as parts, Expr("attribute", (whole,), "shape")):
                self.ask(whole, frozenset({len(parts)}), path)
            case Store(Expr(op="subscript") as target, op, value):
                most = max(self.of(target), default=MOST)
                is_element = most == 0 and is_fixed(target)
                if is_element or op != "=":  # a row of one row is put in its place
                    self.ask(value, frozenset(range(most + 1)), path)

    def of(self, expr: Expr) -> Ranks:
        """Return the ranks that a value may have."""
        match expr.type:
            case Number():
                return frozenset({0})
            case Array() as type_:
                return frozenset({min(type_.rank, MOST)})
        if expr.op == "name":
            return self.ranks.get(expr.data, EVERY)
        if id(expr) not in self.computed:
            relation = self.relation(expr)
            results = () if relation is None else self.possible(relation)
            self.computed[id(expr)] = expr, frozenset(result for _, result in results) or EVERY
        return self.computed[id(expr)][1]

    def limit(self, variable: Variable, wanted: Ranks) -> None:
        """Keep those ranks of a variable that are wanted."""
        if not self.ranks[variable] <= wanted:
            self.ranks[variable] &= wanted
            self.computed.clear()

    def relation(self, expr: Expr) -> Relation | None:
        """Return what an operation gives for which ranks of its operands; None where it is not known."""
        return relation_of(expr)

    def possible(self, relation: Relation) -> list[Row]:
        """Return the rows of a relation that the ranks of its operands leave."""
        operands, rows = relation
        may_be = [self.of(operand) for operand in operands]
        return [row for row in rows if all(r in m for r, m in zip(row[0], may_be, strict=True))]

    def ask(self, expr: Expr, wanted: Ranks, path: Path) -> None:
        """Narrow the ranks of the names that a value is made of, for it to have one of some ranks."""
        if expr.op == "name":
            home = self.homes.get(expr.data)
            if home == path or (
                home is not None and self.through_loops and path[: len(home)] == home
            ):
                self.limit(expr.data, wanted)
            return
        relation = None if expr.op == "comprehension" else self.relation(expr)
        if relation is None:
            if expr.op not in ("conditional", "and", "or", "comprehension"):
                for arg in expr.args:
                    self.ask(arg, EVERY, path)
            return
        rows = [row for row in self.possible(relation) if row[1] in wanted]
        for place, operand in enumerate(relation[0]):
            self.ask(operand, frozenset(ranks[place] for ranks, _ in rows), path)


def _surely(block: Block, path: Path = ()) -> Iterator[tuple[Statement, Path]]:
    """Yield the statements that no test leaves out, and in which loops they stand."""
    for place, statement in enumerate(block):
        yield statement, path
        if isinstance(statement, For):
            yield from _surely(statement.body, (*path, place))


def bindings(statement: Statement) -> Iterator[tuple[Variable, Expr]]:
    """Yield what a statement binds, with the values: of a loop the first row of what it goes through."""
    match statement:
        case Let(Variable() as target, value) if statement.spelled == "=":
            yield target, value
        case Let(tuple() as targets, Expr(op="tuple", args=values)) if len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            yield from ((target, value) for target, value in pairs if isinstance(target, Variable))
        case Let(tuple() as targets, Expr(type=Numeric()) as whole):
            for place, target in enumerate(targets):
                if isinstance(target, Variable):
                    yield target, _item(whole, place)
        case For(target, domain):
            yield from _items_gone_through(target, domain)


def _items_gone_through(target: Pattern, domain: Expr) -> Iterator[tuple[Variable, Expr]]:
    """Yield what a loop binds in its first pass: rows, and their elements."""
    if calls(domain, zip) and isinstance(target, tuple) and len(target) == len(domain.args) - 1:
        for part, each in zip(target, domain.args[1:], strict=True):
            yield from _items_gone_through(part, each)
    elif calls(domain, enumerate) and isinstance(target, tuple) and len(target) == 2:
        yield from _items_gone_through(target[1], domain.args[1])
    elif isinstance(domain.type, Numeric):
        row = _item(domain, 0)
        parts = enumerate(target) if isinstance(target, tuple) else ()
        yield from ((part, _item(row, k)) for k, part in parts if isinstance(part, Variable))
        if isinstance(target, Variable):
            yield target, row


def _item(whole: Expr, place: int) -> Expr:
    return subscript(whole, constant(place, Number("int64")), whole.type)


def given_to_names(statement: Statement) -> Iterator[tuple[Variable, Expr]]:
    """Yield what a statement binds names to, or changes them by in place."""
    yield from bindings(statement)
    if isinstance(statement, Store) and statement.target.op == "name":
        yield statement.target.data, statement.value


def is_fixed(target: Expr) -> bool:
    """Tell whether a place is one element, whatever the rank of the array."""
    return all(is_integer(part.type) for part in index_parts(target.args[1]))


# ---------------------------------------------------------------------------- what operations take


def relation_of(expr: Expr) -> Relation | None:
    """Return the ranks that an operation takes, and those that it gives; None for another operation."""
    if expr.op == "binary" and expr.data == "@":
        left, right = expr.args
        if _is_turned(left, right) or _is_turned(right, left):
            return (right if _is_turned(left, right) else left,), [((1,), 0), ((2,), 2)]
        if left == right and left.op == "name":
            return (left,), [((1,), 0), *(((rank,), rank) for rank in range(2, MOST + 1))]
        return expr.args, _runs(np.matmul, (NOTHING, NOTHING), (), FLOATS)
    operands = expr.args[1:] if calls_one(expr, "elementwise") else elementwise_operands(expr)
    if operands:
        operands = tuple({_without_places(each): each for each in operands}.values())
        is_plain = len(operands) <= FEW and all(map(_is_numeric, operands))
        return (operands, _of_elements(len(operands))) if is_plain else None
    least = _least_of_shape(expr)
    if least is not None:
        return least
    match expr.op:
        case "subscript" if _is_numeric(expr.args[0]):
            return _of_parts(expr)
        case "attribute" if expr.data == "T" and _is_numeric(expr.args[0]):
            return expr.args, [((rank,), rank) for rank in EVERY]
        case "call":
            return _of_call(expr)
    return None


def _without_places(expr: Expr) -> tuple[Expr, ...]:
    """Return what tells how many axes a part has, wherever it begins: x[i] has as many as x[j]."""
    if expr.op != "subscript":
        return (expr,)
    parts = index_parts(expr.args[1])
    return (expr.args[0], *(PLACE if is_integer(part.type) else part for part in parts))


def _is_turned(one: Expr, other: Expr) -> bool:
    """Tell whether a value is the transpose of another: of three axes only cubes would fit."""
    return one.op == "attribute" and one.data == "T" and one.args[0] == other and other.op == "name"


def _is_numeric(expr: Expr) -> bool:
    return isinstance(expr.type, Number | Array | Numeric)


@cache
def _of_elements(count: int) -> Sequence[Row]:
    return [(ranks, max(ranks)) for ranks in product(EVERY, repeat=count)]


def _least_of_shape(expr: Expr) -> Relation | None:
    """Return which ranks have a length: x.shape[1], len(x)."""
    of, place = None, 0
    if expr.op == "subscript" and expr.args[0].op == "attribute" and expr.args[0].data == "shape":
        of, axis = expr.args[0].args[0], value_of(expr.args[1])
        place = -1 if not isinstance(axis, int) else axis if axis >= 0 else -axis - 1
    elif calls(expr, len):
        of = expr.args[1]
    if of is None or place < 0 or not _is_numeric(of):
        return None
    return (of,), [((rank,), 0) for rank in range(place + 1, MOST + 1)]


def _of_parts(expr: Expr) -> Relation | None:
    """Return what a subscript of numbers, slices and new axes gives."""
    parts = index_parts(expr.args[1])
    if not all(is_none(p) or p.op == "slice" or is_integer(p.type) for p in parts):
        return None
    kinds = tuple(None if is_none(p) else ":" if p.op == "slice" else 0 for p in parts)
    return expr.args[:1], _runs(_part, (NOTHING, kinds), (), FLOATS[:1])


def _part(array: Any, kinds: tuple[Any, ...]) -> Any:
    return array[tuple(slice(None) if kind == ":" else kind for kind in kinds)]


def given_by_name(call: Expr) -> dict[int | str, Expr]:
    """Return the arguments of a call by the names of its parameters; the array of a method comes first."""
    function, given = call.args[0], positional(call)
    names: tuple[str, ...] = ()
    if function.op == "attribute":
        given = (function.args[0], *given)
        names = names_of(numpy_function(function.data)) if hasattr(np, function.data) else ()
    elif function.op == "global":
        names = names_of(function)
    by_name: dict[int | str, Expr] = {
        names[k] if k < len(names) else k: arg for k, arg in enumerate(given)
    }
    by_name.update(keywords(call))
    return by_name


def _of_call(expr: Expr) -> Relation | None:
    """Return what a function that has rules, or a method, gives for which ranks."""
    called = expr.args[0]
    if called.op == "attribute" and _is_numeric(called.args[0]):
        function = getattr(np.ndarray, called.data, None)
    elif called.op == "global" and (is_of_libraries(called) or is_builtin(called)):
        function = called.data.value
        if not has_hook(function) and not any(candidates(head_of_function(function))):
            return None
    else:
        return None
    by_name = given_by_name(expr)
    given = tuple(by_name.values())
    operands = tuple(each for each in given if _is_numeric(each) and value_of(each) is NOTHING)
    values = [NOTHING if each in operands else value_of(each) for each in given]
    hidden = [
        v for v, each in zip(values, given, strict=True) if v is NOTHING and each not in operands
    ]
    if not all(map(_is_of_ranks, by_name, values)):
        return None
    if function is None or hidden or not operands or len(operands) > FEW - 1:
        return None
    names = tuple(keywords(expr))
    try:
        rows = _runs(function, tuple(values), names, tuple(each.type.dtype for each in operands))  # type: ignore[union-attr]
    except TypeError:  # a value that cannot be kept
        return None
    return (operands, rows) if rows else None


def is_builtin(function: Expr) -> bool:
    """Tell whether a function is one of Python's own, which numbers alone may be given: max, math.log."""
    return isinstance(function.data.value, BuiltinFunctionType)


def _is_of_ranks(key: int | str, value: Any) -> bool:
    """Tell whether an option decides about ranks alone: lengths would have to fit numbers and tuples."""
    is_word = value is NOTHING or value is None or isinstance(value, bool | str | float)
    return is_word or (key in PLACES and isinstance(value, int))


@cache
def _runs(
    function: Callable[..., Any],
    values: tuple[Hashable, ...],
    names: tuple[str, ...],
    kinds: tuple[str, ...],
) -> Sequence[Row]:
    """Return what a function gives for small arrays of each rank; nothing where that tells nothing."""
    found: list[Row] = []
    for ranks in product(EVERY, repeat=len(kinds)):
        for samples in _samples(ranks, kinds):
            filled = iter(samples)
            args = [next(filled) if value is NOTHING else value for value in values]
            options = dict(zip(names, args[len(args) - len(names) :], strict=True))
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    result = function(*args[: len(args) - len(names)], **options)
            except Exception:
                continue
            if not isinstance(result, np.ndarray | np.generic | float | int):
                return ()
            least = min(np.ndim(result), MOST)
            found += [
                (ranks, rank) for rank in range(least, MOST + 1 if MOST in ranks else least + 1)
            ]
            break
    return found


def _samples(ranks: tuple[int, ...], kinds: tuple[str, ...]) -> Iterator[list[Any]]:
    """Yield arrays of some ranks: regular matrices, numbers that grow, numbers between 0 and 1."""
    for length in (2, 3):
        for make in (_regular, _growing, _small):
            arrays = [make((length,) * rank) for rank in ranks]
            yield [_in_kind(a, kind) for a, kind in zip(arrays, kinds, strict=True)]


def _in_kind(array: Any, kind: str) -> Any:
    made = np.asarray(array).astype(kind)
    return made if made.ndim else made[()]


def _regular(shape: tuple[int, ...]) -> Any:
    return np.ones(shape) + 3.0 * np.eye(shape[0]) if len(shape) > 1 else np.ones(shape)


def _growing(shape: tuple[int, ...]) -> Any:
    return np.arange(1.0, np.prod(shape, dtype=int) + 1.0).reshape(shape)


def _small(shape: tuple[int, ...]) -> Any:
    return np.full(shape, 0.5)
