"""What a text takes from the structure of examples is asked for: lengths, keys, classes, options.

p = (0.3, 0.4)            len(p) == 2
cfg = {"mode": "fast"}    list(cfg) == ["mode"] and cfg["mode"] == "fast"
rows = [u, v]             all(each.ndim == 1 for each in rows)
act = np.tanh             act is np.tanh

A loop over a tuple or the keys of a dict is unrolled, an option decides which way the text goes, and
the code of a function is in the text: with other arguments it would be another text.
"""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as Values
from contextlib import contextmanager
from contextvars import ContextVar
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Variable,
    attribute,
    call,
    constant,
    global_,
    name,
    negated,
    root_of,
    subscript,
)
from s2sad.ir.program import Parameter, Program
from s2sad.ir.records import MISSING, dataclass, field
from s2sad.ir.spelling import expression, quoted
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Code,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Region,
    Sequence,
    Tuple,
    Type,
    region_of,
)
from s2sad.ir.walk import nodes_in
from s2sad.operators.modules import OF_NUMBERS
from s2sad.source.owners import is_own
from s2sad.types.assumptions import Context
from s2sad.types.elementwise import Shape
from s2sad.types.lengths import without_lengths
from s2sad.types.plain import (
    BOOL,
    WHOLE,
    WORDS,
    all_of,
    are_like,
    are_numbers,
    are_of_kind,
    equal,
    every,
    item_of,
    letter_of,
    together,
    tuple_of,
)

DEEPEST, DEEPEST_LEAF = 6, 4  # parts of parts
FEW = 4  # parts of a tuple that are asked for one by one
CODE = (FunctionType, property, classmethod, staticmethod)
# what a class of data has of its own
OF_DATA = frozenset(
    "__init__ __repr__ __eq__ __hash__ __post_init__ __setattr__ __delattr__ __replace__ "
    "__getstate__ __setstate__".split()
)
PLAIN = (bool, int, float, str, type(None))
# a test, and the words of the message that stand for it
Asked = tuple[Expr, str]


