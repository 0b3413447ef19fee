"""What a derivative gives along unit vectors, put together: a Jacobian, a Hessian, a Laplacian.

    columns = [misfit_hvp(m, d, m_dot) for m_dot in np.eye(m.size)]
    return np.stack(columns, axis=-1)

The axes of the result come first, then those of the argument. Of a tuple of results, or of
arguments, there is a tuple of matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from s2sad.api.results import not_one_matrix, refuse_result
from s2sad.ir.errors import ArgumentError
from s2sad.legacy.emit import parameters
from s2sad.legacy.facts import Fact
from s2sad.legacy.layout import Layout
from s2sad.legacy.primal import Primal
from s2sad.legacy.printing import text, wrap
from s2sad.legacy.program import Param, base
from s2sad.source.fresh import free
from s2sad.source.places import parameter_place

WIDTH = 88


@dataclass(frozen=True, slots=True)
class Space:
    """An argument or a result that unit vectors are taken of: its name and what it is."""

    name: str
    fact: Fact

    @property
    def is_number(self) -> bool:
        """Tell whether there is one unit vector, 1.0."""
        return self.fact.is_scalar

    @property
    def is_vector(self) -> bool:
        """Tell whether the unit vectors are the rows of np.eye."""
        return self.fact.is_array and self.fact.rank == 1

    @property
    def shape(self) -> str:
        """The text of its shape."""
        return f"{self.name}.shape" if self.fact.is_array else f"np.shape({self.name})"

    @property
    def zero(self) -> str:
        """The text of its zero."""
        return "0.0" if self.is_number else f"np.zeros_like({self.name})"

    @property
    def size(self) -> str:
        """The text of how many elements it has."""
        if self.is_number:
            return "1"
        return f"{self.name}.size" if self.fact.is_array else f"np.size({self.name})"

    @property
    def _dtype(self) -> str:
        double = self.fact.dtype in ("", "float64")
        return "" if double else f", dtype={self.name}.dtype"

    def zeros(self, count: str) -> str:
        """The text of its zero, as often as there are directions."""
        shape = f"({count}, *{self.shape})" if not self.is_number else count
        return f"np.zeros({shape}{self._dtype})"

    @property
    def units(self) -> str:
        """The text of all its unit vectors."""
        size = self.size
        if self.is_number:
            return f"np.ones(1{self._dtype})"
        eye = f"np.eye({size}{self._dtype})"
        return eye if self.is_vector else f"{eye}.reshape({size}, *{self.shape})"


@dataclass
class _Names:
    """Names of a function that are not taken yet."""

    taken: set[str]

    def fresh(self, wanted: str) -> str:
        """Return a name that nothing else has."""
        name = free(wanted, self.taken)
        self.taken.add(name)
        return name


@dataclass
class Matrix:
    """A function that calls the sweep `sweep` over unit vectors, while it is written.

    `primal` is the name under which the file has the function itself, which reverse sweeps need
    for the shape of its result; it gets copies of the arguments that are `written`.
    """

    form: str
    name: str
    sweep: str
    reverse: bool
    primal: str
    params: Sequence[Param]
    names: Mapping[str, str]
    wrt: Sequence[Space]
    results: Sequence[Space]
    one_argument: bool
    one_result: bool
    written: frozenset[str]
    at_once: bool = False  # the sweep takes all unit vectors in one call
    lines: list[str] = field(default_factory=list)
    free: _Names = field(init=False)

    def text(self, header: Sequence[str]) -> list[str]:
        """Return the lines of the function."""
        show = parameters(self.own, lambda expr: text(expr, self.names.__getitem__))
        self.lines = wrap("", f"def {self.name}({show}):", 0, WIDTH)
        first, *others = header
        self.lines += [f'    """{first}', *(f"    {line}".rstrip() for line in others), '    """']
        self.free = _Names({*self.names.values(), self.name, self.sweep, self.primal, "np"})
        if self.form == "laplacian":
            self._put("return " + " + ".join(self._trace(space) for space in self.wrt))
        elif self.reverse:
            self._rows()
        else:
            self._columns()
        return self.lines

    @property
    def own(self) -> list[Param]:
        """The parameters of the function that is differentiated."""
        return [param for param in self.params if not _is_added(param)]

    def _put(self, line: str) -> None:
        self.lines += wrap("", line, 4, WIDTH)

    def _called(self, function: str, added: Iterable[str]) -> str:
        """Return the text of a call: own arguments, then tangents or a seed."""
        others = iter(added)
        args = []
        for param in self.params:
            name = self.names[param.var.slot]
            if not _is_added(param):
                copied = function == self.primal and param.var.slot in self.written
                value = f"np.copy({name})" if copied else name
            elif (value := next(others, "")) == "":
                continue
            args.append(f"{name}={value}" if param.kind == "keyword" else value)
        return f"{function}({', '.join(args)})"

    # ------------------------------------------------------------ forward

    def _columns(self) -> None:
        found = [self._columns_of(space) for space in self.wrt]
        every = []
        for i, result in enumerate(self.results):
            key = "" if self.one_result else f"[{i}]"
            blocks = [
                self._column_block(*pair, result, key) for pair in zip(self.wrt, found, strict=True)
            ]
            every.append(_joined(blocks, self.one_argument))
        self._put(f"return {_bare(_joined(every, self.one_result))}")

    def _columns_of(self, space: Space) -> str:
        stem = "column" if space.is_number else "columns"
        name = self.free.fresh(stem if self.one_argument else f"{space.name}_{stem}")
        self._put(f"{name} = {self._along(space)}")
        return name

    def _along(self, space: Space) -> str:
        """Return the text of what the sweep gives along each unit vector of an argument."""
        if self.at_once:
            units = [space.units if s is space else s.zeros(space.size) for s in self.wrt]
            return self._called(self.sweep, units)
        dot = self._dot(space)
        call = self._swept(space, dot)
        return call if space.is_number else f"[{call} for {dot} in {space.units}]"

    def _swept(self, space: Space, dot: str) -> str:
        """Return the text of the sweep along one unit vector of an argument."""
        unit = "1.0" if space.is_number else dot
        return self._called(self.sweep, [unit if s is space else s.zero for s in self.wrt])

    def _dot(self, space: Space) -> str:
        return next(
            self.names[p.var.slot]
            for p in self.params
            if _is_added(p) and base(p.var.slot) == space.name
        )

    def _column_block(self, space: Space, columns: str, result: Space, key: str) -> str:
        if self.at_once:
            return _last(space, f"{columns}{key}", result)
        if space.is_number:
            return f"{columns}{key}"
        parts = f"[column{key} for column in {columns}]" if key else columns
        made = f"np.stack({parts}, axis=-1)"
        first = f"{columns}[0]{key}"
        shape = f"{first}.shape" if result.fact.is_array else f"np.shape({first})"
        return made if space.is_vector else f"{made}.reshape({shape} + {space.shape})"

    def _trace(self, space: Space) -> str:
        """Return the text of the sum of second derivatives along each unit vector."""
        at = [s.name for s in self.wrt].index(space.name)
        key = "" if self.one_result else f"[{at}]"
        dot = self._dot(space)
        call = self._swept(space, dot) + key
        if space.is_number:
            return call
        return f"sum(np.vdot({dot}, {call}) for {dot} in {space.units})"

    # ------------------------------------------------------------ reverse

    def _rows(self) -> None:
        named = [Space(self.free.fresh("y"), each.fact) for each in self.results]
        if not all(each.is_number for each in named):
            targets = named[0].name if self.one_result else ", ".join(s.name for s in named)
            comma = "," if len(named) == 1 and not self.one_result else ""
            self._put(f"{targets}{comma} = {self._called(self.primal, ())}")
        every = []
        for result in named:
            rows = self._rows_of(result, named)
            blocks = [self._row_block(result, rows, j) for j in range(len(self.wrt))]
            every.append(_joined(blocks, self.one_argument))
        self._put(f"return {_bare(_joined(every, self.one_result))}")

    def _rows_of(self, result: Space, named: Sequence[Space]) -> str:
        stem = "row" if result.is_number else "rows"
        name = self.free.fresh(stem if self.one_result else f"{result.name}_{stem}")
        bar = f"{result.name}_bar"
        own = "1.0" if result.is_number else bar
        seeds = [own if each is result else each.zero for each in named]
        seed = own if self.one_result else f"({', '.join(seeds)}{',' * (len(seeds) == 1)})"
        call = self._called(self.sweep, [seed])
        made = call if result.is_number else f"[{call} for {bar} in {result.units}]"
        self._put(f"{name} = {made}")
        return name

    def _row_block(self, result: Space, rows: str, j: int) -> str:
        key = "" if self.one_argument else f"[{j}]"
        if result.is_number:
            return f"{rows}{key}"
        parts = f"[row{key} for row in {rows}]" if key else rows
        made = f"np.stack({parts})"
        shape = f"{result.shape} + {self.wrt[j].shape}"
        return made if result.is_vector else f"{made}.reshape({shape})"


def _last(space: Space, columns: str, result: Space) -> str:
    """Return the text of a matrix of which the columns stand along the first axis."""
    if space.is_number:
        return f"{columns}[0]"
    moved = columns if result.is_number else f"np.moveaxis({columns}, 0, -1)"
    if space.is_vector:
        return moved
    shape = space.shape if result.is_number else f"{columns}.shape[1:] + {space.shape}"
    return f"{moved}.reshape({shape})"


def _is_added(param: Param) -> bool:
    """Tell whether a parameter is a tangent or a seed."""
    return "~" in param.var.slot or param.var.slot.startswith("seed&")


def _joined(parts: Sequence[str], one: bool) -> str:
    if one:
        return parts[0]
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def _bare(text_: str) -> str:
    """Return a tuple without its brackets."""
    whole = text_.startswith("(") and text_.endswith(")") and not text_.endswith(",)")
    return text_[1:-1] if whole and _closes_last(text_) else text_


def _closes_last(text_: str) -> bool:
    depth = 0
    for place, letter in enumerate(text_):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return place == len(text_) - 1
    return False


# ---------------------------------------------------------------- refusals


def refuse_holders(
    function: object, wrt: Iterable[Space], results: Iterable[Space], layout: Layout | None = None
) -> None:
    """Refuse arguments and results that have no axes: lists, dicts, objects, texts."""
    name = getattr(function, "__name__", "")
    if layout is not None:
        raise not_one_matrix(function, name, f"a {layout.kind.__name__}")
    for each in wrt:
        if each.fact.kind in ("list", "tuple", "dict"):
            raise ArgumentError(
                f"{each.name} is a {each.fact.kind}, and one axis of a matrix belongs to one array",
                parameter_place(function, each.name),
                "Pass its arrays as arguments of their own, and name them in wrt.",
            )
    for each in results:
        refuse_result(function, each.fact.kind, name)


def refuse_written(function: object, primal: Primal, written: Iterable[str]) -> None:
    """Refuse rows of a function that changes a list or dict: it is run for its result first."""
    for param in primal.program.params:
        if param.var.slot in written and primal.facts.of(param.var).kind in ("list", "dict"):
            name = getattr(function, "__name__", "")
            raise ArgumentError(
                f"{name} changes its argument {param.var.slot}",
                parameter_place(function, param.var.slot),
                'Use mode="forward", or copy it first.',
            )
