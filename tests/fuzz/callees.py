"""Turns a scope into helper functions: pure, looping, returning early, mutating, passing through.

def relax(u, x=0.5):
    u[0] += x * u[1]
"""

from __future__ import annotations

import random
from dataclasses import replace

from tests.fuzz.scope import FLOAT, Helper, Kind, Scope, array
from tests.fuzz.simple import Lines, indented
from tests.fuzz.statements import block, mutating_body, result_of

SHAPES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("x",), "float"),
    (("x", "y"), "float"),
    (("u",), "float"),
    (("u", "v"), "float"),
    (("u", "x"), "float"),
    (("u", "x"), "array"),
    (("u", "v"), "array"),
    (("a", "u", "b"), "array"),
)


def define(outer: Scope, name: str) -> tuple[Helper, Lines]:
    """Return a helper and the lines that define it."""
    rng = outer.rng
    style = rng.choice(("plain", "plain", "early", "mutating", "through", "both"))
    letters, made = rng.choice(SHAPES)
    if style in ("mutating", "through", "both"):
        letters, made = (("u", "x"), "array") if rng.random() < 0.5 else (("u", "v"), "array")
    kinds = tuple(FLOAT if letter in "xyab" else array(outer.n) for letter in letters)
    result = FLOAT if made == "float" else array(outer.n)
    inner = replace(
        outer,
        kinds=dict(zip(letters, kinds, strict=True)),
        indices=(),
        loops=(),
        depth=1,
        frozen=frozenset(),
        result=result if style == "early" else None,
        features=outer.features | ({"return"} if style == "early" else set()),
    )
    body, returned = _body(rng, inner, style, letters, result)
    last_float = kinds[-1] == FLOAT and rng.random() < 0.3
    params = [*letters[:-1], f"{letters[-1]}=0.6" if last_float else letters[-1]]
    params_kinds = tuple(zip(letters, kinds, strict=True))
    helper = Helper(name, params_kinds, returned, 1 if last_float else 0)
    return helper, [f"def {name}({', '.join(params)}):", *indented(body), "", ""]


def _body(
    rng: random.Random, scope: Scope, style: str, letters: tuple[str, ...], result: Kind
) -> tuple[Lines, Kind | None]:
    if style == "mutating":
        return mutating_body(scope, "u"), None
    if style == "both":
        return [*mutating_body(scope, "u"), "return u"], result
    if style == "through":
        return [*block(scope, rng.choice((0, 1))), f"return {letters[0]}"], result
    lines = [line for line in block(scope, rng.choice((0, 1, 2))) if line != "pass"]
    return [*lines, f"return {result_of(scope, result)}"], result
