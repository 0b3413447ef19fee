"""Turns a seed and a number into a random program that runs, with arguments.

case = program(seed=0, number=17)
print(case.text)
"""

from __future__ import annotations

import copy
import random
import signal
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.fuzz import names
from tests.fuzz.callees import define
from tests.fuzz.case import SCHEDULES, Case
from tests.fuzz.grids import GRIDS
from tests.fuzz.holders import HOLDERS
from tests.fuzz.leaving import LEAVING
from tests.fuzz.made import CLASSES, MADE
from tests.fuzz.places import PLACES
from tests.fuzz.scope import FLOAT, INT, Index, Kind, Scope, array
from tests.fuzz.simple import Lines, indented
from tests.fuzz.statements import FEATURES, block, result_of
from tests.oracles import Args

TRIES = 60
DRAWS = 4
BOUND = 1e3
# shares of programs whose loops keep a few states, and that are differentiated twice
SCHEDULED, SECOND = 0.06, 0.06
# what a loop that runs twice may not call
NOT_TWICE = (".shuffle(", "np.put(", ".partition(", ".__setitem__(")
# programs stay short, and kinds of statement that meet others often stay likelier than new ones
RARER = {name: 0.2 for name, _, _ in (*GRIDS, *HOLDERS, *LEAVING, *MADE)} | {
    n: 0.15 for n, _, _ in PLACES
}
RARER |= {"farviews": 0.08, "moving": 0.1, "objects": 0.1}
RARER |= {"repeated": 0.5, "exhausted": 0.5, "laws": 0.5, "ways": 0.4}


def program(seed: int, number: int) -> Case:
    """Return the random program of this number: always the same one."""
    rng = random.Random(f"{seed}:{number}")
    for _ in range(TRIES):
        text, params, result = _write(rng)
        f = _runs(text)
        for _ in range(DRAWS if f else 0):
            args = draw(rng, params)
            value = _value(f, args)
            if value is not None and np.shape(value) == result.dims:
                return _case(rng, f"p{seed}_{number}", text, args, value)
    raise AssertionError(f"no valid program in {TRIES} tries")


def _case(rng: random.Random, label: str, text: str, args: Args, value: Any) -> Case:
    inexact = [i for i, x in enumerate(args) if not isinstance(x, int)]
    count = rng.choice((1, 2, len(inexact)))
    wrt = tuple(sorted(rng.sample(inexact, min(count, len(inexact)))))
    mode = rng.choice(("grad", "grad", "value_and_grad", "vjp"))
    seed: Any = 1.0
    if np.shape(value):
        mode = "vjp"
        shape = np.shape(value)
        seed = np.array([rng.uniform(-1, 1) for _ in range(int(np.prod(shape)))]).reshape(shape)
    elif mode == "vjp":
        seed = rng.choice((1.0, -0.7))
    schedule = rng.choice(tuple(SCHEDULES)) if rng.random() < SCHEDULED else ""
    if any(call in text for call in NOT_TWICE):
        schedule = ""
    second = np.shape(value) == () and seed == 1.0 and rng.random() < SECOND
    return Case(label, text, args, wrt, seed, mode, schedule=schedule, second=second)


# ---------------------------------------------------------------------------- text


def _write(rng: random.Random) -> tuple[str, tuple[tuple[str, Kind], ...], Kind]:
    n = rng.choice((4, 5, 5, 6, 7))
    share = rng.choice((0.25, 0.4, 0.6, 0.9))
    features = frozenset(x for x in FEATURES if rng.random() < share * RARER.get(x, 1.0))
    scope = Scope(rng, n, features, taken=frozenset({"n", "item", "pair"}))
    makes_objects = features & {"objects", "pairs", "laws"}
    imported = ["from dataclasses import dataclass, replace", ""] if makes_objects else []
    lines = ["import math", *imported, "", "import numpy as np", ""]
    lines += ["", *CLASSES] if makes_objects else []
    lines += [f"{key} = {value}" for key, value in names.CONSTANTS.items()] + ["", ""]
    for name in rng.sample(names.HELPERS, rng.choice((1, 2)) if "helpers" in features else 0):
        helper, text = define(scope, name)
        scope.helpers += (helper,)
        lines += text
    params = _params(rng, n, features)
    scope.kinds = {name: kind for name, kind in params if kind != INT}
    scope.indices = tuple(Index(name, 1, 3) for name, kind in params if kind == INT)
    scope.result = rng.choice((FLOAT,) * 5 + (array(n),))
    lines += _main(scope, params)
    return "\n".join(lines) + "\n", params, scope.result


def _params(rng: random.Random, n: int, features: frozenset[str]) -> tuple[tuple[str, Kind], ...]:
    arrays = rng.sample(names.ARRAYS[:6], rng.choice((1, 1, 2)))
    floats = rng.sample(names.FLOATS[:10], rng.choice((0, 1, 1, 2)))
    params = [(name, array(n)) for name in arrays] + [(name, FLOAT) for name in floats]
    if "matrices" in features:
        params.append((rng.choice(names.MATRICES[:4]), array(3, n)))
    if rng.random() < 0.2:
        params.append((rng.choice(("k", "m")), INT))
    rng.shuffle(params)
    return tuple(params)


def _main(scope: Scope, params: tuple[tuple[str, Kind], ...]) -> Lines:
    rng = scope.rng
    body: Lines = ['"""Return a number."""'] if rng.random() < 0.2 else []
    if rng.random() < 0.6:
        for name, kind in params:
            if kind.code == "array" and rng.random() < 0.7:
                body.append(f"{name} = {name}.copy()")
    result = scope.result or FLOAT
    body += block(scope, rng.choice((2, 3, 4, 5, 6)))
    body.append(f"return {result_of(scope, result)}")
    return [f"def f({', '.join(name for name, _ in params)}):", *indented(body)]


# ---------------------------------------------------------------------------- validity


def draw(rng: random.Random, params: tuple[tuple[str, Kind], ...]) -> Args:
    """Return arguments away from round numbers."""
    return tuple(_argument(rng, kind) for _, kind in params)


def _argument(rng: random.Random, kind: Kind) -> Any:
    if kind == INT:
        return rng.choice((1, 2, 3))
    if kind == FLOAT:
        value = rng.uniform(-1.3, 1.3)
        return np.float64(value) if rng.random() < 0.1 else value
    size = int(np.prod(kind.dims))
    return np.array([rng.uniform(-1.3, 1.3) for _ in range(size)]).reshape(kind.dims)


def _runs(text: str) -> Callable[..., Any] | None:
    module = sys.modules["candidate"] = types.ModuleType("candidate")  # dataclasses look it up
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(compile(text, "<candidate>", "exec"), module.__dict__)
    except SyntaxError:
        return None
    return module.__dict__.get("f")


def _value(f: Callable[..., Any] | None, args: Args) -> Any:
    assert f is not None
    try:
        with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"), _alarm():
            warnings.simplefilter("error")
            first, second = f(*copy.deepcopy(args)), f(*copy.deepcopy(args))
    except Exception:
        return None
    usable = isinstance(first, float | np.ndarray) and np.asarray(first).dtype.kind == "f"
    if not usable or not np.array_equal(first, second):
        return None
    return first if np.all(np.abs(first) < BOUND) else None


class _alarm:
    """Stop a program that does not end: half a second of the processor, however busy it is."""

    def __enter__(self) -> None:
        def stop(*_: object) -> None:
            raise TimeoutError

        self.before = signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, 0.5)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self.before)
