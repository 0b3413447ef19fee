"""The names of a finished text are those of another array module.

np.sin(x)    ->    cp.sin(x), or xp.sin(x) below      xp = get_array_module(x, seed)

Only names change, not what is computed: the sweeps, their comments and their order stay.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.emit.comments import Line, joined, lines_of
from s2sad.emit.header import dotted, in_order
from s2sad.emit.modules.chosen import MAKING, Edit, chosen, put_in
from s2sad.ir.errors import Span, Unsupported
from s2sad.ir.records import dataclass
from s2sad.operators.cupy_names import HOST, VERSION, has, refused_keywords
from s2sad.source.trees import nodes_of

IMPORTS = ast.Import | ast.ImportFrom
Place = Callable[[str], Span | None]

# what works on a device and on the host alike: it chooses no module
ALIKE = frozenset({"ndim"})
CHOOSE = '''def get_array_module(*arguments):
    """Return cupy if one of the arguments is an array of CuPy's, else numpy."""
    cupy = sys.modules.get("cupy")
    return np if cupy is None else cupy.get_array_module(*arguments)
'''
# where arguments may be lists or dicts
CHOOSE_INSIDE = '''def get_array_module(*arguments):
    """Return cupy if an array of CuPy's is among the arguments, or in one of them, else numpy."""
    cupy = sys.modules.get("cupy")
    parts = list(arguments)
    for part in parts:  # what a part holds comes behind all others
        parts += part.values() if isinstance(part, dict) else ()
        parts += part if isinstance(part, (list, tuple)) else ()
    return np if cupy is None else cupy.get_array_module(*parts)
'''
# printed functions that are there for lists and dicts
OF_CONTAINERS = ("def _zeros_of(", "def _plus(", "def _copied(", "def _shaped_as(")
# stands for the imports of the modules that a text names
SCIPY = '''

def get_scipy(*arguments):
    """Return cupyx.scipy if one of the arguments is an array of CuPy's, else scipy."""
    if get_array_module(*arguments) is np:
        return scipy
{imports}
    return cupyx.scipy
'''


FUSE = '''

def fuse():
    """Return CuPy's decorator that makes one kernel of a function, or none without CuPy."""
    cupy = sys.modules.get("cupy")
    return (lambda function: function) if cupy is None else cupy.fuse()
