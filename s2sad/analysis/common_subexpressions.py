"""What two statements of the user's compute alike has a name, and so one adjoint.

    var = np.mean((z - mu) ** 2)               d = z - mu
    y = (z - mu) / np.sqrt(var + 1e-5)   ->    var = np.mean(d**2)
                                               y = d / np.sqrt(var + 1e-5)

Only what varies is named, where to pull its adjoint back takes more than to add two adjoints up, or
three statements compute it, and where no rule takes it together with what is computed of it, as that
of the logistic function does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from s2sad.analysis.activity import flows
from s2sad.analysis.memory import Memory
from s2sad.analysis.terms import (
    FEW,
    exponent_of_logistic,
    is_cheap,
    is_elementwise,
    is_holder,
    term_name,
    word_of,
)
from s2sad.ir.expression import Expr, Role, Variable, name
from s2sad.ir.program import Block, Function, Let, Return, Statement, Store
from s2sad.ir.records import dataclass
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Number, Regions, is_float
from s2sad.ir.walk import (
    blocks,
    bound_in,
    expressions,
    in_blocks,
    nodes,
    operands,
    read_variables,
    rebuilt,
    statements,
    with_expressions,
    with_statements,
    written_to,
)
from s2sad.operators.effects import effect
from s2sad.operators.find import find
from s2sad.operators.slopes import is_squared_size

LAZY = frozenset({"conditional", "and", "or", "comprehension", "function"})
COMPUTED = frozenset({"+", "-", "*", "/", "**", "@"})
MANY = 2  # a cheap value is read so often again where it has a name
Simple = Let | Store | Return


def with_common_subexpressions_named(
    function: Function,
    memory: Memory,
    active: frozenset[Variable],
    regions: Regions,
) -> Block:
    """Return the body of a function in which what varies and is computed twice has a name."""
    return _Naming(Fresh.of(function), memory, active, regions).block(function.body)


@dataclass(frozen=True, slots=True)
class _Naming:
    fresh: Fresh
    memory: Memory
    active: frozenset[Variable]
    regions: Regions

    def block(self, body: Block) -> Block:
        """Return a block, and those in it, whose statements share what they compute."""
        made = [in_blocks(s, self.block) for s in body]
        while _may_repeat(made) and (found := self.repeated(made)) is not None:
            made = self.named(made, *found)
        return with_statements(body, made)

    def repeated(self, body: Iterable[Statement]) -> tuple[Expr, int] | None:
        """Return the largest value that two statements compute, and where it is computed first."""
        there: dict[Expr, int] = {}
        found: dict[Expr, int] = {}
        often: Counter[Expr] = Counter()
        for place, statement in enumerate(body):
            bound_whole = _whole(statement)
            for value in _computed(statement):
                if value in there and there[value] != place and value is not bound_whole:
                    often[value] += 1
                    if often[value] >= MANY or not _is_cheap(value):
                        found.setdefault(value, there[value])
                elif value not in there and self.is_worth(value):
                    if value is not bound_whole or self.holder(statement) is not None:
                        there[value] = place
            lost = bound_in((statement,))
            if lost:
                there = {v: k for v, k in there.items() if lost.isdisjoint(read_variables(v))}
                often = Counter({v: often[v] for v in there})
        return max(found.items(), key=lambda item: len(nodes(item[0])), default=None)

    def is_worth(self, value: Expr) -> bool:
        """Tell whether it takes several operations to pull an adjoint back through a value."""
        if not isinstance(value.type, Array | Number) or not is_float(value.type):
            return False
        if not self.is_active(value) or not _is_pure(value):
            return False
        if any(self.memory.reach(v) & self.memory.stored for v in read_variables(value)):
            return False
        both = value.op == "binary" and all(map(self.is_active, value.args))
        return both or sum(map(self.is_operation, nodes(value))) > 1

    def is_operation(self, node: Expr) -> bool:
        return node.op in ("binary", "call") and self.is_active(node)

    def is_active(self, expr: Expr) -> bool:
        return any(v in self.active for v in flows(expr, self.regions))

    def named(self, body: list[Statement], value: Expr, first: int) -> list[Statement]:
        """Return a block in which a value has a name from its first statement on."""
        made, rest = body[:first], body[first:]
        holder = self.holder(rest[0]) if _whole(rest[0]) == value else None
        if holder is None:
            holder = self.fresh.variable(_called(value, rest[0]), Role.TERM)
            rest = [Let(holder, value, rest[0].span), *rest]
        made.append(rest.pop(0))
        read = name(holder, value.type)
        lost = read_variables(value) | {holder}
        for place, each in enumerate(rest):
            made.append(_with_name(each, value, read))
            if not lost.isdisjoint(bound_in((each,))):
                return made + rest[place + 1 :]
        return made

    def holder(self, statement: Statement) -> Variable | None:
        """Return the name that a statement gives to a value, if nobody writes to that."""
        target = statement.target if isinstance(statement, Let) else None
        if not isinstance(target, Variable) or self.memory.reach(target) & self.memory.stored:
            return None
        return target


def _is_cheap(value: Expr) -> bool:
    """Tell whether a value is cheap once a function of a name in it has a name: g[k] * np.cos(d)."""
    ops = [node.op for node in nodes(value)]
    few = ops.count("call") == 1 and ops.count("binary") < FEW
    return is_cheap(rebuilt(value, _operand_of_function) if few else value)


def _operand_of_function(node: Expr) -> Expr | None:
    operand = node.args[1] if is_elementwise(node) and len(node.args) == 2 else node
    return operand if operand.op == "name" else None


def may_repeat(body: Block) -> bool:
    """Tell whether two statements of one block may compute one value."""
    inner = (block for each in statements(body) for block in blocks(each))
    return any(map(_may_repeat, (body, *inner)))


def _may_repeat(body: Iterable[Statement]) -> bool:
    seen: set[Expr] = set()
    for statement in body:
        own = {n for e in expressions(statement) for n in nodes(e) if n.op in ("binary", "call")}
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False


def _whole(statement: Statement) -> Expr | None:
    """Return the value that a statement gives a name to, as it is."""
    if isinstance(statement, Let) and statement.spelled == "=":
        return statement.value
    return None


def _called(value: Expr, statement: Statement) -> str:
    """Return what a value is called: after its function, else after what it is part of."""
    arrays = {_array_of_element(each) for each in value.args}
    if value.op == "binary" and len(arrays) == 1 and None not in arrays:  # V[i] * V[j]
        return f"{arrays.pop()}_{word_of(value)}"
    target = written_to(statement) if isinstance(statement, Let | Store) else None
    word = f"{'result' if target is None else target.name}_{word_of(value)}"
    named = term_name(value, word)
    return named.removesuffix("_term") if named.startswith(word) else named


def _array_of_element(expr: Expr) -> Variable | None:
    """Return the array that a value is an element of; None of all else."""
    is_element = expr.op == "subscript" and isinstance(expr.type, Number)
    return expr.args[0].data if is_element and expr.args[0].op == "name" else None


def _is_pure(value: Expr) -> bool:
    return all(node.op != "call" or effect(node).is_pure for node in nodes(value))


def _with_name(statement: Statement, value: Expr, held: Expr) -> Statement:
    """Return a simple statement that reads a value under its name; one that gives it a name stays."""
    if not isinstance(statement, Simple) or _whole(statement) == value:
        return statement
    return with_expressions(statement, lambda e: rebuilt(e, lambda n: held if n == value else None))


def _computed(statement: Statement) -> Iterator[Expr]:
    """Yield what a simple statement surely computes, and what an adjoint is pulled back through."""
    if not isinstance(statement, Simple):
        return
    for expr in expressions(statement):
        is_whole = isinstance(statement, Let) and statement.spelled != "="
        yield from (node for node in _parts(expr) if not (is_whole and node is expr))


def _parts(expr: Expr) -> Iterator[Expr]:
    """Yield the operations of an expression, but those that a rule takes together with others."""
    if expr.op in LAZY or not expr.args:
        return
    if (expr.op == "binary" and expr.data in COMPUTED) or expr.op == "call":
        yield expr
    holds = is_holder(expr)
    for each in _taken(expr):  # arrays that are computed alike, and held, are several
        yield from (node for node in _parts(each) if not holds or node is not each)


def _taken(expr: Expr) -> Iterable[Expr]:
    """Return the operands of an operation, as its rule takes them."""
    exponent = exponent_of_logistic(expr)
    if exponent is not None:
        return (exponent,)
    if expr.op == "call" or is_squared_size(expr):
        match = find(expr)
        return operands(expr) if match is None else match.bound.values()
    return expr.args
