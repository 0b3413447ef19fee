"""Gradients by these rooms alone: read by the small reader, with a few rules of their own."""

import numpy as np

from s2sad.checkpoint.gradient import Tools, gradient, replayed
from s2sad.ir.run import runnable
from s2sad.ir.text import text
from s2sad.ir.verify import verify
from tests.rooms.reader import join, read
from tests.rooms.rules import StandIn, cost


def derive(function, args, wrt=None, form="grad"):
    """Return the gradient of a function as a Derivation, and as a program that compares."""
    program, types = read(function, args)
    names = [p.variable.name for p in program.function.parameters]
    wrt = wrt if wrt is not None else [n for n, a in zip(names, args, strict=True) if is_float(a)]
    tools = Tools(types.infer, types.shares, join, StandIn(types.infer), cost)
    made = gradient(program, tuple(wrt), tools, form)
    return made, replayed(program, made, tools)


def is_float(arg):
    """Tell whether a function may be differentiated by an argument."""
    return np.asarray(arg).dtype.kind == "f"


def grad(function, args, wrt=None, form="grad"):
    """Return the gradient of a function as a function, with its text."""
    made, checked = derive(function, args, wrt, form)
    verify(made.program)
    run = runnable(made.program)
    run.text = text(made.program)
    run.checked = runnable(checked)
    run.checked_text = text(checked)
    return run
