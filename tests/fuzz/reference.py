"""A stand-in for s2sad: turns a function into differences of it, with a fault planted on request.

    df = derive("grad", f, wrt=0)            # right, to the accuracy of differences
    df = faulty("sign")("grad", f, wrt=0)    # wrong in a known way: the score must say so

It is slow and knows nothing of source transformation; it exists so that the judges can be judged.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

from tests.oracles import standalone

DRIVER = """

import numpy as np


def _moved(args, i, k, step):
    args = list(copy_of(args))
    flat = np.array(args[i], dtype=float).ravel()
    flat[k] += step
    shape = np.shape(args[i])
    args[i] = flat.reshape(shape) if isinstance(args[i], np.ndarray) else float(flat[0])
    return args


def copy_of(args):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


def _shrunk(args):
    return [0.9 * a if isinstance(a, np.ndarray) else a for a in args]


def _adjoint(args, i, seed):
    bar = np.zeros(np.size(args[i]))
    for k in range(bar.size):
        for h, c in ((3e-4, 1.5), (6e-4, -0.6), (9e-4, 0.1)):
            up, down = {f}(*_moved(args, i, k, h)), {f}(*_moved(args, i, k, -h))
            bar[k] += c * np.sum(seed * (up - down)) / (2.0 * h)
    return bar.reshape(np.shape(args[i]))


def {f}_grad(*args):
    seed, args = (args[-1], args[:-1]) if "{mode}" == "vjp" else (1.0, args)
    value = {f}(*copy_of(args))
    bars = tuple(_adjoint(args, i, seed) for i in {wrt})
    # PLANT
    bars = bars[0] if len(bars) == 1 else bars
    return (value, bars) if "{mode}" == "value_and_grad" else bars
"""

FORWARD = """

def {f}_jvp(*args):
    n = len(args) - len({wrt})
    args, dots = args[:n], args[n:]
    value = {f}(*copy_of(args))
    tangent = 0.0 * value
    for h, c in ((3e-4, 1.5), (6e-4, -0.6), (9e-4, 0.1)):
        up, down = copy_of(args), copy_of(args)
        for i, dot in zip({wrt}, dots):
            up[i], down[i] = up[i] + h * dot, down[i] - h * dot
        tangent = tangent + c * ({f}(*up) - {f}(*down)) / (2.0 * h)
    # PLANT-FORWARD
    return value, tangent
"""

# each line is put where the stand-in says PLANT
FAULTS = {
    "sign": "bars = (-bars[0], *bars[1:])",
    "dropped": "bars = (0.0 * bars[0], *bars[1:])",
    "one entry": "bars[0].flat[0] += 1e-3",
    "doubled": "bars = (2.0 * bars[0], *bars[1:])",
    "stale": "bars = tuple(_adjoint(_shrunk(args), i, seed) for i in {wrt})",
    "shape": "bars = (np.sum(bars[0]) if np.ndim(bars[0]) else np.array([bars[0]]), *bars[1:])",
    "broadcast": "bars = (bars[0] + np.zeros((2, *np.shape(bars[0]))), *bars[1:])",
    "nan": "bars = (bars[0] * np.nan, *bars[1:])",
    "writes": "[a.fill(0.0) for a in args if isinstance(a, np.ndarray)]",
    "bare": "raise NameError('u_saved')",
    "foreign": "import os",
    "hidden": "bars = tuple(x * hidden for x in bars)",
}
FORWARD_FAULTS = {
    "forward sign": "tangent = -tangent",
    "forward shape": "tangent = np.zeros(2) + np.sum(tangent)",
    "forward value": "value = value + 1e-6",
}


def derive(mode: str, f: Callable[..., Any], wrt: Any = 0, like: Any = None, **_: Any) -> Any:
    """Return the derivative of `f` by differences, with the text that computes it."""
    return _made(mode, f, wrt, "pass", "pass")


def faulty(fault: str) -> Callable[..., Any]:
    """Return a way to differentiate that has one fault."""

    def derive_badly(mode: str, f: Callable[..., Any], wrt: Any = 0, **_: Any) -> Any:
        line, forward = FAULTS.get(fault, "pass"), FORWARD_FAULTS.get(fault, "pass")
        return _made(mode, f, wrt, line, forward, {"hidden": 1.0})

    return derive_badly


def _made(
    mode: str,
    f: Callable[..., Any],
    wrt: Any,
    line: str,
    forward: str,
    hidden: dict[str, Any] | None = None,
) -> Any:
    name = f.__name__ + ("_jvp" if mode == "jvp" else "_grad")
    places = str(wrt if isinstance(wrt, tuple) else (wrt,))
    text = inspect.getsource(sys.modules[f.__module__])
    for part in (DRIVER, FORWARD):
        filled = part.replace("# PLANT-FORWARD", forward).replace("# PLANT", line)
        filled = filled.replace("{f}", f.__name__).replace("{wrt}", places)
        text += filled.replace("{mode}", mode)
    if mode == "jvp":
        text = re.sub(re.escape(line) + r"\n", "pass\n", text)
    made: Any = standalone(text.replace("import os", "pass"), name)
    made.__globals__.update(hidden or {})
    made.source = text
    return made
