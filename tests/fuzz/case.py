"""Turns the text of a program into a function that inspect can find the source of.

case = Case("p0", text, (u, 0.3), wrt=(0,))
with loaded(case, folder) as f:
    f(*case.args)
"""

from __future__ import annotations

import importlib.util
import linecache
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import s2sad
from tests.oracles import Args

# what the command line calls them, and what they are
SCHEDULES: dict[str, Callable[[], Any]] = {
    "sqrt": lambda: "sqrt",
    "every:2": lambda: s2sad.Every(2),
    "binomial:2": lambda: s2sad.Binomial(2),
    "recompute": lambda: s2sad.Recompute(),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A program, what it is called with, and what is asked of it.

    `seed` is 1.0 for a scalar result, else an array of the shape of the result; `mode` is the
    way in which the reverse mode is called: "grad", "value_and_grad" or "vjp". A `schedule` says
    which states of loops the reverse sweep keeps, as the command line does; `second` asks for the
    Hessian of a scalar result times a vector, too. A `judge` of its own is given the function.
    """

    label: str
    text: str
    args: Args
    wrt: tuple[int, ...]
    seed: Any = 1.0
    mode: str = "grad"
    function: str = "f"
    schedule: str = ""
    second: bool = False
    judge: Callable[..., Any] | None = None


@contextmanager
def loaded(case: Case, folder: Path) -> Iterator[Callable[..., Any]]:
    """Write the program to a file, import it, and hand out its function."""
    path = folder / f"{case.label}.py"
    path.write_text(case.text, encoding="utf-8")
    linecache.checkcache(str(path))
    # unique per text: source lookup must never meet an older program of the same name
    name = f"fuzz_program_{case.label}_{abs(hash(case.text))}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(case.text, str(path), "exec"), module.__dict__)
        yield getattr(module, case.function)
    finally:
        sys.modules.pop(name, None)
        path.unlink(missing_ok=True)
        linecache.checkcache(str(path))
