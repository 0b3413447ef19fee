"""A template's annotations become calls of it: shapes, dtypes, kinds and options to try.

def std(a, axis: none = None, ddof=0, keepdims: false = False)
    std(a), std(a, None, ddof=1), ... with a 0-d, (4,), (3, 2), empty, not contiguous
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, call, constant, global_, keywords, positional
from s2sad.ir.records import dataclass, field
from s2sad.operators.binding import holes_of
from s2sad.operators.guards import GUARDS
from s2sad.operators.rule import Rule
from s2sad.operators.trees import literal
from s2sad.source.optional import imported
from s2sad.testing.domains import DOMAINS, made_for

OTHER_WORDS = {"constant", "several", "fixed"}
# the words for lists and tuples, with the shapes of the parts that are tried; of a tuple in a list
PARTS: Mapping[str, tuple[tuple[Any, ...], ...]] = {
    "several": (((), (), ()),),
    "numbers": (((), (), ()), ((),)),
    "values": (((3,), (3,)), ((2, 3), (2, 3), (2, 3)), ((), ())),
    "nested": (((3,), (3,)), ((2, 3), (2, 3), (2, 3)), ((), ())),
    "tuples": (([(), ()], [(), ()], [(), ()]), ([(), (2,)], [(), (2,)])),
    "sequence": (((3,), (3,)), ((), ())),
    "holder": (((3,), (3,)), ((), ())),
    "vectors": (((3,), (3,)),),
    "matrices": (((2, 2), (2, 2)),),
}

Shape = tuple[int, ...]
NUMBER, ZERO_D, STRIDED, FORTRAN = "number", "0-d", "strided", "Fortran"


@dataclass(frozen=True)
class Case:
    """One call: the pattern with values for its parameters, arrays in `env`.

    `hidden` is the same call with its options (an axis, a number) in variables.
    """

    expr: Expr
    env: Mapping[str, Any]
    varying: tuple[str, ...]
    label: str = ""
    hidden: Expr | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def values(self) -> Mapping[str, Any]:
        """Return operands and options by name."""
        return {**self.env, **self.options}


@dataclass(frozen=True)
class Setting:
    """Shapes for the parameters that vary, and how the values are held."""

    shapes: tuple[Shape, ...]
    held: str = ""
    dtype: str = "float64"
    parts: int = 0


def cases(rule: Rule, pattern: Expr, thorough: bool) -> Iterator[Case]:
    """Yield the calls that one spelling of a rule is tried with."""
    for setting in settings(rule, thorough):
        rng = np.random.default_rng(7)
        env = dict(_operands(rule, setting, rng))
        for options in _options(rule, pattern, env):
            label = f"{setting} {options}"
            expr = filled(rule, pattern, options, {**env})
            hidden = filled(rule, pattern, options, {**env, **options})
            yield Case(expr, env, varying(rule), label, hidden, options)


def given_cases(rule: Rule, pattern: Expr, examples: tuple[tuple[Any, ...], ...]) -> Iterator[Case]:
    """Yield the calls of examples: as they are, and with arrays that have gaps in memory."""
    for args in examples:
        for held in ("", STRIDED, FORTRAN):
            env = {name: _frozen(x, held) for name, x in zip(rule.params, args, strict=False)}
            floats = (n for n, x in env.items() if np.result_type(x).kind == "f")
            moved = tuple(name for name in floats if name in rule.differentiable)
            yield Case(filled(rule, pattern, {}, env), env, moved, f"{held} {args}")


def _frozen(value: Any, held: str) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    return _held(value, Setting((), held, str(value.dtype))) if value.ndim else value


def filled(rule: Rule, pattern: Expr, options: Mapping[str, Any], env: Mapping[str, Any]) -> Expr:
    """Return the pattern as a user's operation; options that are absent are left out."""

    def change(part: Expr) -> Expr:
        if part.op == "name":
            hole = part.data.name
            return part if hole in env else spelled(options[hole])
        if part.op == "call":
            return _call(part, options, env, change)
        return part.with_args(map(change, part.args))

    return change(pattern)


def _call(part: Expr, options: Any, env: Any, change: Any) -> Expr:
    args: list[Expr] = []
    named: dict[str, Expr] = {}
    skipped = False
    for arg in positional(part):
        if arg.op == "name" and arg.data.name not in env and arg.data.name not in options:
            skipped = True
        elif arg.op == "starred":
            parts = change(arg.args[0])
            args += parts.args if parts.op in ("tuple", "list") else [arg.with_args((parts,))]
        elif skipped and arg.op == "name":
            named[arg.data.name] = change(arg)
        else:
            args.append(change(arg))
    for key, value in keywords(part).items():
        if value.op != "name" or value.data.name in env or value.data.name in options:
            named[key] = change(value)
    operands = (change(part.args[0]), *args, *named.values())
    return Expr("call", operands, tuple(named))


