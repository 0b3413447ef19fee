"""How the code is laid out: fourteen rooms, each importing only those before it."""

import ast
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parent.parent / "s2sad"
ROOMS = (
    "ir source operators types prelude scipy lowering analysis forward reverse checkpoint optimize "
    "emit api"
).split()


def imports(path):
    """Yield the modules of s2sad that a file imports, as their parts below s2sad."""
    for node in ast.walk(ast.parse(path.read_text())):
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
    return (
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def test_functions_of_rooms_can_be_seen_whole():
    for room in ROOMS:
        for path in (HOUSE / room).rglob("*.py"):
            for node in functions(path):
                lines = node.end_lineno - node.lineno + 1
                assert lines <= 60, f"{path.relative_to(HOUSE)}: {node.name} has {lines} lines"
