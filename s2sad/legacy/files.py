"""The functions of a derivative become one file that stands alone.

imports, constants, printed helpers, copied functions, derivatives of called functions, the
derivative
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from s2sad.legacy.needs import Needs
from s2sad.legacy.printing import wrap
from s2sad.legacy.rules import printed_source

WIDTH = 88


def file_text(needs: Needs, functions: Iterable[list[str]], extra_imports: str = "") -> str:
    """Return the whole file."""
    needs.known.import_used(extra_imports)
    lines = needs.import_lines()
    parts = ["\n".join(sorted_imports(lines))] if lines else []
    constants = [line for pair in needs.constants().items() for line in _constant(*pair)]
    if constants:
        parts.append("\n".join(constants))
    bodies = [printed_source(name).rstrip() for name in needs.known.helpers]
    bodies += needs.function_texts()
    bodies += ["\n".join(lines) for lines in functions]
    head = "\n\n".join(parts)
    return "\n\n\n".join([*([head] if head else []), *bodies]) + "\n"


def _constant(name: str, text: str) -> list[str]:
    return wrap("", f"{name} = {text}", 0, WIDTH)


def sorted_imports(lines: Mapping[str, None]) -> list[str]:
    """Return lines that import, those of the standard library first, a blank line between."""
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
