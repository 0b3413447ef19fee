"""Types that lowering did not know, found once own functions stand in place of their calls.

value = self_items[k]        value: Unknown       ->    Number

What may be None is there where something is computed with it: it has its plain type there.

best = None                      best: Optional(Number)
for d in ds:
    if best is None or d < best:
        best = d
return best * w                  best: Number
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from s2sad.analysis.memory import types_of
from s2sad.analysis.ranks import LEFT
from s2sad.ir.errors import S2sadError
from s2sad.ir.expression import Expr, Variable, called, calls, index_parts, positional, text_of_call
from s2sad.ir.program import Function, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Optional,
    Reference,
    Sequence,
    Tuple,
    Type,
)
from s2sad.ir.walk import (
    nodes,
    nodes_in,
    read_variables,
    rebuilt,
    rewritten,
    with_expressions,
    with_nodes,
)
from s2sad.operators.slopes import may_be_infinite
from s2sad.operators.table import named, words
from s2sad.types import Fails

MOST_ROUNDS = 4


def retyped(
    function: Function,
    infer: Callable[[Expr], Expr],
    join: Callable[[Type, Type], Type | None],
) -> Function:
    """Return a function with types where they were not known."""
    for _ in range(MOST_ROUNDS):
        unknown = _count(function)
        if not unknown:
            break
        function = _retyped_once(function, infer, types_of(function, join))
        if _count(function) == unknown:
            break
    return function


def _retyped_once(
    function: Function, infer: Callable[[Expr], Expr], types: Mapping[Variable, Type]
) -> Function:
    def change(node: Expr) -> Expr | None:
        if not _is_open(node):
            return None
        if node.op == "name":
            known = types.get(node.data, UNKNOWN)
            return None if known == UNKNOWN else node.typed(known)
        if any(arg.op == "name" and arg.type == UNKNOWN for arg in node.args):
            return None
        try:
            return infer(node)
        except (Fails, S2sadError):
            return None

    return replace(function, body=with_nodes(function.body, change))


def _count(function: Function) -> int:
    """Return how many values there are of which nothing is known."""
    return sum(map(_is_open, nodes_in(function.body)))


def _is_open(expr: Expr) -> bool:
    return (_is_unknown(expr.type) and expr.op not in LEFT) or _is_outdated(expr)


def _is_outdated(expr: Expr) -> bool:
    """Tell whether a value was taken for a number or an array before its operands were known."""
    operands = [arg.type for arg in expr.args]
    if expr.op in ("list", "tuple") and isinstance(expr.type, Tuple):
        pairs = zip(expr.type.items, operands, strict=False)
        return any(isinstance(old, Numeric) and old != new for old, new in pairs)
    if not isinstance(expr.type, Numeric) or expr.op not in ("binary", "unary", "attribute"):
        return False
    if all(isinstance(each, Array | Number) for each in operands):
        return True
    arrays = (each for each in operands if isinstance(each, Array))
    return any(each.lengths == expr.type.lengths for each in arrays)


def _is_unknown(type_: Type) -> bool:
    """Tell whether nothing is known of a value, or of an item of a tuple."""
    if isinstance(type_, Tuple):
        return any(map(_is_unknown, type_.items))
    return type_ == UNKNOWN


# ---------------------------------------------------------------------------- what may be None is there

COMPUTES = frozenset({"binary", "unary", "call", "subscript", "attribute"})


def with_present_types(function: Function) -> Function:
    """Return a function whose operands are typed as what they are if they are not None."""

    def change(statement: Statement) -> Statement:
        made = with_expressions(statement, lambda e: rebuilt(e, _with_operands))
        if isinstance(made, Store) and may_be_missing(made.target.type):
            return replace(made, target=made.target.typed(present(made.target.type)))
        return made

    return replace(function, body=rewritten(function.body, change))


def present(type_: Type) -> Type:
    """Return the type of a number or an array that is there."""
    return type_.type if may_be_missing(type_) and isinstance(type_, Optional) else type_


def may_be_missing(type_: Type) -> bool:
    """Tell whether a value is a number or an array, or None."""
    return isinstance(type_, Optional) and isinstance(type_.type, Number | Array)


def reads_what_may_be_missing(expr: Expr) -> bool:
    """Tell whether an expression computes with what may be None."""
    if expr.op in COMPUTES and any(may_be_missing(arg.type) for arg in expr.args):
        return True
    return any(map(reads_what_may_be_missing, expr.args))


def _with_operands(expr: Expr) -> Expr:
    """Return an operation whose operands are there: on None it would raise."""
    orders = expr.op == "compare" and all(symbol[0] in "<>" for symbol in expr.data)
    if expr.op not in COMPUTES and not orders:
        return expr
    of_parts = text_of_call(expr).startswith("np.")  # np.concatenate([t, u])
    return expr.with_args(
        _all_there(arg) if of_parts and arg.op in ("list", "tuple") else _there(arg)
        for arg in expr.args
    )


def _all_there(display: Expr) -> Expr:
    return display.with_args(map(_there, display.args))


def _there(operand: Expr) -> Expr:
    return operand.typed(present(operand.type)) if may_be_missing(operand.type) else operand


def reads_guarded_part(test: Expr, arm: Expr) -> bool:
    """Tell whether an arm reads an element that is there as the test says: `u[k] if k < n else 0.0`.

    It reads one, too, where it takes the largest: `max(xs) if xs else 0.0`.
    """
    asked = frozenset(_compared(test))
    asks_length = test.op == "name" or any(map(_asks_length, nodes(test)))
    surely_there = set(nodes(test))
    return any(
        _is_element(node)
        and node not in surely_there
        and (asks_length or _may_lack(node.args[0]) or bool(read_variables(node.args[1]) & asked))
        for node in nodes(arm)
    ) or any(
        asks_length or _may_lack(held)
        for node in nodes(arm)
        if node not in surely_there
        for held in _searched(node)
    )


def _searched(node: Expr) -> tuple[Expr, ...]:
    """Return what the largest or the mean is taken of: of nothing there is none."""
    if node.op != "call" or called(node) not in words("of_some"):
        return ()
    if node.args[0].op == "attribute":
        return node.args[0].args
    is_python = text_of_call(node) in ("max", "min")
    return node.args[1:2] if not is_python or len(positional(node)) == 1 else ()


def may_raise_inside(arm: Expr) -> bool:
    """Tell whether an arm computes what may raise for some numbers.

    x * math.log(x) if x > 0 else 0.0: what the reverse sweep reads of it, only a branch leaves out.
    """
    return any(map(_may_raise, nodes(arm)))


def _may_raise(node: Expr) -> bool:
    """Tell whether an operation on Python's own numbers raises for some of them."""
    word = text_of_call(node)
    if word:
        return word.startswith("math.") and word not in named("total")
    is_python = isinstance(node.type, Number) and not node.type.boxed
    return is_python and node.op == "binary" and may_be_infinite(node)


def _compared(test: Expr) -> Iterator[Variable]:
    """Yield the variables of a test that it may compare with a length."""
    if test.op == "name":
        yield test.data
    if test.op != "subscript" and test.data != "%":
        for arg in test.args:
            yield from _compared(arg)


def _asks_length(node: Expr) -> bool:
    if node.op == "attribute":
        return node.data in ("size", "shape")
    return calls(node, len)


def _may_lack(held: Expr) -> bool:
    """Tell whether nothing but a test says that an element is there: `d[1]`, `xs[0]`, `u[u > 2][0]`."""
    if isinstance(held.type, Array):
        return None in held.type.lengths
    return isinstance(held.type, Reference | Sequence)


def _is_element(node: Expr) -> bool:
    """Tell whether an expression is a part of an array or list at a position, and may vary."""
    if node.op != "subscript" or getattr(node.type, "dtype", "f")[:1] not in ("f", "c"):
        return False
    return any(part.op != "slice" for part in index_parts(node.args[1]))
