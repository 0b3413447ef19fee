"""Whether a function asks of its arguments what they are: None or not, a float or a whole number.

if w is None: ...          the text is made for the one way: w is not None
if isinstance(n, int): ... and this one for a float
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from s2sad.ir.errors import NoSource
from s2sad.ir.records import dataclass
from s2sad.source import Source, read
from s2sad.source.owners import is_own

# what tells numbers of one kind from those of another, and arrays from numbers
CLASSES = frozenset(
    "isinstance type issubclass __class__ hasattr getattr callable singledispatch match repr except".split()
)
DTYPES = frozenset("iscomplexobj isrealobj issubdtype result_type can_cast itemsize .dtype".split())
KINDS = CLASSES | DTYPES | set("isscalar ndim is_integer dtype shape() size() iterable".split())

# what reads attributes of which the text does not tell the names
BY_NAME = frozenset(
    "getattr hasattr vars dir __dict__ __getattr__ __getattribute__ __slots__ asdict astuple fields "
    "attrgetter replace copy deepcopy match repr str format".split()
)
ANY = frozenset({"any argument"})
# what Python raises where a value is of another kind
KIND_ERRORS = frozenset({"TypeError", "AttributeError", "Exception", "BaseException"})


@dataclass(frozen=True, slots=True)
class Asks:
    """What a function asks of values, itself or in the functions that it calls.

    `none` are the arguments that may be asked for None: ANY, where a called function asks.
    `classes` tells that the class of a number decides, `dtypes` the dtype of an array.
    `fields` are the attributes that are read by their names, None where any may be.
    """

    none: frozenset[str]
    kinds: bool
    fields: frozenset[str] | None = None
    classes: bool = False
    dtypes: bool = False


def asks_of(source: Source, classes: Iterable[type] = ()) -> Asks:
    """Return what a function, those that it names, and methods of arguments ask of values."""
    source, seen = source.entered, set[int]()
    first, *others = _trees(source, seen)
    for cls in classes:
        others += _trees_of(cls, seen)
    words = {word for tree in (first, *others) for word in _words(tree)}
    asked = frozenset(name for node in ast.walk(first) for name in _asked_for_none(node))
    elsewhere = any(
        True for tree in others for node in ast.walk(tree) for _ in _asked_for_none(node)
    )
    # of what has been taken out of an argument nothing is known
    inside = any(_compares_what_is_inside(node, source.tree) for node in ast.walk(first))
    read_ = {name for tree in (first, *others) for name in _attributes_read(tree)}
    fields = None if words & BY_NAME else frozenset(read_)
    by = (bool(words & each) for each in (CLASSES, CLASSES | DTYPES))
    return Asks(ANY if elsewhere or inside else asked, bool(words & KINDS), fields, *by)


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


def _trees(source: Source, seen: set[int]) -> Iterator[Any]:
    """Yield the trees of a function, and of the functions and classes that it names."""
    if id(source.function) in seen:
        return
    seen.add(id(source.function))
    yield source.tree
    for word in set(_words(source.tree)) - _own_names(source.tree):
        cell = source.cells.get(word)
        value = source.module.get(word) if cell is None else getattr(cell, "cell_contents", None)
        yield from _trees_of(value, seen)


def _trees_of(value: Any, seen: set[int]) -> Iterator[Any]:
    for function in _functions(value):
        try:
            yield from _trees(read(function), seen)
        except NoSource:
            continue


def _own_names(tree: Any) -> set[str]:
    """Return the parameters and variables of a function."""
    names = (node for node in ast.walk(tree) if type(node).__name__ == "Name")
    return {node.id for node in names if type(node.ctx).__name__ != "Load"}  # type: ignore[attr-defined]


def _functions(value: Any) -> Iterator[FunctionType]:
    """Yield a function of the user's, or the methods of a class or an object of one."""
    if isinstance(value, FunctionType) and is_own(value):
        yield value
    elif isinstance(value, type) and is_own(value):
        yield from (each for each in vars(value).values() if isinstance(each, FunctionType))


def _words(tree: Any) -> Iterator[str]:
    told = {id(each.value) for each in ast.walk(tree) if getattr(each, "arg", "") == "dtype"}  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if getattr(node, "attr", "") == "dtype" and id(node) not in told:
            yield ".dtype"
        for key in ("id", "attr"):
            word = getattr(node, key, None)
            if isinstance(word, str):
                yield word
        if type(node).__name__ == "Match":
            yield "match"
        if type(node).__name__ == "ExceptHandler":  # len(x) fails of numbers alone
            yield "except" if node.type is None or KIND_ERRORS & set(_words(node.type)) else ""  # type: ignore[attr-defined]
        if type(node).__name__ == "Call":  # np.shape(x) takes numbers, too
            yield f"{getattr(node.func, 'attr', '')}()"  # type: ignore[attr-defined]


def _attributes_read(tree: Any) -> Iterator[str]:
    for node in ast.walk(tree):
        if type(node).__name__ == "Attribute" and type(node.ctx).__name__ == "Load":  # type: ignore[attr-defined]
            yield node.attr  # type: ignore[attr-defined]


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
