"""Rules of users: templates and pairs of functions, for the process or for one derivative."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.testing import check_rule


def _without_source() -> Any:
    space: dict[str, Any] = {"np": np}
    exec("def softsign(x, width=1.0):\n    return x / (width + np.abs(x))", space)
    return space["softsign"]


softsign = _without_source()  # stands for the functions of extension modules
SOFTSIGN = """
FAMILY = "elementwise"

def softsign(x: nonzero, width: sample(2.0) = 1.0):
    y = softsign(x, width)
    x_bar = y_bar * width / (width + np.abs(x))**2
"""


def softsign_rev(x: Any, width: Any, y: Any, y_bar: Any) -> Any:
    return y_bar * width / (width + np.abs(x)) ** 2, None


def softsign_jvp(x: Any, width: Any, y: Any, x_dot: Any, width_dot: Any) -> Any:
    return x_dot * width / (width + np.abs(x)) ** 2


def energy(x: Any) -> Any:
    return np.sum(softsign(x) ** 2) + np.sum(softsign(x, 2.0))


def softened(x: Any) -> Any:
    """A Python function, which s2sad could read."""
    return x / np.sqrt(1.0 + x * x)


def total(x: Any) -> Any:
    return np.sum(softened(x) * x)


X = np.array([0.3, -1.2, 2.0])


def rules(text: str = SOFTSIGN, **names: Any) -> Any:
    return s2sad.rules_from(text, names or {"softsign": softsign})


MINE_ALONE = rules()


@pytest.fixture
def registered() -> Iterator[list[Any]]:
    made: list[Any] = []
    yield made
    for each in made:
        s2sad.unregister_rules(each)


def test_rules_come_after_a_refusal(registered: list[Any]) -> None:
    with pytest.raises(s2sad.S2sadError) as refused:
        s2sad.grad(lambda x: eval("x")).source  # noqa: B018
    # what was begun lives on in the traceback
    registered.append(s2sad.register_rules(SOFTSIGN, names={"softsign": softsign}))
    assert refused.tb is not None


def test_without_a_rule_it_is_refused() -> None:
    with pytest.raises(s2sad.NoSource, match="softsign"):
        s2sad.grad(energy).source  # noqa: B018


DERIVATIVES = {
    "grad": (s2sad.grad, ()),
    "value_and_grad": (s2sad.value_and_grad, ()),
    "jvp": (s2sad.jvp, (np.ones(3),)),
    "hvp": (s2sad.hvp, (np.ones(3),)),
    "hessian": (s2sad.hessian, ()),
    "laplacian": (s2sad.laplacian, ()),
    "jacobian": (s2sad.jacobian, ()),
    "sparse_jacobian": (s2sad.sparse_jacobian, ()),
    "sparse_hessian": (s2sad.sparse_hessian, ()),
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_a_rule_is_local_to_one_derivative(name: str) -> None:
    make, extra = DERIVATIVES[name]
    of = (lambda x: softsign(x) * x) if "jacobian" in name else energy
    make(of, rules=rules())(X, *extra)  # of the numbers: test_numbers
    with pytest.raises(s2sad.NoSource):
        make(of)(X, *extra)


def test_numbers() -> None:
    report = s2sad.check_grad(energy, (X,), rules=rules())
    assert report, report
    gradient = s2sad.grad(energy, rules=rules())
    assert s2sad.check_grad(gradient, (X,)), "the rules are in force for what is made of it"
    hessian = s2sad.hessian(energy, rules=rules())(X)
    step = 1e-6
    for i in range(3):
        moved = [gradient(X + sign * step * np.eye(3)[i]) for sign in (1.0, -1.0)]
        assert np.allclose(hessian[i], (moved[0] - moved[1]) / (2.0 * step), atol=1e-8)


def test_a_vjp_and_an_explanation_have_rules() -> None:
    made = s2sad.vjp(lambda x: softsign(x), rules=rules())
    assert np.allclose(made(X, np.ones(3)), 1.0 / (1.0 + np.abs(X)) ** 2)
    assert s2sad.explain(energy, like=(X,), rules=rules()).peak is not None
    assert "x_bar" in s2sad.show(energy, "emit", rules=rules())
    each = s2sad.elementwise_grad(lambda x: softsign(x), rules=rules())
    assert np.allclose(each(X), 1.0 / (1.0 + np.abs(X)) ** 2)


def test_rules_of_a_derivative_taken_inside_are_refused() -> None:
    def outer(x: Any) -> Any:
        slope = s2sad.grad(energy, rules=MINE_ALONE)
        return np.sum(slope(x) ** 2)

    with pytest.raises(s2sad.S2sadError, match=r"s2sad\.grad inside"):
        s2sad.grad(outer, rules=MINE_ALONE)(X)


def test_for_the_process(registered: list[Any]) -> None:
    registered.append(s2sad.register_rules(SOFTSIGN, names={"softsign": softsign}))
    assert s2sad.check_grad(energy, (X,))
    s2sad.unregister_rules(registered.pop())
    with pytest.raises(s2sad.NoSource):
        s2sad.grad(energy).source  # noqa: B018


def test_no_derivative_is_stale_after_a_registration(registered: list[Any]) -> None:
    before = s2sad.grad(total)
    second = s2sad.hvp(total)
    text_before = before.source
    honest = before(X), second(X, X)
    text = 'FAMILY = "elementwise"\ndef soft(x):\n    y = softened(x)\n    x_bar = 7.0 * y_bar'
    registered.append(s2sad.register_rules(text, names={"softened": softened}))
    assert before.source != text_before
    assert np.allclose(before(X), softened(X) + 7.0 * X)
    assert np.allclose(second(X, X), 14.0 * X)
    s2sad.unregister_rules(registered.pop())
    assert np.array_equal(before(X), honest[0])
    assert np.array_equal(second(X, X), honest[1])


def test_the_rules_of_one_derivative_are_not_another_s() -> None:
    text = 'FAMILY = "elementwise"\ndef soft(x):\n    y = softened(x)\n    x_bar = 7.0 * y_bar'
    wrong = s2sad.grad(total, rules=rules(text, softened=softened))
    right = s2sad.grad(total)
    assert np.allclose(wrong(X), softened(X) + 7.0 * X)
    assert np.allclose(right(X), X / (1.0 + X**2) ** 1.5 + softened(X))
    assert np.allclose(wrong(X), softened(X) + 7.0 * X)


def test_the_latest_rule_wins(registered: list[Any]) -> None:
    registered.append(s2sad.register_rules(rules()))
    text = 'FAMILY = "elementwise"\ndef s(x):\n    y = softsign(x)\n    x_bar = 5.0 * y_bar'
    registered.append(s2sad.register_rules(text, names={"softsign": softsign}))
    assert np.allclose(s2sad.vjp(lambda x: softsign(x))(X, np.ones(3)), 5.0)


def test_a_rule_may_replace_one_of_s2sad(registered: list[Any]) -> None:
    text = 'FAMILY = "elementwise"\ndef sine(x):\n    y = np.sin(x)\n    x_bar = 3.0 * y_bar'
    assert s2sad.grad(lambda x: np.sin(x), rules=text)(0.5) == 3.0
    assert s2sad.grad(lambda x: np.sin(x))(0.5) == np.cos(0.5)


@pytest.mark.parametrize("like", [None, (0.6,)])
def test_a_rule_may_let_a_step_through(like: Any) -> None:
    text = 'FAMILY = "elementwise"\ndef straight(x):\n    y = np.round(x)\n    x_bar = y_bar'
    given = s2sad.grad(lambda x: np.round(x) * 3.0, like=like, rules=text)
    along = s2sad.jvp(lambda x: np.round(x) * 3.0, like=like, rules=text)
    assert given(0.6) == 3.0 and along(0.6, 2.0) == (3.0, 6.0)
    assert s2sad.grad(lambda x: np.round(x) * 3.0)(0.6) == 0.0


def test_a_rule_of_a_kink_is_that_of_its_square() -> None:
    text = 'FAMILY = "elementwise"\ndef own(x):\n    y = np.abs(x)\n    x_bar = 5.0 * y_bar'
    twice = s2sad.grad(s2sad.grad(lambda x: np.abs(x) ** 2, rules=text))
    assert twice(0.5) == 50.0


# ---------------------------------------------------------------------------- pairs


def test_a_pair_of_functions() -> None:
    pair = s2sad.rule_for(softsign, reverse=softsign_rev, forward=softsign_jvp)
    assert s2sad.check_grad(energy, (X,), rules=pair)
    check_rule(pair, (X, 2.0), (0.5, 1.0))


def scaled_sum(x: Any, z: Any) -> Any:
    return np.sum(x * z) * np.ones(2)


def scaled_sum_rev(x: Any, z: Any, y: Any, y_bar: Any) -> Any:
    return np.sum(y_bar) * z, np.sum(y_bar) * x


def scaled_sum_jvp(x: Any, z: Any, y: Any, x_dot: Any, z_dot: Any) -> Any:
    return (np.sum(x_dot * z) + np.sum(x * z_dot)) * np.ones(2)


def test_a_pair_of_two_arguments() -> None:
    pair = s2sad.rule_for(scaled_sum, reverse=scaled_sum_rev, forward=scaled_sum_jvp)
    check_rule(pair, (X, X[::-1].copy()))
    made = s2sad.jvp(lambda x, z: scaled_sum(x, z), wrt=("x", "z"), rules=pair)
    assert made.source.count("scaled_sum_jvp(") == 2, "its text and one call"
    alone = s2sad.jvp(lambda x, z: scaled_sum(x, z), wrt="z", rules=pair)
    assert np.allclose(alone(X, X, X)[1], np.sum(X * X))


def test_a_decorated_function_is_checked_by_the_same_function() -> None:
    @s2sad.custom_derivative(reverse=scaled_sum_rev, forward=scaled_sum_jvp)
    def own(x: Any, z: Any) -> Any:
        return np.sum(x * z) * np.ones(2)

    check_rule(own, (X, X + 1.0))


PAIRS = {
    "too few arguments": (lambda x, y, y_bar: y_bar, softsign_jvp, "takes 5 arguments"),
    "a result's name": (lambda y, w, z, z_bar: z_bar, softsign_jvp, "calls an argument y"),
}


@pytest.mark.parametrize(("reverse", "forward", "said"), PAIRS.values(), ids=PAIRS.keys())
def test_a_pair_that_does_not_fit(reverse: Any, forward: Any, said: str) -> None:
    with pytest.raises(s2sad.ArgumentError, match=said):
        s2sad.rule_for(softsign, reverse=reverse, forward=forward)


# ---------------------------------------------------------------------------- files

MINE = '''"""Rules of a file: it imports what it is for."""

from users_library import cubed

FAMILY = "elementwise"


def cubed(x):
    y = cubed(x)
    x_bar = 3.0 * y_bar * x**2
'''
LIBRARY_TEXT = "def cubed(x):\n    return x.__pow__(3)\n"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "users_library.py").write_text(LIBRARY_TEXT)
    (tmp_path / "my_rules.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)
    spec = importlib.util.find_spec("users_library")
    assert spec is not None
    yield tmp_path
    import sys

    sys.modules.pop("users_library", None)


def test_a_file_of_templates_imports(library: Path) -> None:
    import users_library  # type: ignore[import-not-found]

    def f(x: Any) -> Any:
        return np.sum(users_library.cubed(x))

    gradient = s2sad.grad(f, rules=library / "my_rules.py")
    assert np.allclose(gradient(X), 3.0 * X**2)
    check_rule(library / "my_rules.py")


def test_a_saved_file_holds_what_the_rule_needs(tmp_path: Path) -> None:
    pair = s2sad.rule_for(softened, reverse=soft_rev, forward=soft_jvp)
    path = s2sad.grad(total, rules=pair).save(tmp_path / "total_grad.py")
    space: dict[str, Any] = {}
    exec(path.read_text(), space)
    expected = X / (1.0 + X**2) ** 1.5 + softened(X)
    assert np.allclose(space["total_grad"](X), expected)
    assert "def slope(" in path.read_text()


def slope(x: Any) -> Any:
    return (1.0 + x * x) ** -1.5


def soft_rev(x: Any, y: Any, y_bar: Any) -> Any:
    return y_bar * slope(x)


def soft_jvp(x: Any, y: Any, x_dot: Any) -> Any:
    return x_dot * slope(x)


def test_a_copy_in_the_text_has_the_rule_of_the_function() -> None:
    pair = s2sad.rule_for(softened, reverse=soft_rev, forward=soft_jvp)
    gradient = s2sad.grad(total, rules=pair)
    twice = s2sad.grad(lambda x: np.sum(gradient(x)), rules=pair)
    assert "softened_rev" not in twice.source
    expected = s2sad.grad(lambda x: np.sum(s2sad.grad(total)(x)))(X)
    assert np.allclose(twice(X), expected)


# ---------------------------------------------------------------------------- what is wrong

WRONG = {
    "an unknown name": ("    x_bar = y_bar * t", "t is neither a parameter"),
    "another parameter": ("    t_bar = y_bar", "t is no parameter of mine"),
    "an argument too many": ("    x_bar = y_bar * np.cos(x, 2, 3, 4)", "np.cos takes 1 argument"),
    "a keyword": ("    x_bar = np.sum(y_bar, axes=0)", "unexpected keyword argument 'axes'"),
    "no such function": ("    x_bar = y_bar * np.cosine(x)", "np has no cosine"),
    "syntax": ("    x_bar = y_bar *", "this is not Python"),
    "a statement": ("    return x", "lines only"),
    "a lambda": ("    x_bar = (lambda: y_bar)()", "not part of the template language"),
}


@pytest.mark.parametrize(("line", "said"), WRONG.values(), ids=WRONG.keys())
def test_an_error_points_at_the_line_of_the_template(line: str, said: str) -> None:
    text = f'FAMILY = "elementwise"\n\ndef mine(x):\n    y = softsign(x)\n{line}\n'
    with pytest.raises(s2sad.ArgumentError, match=re.escape(said)) as caught:
        rules(text)
    assert caught.value.span is not None and caught.value.span.line == 5
    assert line.strip() in str(caught.value)


HEADERS = {
    "no pattern": ("def f(x):\n    x_bar = 1.0", "no line `y = ...`"),
    "a word": ("def f(x: positve):\n    y = np.sin(x)\n    x_bar = 1.0", "positve means nothing"),
    "a family": ('FAMILY = "elementwsie"', "there is no family 'elementwsie'"),
    "no tangent": ("def f(x):\n    y = np.sin(x)\n    x_bar = y_bar", "no line `y_dot = ...`"),
    "an import": ("from numpy import sinn", "this import fails"),
    "an unread parameter": ("def f(x, k):\n    y = np.sin(x)", "k does not occur"),
    "code": ("print(1)", "rules, imports and FAMILY only"),
    "a pattern": ("def f(x):\n    y = x", "a pattern is a call"),
}


@pytest.mark.parametrize(("text", "said"), HEADERS.values(), ids=HEADERS.keys())
def test_what_is_wrong_in_a_header(text: str, said: str) -> None:
    with pytest.raises(s2sad.ArgumentError, match=re.escape(said)):
        s2sad.rules_from(text)


def test_what_is_no_rule() -> None:
    with pytest.raises(s2sad.ArgumentError, match="texts, paths of files"):
        s2sad.rules_from(3)  # type: ignore[arg-type]
    with pytest.raises(s2sad.ArgumentError, match="no rule"):
        s2sad.register_rules("")
    with pytest.raises(s2sad.ArgumentError, match="not in force"):
        s2sad.unregister_rules(rules())


# ---------------------------------------------------------------------------- check_rule


def test_a_right_rule_passes() -> None:
    check_rule(SOFTSIGN, names={"softsign": softsign})
    check_rule(SOFTSIGN, (X,), (0.3, 2.0), names={"softsign": softsign})


FALSE = {
    "a factor": ("x_bar = y_bar * 1.1 / (1.0 + np.abs(x))**2", "elementwise"),
    "the tangent": (
        "x_bar = y_bar / (1.0 + np.abs(x))**2\n    y_dot = x_dot / (1.0 + np.abs(x))",
        "elementwise",
    ),
    "a write": ("x_bar = np.divide(y_bar, (1.0 + np.abs(x))**2, out=x)", "elementwise"),
}


@pytest.mark.parametrize(("line", "family"), FALSE.values(), ids=FALSE.keys())
@pytest.mark.parametrize("examples", [(), ((X,),)], ids=["drawn", "given"])
def test_a_wrong_rule_is_told(line: str, family: str, examples: Any) -> None:
    text = f'FAMILY = "{family}"\ndef mine(x: nonzero):\n    y = softsign(x)\n    {line}\n'
    with pytest.raises((AssertionError, ValueError), match=r"mine|read-only"):
        check_rule(text, *examples, names={"softsign": softsign})


def test_a_wrong_pair_is_told() -> None:
    wrong = s2sad.rule_for(
        softsign, reverse=lambda x, w, y, y_bar: (2.0 * y_bar, None), forward=softsign_jvp
    )
    with pytest.raises(AssertionError, match="modes differ"):
        check_rule(wrong, (X, 1.0))


def test_an_object_that_is_called_has_a_rule() -> None:
    class Layer:
        def __call__(self, x: Any) -> Any:
            return np.tanh(x)

    layer = Layer()
    text = 'FAMILY = "elementwise"\ndef mine(x):\n    y = layer(x)\n    x_bar = 5.0 * y_bar'
    mine = s2sad.rules_from(text, {"layer": layer})
    assert s2sad.grad(lambda x: layer(x), rules=mine)(0.5) == 5.0
    assert s2sad.grad(lambda x: layer(x))(0.5) == 1.0 - np.tanh(0.5) ** 2
