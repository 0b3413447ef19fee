"""Statements that a device's module takes: numbers and lists are arrays where it takes only these.

NumPy takes numbers and lists for arrays and arrays without axes for whole numbers; CuPy does not:

    np.sum(s)                np.sum(np.asarray(s))             s may be a number of Python's
    np.array([x[0], 0.0])    np.array([x[0], np.asarray(0.0)])
    u[:] = [0.0, 1.0]        u[:] = np.asarray([0.0, 1.0])
    range(k[0])              range(int(k[0]))
    np.subtract.at(x, i, v)  np.add.at(x, i, -v)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from s2sad.ir.errors import Span, Unsupported
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    constant,
    global_,
    name,
    positional,
    text_of_call,
)
from s2sad.ir.program import Function, Let, Program, Statement, Store, Try
from s2sad.ir.records import dataclass, replace
from s2sad.ir.spelling import is_none
from s2sad.ir.types import (
    Array,
    Code,
    Number,
    Numeric,
    Other,
    Reference,
    Sequence,
    Tuple,
    is_integer,
)
from s2sad.ir.walk import bound, nodes, nodes_in, rebuilt, rewritten, statements, with_expressions
from s2sad.operators.algebra import numpy_function
from s2sad.operators.cupy_names import (
    DRAWS,
    JOINING,
    OF_ARRAYS,
    OF_MODES,
    OF_NO_ARRAY,
    OF_SHAPES,
    RESHAPING,
    UFUNC_METHODS_LACKING,
)
from s2sad.optimize.device import (
    Names,
    held_by_device,
    is_held,
    is_sequence_display,
    is_surely_held,
    surely_held_by_device,
)


def placed(program: Program) -> Program:
    """Return a program whose functions are handed arrays where a device's module takes only them.

    Raises Unsupported where that module lacks what is called.
    """
    return program.mapped(_placed)


def _placed(function: Function) -> Function:
    unbound: set[Variable] = set()
    for statement in statements(function.body):
        if isinstance(statement, Let) and is_none(statement.value):
            unbound.update(bound(statement))
    placing = _Placing(
        held_by_device(function), surely_held_by_device(function), frozenset(unbound)
    )
    return replace(function, body=rewritten(function.body, placing.statement))


@dataclass(frozen=True)
class _Placing:
    """The variables of a function that the device may hold, that it surely holds, and that may
    be None: those that no pass of a loop has bound yet."""

    perhaps: Names
    surely: Names
    unbound: Names

    def statement(self, statement: Statement) -> Statement:
        """Return a statement for arrays of the device."""

        def change(node: Expr) -> Expr | None:
            return self.node(node, node.span or statement.span)

        if isinstance(statement, Try):
            _refuse_errors(statement)
        statement = with_expressions(statement, lambda expr: rebuilt(expr, change))
        if isinstance(statement, Store) and isinstance(statement.target.type, Array):
            value = statement.value
            if is_sequence_display(value) or isinstance(value.type, Reference | Sequence | Tuple):
                return replace(statement, value=self.array(value))
        return statement

    def node(self, node: Expr, span: Span | None) -> Expr | None:
        """Return what a node becomes, None if it stays."""
        match node.op:
            case "call":
                return self.call(node, span)
            case "binary" | "compare" if any(isinstance(a.type, Array) for a in node.args):
                return node.with_args(map(self.listed, node.args))
            case "subscript" if not isinstance(node.args[0].type, Array | Numeric | Number):
                return node.with_args((node.args[0], self.whole(node.args[1])))
        return None

    def call(self, node: Expr, span: Span | None) -> Expr | None:
        function, args = node.args[0], positional(node)
        if function.op == "attribute":
            _refuse_draw(function, span)
            return None
        text = text_of_call(node)
        if text.startswith("statistics.") and any(is_held(arg, self.perhaps) for arg in args):
            raise Unsupported(f"CuPy has no {text}", span, "Write it with NumPy's.")
        if text == "range":
            return node.with_args((function, *map(self.whole, args)))
        if not text.startswith("np."):
            return None
        word = text.removeprefix("np.")
        kind = _kind_lacking(word, node.args[1:])
        if word in UFUNC_METHODS_LACKING or kind:
            raise Unsupported(
                f"CuPy has no numpy.{word}{kind}",
                span,
                "Write it in terms of what CuPy has, or leave out arrays=.",
            )
        return self.of_numpy(node, word)

    def of_numpy(self, node: Expr, word: str) -> Expr:
        """Return a call of one of NumPy's functions."""
        function, *every = node.args
        args = every[: len(positional(node))]
        keywords = every[len(args) :]
        if word == "subtract.at" and len(args) == 3:
            function = numpy_function("add.at")
            args[2] = Expr("unary", (args[2],), "-", args[2].type)
        elif word == "take_along_axis" and len(every) == 2:
            args.append(constant(-1, Number("int64")))
        elif word == "zeros_like" and args[0].op == "name" and args[0].data in self.unbound:
            args[0] = _zero_if_none(args[0])
        value = function.data.value
        if isinstance(value, type) and issubclass(value, np.floating) and args[0].op != "constant":
            # np.float32(x) would be a number of the host
            return call(attribute(self.array(args[0]), "astype"), function, type_=node.type)
        args = self.arguments(word, isinstance(value, np.ufunc), args)
        return node.with_args((function, *args, *keywords))

    def arguments(self, word: str, is_ufunc: bool, args: list[Expr]) -> list[Expr]:
        """Return the positional arguments of a function of NumPy's."""
        if is_ufunc:  # which takes numbers, too
            return list(map(self.listed, args))
        if word == "where" and len(args) == 3:
            return [self.array(args[0]), *map(self.listed, args[1:])]
        if word == "select":
            return [*(_with_leaves(arg, self.array) for arg in args[:2]), *args[2:]]
        if word in JOINING:
            return [*map(self.of_arrays, args[:1]), *args[1:]]
        if word in OF_SHAPES:
            return list(map(self.whole, args))
        if word in RESHAPING:
            return [self.array(args[0]), *map(self.whole, args[1:])]
        if word in OF_NO_ARRAY or word.startswith("random"):
            return args
        count = OF_ARRAYS.get(word, 1)
        return [*map(self.array, args[:count]), *args[count:]]

    def listed(self, expr: Expr) -> Expr:
        """Return an operand: a list is an array of the device."""
        return self.array(expr) if is_sequence_display(expr) else expr

    def array(self, expr: Expr) -> Expr:
        """Return what is surely an array of the device."""
        if is_surely_held(expr, self.surely) or isinstance(expr.type, Other | Code):
            return expr
        type_ = Array(expr.type.dtype, ()) if isinstance(expr.type, Number) else expr.type
        return call(numpy_function("asarray"), self.of_arrays(expr), type_=type_)

    def of_arrays(self, expr: Expr) -> Expr:
        """Return lists of numbers of which the device may hold some with all of them there."""
        if isinstance(expr.type, Reference | Sequence | Tuple) and expr.op in ("name", "attribute"):
            return _each_as_array(expr)
        if expr.op == "comprehension" and expr.data == "list":
            return expr.with_args([self.array(expr.args[0]), *expr.args[1:]])
        leaves = list(_leaves(expr))
        if not is_sequence_display(expr) or not any(map(self.may_be_there, leaves)):
            return expr
        if all(is_surely_held(leaf, self.surely) for leaf in leaves):
            return expr
        return _with_leaves(expr, self.array)

    def may_be_there(self, leaf: Expr) -> bool:
        """Tell whether the device may hold a value, be it in a field or a list."""
        return leaf.op in ("attribute", "subscript") or is_held(leaf, self.perhaps)

    def whole(self, expr: Expr) -> Expr:
        """Return a whole number of the host, or a tuple of them."""
        if expr.op == "tuple":
            return expr.with_args(map(self.whole, expr.args))
        if not is_integer(expr.type) or not is_held(expr, self.perhaps):
            return expr
        return call(global_("int", int), expr, type_=Number("int64"))


