"""The pages on refusals: every message has one, and every example does what its page says."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import s2sad
from docs import refusing
from s2sad.ir import errors
from s2sad.ir.pages import PHRASES, page_of
from s2sad.ir.remedies import HINTS, refusal

ROOT = Path(__file__).resolve().parents[2]
KINDS = {
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, errors.S2sadError)
} - {"InternalError"}
PAGES = refusing.pages()
LINK = re.compile(r"\]\(([^):#]+)\)")


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _is_raised(node: ast.AST) -> bool:
    """Tell whether a node makes an error, as in Unsupported(...) and Unsupported.refused(...)."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).removesuffix(".refused") in KINDS


def _spelled(node: ast.expr) -> str | None:
    """Return the text of a literal, what is filled in left blank; None for anything else."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(p.value) if isinstance(p, ast.Constant) else "0" for p in node.values)
    return None


def _texts(node: ast.expr, function: ast.FunctionDef, tree: ast.Module) -> list[str]:
    """Return every text that a message may be: literals, local names, and parameters of helpers."""
    text = _spelled(node)
    if text is not None:
        return [text]
    assert isinstance(node, ast.Name), ast.unparse(node)
    params = [arg.arg for arg in function.args.args]
    if node.id in params:
        at = params.index(node.id)
        return [
            each
            for caller in _functions(tree)
            for call in ast.walk(caller)
            if isinstance(call, ast.Call) and ast.unparse(call.func) == function.name
            for each in _texts(call.args[at], caller, tree)
        ]
    return [
        each
        for part in ast.walk(function)
        if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == node.id
        for each in _texts(part.value, function, tree)
    ]


def _messages() -> Iterator[tuple[str, str]]:
    """Yield every message that s2sad can raise, with the place where it stands."""
    for path in sorted((ROOT / "s2sad").rglob("*.py")):
        tree = ast.parse(path.read_text())
        for function in _functions(tree):
            for node in ast.walk(function):
                if not _is_raised(node):
                    continue
                # a refusal that is raised again at another place has the page of the first
                if ast.unparse(node.args[0]).endswith(".problem"):
                    continue
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                for text in _texts(node.args[0], function, tree):
                    yield where, text


def _reasons() -> Iterator[tuple[str, str]]:
    """Yield every message of what no way does so far, with the place where it stands."""
    for path in sorted((ROOT / "s2sad").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            place = REASONS.get(ast.unparse(node.func).rpartition(".")[2])
            text = _spelled(node.args[place]) if place is not None and node.args[place:] else None
            if text:
                fault = errors.NotYet(text)
                yield f"{path.relative_to(ROOT)}:{node.lineno}", refusal(fault).problem


# where the reason stands among the arguments
REASONS = {"NotYet": 0, "refuse": 0, "refusal": 1}
MESSAGES = sorted({*_messages(), *_reasons()})


def test_all_raise_sites_are_found() -> None:
    assert len(MESSAGES) > 150
    assert {"try", "aliases"} <= {Path(page_of(text)).stem for _, text in MESSAGES}


@pytest.mark.parametrize(("where", "text"), MESSAGES)
def test_every_message_has_a_page(where: str, text: str) -> None:
    page = page_of(text)
    assert page and (ROOT / page).is_file(), f"{where}: {text!r} has no page"


def test_every_raise_site_says_what_to_write_instead() -> None:
    silent = [
        ast.unparse(node)
        for path in (ROOT / "s2sad").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if _is_raised(node)
        and len(node.args) < 3
        and not any(k.arg == "hint" for k in node.keywords)
    ]
    said = ("arrays= is one of", "mode is 'forward' or", "takes an amount such as", "error.problem")
    assert not [text for text in silent if not any(each in text for each in said)]


@pytest.mark.parametrize("page", PHRASES)
def test_every_phrase_is_of_a_message_of_its_page(page: str) -> None:
    claimed = [text for _, text in MESSAGES if Path(page_of(text)).stem == page]
    assert all(any(phrase in text for text in claimed) for phrase in PHRASES[page])


def test_hints_are_of_pages() -> None:
    assert set(HINTS) <= set(PHRASES)


def test_the_pages_are_those_of_the_table() -> None:
    assert {path.stem for path in PAGES} == set(PHRASES)


# of some pages no short example is refused any more
REFUSED = [path for path in PAGES if refusing.examples(path)[0]]


def test_most_pages_show_what_is_refused() -> None:
    assert len(REFUSED) >= 0.8 * len(PAGES)


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_the_first_example_is_refused_with_its_page(path: Path) -> None:
    refused, _ = refusing.examples(path)
    for source in refused:
        error = refusing.refusal(source)
        assert error is not None, "it is supported"
        assert error.page == f"docs/refusals/{path.name}", error
        assert error.hint, "it does not say what to write instead"
        assert refusing.printed(error) in path.read_text(), "run python docs/fill.py"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_other_example_agrees_with_differences(path: Path) -> None:
    _, instead = refusing.examples(path)
    assert instead
    for source in instead:
        refusing.run(source)


def test_a_failing_example_fails() -> None:
    with pytest.raises(AssertionError):
        refusing.run("assert 1.0 == 2.0\n")
    assert refusing.refusal("import s2sad\n") is None


def test_links_of_pages_lead_somewhere() -> None:
    for path in (*PAGES, refusing.FOLDER / "README.md"):
        prose = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        for link in LINK.findall(prose):
            assert (path.parent / link).exists(), f"{path.name}: {link}"


def test_an_error_ends_with_its_page() -> None:
    error = _refused()
    assert str(error).endswith("\n  More: s2sad help arguments-that-are-no-floats")
    assert error.page == "docs/refusals/arguments-that-are-no-floats.md"


def test_the_page_survives_pickling() -> None:
    error = _refused()
    again = pickle.loads(pickle.dumps(error))
    assert (again.page, str(again)) == (error.page, str(error))


def test_a_mistake_of_s2sad_has_no_page() -> None:
    error = errors.InternalError("this target is not differentiated")
    assert not error.page and str(error) == error.problem


def _refused() -> Any:
    with pytest.raises(s2sad.ArgumentError) as caught:
        s2sad.grad(_square)(3)
    return caught.value


def _square(x: float) -> float:
    return x * x
