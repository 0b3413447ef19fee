"""The names and constants that random programs are made of, traps among them.

FLOATS   x, left, x_bar, ...       names that derivative text likes to invent itself
"""

from __future__ import annotations

FLOATS = (
    *("x", "y", "z", "a", "b", "s", "p", "q", "total", "left", "x_bar", "x_dot", "result"),
    *("passes", "value", "seed", "out", "x_term", "λ", "θ", "x_adj", "one", "grad", "s_bar"),
)
ARRAYS = (
    *("u", "v", "w", "r", "d", "h", "u_saved", "u_bar", "u_old", "buf", "old", "new", "φ"),
    *("u_term", "v_bar", "np_u", "cur", "nxt", "x_saved", "u_dot", "w_tan"),
)
MATRICES = ("A", "M", "W", "G", "A_bar", "W_old", "Ω")
INTS = ("i", "j", "k", "t", "m", "idx", "step")
LISTS = ("xs", "parts", "hist", "stack", "acc", "parts_bar")
HELPERS = ("g", "kernel", "relax", "blend", "core", "_inner", "f_rev", "g_bar")
CONSTANTS = {"SCALE": 0.75, "SHIFT": -0.4, "kappa": 1.3, "NEGATIVE": -2.0}

UNARY = (
    *("np.sin({})", "np.cos({})", "np.tanh({})", "np.arctan({})", "np.exp(-0.5 * {} ** 2)"),
    *("np.log(2.5 + np.sin({}))", "np.sqrt(1.5 + {} ** 2)", "abs({})", "np.abs({})", "-{}"),
    *("({}) ** 2", "0.1 * ({}) ** 3", "np.square(np.sin({}))", "1.0 / (2.0 + np.cos({}))"),
    *("np.expm1(0.2 * np.sin({}))", "np.log1p(np.sin({}) ** 2)", "+{}", "2.0 ** np.sin({})"),
)
SCALAR_ONLY = ("math.sin({})", "math.tanh({})", "float({})", "math.exp(-abs({}))")
BINARY = (
    *("{} + {}", "{} - {}", "{} * {}", "0.5 * {} - {}", "{} / (2.0 + np.sin({}))"),
    *("({} + 1.0) * {}", "{} - 2.0 * {}", "-{} + {}", "{} * np.tanh({})"),
    *("np.multiply({}, {})", "np.maximum({}, {})", "np.minimum({}, {})", "np.hypot({}, 1.0 + {})"),
)
CONSTANT_TEXTS = ("0.5", "1.5", "2.0", "-0.3", "0.25", "1.0", "3", "-1", "0.0", "0.7")
