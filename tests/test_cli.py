"""The command line, run as users run it: on files of their own."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from s2sad.api.commands import main as cli
from s2sad.api.commands.making import wanted
from s2sad.api.commands.output import coloured, has_colours

MODEL = '''\
"""A model of the user's own."""

import numpy as np

print("this module talks while it is imported")

SCALE = 2.0


def helper(x):
    return np.tanh(x)


def misfit(W, m, d):
    r = helper(np.dot(W, m)) - d
    return 0.5 * SCALE * np.sum(r * r)


def parted(x):
    return np.sum(np.union1d(x, 1) ** 2)


def shape_changer(x):
    return x * x


def kinked(x):
    return abs(x - 1.0)


misfit_example = (np.ones((2, 3)), np.array([0.1, 0.2, 0.3]), np.array([0.5, -0.5]))
kinked_example = (1.0 + 1e-9,)


def shape_changer_example():
    return (1.5,)
'''


@pytest.fixture
def model(tmp_path, monkeypatch):
    path = tmp_path / "user_model.py"
    path.write_text(MODEL)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "user_model", raising=False)
    yield path
    sys.modules.pop("user_model", None)


def run_alone(source, folder, *lines):
    """Run emitted text as a script beside the user's file, with nothing of s2sad imported."""
    blocked = "import sys\nsys.modules['s2sad'] = None\n"
    script = Path(folder) / "alone.py"
    script.write_text(blocked + source + "\n" + "\n".join(lines) + "\n")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_source_goes_to_standard_output_and_all_else_to_standard_error(model, capsys):
    assert cli.main(["grad", f"{model}:misfit"]) == 0
    out, err = capsys.readouterr()
    compile(out, "out", "exec")
    assert "def misfit_grad(W, m, d):" in out
    assert "talks" in err and "talks" not in out
    assert "\x1b" not in out + err


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "misfit_grad(W, m, d)"),
        (["--value"], "misfit_value_and_grad(W, m, d)"),
        (["--mode", "forward"], "misfit_jvp(W, m, d, W_dot)"),
        (["--mode", "forward", "--wrt", "m,d"], "misfit_jvp(W, m, d, m_dot, d_dot)"),
    ],
)
def test_options_choose_the_derivative(model, capsys, options, name):
    assert cli.main(["grad", f"{model}:misfit", *options]) == 0
    assert f"def {name}:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["hvp", "misfit", "--wrt", "m"], "misfit_hvp(W, m, d, m_dot)"),
        (["hessian", "misfit", "--wrt", "m,d"], "misfit_hessian(W, m, d)"),
        (["jacobian", "helper", "--mode", "reverse"], "helper_vjp(x, seed)"),
        (["jacobian", "helper"], "helper_tangent(x, x_dot)"),
    ],
)
def test_commands_choose_the_derivative(model, capsys, words, name):
    command, function, *options = words
    assert cli.main([command, f"{model}:{function}", *options]) == 0
    out = capsys.readouterr().out
    assert f"def {name}:" in out and "import s2sad" not in out


@pytest.mark.parametrize(
    ("text", "wrt"),
    [
        (None, None),
        ("W", "W"),
        ("W,m", ("W", "m")),
        (" W , 1", ("W", 1)),
        ("W,", ("W",)),
        ("2", 2),
        ("-1", -1),
        ("", ()),
        (",", ()),
    ],
)
def test_wrt_is_a_name_or_a_tuple(text, wrt):
    assert wanted(None if text is None else [text]) == wrt


def test_a_written_file_runs_on_its_own(model, capsys):
    out = model.parent / "misfit_grad.py"
    assert cli.main(["grad", f"{model}:misfit", "--wrt", "m", "--check", "-o", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "yes" in captured.err and f"wrote {out}" in captured.err
    printed = run_alone(
        out.read_text(),
        model.parent,
        "from user_model import misfit_example",
        "print(repr(misfit_grad(*misfit_example).tolist()))",
    )
    W, m, d = np.ones((2, 3)), np.array([0.1, 0.2, 0.3]), np.array([0.5, -0.5])
    t = np.tanh(W @ m)
    expected = W.T @ (2.0 * (t - d) * (1.0 - t**2))
    np.testing.assert_allclose(eval(printed.splitlines()[-1]), expected, rtol=1e-13)


def test_a_written_file_needs_no_module_of_the_users(tmp_path, capsys):
    (tmp_path / "user_library.py").write_text(
        "import math\n\nGAIN = 1.5\n\n"
        "def damped(x, *, rate=0.5):\n    # slowly\n    return GAIN * math.exp(-rate * x)\n"
    )
    model = tmp_path / "user_main.py"
    model.write_text(
        "import user_library as lib\n\ndef f(x):\n    return lib.damped(x) * lib.damped(2.0)\n"
    )
    out = tmp_path / "elsewhere" / "f_grad.py"
    out.parent.mkdir()
    try:
        assert cli.main(["grad", f"{model}:f", "--like", "(0.3,)", "--check", "-o", str(out)]) == 0
    finally:
        for name in ("user_main", "user_library"):
            sys.modules.pop(name, None)
    printed = run_alone(out.read_text(), out.parent, "print(f_grad(0.3))")
    assert float(printed) == pytest.approx(-0.5 * 1.5**2 * np.exp(-0.15 - 1.0), rel=1e-14)


def test_a_module_is_found_from_the_current_folder(model, monkeypatch, capsys):
    monkeypatch.chdir(model.parent)
    assert cli.main(["grad", "user_model:misfit", "--wrt", "d"]) == 0
    assert "def misfit_grad(W, m, d):" in capsys.readouterr().out


def test_library_code_is_a_module_like_any_other(capsys):
    target = "numpy.polynomial.polynomial:polyval"
    assert cli.main(["grad", target, "--wrt", "c", "--like", "(2.0, np.ones(3))"]) == 0
    assert "def polyval_grad(x, c, tensor=True):" in capsys.readouterr().out


# ---------------------------------------------------------------------------- examples


def test_like_makes_the_text_for_these_arguments(model, capsys):
    assert cli.main(["grad", f"{model}:shape_changer", "--like", "(np.float32(2.0),)"]) == 0
    made = capsys.readouterr().out
    assert cli.main(["grad", f"{model}:shape_changer", "--like", "(SCALE,)"]) == 0
    assert made and capsys.readouterr().out


def test_an_example_may_be_a_function(model, capsys):
    assert cli.main(["grad", f"{model}:shape_changer", "--check"]) == 0
    assert "yes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("like", "words"),
    [
        ("3.0", "--like is a float, not a tuple"),
        ("(nothing,)", "NameError"),
        ("(1.0,", "SyntaxError"),
    ],
)
def test_a_like_that_is_no_tuple_is_a_usage_error(model, capsys, like, words):
    assert cli.main(["grad", f"{model}:misfit", "--like", like]) == 2
    assert words in capsys.readouterr().err


def test_check_without_an_example_is_a_usage_error(model, capsys):
    assert cli.main(["grad", f"{model}:helper", "--check"]) == 2
    err = capsys.readouterr().err
    assert "--like" in err and "helper_example" in err


def test_a_check_that_fails_writes_nothing(model, capsys):
    out = model.parent / "out.py"
    assert cli.main(["grad", f"{model}:kinked", "--check", "-o", str(out)]) == 1
    assert "NO" in capsys.readouterr().err
    assert not out.exists()


# ---------------------------------------------------------------------------- writing


def test_edits_of_a_file_are_dropped_only_by_force(model, capsys):
    out = model.parent / "out.py"
    command = ["grad", f"{model}:misfit", "-o", str(out)]
    assert cli.main(command) == 0
    source = out.read_text()
    assert cli.main(command) == 0, "the same text again is no change"
    out.write_text(source + "# mine\n")
    assert cli.main(command) == 0
    assert "--force" in capsys.readouterr().err
    assert out.read_text().endswith("# mine\n")
    assert cli.main([*command, "--force"]) == 0
    assert out.read_text() == source


def test_a_file_that_is_no_text_is_not_overwritten(model, capsys):
    out = model.parent / "out.py"
    out.write_bytes(b"\xff\xfe\x00")
    assert cli.main(["grad", f"{model}:misfit", "-o", str(out)]) == 2
    assert out.read_bytes() == b"\xff\xfe\x00"


def test_a_folder_that_is_not_there_is_refused(model, capsys):
    out = model.parent / "nowhere" / "out.py"
    assert cli.main(["grad", f"{model}:misfit", "-o", str(out)]) == 2
    assert "cannot be written" in capsys.readouterr().err


# ---------------------------------------------------------------------------- refusals


def test_a_refusal_points_at_the_users_line(model, capsys):
    assert cli.main(["grad", f"{model}:parted"]) == 1
    out, err = capsys.readouterr()
    line = MODEL.splitlines().index("    return np.sum(np.union1d(x, 1) ** 2)") + 1
    assert out == ""
    assert "s2sad.NoRule:" in err
    assert f'user_model.py", line {line}, in parted' in err
    assert "^" in err


def test_a_wrong_parameter_is_refused(model, capsys):
    assert cli.main(["grad", f"{model}:misfit", "--wrt", "q"]) == 2
    assert "s2sad.ArgumentError: misfit has no parameter 'q'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["grad"],
        ["frobnicate"],
        ["grad", "a.py:f", "--mode", "sideways"],
        ["grad", "a.py:f", "--nothing"],
        ["grad", "misfit"],
        ["grad", ":misfit"],
        ["grad", "nowhere.py:f"],
        ["grad", "no_such_package.module:f"],
        ["grad", "math:no_such_function"],
    ],
)
def test_what_is_not_there_is_a_usage_error(arguments, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err


def test_a_wrong_function_name_is_answered_with_the_right_ones(model, capsys):
    assert cli.main(["grad", f"{model}:misfti"]) == 2
    assert "it defines helper, misfit" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["1 / 0\n", "def f(:\n", "import no_such\n", "raise SystemExit(3)\n"]
)
def test_a_file_that_cannot_be_imported_is_refused(tmp_path, capsys, monkeypatch, text):
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "broken_model.py"
    path.write_text(text)
    assert cli.main(["grad", f"{path}:f"]) == 1
    assert "cannot be imported" in capsys.readouterr().err
    sys.modules.pop("broken_model", None)


def test_a_builtin_has_no_source(capsys):
    assert cli.main(["grad", "builtins:len"]) == 1
    assert "NoSource" in capsys.readouterr().err


def test_help_and_version_end_with_success(capsys):
    assert cli.main(["--help"]) == 0
    assert cli.main(["--version"]) == 0
    assert "s2sad" in capsys.readouterr().out


# ---------------------------------------------------------------------------- colour


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colour_only_on_a_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert has_colours(Terminal())
    assert not has_colours(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colours(Terminal())


def test_a_terminal_shows_the_source_in_colour(model, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    plain, colour = io.StringIO(), Terminal()
    for stream in (plain, colour):
        monkeypatch.setattr(sys, "stdout", stream)
        assert cli.main(["grad", f"{model}:misfit"]) == 0
    assert "\x1b[1mdef\x1b[0m" in colour.getvalue()
    stripped = colour.getvalue()
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m"):
        stripped = stripped.replace(code, "")
    assert stripped == plain.getvalue()


def test_colour_leaves_the_text_itself_alone():
    source = 'def f(x):\n    """Two\n    lines."""\n    return x  # if\n'
    painted = coloured(source)
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m"):
        painted = painted.replace(code, "")
    assert painted == source


# ---------------------------------------------------------------------------- a whole process


def test_python_m_s2sad_is_the_command(model):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": ""}
    run = subprocess.run(
        [sys.executable, "-m", "s2sad", "grad", f"{model}:misfit"],
        env=env,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "def misfit_grad(W, m, d):" in run.stdout
    assert "\x1b" not in run.stdout + run.stderr


@pytest.mark.parametrize(
    "options, kept",
    [
        (["--checkpoint", "sqrt"], "math.isqrt(len(steps))"),
        (["--checkpoint", "every:50"], "stride = 50"),
        (["--checkpoint", "decay=binomial:20"], "DECAY_SLOTS = 20"),
        (["--checkpoint", "line 4=recompute"], "DECAY_SLOTS = 1"),
        (["--checkpoint", "disk:.:50"], "stride = 50"),
        (["--checkpoint", "line 4=disk:."], 'DECAY_FOLDER = "."'),
        (["--checkpoint", "all"], "x_saved"),
    ],
)
def test_checkpoint_chooses_the_states_that_are_kept(tmp_path, capsys, options, kept):
    model = tmp_path / "stepped.py"
    model.write_text(
        "import numpy as np\n\ndef decay(x, n):\n    for k in range(n):\n"
        "        x = x * np.cos(x)\n    return np.sum(x)\n"
    )
    like = ["--like", "(np.ones(3), 4)"]
    assert cli.main(["grad", f"{model}:decay", *options, *like, "--check"]) == 0
    assert kept in capsys.readouterr().out


@pytest.mark.parametrize(
    "options, words",
    [
        (["--checkpoint", "cube"], "'cube' is no schedule"),
        (["--checkpoint", "every:x"], "'every:x' is no schedule"),
        (["--checkpoint", "disk:"], "'disk:' is no schedule"),
        (["--checkpoint", "sqrt", "--checkpoint", "every:3"], "once for each place"),
        (["--mode", "forward", "--checkpoint", "sqrt"], "forward mode keeps no states"),
    ],
)
def test_checkpoint_is_checked(model, capsys, options, words):
    assert cli.main(["grad", f"{model}:misfit", *options]) == 2
    assert words in capsys.readouterr().err


def test_memory_chooses_a_schedule(tmp_path, capsys):
    model = tmp_path / "budgeted.py"
    model.write_text(
        "import numpy as np\n\ndef decay(x, n):\n    for k in range(n):\n"
        "        x = x * np.cos(x)\n    return np.sum(x)\n\ndecay_example = (np.ones(20_000), 50)\n"
    )
    assert cli.main(["grad", f"{model}:decay", "--memory", "2.5 MB"]) == 0
    assert "DECAY_SLOTS = " in capsys.readouterr().out
    assert cli.main(["grad", f"{model}:decay", "--memory", "2 kB"]) == 2
    assert "is the least" in capsys.readouterr().err
