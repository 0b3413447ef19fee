"""How the code is laid out: fourteen rooms, each importing only those before it."""

import ast
import builtins
from functools import cache
from pathlib import Path

import numpy as np
import pytest

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
MOST_LINES = 100_332
HOUSE = Path(__file__).resolve().parent.parent / "s2sad"
ROOMS = (
    "ir source operators types prelude scipy analysis lowering forward reverse checkpoint optimize "
    "emit api"
).split()


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def imports(path):
    """Yield the modules of s2sad that a file imports, as their parts below s2sad."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("s2sad"):
            parts = tuple(node.module.split(".")[1:])
            yield from [parts] if parts else [(alias.name,) for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (
                tuple(alias.name.split(".")[1:])
                for alias in node.names
                if alias.name.startswith("s2sad.")
            )


# what stands on the public functions alone: the command line, and what shows a derivative
ON_TOP = ("api/commands/", "api/display/")


def public_names():
    """Return what `from s2sad import ...` may name on top of the rooms."""
    tree = ast.parse((HOUSE / "__init__.py").read_text())
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    } | {"__version__"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_before_it(room):
    earlier = set(ROOMS[: ROOMS.index(room) + 1])
    for path in sorted((HOUSE / room).rglob("*.py")):
        on_top = str(path.relative_to(HOUSE)).startswith(ON_TOP)
        allowed = earlier | public_names() | {"testing"} if on_top else earlier
        later = {parts[0] for parts in imports(path)} - allowed
        assert not later, f"{path.relative_to(HOUSE)} imports {later}"


def test_what_stands_at_the_top_level():
    found = {path.name for path in HOUSE.iterdir() if path.name != "__pycache__"}
    assert found == {*ROOMS, "__init__.py", "__main__.py", "py.typed", "testing"}


def functions(path):
    """Yield the functions of a file."""
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, FUNCTIONS))


def test_functions_of_rooms_can_be_seen_whole():
    for room in ROOMS:
        for path in (HOUSE / room).rglob("*.py"):
            for node in functions(path):
                lines = node.end_lineno - node.lineno + 1
                assert lines <= 60, f"{path.relative_to(HOUSE)}: {node.name} has {lines} lines"


def modules():
    """Return the files of the house by their names as modules."""
    found = {}
    for path in HOUSE.rglob("*.py"):
        parts = path.relative_to(HOUSE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(node, inside=False):
    """Yield the words that a file imports, not for its annotations alone, and whether inside a function."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from ((f"{node.module}.{alias.name}", inside) for alias in node.names)
        yield node.module, inside
    elif isinstance(node, ast.stmt | ast.Module):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        for each in ast.iter_child_nodes(node):
            yield from imported(each, inside or isinstance(node, FUNCTIONS))


def circles(graph):
    """Return the sets of files that import each other, directly or by others (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(each):
        index[each] = low[each] = len(index)
        stack.append(each)
        for other in graph[each]:
            if other not in index:
                visit(other)
                low[each] = min(low[each], low[other])
            elif other in stack:
                low[each] = min(low[each], index[other])
        if low[each] == index[each]:
            place = stack.index(each)
            found.append(set(stack[place:]))
            del stack[place:]

    for each in graph:
        if each not in index:
            visit(each)
    return [circle for circle in found if len(circle) > 1]


def test_files_import_each_other_in_small_circles_only():
    every = modules()
    graph = {
        named: {word for word, inside in imported(tree_of(path)) if word in every and not inside}
        for named, path in every.items()
    }
    assert [circle for circle in circles(graph) if len(circle) > 8] == []


def test_only_the_public_functions_and_commands_import_inside_functions():
    """They do, so that a command that is asked for its help starts at once."""
    every = modules()
    for named, path in every.items():
        late = [word for word, inside in imported(tree_of(path)) if word in every and inside]
        assert not late or named.startswith("s2sad.api"), f"{named} imports {late} late"


def test_plain_data_is_made_by_records():
    """`dataclasses` takes five times as long to make a class, and its `replace` knows no record."""
    exempt = ("ir/records.py", "types/examples.py")
    for path in HOUSE.rglob("*.py"):
        own = str(path.relative_to(HOUSE))
        if own not in exempt:
            assert "from dataclasses import" not in path.read_text(), f"{own}: use s2sad.ir.records"


# functions of NumPy that are not Python's own, nor methods or attributes of arrays
OF_NUMPY = {
    name
    for module in (np, np.linalg, np.fft)
    for name, each in vars(module).items()
    if callable(each) and not isinstance(each, type) and not hasattr(builtins, name)
} - {*dir(np.ndarray), *dir(list), "fft", "test"}


def listed_names(node):
    """Return the constants that a display lists, or a text that is split: not what is mapped to code."""
    match node:
        case ast.Set(elts) | ast.Tuple(elts) | ast.List(elts):
            parts = elts
        case ast.Dict(keys, values) if all(isinstance(v, ast.Constant | ast.Tuple) for v in values):
            parts = keys
        case ast.Call(ast.Attribute(ast.Constant(str(text)), "split")):
            return text.split()
        case _:
            return []
    named = {id(n): ast.unparse(n) for n in parts if isinstance(n, ast.Attribute)}
    named |= {id(n): n.value for n in parts if isinstance(getattr(n, "value", None), str)}
    return [named.get(id(part), "") for part in parts]  # "": what names nothing by itself


@pytest.mark.parametrize("room", sorted(set(ROOMS) - {"operators", "prelude", "scipy", "ir"}))
def test_no_room_but_operators_lists_functions_of_numpy(room):
    """What is said of a function stands in its row: `s2sad.operators.rows`."""
    for path in sorted((HOUSE / room).rglob("*.py")):
        for node in ast.walk(tree_of(path)):
            words = listed_names(node)
            found = [w for w in words if w.removeprefix("np.").removeprefix("linalg.") in OF_NUMPY]
            assert len(found) < 2 or 2 * len(found) < len(words), f"{path}:{node.lineno}: {found}"


def test_functions_are_short():
    lengths = sorted(
        node.end_lineno - node.lineno + 1
        for path in HOUSE.rglob("*.py")
        for node in functions(path)
    )
    assert lengths[len(lengths) // 2] <= 9
    assert lengths[len(lengths) * 9 // 10] <= 25


def test_the_house_does_not_grow():
    """A bound that is lowered as rooms become simpler."""
    assert sum(len(path.read_text().splitlines()) for path in HOUSE.rglob("*.py")) <= MOST_LINES
