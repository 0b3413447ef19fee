"""The first value of a gradient that is no finite number is found: `debug`.

s2sad debug model.py:misfit --wrt W --like "(np.zeros((3, 3)), np.ones(3))"
"""

from __future__ import annotations

import argparse

from s2sad import value_and_grad
from s2sad.api.commands.making import wanted
from s2sad.api.commands.output import write_out
from s2sad.api.commands.problems import DONE, REFUSED, Usage
from s2sad.api.commands.targets import example, found


def run(options: argparse.Namespace) -> int:
    """Run the gradient at the arguments; exit status 1 where something is no finite number."""
    with found(options.target) as target:
        like = example(target, options.like)
        if like is None:
            raise Usage(f"debug needs arguments: give --like, or define {target.name}_example")
        derivative = value_and_grad(target.function, wanted(options.wrt), like=like)
        told = derivative.first_nonfinite(*like)
    write_out("every value is finite\n" if told is None else f"{told}\n")
    return DONE if told is None else REFUSED
