"""Each rule of the room optimize: the text before and after it, and the same values."""

import copy

import numpy as np
import pytest

from s2sad.ir.text import runnable, text
from s2sad.ir.verify import verify
from s2sad.optimize import simplify
from tests.rooms.written import program_of

U, W = np.array([0.3, -0.7, 1.1, 0.4, 0.9, 0.2, -0.5]), np.linspace(0.1, 0.9, 35).reshape(7, 5)


def simpler(source, *args):
    """Return the lines of a body after, having run both texts."""
    before = program_of(source, *args)
    after = verify(simplify(before))
    expected, got = (runnable(p)(*copy.deepcopy(args)) for p in (before, after))
    pairs = zip(expected, got, strict=True) if isinstance(got, tuple) else [(expected, got)]
    for one, other in pairs:
        assert np.allclose(one, other, rtol=1e-12)
    return [line[4:] for line in text(after).splitlines()[1:] if line]


CASES = {
    "first contribution": (
        "u_bar = np.zeros_like(u)\n    u_bar += 2.0 * u\n    return u_bar",
        ["u_bar = 2.0 * u", "return u_bar"],
    ),
    "first contribution that is another name is copied where it is written": (
        "u_bar = np.zeros_like(u)\n    u_bar += u\n    u_bar[0] = 3.0\n    return u_bar",
        ["u_bar = u.copy()", "u_bar[0] = 3.0", "return u_bar"],
    ),
    "sum on one line": (
        "u_bar = 2.0 * u  # 3\n    u_bar += u**2  # 3\n    u_bar += -u  # 3\n    return u_bar",
        ["u_bar = 2.0 * u + u**2 - u", "return u_bar"],
    ),
    "two lines of the user's stay two": (
        "u_bar = np.exp(u) * np.cos(u) / (3.0 + np.sin(u) ** 2)  # 3\n    u_bar += u**2  # 4\n"
        "    return u_bar",
        ["u_bar = np.exp(u) * np.cos(u) / (3.0 + np.sin(u) ** 2)", "u_bar += u**2", "return u_bar"],
    ),
    "unless the first one is short": (
        "u_bar = 2.0 * u  # 3\n    u_bar += u**2  # 4\n    return u_bar",
        ["u_bar = 2.0 * u + u**2", "return u_bar"],
    ),
    "added to zero": (
        "u_bar = 2.0 * u\n    t_1 = u_bar[1:-1].copy()\n    u_bar[1:-1] = 0.0\n"
        "    u_bar[1:-1] += t_1\n    return u_bar",
        ["u_bar = 2.0 * u", "return u_bar"],
    ),
    "in place": (
        "u_bar = 2.0 * u\n    t_1 = u_bar[1:-1].copy()\n    u_bar[1:-1] = 0.0\n"
        "    u_bar[1:-1] += t_1 * 3.0\n    return u_bar",
        ["u_bar = 2.0 * u", "u_bar[1:-1] *= 3.0", "return u_bar"],
    ),
    "zero later": (
        "u_bar = 2.0 * u\n    t_1 = u_bar[0]  # 5\n    u_bar[0] = 0.0  # 5\n"
        "    u_bar[1] += t_1  # 5\n    return u_bar",
        ["u_bar = 2.0 * u", "u_bar[1] += u_bar[0]", "u_bar[0] = 0.0", "return u_bar"],
    ),
    "an element that may be the same one is not zeroed later": (
        "u_bar = 2.0 * u\n    t_1 = u_bar[0]  # 5\n    u_bar[0] = 0.0  # 5\n"
        "    u_bar[-7] += t_1  # 5\n    return u_bar",
        ["u_bar = 2.0 * u", "t_1 = u_bar[0]", "u_bar[0] = 0.0", "u_bar[-7] += t_1", "return u_bar"],
    ),
    "into both sides": (
        "for i in range(2):\n        c_bar = 0.0\n        if u[i] > 0.0:\n"
        "            c_bar += u[1]\n        else:\n            c_bar += u[2]\n    return c_bar",
        [
            "for i in range(2):",
            "    if u[i] > 0.0:",
            "        c_bar = u[1]",
            "    else:",
            "        c_bar = u[2]",
            "return c_bar",
        ],
    ),
    "dead loop": (
        "v = u.copy()\n    for i in range(3):\n        v[i] = v[i] * 2.0\n"
        "    v_bar = np.ones_like(v)\n    return v_bar",
        ["v_bar = np.ones(len(u))", "return v_bar"],
    ),
    "loop over saved values": (
        "x = u\n    x_saved = []\n    for i in range(3):\n        x_saved.append(x)\n"
        "        x = x * x\n    x_bar = np.ones_like(x)\n    for i in reversed(range(3)):\n"
        "        x = x_saved.pop()\n        x_bar = 2.0 * x * x_bar\n    return x_bar",
        [
            "x = u",
            "x_saved = []",
            "for i in range(3):",
            "    x_saved.append(x)",
            "    x = x * x",
            "x_bar = np.ones_like(x)",
            "for x in reversed(x_saved):",
            "    x_bar = 2.0 * x * x_bar",
            "return x_bar",
        ],
    ),
    "value that stands in a variable": (
        "s = np.sin(u)\n    v = s * u\n    u_bar = np.sin(u) + v\n    return u_bar",
        ["s = np.sin(u)", "v = s * u", "u_bar = s + v", "return u_bar"],
    ),
    "value whose operand has changed": (
        "v = u.copy()\n    s = np.sin(v)\n    v[0] = 3.0\n    u_bar = np.sin(v) + s\n"
        "    return u_bar",
        ["v = u.copy()", "s = np.sin(v)", "v[0] = 3.0", "u_bar = np.sin(v) + s", "return u_bar"],
    ),
    "two names of one adjoint": (
        "u_bar = 2.0 * u\n    t_1 = u_bar\n    u_bar = 0.5 * t_1\n    return u_bar",
        ["u_bar = 2.0 * u", "u_bar = 0.5 * u_bar", "return u_bar"],
    ),
    "what is added to another name's memory stays there": (
        "m_bar = np.outer(u, u)\n    v_bar = m_bar[0]\n    old_bar = v_bar  # 3\n    v_bar = 2.0 * u  # 4\n"
        "    m_bar[1] += v_bar\n    v_bar = old_bar  # 5\n    v_bar += np.sin(u)  # 5\n    return m_bar, v_bar",
        [
            "m_bar = np.outer(u, u)",
            "v_bar = m_bar[0]",
            "old_bar = v_bar",
            "v_bar = 2.0 * u",
            "m_bar[1] += v_bar",
            "v_bar = old_bar",
            "v_bar += np.sin(u)",
            "return m_bar, v_bar",
        ],
    ),
    "zeros that later passes do not read": (
        "x_bar = 2.0 * u\n    for i in reversed(range(1, 7)):\n        g = x_bar[i] / 3.0\n"
        "        x_bar[i] = 0.0\n        x_bar[i - 1] += g * u[i]\n    return x_bar[0]",
        [
            "x_bar = 2.0 * u",
            "for i in reversed(range(1, 7)):",
            "    g = x_bar[i] / 3.0",
            "    x_bar[i - 1] += g * u[i]",
            "return x_bar[0]",
        ],
    ),
    "zeros that a later pass reads": (
        "x_bar = 2.0 * u\n    for i in range(1, 7):\n        x_bar[i] = 0.0\n"
        "        x_bar[0] += x_bar[i - 1] * u[i]\n    return x_bar[0]",
        [
            "x_bar = 2.0 * u",
            "for i in range(1, 7):",
            "    x_bar[i] = 0.0",
            "    x_bar[0] += x_bar[i - 1] * u[i]",
            "return x_bar[0]",
        ],
    ),
    "transposed place is a name": (
        "m_bar = np.outer(u, u)\n    t_1 = m_bar.T\n    t_1 += 2.0 * np.outer(u, u**2)\n"
        "    return m_bar",
        [
            "m_bar = np.outer(u, u)",
            "t_1 = m_bar.T",
            "t_1 += 2.0 * np.outer(u, u**2)",
            "return m_bar",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_rule(name):
    body, expected = CASES[name]
    assert simpler(f"def f(u):\n    {body}\n", U) == expected


def test_statement_with_an_effect_stays():
    source = "def f(u, v):\n    w = u.copy()\n    np.add.at(w, 0, 1.0)\n    return w\n"
    assert "np.add.at(w, 0, 1.0)" in simpler(source, U, U)


def test_writes_to_an_argument_stay():
    source = "def f(u):\n    u[0] = 3.0\n    x_bar = 1.0\n    return x_bar\n"
    assert simpler(source, U)[0] == "u[0] = 3.0"


def test_zeros_do_not_wait_for_another_name_of_their_memory():
    body = """w_bar = u.copy()
    v_bar = w_bar[::-1]
    w_bar += v_bar[0]
    v_bar = np.zeros_like(u)
    w_bar += 2.0 * u
    return w_bar, v_bar"""
    simpler(f"def f(u):\n    {body}", U)
