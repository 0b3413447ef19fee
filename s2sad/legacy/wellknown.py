"""What keeps its name in every file: NumPy, math, SciPy, builtins and printed functions.

np.sin(x)    needs `import numpy as np`        _sum_to(x_bar, x.shape)    needs its text
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.legacy.copyable import attribute
from s2sad.legacy.program import Ref
from s2sad.legacy.rules import printed_names, printed_source, printed_uses
from s2sad.legacy.templating import PRINTED_FUNCTION, printed_name
from s2sad.source.canonical import is_same
from s2sad.source.optional import module_of
from s2sad.source.text import MISSING

MODULES: Mapping[str, ModuleType] = {"np": np, "math": math}
# what a module has by itself
_OWN = {*vars(ModuleType("")), "__file__", "__path__", "__builtins__"}
RESERVED = frozenset({*MODULES, "scipy", *printed_names(), *vars(builtins), *_OWN})


class WellKnown:
    """The imports and printed functions of a file."""

    def __init__(self) -> None:
        self.imports: dict[str, None] = {}
        self.helpers: dict[str, None] = {}

    def takes(self, ref: Ref, whole: str = "") -> bool:
        """Take in a name if it is one that every file has for the same object.

        `whole` is the dotted name of which `ref` is the first part.
        """
        root, _, rest = ref.text.partition(".")
        if _helper(ref):
            self._add_helper(_helper(ref))
        elif root in MODULES and (ref.value is None or _belongs(ref)):
            self.import_used(f"{root}.")
        elif root == "scipy" and (rest or _is_scipy(ref.value)):
            self.import_used(whole or ref.text)
        else:
            found = attribute(vars(builtins).get(root, MISSING), rest.split(".") if rest else ())
            return found is not MISSING and is_same(found, ref.value)
        return True

    def _add_helper(self, name: str) -> None:
        for needed in printed_uses(name):
            self._add_helper(needed)
        self.helpers[name] = None
        self.import_used(printed_source(name))

    def import_used(self, text: str) -> None:
        """Import NumPy, math and SciPy where a text names them."""
        if "np." in text:
            self.imports["import numpy as np"] = None
        if "copy.copy(" in text:
            self.imports["import copy"] = None
        for module in re.findall(r"\b(errno|logging|math|os|pathlib|tempfile|types)\.", text):
            self.imports[f"import {module}"] = None
        for dotted in re.findall(r"\bscipy\.[\w.]+", text):
            self.imports[f"import {module_of(dotted)}"] = None


def _helper(ref: Ref) -> str:
    """Return the name of the printed function that a name stands for, '' of any other."""
    if isinstance(ref.value, str) and ref.value == PRINTED_FUNCTION and ref.text in printed_names():
        return ref.text
    return printed_name(ref.value) if isinstance(ref.value, FunctionType) else ""


def _belongs(ref: Ref) -> bool:
    root, *words = ref.text.split(".")
    found = attribute(MODULES[root], words)
    return found is not MISSING and (found is ref.value or bool(words))


def _is_scipy(value: Any) -> bool:
    return isinstance(value, ModuleType) and value.__name__ == "scipy"
