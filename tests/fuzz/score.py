"""Turns a program and a way to differentiate it into a verdict.

    score(case, tmp)      # Score("right", ...), or Score("wrong", stage="vjp.text", ...)

"right", "wrong" (a changed argument counts), "refused" (an S2sadError with a reason), "internal"
(an InternalError, a bare exception, a hang), "unscorable" (differences say too little there) and
"invalid" (the primal itself does not run).
"""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import traceback
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import s2sad
from s2sad.ir.errors import InternalError, S2sadError
from tests import oracles
from tests.fuzz.case import SCHEDULES, Case, loaded
from tests.fuzz.limits import quiet, time_limit

BADNESS = ("right", "unscorable", "refused", "internal", "wrong")
# derive(mode, f, wrt=..., like=...) -> a callable that carries `.source`
Derive = Callable[..., Any]
# make(mode, known) -> the derivative of the function that is judged, its arguments known or not
Make = Callable[..., Any]


def s2sad_derive(mode: str, f: Callable[..., Any], /, **options: Any) -> Any:
    """Differentiate with the package itself."""
    given = {key: x for key, x in options.items() if x is not None}
    if "checkpoint" in given:
        given["checkpoint"] = SCHEDULES[given["checkpoint"]]()
    return getattr(s2sad, mode)(f, **given)


@dataclass(frozen=True, slots=True)
class Score:
    """A verdict, the stage that it was given at, and why."""

    verdict: str
    stage: str = ""
    reason: str = ""
    detail: str = ""
    source: str = field(default="", repr=False)
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> tuple[str, str, str]:
        """Return what a smaller program must share to fail in the same way."""
        reason = self.reason if self.verdict in ("internal", "refused") else ""
        return self.verdict, self.stage.split(".")[0], reason


@dataclass(frozen=True, slots=True)
class Expected:
    """What the judges know of a program before it is differentiated."""

    value: Any
    adjoints: oracles.Estimate
    like: tuple[Any, ...]
    dots: tuple[Any, ...]


class Wrong(Exception):
    """A derivative that disagrees with its judges."""


class Changed(Exception):
    """A derivative that wrote to the caller's arguments."""


def score(case: Case, folder: Path, derive: Derive = s2sad_derive, generic: bool = True) -> Score:
    """Judge what `derive` makes of a program, by call and by text, in both modes."""
    try:
        with loaded(case, folder) as f:
            if case.judge is not None:
                return case.judge(f, case, folder, derive)
            if not oracles.is_determined(f, case.args):
                return Score("unscorable", "primal")
            # the text for any arguments is not made for lists and dicts
            any_kind = not any(isinstance(each, list | tuple | dict) for each in case.args)
            return score_function(f, case, derive, generic, any_kind)
    except Exception as error:  # the primal's own fault: the shrinker makes such programs
        return Score("invalid", "primal", type(error).__name__, str(error))


def score_function(
    f: Callable[..., Any],
    case: Case,
    derive: Derive = s2sad_derive,
    generic: bool = True,
    any_kind: bool = True,
) -> Score:
    """Judge what `derive` makes of a function that is already there.

    Without `any_kind` the text is only run as it is made for arguments such as these.
    """
    with quiet():
        with time_limit():
            expected = expect(f, case)
        if expected is None:
            return Score("unscorable", "primal")
        return _judge(f, case, expected, derive, generic, any_kind)


def expect(f: Callable[..., Any], case: Case) -> Expected | None:
    """Return value and adjoints by differences, or None where they cannot be trusted."""
    with np.errstate(all="raise", under="ignore"):
        value = f(*copy.deepcopy(case.args))
    _check_structure(case.seed, value, "seed")
    adjoints = oracles.differences(f, case.args, case.wrt, case.seed)
    if not adjoints.scorable.all() or oracles.largest(f, case.args) > oracles.LARGEST:
        return None
    like = tuple(case.args[i] for i in case.wrt)
    rng = np.random.default_rng(7)
    dots = oracles.unpack(rng.uniform(-1.0, 1.0, oracles.pack(like).size), like)
    return Expected(value, adjoints, like, dots)


# ---------------------------------------------------------------------------- stages


