"""What a text takes from the objects, dicts and tuples of its examples is asked where it begins.

class Model: k = 2.0        if (m.__class__.__module__, ...) != ...     where its methods are followed
                            if m.k != 2.0: ...                          where m.k is read
m.mode == "square"          if m.mode != "square": ...

Only what some function names that can be reached is asked: other options of an object are free.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from s2sad.legacy.constants import constant_text
from s2sad.legacy.facts import Fact, Facts
from s2sad.legacy.printing import text
from s2sad.legacy.program import Const, Program
from s2sad.source.installed import is_installed
from s2sad.source.outside import function_in, names_in, outside
from s2sad.source.plain import is_record

Check = tuple[str, str]
# methods that no derivative follows for an object that is there already
SILENT = frozenset(
    {"__init__", "__post_init__", "__new__", "__init_subclass__", "__repr__", "__str__"}
)
GENERATED = ("<string>", "<attrs generated init>")  # what dataclasses and the like write
# who asks for the class of what it is given, or for all fields of it
OF_CLASSES = frozenset({"isinstance", "type", "__class__", "hasattr"})
OF_ALL = frozenset({"vars", "__dict__", "asdict", "astuple", "fields", "_asdict", "_fields"})


def object_checks(
    program: Program, facts: Facts, function: Any, wrt: Collection[str]
) -> dict[str, str]:
    """Return the tests, with their messages, of what a text relies on in objects and containers."""
    params = [(param.var.slot, facts.of(param.var)) for param in program.params]
    words = _words(function, {kind for _, fact in params for kind in _classes(fact)})
    found: dict[str, str] = {}
    for name, fact in params:
        if fact.kind in ("record", "dict", "tuple", "list"):
            found |= dict(_of_value(name, fact, words, name in wrt))
    return found


# ---------------------------------------------------------------------------- names that are read


def _classes(fact: Fact) -> Iterator[type]:
    """Yield the classes of the objects in a value."""
    if fact.kind == "record" and fact.made_of is not None:
        yield fact.made_of
    for item in fact.items:
        yield from _classes(item)


def _words(function: Any, classes: Collection[type]) -> frozenset[str]:
    """Return the names and texts in all code that a function and methods of classes may reach."""
    words = _words_behind(function)
    left = {name: held for kind in classes for name, held in _own_of(kind).items()}
    while True:
        reached = [name for name, held in left.items() if _is_reached(name, held, words)]
        if not reached:
            return words
        words = words.union(*(_words_behind(_code_of(left.pop(name))) for name in reached))


def _words_behind(function: Any) -> frozenset[str]:
    codes = (value for _, _, value in outside(function) if isinstance(value, CodeType))
    written = (code for code in codes if code.co_filename not in GENERATED)
    return frozenset[str]().union(*map(_words_in, written))


def _is_reached(name: str, held: Any, words: frozenset[str]) -> bool:
    """Tell whether a method or property may be run: by its name, or by an operator."""
    operator = name.startswith("__") and name.endswith("__") and name not in SILENT
    return (name in words or operator) and _code_of(held) is not None


def _words_in(code: CodeType) -> frozenset[str]:
    texts = (each for each in code.co_consts if isinstance(each, str))
    inner = (_words_in(each) for each in code.co_consts if isinstance(each, CodeType))
    return names_in(code).union(texts, *inner)


# ---------------------------------------------------------------------------- values


def _of_value(path: str, fact: Fact, words: frozenset[str], active: bool) -> Iterator[Check]:
    """Yield the tests of a value, and of what it holds."""
    if fact.kind == "record":
        yield from _of_object(path, fact, words, active)
    elif fact.kind == "dict" and len(fact.keys) == len(fact.items):
        yield from _of_dict(path, fact, words, active)
    elif fact.kind == "tuple" and fact.count:
        for place, item in enumerate(fact.items):
            yield from _of_value(f"{path}[{place}]", item, words, active)
    elif fact.kind == "list" and fact.items and fact.items[0].kind == "record":
        for test, message in _of_value("each", fact.items[0], words, False):
            said = message.replace("each", f"items of {path}: each", 1)
            yield f"any({test} for each in {path})", said
    else:
        yield from _of_leaf(path, fact, active)


def _of_dict(path: str, fact: Fact, words: frozenset[str], active: bool) -> Iterator[Check]:
    keys = [text(Const(key), str) for key in fact.keys]
    parts = zip(keys, fact.items, strict=True)
    found = [
        each for key, item in parts for each in _of_value(f"{path}[{key}]", item, words, active)
    ]
    if found:
        names = ", ".join(map(str, fact.keys))
        there = f"not {{{', '.join(keys)}}} <= {path}.keys()"
        yield there, f"made for {path} with the keys {names}"
    yield from found


def _of_leaf(path: str, fact: Fact, active: bool) -> Iterator[Check]:
    """Yield the tests of an option, and of how many axes numbers and arrays have."""
    if isinstance(fact.value, Const):
        test = _differs(path, fact.value.value)
        if test:
            yield test, f"made for {path} = {text(fact.value, str)}"
    elif fact.is_array and fact.rank is not None:
        yield f"np.ndim({path}) != {fact.rank}", f"made for {path} of rank {fact.rank}"
    elif fact.is_scalar and active:
        yield f"np.ndim({path}) != 0", f"made for a number {path}"


def _differs(path: str, value: Any) -> str | None:
    """Return the test of whether something else than a constant stands at a path."""
    spelled = constant_text(value)
    if spelled is None or value is Ellipsis:
        return None
    if value is None or isinstance(value, bool):
        return f"{path} is not {spelled}"
    if isinstance(value, np.ndarray):
        return f"not np.array_equal({path}, {spelled})"
    if isinstance(value, float | np.floating) and np.isnan(value):
        return f"not np.isnan({path})"
    return f"{path} != {spelled}"


# ---------------------------------------------------------------------------- objects


def _of_object(path: str, fact: Fact, words: frozenset[str], active: bool) -> Iterator[Check]:
    kind: Any = fact.made_of
    if _is_followed(kind, fact.keys, words):
        yield _is_of_another_class(path, kind), f"made for {path} of class {kind.__name__}"
    for key, item in zip(fact.keys, fact.items, strict=True):
        if key in words or OF_ALL & words or issubclass(kind, tuple):
            yield from _of_value(f"{path}.{key}", item, words, active)
    yield from _of_class_values(path, kind, fact.keys, words)


def _is_of_another_class(path: str, kind: type) -> str:
    """Return the test of an object's class, which other modules may have another one of."""
    told = ", ".join(f"{path}.__class__.{key}" for key in ("__module__", "__qualname__"))
    module, name = (text(Const(each), str) for each in (kind.__module__, kind.__qualname__))
    return f"({told}) != ({module}, {name})"