@dataclass(slots=True)
class _Structure:
    """The tests of one program; `seen` are the objects that were met, by their sites.

    `of_numpy` tells that all arrays are plain ones of NumPy's, `stored` are the arguments of which
    arrays are made that what varies is put into.
    """

    context: Context
    length_of: Callable[[Any], Expr]
    options: Mapping[str, Any]
    taken: Mapping[tuple[type, str], Any]
    class_reads: Mapping[int, Expr]
    asks_kinds: bool
    fields: frozenset[str] | None = None
    of_numpy: bool = True
    stored: frozenset[Variable] = frozenset()
    seen: dict[Any, Expr] = field(default_factory=dict)

    def asked(self, expr: Expr, depth: int = 0, place: str = "") -> Iterator[Asked]:
        """Yield the tests of what is reached by an expression, of an item of lists at a `place` of its own."""
        path = expression(expr)
        place = _respelled(place or path)
        if place in self.options:
            # an argument that is one itself is asked for where it is lowered
            yield from _option(expr, path, self.options[place]) if depth else ()
            return
        type_ = expr.type.type if isinstance(expr.type, Optional) else expr.type
        if depth == DEEPEST:
            raise NotYet(f"an argument that is deeper than is asked for: {path}")
        match type_:
            case Tuple(items):
                options = dict(type_.options)
                yield from self.of_container(expr, path, type_.cls or tuple)
                yield _length(expr, len(items)), f"{len(items)} parts in {path}"
                if is_uniform(type_):
                    yield from self.items(expr, path, without_lengths(items[0]), place)
                    return
                for k, item in enumerate(items):
                    part = subscript(expr.typed(type_), constant(k), item)
                    if k in options:
                        yield from _option(part, expression(part), options[k])
                    else:
                        yield from self.asked(part, depth + 1, f"{place}[{k}]")
            case Code(value):
                yield from _code(expr, path, value)
            case Other(cls) if cls is type(None) and depth:
                yield from _option(expr, path, None)
            case Other(cls) if cls is slice:
                yield _is_slice(expr), f"a slice {path}"
            case Other(cls, Array()):
                assert cls is not None
                yield _is_sparse(expr, cls), f"{cls.__name__} {path}"
            case Sequence(_, cls):
                yield from self.of_container(expr, path, cls)
            case Reference(site):
                region = self.context.regions.get(site)
                if region is not None:
                    yield from self.region(expr, path, region, depth)

    def region(self, expr: Expr, path: str, region: Region, depth: int) -> Iterator[Asked]:
        """Yield the tests of a list, a dict or an object."""
        if region.site in self.seen:
            first = self.seen[region.site]
            same = Expr("compare", (expr, first), ("is",), BOOL)
            yield same, f"{path} is {expression(first)}"
            return
        self.seen[region.site] = expr
        yield from self.of_memory(expr, path, region)
        if region.kind == "list":
            yield from self.items(expr, path, region.item, str(region.site))
        for key, item in region.fields.items():
            part = _part(expr, region, key, item)
            place = expression(part) if region.cls is None else region.path_of(key)
            if region.cls in (None, dict, list) or self.is_read(place, str(key)):
                yield from self.asked(part, depth + 1, place)

    def of_memory(self, expr: Expr, path: str, region: Region) -> Iterator[Asked]:
        """Yield the tests of the class of a list, dict or object, and of how many it holds."""
        is_list = region.kind == "list"
        if is_list or region.cls in (None, dict, list):
            yield from self.of_container(expr, path, list if is_list else region.cls)
        if region.cls is list and is_list and getattr(region.item, "is_unset", False):
            yield _length(expr, 0), f"no items in {path}"
        elif is_list and region.site in self.context.sized:
            yield _length(expr, self.context.sized[region.site]), f"items in {path}"
        elif region.cls is list and not is_list:
            yield _length(expr, len(region.fields)), f"{len(region.fields)} items in {path}"
        elif region.cls in (None, dict) and not is_list:
            yield from _keys(expr, path, region, region.site in self.context.by_keys)
        elif region.cls not in (None, dict, list):
            yield from self.of_class(expr, path, region.cls)

    def of_container(self, expr: Expr, path: str, cls: type | None) -> Iterator[Asked]:
        """Yield the test of the class of a list, tuple or dict, where the function asks for it.

        Without an example, what is said to be one may be an array.
        """
        asks = self.asks_kinds or not self.context.has_examples
        if asks and cls in (list, tuple, dict, range):
            of, wanted = call(global_("type", type), expr), global_(cls.__name__, cls)
            if cls is tuple and not self.asks_kinds:  # a list will do
                kinds = Expr("tuple", (global_("list", list), wanted))
                yield Expr("compare", (of, kinds), ("in",), BOOL), f"a list or tuple {path}"
                return
            yield Expr("compare", (of, wanted), ("is",), BOOL), f"{cls.__name__} {path}"
        elif cls is not None and not is_fields_alone(cls):
            yield from self.of_class(expr, path, cls)

    def items(self, expr: Expr, path: str, item: Type, place: str) -> Iterator[Asked]:
        """Yield the test of the items of a list."""
        tests = self.each(item_of(expr).typed(item), f"{place}[-1]")
        if not tests:
            return
        words = self.words(item_of(expr), item, place)
        yield every(expr, lambda _: all_of(tests)), f"{words} in {path}"

    def is_stored(self, place: str) -> bool:
        """Tell whether what varies is put into arrays that are made of what an argument holds."""
        return re.split(r"[.\[]", place, maxsplit=1)[0] in map(str, self.stored)

    def words(self, each: Expr, item: Type, place: str) -> str:
        """Return in words what the items of a list are: arrays of rank 1, lists of real numbers."""
        if isinstance(item, Reference):
            region = self.context.regions[item.site]
            if region.kind == "list":
                sized = self.context.sized.get(region.site)
                count = "" if sized is None else f"{sized} "
                return f"lists of {count}{self.words(item_of(each), region.item, place)}"
            told = ", ".join(self.leaf_words(_numeric(each.typed(item), self.context)))
            return f"items ({told})" if told else "items"
        told = {
            Array: "arrays",
            Number: "floats"
            if self.is_stored(place) and letter_of(item) == "f"
            else "real numbers",
            Numeric: "floats or plain arrays of floats",
            Tuple: "tuples",
            Other: "slices" if getattr(item, "cls", None) is slice else "items",
        }.get(type(item), "items")
        parts = item.items if isinstance(item, Tuple) else (item,)
        shapes = [self.shape(part.lengths) for part in parts if isinstance(part, Array)]
        if shapes and None not in shapes:
            return f"{told} of shape {', '.join(expression(each) for each in shapes if each)}"
        return f"{told} of rank {item.rank}" if isinstance(item, Array) else told

    def leaf_words(self, leaves: Values[Expr]) -> Iterator[str]:
        """Yield in words what the arrays and numbers in an item of a list are."""
        for leaf in leaves:
            if isinstance(leaf.type, Array):
                of_one = " and one shape" if self.shape(leaf.type.lengths) else ""
                kind = WORDS.get(letter_of(leaf.type), "integer")
                yield f"{kind} array {expression(leaf)} of rank {leaf.type.rank}{of_one}"
        free = [expression(leaf) for leaf in leaves if isinstance(leaf.type, Numeric)]
        if free:
            yield f"floats or plain arrays of floats {', '.join(free)}"
        for kind in ("real ", ""):
            numbers = [e for e in leaves if isinstance(e.type, Number)]
            found = [expression(e) for e in numbers if (letter_of(e.type) != "c") is bool(kind)]
            if found:
                yield f"{kind}number{'s' if len(found) > 1 else ''} {', '.join(found)}"

    def shape(self, lengths: Shape) -> Expr | None:
        """Return the shape that all items of a list have, None where they have several."""
        known = tuple(self.length_of(n) for n in lengths if n is not None)
        if not known or len(known) != len(lengths):
            return None
        return _whole_shape(known) or Expr("tuple", known)

    def each(self, each: Expr, place: str) -> list[Expr]:
        """Return the tests of one item: of its structure, kinds, and the lengths that all have."""
        tests = [test for test, _ in self.asked(each, 1, place)]
        leaves = _numeric(each, self.context)
        arrays = [leaf for leaf in leaves if isinstance(leaf.type, Array)]
        numbers = [leaf for leaf in leaves if isinstance(leaf.type, Number)]
        free = [leaf for leaf in leaves if isinstance(leaf.type, Numeric)]
        if arrays:
            tests += are_like(arrays, self.of_numpy)
        for array in arrays:
            tests += self.of_lengths(array)
        # items without an example: floats, or plain arrays of floats
        tests += [are_of_kind(tuple_of(free), "f", takes_lists=False)] if free else []
        stored = frozenset(v for v in (root_of(each),) if v and self.is_stored(place))
        return [*tests, *([are_numbers(numbers, self.of_numpy, True, stored)] if numbers else [])]

    def of_lengths(self, array: Expr) -> Iterator[Expr]:
        """Yield the test of the lengths that an array has in all items of a list."""
        lengths: Any = array.type.lengths  # type: ignore[union-attr]
        found, wanted = attribute(array, "shape"), self.shape(lengths)
        known = [(k, self.length_of(n)) for k, n in enumerate(lengths) if n is not None]
        if wanted is not None:
            yield equal(found, wanted)
        elif known:
            yield together([(subscript(found, constant(k)), n) for k, n in known])

    def is_read(self, place: str, key: str) -> bool:
        """Tell whether a field may be read: an option that no code reads may be anything."""
        is_wanted = self.fields is None or key in self.fields
        return is_wanted or _respelled(place) not in self.options

    def of_class(self, expr: Expr, path: str, cls: type) -> Iterator[Asked]:
        """Yield the tests of the class of an object, and of what the text takes from the class."""
        if self.asks_kinds or not is_fields_alone(cls):
            module = "" if cls.__module__ == _HOME.get() else f"{cls.__module__}."
            yield _is_of_class(expr, cls), f"{path} of class {module}{cls.__qualname__}"
        hidden = []
        for (of, read), value in self.taken.items():
            if of is not cls or read.startswith("__") or hasattr(type(value), "__set__"):
                continue  # no object has these otherwise than its class
            part, text = attribute(expr, read), f"{path}.{read}"
            kept = self.class_reads.get(id(value))
            if value is MISSING:
                has = call(global_("hasattr", hasattr), expr, constant(read), type_=BOOL)
                yield negated(has), f"{path} without {read}"
            elif isinstance(value, PLAIN):
                yield is_value(part, value), f"{text} == {value!r}"
            elif kept is not None and isinstance(value, list | tuple | dict | np.ndarray):
                same = call(global_("np.array_equal", np.array_equal), part, kept, type_=BOOL)
                yield (
                    same if isinstance(value, np.ndarray) else equal(part, kept),
                    f"{text} as it was",
                )
            else:
                hidden.append(read)
        if hidden and cls.__dictoffset__:
            yield _hides_nothing(expr, hidden), f"{path} with {', '.join(hidden)} of its class"


