"""Random programs about one thing each: iterators, containers, control flow, complex numbers.

The programs of tests.fuzz.generate have something of everything; those of a family have much of one
thing, and find what goes wrong where several of its forms meet.

python -m tests.fuzz --family containers --count 200
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from tests.fuzz import asked, digits, others
from tests.fuzz.case import Case
from tests.fuzz.families import (
    arrays,
    askings,
    between,
    closures,
    complexes,
    containers,
    control,
    departures,
    dicts,
    dtypes,
    entries,
    given,
    handed,
    inplace,
    iterators,
    keepers,
    makers,
    methods,
    objects,
    pairs,
    planes,
    positions,
    results,
    slots,
    trials,
    ufuncs,
    walks,
)
from tests.oracles import Args

Program = Callable[[random.Random], str]
Arguments = Callable[[np.random.Generator], Args]


def two_vectors(rng: np.random.Generator) -> Args:
    """Return two vectors of five elements, most of the first ones positive."""
    first = np.abs(rng.uniform(-0.1, 1.0, 5)).round(3)
    return first, rng.uniform(-0.2, 1.0, 5).round(3)


def matrix_vector_and_number(rng: np.random.Generator) -> Args:
    """Return a matrix of three rows, a vector as long as they are, and a number."""
    matrix = np.abs(rng.uniform(-0.1, 1.0, (3, 4))).round(3)
    return matrix, rng.uniform(-0.2, 1.0, 4).round(3), float(rng.uniform(0.2, 1.0))


FAMILIES: Mapping[str, tuple[Program, Arguments]] = {
    "arrays": (arrays.program, matrix_vector_and_number),
    "askings": (askings.program, askings.arguments),
    "between": (between.program, matrix_vector_and_number),
    "closures": (closures.program, two_vectors),
    "complexes": (complexes.program, two_vectors),
    "containers": (containers.program, two_vectors),
    "control": (control.program, two_vectors),
    "departures": (departures.program, two_vectors),
    "dicts": (dicts.program, two_vectors),
    "dtypes": (dtypes.program, dtypes.arguments),
    "entries": (entries.program, two_vectors),
    "given": (given.program, matrix_vector_and_number),
    "handed": (handed.program, two_vectors),
    "inplace": (inplace.program, matrix_vector_and_number),
    "iterators": (iterators.program, two_vectors),
    "pairs": (pairs.program, two_vectors),
    "keepers": (keepers.program, two_vectors),
    "makers": (makers.program, two_vectors),
    "methods": (methods.program, two_vectors),
    "objects": (objects.program, two_vectors),
    "planes": (planes.program, matrix_vector_and_number),
    "positions": (positions.program, two_vectors),
    "results": (results.program, results.arguments),
    "slots": (slots.program, two_vectors),
    "trials": (trials.program, matrix_vector_and_number),
    "ufuncs": (ufuncs.program, matrix_vector_and_number),
    "walks": (walks.program, matrix_vector_and_number),
}
# what is not judged as most programs are
JUDGES = {"askings": asked.judge, "dtypes": digits.judge, "given": others.judge}


def case_of(family: str, seed: int, number: int) -> Case:
    """Return the program of a number in the campaign of a seed, with its arguments."""
    program, arguments = FAMILIES[family]
    text = program(random.Random(f"{family} {seed} {number}"))
    args = arguments(np.random.default_rng([seed, number]))
    case = Case(f"{family}{seed}_{number}", text, args, tuple(range(len(args))))
    if family == "results":
        rng = np.random.default_rng([seed, number, 1])
        return replace(case, seed=results.seed_of(text, args, rng), mode="vjp")
    if family in JUDGES:
        return replace(case, wrt=(0, 1, 2), judge=JUDGES[family])
    return replace(case, second=number % 3 == 0)  # the Hessian of some, too
