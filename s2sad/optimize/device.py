"""What runs on a device: where values are held, and statements that a device's module takes.

NumPy takes numbers and lists for arrays and arrays without axes for whole numbers; CuPy does not:

    np.sum(s)                np.sum(np.asarray(s))             s may be a number of Python's
    np.array([x[0], 0.0])    np.array([x[0], np.asarray(0.0)])
    u[:] = [0.0, 1.0]        u[:] = np.asarray([0.0, 1.0])
    range(k[0])              range(int(k[0]))
    np.subtract.at(x, i, v)  np.add.at(x, i, -v)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from s2sad.ir.errors import Span, Unsupported
from s2sad.ir.expression import (
    Expr,
    Pattern,
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
from s2sad.ir.program import For, Function, Let, Program, Statement, Store, Try
from s2sad.ir.records import dataclass, replace
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
from s2sad.ir.walk import (
    SHAPE_ATTRIBUTES,
    bound,
    nodes,
    nodes_in,
    rebuilt,
    rewritten,
    statements,
    variables,
    with_expressions,
)
from s2sad.operators.algebra import numpy_function

Names = frozenset[Variable]

# functions and methods that give a number of the host
OF_HOST = frozenset({"len", "isinstance", "range", "float", "int", "bool", "complex"})
NUMBERS = frozenset(f"np.{word}" for word in "ndim shape size isscalar result_type dtype".split())
TO_HOST = frozenset({"item", "tolist", "get"})
OF_SHAPES = frozenset(
    "zeros ones empty full eye identity arange tri ndindex tril_indices triu_indices indices "
    "diag_indices mask_indices".split()
)
# NumPy's functions that take no array: what they are given are shapes, limits and sequences
MAKING = (
    frozenset(
        "array asarray asanyarray zeros ones empty full arange linspace logspace eye identity tri "
        "ndim shape isscalar result_type concatenate hstack append einsum indices fromiter "
        "broadcast_shapes meshgrid isclose allclose array_equal can_cast promote_types errstate "
        "finfo iinfo issubdtype dtype ix_ c_ r_ s_ select piecewise block column_stack dstack vstack "
        "stack default_rng seed".split()
    )
    | OF_SHAPES
)
RESHAPING = frozenset("reshape resize broadcast_to tile repeat".split())
JOINING = frozenset("array asarray asanyarray stack vstack dstack column_stack".split())
# of these more than the first argument has to be an array
OF_ARRAYS: Mapping[str, int] = {
    **dict.fromkeys(
        "dot outer inner vdot tensordot kron cross matmul convolve correlate searchsorted digitize "
        "trapezoid polyval isin take_along_axis linalg.solve".split(),
        2,
    ),
    "interp": 3,
}
# the methods of a Generator that CuPy's has
DRAWS = frozenset(
    "beta binomial chisquare dirichlet exponential f gamma geometric hypergeometric integers "
    "logseries poisson power random standard_exponential standard_gamma standard_normal "
    "uniform".split()
)
LACKING = frozenset({"maximum.reduce", "minimum.reduce", "multiply.at", "divide.at", "power.at"})


def placed(program: Program) -> Program:
    """Return a program whose functions are handed arrays where a device's module takes only them.

    Raises Unsupported where that module lacks what is called.
    """
    functions = {name: _placed(each) for name, each in program.functions.items()}
    return replace(program, functions=functions)


def _placed(function: Function) -> Function:
    placing = _Placing(held_by_device(function), _surely_held(function))
    return replace(function, body=rewritten(function.body, placing.statement))


@dataclass(frozen=True)
class _Placing:
    """The variables of a function that the device may hold, and those that it surely holds."""

    perhaps: Names
    surely: Names

    def statement(self, statement: Statement) -> Statement:
        """Return a statement for arrays of the device."""

        def change(node: Expr) -> Expr | None:
            return self.node(node, node.span or statement.span)

        if isinstance(statement, Try):
            _refuse_errors(statement)
        statement = with_expressions(statement, lambda expr: rebuilt(expr, change))
        if isinstance(statement, Store) and _is_display(statement.value):
            if isinstance(statement.target.type, Array):
                return replace(statement, value=self.array(statement.value))
        return statement

    def node(self, node: Expr, span: Span | None) -> Expr | None:
        """Return what a node becomes, None if it stays."""
        match node.op:
            case "call":
                return self.call(node, span)
            case "binary" | "compare" if any(isinstance(a.type, Array) for a in node.args):
                return node.with_args(self.array(a) if _is_display(a) else a for a in node.args)
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
        of_list = word == "choose" and any(map(_is_display, args))
        if word in LACKING or of_list:
            raise Unsupported(
                f"CuPy has no numpy.{word}{' of a list' if of_list else ''}",
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
        value = function.data.value
        if isinstance(value, type) and issubclass(value, np.floating) and args[0].op != "constant":
            # np.float32(x) would be a number of the host
            return call(attribute(self.array(args[0]), "astype"), function, type_=node.type)
        if isinstance(value, np.ufunc):
            args = [self.array(a) if _is_display(a) else a for a in args]
        elif word == "select":
            args = [*(_with_leaves(arg, self.array) for arg in args[:2]), *args[2:]]
        elif word in JOINING and args:
            args[0] = self.of_arrays(args[0])
        elif word in OF_SHAPES:
            args = list(map(self.whole, args))
        elif word in RESHAPING:
            args = [self.array(args[0]), *map(self.whole, args[1:])]
        elif word == "where" and len(args) == 3:
            args = [
                self.array(args[0]),
                *(self.array(a) if _is_display(a) else a for a in args[1:]),
            ]
        elif word not in MAKING and not word.startswith("random"):
            count = OF_ARRAYS.get(word, 1)
            args = [*map(self.array, args[:count]), *args[count:]]
        return node.with_args((function, *args, *keywords))

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
        if not _is_display(expr) or not any(map(self.may_be_there, leaves)):
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


def _is_display(expr: Expr) -> bool:
    return expr.op in ("list", "tuple") and not any(part.op == "starred" for part in expr.args)


def _leaves(expr: Expr) -> Iterator[Expr]:
    if _is_display(expr):
        for part in expr.args:
            yield from _leaves(part)
    else:
        yield expr


def _with_leaves(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    if not _is_display(expr):
        return change(expr)
    return expr.with_args(_with_leaves(part, change) for part in expr.args)


# ---------------------------------------------------------------------------- where values are


def held_by_device(function: Function) -> Names:
    """Return the variables whose values the device may hold: arrays, and what is computed of them."""
    held = frozenset(p.variable for p in function.parameters if isinstance(p.type, Array))
    while True:
        found = frozenset(v for s in statements(function.body) for v in _bound(s, held))
        if found <= held:
            return held
        held |= found


def _bound(statement: Statement, held: Names) -> Iterator[Variable]:
    value = statement.domain if isinstance(statement, For) else None
    value = statement.value if isinstance(statement, Let) else value
    if value is not None and is_held(value, held):
        yield from bound(statement)


def is_held(expr: Expr, held: Names) -> bool:
    """Tell whether the device may hold the value of an expression."""
    if expr.op == "name":
        return expr.data in held
    if _is_of_host(expr):
        return False
    return any(is_held(part, held) for part in expr.args)


def _is_of_host(expr: Expr) -> bool:
    if expr.op == "attribute":
        return expr.data in SHAPE_ATTRIBUTES
    if expr.op == "compare":
        return bool({"is", "is not"} & {*expr.data})
    if expr.op == "call" and expr.args[0].op == "attribute":
        return expr.args[0].data in TO_HOST
    text = text_of_call(expr)
    return text in OF_HOST or text in NUMBERS or text.startswith("math.")


def _surely_held(function: Function) -> Names:
    """Return the variables that the device surely holds, whichever statement bound them last."""
    body = list(statements(function.body))
    held = frozenset(v for s in body for v in bound(s))
    held |= frozenset(p.variable for p in function.parameters if isinstance(p.type, Array))
    held -= frozenset(p.variable for p in function.parameters if not isinstance(p.type, Array))
    while True:
        lost = frozenset(v for s in body for v in _bound_on_host(s, held))
        if lost.isdisjoint(held):
            return held
        held -= lost


def _bound_on_host(statement: Statement, held: Names) -> Iterator[Variable]:
    match statement:
        case Let(target, value):
            yield from _of_host(target, value, held)
        case For(target=target, domain=domain):
            if not is_surely_held(domain, held):
                yield from variables(target)
        case _:
            yield from bound(statement)


def _of_host(target: Pattern, value: Expr, held: Names) -> Iterator[Variable]:
    if isinstance(target, tuple) and value.op == "tuple" and len(target) == len(value.args):
        for inner, part in zip(target, value.args, strict=True):
            yield from _of_host(inner, part, held)
    elif not is_surely_held(value, held):
        yield from variables(target)


def is_surely_held(expr: Expr, held: Names) -> bool:
    """Tell whether the value of an expression is an array of the device in every run."""
    if expr.op == "name" and expr.data in held:
        return True
    if isinstance(expr.type, Array) and expr.type.lengths and not _is_display(expr):
        return True
    if isinstance(expr.type, Tuple) or _is_of_host(expr):
        return False
    match expr.op:
        case "unary" | "binary" | "compare":
            return any(is_surely_held(part, held) for part in expr.args)
        case "conditional":
            return all(is_surely_held(part, held) for part in expr.args[1:])
        case "subscript" | "attribute":
            return is_surely_held(expr.args[0], held)
        case "call" if expr.args[0].op == "attribute":
            return is_surely_held(expr.args[0].args[0], held)
        case "call":
            return text_of_call(expr).startswith("np.") and _gives_array(expr)
    return False


def _gives_array(expr: Expr) -> bool:
    """Tell whether a call of NumPy's gives an array: numbers of one kind (np.float32) do not."""
    value = expr.args[0].data.value
    return not isinstance(value, type) and isinstance(expr.type, Array | Number | Numeric)
