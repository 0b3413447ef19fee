"""What is known of a program does not depend on the hash seed of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
from numpy.polynomial import chebyshev
from s2sad.legacy.facts import fact_of_value, infer
from s2sad.legacy.normalise import normalise
from tests.facts.samples import misfit

W = np.ones((3, 4))
for function, args in (
    (misfit, {"W": W, "m": np.ones(4), "d": np.ones(3)}),
    (chebyshev.chebval, {"x": np.ones(5), "c": np.ones((3, 2)), "tensor": True}),
):
    program = normalise(function)
    facts = infer(program, {name: fact_of_value(value, name) for name, value in args.items()})
    for var, fact in facts.known.items():
        print(var, fact)
    for meeting in facts.meetings:
        print(meeting)
"""


def test_facts_are_the_same_whatever_the_hash_seed() -> None:
    root = str(Path(__file__).resolve().parents[2])
    texts = set()
    for seed in ("0", "1", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root}
        made = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True
        )
        texts.add(made.stdout)
    assert len(texts) == 1
    assert len(texts.pop().splitlines()) > 10