def _judge(
    f: Callable[..., Any],
    case: Case,
    expected: Expected,
    derive: Derive,
    generic: bool,
    any_kind: bool,
) -> Score:
    found: dict[str, np.ndarray] = {}

    def again(mode: str, known: bool = False) -> Any:
        options = {"checkpoint": case.schedule} if case.schedule and mode == case.mode else {}
        wrt = case.wrt[0] if mode == "hvp" else _wrt(case)
        return derive(mode, f, wrt=wrt, like=case.args if known else None, **options)

    make = functools.cache(again)
    stages: list[tuple[str, Callable[[], str]]] = [
        (f"{case.mode}.call", lambda: _reverse_call(make, again, case, expected, found)),
        ("jvp.call", lambda: _forward_call(make, case, expected, found)),
        ("modes", lambda: _modes_agree(expected, found)),
    ]
    if generic:
        known = not any_kind
        stages += [
            (f"{case.mode}.text", lambda: _reverse_text(make(case.mode, known), case, expected)),
            (f"{case.mode}.like", lambda: _like_text(make, case, expected)),
            ("jvp.text", lambda: _forward_text(make("jvp", known), case, expected)),
        ]
    if generic and any_kind and case.mode == "grad":
        stages += [
            ("kinds.text", lambda: _other_kinds(make(case.mode), f, case)),
            ("kinds.like", lambda: _other_kinds(make(case.mode, True), f, case)),
        ]
    if case.second:
        stages.append(
            ("second", lambda: _second_order(make("hvp"), make(case.mode), case, expected))
        )
    scores = [judged_stage(name, run) for name, run in stages]
    worst = max(scores, key=lambda each: BADNESS.index(each.verdict))
    called = scores[:3]
    if worst.verdict == "refused" and all(each.verdict == "right" for each in called):
        return Score("right", notes=(f"{worst.stage}: {worst.reason}",))
    return worst


def judged_stage(name: str, run: Callable[[], str | None]) -> Score:
    """Return the score of one stage, which gives the text or raises what is wrong."""
    try:
        with time_limit():
            return Score("right", name, source=run() or "")
    except (Wrong, Changed, oracles.Mismatch) as error:
        return Score("wrong", name, type(error).__name__, str(error), _source_of(error))
    except InternalError as error:
        return Score("internal", name, f"InternalError: {error.problem}", str(error))
    except S2sadError as error:
        return Score("refused", name, f"{type(error).__name__}: {error.problem}", str(error))
    except ValueError as error:
        if name.endswith(".text") and str(error).startswith("made for "):
            # a text for any arguments says itself what it takes them to be
            return Score("refused", name, str(error))
        return _internal(name, error)
    except Exception as error:  # a bare exception out of the package is the defect looked for
        return _internal(name, error)


def _internal(name: str, error: Exception) -> Score:
    text = "".join(traceback.format_exception(error)[-6:])
    return Score("internal", name, _where(error), text, _source_of(error))


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    inside = [f for f in frames if "s2sad" in Path(f.filename).parts] or frames[-1:]
    place = f"{Path(inside[-1].filename).name}:{inside[-1].name}" if inside else "?"
    return f"{type(error).__name__} in {place}"


@contextlib.contextmanager
def _of(source: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.__dict__["emitted"] = source
        raise


def _source_of(error: BaseException) -> str:
    return str(error.__dict__.get("emitted", ""))


def _wrt(case: Case) -> Any:
    return case.wrt[0] if len(case.wrt) == 1 else case.wrt


def _reverse_call(
    make: Make, again: Make, case: Case, expected: Expected, found: dict[str, np.ndarray]
) -> str:
    df = make(case.mode)
    source = _text(df)
    with _of(source):
        if _asks_again(df, case) and source != _text(again(case.mode)):
            raise Wrong("two generations differ in their text")
        _check_reverse(df, case, expected)
        found["adjoints"] = _check_reverse(df, case, expected)
    return source


def _asks_again(df: Any, case: Case) -> bool:
    # that the text for these arguments is made twice alike is seen for each program
    return not hasattr(df, "derivative") or zlib.crc32(case.label.encode()) % 4 == 0


def _text(df: Callable[..., Any]) -> str:
    """Return the text without example arguments; "" where only a call can tell what is meant."""
    try:
        return str(df.source)  # type: ignore[attr-defined]
    except InternalError:
        raise
    except S2sadError:
        return ""


def _reverse_text(df: Any, case: Case, expected: Expected) -> str:
    with _of(df.source):
        _check_reverse(_alone(df), case, expected)
    return str(df.source)


def _alone(df: Any) -> Callable[..., Any]:
    """Return what a file of the text defines; a text that no file can hold says so."""
    if hasattr(df, "refuse_unreachable"):
        df.refuse_unreachable()
    return oracles.standalone(df.source, df.__name__)


def _like_text(make: Make, case: Case, expected: Expected) -> str:
    """Judge the text for these arguments, which the call made for itself as well."""
    df, called = make(case.mode, True), make(case.mode)
    if hasattr(called, "derivative"):
        again = called.derivative(df.request.given)
        if again.source != df.source:
            raise Wrong("two generations differ in their text")
    return _reverse_text(df, case, expected)


# what differences of values in single precision may be off by
SINGLE = 1e-5
# what is raised for arguments that a text is not made for, by itself or by what it computes
RAISED = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, NameError)
RAISED += (AssertionError, StopIteration)


