"""A sweep along unit vectors becomes a matrix: a Jacobian, a Hessian, a Laplacian.

def f_jacobian(x, k):
    x_columns = f_tangent(x, k, np.eye(x.size), np.zeros(x.size))
    k_column = f_tangent(x, k, np.zeros((1, *x.shape)), np.ones(1))
    return np.moveaxis(x_columns, 0, -1), k_column[0]

The axes of the result come first, then those of the argument. Of a tuple of results, or of
arguments, there is a tuple of matrices.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from s2sad.emit.docstrings import FIRST_LINES, SEEDS
from s2sad.emit.entry import asked_of_values
from s2sad.emit.request import Request
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Role, Variable, called_object, name, subscript
from s2sad.ir.program import Block, Function, Let, Parameter, Program, Return
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Length, Number, Numeric, Tuple, Type, is_float
from s2sad.ir.walk import rebuilt, statements
from s2sad.operators.reading import Text
from s2sad.operators.trees import Reader, literal
from s2sad.types.checks import length_expression

# how a sweep is asked for: along many directions at once, along one, or back from a seed
SWEEPS = {"directional": "tangent", "tangent": "tangent", "vjp": "vjp", "hvp": "hvp"}


class Unshaped(Exception):
    """The shape of a result is not known before the function has run."""


@dataclass(frozen=True, slots=True)
class Space:
    """An argument or a result: what it is, its shape and size where the text asks for them."""

    type: Type
    shape: Expr
    size: Expr
    dtype: Expr | None = None
    name: str = "y"

    @property
    def is_number(self) -> bool:
        """Tell whether there is one unit vector, 1.0: an array without axes has one, too."""
        return isinstance(self.type, Number) or self.is_array_of_one

    @property
    def is_array_of_one(self) -> bool:
        """Tell whether it is an array without axes, which may be written to: its items may not."""
        return isinstance(self.type, Array) and self.type.rank == 0

    @property
    def is_vector(self) -> bool:
        """Tell whether the unit vectors are the rows of np.eye."""
        return isinstance(self.type, Array) and self.type.rank == 1

    def units(self) -> Expr:
        """Return all unit vectors along a first axis."""
        if self.is_number:
            return self.read("np.ones(1)")
        if self.is_vector:
            return self.read("np.eye(size)")
        return self.read("np.eye(size).reshape(size, *shape)")

    def zeros(self, count: Expr) -> Expr:
        """Return zeros for as many directions."""
        text = "np.zeros(count)" if self.is_number else "np.zeros((count, *shape))"
        return self.read(text, count=count)

    def zero(self) -> Expr:
        """Return the zero of one direction."""
        return literal(0.0) if isinstance(self.type, Number) else self.read("np.zeros(shape)")

    def unit(self) -> Expr:
        """Return the one unit vector that there is."""
        return self.read("np.ones(shape)") if self.is_array_of_one else literal(1.0)

    def read(self, text: str, **more: Expr) -> Expr:
        """Return an expression about it; arrays that it makes have its precision."""
        made = written(text, size=self.size, shape=self.shape, **more)
        dtype = self.dtype
        if dtype is None:
            return made

        def change(node: Expr) -> Expr | None:
            if called_object(node) is None or node.data:
                return None
            return replace(node, args=(*node.args, dtype), data=("dtype",))

        return rebuilt(made, change)


def written(text: str, **parts: Expr) -> Expr:
    """Return the expression of a text in which these names stand for parts."""
    reader = Reader(Text("matrices"), frozenset(parts))
    tree = reader.expression(ast.parse(text, mode="eval").body)

    def change(node: Expr) -> Expr | None:
        return parts.get(node.data.name) if node.op == "name" else None

    return rebuilt(tree, change)


def matrix(form: str, sweep: Program, primal: Program, request: Request, single: bool) -> Program:
    """Return the program of a matrix: a function that calls `sweep` along unit vectors.

    `form` is "jacobian", "hessian" or "laplacian"; `request` is that of the sweep. NotYet where
    arguments or results are no arrays or numbers, or the shape of the result is not known.
    """
    made = _Matrix(form, sweep, primal, request, single)
    entry = sweep.function
    whole = replace(entry, name=f"{entry.name}_{form}", parameters=made.own, body=made.body())
    inner = replace(entry, name=made.called, doc=made.doc())
    functions = {n: f for n, f in sweep.functions.items() if n != sweep.entry}
    functions |= {inner.name: inner, **made.called_first, whole.name: whole}
    shown = sweep.with_first(replace(entry, parameters=made.own))
    checks = tuple(asked_of_values(shown, request))
    return replace(sweep, functions=functions, entry=whole.name, checks=checks)


@dataclass(slots=True)
class _Matrix:
    """The body of a matrix while it is written."""

    form: str
    program: Program
    primal: Program
    request: Request
    single: bool
    lines: list[Let] = field(default_factory=list)
    items: dict[str, Variable] = field(default_factory=dict)
    called_first: dict[str, Function] = field(default_factory=dict)
    fresh: Fresh = field(init=False)

    def __post_init__(self) -> None:
        self.fresh = Fresh.of(self.program.function)

    def body(self) -> Block:
        """Return the statements of the matrix."""
        if self.form == "laplacian":
            return self.trace()
        return self.rows() if self.is_reverse else self.columns()

    @property
    def own(self) -> tuple[Parameter, ...]:
        """Return the parameters of the function that is differentiated."""
        return tuple(p for p in self.program.function.parameters if p.variable.role not in SEEDS)

    @property
    def is_reverse(self) -> bool:
        """Tell whether the sweep goes back from a seed."""
        return self.request.mode == "vjp"

    @property
    def called(self) -> str:
        """Return the name of the sweep."""
        subject = self.request.source.name
        return f"{subject if subject.isidentifier() else 'f'}_{SWEEPS[self.request.mode]}"

    def doc(self) -> str:
        """Return what the text says of the sweep."""
        line = FIRST_LINES[self.request.mode].replace(" of {f}", "").replace(" through {f}", "")
        along = ", ".join(p.variable.name for p in self.seeds)
        return line.format(wrt=", ".join(self.request.wrt), along=along)

    @property
    def seeds(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.program.function.parameters if p.variable.role in SEEDS)

    def spaces(self) -> list[Space]:
        """Return the arguments that axes of the matrix belong to."""
        by_name = {p.variable.name: p for p in self.program.function.parameters}
        return [_space_of(by_name[each]) for each in self.request.wrt]

    def results(self) -> tuple[list[Space], bool]:
        """Return the results that axes of the matrix belong to, and whether there is one alone."""
        ends = (s for s in statements(self.primal.function.body) if isinstance(s, Return))
        found = [end.value.type for end in ends]
        if not found or any(each != found[0] for each in found):
            raise NotYet("a matrix of results of several kinds")
        one = not isinstance(found[0], Tuple)
        parts = (found[0],) if one else found[0].items  # type: ignore[union-attr]
        try:
            return [self.result(type_) for type_ in parts], one
        except Unshaped:
            return self.results_as_run(parts, one), one

    def results_as_run(self, parts: Sequence[Type], one: bool) -> list[Space]:
        """Return the spaces of results whose shapes the function itself gives: it is called first."""
        function = self.primal.function
        summary = function.summary
        is_pure = summary is not None and replace(summary.effect, raises=False).is_pure
        others = {n: f for n, f in self.primal.functions.items() if n != function.name}
        clash = any(self.program.functions.get(n, f) != f for n, f in others.items())
        called = function.name if function.name.isidentifier() else "f"
        if not is_pure or summary.writes or clash:  # type: ignore[union-attr]
            raise NotYet("rows of a result whose shape is not known")
        if called in self.program.functions or function.name != called:
            raise NotYet("rows of a result whose shape is not known")
        self.called_first = {**others, called: function}
        args = [name(p.variable, p.type) for p in self.own]
        value = Expr("call", (Expr("function", (), called), *args), ())
        wishes = ["y"] if one else [f"y_{k + 1}" for k in range(len(parts))]
        targets = tuple(self.fresh.variable(wish, Role.TERM) for wish in wishes)
        self.lines.append(Let(targets[0] if one else targets, value))
        return [_as_run(name(v), type_) for v, type_ in zip(targets, parts, strict=True)]

    def result(self, type_: Type) -> Space:
        if isinstance(type_, Number) and is_float(type_):
            return Space(type_, Expr("tuple", ()), literal(1))
        if not isinstance(type_, Array | Numeric) or not is_float(type_) or type_.dtype[0] == "c":
            raise NotYet("a matrix of what is no array of floats")
        if not self.is_reverse:
            return Space(type_, Expr("tuple", ()), literal(1))
        if isinstance(type_, Numeric) or None in type_.lengths:
            raise Unshaped
        return self.of_lengths(type_)

    def of_lengths(self, type_: Array) -> Space:
        """Return the space of a result whose lengths are known by those of the arguments."""
        context = self.request.context
        parameters = {str(p.variable): p for p in self.program.function.parameters}
        lengths = [context.assumptions.resolve(n) for n in type_.lengths if n is not None]
        total = Length((), 1)
        for length in lengths:
            total = total * length
        made = [length_expression(n, parameters, context) for n in (*lengths, total)]
        dtype = None if type_.dtype == "float64" else written(f"np.{type_.dtype}")
        return Space(type_, Expr("tuple", tuple(made[:-1])), made[-1], dtype)

    def swept(self, seeds: Sequence[Expr]) -> Expr:
        """Return a call of the sweep."""
        others = iter(seeds)
        args = [
            next(others) if p.variable.role in SEEDS else name(p.variable, p.type)
            for p in self.program.function.parameters
        ]
        return Expr("call", (Expr("function", (), self.called), *args), ())

    def bound(self, wish: str, value: Expr) -> Expr:
        """Return the name that a value is bound to."""
        variable = self.fresh.variable(wish, Role.TERM)
        self.lines.append(Let(variable, value))
        return name(variable)

    def item(self, wish: str) -> Variable:
        """Return the variable of a comprehension, which may stand in several."""
        if wish not in self.items:
            self.items[wish] = self.fresh.variable(wish, Role.TERM)
        return self.items[wish]

    def ended(self, value: Expr) -> Block:
        """Return the statements so far, and the return of a value."""
        return (*self.lines, Return(value))

    # ------------------------------------------------------------ forward

    def columns(self) -> Block:
        """Return the body that puts columns together."""
        spaces = self.spaces()
        results, one = self.results() if self.form == "jacobian" else (spaces, self.single)
        found = [self.columns_of(space, spaces) for space in spaces]
        every = []
        for place, result in enumerate(results):
            blocks = [
                self.column_block(space, columns, result, None if one else place)
                for space, columns in zip(spaces, found, strict=True)
            ]
            every.append(blocks[0] if self.single else Expr("tuple", tuple(blocks)))
        return self.ended(every[0] if one else Expr("tuple", tuple(every)))

    def columns_of(self, space: Space, spaces: Sequence[Space]) -> Expr:
        """Return what the sweep gives along each unit vector of an argument."""
        stem = "column" if space.is_number else "columns"
        wish = stem if self.single else f"{space.name}_{stem}"
        if self.request.mode == "directional":
            units = [space.units() if s is space else s.zeros(space.size) for s in spaces]
            return self.bound(wish, self.swept(units))
        return self.bound(wish, self.one_by_one(space, spaces))

    def one_by_one(self, space: Space, spaces: Sequence[Space]) -> Expr:
        """Return what the sweep gives along each unit vector, in a list; of a number that alone."""

        def swept(unit: Expr) -> Expr:
            return self.swept([unit if s is space else s.zero() for s in spaces])

        return self.each(space, f"{space.name}_dot", swept)

    def each(self, space: Space, wish: str, swept: Callable[[Expr], Expr]) -> Expr:
        """Return what comes of each unit vector, in a list; of a number that alone."""
        if space.is_number:
            return swept(space.unit())
        unit = self.item(wish)
        generator = Expr("generator", (space.units(),), unit)
        return Expr("comprehension", (swept(name(unit)), generator), "list")

    def column_block(self, space: Space, columns: Expr, result: Space, key: int | None) -> Expr:
        """Return the matrix of one result and one argument."""
        if self.request.mode == "directional":
            return _last(space, _part(columns, key), result)
        if space.is_number:
            return _part(columns, key)
        parts = columns if key is None else self.parts("column", columns, key)
        made = written("np.stack(parts, axis=-1)", parts=parts)
        if space.is_vector:
            return made
        first = _part(subscript(columns, literal(0)), key)
        rest = written("np.shape(first) + shape", first=first, shape=space.shape)
        return written("made.reshape(rest)", made=made, rest=rest)

    def parts(self, wish: str, found: Expr, key: int) -> Expr:
        """Return one part of what each sweep gave."""
        each = self.item(wish)
        element = subscript(name(each), literal(key))
        return Expr("comprehension", (element, Expr("generator", (found,), each)), "list")

    def trace(self) -> Block:
        """Return the body that sums second derivatives along unit vectors."""
        spaces = self.spaces()
        terms = [self.trace_of(space, place, spaces) for place, space in enumerate(spaces)]
        total, *others = terms
        for term in others:
            total = Expr("binary", (total, term), "+")
        return self.ended(total)

    def trace_of(self, space: Space, place: int, spaces: Sequence[Space]) -> Expr:
        """Return the sum of second derivatives by the elements of one argument."""
        key = None if self.single else place

        def term(unit: Expr) -> Expr:
            product = _part(self.swept([unit if s is space else s.zero() for s in spaces]), key)
            if space.is_number:
                return product
            return written("np.vdot(unit, product)", unit=unit, product=product)

        items = self.each(space, f"{space.name}_dot", term)
        return (
            items
            if space.is_number
            else written("sum(items)", items=replace(items, data="generator"))
        )

    # ------------------------------------------------------------ reverse

    def rows(self) -> Block:
        """Return the body that puts rows together."""
        results, one = self.results()
        every = []
        for place, result in enumerate(results):
            stem = "row" if result.is_number else "rows"
            wish = stem if one else f"y_{place + 1}_{stem}"

            def swept(unit: Expr, place: int = place) -> Expr:
                seeds = [unit if k == place else r.zero() for k, r in enumerate(results)]
                return self.swept([seeds[0] if one else Expr("tuple", tuple(seeds))])

            rows = self.bound(wish, self.each(result, "y_bar", swept))
            blocks = [self.row_block(result, rows, k, s) for k, s in enumerate(self.spaces())]
            every.append(blocks[0] if self.single else Expr("tuple", tuple(blocks)))
        return self.ended(every[0] if one else Expr("tuple", tuple(every)))

    def row_block(self, result: Space, rows: Expr, place: int, space: Space) -> Expr:
        key = None if self.single else place
        if result.is_number:
            return _part(rows, key)
        parts = rows if key is None else self.parts("row", rows, key)
        made = written("np.stack(parts)", parts=parts)
        if result.is_vector:
            return made
        known = result.shape.op == "tuple"
        own = result.shape.args if known else (Expr("starred", (result.shape,), "*"),)
        shape = Expr("tuple", (*own, Expr("starred", (space.shape,), "*")))
        shape = result.shape if space.is_number else shape
        return written("made.reshape(shape)", made=made, shape=shape)


def _space_of(parameter: Parameter) -> Space:
    """Return the space of an argument."""
    type_, own = parameter.type, name(parameter.variable, parameter.type)
    named = parameter.variable.name
    if isinstance(type_, Number):
        return Space(type_, Expr("tuple", ()), literal(1), None, named)
    if isinstance(type_, Numeric):
        return Space(
            type_, written("np.shape(x)", x=own), written("np.size(x)", x=own), None, named
        )
    if not isinstance(type_, Array):
        raise NotYet("a matrix with respect to what is no array", None)
    dtype = None if type_.dtype == "float64" else written("x.dtype", x=own)
    return Space(type_, written("x.shape", x=own), written("x.size", x=own), dtype, named)


def _as_run(value: Expr, type_: Type) -> Space:
    """Return the space of a result that the function has given."""
    if isinstance(type_, Number):
        return Space(type_, Expr("tuple", ()), literal(1))
    shape, size = written("np.shape(y)", y=value), written("np.size(y)", y=value)
    return Space(Numeric(), shape, size)


def _part(value: Expr, key: int | None) -> Expr:
    return value if key is None else subscript(value, literal(key))


def _last(space: Space, columns: Expr, result: Space) -> Expr:
    """Return the matrix of columns that stand along the first axis."""
    if space.is_number:
        return subscript(columns, literal(0))
    moved = columns if result.is_number else written("np.moveaxis(made, 0, -1)", made=columns)
    if space.is_vector:
        return moved
    if result.is_number:
        return written("made.reshape(shape)", made=moved, shape=space.shape)
    parts = {"made": moved, "columns": columns, "shape": space.shape}
    return written("made.reshape(columns.shape[1:] + shape)", **parts)
