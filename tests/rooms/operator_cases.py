"""Operations to try rules with: what the templates' own annotations say, over the representation."""

import operator
from collections.abc import Mapping

import numpy as np

from s2sad.ir.expression import Expr, Variable, constant, global_, name
from s2sad.ir.types import Array, Length, Number, Other, Reference, Region, Tuple
from s2sad.legacy.program import Attr, Call, Const, Op, Ref, Var
from s2sad.operators.trees import literal

UNARY = {"u-": "-", "u+": "+", "~": "~", "not": "not"}
COMPARE = {"<", "<=", ">", ">=", "==", "!=", "is", "is_not", "in", "not_in"}
PYTHON = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def type_of(value, regions, site=()):
    """Return the type of a value; lists are put into `regions`."""
    match value:
        case bool() | int() | float() | complex():
            return Number(str(np.asarray(value).dtype))
        case np.generic():
            return Number(str(value.dtype), True)
        case np.ndarray():
            return Array(str(value.dtype), tuple(Length((), n) for n in value.shape))
        case tuple():
            return Tuple(tuple(type_of(v, regions, (*site, k)) for k, v in enumerate(value)))
        case list():
            inner = [type_of(v, regions, (*site, k)) for k, v in enumerate(value)]
            regions[site] = Region(site, "list", inner[0] if inner else Other(None))
            return Reference(site)
    return Other(type(value))


class Values:
    """Values of names: expressions over them are typed by what they are."""

    def __init__(self, env: Mapping):
        self.env, self.regions, self.known = dict(env), {}, {}

    def named(self, called):
        """Return a name with the type of its value."""
        return name(Variable(called), type_of(self.env[called], self.regions, (called,)))

    def infer(self, expr):
        """Return an expression with the type of its value."""
        return expr.typed(type_of(self.value(expr), self.regions, (expr,)), expr.known)

    def value(self, expr):
        """Return the value of an expression."""
        if expr not in self.known:
            self.known[expr] = self._value(expr)
        return self.known[expr]

    def _value(self, expr):
        match expr.op:
            case "constant":
                return expr.data
            case "name":
                return self.env[expr.data.name]
            case "global":
                return expr.data.value
            case "conditional":
                return self.value(expr.args[1 if self.value(expr.args[0]) else 2])
            case "and":
                return all(map(self.value, expr.args))
            case "call":
                return self._called(expr)
        args = list(map(self.value, expr.args))
        match expr.op:
            case "unary":
                return {
                    "-": operator.neg,
                    "+": operator.pos,
                    "~": operator.invert,
                    "not": operator.not_,
                }[expr.data](*args)
            case "binary":
                return PYTHON[expr.data](*args)
            case "compare":
                return PYTHON[expr.data[0]](*args)
            case "attribute":
                return getattr(args[0], expr.data)
            case "subscript":
                return args[0][args[1]]
            case "slice":
                return slice(*args)
            case "tuple":
                return tuple(args)
            case "list":
                return args
        raise TypeError(expr.op)

    def _called(self, expr):
        count = len(expr.args) - len(expr.data)
        args = []
        for arg in expr.args[1:count]:
            if arg.op == "starred":
                args.extend(self.value(arg.args[0]))
            else:
                args.append(self.value(arg))
        words = dict(zip(expr.data, map(self.value, expr.args[count:]), strict=True))
        return self.value(expr.args[0])(*args, **words)


def converted(expr, values):
    """Return an operation of the first core over the representation, with types from values."""
    made = _converted(expr, values)
    return made if made.op in ("global", "constant", "starred", "slice") else _typed(made, values)


def _typed(made, values):
    try:
        return values.infer(made)
    except Exception:
        return made


def _converted(expr, values):
    def each(parts):
        return tuple(converted(part, values) for part in parts)

    match expr:
        case Const(value):
            return literal(value) if not isinstance(value, str) else constant(value)
        case Var(slot):
            return values.named(slot)
        case Ref(text, value):
            return global_(text, value)
        case Attr(base, named):
            return Expr("attribute", each((base,)), named)
        case Call(function, args, keywords):
            named = dict(keywords)
            return Expr("call", each((function, *args, *named.values())), tuple(named))
        case Op("star", parts):
            return Expr("starred", each(parts), "*")
        case Op("index", parts):
            return Expr("subscript", each(parts))
        case Op("if", (test, value, other)):
            return Expr("conditional", each((test, value, other)))
        case Op("tuple" | "list" | "slice" | "and" | "or" as op, parts):
            return Expr(op, each(parts))
        case Op(op, parts) if op in UNARY:
            return Expr("unary", each(parts), UNARY[op])
        case Op(op, parts) if op in COMPARE:
            return Expr("compare", each(parts), (op.replace("_", " "),))
        case Op(op, parts):
            return Expr("binary", each(parts), op)
    raise TypeError(expr)


def is_finite(value):
    """Tell whether a value is made of finite numbers."""
    return bool(np.all(np.isfinite(value))) if not isinstance(value, tuple) else True


__all__ = ["Values", "converted", "is_finite", "type_of"]
