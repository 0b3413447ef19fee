"""Words for temporaries: what they hold, as a reader would call it.

np.tanh(A @ v), of the line v = ...   v_tanh      x**2       x_squared
u[i + 1]                              u_next      x.T        x_T
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.expression import Expr, Role, Variable, copied, positional

# how adjoints and tangents end: a product is not called w_dot, nor a slope w_tan
ROLES = frozenset({"bar", "tan", "adj"})
POWERS = {2: "squared", 3: "cubed"}
Names = Mapping[Variable, str]
STEPS = {("+", 1): "next", ("-", 1): "before"}


def called_after(value: Expr, line: str, names: Names) -> str | None:
    """Return what a temporary of the line for `line` is called; None if nothing is short enough.

    `names` are those that variables have in the text, as far as they are known.
    """
    match value.op:
        case "call":
            return _after_call(value, line, names)
        case "subscript" if _is_plain(value.args[0]):
            place = _place(value.args[1], names)
            return None if place is None else f"{_name(value.args[0], names)}_{place}"
        case "attribute" if _is_plain(value.args[0]):
            return f"{_name(value.args[0], names)}_{value.data}"
        case "binary" if value.data == "**" and _is_plain(value.args[0]):
            power = value.args[1].data if value.args[1].op == "constant" else None
            return f"{_name(value.args[0], names)}_{POWERS[power]}" if power in POWERS else None
    return None


def _name(expr: Expr, names: Names) -> str:
    return names.get(expr.data, str(expr.data.name))


def _after_call(value: Expr, line: str, names: Names) -> str | None:
    function, args = value.args[0], positional(value)
    base = copied(value)
    if base is not None:
        return None if base.op == "name" else called_after(base, line, names)
    if function.op != "global" or not args or function.data.text.startswith("_"):
        return None
    word = function.data.text.rpartition(".")[2].lstrip("_")
    if len(value.args) == 2 and _is_plain(args[0]):
        return f"{word}_{_name(args[0], names)}"
    if line.startswith(f"{word}_"):  # it is called after the call already: sum_E
        return line
    word = {"dot": "product"}.get(word, word)
    return None if word in ROLES else f"{line}_{word}"


def _is_plain(expr: Expr) -> bool:
    """Tell whether a value has a name of the user's."""
    return expr.op == "name" and expr.data.role is Role.PRIMAL


def _place(key: Expr, names: Names) -> str | None:
    """Return a subscript as a word: ik of [i, k], next of [i + 1], 0 of [0], j of [:, j]."""
    words = [_word(part, names) for part in (key.args if key.op == "tuple" else (key,))]
    if any(word is None for word in words) or not any(words):
        return None
    short = all(len(word) == 1 for word in words if word)
    return ("" if short else "_").join(word for word in words if word)


def _word(part: Expr, names: Names) -> str | None:
    if part.op == "slice" and all(bound.data is None for bound in part.args):
        return ""
    if part.op == "constant" and isinstance(part.data, int):
        return str(part.data)
    if part.op == "unary" and part.data == "-" and part.args[0].data == 1:
        return "last"
    if part.op == "constant" and part.data == -1:
        return "last"
    if _is_plain(part):
        return _name(part, names)
    if part.op == "binary" and _is_plain(part.args[0]) and part.args[1].op == "constant":
        step = part.args[1].data
        return STEPS.get((part.data, step)) if isinstance(step, int) else None
    return None


def stem_of(variable: Variable) -> str:
    """Return the name that a variable's own line has: x of x_term, x of x_term_bar."""
    return variable.name.removesuffix("_bar").removesuffix("_term")
