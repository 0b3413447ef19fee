"""Gradients by the new core alone, with a few rules of their own: for the tests of these rooms."""

import numpy as np

from s2sad.checkpoint.gradient import Tools, gradient, replayed
from s2sad.ir.expression import Expr, constant, global_
from s2sad.ir.run import runnable
from s2sad.ir.text import text
from s2sad.ir.verify import verify
from s2sad.reverse.calculus import Calculus, literal, number, shape
from s2sad.reverse.pull import fit, full, like, pull_matrix_product
from tests.rooms.reader import join, read

COSTLY = {"outer", "dot", "sum", "solve", "inv"}


def cost(expr):
    if expr.op == "binary" and expr.data == "@":
        return "costly"
    if expr.op == "call" and expr.args[0].op == "global":
        return "costly" if expr.args[0].data.text.split(".")[-1] in COSTLY else "cheap"
    return "cheap"


ONE = {
    "sin": lambda c, g, x, y: c.multiply(g, c.numpy("cos", x())),
    "cos": lambda c, g, x, y: c.negate(c.multiply(g, c.numpy("sin", x()))),
    "exp": lambda c, g, x, y: c.multiply(g, y()),
    "tanh": lambda c, g, x, y: c.multiply(
        g, c.subtract(number(1.0), c.binary("**", y(), number(2)))
    ),
    "sqrt": lambda c, g, x, y: c.divide(c.multiply(number(0.5), g), y()),
    "log": lambda c, g, x, y: c.divide(g, x()),
    "abs": lambda c, g, x, y: c.multiply(g, c.numpy("sign", x())),
    "square": lambda c, g, x, y: c.multiply(number(2.0), c.multiply(g, x())),
    "copy": lambda c, g, x, y: g,
    "float": lambda c, g, x, y: g,
}


class StandIn:
    """Rules for what the random programs call."""

    def __init__(self, infer):
        self.calculus = Calculus(infer)

    def pull(self, expr, g, code):
        c = self.calculus
        if expr.op != "call":
            return None
        function = expr.args[0]
        words = dict(zip(expr.data, expr.args[len(expr.args) - len(expr.data) :], strict=True))
        args = list(expr.args[1 : len(expr.args) - len(expr.data)])
        if function.op == "attribute":
            called, args = function.data, [function.args[0], *args]
        else:
            called = function.data.text.split(".")[-1]
        if called in ONE and len(args) == 1:
            x = args[0]
            made = ONE[called](c, g, lambda: code.value(x), lambda: code.value(expr))
            return [(x, made)]
        if called == "sum":
            if len(args) == 1 and "axis" not in words:
                return [(args[0], g)]
            axis = words.get("axis", args[1] if len(args) > 1 else None)
            g = code.temporary(c.numpy("expand_dims", full(g, expr, code), axis))
            return [(args[0], full(g, args[0], code))]
        if called == "mean" and len(args) == 1 and not words:
            return [(args[0], c.divide(g, c.attribute(like(args[0], code), "size")))]
        if called == "roll":
            return [(args[0], c.numpy("roll", full(g, expr, code), c.negate(args[1])))]
        if called == "outer":
            a, b = args
            g = code.temporary(full(g, expr, code))
            pairs = [(a, c.binary("@", g, code.value(b))), (b, c.binary("@", code.value(a), g))]
            return [(x, h) for x, h in pairs if code.world.is_active(x)]
        if called == "dot":
            pull_matrix_product(expr, *args, g, code)
            return [(a, number(0.0)) for a in args]
        if called == "where" and len(args) == 3:
            t = code.value(args[0])
            g = code.temporary(g)
            return [
                (args[1], fit(c.numpy("where", t, g, number(0.0)), expr, args[1], code)),
                (args[2], fit(c.numpy("where", t, number(0.0), g), expr, args[2], code)),
            ]
        return None

    def sum_to(self, g, target_shape, operand):
        return Expr("call", (global_("_sum_to", sum_to), g, target_shape), (), operand.type)


def sum_to(x, target):
    extra = np.ndim(x) - len(target)
    axes = tuple(range(extra)) + tuple(extra + i for i, n in enumerate(target) if n == 1)
    return np.reshape(np.sum(x, axis=axes), target) if target else np.sum(x)


def derive(function, args, wrt=None):
    """Return the gradient of a function as a Derivation, and as a program that compares."""
    program, types = read(function, args)
    names = [p.variable.name for p in program.function.parameters]
    wrt = wrt if wrt is not None else [n for n, a in zip(names, args, strict=True) if is_float(a)]
    tools = Tools(types.infer, types.shares, join, StandIn(types.infer), cost)
    made = gradient(program, tuple(wrt), tools)
    return made, replayed(program, made, tools)


def is_float(arg):
    return np.asarray(arg).dtype.kind == "f"


def grad(function, args, wrt=None):
    """Return the gradient of a function as a function, with its text."""
    made, checked = derive(function, args, wrt)
    verify(made.program)
    run = runnable(made.program)
    run.text = text(made.program)
    run.checked = runnable(checked)
    run.checked_text = text(checked)
    return run


__all__ = ["constant", "grad", "literal", "shape"]
