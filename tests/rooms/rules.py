"""A few derivative rules as text, for the tests of these rooms: g adjoint, y result, a, b operands."""

import ast

import numpy as np

from s2sad.ir.expression import Expr, constant, global_
from s2sad.ir.types import Number
from s2sad.reverse.calculus import Calculus, is_array, is_literal, literal, number, shape
from s2sad.reverse.pull import fit, full, like, pull_matrix_product

ONE = {
    "sin": "g * np.cos(a)",
    "cos": "-(g * np.sin(a))",
    "tan": "g * (1.0 + y**2)",
    "tanh": "g * (1.0 - y**2)",
    "sinh": "g * np.cosh(a)",
    "cosh": "g * np.sinh(a)",
    "exp": "g * y",
    "expm1": "g * (y + 1.0)",
    "log": "g / a",
    "log1p": "g / (1.0 + a)",
    "log10": "g / (a * 2.302585092994046)",
    "sqrt": "0.5 * g / y",
    "square": "2.0 * (g * a)",
    "abs": "g * np.sign(a)",
    "absolute": "g * np.sign(a)",
    "negative": "-g",
    "arctan": "g / (1.0 + a**2)",
    "arcsin": "g / np.sqrt(1.0 - a**2)",
    "arccos": "-(g / np.sqrt(1.0 - a**2))",
    "float": "g",
    "copy": "g",
    "asarray": "g",
    "inv": "-(y.T @ g @ y.T)",
    "transpose": "g.T",
}
WHOLE = {"inv", "transpose"}
TWO = {
    "add": ("g", "g"),
    "subtract": ("g", "-g"),
    "multiply": ("g * b", "g * a"),
    "divide": ("g / b", "-((g / b) * y)"),
    "maximum": ("g * (a > b) + 0.5 * g * (a == b)", "g * (b > a) + 0.5 * g * (a == b)"),
    "minimum": ("g * (a < b) + 0.5 * g * (a == b)", "g * (b < a) + 0.5 * g * (a == b)"),
    "max": ("g * (a >= b)", "g * (b > a)"),
    "min": ("g * (a <= b)", "g * (b < a)"),
    "logaddexp": ("g * np.exp(a - y)", "g * np.exp(b - y)"),
    "arctan2": ("g * b / (a**2 + b**2)", "-(g * a / (a**2 + b**2))"),
    "hypot": ("g * a / y", "g * b / y"),
}
COSTLY = {"outer", "dot", "solve", "inv", "einsum", "cholesky", "matmul", "lstsq", "eigh", "fft"}
SYMBOLS = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide"}


def cost(expr):
    """Tell whether an operation is worth saving its result."""
    if expr.op == "binary" and expr.data == "@":
        return "costly"
    if expr.op == "comprehension":
        return "costly"
    if expr.op == "call" and expr.args[0].op == "global":
        return "costly" if expr.args[0].data.text.split(".")[-1] in COSTLY else "cheap"
    return "cheap"