def _whole_shape(axes: Values[Expr]) -> Expr | None:
    """Return u.shape of (u.shape[0], u.shape[1]), which are all axes of one array."""
    shape = axes[0].args[0] if axes[0].op == "subscript" else None
    if shape is None or not isinstance(shape.type, Tuple) or len(shape.type.items) != len(axes):
        return None
    wanted = [expression(subscript(shape, constant(k))) for k in range(len(axes))]
    return shape if list(map(expression, axes)) == wanted else None


def leaves(expr: Expr, context: Context, depth: int = 0) -> Iterator[Expr]:
    """Yield an argument, or the parts of a tuple, dict or object, each as it is reached."""
    type_ = expr.type
    if is_uniform(type_):  # asked for with its structure
        return
    if isinstance(type_, Tuple) and depth < DEEPEST_LEAF:
        for place, item in enumerate(type_.items):
            yield from leaves(subscript(expr, constant(place), item), context, depth + 1)
        return
    region = region_of(type_, context.regions)
    if region is None:
        yield expr
    elif region.kind == "fields" and depth < DEEPEST_LEAF:
        for key, item in region.fields.items():
            yield from leaves(_part(expr, region, key, item), context, depth + 1)


def _numeric(expr: Expr, context: Context) -> list[Expr]:
    """Return the arrays and numbers in an item of a list; flags are asked for as options."""
    found = (e for e in leaves(expr, context) if isinstance(e.type, Array | Numeric | Number))
    return [e for e in found if isinstance(e.type, Array) or letter_of(e.type) != "b"]


