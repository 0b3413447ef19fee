"""The arguments of a call: bound to names, allowed, like the examples, given twice.

check_arguments(request, {"x": 3})   ->  ArgumentError: x is an integer (int 3): ...

f(w, w), f(model, model.w), f(Pair(a=w, b=w)) and f(G), where f reads the global G, too

A derivative leaves its arguments as they are: the others would not see what is written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from inspect import Signature
from numbers import Number
from types import CellType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

from s2sad.api.structure import leaves, parts_of
from s2sad.ir.errors import ArgumentError, Span
from s2sad.source.outside import Place, globals_in

OF_COMPLEX = "Derivatives are those of real numbers: pass real and imaginary part as two."
OF_SEEDS = (
    "The seed of a complex value belongs to its real part, and is real: return real and imaginary\n"
    "part as two, y.real and y.imag, and give each a seed."
)
# ---------------------------------------------------------------------------- arguments


def bind(
    name: str,
    signature: Signature,
    args: tuple[Any, ...],
    keywords: Mapping[str, Any],
    hint: str = "",
) -> dict[str, Any]:
    """Return the arguments of a call by parameter name, defaults filled in."""
    try:
        bound = signature.bind(*args, **keywords)
    except TypeError as error:
        raise ArgumentError(
            f"{name}{signature} does not take these arguments: {error}",
            hint=hint or "Give it the arguments of its signature.",
        ) from None
    bound.apply_defaults()
    return bound.arguments


# where a parameter stands: asked for only where there is something to say of it
Where = Callable[[str], Span | None]
Found = Callable[[], Span | None]


def check_arguments(
    bound: Mapping[str, Any], wrt: Iterable[str], extra: Mapping[str, str], place: Where
) -> None:
    """Refuse arguments that cannot be differentiated, and tangents and seeds that do not fit.

    `extra` maps the parameters that follow the primal's own to the one whose tangent each is;
    `place` tells where a parameter stands.
    """
    for name, value in bound.items():
        for path, leaf in leaves(value, name):
            _refuse_array_subclass(path, leaf, partial(place, name))
    for name in wrt:
        for path, leaf in leaves(bound[name], name):
            if path == name or not isinstance(leaf, (str, NoneType)):
                _refuse_discrete(
                    path, leaf, "differentiate with respect to it", partial(place, name)
                )
    for name, primal in extra.items():
        if primal:
            check_tangent(name, bound[name], primal, bound[primal], partial(place, primal))
        for path, leaf in leaves(bound[name], name):
            if isinstance(leaf, np.ndarray) or np.iscomplexobj(leaf):
                _refuse_discrete(path, leaf, f"use it as {name}", partial(place, primal))


def refuse_unlike_items(value: Any, path: str, place: Found) -> None:
    """Refuse a list that holds numbers or arrays beside lists of several shapes.

    An adjoint is made for an item of a list without knowing which: a tuple tells its parts apart.
    """
    if not isinstance(value, dict | list | tuple):
        return
    held = [(f"{path}{at}", part) for at, part in parts_of(value) or ()]
    inner = [(at, part) for at, part in held if isinstance(part, list | tuple)]
    if isinstance(value, list) and 0 < len(inner) < len(held):
        for at, part in inner:
            if not _has_a_shape(part):
                raise ArgumentError(
                    f"{at} holds parts of several shapes, in a list that holds numbers or arrays, "
                    "too: cannot differentiate with respect to it",
                    place(),
                    f"Make {path} a tuple or a dict: their parts are told apart.",
                )
    for at, part in held:
        refuse_unlike_items(part, at, place)


def _has_a_shape(value: Any) -> bool:
    try:
        return np.asarray(value).dtype.kind != "O"
    except ValueError:
        return False


def _refuse_array_subclass(path: str, leaf: Any, place: Found) -> None:
    if isinstance(leaf, np.ndarray) and type(leaf) not in (np.ndarray, np.memmap):
        kind = type(leaf).__name__
        raise ArgumentError(
            f"{path} is {_a(kind)}, whose operators are not those of an array",
            place(),
            f"Pass np.asarray({path}).",
        )


def _refuse_discrete(path: str, leaf: Any, purpose: str, place: Found) -> None:
    dtype = None if isinstance(leaf, ModuleType) else getattr(leaf, "dtype", None)
    kind = getattr(dtype, "kind", "")
    if isinstance(leaf, complex) or kind == "c":
        raise ArgumentError(
            f"{path} is complex: cannot {purpose}",
            place(),
            OF_SEEDS if "seed" in purpose else OF_COMPLEX,
        )
    if isinstance(leaf, float) or kind == "f":
        return
    if dtype is not None and np.ndim(leaf) > 0:
        hint = f"Pass {path}.astype(float)." if kind in "biuO" else ""
        raise ArgumentError(f"{path} is an array of {dtype}: cannot {purpose}", place(), hint)
    if isinstance(leaf, (int, np.integer, np.bool_)):
        raise ArgumentError(
            f"{path} is an integer ({type(leaf).__name__} {leaf}): cannot {purpose}",
            place(),
            f"Pass a float: {float(leaf)!r}." if leaf <= sys.float_info.max else "Pass a float.",
        )
    raise ArgumentError(
        f"{path} is {_a(type(leaf).__name__)}: cannot {purpose}",
        place(),
        "Pass a float, an array of floats, or a list, tuple or dict of them.",
    )


def _a(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def check_tangent(extra: str, tangent: Any, name: str, value: Any, place: Found) -> None:
    """Refuse a tangent or seed that does not have the structure and the shapes of its value."""
    primal, given = list(leaves(value, extra)), list(leaves(tangent, extra))
    if [path for path, _ in primal] != [path for path, _ in given]:
        raise ArgumentError(
            f"{extra} is not built like {name}",
            place(),
            "Give a list, tuple or dict of the same parts.",
        )
    for (path, leaf), (_, part) in zip(primal, given, strict=True):
        if np.shape(leaf) != np.shape(part):
            raise ArgumentError(
                f"{path} has shape {np.shape(part)}, but the value it belongs to has "
                f"shape {np.shape(leaf)}",
                place(),
                "Give it that shape.",
            )
        if _holds_numbers(leaf) and not _holds_numbers(part):
            raise ArgumentError(
                f"{path} is {_a(type(part).__name__)}, not a number",
                place(),
                "Give a float, or an array of floats.",
            )


def _holds_numbers(leaf: Any) -> bool:
    """Tell whether what has no parts is a number or an array of numbers, of any module."""
    kind = getattr(getattr(leaf, "dtype", None), "kind", None)
    return isinstance(leaf, Number) if kind is None else kind not in "OSUVMm"


def check_directions(bound: Mapping[str, Any], extra: Mapping[str, str], place: Where) -> None:
    """Refuse directions that are not arrays of tangents, one after the other, as many of each."""
    counts = {}
    for name, primal in extra.items():
        given, wanted = bound[name], np.shape(bound[primal])
        if not hasattr(given, "dtype") or np.ndim(given) != len(wanted) + 1:
            raise ArgumentError(
                f"{name} holds no directions of {primal}: it has shape {np.shape(given)}",
                place(primal),
                f"Give an array of shape (directions, {', '.join(map(str, wanted))}).",
            )
        if np.shape(given)[1:] != wanted:
            raise ArgumentError(
                f"each direction in {name} has shape {np.shape(given)[1:]}, but {primal} has shape "
                f"{wanted}",
                place(primal),
                "Give directions of that shape.",
            )
        _refuse_discrete(name, given, f"use it as {name}", partial(place, primal))
        counts[name] = len(given)
    if len({*counts.values()}) > 1:
        told = ", ".join(f"{name} holds {count}" for name, count in counts.items())
        raise ArgumentError(
            f"as many directions of each have to be given: {told}",
            hint="Give zeros for what a direction leaves as it is.",
        )


def difference(value: Any, wanted: Any) -> tuple[str, str] | None:
    """Return in which way an argument is not like that which a text was made for."""
    ranks = _rank(value), _rank(wanted)
    if None not in ranks:
        told = f"has {_axes(ranks[0])}", f"with {_axes(ranks[1])}"
        return None if ranks[0] == ranks[1] else told
    words = _holder(value), _holder(wanted)
    if words[0] == words[1] or any(hasattr(type(each), "__next__") for each in (value, wanted)):
        return None
    return f"is a {words[0]}", f"that is a {words[1]}"


def _rank(value: Any) -> int | None:
    """Return the number of axes of a number or an array; None of anything else."""
    is_numeric = not isinstance(value, ModuleType) and _holds_numbers(value)
    return int(np.ndim(value)) if is_numeric else None


def _holder(value: Any) -> str:
    """Return in a word what holds parts."""
    if type(value) in (list, tuple):
        return type(value).__name__
    return "dict" if isinstance(value, dict) else "number or array"


def _axes(rank: int | None) -> str:
    return {0: "no axes", 1: "1 axis"}.get(rank or 0, f"{rank} axes")


def refuse_other_facts(
    own: Mapping[str, Any], examples: Mapping[str, Any], name: str, place: Where
) -> None:
    """Refuse arguments that are not like the examples that the derivative `name` was made for."""
    for parameter, value in own.items():
        differs = parameter in examples and difference(value, examples[parameter])
        if differs:
            is_, was = differs
            raise ArgumentError(
                f"{parameter} {is_}, but {name} was made for {parameter} {was}",
                place(parameter),
                "Leave out like=, or give arguments that are like those of the call.",
            )


def refuse_shared(
    bound: Mapping[str, Any],
    written: frozenset[str],
    seen: Iterable[Place],
    place: Where,
) -> None:
    """Refuse arguments that share memory, or an object, with what the function writes to.

    `written` holds names, and fields as `p.u`; of `p.` only the object itself gets other fields.
    `seen` is what the function reads outside of it.
    """
    kept = list(_read_outside(tuple(seen)))
    for path in sorted(written):
        name = argument_of(path)
        if name not in bound:
            continue
        mine, others = _parts(path, bound)
        for other, theirs in (*others, *kept):
            if any(_is_one(each, theirs) for each in mine):
                raise _refusal(path.rstrip("."), other, isinstance(theirs, np.ndarray), place(name))


def _refusal(path: str, other: str, of_arrays: bool, span: Span | None) -> ArgumentError:
    kind, copy = ("array", f"{other}.copy()") if of_arrays else ("object", "copy.deepcopy(...)")
    problem = f"{path} and {other} are one {kind}, and {path} is written to"
    return ArgumentError(problem, span, f"Pass a copy: {copy}.")


def argument_of(path: str) -> str:
    """Return the argument of which a path leads to a part: `p` of `p.u` and `p['u']`."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def _parts(path: str, bound: Mapping[str, Any]) -> tuple[list[Any], list[tuple[str, Any]]]:
    """Return what is written to, and what else is handed over, by its path."""
    name = argument_of(path)
    mine: list[Any] = []
    others: list[tuple[str, Any]] = []
    for other, value in bound.items():
        if other != name:
            others += _mutable(value, other)
    for at, part in _mutable(bound[name], name):
        if at == path.rstrip(".") or at.startswith((path + ".", path + "[")):
            mine.append(part)
        elif not path.startswith((at + ".", at + "[")):
            others.append((at, part))  # what holds it is not another
    return mine, others


def _mutable(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the arrays, lists, dicts and objects that a value is or holds, each with its path."""
    if type(value) in (float, int, str, bool):
        return
    is_array, parts = isinstance(value, np.ndarray), parts_of(value)
    if is_array or (parts is not None and not isinstance(value, tuple)):
        yield path, value
    for at, part in parts or () if not is_array else ():
        yield from _mutable(part, f"{path}{at}")


def _read_outside(seen: tuple[Place, ...]) -> Iterator[tuple[str, Any]]:
    """Yield what stands under globals, in cells and in defaults; attributes are no globals."""
    codes = [value for _, _, value in seen if isinstance(value, CodeType)]
    names = frozenset[str]().union(*map(globals_in, codes))
    for _, name, value in seen:
        if isinstance(name, CellType | FunctionType):
            yield from _mutable(value, "what the function holds")
        elif isinstance(name, str) and name in names:
            yield from _mutable(value, name)


def _is_one(a: Any, b: Any) -> bool:
    """Tell whether two are one object, or arrays that overlap."""
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return a is b
    if not np.may_share_memory(a, b):
        return False
    try:
        return bool(np.shares_memory(a, b, max_work=10_000))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True