def spelled(value: Any) -> Expr:
    """Return a Python value as the user would write it."""
    match value:
        case bool() | None:
            return literal(value)
        case str():
            return constant(value)
        case float() if value == np.inf:
            return global_("np.inf", np.inf)
        case int() | float() if value < 0:
            return Expr("unary", (literal(-value),), "-")
        case int() | float():
            return literal(value)
        case tuple() | list():
            kind = "tuple" if isinstance(value, tuple) else "list"
            return Expr(kind, tuple(map(spelled, value)))
        case type():
            return global_(value.__name__, value)
        case np.ndarray():
            return call(global_("np.array", np.array), spelled(value.tolist()))
    if callable(value):
        return global_(type(value).__name__.lower(), value)
    raise TypeError(value)


# ---------------------------------------------------------------------------- operands

SINGLE: tuple[tuple[Shape, ...], ...] = (((4,),), ((3, 2),), ((0,),), ((2, 3, 2),))
PAIRS: tuple[tuple[Shape, ...], ...] = (
    ((4,), (4,)),
    ((3, 2), (2,)),
    ((3, 1), (1, 2)),
    ((), (3,)),
    ((3,), ()),
    ((0,), (0,)),
    ((2, 3), (1, 3)),
)


def settings(rule: Rule, thorough: bool) -> Iterator[Setting]:
    """Yield shapes for the parameters that vary, the usual ones first."""
    found = list(_all_settings(rule))
    thorough = thorough or any("single" in words for words in rule.marks.values())
    plain = [s for s in found if s.held not in (STRIDED, FORTRAN) and s.dtype == "float64"]
    yield from found if thorough else plain


def varying(rule: Rule) -> tuple[str, ...]:
    """Return the parameters that are drawn at random."""
    drawn = {name for name, words in rule.marks.items() if {"constant", "fixed"} & set(words)}
    drawn -= rule.samples.keys()
    literal = {
        name for name, words in rule.marks.items() if {"number", "positive_number"} & set(words)
    }
    only = rule.params if rule.is_constant else tuple(rule.differentiable | drawn)
    known = rule.defaults.keys() | rule.samples.keys() | literal
    required = {p for p in only if p not in known or p in rule.differentiable}
    return tuple(p for p in rule.params if p in required and p not in {*literal, *rule.classes})


def _all_settings(rule: Rule) -> Iterator[Setting]:
    names = varying(rule)
    if _parts_of(rule, names[:1]):
        for parts in range(len(_parts_of(rule, names[:1]))):
            for dtype in ("float64", "float32"):
                shapes = ((),) * len(names)
                yield Setting(shapes, "list", dtype, parts)
                yield Setting(shapes, "tuple", dtype, parts)
        return
    if rule.shapes:
        count = len(next(iter(rule.shapes.values())))
        for i in range(count):
            listed = tuple(_shape(rule, name, i) for name in names)
            yield Setting(listed)
            yield Setting(listed, dtype="float32")
            yield Setting(listed, STRIDED)
            if any(len(shape) > 1 for shape in listed):
                yield Setting(listed, FORTRAN)
        return
    allowed = [_fits(rule, names, Setting(s)) for s in _shapes(len(names))]
    for setting in [s for s in allowed if s is not None]:
        yield setting
        if all(setting.shapes):
            yield Setting(setting.shapes, STRIDED)
        if any(len(shape) > 1 for shape in setting.shapes):
            yield Setting(setting.shapes, FORTRAN)
        yield Setting(setting.shapes, dtype="float32")
    if all("scalar" in _words(rule, name) or not _ranked(rule, name) for name in names):
        numbers = ((),) * len(names)
        yield from (Setting(numbers, NUMBER), Setting(numbers), Setting(numbers, dtype="float32"))
        if not any("scalar" in _words(rule, name) for name in names):
            yield Setting(numbers, ZERO_D)


def _shape(rule: Rule, name: str, i: int) -> Shape:
    if name not in rule.shapes:
        return (4,) if "vector" in _words(rule, name) else (3, 2)
    given = rule.shapes[name]
    shape: Shape = eval(ast.unparse(given[min(i, len(given) - 1)]))
    return shape


def _shapes(count: int) -> tuple[tuple[Shape, ...], ...]:
    if count == 0:
        return ((),)
    if count == 1:
        return SINGLE
    if count == 2:
        return PAIRS
    return (*((a, b) + ((),) * (count - 2) for a, b in PAIRS), ((3,),) * count)


