"""Which two values may share memory, followed pair by pair through branches and loops."""

from __future__ import annotations

import pytest

from s2sad.legacy.conflicts import conflicts
from s2sad.legacy.facts import Fact, infer
from s2sad.legacy.normalise import normalise
from s2sad.legacy.storage import roots_of
from s2sad.legacy.together import pairs_of
from tests.texts import defined

ARRAY = Fact("array", "float64")
HEAD = "def f(u, n, c):\n    a = u.copy()\n    b = np.zeros_like(a)\n    held = []\n"

# (body, whether the write in it is seen through another name)
BODIES = {
    "ping_pong": ("for t in range(n):\n b[1:] = a[:-1]\n a, b = b, a\nreturn a", False),
    "three_in_turn": (
        "d = a * 2\nfor t in range(n):\n b[0] = a[1] + d[0]\n a, b, d = b, d, a\nreturn a + d",
        False,
    ),
    "swapped_on_one_side": ("if c:\n a, b = b, a\nb[0] = 1.0\nreturn a", False),
    "swap_by_a_third": ("for t in range(n):\n b[0] = a[1]\n old = a\n a = b\n b = old\nreturn a", False),
    "bound_to_one": ("for t in range(n):\n b[0] = 1.0\n b[2] = a[1]\n a = b\nreturn a", True),
    "bound_to_one_on_one_side": ("if c:\n a = b\nb[0] = 1.0\nreturn a", True),
    "kept_in_a_list": ("for t in range(n):\n held.append(a)\n b[1:] = a[:-1]\n a, b = b, a\nreturn held[0]", True),
    "copied_into_a_list": (
        "for t in range(n):\n held.append(a.copy())\n b[1:] = a[:-1]\n a, b = b, a\nreturn held[0]",
        False,
    ),
    "view_of_one": ("v = a[1:]\nfor t in range(n):\n b[0] = a[1]\n a, b = b, a\nreturn v", True),
    "fresh_in_each_pass": ("for t in range(n):\n b = a * 2\n b[0] = 1.0\n a, b = b, a\nreturn a", False),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_a_write_is_seen_or_not(name: str) -> None:
    body, expected = BODIES[name]
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    program = normalise(defined(source))
    facts = infer(program, {"u": ARRAY, "n": Fact("int"), "c": Fact("bool")})
    pairs = pairs_of(program, facts.of)
    assert bool(conflicts(program, roots_of(program, facts.of), pairs.may_share)) is expected


def test_two_arguments_never_share_and_a_number_shares_nothing() -> None:
    program = normalise(defined("def f(u, v, s):\n    w = u[1:]\n    t = s\n    return w, t"))
    pairs = pairs_of(program, infer(program, {"s": Fact("float")}).of)
    u, v, s = (param.var for param in program.params)
    w, t = (stmt.targets[0] for stmt in program.body)
    assert pairs.may_share(w, u) and not pairs.may_share(w, v) and not pairs.may_share(u, v)
    assert s != t and pairs.may_share(s, t)  # one object, of which nothing can be written