def _own_of(kind: Any) -> dict[str, Any]:
    """Return what a class of the user's and those that it derives from define."""
    held: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        if each.__module__ not in ("builtins", "typing", "abc", "types"):
            held |= vars(each)
    return held


def _is_followed(kind: Any, fields: Collection[Any], words: frozenset[str]) -> bool:
    """Tell whether a text depends on what class an object has: methods, operators, isinstance."""
    if OF_CLASSES & words or kind.__name__ in words:
        return True
    own = {name: held for name, held in _own_of(kind).items() if name not in fields}
    return any(_is_reached(name, held, words) for name, held in own.items())


def _code_of(held: Any) -> FunctionType | None:
    """Return the Python function behind a method or property, but for one that was generated."""
    cached = isinstance(held, functools.cached_property)
    function = held.func if cached else function_in(held)
    if not isinstance(function, FunctionType) or is_installed(function):
        return None
    return None if function.__code__.co_filename in GENERATED else function


def _of_class_values(
    path: str, kind: Any, fields: Collection[Any], words: frozenset[str]
) -> Iterator[Check]:
    """Yield the tests of what a class holds for all its objects."""
    for name, held in _own_of(kind).items():
        if name in words and name not in fields and not name.startswith("__"):
            yield from _of_constant(f"{path}.{name}", held, words)


def _of_constant(path: str, value: Any, words: frozenset[str]) -> Iterator[Check]:
    if is_record(value):
        for name, held in vars(value).items():
            if name in words:
                yield from _of_constant(f"{path}.{name}", held, words)
        yield from _of_class_values(path, type(value), vars(value), words)
    elif not hasattr(value, "__get__"):
        test = _differs(path, value)
        if test:
            yield test, f"made for {path} = {constant_text(value)}"