def _fits(rule: Rule, names: tuple[str, ...], setting: Setting) -> Setting | None:
    ranks = {"scalar": (0,), "vector": (1,), "matrix": (2,), "array": (1, 2, 3), "stacked": (2, 3)}
    for name, shape in zip(names, setting.shapes, strict=True):
        for word in _words(rule, name):
            if word in ranks and len(shape) not in ranks[word]:
                return None
    return setting


def _words(rule: Rule, name: str) -> tuple[str, ...]:
    return rule.marks.get(name, ())


def _ranked(rule: Rule, name: str) -> bool:
    return bool({"vector", "matrix", "array", "stacked"} & set(_words(rule, name)))


def _parts_of(rule: Rule, names: tuple[str, ...]) -> tuple[Any, ...]:
    words = (word for name in names for word in _words(rule, name) if word in PARTS)
    return next((PARTS[word] for word in words), ())


def _operands(rule: Rule, setting: Setting, rng: Any) -> Iterator[tuple[str, Any]]:
    for name, shape in zip(varying(rule), setting.shapes, strict=True):
        parts = _parts_of(rule, (name,))
        words = [word for word in _words(rule, name) if word in DOMAINS]
        draw = DOMAINS[words[0]] if words else type(rng).standard_normal
        if parts:
            made = [_part(s, setting, rng, draw) for s in parts[setting.parts]]
            yield name, made if setting.held == "list" else tuple(made)
            continue
        yield name, _held(draw(rng, shape), setting)


def _part(shape: Any, setting: Setting, rng: Any, draw: Any) -> Any:
    if isinstance(shape, list):
        return tuple(_part(each, setting, rng, draw) for each in shape)
    return _held(draw(rng, shape), setting)


def _held(value: Any, setting: Setting) -> Any:
    if isinstance(value, np.random.Generator | tuple):
        return value
    value = np.asarray(value)
    if value.dtype.kind == "f":
        value = value.astype(setting.dtype)
    if setting.held == NUMBER:
        return value.item()
    if setting.held == STRIDED and value.ndim:
        wide = np.zeros([2 * n for n in value.shape], value.dtype)
        thin = wide[tuple(slice(None, None, 2) for _ in value.shape)]
        thin[...] = value
        value = thin
    if setting.held == FORTRAN and value.ndim > 1:
        value = np.asfortranarray(value)
    if value.ndim == 0 and setting.held != ZERO_D:
        return value[()]
    value.flags.writeable = False
    return value


# ---------------------------------------------------------------------------- options


def _options(rule: Rule, pattern: Expr, env: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    spelled_here = {*holes_of(pattern)}
    names = [name for name in rule.params if name in spelled_here and name not in env]
    choices = [_choices(rule, name, env) for name in names]
    for values in itertools.product(*choices):
        pairs = zip(names, values, strict=True)
        yield {name: value for name, value in pairs if value is not OMITTED}


class _Omitted:
    def __repr__(self) -> str:
        return "omitted"


OMITTED = _Omitted()
BY_WORD: Mapping[str, tuple[Any, ...]] = {
    "none": (None,),
    "true": (True,),
    "false": (False,),
    "zero": (0,),
    "one": (1,),
    "two": (2,),
    "infinite": (np.inf,),
    "columns": ("F",),
    "only_axis": (0, -1),
    "number": (2.5, 5, -2, -0.5),
    "positive_number": (2.0, 0.5),
}


def _choices(rule: Rule, name: str, env: Mapping[str, Any]) -> list[Any]:
    omitted = [OMITTED] if name in rule.defaults else []
    if name in rule.samples:
        texts = map(ast.unparse, rule.samples[name])
        values = [eval(text, {"np": np, **imported()}, dict(env)) for text in texts]
        return omitted + values
    if name in rule.classes:
        return made_for(rule, name)
    for word in _words(rule, name):
        if word in BY_WORD:
            return omitted + list(BY_WORD[word])
    if name == "axis":
        return omitted + _axes(rule, env)
    if name == "keepdims":
        return [*omitted, True, False]
    if name == "ddof":
        return [*omitted, 1]
    return omitted or [name]


def _axes(rule: Rule, env: Mapping[str, Any]) -> list[Any]:
    words = _words(rule, "axis")
    rank = max((np.ndim(value) for value in env.values()), default=0)
    found: list[Any] = [0, -1][: 2 if rank else 0]
    if rank > 1 and "integer" not in words:
        found += [(0, 1), (-1,)]
    return found


def check_words(rule: Rule) -> None:
    """Fail where an annotation holds a word that means nothing."""
    for words in rule.marks.values():
        for word in words:
            assert word in GUARDS or word in DOMAINS or word in OTHER_WORDS, (rule.name, word)
