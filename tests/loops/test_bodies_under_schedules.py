"""Whatever a loop's body is made of, its gradient under a schedule is the one without, bit for bit."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.api.structure import leaves
from tests.texts import defined

X = np.array([0.3, 0.5, 0.7])
LAYERS = [(np.eye(3) * 0.5, X), (np.full((3, 3), 0.2), X * X), (np.diag(X), 1.0 - X)]
SCHEDULES = ["sqrt", s2sad.Every(3), s2sad.Binomial(1), s2sad.Binomial(50), s2sad.Recompute()]
HELPERS = """
from dataclasses import dataclass
from typing import NamedTuple

@dataclass
class Body:
    u: object
    v: object

class Pair(NamedTuple):
    u: object
    k: float

def push(u, v, k):
    u += k * np.sin(v)
    v[1:] -= k * u[:-1] * v[1:]

def moved(b, dt):
    b.v = b.v - dt * np.sin(b.u)
    b.u = b.u + dt * b.v

def bent(x):
    return np.sin(x) * x

def deep(x, k):
    return x if k == 0 else np.sin(deep(x, k - 1)) * 1.1
"""
# what stands before the loop, its head, its body, what is returned; a line of `x, n`
BODIES = {
    "a closure": ("k = 0.3; g = lambda y: np.sin(y) * k", "x = x + g(x)", "np.sum(x)"),
    "a list": (
        "s = [x, x * x, np.ones(3)]",
        "s = [np.sin(s[1]), s[0] * s[2], s[2] * 0.9]",
        "np.sum(s[0])",
    ),
    "a list in place": (
        "s = [x, x * x]",
        "s[0] = np.sin(s[1]) * s[0]; s[1] = s[0] + s[1]",
        "s[1][0]",
    ),
    "a window": (
        "s = [x, 2 * x]",
        "s.append(np.sin(s[-1]) * s[-2]); s.pop(0)",
        "np.sum(s[0] * s[1])",
    ),
    "a list that grows": ("s = []", "x = np.sin(x) * 1.2; s.append(x * x)", "np.sum(sum(s))"),
    "a dict": (
        "d = dict(a=x, b=1.0)",
        "d['a'] = np.sin(d['a']) * d['b']; d['b'] += d['a'][0]",
        "d['b']",
    ),
    "an object": ("b = Body(x, 0.0 * x)", "moved(b, 0.1)", "np.sum(b.u * b.v)"),
    "a named tuple": (
        "p = Pair(x, 1.0)",
        "p = p._replace(u=np.sin(p.u) * p.k, k=p.k * 0.9)",
        "p.u[0] * p.k",
    ),
    "a tuple": (
        "s = (x, 1.0)",
        "a, b = s; s = (np.sin(a) * b, b * 0.9 + a[0])",
        "np.sum(s[0]) * s[1]",
    ),
    "a helper that writes": ("u = x.copy(); v = x * x", "push(u, v, 0.1 * i)", "np.sum(u * v)"),
    "buffers that swap": (
        "u = x.copy(); v = np.zeros(3)",
        "v[:] = np.sin(u); v[1:] += u[:-1] * u[1:]; u, v = v, u",
        "np.sum(u * v)",
    ),
    "a view that is written": (
        "u = x.copy()",
        "w = u[1:]; w *= np.cos(u[0]); u[0] = u[0] * u[1]",
        "np.sum(u)",
    ),
    "None at first": ("y = None", "y = np.sin(x) if y is None else y * np.cos(y)", "np.sum(y)"),
    "an early return": ("", "x = np.sin(x) * 1.3\nif i == 4: return np.sum(x * x)", "np.sum(x)"),
    "an else": ("", "x = np.sin(x)\nif x[0] < 0.2: break\n\n#else\nx = x * x", "np.sum(x)"),
    "shapes that change": ("", "x = np.concatenate([np.sin(x), x[:1] * x[:1]])", "np.sum(x)"),
    "kinds that change": ("y = 0", "y = y + np.sin(x) * i; x = x * np.cos(y)", "np.sum(y)"),
    "functions of NumPy's": ("", "x = np.sin(x) * np.ones(3) + np.full(3, 0.1)", "np.sum(x)"),
    "what is tried": ("", "try: x = np.sin(x) * 1.1\nexcept ValueError: pass", "np.sum(x)"),
    "a recursion": ("", "x = deep(x, i % 3) + 0.1", "np.sum(x)"),
    "another derivative": (
        "",
        "y, d = s2sad.jvp(bent)(x, np.ones(3)); x = 0.5 * d + 0.1 * y",
        "np.sum(x)",
    ),
    "arrays in a list": (
        "s = [x.copy(), 2 * x]",
        "s[0][1] = np.sin(s[1][0]); s[1] = s[0] * s[1]",
        "np.sum(s[1])",
    ),
    "one array twice": (
        "u = x.copy(); s = [u, u, 2 * x]",
        "s[i % 3][1] = np.sin(s[1][0]) * s[0][2]; s[2][i % 2] += s[1][1]",
        "np.sum(s[1] * s[0] * s[2])",
    ),
    "objects in a list": (
        "bs = [Body(x, 2 * x), Body(x * x, x)]",
        "for b in bs: moved(b, 0.1)",
        "np.sum(bs[0].u * bs[1].v)",
    ),
    "a new object": ("b = Body(x, 2 * x)", "b = Body(np.sin(b.v), 1.1 * b.u)", "np.sum(b.u * b.v)"),
    "an object or None": (
        "b = None",
        "b = Body(np.sin(x), x) if b is None else Body(1.1 * b.v, np.sin(b.u))",
        "np.sum(b.u * b.v)",
    ),
    "lists that swap": (
        "s = [x]; t = [2 * x]",
        "s, t = t, s; s.append(np.sin(t[-1]))",
        "np.sum(s[-1] * t[-1])",
    ),
    "lists in a dict": (
        "d = dict(a=[x], b=[2 * x])",
        "d['a'].append(np.sin(d['b'][-1])); d['b'].append(d['a'][0] * d['a'][-1])",
        "np.sum(d['b'][-1])",
    ),
    "a list of tuples": (
        "s = [(x, 1.0)]",
        "a, b = s[-1]; s.append((np.sin(a) * b, b * 0.9))",
        "np.sum(s[-1][0]) * s[1][1]",
    ),
    "a list that is read": ("ws = [k * x for k in range(9)]", "x = np.sin(x) * ws[i]", "np.sum(x)"),
    "numbers that are read": (
        "ws = [k * x[0] for k in range(9)]",
        "x = np.sin(x) * ws[i]",
        "np.sum(x)",
    ),
    "a copy of numbers that are read": (
        "xs = [x[0], x[1]]; rows = [[x[2], 2.0], xs]",
        "rows[0] = list(xs); x = np.sin(x) * rows[0][0] + rows[i % 2][1]",
        "np.sum(x) + xs[0]",
    ),
    "a list that shrinks": (
        "s = [k * x for k in range(8)]",
        "x = x + np.sin(s.pop())",
        "np.sum(x)",
    ),
    "a word": (
        "mode = 'a'",
        "x = np.sin(x) if mode == 'a' else np.cos(x); mode = 'b' if mode == 'a' else 'a'",
        "np.sum(x)",
    ),
    "the passes": ("", "i = i * 2; x = np.sin(x) * i + 0.3", "np.sum(x) * i"),
}


def source_of(before: str, body: str, result: str) -> str:
    passes, _, otherwise = body.partition("\n#else\n")
    lines = [
        "import s2sad",
        HELPERS,
        "def f(x, n):",
        *(f"    {each}" for each in before.split("\n") if each),
        "    for i in range(n):",
        *(f"        {each}" for each in passes.split("\n") if each),
        *([f"    else:\n        {otherwise}"] if otherwise else []),
        f"    return {result}",
    ]
    return "\n".join(lines)


def flat(value: Any) -> list[Any]:
    return [leaf for _, leaf in leaves(value, "")]


def assert_same(f: Any, args: tuple[Any, ...], schedule: Any) -> None:
    plain = flat(s2sad.grad(f, like=args)(*copy.deepcopy(args)))
    made = s2sad.grad(f, like=args, checkpoint=schedule)
    given = copy.deepcopy(args)
    found = flat(made(*given))
    assert "_loop_rev(" in made.source
    for a, b in zip(found, plain, strict=True):
        assert np.allclose(a, b, rtol=1e-13, atol=1e-15)
        assert np.asarray(a).dtype == np.asarray(b).dtype
    assert all(np.array_equal(a, b) for a, b in zip(flat(given), flat(args), strict=True))


@pytest.mark.parametrize("number, name", enumerate(BODIES), ids=BODIES.keys())
def test_a_body(number: int, name: str) -> None:
    f = defined(source_of(*BODIES[name]))
    assert s2sad.check_grad(f, (X, 7))
    assert_same(f, (X, 7), SCHEDULES[number % 5])
    assert_same(f, (X, 1), SCHEDULES[(number + 2) % 5])


LISTS = {
    "unpacked": "for W, b in layers:\n            x = np.tanh(W @ x + b)",
    "by its items": "for layer in layers:\n            x = np.tanh(layer[0] @ x + layer[1])",
    "numbered": "for k, (W, b) in enumerate(layers):\n            x = np.tanh(W @ x + b) * (k + 1)",
    "a part of it": "for W, b in layers[1:]:\n            x = np.tanh(W @ x + b)",
    "backwards": "for W, b in reversed(layers):\n            x = np.tanh(W @ x + b)",
}


@pytest.mark.parametrize("number, name", list(enumerate(LISTS)), ids=LISTS.keys())
def test_a_loop_over_a_list_that_is_differentiated(number: int, name: str) -> None:
    source = (
        f"def f(layers, x, n):\n    for i in range(n):\n        {LISTS[name]}\n    return np.sum(x)"
    )
    f = defined(source)
    assert s2sad.check_grad(f, (LAYERS, X, 2))
    assert_same(f, (LAYERS, X, 2), SCHEDULES[number % 5])
    single = defined(
        source.replace("for i in range(n):\n        for", "for").replace("  x =", "x =")
    )
    assert_same(single, (LAYERS, X, 2), SCHEDULES[(number + 1) % 5])


def test_a_set_that_grows_is_kept_as_it_was() -> None:
    f = defined(
        "def f(x, n):\n    seen = set()\n    for i in range(n):\n        seen.add(i % 3)\n"
        "        x = np.sin(x) * len(seen)\n    return np.sum(x)"
    )
    assert s2sad.check_grad(f, (X, 5))
    assert_same(f, (X, 5), "sqrt")


@pytest.mark.parametrize("name", ["a tuple", "a window"])
def test_what_is_handed_on_is_differentiated_again(name: str) -> None:
    f = defined(source_of(*BODIES[name]))
    for schedule in ("sqrt", s2sad.Binomial(3)):
        made = s2sad.grad(f, checkpoint=schedule)
        back = s2sad.vjp(made, "x")(X, 7, np.cos(X))
        assert np.allclose(back, s2sad.jvp(made, "x")(X, 7, np.cos(X))[1], rtol=1e-10)
