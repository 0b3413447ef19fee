"""All of an array seen in another way, and the way back from there.

    C = A.T                         A = C.T
    w = np.moveaxis(A, 0, 2)        A = np.moveaxis(w, 2, 0)
    v = A.reshape(-1)               A = v.reshape(A.shape)         where A lies in one piece

What is written to one of the two is in the other, so that each is computed anew from the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.traverse import transform, walk

OWNER = Ref("", None)  # stands for the owner in the `key` of all of it, turned: `C.T`

# taken twice these give the array back
TWICE = frozenset({"flip", "flipud", "fliplr", "swapaxes"})
# back from these leads a reshape
SHAPED = frozenset({"reshape", "ravel", "squeeze", "expand_dims", "view"})
SHAPED |= {"atleast_1d", "atleast_2d", "atleast_3d"}
# these copy what does not lie in memory in its order
IN_ONE_PIECE = frozenset({"reshape", "ravel"})
METHODS = frozenset({"transpose", "swapaxes", "reshape", "ravel", "squeeze", "view"})
FUNCTIONS = TWICE | SHAPED - {"view"} | {"transpose", "moveaxis", "rot90"}


def as_turn(value: Expr) -> tuple[Var, Expr] | None:
    """Return the owner and the key of an expression that is all of an array, turned."""
    match value:
        case Attr(Var() as owner, "T"):
            return owner, Attr(OWNER, "T")
        case Call(Ref() as func, (Var() as owner, *rest), named):
            key = Call(func, (OWNER, *rest), named)
        case Call(Attr(Var() as owner, name), args, named) if name in METHODS:
            key = Call(Attr(OWNER, name), args, named)
        case _:
            return None
    return (owner, key) if _is_followed(key) else None


def is_turn(key: Expr) -> bool:
    """Tell whether what is at a key is all of its owner, turned."""
    return not isinstance(key, Var) and any(each is OWNER for each in walk(key))


def turned(owner: Expr, key: Expr) -> Expr:
    """Return the expression of an owner, turned."""
    return transform(key, lambda each: owner if each is OWNER else each)


def turned_back(value: Expr, owner: Expr, key: Expr) -> Expr:
    """Return the owner that `value` is all of, from what it holds now."""
    if name_of(key) in SHAPED:
        return Call(Attr(value, "reshape"), (Attr(owner, "shape"),))
    match key:
        case Call(Ref("np.moveaxis") as func, (_, start, end)):
            return Call(func, (value, end, start))
        case Call(Ref("np.rot90") as func, (_, *rest), named):
            times = _literal(rest[0]) if rest else 1
            return Call(func, (value, Const(-(times or 0)), *rest[1:]), named)
        case Call(func) if name_of(key) == "transpose" and _given(key):
            axes = _order(_given(key)) or []
            back = Op("tuple", tuple(Const(axes.index(place)) for place in range(len(axes))))
            if isinstance(func, Attr):
                return Call(Attr(value, func.name), (back,))
            return Call(func, (value, back))
    return turned(value, key)


def name_of(key: Expr) -> str:
    """Return the word for how an array is turned."""
    match key:
        case Call(Ref(text)):
            return text.removeprefix("np.")
        case Call(Attr(_, name)):
            return name
    return "T"


def _is_followed(key: Call) -> bool:
    name, given = name_of(key), _given(key)
    if isinstance(key.func, Ref) and (key.func.text != f"np.{name}" or name not in FUNCTIONS):
        return False
    if name in SHAPED:
        return {word for word, _ in key.keywords} <= {"axis"} and len(given) <= _most(key, name)
    if name == "transpose" and given:
        return _order(given) is not None
    if name == "moveaxis":
        return len(given) == 2 and not key.keywords and _are_fixed(given)
    if name == "rot90" and given:
        return isinstance(_literal(given[0]), int) and "k" not in dict(key.keywords)
    return _are_fixed(given)


def _most(key: Call, name: str) -> int:
    """Return how much can be given that says nothing of the order of elements, or of other arrays."""
    if name == "reshape":
        return 1 if isinstance(key.func, Ref) else 32
    return 1 if name in ("squeeze", "expand_dims") else 0


def _given(key: Call) -> tuple[Expr, ...]:
    args = key.args[1:] if isinstance(key.func, Ref) else key.args
    return (*args, *(value for _, value in key.keywords))


def _are_fixed(given: Sequence[Expr]) -> bool:
    parts = (each for axis in given for each in walk(axis))
    return all(isinstance(each, Const | Op) for each in parts)


def _order(given: Sequence[Expr]) -> list[int] | None:
    """Return the axes that a transpose is given, counted from the front; None for others."""
    first = given[0]
    shown = first.args if isinstance(first, Op) and first.op in ("tuple", "list") else given
    axes = [_literal(each) for each in shown]
    known = [each for each in axes if each is not None]
    return known if sorted(known) == list(range(len(axes))) else None


def _literal(expr: Expr) -> int | None:
    match expr:
        case Const(int() as value):
            return value
        case Op("u-", (Const(int() as value),)):
            return -value
    return None
