"""Temporaries are called after what they hold, where that has a short name.

np.sin(theta)   sin_theta        u[i - 1]    u_before        np.exp(-d / s)   K_exp, in a line for K
x.size          x_size           A[i, k]     A_ik            sf**2            sf_squared
"""

from __future__ import annotations

from s2sad.legacy.lasting import affine
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var, base, is_temp

# how adjoints and tangents end: a product is not called w_dot, nor a slope w_tan
ROLES = frozenset({"bar", "tan", "adj"})
POWERS = {2: "squared", 3: "cubed"}
STEPS = {1: "next", -1: "before"}


def called_after(value: Expr, line: str) -> str | None:
    """Return what a temporary of the line for `line` is called; None if nothing is short enough."""
    match value:
        case Call(Ref(text), (Var() as of,), ()) if _is_plain(of):
            return f"{_last(text)}_{base(of.slot)}"
        case Call(Attr(Var() as of, "copy"), (), ()):
            return None
        case Call(Attr(inner, "copy"), (), ()):
            return called_after(inner, line)
        case Call(Ref(text), (_, *_)) if not text.startswith("_"):
            word = {"dot": "product"}.get(_last(text), _last(text))
            return None if word in ROLES else f"{line}_{word}"
        case Op("index", (Var() as owner, key)) if _is_plain(owner):
            place = _place(key)
            return None if place is None else f"{base(owner.slot)}_{place}"
        case Attr(Var() as owner, name) if _is_plain(owner):
            return f"{base(owner.slot)}_{name}"
        case Op("**", (Var() as of, Const(int() | float() as power))) if _is_plain(of):
            return f"{base(of.slot)}_{POWERS[int(power)]}" if power in POWERS else None
    return None


def _is_plain(var: Var) -> bool:
    """Tell whether a value has a name of the user's, be it had again in the reverse sweep."""
    role = var.slot.partition("~")[2]
    return role[:4] in ("", "back") and not is_temp(var.slot)


def _last(text: str) -> str:
    return text.rpartition(".")[2].lstrip("_")


def _place(key: Expr) -> str | None:
    """Return a subscript as a word: ik of [i, k], next of [i + 1], 0 of [0]."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    words = [_word(part) for part in parts]
    if any(word is None for word in words):
        return None
    short = all(len(word) == 1 for word in words if word)
    return ("" if short else "_").join(word for word in words if word)


def _word(part: Expr) -> str | None:
    match affine(part):
        case (None, int() as number):
            return str(number) if number >= 0 else {-1: "last"}.get(number)
        case (Var() as var, 0) if _is_plain(var):
            return base(var.slot)
        case (Var() as var, step) if _is_plain(var) and step in STEPS:
            return STEPS[step]
    return None
