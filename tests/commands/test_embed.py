"""Derivatives between markers of a script are refreshed in place, and nothing else is touched."""

import re
import runpy

import numpy as np
import pytest

from s2sad.__main__ import main

SCRIPT = '''\
"""A script with a text that looks like a marker:
# s2sad: grad nothing
"""
import numpy as np

SCALE = 2.0


def step(u, k):
    return u + 0.1 * np.sin(k * u)   # a step


def misfit(u):
    u = step(u, SCALE)
    return np.sum(u**2)

# s2sad: grad misfit
# s2sad: end

if __name__ == "__main__":
    found = misfit_grad(np.array([0.3, 0.7]))
'''


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def parts(path):
    """Return what stands above a derivative, the derivative with its end, and what stands below."""
    data = path.read_bytes()
    above, marker, rest = data.partition(b"# s2sad: grad misfit")
    line = re.search(rb"# s2sad: end[^\r\n]*", rest)
    return above + marker, rest[: line.end()], rest[line.end() :]


def slope(path, u):
    """Return the derivative along u by differences."""
    misfit = runpy.run_path(str(path))["misfit"]
    return (misfit(u * (1 + 1e-6)) - misfit(u * (1 - 1e-6))) / 2e-6


def test_names_of_the_script_are_used_and_not_copied(script, capsys):
    outside = parts(script)[0], parts(script)[2]
    assert main(["embed", "script.py"]) == 0
    above, made, below = parts(script)
    assert (above, below) == outside
    assert b"def step(" not in made and b"import" not in made and b"SCALE =" not in made
    found = runpy.run_path(str(script), run_name="__main__")["found"]
    u = np.array([0.3, 0.7])
    assert np.dot(found, u) == pytest.approx(slope(script, u), rel=1e-7)
    text = script.read_text()
    assert main(["embed", "script.py", "--check"]) == 0
    # a comment more changes nothing, nor does a constant that the derivative reads by its name; an
    # edited step does, which no name would tell
    for old, new in (("# a step", "# a step of it"), ("SCALE = ", "SCALE = 1.0 + ")):
        script.write_text(text.replace(old, new))
        assert main(["embed", "script.py", "--check"]) == 0
    script.write_text(text.replace("u + 0.1 * np.sin(k * u)   #", "u + 0.3 * np.cos(k * u)   #"))
    before = script.read_bytes()
    capsys.readouterr()
    assert main(["embed", "script.py", "--check"]) == 1
    assert capsys.readouterr().err == "script.py:17: out of date\n"
    assert script.read_bytes() == before
    assert main(["embed", "script.py"]) == 0
    found = runpy.run_path(str(script), run_name="__main__")["found"]
    assert np.dot(found, u) == pytest.approx(slope(script, u), rel=1e-7)


def test_edits_between_markers_are_kept_without_force(script, capsys):
    main(["embed", "script.py"])
    made = script.read_bytes()
    script.write_bytes(made.replace(b"Gradient of", b"The gradient of"))
    for words in ([], ["--check"]):
        assert main(["embed", "script.py", *words]) == 1
        assert "edited by hand" in capsys.readouterr().err
        assert b"The gradient of" in script.read_bytes()
    assert main(["embed", "script.py", "--force"]) == 0
    assert script.read_bytes() == made


def test_ends_of_lines_and_a_mark_of_byte_order_stay(script):
    script.write_bytes(b"\xef\xbb\xbf" + script.read_bytes().replace(b"\n", b"\r\n"))
    outside = parts(script)[0], parts(script)[2]
    assert main(["embed", "script.py", "-q"]) == 0
    above, made, below = parts(script)
    assert (above, below) == outside and b"def misfit_grad" in made
    assert made.count(b"\n") == made.count(b"\r\n")


def test_a_name_that_stands_for_two_things_is_refused(script, capsys):
    text = SCRIPT.replace('if __name__ == "__main__":', "def step_rev(u):\n    return u\n\n\nif 0:")
    text = text.replace("def misfit(u):\n", "def misfit(u):\n    for _ in range(3):\n    ", 1)
    script.write_text(text + "\n\nmisfit_grad = 3\n")
    before = script.read_bytes()
    assert main(["embed", "script.py"]) == 1
    assert "for another thing than the script does" in capsys.readouterr().err
    assert script.read_bytes() == before


def test_a_class_of_the_script_is_its_own_when_the_script_is_run_and_when_it_is_imported(script):
    script.write_text(
        "import numpy as np\n\n\nclass Spring:\n    k = 2.0\n\n    def energy(self, x):\n"
        "        return np.sum(self.k * x**2)\n\n\nspring = Spring()\n\n"
        "# s2sad: grad Spring.energy --wrt x --like '(spring, np.ones(3))'\n# s2sad: end\n\n"
        "found = energy_grad(spring, np.arange(3.0))\n"
    )
    assert main(["embed", "script.py"]) == 0
    for name in ("__main__", "script"):
        found = runpy.run_path(str(script), run_name=name)["found"]
        assert np.array_equal(found, 4.0 * np.arange(3.0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "has no markers"),
        ("# s2sad: grad f\n", "has no end"),
        ("# s2sad: end\n", "no marker above it"),
        ("# s2sad: grad f\n# s2sad: grad g\n# s2sad: end\n", "has no end"),
        ("# s2sad: grad\n# s2sad: end\n", "names no function"),
        ("# s2sad: grad f\n# s2sad: end\n", "has no f"),
        ("# s2sad: check f\n# s2sad: end\n", "makes no derivative"),
        ("# s2sad: grad f --name g\n# s2sad: end\n", "unrecognized arguments: --name g"),
        ("# s2sad: grad 'f\n# s2sad: end\n", "cannot be read"),
        ("def f(x): return x\n# s2sad: grad f -o a.py\n# s2sad: end\n", "has no -o"),
        ("# s2sad: grad f\n# s2sad: end of it\n", "make it # s2sad: end"),
        ("def f(:\n# s2sad: grad f\n# s2sad: end\n", "is not Python"),
        (
            "if True:\n    # s2sad: grad f\n    # s2sad: end\n",
            "script.py:2: the marker is indented",
        ),
        ("# s2sad: grad f g\n# s2sad: end\n", "script.py:1: 'grad script.py:f g' makes several"),
        ("x = '''\n# s2sad: grad f\n", "is not Python"),
        ("# -*- coding: latin-1 -*-\n# s2sad: grad f\n# s2sad: end\n", "save it as UTF-8"),
        (b"\xff\xfe\x00", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_markers_that_are_wrong_are_told_in_one_line(script, capsys, text, words):
    if text is None:
        script.unlink()
    else:
        script.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = script.read_bytes() if script.exists() else None
    assert main(["embed", "script.py"]) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1, err
    assert (script.read_bytes() if script.exists() else None) == before