def _other_kinds(df: Any, f: Callable[..., Any], case: Case) -> str:
    """Call a text alone with arguments of another kind: it raises, or it is right."""
    run = _alone(df)
    for place, given in enumerate(case.args):
        if not isinstance(given, int | float | np.number | np.ndarray):
            continue
        others = _kinds_of(given, place in case.wrt)
        other = others[zlib.crc32(f"{case.label} {place}".encode()) % len(others)]
        args = (*case.args[:place], other, *case.args[place + 1 :])
        try:
            with time_limit(2.0):  # of a tolerance of another kind a loop may have no end
                expected = oracles.differences(f, copy.deepcopy(args), case.wrt)
                if not oracles.is_determined(f, args):
                    continue
            result = run(*copy.deepcopy(args))
            found = oracles.flatten(
                (result,) if len(case.wrt) == 1 else result, tuple(args[i] for i in case.wrt)
            )
        except (*RAISED, oracles.Mismatch, TimeoutError):
            continue
        if getattr(other, "dtype", None) == np.float32:  # so is what the differences are taken of
            expected = replace(expected, error=expected.error + SINGLE)
        fault = oracles.compare(found, expected)
        if fault is not None and not _is_by_element(run, result, case):
            kind = f"{type(other).__name__} {getattr(other, 'dtype', '')} {np.shape(other)}"
            with _of(df.source):
                raise Wrong(f"argument {place} as {kind}: {fault}")
    return str(df.source)


def _is_by_element(run: Callable[..., Any], result: Any, case: Case) -> bool:
    """Tell whether a text of numbers alone gives for an array of one number what it gives for that."""
    if any(np.ndim(each) or isinstance(each, list | tuple | dict) for each in case.args):
        return False
    single = len(case.wrt) == 1
    of_number, of_array = ((r,) if single else r for r in (run(*case.args), result))
    return all(map(np.allclose, of_array, of_number))


def _kinds_of(value: Any, is_moved: bool) -> list[Any]:
    """Return arguments that may stand in the place of another, but for its kind."""
    if isinstance(value, int):
        return [value % 3 + 1, np.int64(value % 3 + 1), float(value)]
    if not np.ndim(value):
        found = [np.float64(value), np.array(value), np.full(5, value), value * 1j]
        return found[:3] if is_moved else [*found, 1, True]
    found = [
        *(np.concatenate([value, value[:1]]), value[..., ::-1], value[..., None], value[..., :1]),
        np.asfortranarray(value),
    ]
    if is_moved:
        return found
    wholes = np.rint(2.0 * value).astype(int)
    more = [
        wholes,
        value > 0.0,
        value.astype(np.float32),
        value + 0j,
        value.tolist(),
        wholes.tolist(),
    ]
    return [*found, *more, np.ma.masked_greater(value, 0.5), value.astype(object)]


def _check_reverse(df: Callable[..., Any], case: Case, expected: Expected) -> np.ndarray:
    args = copy.deepcopy(case.args)
    seed = copy.deepcopy(case.seed)
    result = df(*args, seed) if case.mode == "vjp" else df(*args)
    if oracles.changed(case.args, args) or oracles.changed(case.seed, seed):
        raise Changed("an argument was written to")
    if case.mode == "value_and_grad":
        value, result = result
        _check_value(value, expected)
    result = (result,) if len(case.wrt) == 1 else result
    if oracles.shares_memory(result, (*args, seed)):
        raise Wrong("an adjoint lies in the memory of an argument")
    got = oracles.flatten(result, expected.like)
    fault = oracles.compare(got, expected.adjoints)
    if fault is not None:
        raise Wrong(fault)
    return got


