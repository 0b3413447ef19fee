"""A derivative that was edited or written by hand is held against the function: `verify`.

    s2sad verify model.py:misfit misfit_grad.py:misfit_grad

Its dot product with a direction is compared with the tangent of the function and with differences;
where they differ, the statement is named from which on an adjoint is another one.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import Any

from s2sad import check_grad
from s2sad.api.commands.making import rules_in_force, wanted
from s2sad.api.commands.output import DONE, REFUSED, Usage, write_out
from s2sad.api.commands.recorded import asked_again
from s2sad.api.commands.targets import example, found
from s2sad.api.saved import split

FORMS = ("value_and_grad", "grad", "vjp")


def run(options: argparse.Namespace) -> int:
    """Compare, and say what was found: exit status 1 where it does not agree."""
    with ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        stack.enter_context(rules_in_force(options.rules))
        target = stack.enter_context(found(options.target))
        other = stack.enter_context(found(options.derivative))
        like = example(target, options.like)
        if like is None:
            raise Usage(f"verify needs arguments: give --like, or define {target.name}_example")
        form = _form(other.name, other.function, target.function, options.derivative)
        wrt = wanted(options.wrt) if options.wrt else _made_with(other.sources[0])
        gradient = _gradient(other.function, form)
        report = check_grad(target.function, like, wrt, seed=options.seed, gradient=gradient)
    write_out(f"{report}\n")
    return DONE if report.ok else REFUSED


def _form(name: str, derivative: Any, function: Any, asked: str) -> str:
    """Return what a derivative gives, by its name; Usage where it takes other arguments."""
    own, its = _names(function), _names(derivative)
    form = next((each for each in FORMS if name.endswith(f"_{each}")), "grad")
    expected = [*own, "seed"] if form == "vjp" else own
    fits = its == expected or (form == "vjp" and its[:-1] == own)
    if not fits:
        raise Usage(
            f"{asked} takes ({', '.join(its)}), and {function.__name__} takes ({', '.join(own)}): "
            "give it the same parameters" + (", then the seed" if form == "vjp" else "")
        )
    return form


def _names(function: Any) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        raise Usage(f"{function!r} is no function: name one that is written in Python") from None


def _made_with(path: Path) -> Any:
    """Return the parameters that a saved derivative was made for; None where it does not say."""
    stamp, _ = split(path.read_text(encoding="utf-8", errors="replace"))
    if stamp is None or not stamp.command:
        return None
    return wanted(asked_again(stamp.command).wrt) or 0


def _gradient(derivative: Callable[..., Any], form: str) -> Callable[..., Any]:
    if form != "value_and_grad":
        return derivative

    @wraps(derivative)
    def gradient(*args: Any, **keywords: Any) -> Any:
        return derivative(*args, **keywords)[1]

    return gradient
