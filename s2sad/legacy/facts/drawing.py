"""What random draws are: numbers, or arrays of the size that is asked for.

rng.normal(s, t)        ->   number            rng.normal(s, t, 4)   ->   (4,)
np.random.normal(u)     ->   (n,) of (n,)      rng.permutation(n)    ->   positions
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from s2sad.legacy.facts.binding import Bound, FactOf, bind
from s2sad.legacy.facts.context import Context, broadcast_of, fresh_shape
from s2sad.legacy.facts.elementwise import Rule, Table, may_have_shape
from s2sad.legacy.facts.fact import PYTHON_FLOAT, UNKNOWN, Fact, array
from s2sad.legacy.program import Attr, Call

# of these the parameters broadcast, and size= comes last
NAMES: Final[Mapping[str, str]] = {
    "normal": "loc scale size", "laplace": "loc scale size", "logistic": "loc scale size",
    "gumbel": "loc scale size", "uniform": "low high size", "exponential": "scale size",
    "rayleigh": "scale size", "gamma": "shape scale size", "lognormal": "mean sigma size",
    "weibull": "a size", "power": "a size", "pareto": "a size", "standard_normal": "size dtype",
    "random": "size dtype", "standard_t": "df size", "beta": "a b size", "chisquare": "df size",
    "standard_exponential": "size dtype", "random_sample": "size", "standard_cauchy": "size",
}  # fmt: skip


def _draw(names: str) -> Rule:
    """Return the rule of a draw with parameters of some names."""
    own = [name for name in names.split() if name not in ("size", "dtype")]

    def rule(b: Bound) -> Fact:
        if b.has("dtype"):
            return UNKNOWN
        if b.has("size"):
            return array("float64", b.shape("size"))
        facts = [b.array(name) for name in own if b.has(name)]
        if not all(map(may_have_shape, facts)):
            return UNKNOWN
        shape = broadcast_of(b.ctx, [fact.shape for fact in facts]) if facts else ()
        if shape == ():
            return PYTHON_FLOAT
        return array("float64", shape) if any(fact.rank for fact in facts) else UNKNOWN

    return rule


def _vectors(b: Bound) -> Fact:
    """multivariate_normal: a vector, or as many as are asked for."""
    mean = b.array("mean")
    if not isinstance(mean.shape, tuple) or len(mean.shape) != 1:
        return UNKNOWN
    size = b.shape("size") if b.has("size") else ()
    return array("float64", (*size, *mean.shape) if isinstance(size, tuple) else None)


def _order(b: Bound) -> Fact:
    """permutation: of a number positions, of an array the array."""
    x = b.array("x")
    if x.kind == "int":
        return array("int64", fresh_shape(b.ctx, b.name, 1, b.call.args))
    return array(x.dtype, x.shape) if x.rank else UNKNOWN


def _plain(b: Bound) -> Fact:
    """np.random.randn(m, n): as many axes as there are lengths."""
    dims = tuple(b.length(name) for name in ("d0", "d1", "d2") if b.has(name))
    return array("float64", dims) if dims else PYTHON_FLOAT


ENTRIES: Final[dict[str, tuple[str, Rule]]] = {
    **{name: (names, _draw(names)) for name, names in NAMES.items()},
    "multivariate_normal": ("mean cov size check_valid tol method", _vectors),
    "permutation": ("x axis", _order),
    "randn": ("d0 d1 d2", _plain),
    "rand": ("d0 d1 d2", _plain),
}
TABLE: Final[Table] = {getattr(np.random, name): entry for name, entry in ENTRIES.items()}


def drawn(call: Call, fact_of: FactOf, ctx: Context) -> Fact:
    """Return what `rng.name(...)` makes."""
    entry = ENTRIES.get(call.func.name) if isinstance(call.func, Attr) else None
    if entry is None:
        return UNKNOWN
    names, rule = entry
    bound = bind(names.split(), call, None, ctx, fact_of)
    return UNKNOWN if bound is None else rule(bound)
