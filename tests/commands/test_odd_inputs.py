"""Odd paths, names and manifests: nothing is ever written outside of what was named.

The texts are made without deriving anything: what is at stake here is where they go.
"""

import os
import random
import shutil
import sys
from pathlib import Path

import pytest

from s2sad.api.commands import embed, making
from s2sad.api.commands.main import main
from s2sad.api.commands.making import Made
from s2sad.api.saved import stamped

PARTS = (
    "a", "b.py", "..", ".", "", " ", "~", "/", "//", "-", "--", "-o", "@x", "*.py", "$HOME", "`id`", ";rm",
    "model.py", "model.py:f", "f_grad.py", "sub", "link", "away", "CON", "é", "日本.py", "a\nb.py", "a\tb",
    "\\", "C:\\x.py", "%s", "{}", "'", '"', "\x00", "\x1b[31m", "x" * 300, ":", "::", ":f", "f:", "#", "nul\r\n",
    "../../away.py", "away/../x.py", "./sub/../g.py", "\udcff.py", "None", "0", "[[x]]", "=", "a=b",
)  # fmt: skip
# places that may well be meant
PLACES = (
    "g.py", "sub/g.py", "link/g.py", "../away/g.py", "../away/precious.py", "sub/../h.py", "sub", "link", "..",
    "f_grad.py", "edited.py", "model.py", "script.py", "pyproject.toml", "sub/nowhere/g.py", "linked.py", "-",
)  # fmt: skip
KEYS = (
    "target",
    "out",
    "wrt",
    "mode",
    "like",
    "rules",
    "checkpoint",
    "lines",
    "Out",
    "memory",
    "x",
)
VALUES = (
    '"model.py:f"',
    '"g.py"',
    "3",
    "true",
    "[]",
    '["x"]',
    "{}",
    '"grad"',
    '"check"',
    "1979-05-27",
)
TEXT = "def f_grad(x):\n    return 1.0\n"
MAKES = ("grad", "vjp", "hessian", "jvp")
COMMANDS = (*MAKES * 2, "check", "check", "embed", "embed", "verify", "help", "nothing", "show")
OPTIONS = (
    "--force",
    "--write",
    "--check",
    "--diff",
    "--like",
    "--wrt",
    "-q",
    "-v",
    "--base",
    "--rules",
)


def word(rng):
    return rng.choice(("", "/")).join(rng.choice(PARTS) for _ in range(rng.choice((1, 1, 1, 2, 3))))


def place(rng):
    return rng.choice(PLACES) if rng.random() < 0.6 else word(rng)


def toml_text(text):
    plain = "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text)
    return f'"{plain}"'.encode("utf-8", "ignore").decode()


def manifest(rng):
    """Return the text of a manifest that may be one."""
    lines = []
    for _ in range(rng.randint(1, 2)):
        heads = ("[[tool.s2sad.derivatives]]",) * 9 + ("[tool.s2sad]", "[tool]", "x")
        lines.append(rng.choice(heads))
        lines += [f"target = {toml_text('model.py:f')}", f"out = {toml_text(place(rng))}"]
        for key in rng.sample(KEYS, rng.choice((0, 0, 0, 0, 1))):
            value = rng.choice(VALUES) if rng.random() < 0.3 else toml_text(word(rng))
            lines.append(f"{key} = {value}")
    return "\n".join(lines) + "\n"


