"""A text becomes a function, from a file as a user's would be, or as it stands."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

HEAD = "import math\n\nimport numpy as np\n\n\n"
_count = itertools.count()
_folder = tempfile.TemporaryDirectory(prefix="s2sad_texts_")


def defined(source: str, name: str | None = None) -> Callable[..., Any]:
    """Return the (last, or named) function of a text, from a file as a user's would be."""
    source = dedent(source).strip("\n")
    module_name = f"texts_{next(_count)}"
    path = Path(_folder.name) / f"{module_name}.py"
    path.write_text(HEAD + source + "\n")
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    last = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)][-1]
    found = getattr(module, name or last)
    assert callable(found)
    return found


def run(source: str, name: str) -> Callable[..., Any]:
    """Return a function of a text that is run as it stands."""
    space: dict[str, Any] = {"__name__": "run_as_it_stands"}
    exec(compile(source, "<text>", "exec"), space)
    found = space[name]
    assert callable(found)
    return found