class StandIn:
    """Rules as the room `operators` gives them, for the functions of the tests."""

    def __init__(self, infer):
        self.c = Calculus(infer)

    def filled(self, text, holes):
        return self.tree(ast.parse(text, mode="eval").body, holes)

    def tree(self, n, holes):
        c = self.c
        match n:
            case ast.Constant(value=v):
                return number(v)
            case ast.Name(id=x):
                return holes[x]()
            case ast.BinOp(left=a, op=op, right=b):
                a, b = self.tree(a, holes), self.tree(b, holes)
                if type(op) in SYMBOLS:
                    return getattr(c, SYMBOLS[type(op)])(a, b)
                return c.binary({ast.Pow: "**", ast.MatMult: "@"}[type(op)], a, b)
            case ast.UnaryOp(operand=a):
                return c.negate(self.tree(a, holes))
            case ast.Compare(left=a, ops=[op], comparators=[b]):
                word = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=="}
                pair = self.tree(a, holes), self.tree(b, holes)
                return c.infer(Expr("compare", pair, (word[type(op)],)))
            case ast.Call(func=ast.Attribute(attr=f), args=args):
                return c.numpy(f, *(self.tree(a, holes) for a in args))
            case ast.Attribute(value=v, attr="T"):
                return c.attribute(self.tree(v, holes), "T")
        raise ValueError(ast.unparse(n))

    def pull(self, expr, g, code):
        if expr.op != "call":
            return None
        function = expr.args[0]
        n = len(expr.args) - len(expr.data)
        words = dict(zip(expr.data, expr.args[n:], strict=True))
        args = list(expr.args[1:n])
        if function.op == "attribute":
            called, args = function.data, [function.args[0], *args]
        else:
            called = function.data.text.split(".")[-1]
        if called in ONE and len(args) == 1 and not words:
            return self.one(called, expr, args[0], g, code)
        if called in TWO and len(args) == 2 and not words:
            return self.two(called, expr, args, g, code)
        made = getattr(self, "on_" + called, None)
        return made(expr, g, code, args, words) if made else None

    def one(self, called, expr, x, g, code):
        if called in WHOLE:
            g = code.temporary(full(g, expr, code))
        holes = {"g": lambda: g, "a": lambda: code.value(x), "y": lambda: code.value(expr)}
        return [(x, self.filled(ONE[called], holes))]

    def two(self, called, expr, args, g, code):
        active = [x for x in args if code.world.is_active(x)]
        g = code.temporary(g)
        holes = {
            "g": lambda: g,
            "a": lambda: code.value(args[0]),
            "b": lambda: code.value(args[1]),
            "y": lambda: code.value(expr),
        }
        pairs = zip(args, TWO[called], strict=True)
        return [(x, fit(self.filled(t, holes), expr, x, code)) for x, t in pairs if x in active]

    def on_sum(self, expr, g, code, args, words):
        axis = words.get("axis", args[1] if len(args) > 1 else None)
        kept = words.get("keepdims")
        if axis is None or shape(expr) == ():
            return [(args[0], g)]
        if kept is None:
            g = self.c.numpy("expand_dims", full(g, expr, code), axis)
        return [(args[0], full(g, args[0], code))]

    def on_mean(self, expr, g, code, args, words):
        if words or len(args) > 1:
            axis = words.get("axis", args[1] if len(args) > 1 else None)
            if axis is None or axis.op != "constant" or set(words) - {"axis"}:
                return None
            lengths = self.c.attribute(like(args[0], code), "shape")
            g = self.c.divide(g, self.c.part(lengths, axis))
            return self.on_sum(expr, g, code, args, words)
        return [(args[0], self.c.divide(g, self.c.attribute(like(args[0], code), "size")))]

    def on_roll(self, expr, g, code, args, words):
        g = full(g, expr, code)
        return [(args[0], self.c.numpy("roll", g, self.c.negate(args[1]), *args[2:], **words))]

    def on_outer(self, expr, g, code, args, words):
        a, b = args
        g = code.temporary(full(g, expr, code))
        made = []
        if code.world.is_active(a):
            made.append((a, self.c.binary("@", g, code.value(b))))
        if code.world.is_active(b):
            made.append((b, self.c.binary("@", code.value(a), g)))
        return made

    def on_dot(self, expr, g, code, args, words):
        pull_matrix_product(expr, *args, g, code)
        return [(a, number(0.0)) for a in args]

    on_matmul = on_dot

    def on_where(self, expr, g, code, args, words):
        test = code.value(args[0])
        g = code.temporary(g)
        zero = number(0.0)
        made = []
        for x, pair in ((args[1], (g, zero)), (args[2], (zero, g))):
            if code.world.is_active(x):
                made.append((x, fit(self.c.numpy("where", test, *pair), expr, x, code)))
        return made

    def on_array(self, expr, g, code, args, words):
        if args[0].op != "list":
            return [(args[0], g)] if is_array(args[0]) else None
        g = code.temporary(full(g, expr, code))
        parts = enumerate(args[0].args)
        return [(x, self.c.part(g, literal(k, Number("int64")))) for k, x in parts]

    def on_concatenate(self, expr, g, code, args, words):
        if words or args[0].op not in ("list", "tuple"):
            return None
        g = code.temporary(full(g, expr, code))
        made, at = [], number(0)
        for x in args[0].args:
            size = self.c.infer(Expr("call", (global_("len", len), like(x, code)), ()))
            end = self.c.add(at, size)
            part = Expr("slice", (at, end, constant(None)))
            made.append((x, self.c.part(g, part)))
            at = end
        return made

    def on_reshape(self, expr, g, code, args, words):
        target = self.c.attribute(like(args[0], code), "shape")
        return [(args[0], self.c.numpy("reshape", full(g, expr, code), target))]

    on_ravel = on_reshape

    def on_solve(self, expr, g, code, args, words):
        A, b = args
        turned = self.c.attribute(code.value(A), "T")
        t = code.temporary(self.c.numpy("linalg.solve", turned, full(g, expr, code)))
        y = code.value(expr)
        if len(shape(b)) == 1:
            outer = self.c.numpy("outer", t, y)
        else:
            outer = self.c.binary("@", t, self.c.attribute(y, "T"))
        made = [(b, t)]
        return [*made, (A, self.c.negate(outer))] if code.world.is_active(A) else made

    def on_norm(self, expr, g, code, args, words):
        if words or len(args) > 1:
            return None
        scaled = self.c.multiply(g, code.value(args[0]))
        return [(args[0], self.c.divide(scaled, code.value(expr)))]

    def on_trace(self, expr, g, code, args, words):
        size = self.c.infer(Expr("call", (global_("len", len), like(args[0], code)), ()))
        return [(args[0], self.c.multiply(g, self.c.numpy("eye", size)))]

    def on_cumsum(self, expr, g, code, args, words):
        if len(shape(args[0]) or ()) != 1 or words:
            return None
        back = Expr("slice", (constant(None), constant(None), number(-1)))
        inner = self.c.part(full(g, expr, code), back)
        return [(args[0], self.c.part(self.c.numpy("cumsum", inner), back))]

    def on_max(self, expr, g, code, args, words):
        if words or len(args) > 1:
            return None
        pair = code.value(args[0]), code.value(expr)
        mask = code.temporary(self.c.infer(Expr("compare", pair, ("==",))))
        share = self.c.divide(g, self.c.numpy("sum", mask))
        return [(args[0], self.c.multiply(share, mask))]

    on_min = on_max

    def on_diff(self, expr, g, code, args, words):
        if len(shape(args[0]) or ()) != 1 or words or len(args) > 1:
            return None
        zero = Expr("list", (number(0.0),), None)
        g = code.temporary(full(g, expr, code))
        pieces = []
        for parts in ((zero, g), (g, zero)):
            display = Expr("list", parts, None)
            pieces.append(self.c.numpy("concatenate", display))
        return [(args[0], self.c.subtract(*pieces))]

    def sum_to(self, g, target_shape, operand):
        return Expr("call", (global_("_sum_to", sum_to), g, target_shape), (), operand.type)


def sum_to(x, target):
    """Sum x over what broadcasting from this shape added or stretched."""
    extra = np.ndim(x) - len(target)
    axes = tuple(range(extra)) + tuple(extra + i for i, n in enumerate(target) if n == 1)
    return np.reshape(np.sum(x, axis=axes), target) if target else np.sum(x)


__all__ = ["StandIn", "cost", "is_literal"]