def _check_structure(found: Any, value: Any, what: str) -> None:
    """Raise Mismatch unless something has the structure and the shapes of a result."""
    if isinstance(value, list | tuple | dict):
        oracles.flatten(found, value, what)
    elif np.shape(found) != np.shape(value):
        raise oracles.Mismatch(f"{what}: shape {np.shape(found)}, expected {np.shape(value)}")


def _check_value(value: Any, expected: Expected) -> None:
    _check_structure(value, expected.value, "value")
    pair = value, expected.value
    if isinstance(value, list | tuple | dict):
        pair = oracles.pack(value), oracles.pack(expected.value)
    if not np.allclose(*pair, rtol=1e-12, atol=1e-13):
        raise Wrong(f"value {value!r}, the primal gives {expected.value!r}")


def _forward_call(make: Make, case: Case, expected: Expected, found: dict[str, np.ndarray]) -> str:
    df = make("jvp")
    source = _text(df)
    with _of(source):
        found["tangent"] = np.array(_check_forward(df, case, expected))
    return source


def _forward_text(df: Any, case: Case, expected: Expected) -> str:
    with _of(str(df.source)):
        _check_forward(_alone(df), case, expected)
    return str(df.source)


def _modes_agree(expected: Expected, found: dict[str, np.ndarray]) -> str:
    if len(found) == 2:
        dots = oracles.pack(expected.dots)
        gap = oracles.dot_product_gap(1.0, found["tangent"], found["adjoints"], dots)
        if not gap <= 1e-9:
            raise Wrong(f"forward and reverse differ by {gap:.1e} in the dot product")
    return ""


def _second_order(hvp: Any, df: Any, case: Case, expected: Expected) -> str:
    """Compare a Hessian times a vector with differences of the gradient, which was judged before."""
    at, dot = case.wrt[0], expected.dots[0]
    start, along = oracles.pack(case.args[at]), oracles.pack(dot)
    weights = np.cos(np.arange(start.size) + 0.3)

    def line(step: float) -> float:
        args = list(copy.deepcopy(case.args))
        args[at] = oracles.unpack(start + step * along, args[at])
        return float(weights @ oracles.pack(_first_adjoint(df, case, args)))

    slope, error = oracles.slope(line, line(0.0), 1.0)
    args = copy.deepcopy(case.args)
    with _of(_text(hvp)):
        got = _along(hvp, args, (dot,))
        if oracles.changed(case.args, args):
            raise Changed("an argument was written to")
        known = oracles.Estimate(np.array([slope]), np.array([error + 1e-6 * (1.0 + abs(slope))]))
        fault = oracles.compare(np.array([weights @ oracles.flatten(got, case.args[at])]), known)
        if fault is not None:
            raise Wrong(f"second order: {fault}")
    return _text(hvp)


def _first_adjoint(df: Any, case: Case, args: list[Any]) -> Any:
    """Return the adjoint of the first argument that is asked for."""
    result = df(*args, case.seed) if case.mode == "vjp" else df(*args)
    result = result[1] if case.mode == "value_and_grad" else result
    return result if len(case.wrt) == 1 else result[0]


def _along(df: Callable[..., Any], args: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
    """Call a forward derivative; its tangents are keywords where the primal has defaults."""
    parameters = inspect.signature(df).parameters.values()
    named = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
    if len(named) >= len(dots) > 0:
        return df(*args, **dict(zip(named[-len(dots) :], dots, strict=True)))
    return df(*args, *dots)


def _check_forward(df: Callable[..., Any], case: Case, expected: Expected) -> float:
    args, dots = copy.deepcopy(case.args), copy.deepcopy(expected.dots)
    value, tangent = _along(df, args, dots)
    if oracles.changed(case.args, args) or oracles.changed(expected.dots, dots):
        raise Changed("an argument was written to")
    _check_value(value, expected)
    _check_structure(tangent, expected.value, "tangent")
    flat = oracles.pack(expected.dots)
    got = oracles.inner(case.seed, tangent)
    known = expected.adjoints
    allowed = oracles.Estimate(
        np.array([known.value @ flat]), np.array([known.error @ np.abs(flat) + 1e-8 * flat.size])
    )
    fault = oracles.compare(np.array([got]), allowed)
    if fault is not None:
        raise Wrong(f"forward: {fault}")
    return got