def _part(owner: Expr, region: Region, key: Any, item: Type) -> Expr:
    """Return a field of an object, an entry of a dict, or an item of a list."""
    if region.cls in (None, dict, list):
        return subscript(owner, constant(key), item)
    return attribute(owner, str(key), item)


def is_fields_alone(cls: type) -> bool:
    """Tell whether an object of a class is nothing but its fields: any that has them will do."""
    every = (item for each in cls.__mro__[:-1] for item in vars(each).items())
    return not any(isinstance(value, CODE) and key not in OF_DATA for key, value in every)


def is_uniform(type_: Type) -> bool:
    """Tell whether a tuple has so many parts of one kind that they are asked for together."""
    if not isinstance(type_, Tuple) or len(type_.items) <= FEW:
        return False
    first = type_.items[0]
    kind = getattr(first, "dtype", "O")
    same = all(_kind_of(item) == _kind_of(first) for item in type_.items)
    return same and isinstance(first, Array | Number) and kind[0] in "fc"


def _kind_of(item: Type) -> tuple[Any, ...]:
    rank = item.rank if isinstance(item, Array) else None
    return type(item), getattr(item, "dtype", None), rank


def structure_tests(
    parameters: Iterable[Parameter],
    program: Program,
    context: Context,
    length_of: Callable[[Any], Expr],
    asks_kinds: bool = True,
    fields: frozenset[str] | None = None,
    of_numpy: bool = True,
) -> Iterator[Asked]:
    """Yield the tests of the structure of arguments, each with the words that tell it.

    `length_of` gives a length as the text has it, `asks_kinds` tells that the function asks of which
    class its arguments are; `fields` are the attributes that it reads by name, None where that is not known; `of_numpy` that arrays are NumPy's.
    Raises NotYet for what cannot be asked for.
    """
    options = {_respelled(path): value for path, value in context.options.items()}
    reads = dict(_class_reads(program))
    taken = program.facts.get("taken", {})
    more = asks_kinds, fields, of_numpy, stored_in(program, context)
    structure = _Structure(context, length_of, options, taken, reads, *more)
    for parameter in parameters:
        yield from structure.asked(name(parameter.variable, parameter.type))


def stored_in(program: Program, context: Context) -> frozenset[Variable]:
    """Return the arguments that examples show to be floats, and that what varies is stored in a copy of."""
    stored: frozenset[Variable] = program.facts.get("stored", frozenset())
    return stored if context.has_examples else frozenset()


def _respelled(path: str) -> str:
    """Return a path with the quotes that all paths have."""
    return ast.unparse(ast.parse(path, mode="eval"))


def _class_reads(program: Program) -> Iterator[tuple[int, Expr]]:
    """Yield what a program reads of classes, by what it is: Model.table."""
    for node in nodes_in(program.body):
        if node.op == "global" and "." in node.data.text:
            yield id(node.data.value), node


# ---------------------------------------------------------------------------- tests


_HOME: ContextVar[str] = ContextVar("the module that texts are a part of", default="")


@contextmanager
def within_module(module: str) -> Iterator[None]:
    """Have texts that are made meanwhile stand in a module, which may be run as a script, too."""
    token = _HOME.set(module)
    try:
        yield
    finally:
        _HOME.reset(token)


def _is_of_class(expr: Expr, cls: type) -> Expr:
    """Return the test of an object's class, which other modules may have another one of."""
    of = call(global_("type", type), expr)
    told = tuple(attribute(of, key) for key in ("__module__", "__qualname__"))
    own = cls.__module__ == _HOME.get()
    module = name(Variable("__name__")) if own else constant(cls.__module__)
    wanted = module, constant(cls.__qualname__)
    return equal(
        *(Expr("tuple", parts, None, Tuple((UNKNOWN, UNKNOWN))) for parts in (told, wanted))
    )


