"""The functions of a derivative become one file that stands alone.

    imports, constants, printed helpers, called functions, their derivatives, the derivative

Functions of the user's own modules are copied into the file; those of installed packages are
imported.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.callee import Written
from s2sad.errors import Unsupported
from s2sad.optional import module_of
from s2sad.parse import MISSING, Source, import_line, reads_of, source_of
from s2sad.printing import text
from s2sad.program import Const, Opaque, Program, Ref, expressions, statements, walk
from s2sad.rules import printed_source, printed_uses

LARGEST_CONSTANT = 200


@dataclass
class File:
    """The parts of a file, each named once."""

    imports: dict[str, None] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)
    copied: dict[str, str] = field(default_factory=dict)
    bindings: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)

    def text(self, functions: list[list[str]]) -> str:
        """Return the whole file."""
        parts = ["\n".join(_sorted_imports(self.imports))] if self.imports else []
        if self.constants:
            parts.append("\n".join(self.constants.values()))
        bodies = [*self.helpers.values(), *self.copied.values()]
        bodies += ["\n".join(lines) for lines in functions]
        head = "\n\n".join(parts)
        return "\n\n\n".join([*([head] if head else []), *bodies]) + "\n"


def _sorted_imports(lines: Mapping[str, None]) -> list[str]:
    plain = sorted(line for line in lines if line.startswith("import "))
    standard = [line for line in plain if _is_standard(line.split()[1])]
    others = [line for line in plain if line not in standard]
    named = sorted(line for line in lines if line.startswith("from "))
    standard_named = [line for line in named if _is_standard(line.split()[1])]
    rest = [line for line in named if line not in standard_named]
    groups = [[*standard, *standard_named], [*others, *rest]]
    return "\n\n".join("\n".join(group) for group in groups if group).split("\n")


def _is_standard(module: str) -> bool:
    return module.split(".")[0] in sys.stdlib_module_names


# ---------------------------------------------------------------- what a program mentions


def mentioned(program: Program) -> Iterator[Ref]:
    """Yield every global object that a program mentions."""
    places = [expr for stmt in statements(program.body) for expr in expressions(stmt)]
    places += [param.default for param in program.params if param.default is not None]
    for expr in (*places, program.result):
        for part in walk(expr):
            if isinstance(part, Ref):
                yield part
            if isinstance(part, Opaque):
                yield from part.globals


def gather_globals(file: File, program: Program, source: Source) -> None:
    """Add to `file` what the globals of a program need there."""
    for stmt in statements(program.body):
        if getattr(stmt, "op", "") == "add.at":
            file.imports["import numpy as np"] = None
    for ref in mentioned(program):
        add_global(file, ref.text, ref.value, source)


def add_global(file: File, name: str, value: Any, source: Source) -> None:
    """Add one global: an import, a constant, a helper, or the copy of a function."""
    root = name.split(".")[0]
    if isinstance(value, Written) or value is MISSING:
        return
    if root.startswith("_") and name in _helpers():
        _add_helper(file, name)
    elif root in ("np", "math") and (value is None or _from_known(root, name)):
        file.imports["import numpy as np" if root == "np" else "import math"] = None
    elif root == "scipy" and "." in name:
        file.imports[f"import {module_of(name)}"] = None
    elif isinstance(value, FunctionType) and "." not in name and not _is_installed(value):
        _copy_function(file, name, value)
    else:
        _add_other(file, name, root, value, source)


def _from_known(root: str, name: str) -> bool:
    owner: Any = np if root == "np" else sys.modules.get("math")
    return hasattr(owner, name.split(".")[1]) if "." in name else True


def _helpers() -> frozenset[str]:
    from s2sad.rules import printed_names

    return frozenset(printed_names())


def _add_helper(file: File, name: str) -> None:
    for needed in printed_uses(name):
        if needed != name:
            add_global(file, needed, None, None)  # type: ignore[arg-type]
    body = printed_source(name)
    if "np." in body:
        file.imports["import numpy as np"] = None
    if "math." in body:
        file.imports["import math"] = None
    for dotted in re.findall(r"\bscipy\.[\w.]+", body):
        file.imports[f"import {module_of(dotted)}"] = None
    file.helpers.setdefault(name, body.rstrip())


def _is_installed(function: FunctionType) -> bool:
    path = Path(function.__code__.co_filename)
    roots = [sysconfig.get_path(key) for key in ("purelib", "platlib", "stdlib", "platstdlib")]
    return any(path.is_relative_to(root) for root in roots if root)


def _copy_function(file: File, name: str, function: FunctionType) -> None:
    if name in file.copied:
        return
    source = source_of(function)
    file.copied[name] = ""  # reserves the place; a function may call itself
    inner = file.copied.pop(name)
    for used in reads_of(source.tree):
        if used != name and source.resolve(used) is not MISSING:
            add_global(file, used, source.resolve(used), source)
    inner = source.text.rstrip()
    file.copied[name] = inner


def _add_other(file: File, name: str, root: str, value: Any, source: Source) -> None:
    line = import_line(name, source)
    owner = source.resolve(root)
    if line and isinstance(owner, ModuleType | type | FunctionType):
        file.imports[line] = None
        return
    if line == "":
        return
    target = owner if owner is not MISSING else value
    known = _literal(target)
    if known is not None:
        file.constants.setdefault(root, f"{root} = {known}")
        if "np." in known:
            file.imports["import numpy as np"] = None
    elif line:
        file.imports[line] = None
    else:
        module = source.function.__module__
        if getattr(sys.modules.get(module), root, MISSING) is target and module != "__main__":
            file.imports[f"from {module} import {root}"] = None
        file.bindings[root] = target


def _literal(value: Any) -> str | None:
    """Return the text of a constant, or None for what no short text gives exactly."""
    if isinstance(value, np.ndarray):
        if value.size > LARGEST_CONSTANT or value.dtype.kind not in "fibu":
            return None
        dtype = (
            "" if value.dtype.name in ("float64", "int64", "bool") else f", dtype=np.{value.dtype}"
        )
        return f"np.array({value.tolist()!r}{dtype})" if np.isfinite(value).all() else None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | int | float | str | complex | None):
        return text(Const(value), str)
    if isinstance(value, tuple | list) and len(value) <= LARGEST_CONSTANT:
        parts = [_literal(part) for part in value]
        if any(part is None for part in parts):
            return None
        inner = ", ".join(part for part in parts if part)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(parts) == 1 else f"({inner})"
    return None


def checked_name(name: str, taken: frozenset[str]) -> str:
    """Return a function name that nothing else in the file has."""
    if name in taken:
        raise Unsupported(f"the name {name} is taken in the file")
    return name
