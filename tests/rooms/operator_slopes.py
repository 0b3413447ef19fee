"""Rules held against differences: what a rule gives, filled in, and what the operation does.

An adjoint is compared by <seed, dy> = <x_bar, dx>, a tangent element by element.
"""

import copy
import math
import sys

import numpy as np

from s2sad.ir.spelling import expression
from s2sad.ir.walk import nodes
from s2sad.operators.filling import fill
from s2sad.testing.evaluate import Values

SINGLE, DOUBLE = (1e-2, 2e-2), (1e-4, 1e-5)  # the step of the differences, and the tolerance


def flat(value):
    """Return the numbers of a value, of a list or tuple one part behind the other."""
    if isinstance(value, tuple | list):
        return np.concatenate([flat(part) for part in value]) if value else np.zeros(0)
    return np.ravel(np.asarray(value, dtype=float))


def shaped(numbers, like):
    """Return numbers in the form of a value."""
    if isinstance(like, tuple | list):
        ends = np.cumsum([flat(part).size for part in like])[:-1]
        parts = zip(np.split(numbers, ends), like, strict=True)
        made = [shaped(*pair) for pair in parts]
        return made if isinstance(like, list) else tuple(made)
    made = np.asarray(numbers, dtype=np.asarray(like).dtype).reshape(np.shape(like))
    if isinstance(like, np.ndarray):
        return made
    return made[()] if isinstance(like, np.generic) else float(made)


def result(case, env):
    """Return the result of an operation; what draws draws the same each time."""
    np.random.seed(7)
    kept = (np.random.Generator,)
    env = {k: copy.deepcopy(v) if isinstance(v, kept) else v for k, v in env.items()}
    values = Values(env)
    return values.value(case.expr)


def dtypes(value):
    """Return the dtypes of a value, or of the parts of a list or tuple."""
    if isinstance(value, tuple | list):
        return [dtype for part in value for dtype in dtypes(part)]
    return [np.asarray(value).dtype]


def is_real(value):
    """Tell whether a value is made of floats alone."""
    return all(dtype.kind == "f" for dtype in dtypes(value))


def precision(*values):
    """Return step and tolerance for values that are held in single or double precision."""
    found = [dtype for value in values for dtype in dtypes(value)]
    return SINGLE if any(dtype.itemsize < 8 for dtype in found) else DOUBLE


class Slopes:
    """One operation with a rule: what its lines give for a seed and for directions."""

    def __init__(self, case, match, regions):
        self.case, self.match = case, match
        rng = np.random.default_rng(5)
        self.y = result(case, case.env)
        self.seed = shaped(rng.standard_normal(flat(self.y).size), self.y)
        self.rng = rng
        self.values = Values({**case.env, "y": self.y, "y_bar": self.seed})
        self.values.regions.update(regions)
        self.holes = {**match.bound}
        for called in ("y", "y_bar"):
            self.holes[called] = self.values.named(called)

    def wanted(self):
        """Return the parameters that stand for floats of the case, and their names there."""
        names = {p: self.match.bound[p] for p in self.match.differentiable}
        plain = {p: e.data.name for p, e in names.items() if e.op == "name"}
        return {p: n for p, n in plain.items() if is_real(self.case.env[n])}

    def filled(self, line):
        """Return the value of a line: its text is run."""
        made = fill(line, self.holes, self.values.infer)
        own = {node.data.text: node.data.value for node in nodes(made) if node.op == "global"}
        plain = {text: value for text, value in own.items() if "." not in text}
        space = {"np": np, "math": math, "copy": copy, "scipy": sys.modules.get("scipy"), **plain}
        return eval(expression(made), space, self.values.env)

    def adjoints(self, wanted):
        """Return what each parameter receives."""
        found = {}
        for line in self.match.adjoints(wanted):
            value = self.filled(line)
            if line.is_local:
                self.values.env[line.target] = value
                self.holes[line.target] = self.values.named(line.target)
            elif line.target in found:
                found[line.target] = found[line.target] + value
            else:
                found[line.target] = value
        return found

    def tangent(self, params, direction):
        """Return the tangent of the result as these parameters move, as flat numbers."""
        for param in params:
            self.values.env[f"{param}_dot"] = direction
            self.holes[f"{param}_dot"] = self.values.named(f"{param}_dot")
        parts = {}
        for term in self.match.tangents(params):
            value = self.filled(term)
            if isinstance(value, tuple | list):
                return flat(value)
            parts[term.part] = parts.get(term.part, 0.0) + np.asarray(value)
        if set(parts) == {None} and not isinstance(self.y, tuple | list):
            return flat(np.broadcast_to(parts[None], np.shape(self.y)))
        each = enumerate(self.y)
        return flat([np.broadcast_to(parts.get(k, 0.0), np.shape(y)) for k, y in each])

    def difference(self, name, direction, step):
        """Return the derivative of the result along a direction by Richardson's differences."""
        x = self.case.env[name]

        def at(h):
            moved = shaped(flat(x) + h * flat(direction), x)
            return flat(result(self.case, {**self.case.env, name: moved}))

        return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)


def dotted(bar, x, direction, y):
    """Return <x_bar, dx>; a contribution may have the shape of the result, x being broadcast."""
    if isinstance(x, tuple | list):
        return flat(bar) @ flat(direction)
    shape = np.broadcast_shapes(np.shape(bar), np.shape(x))
    if np.shape(bar) != np.shape(x):
        shape = np.broadcast_shapes(shape, np.shape(y))
    return np.sum(np.broadcast_to(bar, shape) * direction)


def check(slopes):
    """Hold a rule against differences in each of its operands; return how many there were."""
    wanted = slopes.wanted()
    bars = slopes.adjoints(wanted)
    assert bars.keys() == wanted.keys(), "a parameter that varies receives nothing"
    for name in dict.fromkeys(wanted.values()):
        params = [param for param in wanted if wanted[param] == name]
        x, y = slopes.case.env[name], slopes.y
        step, tolerance = precision(x, y)
        direction = shaped(slopes.rng.standard_normal(flat(x).size), x)
        slope = slopes.difference(name, direction, step)
        if not np.all(np.isfinite(slope)):
            continue
        size = tolerance * (1.0 + np.abs(slope).max(initial=0.0))
        found = sum(dotted(bars[param], x, direction, y) for param in params)
        scale = size * (1.0 + np.abs(flat(slopes.seed)).sum())
        assert abs(found - flat(slopes.seed) @ slope) <= scale, f"adjoint of {name}"
        tangent = slopes.tangent(params, direction)
        assert np.abs(tangent - slope).max(initial=0.0) <= size, f"tangent by {name}"
    return len(wanted)
