"""Adjoints of a matrix that is factored by Cholesky, where the factor is but a way to its inverse.

L = np.linalg.cholesky(K); alpha = np.linalg.solve(L.T, np.linalg.solve(L, y)); np.sum(np.log(np.diag(L)))

    L_bar = np.diag(1.0 / np.diag(L)) - np.outer(alpha, z)      L_inv = np.linalg.inv(L)
    K_bar = _cholesky_back(L_bar, L)                       ->   symmetric = L_inv.T @ L_inv - np.outer(alpha, alpha)
                                                                K_bar = 0.5 * (np.tril(symmetric) + np.tril(symmetric, -1))

With M the symmetric matrix whose lower triangle is that of L.T @ L_bar, the adjoint of the lower triangle of K, which
alone is read, is that of inv(L).T @ M @ inv(L), its diagonal halved (Murray 2016, "Differentiation of the Cholesky
decomposition"). Each term of L_bar that comes of a logarithm of the determinant, of a quadratic form or of a solution
has an M of its own that needs no product of matrices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

import numpy as np

from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    calls,
    keywords,
    positional,
    text_of_call,
)
from s2sad.ir.program import Block, Function, Let, Return, Statement, Store
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array
from s2sad.ir.walk import (
    bound,
    expressions,
    in_blocks,
    nodes,
    read_in,
    rebuilt,
    statements,
    variables,
    with_expressions,
)
from s2sad.operators.algebra import numpy_function
from s2sad.operators.guards import dtype_of, literal, rank_of, value_of
from s2sad.operators.trees import literal as number
from s2sad.optimize.added import contribution
from s2sad.optimize.memory import Memory, changes_of, read_tokens, statement_changes

FACTORED = frozenset({"_cholesky_back", "_cholesky_bar"})
PRODUCTS = frozenset({"np.outer", "_outer"})
TRANSPOSED = frozenset({1, "T"})


@dataclass(frozen=True, slots=True)
class Term:
    """A part of M: `scale * of` times the unit matrix, or `scale` times the outer product of two vectors.

    `left` and `right` are what these vectors are when they have been pulled back by inv(L).T. A term that
    is `whole` counts with its transpose. One that is not has, until it is resolved, in `right` what
    L.T @ `left` has to be for it to be symmetric.
    """

    scale: float
    of: Expr | None = None
    left: Expr | None = None
    right: Expr | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class _Factored:
    """The `call` that gives the adjoint of a matrix, and its factor: a `triangle` of what has a name."""

    call: Expr
    named: Expr
    triangle: Expr
    is_lower: bool


@dataclass(frozen=True, slots=True)
class _Known:
    """What stands for variables wherever they are read, and what names are free."""

    definitions: Mapping[Variable, Expr]
    memory: Memory
    fresh: Fresh


def with_symmetric_adjoints(function: Function, memory: Memory) -> Function:
    """Return a function in which adjoints of factored matrices are had without those of the factors."""
    every = statements(function.body)
    if not any(map(_factored, every)):
        return function
    known = _Known(_definitions(every, memory), memory, Fresh.of(function))
    body = _block(function.body, known)
    return function if body == function.body else replace(function, body=body)


def _definitions(every: Sequence[Statement], memory: Memory) -> dict[Variable, Expr]:
    """Return what is computed of what nobody binds again, or changes."""
    times = Counter(variable for each in every for variable in bound(each))
    changed: set[object] = set()
    for each in every:
        if not isinstance(each, Return):  # the caller may write to what it gets: that is later
            changed |= statement_changes(each, memory) - set(bound(each))

    def is_steady(variable: Variable) -> bool:
        return times[variable] < 2 and memory.content(variable) not in changed

    return {
        let.target: let.value
        for let in every
        if isinstance(let, Let) and isinstance(let.target, Variable) and let.spelled == "="
        if all(map(is_steady, (let.target, *read_in(let))))
    }


def _factored(statement: Statement) -> _Factored | None:
    """Return the adjoint of a matrix from that of its factor, in what a statement computes."""
    if not isinstance(statement, Let | Store):
        return None
    for call in (n for expr in expressions(statement) for n in nodes(expr)):
        if text_of_call(call) in FACTORED and len(call.args) in (3, 4) and not call.data:
            triangle = call.args[2]
            named = triangle.args[1] if text_of_call(triangle) == "_triangle" else triangle
            is_lower = len(call.args) == 3 or call.args[3].data
            is_matrix = isinstance(named.type, Array) and named.type.rank == 2
            if named.op == "name" and is_matrix and dtype_of(named) == "float64":
                return _Factored(call, named, triangle, bool(is_lower))
    return None


def _block(block: Block, known: _Known) -> Block:
    made: list[Statement] = []
    for each in block:
        each = in_blocks(each, lambda b: _block(b, known))
        found = _factored(each)
        resolved = None if found is None else _without_adjoint_of_factor(made, found, known)
        if found is None or resolved is None:
            made.append(each)
        else:
            made, terms = resolved
            made += _Writer(found, each, known).statements(terms)
    return tuple(made)


# ---------------------------------------------------------------------------- terms


def _without_adjoint_of_factor(
    made: Sequence[Statement], found: _Factored, known: _Known
) -> tuple[list[Statement], list[Term]] | None:
    """Return the statements that do not make the adjoint of a factor, and what M is; None if it is not known."""
    summed = found.call.args[1]
    parts = (list(made), [(1.0, summed)])
    if summed.op == "name":
        gathered = _contributions(made, summed.data, known)
        if gathered is None:
            return None
        parts = gathered
    kept, values = parts
    terms = [term for sign, value in values for term in _terms(value, sign, found.named)]
    symmetric = _resolved([term for term in terms if term is not None], found, known)
    return None if None in terms or symmetric is None else (kept, symmetric)


def _contributions(
    made: Sequence[Statement], adjoint: Variable, known: _Known
) -> tuple[list[Statement], list[tuple[float, Expr]]] | None:
    """Return what is added to an adjoint that nothing else reads so far, and the other statements."""
    kept: list[Statement] = []
    values: list[tuple[float, Expr]] = []
    tokens: frozenset[object] = frozenset()
    for each in made:
        added = contribution(each)
        if added is not None and added.target.op == "name" and added.target.data == adjoint:
            if (added.op == "=") != (not values):
                return None
            values.append((-1.0 if added.op == "-" else 1.0, added.value))
            tokens |= read_tokens(added.value, known.memory)
        elif adjoint in variables((each,)) or not tokens.isdisjoint(changes_of(each, known.memory)):
            return None
        else:
            kept.append(each)
    return (kept, values) if values else None


def _terms(expr: Expr, sign: float, factor: Expr) -> Iterator[Term | None]:
    """Yield the terms of the adjoint of a factor; None for what is something else."""
    match expr:
        case Expr("unary", (inner,), "-"):
            yield from _terms(inner, -sign, factor)
        case Expr("binary", (left, right), "+" | "-"):
            yield from _terms(left, sign, factor)
            yield from _terms(right, sign if expr.data == "+" else -sign, factor)
        case Expr("binary", (scale, inner), "*") if (value := literal(scale)) is not None:
            yield from _terms(inner, sign * value, factor)
        case Expr("call", (_, inner)) if calls(expr, np.tril):
            yield from _terms(inner, sign, factor)
        case Expr("attribute", (Expr("call", (_, outer)) as half,), "T") if calls(half, np.triu):
            found = _product(outer, sign)
            yield found and replace(found, left=found.right, right=found.left)
        case Expr("call", (_, product, of, _)) if text_of_call(expr) == "_factor_bar":
            found = _product(product, sign) if of == factor else None
            yield found and replace(found, whole=True)
        case _:
            yield _product(expr, sign) or _of_determinant(expr, sign, factor)


def _product(expr: Expr, sign: float) -> Term | None:
    """Return the term of an outer product of vectors."""
    if text_of_call(expr) not in PRODUCTS or len(expr.args) != 3 or expr.data:
        return None
    (left, first), (right, second) = map(_without_literal, expr.args[1:])
    if rank_of(left.type) != 1 or rank_of(right.type) != 1:
        return None
    return Term(sign * first * second, left=left, right=right)


def _without_literal(expr: Expr) -> tuple[Expr, float]:
    scale = literal(expr.args[0]) if expr.op == "binary" and expr.data == "*" else None
    return (expr, 1.0) if scale is None else (expr.args[1], float(scale))


def _of_determinant(expr: Expr, sign: float, factor: Expr) -> Term | None:
    """Return the term of np.diag(c / np.diag(L)), which comes of the logarithms of the diagonal."""
    match expr:
        case Expr("call", (_, Expr("binary", (above, below), "/"))) if calls(expr, np.diag):
            is_diagonal = calls(below, np.diag) or calls(below, np.diagonal)
            if is_diagonal and below.args[1:] == (factor,) and rank_of(above.type) == 0:
                scale = literal(above)
                return Term(sign, of=above) if scale is None else Term(sign * scale, of=number(1.0))
    return None


# ---------------------------------------------------------------------------- symmetry


def _resolved(terms: Sequence[Term], found: _Factored, known: _Known) -> list[Term] | None:
    """Return terms of which each is symmetric, or counts with its transpose; None if one is not."""
    made: list[Term] = []
    waiting = list(terms)
    while waiting:
        term = waiting.pop(0)
        if term.of is None and not term.whole:
            solved = _solved(term.left, found, known)
            partner = next((t for t in waiting if _are_partners(term, t, found, known)), None)
            if solved is not None and solved == term.right:
                term = replace(term, right=term.left)
            elif partner is not None:
                waiting.remove(partner)
                term = replace(term, right=partner.left, whole=True)
            else:
                return None
        made.append(term)
    return made


def _are_partners(term: Term, other: Term, found: _Factored, known: _Known) -> bool:
    """Tell whether one term is the other's transpose: L.T @ a is what stands beside b, and L.T @ b beside a."""
    if other.of is not None or other.whole or other.scale != term.scale:
        return False
    pair = _solved(term.left, found, known), _solved(other.left, found, known)
    return None not in pair and pair == (other.right, term.right)


