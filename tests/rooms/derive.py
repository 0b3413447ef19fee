"""Gradients by the new rooms alone."""

import numpy as np

from s2sad.api.pipeline import gradient_of
from s2sad.api.request import Request
from s2sad.api.rounds import argument_names
from s2sad.api.tools import tools_for
from s2sad.ir.text import runnable, text
from s2sad.ir.verify import verify
from s2sad.source.read import read
from tests.rooms.replay import replayed


def derive(function, args, wrt=None, form="grad"):
    """Return the gradient of a function as a Derivation, and as a program that compares."""
    if wrt is None:
        names = argument_names(read(function), args)
        wrt = [n for n, a in zip(names, args, strict=True) if is_float(a)]
    made = gradient_of(Request(function, tuple(wrt), form), args)
    tools = tools_for(made.primal, made.context)
    return made.derivation, replayed(made.primal, made.derivation, tools)


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
