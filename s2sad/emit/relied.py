"""Whether a function asks of its arguments what they are: None or not, a float or a whole number.

if w is None: ...          the text is made for the one way: w is not None
if isinstance(n, int): ... and this one for a float
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from types import FunctionType
from typing import Any

from s2sad.ir.errors import NoSource
from s2sad.ir.records import dataclass
from s2sad.operators.table import words
from s2sad.source import Source, read
from s2sad.source.owners import is_own
from s2sad.source.trees import nodes_of

# what tells numbers of one kind from those of another, and arrays from numbers
CLASSES = frozenset(
    "isinstance type issubclass __class__ hasattr getattr callable singledispatch match repr except".split()
)
DTYPES = words("asks_dtype") | {"itemsize", ".dtype"}
KINDS = CLASSES | DTYPES | words("asks_kind") | {"is_integer", "dtype", "shape()", "size()"}
# what tells how many there are of what was made of numbers: np.append(x, 1.0).size
LENGTHS = frozenset("shape size len".split())

# what reads attributes of which the text does not tell the names
BY_NAME = frozenset(
    "getattr hasattr vars dir __dict__ __getattr__ __getattribute__ __slots__ asdict astuple fields "
    "attrgetter replace copy deepcopy match repr str format".split()
)
ANY = frozenset({"any argument"})
# where properties, class methods, static methods and the like hold the function that they call
HOLDING = ("fget", "__func__", "func")
# what Python raises where a value is of another kind
KIND_ERRORS = frozenset({"TypeError", "AttributeError", "Exception", "BaseException"})


@dataclass(frozen=True, slots=True)
class Asks:
    """What a function asks of values, itself or in the functions that it calls.

    `none` are the arguments that may be asked for None: ANY, where a called function asks.
    `classes` tells that the class of a number decides, `dtypes` the dtype of an array, `lengths`
    that lengths are asked for, of what numbers may be in.
    `fields` are the attributes that are read by their names, None where any may be.
    """

    none: frozenset[str]
    kinds: bool
    fields: frozenset[str] | None = None
    classes: bool = False
    dtypes: bool = False
    lengths: bool = False


def asks_of(source: Source, classes: Iterable[type] = ()) -> Asks:
    """Return what a function, those that it names, and methods of arguments ask of values."""
    source, seen = source.entered, set[int]()
    every = chain(_functions_in(source, seen), *(_functions_of(cls, seen) for cls in classes))
    first = next(every)
    asked = frozenset(name for node in first.nodes for name in _asked_for_none(node))
    # of what has been taken out of an argument nothing is known
    is_any = any(_compares_what_is_inside(node, source.tree) for node in first.nodes)
    words, read_ = first.words, first.attributes
    for each in every:
        if is_any and all(words & told for told in (BY_NAME, CLASSES, LENGTHS)):
            break  # nothing more can be asked: a library has thousands of functions
        words, read_ = words | each.words, read_ | each.attributes
        is_any = is_any or any(True for n in each.nodes for _ in _asked_for_none(n))
    fields = None if words & BY_NAME else read_
    by = (bool(words & each) for each in (CLASSES, CLASSES | DTYPES, LENGTHS))
    return Asks(ANY if is_any else asked, bool(words & KINDS), fields, *by)


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The nodes of the tree of a function, gone through once for all that is asked of them."""

    nodes: tuple[Any, ...]
    words: frozenset[str]

    @staticmethod
    @lru_cache(maxsize=256)
    def of(tree: Any) -> _Nodes:
        nodes = tuple(nodes_of(tree))
        return _Nodes(nodes, frozenset(_words(nodes)))

    @property
    def attributes(self) -> frozenset[str]:
        """Return the attributes that are read."""
        found = (n for n in self.nodes if type(n).__name__ == "Attribute")
        return frozenset(n.attr for n in found if type(n.ctx).__name__ == "Load")

    @property
    def own_names(self) -> set[str]:
        """Return the parameters and variables of the function."""
        names = (n for n in self.nodes if type(n).__name__ == "Name")
        return {node.id for node in names if type(node.ctx).__name__ != "Load"}


def _compares_what_is_inside(node: Any, tree: Any) -> bool:
    """Tell whether something else than an argument is compared with None."""
    if type(node).__name__ != "Compare" or not _has_none(node):
        return False
    spec = tree.args
    own = {each.id for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    sides = [s for s in (node.left, *node.comparators) if getattr(s, "value", 0) is not None]
    return any(getattr(side, "id", None) not in own for side in sides)


def _has_none(node: Any) -> bool:
    return any(getattr(side, "value", 0) is None for side in (node.left, *node.comparators))


def _functions_in(source: Source, seen: set[int]) -> Iterator[_Nodes]:
    """Yield the nodes of a function, and of the functions and classes that it names."""
    if id(source.function) in seen:
        return
    seen.add(id(source.function))
    found = _Nodes.of(source.tree)
    yield found
    for word in found.words - found.own_names:
        cell = source.cells.get(word)
        value = source.module.get(word) if cell is None else getattr(cell, "cell_contents", None)
        yield from _functions_of(value, seen)


def _functions_of(value: Any, seen: set[int]) -> Iterator[_Nodes]:
    for function in _functions(value):
        try:
            yield from _functions_in(read(function), seen)
        except NoSource:
            continue


def _functions(value: Any) -> Iterator[FunctionType]:
    """Yield a function of the user's, or the methods and properties of a class, inherited ones included."""
    classes = value.__mro__ if isinstance(value, type) else ()
    for each in [item for cls in classes for item in vars(cls).values()] or [value]:
        held = (getattr(each, word, None) for word in HOLDING)
        function = next(filter(None, held), each)
        if isinstance(function, FunctionType) and is_own(function):
            yield function  # those of named tuples are of the standard library


def _words(nodes: tuple[Any, ...]) -> Iterator[str]:
    """Yield the names and attributes that nodes spell, and words for what else asks of values."""
    given = {id(each.value) for each in nodes if getattr(each, "arg", "") == "dtype"}
    for node in nodes:
        match type(node).__name__:
            case "Name":
                yield node.id
            case "Attribute":
                yield node.attr
                if node.attr == "dtype" and id(node) not in given:
                    yield ".dtype"
            case "Match":
                yield "match"
            case "ExceptHandler":  # len(x) fails of numbers alone
                raised = node.type and KIND_ERRORS & set(_words(tuple(nodes_of(node.type))))
                yield "except" if node.type is None or raised else ""
            case "Call":  # np.shape(x) takes numbers, too
                yield f"{getattr(node.func, 'attr', '')}()"


def _asked_for_none(node: Any) -> Iterator[str]:
    """Yield the names that a node compares with None, or takes for true or false."""
    tested: list[Any] = []
    match type(node).__name__:
        case "Compare":
            tested = [node.left, *node.comparators] if _has_none(node) else []
        case "If" | "IfExp" | "While":
            tested = [node.test]
        case "BoolOp":
            tested = node.values
        case "UnaryOp":
            tested = [node.operand] if type(node.op).__name__ == "Not" else []
    yield from (each.id for each in tested if type(each).__name__ == "Name")