def arguments(rng):
    """Return the words of a command line."""
    command = rng.choice(COMMANDS)
    words = ["model.py:f"] if command in MAKES else [place(rng)]
    words += [word(rng) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
    if rng.random() < 0.7 and command not in ("check", "embed", "help"):
        words += ["-o", place(rng)]
    words += rng.sample(OPTIONS, rng.choice((0, 0, 0, 0, 1, 2)))
    rng.shuffle(words) if rng.random() < 0.1 else None
    return [command, *words]


def made_of(text):
    """Return what gives a text for a function that was found, without deriving it."""

    def made(options, target, folder, *, saving):
        return Made(target.asked, "f_grad", text, "0" * 12, target.sources)

    return made


def snapshot(folder):
    """Return what is in a folder: links as links."""
    found = {}
    for top, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = os.path.join(top, name)
            if os.path.islink(path):
                found[path] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = file.read()
            else:
                found[path] = None
    return found


def fresh(top):
    """Make a project in a folder, beside one that is not to be touched; return the project."""
    shutil.rmtree(top, ignore_errors=True)
    project, away = top / "project", top / "away"
    for folder in (project / "sub", away):
        folder.mkdir(parents=True)
    (away / "precious.py").write_text("x = 1\n")
    (project / "link").symlink_to(away)
    (project / "model.py").write_text("def f(x):\n    return x\n")
    (project / "script.py").write_text("from model import f\n\n# s2sad: grad f\n# s2sad: end\n")
    for name in ("f_grad.py", "edited.py"):
        text = stamped(TEXT, "1", "1" * 12, f"s2sad grad model.py:f -o {name}")
        (project / name).write_text(text.replace("1.0", "3.0") if name == "edited.py" else text)
    (project / "linked.py").symlink_to(away / "precious.py")
    (project / "pyproject.toml").write_text("")
    return project


def named(words, project):
    """Return the files that a command line names to be written: after -o, or a script to embed."""
    places = [words[at + 1] for at, each in enumerate(words[:-1]) if each in ("-o", "--base")]
    places += [each[2:] for each in words if each.startswith("-o") and len(each) > 2]
    places += words[1:] if words[0] in ("check", "embed") else []
    found = set()
    for each in places:
        try:
            path = os.path.realpath(os.path.join(project, each))
        except (ValueError, OSError):
            continue
        found |= {path, os.path.join(path, "f_grad.py"), os.path.realpath(f"{path}/f_grad.py")}
    return found


def play(seed, top, monkeypatch):
    """Run one odd command line, and tell what it changed that was not named."""
    rng = random.Random(seed)
    project = fresh(top)
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # what Python itself writes is not meant
    made = made_of(rng.choice((TEXT, TEXT.replace("1.0", "2.0"))))
    for module in (making, embed):
        monkeypatch.setattr(module, "made_of", made)
    by_manifest = rng.random() < 0.4
    if by_manifest:
        text = manifest(rng)
        (project / "pyproject.toml").write_text(text)
        words = ["check", *rng.sample(("--write", "--diff", "-v", "--force"), 2)]
    else:
        words = arguments(rng)
    before = snapshot(top)
    status = main(words)
    assert status in (0, 1, 2), (seed, words, status)
    after = snapshot(top)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    if by_manifest:
        allowed = {path for path in changed if path.endswith(".py") and _lies_in(path, project)}
        allowed -= {str(project / name) for name in ("model.py", "pyproject.toml")}
    else:
        allowed = named(words, str(project))
        everything = words[0] == "check" and "--write" in words
        allowed |= {str(project / name) for name in ("f_grad.py", "edited.py") if everything}
    allowed -= {str(project / "model.py")}
    assert changed <= allowed, (seed, words, sorted(changed - allowed))
    if status == 2:
        assert not changed, (seed, words, changed)
    return status, bool(changed)


def _lies_in(path, folder):
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def campaign(seeds, tmp_path, monkeypatch, capsys):
    ends = [play(seed, tmp_path / "top", monkeypatch) for seed in seeds]
    capsys.readouterr()
    return ends


def test_200_odd_inputs_write_to_what_they_name_alone(tmp_path, monkeypatch, capsys):
    ends = campaign([*range(200), 1297, 4291], tmp_path, monkeypatch, capsys)
    assert {0, 1, 2} == {status for status, _ in ends}
    assert sum(wrote for _, wrote in ends) >= 5, "some are written, to what they name"


@pytest.mark.slow
def test_5000_odd_inputs_write_to_what_they_name_alone(tmp_path, monkeypatch, capsys):
    campaign(range(200, 5200), tmp_path, monkeypatch, capsys)