'''


@dataclass(frozen=True)
class Use:
    """A dotted name of the text: where its first word stands, what it means, and how it is called."""

    node: ast.Name
    # what the first word stands for
    root: str
    dotted: str
    call: ast.Call | None
    function: ast.FunctionDef | None

    @property
    def module(self) -> str:
        """Return the module that the name is one of."""
        return self.dotted.rpartition(".")[0]

    @property
    def name(self) -> str:
        """Return the last word."""
        return self.dotted.rpartition(".")[2]

    @property
    def is_scipy(self) -> bool:
        """Tell whether the name is one of SciPy's."""
        return self.dotted.startswith("scipy")


def moved(lines: list[Line], arrays: str, place: Place, holders: bool = False) -> list[Line]:
    """Return a file of NumPy's as one for CuPy's arrays, or for either's.

    `place` finds the user's line for a dotted name; `holders` tells that arguments may be lists,
    tuples or dicts of arrays. Unsupported where CuPy lacks a name.
    """
    if arrays not in ("cupy", "dispatch"):
        return lines
    tree = ast.parse(joined(lines))
    uses = list(_uses(tree))
    if arrays == "dispatch":
        _refuse_of_module(uses, place)
    on_device = [use for use in uses if _is_on_device(use)]
    if arrays == "dispatch":
        on_device = [use for use in on_device if use.name not in ALIKE]
    for use in on_device:
        _refuse_lacking(use, place)
    if arrays == "cupy":
        return _for_cupy(lines, tree, on_device)
    return _for_either(lines, tree, on_device, holders)


# ---------------------------------------------------------------------------- uses


def _uses(tree: ast.Module) -> Iterator[Use]:
    """Yield every dotted name of NumPy's and SciPy's in a file."""
    aliases = dict(_aliases(tree))
    for statement in tree.body:
        function = statement if isinstance(statement, ast.FunctionDef) else None
        yield from _uses_in(statement, aliases, function)


def _uses_in(
    node: ast.AST, aliases: Mapping[str, str], function: ast.FunctionDef | None
) -> Iterator[Use]:
    calls = {id(each.func): each for each in nodes_of(node) if isinstance(each, ast.Call)}
    inner: set[int] = set()
    for each in nodes_of(node):  # outer attributes come before what is inside them
        root, words = dotted(each)
        if id(each) in inner or root is None or root.id not in aliases:
            continue
        inner |= {id(part) for part in nodes_of(each)}
        whole = _resolved(aliases[root.id], words)
        yield Use(root, aliases[root.id], whole, calls.get(id(each)), function)


def _resolved(root: str, words: Iterable[str]) -> str:
    """Return the dotted name up to the function in it: numpy.add of np.add.at."""
    dotted = root
    for word in words:
        if callable(_object(dotted)) and not isinstance(_object(dotted), type):
            break
        dotted = f"{dotted}.{word}"
    return dotted


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if _is_ours(name.name):
                    whole = name.asname is not None
                    yield (
                        name.asname or name.name.split(".")[0],
                        (name.name if whole else name.name.split(".")[0]),
                    )
        elif isinstance(node, ast.ImportFrom) and _is_ours(node.module or ""):
            for name in node.names:
                yield name.asname or name.name, f"{node.module}.{name.name}"


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in ("numpy", "scipy")


def _object(dotted: str) -> Any:
    """Return what a dotted name of NumPy's means; None of SciPy's and of what is not there."""
    root, *words = dotted.split(".")
    found: Any = np if root == "numpy" else None
    for word in words:
        found = getattr(found, word, None)
    return found


def _is_on_device(use: Use) -> bool:
    if use.is_scipy:
        return True
    found = _object(use.dotted)
    if use.name in HOST or isinstance(found, float | ModuleType | None):
        return False
    return use.name == "ndarray" or not (isinstance(found, type) and issubclass(found, np.generic))


# ---------------------------------------------------------------------------- refusals


def _refuse_lacking(use: Use, place: Place) -> None:
    if not has(use.module, use.name):
        raise Unsupported(
            f"CuPy {VERSION} has no {use.dotted}",
            place(use.dotted),
            "Write it in terms of what CuPy has, or leave out arrays=.",
        )
    given = {each.arg for each in use.call.keywords} if use.call else set()
    for keyword in sorted(given & refused_keywords(use.module, use.name), key=str):
        raise Unsupported(
            f"CuPy's {use.name} takes no {keyword}=",
            place(use.dotted),
            "Leave it out, or leave out arrays=.",
        )


def _refuse_of_module(uses: Iterable[Use], place: Place) -> None:
    for use in uses:
        if use.function is None and _is_on_device(use):
            what = "a function" if use.is_scipy else "an array"
            raise Unsupported(
                f"{what} that the module holds is NumPy's, whatever the arguments are",
                place(use.dotted),
                'Pass it as an argument, or ask for a text for one of them: arrays="cupy".',
            )


# ---------------------------------------------------------------------------- texts


def _for_cupy(lines: list[Line], tree: ast.Module, uses: list[Use]) -> list[Line]:
    alias = _free(tree, "cp")
    put_in(lines, _renamed(uses, alias, "cupyx.scipy"))
    imports = {f"import cupyx.{use.module}" for use in uses if use.is_scipy}
    if _is_fused(lines):
        imports.add("from cupy import fuse")
    if any(not use.is_scipy for use in uses):
        imports.add(f"import cupy as {alias}")
    return _with_imports(lines, tree, imports, uses)


def _for_either(lines: list[Line], tree: ast.Module, uses: list[Use], holders: bool) -> list[Line]:
    if not uses and not _is_fused(lines):
        return lines
    alias, of_scipy = _free(tree, "xp"), _free(tree, "xscipy")
    named: dict[str, set[str]] = {}
    for use in uses:
        if use.function is not None:
            aliases = named.setdefault(use.function.name, set())
            aliases.add(of_scipy if use.is_scipy else alias)
    needs = {name: frozenset(each) for name, each in named.items()}
    making = {use.function.name for use in uses if use.function and use.name in MAKING}
    found = chosen(tree, lines, needs, frozenset(making))
    put_in(lines, (*_renamed(uses, alias, of_scipy), *found.edits))
    for function in reversed([n for n in tree.body if isinstance(n, ast.FunctionDef)]):
        wanted = found.looked_up.get(function.name, frozenset())
        for each, choose in ((of_scipy, "get_scipy"), (alias, "get_array_module")):
            if each in wanted:
                head = lines[function.lineno - 1].place
                lines.insert(_first_line(function), Line(_chosen(function, each, choose), head))
    modules = sorted({use.module for use in uses if use.is_scipy})
    imports = {"import sys", "import numpy as np", *(f"import {each}" for each in modules)}
    inner = "\n".join(f"    import cupyx.{each}" for each in modules)
    holders = holders or any(line.text.startswith(OF_CONTAINERS) for line in lines)
    choose = CHOOSE_INSIDE if holders else CHOOSE
    helper = choose + (SCIPY.format(imports=inner) if modules else "")
    helper += FUSE if _is_fused(lines) else ""
    return _with_imports(lines, tree, imports, uses, lines_of(f"{helper}\n"))


def _is_fused(lines: list[Line]) -> bool:
    return any(line.text == "@fuse()" for line in lines)


def _renamed(uses: Iterable[Use], alias: str, of_scipy: str) -> Iterator[Edit]:
    """Yield the edits that replace the first words of names."""
    for use in uses:
        root, _, rest = use.root.partition(".")
        first = of_scipy if root == "scipy" else alias
        made = f"{first}.{rest}" if rest else first
        yield Edit(use.node.lineno, use.node.col_offset, made, use.node.end_col_offset)


def _with_imports(
    lines: list[Line],
    tree: ast.Module,
    imports: set[str],
    moved: list[Use],
    helper: Iterable[Line] = (),
) -> list[Line]:
    """Return a text whose imports are those it needs now, with a function behind them."""
    places = {(use.node.lineno, use.node.col_offset) for use in moved}
    kept = {
        use.node.id for use in _uses(tree) if (use.node.lineno, use.node.col_offset) not in places
    }
    count = sum(1 for _ in takewhile(lambda node: isinstance(node, IMPORTS), tree.body))
    for node in tree.body[:count]:
        assert isinstance(node, ast.Import | ast.ImportFrom)
        names = {name.asname or name.name.split(".")[0] for name in node.names}
        if names & kept or not _imports_ours(node):
            imports.add(ast.unparse(node))
    first = tree.body[count]
    space = "\n" if helper or isinstance(first, ast.FunctionDef) else ""
    head = lines_of("\n".join([*in_order(imports), space]))
    return [*head, *helper, *lines[_begin(first) - 1 :]]


def _begin(node: ast.stmt) -> int:
    """Return the line that a statement begins on, which is that of its first decorator."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _imports_ours(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return _is_ours(node.module or "")
    return all(_is_ours(name.name) for name in node.names)


def _chosen(function: ast.FunctionDef, alias: str, choose: str) -> str:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return f"    {alias} = {choose}({', '.join(each.arg for each in every)})"


def _first_line(function: ast.FunctionDef) -> int:
    """Return the number of lines up to the first statement that is no docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return int(first.end_lineno or 0) if documented else first.lineno - 1


def _free(tree: ast.Module, wanted: str) -> str:
    taken = {node.id for node in nodes_of(tree) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in nodes_of(tree) if isinstance(node, ast.arg)}
    while wanted in taken:
        wanted += "_"
    return wanted
