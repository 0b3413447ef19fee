"""The first value that is no finite number is found, with both lines and its operands."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from s2sad.api.commands.main import main
from tests.texts import defined

LOG = """
def f(x):
    y = np.sqrt(x)
    z = y * 3.0
    return np.sum(z)
"""
X = np.array([1.0, 4.0, 0.0, 9.0])


@pytest.mark.parametrize("like", [(X,), None], ids=["examples", "any arguments"])
def test_the_reverse_sweep_is_looked_at(like):
    f = defined(LOG)
    df = s2sad.grad(f, like=like)
    with np.errstate(all="ignore"):
        assert np.isinf(df(X)[2])
    found = df.first_nonfinite(X)
    assert found.what == "inf at [2]"
    assert found.sweep in ("reverse sweep", "")
    assert found.primal_text == "y = np.sqrt(x)"
    if like is not None:
        assert df.source.splitlines()[found.line - 1].strip() == found.text
    assert found.expression in found.text
    # what the operands are at that place gives what is told
    assert any(value in ("0.0", "inf") for _, value in found.operands)


def test_the_forward_sweep_is_looked_at_and_an_overflow_named():
    f = defined("def f(x):\n    y = np.exp(x)\n    return np.sum(y * y)")
    found = s2sad.value_and_grad(f).first_nonfinite(np.array([1.0, 800.0]))
    assert found.expression == "np.exp(x)"
    assert found.what == "inf at [1]"
    assert ("x[1]", "800.0") in found.operands
    assert str(found).splitlines()[-1] == "  it belongs to line 5: y = np.exp(x)" or (
        "y = np.exp(x)" in str(found).splitlines()[-1]
    )


def test_what_the_forward_sweep_ends_with_belongs_to_the_line_of_the_result():
    f = defined("def f(x):\n    y = x - 1.0\n    return np.sum(np.sqrt(y))")
    found = s2sad.value_and_grad(f).first_nonfinite(np.array([0.5, 2.0]))
    assert found.expression == "np.sqrt(y)" and found.operands == (("y[0]", "-0.5"),)
    assert found.primal_text == "return np.sum(np.sqrt(y))"


def test_a_product_of_nothing_and_infinity_is_where_nan_begins():
    f = defined("def f(x, w):\n    big = np.exp(x)\n    small = big * w\n    return small")
    found = s2sad.value_and_grad(f, "w").first_nonfinite(1000.0, 0.0)
    assert found.what == "inf" and found.expression == "np.exp(x)"


def test_elements_that_are_written_in_place_are_looked_at():
    f = defined("def f(x):\n    y = x.copy()\n    y[1:] /= x[:-1]\n    return np.sum(y**2)")
    found = s2sad.value_and_grad(f).first_nonfinite(np.array([1.0, 0.0, 3.0]))
    assert found.what == "inf at [1]"
    assert found.primal_text == "y[1:] /= x[:-1]"


def test_operands_that_are_computed_stand_in_brackets():
    f = defined("def f(x):\n    return np.sum((2.0 * x) / (x - 1.0))")
    found = s2sad.value_and_grad(f).first_nonfinite(np.array([3.0, 1.0]))
    assert ("(2.0 * x)[1]", "2.0") in found.operands
    assert "0.0" in dict(found.operands).values()
    assert found.primal_text.startswith("return np.sum")


def test_numbers_that_are_written_down_are_no_operands():
    f = defined("def f(x):\n    return np.hypot(x[0], x[1]) ** 0.5")
    found = s2sad.value_and_grad(f).first_nonfinite(np.zeros(2))
    assert [value for _, value in found.operands] == ["0.0"]


def test_numbers_that_divide_by_zero_are_told_and_not_raised():
    f = defined("def f(x, k):\n    r = x / k\n    return r * r")
    df = s2sad.grad(f)
    with pytest.raises(ZeroDivisionError):
        df(1.0, 0.0)
    found = df.first_nonfinite(1.0, 0.0)
    assert found.what.startswith("ZeroDivisionError")
    assert found.expression == "x / k"
    assert ("k", "0.0") in found.operands


def test_finite_values_and_infinities_that_are_written_down_are_no_finds():
    f = defined(
        """
def f(x):
    best = np.inf
    for v in x:
        if v < best:
            best = v
    return best * 2.0
"""
    )
    assert s2sad.grad(f).first_nonfinite(np.array([3.0, 1.0])) is None


def test_an_argument_that_is_not_finite_is_named():
    found = s2sad.grad(defined(LOG)).first_nonfinite(np.array([1.0, np.nan]))
    assert str(found).splitlines()[0] == "an argument of f_grad is no finite number"
    assert found.expression == "x" and found.what == "nan at [1]"


def test_arguments_are_left_as_they_are_and_functions_called_are_looked_into():
    f = defined(
        """
def scaled(u, c):
    u *= c
    return u / np.sum(u)


def f(u, c):
    v = scaled(u.copy(), c)
    return np.sum(v**2)
"""
    )
    u = np.ones(3)
    found = s2sad.grad(f).first_nonfinite(u, 0.0)
    assert found.what.startswith("nan") and "/" in found.expression
    np.testing.assert_array_equal(u, np.ones(3))


def test_errors_of_the_user_are_raised_as_the_derivative_raises_them():
    f = defined(
        "def f(x):\n    if x < 0.0:\n        raise ValueError('negative')\n    return x * x"
    )
    with pytest.raises(ValueError, match="negative"):
        s2sad.grad(f).first_nonfinite(-1.0)
    with pytest.raises(TypeError):
        s2sad.grad(f).first_nonfinite()


def test_the_command_says_it_and_its_exit_status(tmp_path, capsys, monkeypatch):
    text = "import numpy as np\n\n\ndef f(x):\n    y = np.sqrt(x)\n    return y * 3.0\n"
    (tmp_path / "model.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["debug", "model.py:f", "--like", "(1.0,)"]) == 0
    assert capsys.readouterr().out == "every value is finite\n"
    assert main(["debug", "model.py:f", "--like", "(0.0,)"]) == 1
    assert "it belongs to line 5: y = np.sqrt(x)" in capsys.readouterr().out
    assert main(["debug", "model.py:f"]) == 2
    assert "give --like, or define f_example" in capsys.readouterr().err


def test_a_notebook_shows_the_operands():
    shown = s2sad.grad(defined(LOG)).first_nonfinite(X)._repr_html_()
    assert "<table>" in shown and "inf at [2]" in shown