def _is_slice(expr: Expr) -> Expr:
    """Return the test that a value is a slice: a list in its place may name an element twice."""
    of = call(global_("type", type), expr)
    return Expr("compare", (of, global_("slice", slice)), ("is",), BOOL)


def _is_sparse(expr: Expr, cls: type) -> Expr:
    """Return the test of the class of a sparse matrix: `*` of others is another product."""
    of = call(global_("type", type), expr)
    return equal(attribute(of, "__name__"), constant(cls.__name__))


def _length(expr: Expr, count: int) -> Expr:
    return equal(call(global_("len", len), expr, type_=WHOLE), constant(count, WHOLE))


def _hides_nothing(expr: Expr, names: list[str]) -> Expr:
    """Return the test that an object has nothing of its own under names of its class."""
    own = call(attribute(call(global_("vars", vars), expr), "keys"))
    wanted = Expr("set", tuple(constant(each) for each in names), None, Other(set))
    return negated(Expr("binary", (own, wanted), "&", Other(set)))


def _option(expr: Expr, path: str, value: Any) -> Iterator[Asked]:
    yield is_value(expr, value), option_text(path, value)


def is_value(expr: Expr, value: Any) -> Expr:
    """Return the test that an option is a value; a member of an Enum, whose class no text has, by its text."""
    if isinstance(value, enum.Enum):
        said = str if written_member(value) else repr
        return equal(call(global_(said.__name__, said), expr), constant(said(value)))
    symbol = "is" if value is None or isinstance(value, bool) else "=="
    return Expr("compare", (expr, constant(value)), (symbol,), BOOL)


def written_member(value: Any) -> str | None:
    """Return the text that tells a member of an Enum from all else, Law.LINEAR, where it is its own."""
    is_member = isinstance(value, enum.Enum) and not isinstance(value, int | str)
    said = f"{type(value).__name__}.{value.name}" if is_member else ""
    return said if is_member and str(value) == said else None


def option_text(path: str, value: Any) -> str:
    """Return an option as a call gives it: mode="square"."""
    if isinstance(value, enum.Enum):
        return f"{path}={type(value).__name__}.{value.name}"
    return f"{path}={quoted(value) if isinstance(value, str) else repr(value)}"


def _keys(expr: Expr, path: str, region: Region, is_by_keys: bool = False) -> Iterator[Asked]:
    """Yield the test of the keys of a dict, in their order: loops over them are unrolled.

    One that is read by its keys alone, without an example, may have them in any order.
    """
    keys = tuple(region.fields)
    words = f"{path} with the keys {', '.join(map(str, keys))}"
    if is_by_keys:
        wanted = Expr("set", tuple(map(constant, keys)), None, Other(set))
        yield equal(call(global_("set", set), expr), wanted), words
        return
    if not all(isinstance(key, str | int | float | tuple) for key in keys):
        raise NotYet(f"keys of {path} that no text gives")
    found = call(global_("list", list), expr)
    wanted = Expr("list", tuple(constant(key) for key in keys))
    yield equal(found, wanted), words


def _code(expr: Expr, path: str, value: Any) -> Iterator[Asked]:
    """Yield the test of a function: of a library itself, of the user's by its name.

    A text may give the name itself in its place, and None for a default without a name.
    """
    called = name_of_code(value)
    if is_public(value):
        found = global_(value.__name__, value)
        yield Expr("compare", (expr, found), ("is",), BOOL), f"{path} is {called}"
    elif called is not None:
        read = call(global_("getattr", getattr), expr, constant("__name__"), expr)
        yield equal(read, constant(called)), f"{path} is {called}"
    elif path.isidentifier():
        yield Expr("compare", (expr, constant(None)), ("is",), BOOL), f"{path} left out"
    else:
        raise NotYet(f"{path} is a function without a name, which no text can ask for")


def name_of_code(value: Any) -> str | None:
    """Return the name that a function, class or module is asked by; None of a lambda."""
    called = getattr(value, "__name__", "")
    return called if called.isidentifier() else None


def is_public(value: Any) -> bool:
    """Tell whether a function is found by its name in NumPy or in its own module."""
    called = getattr(value, "__name__", "")
    if isinstance(value, np.ufunc) or getattr(np, called, None) is value:
        return getattr(np, called, None) is value
    return not is_own(value) and getattr(value, "__module__", "") in (*OF_NUMBERS, "builtins")
