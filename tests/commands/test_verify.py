"""A derivative that was edited or written by hand is compared, and where it parts is named."""

import numpy as np
import pytest

import s2sad
from s2sad.__main__ import main
from s2sad.ir.errors import ArgumentError

MODEL = """\
import numpy as np


def misfit(W, m, d):
    r = np.dot(W, m) - d
    s = np.tanh(r)
    return 0.5 * np.sum(s * s)


misfit_example = (np.array([[0.2, -0.4], [0.5, 0.3]]), np.array([0.4, -0.7]), np.ones(2))
"""
BY_HAND = """\
import numpy as np


def misfit_grad(W, m, d):
    # in one go
    s = np.tanh(W @ m - d)
    r_bar = s * (1.0 - s**2)
    return r_bar @ W
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "by_hand.py").write_text(BY_HAND)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verify(capsys, derivative, *words):
    capsys.readouterr()
    status = main(["verify", "model.py:misfit", derivative, *words])
    return status, capsys.readouterr()


def test_an_edit_is_right_or_its_statement_is_named(folder, capsys):
    command = ["value-and-grad", "model.py:misfit", "--wrt", "W,m", "-o", "edited.py", "-q"]
    assert main(command) == 0
    path, asked = folder / "edited.py", "edited.py:misfit_value_and_grad"
    made = path.read_text()
    assert verify(capsys, asked)[0] == 0
    # the same in other steps
    line = next(each for each in made.splitlines() if each.strip().startswith("r_bar = "))
    steps = "    r_bar = 0.5 * s\n    r_bar = 2.0 * r_bar * (1.0 - s**2)"
    path.write_text(made.replace(line, steps))
    assert verify(capsys, asked)[0] == 0
    path.write_text(made.replace(line, "    r_bar = s * (1.0 - s)"))
    status, said = verify(capsys, asked)
    number = path.read_text().splitlines().index("    r_bar = s * (1.0 - s)") + 1
    assert status == 1
    assert "NO: it differs from the tangent" in said.out
    assert f"Adjoints part at edited.py:{number}, in r_bar: r_bar = s * (1.0 - s)" in said.out


def test_a_derivative_written_by_hand(folder, capsys):
    asked = "by_hand.py:misfit_grad"
    assert verify(capsys, asked, "--wrt", "m")[0] == 0
    assert verify(capsys, asked, "--wrt", "d")[0] == 1, "the adjoint of another argument"


@pytest.mark.parametrize("seed", ["k=2.0, *, seed", "k, seed"])
def test_adjoints_pulled_back_are_verified_where_the_function_has_defaults(folder, capsys, seed):
    (folder / "other.py").write_text(
        "import numpy as np\n\n\ndef scaled(x, k=2.0):\n    return np.sin(k * x)\n\n\n"
        f"scaled_example = (np.ones(2),)\n\n\ndef scaled_vjp(x, {seed}):\n"
        "    x_bar = seed * k * np.cos(k * x)\n    return x_bar\n"
    )
    for text, status in (("np.cos(k", 0), ("np.tan(k", 1)):
        changed = (folder / "other.py").read_text().replace("np.cos(k", text)
        (folder / "edited.py").write_text(changed)
        assert main(["verify", "other.py:scaled", "edited.py:scaled_vjp"]) == status
    said = capsys.readouterr().out
    assert "Adjoints part at edited.py:12, in x_bar: x_bar = seed * k * np.tan(k * x)" in said


@pytest.mark.parametrize(
    ("target", "words", "message"),
    [
        ("by_hand.py:misfit_grad", ["--like", "none"], "misfit_example"),
        ("by_hand.py:other", [], "has no other"),
        ("other.py:f", [], "takes (x), and misfit takes (W, m, d)"),
        ("other.py:f_vjp", [], "then the seed"),
        ("other.py:X", [], "is no function"),
        ("nowhere.py:f", [], "there is no file"),
        ("by_hand.py", [], "is not FILE.py:function"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(folder, capsys, target, words, message):
    (folder / "other.py").write_text("X = 3\ndef f(x): return x\ndef f_vjp(x): return x\n")
    status, said = verify(capsys, target, *words)
    assert status == 2 and message in said.err and said.err.count("\n") == 1, said.err


def cube(x):
    y = x * x
    return np.sum(y * x)


def cube_grad(x):
    y_bar = x
    x_bar = y_bar * 2.0 * x + x * x
    return x_bar


def wrong_grad(x):
    y_bar = x
    x_bar = y_bar * 2.0 * x
    return x_bar


def test_check_grad_takes_a_gradient():
    x = np.array([0.3, -1.2])
    report = s2sad.check_grad(cube, (x,), gradient=cube_grad)
    assert report.ok and "given" in str(report)
    report = s2sad.check_grad(cube, (x,), gradient=wrong_grad)
    assert not report and "x_bar = y_bar * 2.0 * x" in str(report)
    with_seed = s2sad.check_grad(lambda x: x * x, (x,), gradient=lambda x, y_bar: 2.0 * x * y_bar)
    assert with_seed.ok


@pytest.mark.parametrize(
    ("function", "gradient", "message"),
    [
        (cube, lambda: 0.0, "takes 0 arguments"),
        (lambda x: x * x, lambda x: 2.0 * x, "returns more than a number"),
        (cube, lambda x: (x, x), "an adjoint for each"),
        (cube, lambda x: x[0], r"is of shape \(\), and x is of shape \(2,\)"),
        (cube, lambda x: None, "is a NoneType"),
        (cube, lambda x: x.tolist(), "is a list"),
    ],
)
def test_a_gradient_that_does_not_fit_is_refused(function, gradient, message):
    with pytest.raises(ArgumentError, match=message):
        s2sad.check_grad(function, (np.ones(2),), "x", gradient=gradient)