def _kind_lacking(word: str, args: tuple[Expr, ...]) -> str:
    """Return what CuPy's function of that name does not take, "" if it takes the arguments."""
    if word == "choose" and any(map(is_sequence_display, args)):
        return " of a list"
    if word in OF_MODES and any(is_integer(arg.type) for arg in args[2:]):
        return " with a number for its mode"
    return ""


def _zero_if_none(value: Expr) -> Expr:
    """Return an array, or 0.0 where nothing is bound yet: CuPy has no arrays of objects."""
    test = Expr("compare", (value, constant(None)), ("is",))
    return Expr("conditional", (test, constant(0.0), value))


def _refuse_errors(attempt: Try) -> None:
    """Raise if a `try` waits for errors that a device does not raise: its results are nan."""
    factors = any(".linalg." in text_of_call(node) for node in nodes_in(attempt.body))
    for handler in attempt.handlers:
        kinds = () if handler.kinds is None else nodes(handler.kinds)
        caught = [node.data.value for node in kinds if node.op == "global"] or [Exception]
        is_of_linalg = factors and any(issubclass(np.linalg.LinAlgError, kind) for kind in caught)
        if is_of_linalg or FloatingPointError in caught:
            raise Unsupported(
                "a try that waits for an error of NumPy's, which CuPy does not raise: it gives nan",
                attempt.span,
                "Test the values instead: if np.isfinite(x).all().",
            )


def _refuse_draw(function: Expr, span: Span | None) -> None:
    drawing = function.args[0].type
    if not isinstance(drawing, Other) or drawing.cls is not np.random.Generator:
        return
    if function.data not in DRAWS:
        raise Unsupported(
            f"CuPy's Generator has no {function.data}",
            span,
            "It has standard_normal, random, uniform and integers; or draw before, and pass it as "
            "an argument.",
        )


def _each_as_array(items: Expr) -> Expr:
    """Return a list of arrays for a list in which numbers of the host may stand among them."""
    each = Variable("each", 0, Role.TERM)
    item = call(numpy_function("asarray"), name(each))
    return Expr("comprehension", (item, Expr("generator", (items,), each)), "list", items.type)


def _leaves(expr: Expr) -> Iterator[Expr]:
    if is_sequence_display(expr):
        for part in expr.args:
            yield from _leaves(part)
    else:
        yield expr


def _with_leaves(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    if not is_sequence_display(expr):
        return change(expr)
    return expr.with_args(_with_leaves(part, change) for part in expr.args)