def _solved(expr: Expr | None, found: _Factored, known: _Known) -> Expr | None:
    """Return q of what is np.linalg.solve(L.T, q), or has a name."""
    if expr is None or not found.is_lower or found.named.data not in known.definitions:
        return None
    if expr.op == "name":
        expr = known.definitions.get(expr.data, expr)
    args = positional(expr) if expr.op == "call" else ()
    if len(args) != 2 or None in expr.data:
        return None
    options = {key: value_of(value) for key, value in keywords(expr).items()}
    is_turned = args[0] == attribute(found.named, "T")
    if calls(expr, np.linalg.solve):
        return args[1] if is_turned and not options else None
    if text_of_call(expr).rpartition(".")[2] != "solve_triangular":
        return None
    if is_turned and options in ({}, {"lower": False}):
        return args[1]
    is_back = args[0] == found.named and options.pop("trans", 0) in TRANSPOSED
    return args[1] if is_back and options == {"lower": True} else None


# ---------------------------------------------------------------------------- text


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the adjoint of a matrix from M, before the statement that reads it."""

    found: _Factored
    reader: Statement
    known: _Known

    def statements(self, terms: Sequence[Term]) -> list[Statement]:
        """Return the statements that compute the symmetric matrix, and the reader of its triangle."""
        found, made, span = self.found, list[Statement](), self.reader.span
        square = None
        if any(term.of is not None for term in terms):
            inverse = _call("linalg.inv", found.triangle)
            inverse = self.known.fresh.named(inverse, found.named.data.name, made, span, Role.TERM)
            turned = attribute(inverse, "T", inverse.type)
            square = _binary("@", *((turned, inverse) if found.is_lower else (inverse, turned)))
        ordered = sorted(terms, key=lambda term: term.of is None)
        parts = [part for term in ordered for part in _parts(term, square)]
        total = reduce(_added, parts[1:], _scaled(*parts[0]))
        symmetric = self.known.fresh.named(total, "symmetric", made, span, Role.TERM)
        side, beside = ("tril", -1) if found.is_lower else ("triu", 1)
        other = Expr("call", (numpy_function(side), symmetric, number(beside)), (), symmetric.type)
        half = _binary("*", number(0.5), _binary("+", _call(side, symmetric), other))

        def instead(node: Expr) -> Expr | None:
            return half if node == found.call else None

        return [*made, with_expressions(self.reader, lambda e: rebuilt(e, instead))]


def _parts(term: Term, square: Expr | None) -> Iterator[tuple[float, Expr]]:
    """Yield the products that a term comes to, each with what it is multiplied by."""
    if term.of is not None and square is not None:
        is_one = literal(term.of) == 1.0
        yield term.scale, square if is_one else _binary("*", term.of, square)
    if term.left is None or term.right is None:
        return
    is_double = term.whole and term.left == term.right
    yield (2.0 * term.scale if is_double else term.scale), _outer(term.left, term.right)
    if term.whole and not is_double:
        yield term.scale, _outer(term.right, term.left)


def _added(whole: Expr, part: tuple[float, Expr]) -> Expr:
    scale, value = part
    return _binary("-" if scale < 0.0 else "+", whole, _scaled(abs(scale), value))


def _scaled(scale: float, value: Expr) -> Expr:
    if scale == 1.0:
        return value
    if scale == -1.0:
        return Expr("unary", (value,), "-", value.type)
    return _binary("*", number(scale), value)


def _call(function: str, matrix: Expr) -> Expr:
    return Expr("call", (numpy_function(function), matrix), (), matrix.type)


def _outer(a: Expr, b: Expr) -> Expr:
    kinds = [each.type for each in (a, b) if isinstance(each.type, Array)]
    lengths = tuple(length for kind in kinds for length in kind.lengths)
    return Expr("call", (numpy_function("outer"), a, b), (), Array("float64", lengths))


def _binary(symbol: str, a: Expr, b: Expr) -> Expr:
    return Expr("binary", (a, b), symbol, b.type)
