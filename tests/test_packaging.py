"""The project as it is installed: wheel, editable install and checkout, and what it ships."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.api.saved import split

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

DIFFERENTIATE = """\
import sys
import s2sad

def f(x):
    return x * x * x

if __name__ == "__main__":
    print(s2sad.__file__)
    print(s2sad.grad(f)(2.0))
"""


def run(*command, cwd=None, **env):
    """Run a command and return what it printed; its output is the message if it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def differentiate_in(folder, python_path):
    """Differentiate something with the s2sad found first on `python_path`; return its place."""
    script = folder / "script.py"
    script.write_text(DIFFERENTIATE)
    printed = run(sys.executable, script, cwd=folder, PYTHONPATH=str(python_path)).split("\n")
    assert float(printed[1]) == 12.0
    return Path(printed[0])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel with the setuptools of this environment, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    # a copy, so that no build folder appears in the checkout
    copy_project(source)
    pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation")
    run(*pip, "-w", folder, source)
    (built,) = folder.glob("*.whl")
    return built


def copy_project(target):
    """Copy what a build reads."""
    target.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, target)
    for name in ("s2sad", "templates", "docs/refusals"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))


def test_the_wheel_differentiates(wheel, tmp_path):
    site = tmp_path / "site"
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index")
    run(*pip, "--target", site, wheel)
    place = differentiate_in(tmp_path, site)
    assert place.is_relative_to(site)


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "s2sad/py.typed" in names
    assert {Path(name).parts[0] for name in names} == {
        "s2sad",
        f"s2sad-{s2sad.__version__}.dist-info",
    }
    shipped = {name for name in names if name.startswith("s2sad/")}
    assert "s2sad/refusals/aliases.md" in shipped
    for path in (ROOT / "templates").glob("*.py"):
        assert f"s2sad/templates/{path.name}" in shipped
    for path in (ROOT / "s2sad").rglob("*.py"):
        assert path.relative_to(ROOT).as_posix() in shipped


def test_the_wheel_carries_its_licence_and_command(wheel):
    archive = zipfile.ZipFile(wheel)
    folder = f"s2sad-{s2sad.__version__}.dist-info"
    assert "BSD 3-Clause" in archive.read(f"{folder}/licenses/LICENSE").decode()
    assert "s2sad = s2sad.__main__:run" in archive.read(f"{folder}/entry_points.txt").decode()
    metadata = archive.read(f"{folder}/METADATA").decode()
    assert "License-Expression: BSD-3-Clause" in metadata
    assert "Requires-Python: >=3.11" in metadata


def test_the_sdist_holds_tests_docs_and_examples(tmp_path):
    source = tmp_path / "source"
    copy_project(source)
    for name in ("docs", "examples", "tests"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignored, dirs_exist_ok=True)
    for name in ("MANIFEST.in", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"):
        shutil.copy(ROOT / name, source)
    build = "import setuptools.build_meta as b; b.build_sdist('dist')"
    run(sys.executable, "-c", build, cwd=source)
    (made,) = (source / "dist").glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = "tests/test_packaging.py docs/conf.py docs/refusals/aliases.md examples/rod.py"
    assert {*wanted.split(), "CITATION.cff", "templates/elementwise.py"} <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_citation_has_the_version():
    assert f'version: "{s2sad.__version__}"' in (ROOT / "CITATION.cff").read_text()


@pytest.mark.slow
def test_the_editable_install_differentiates(tmp_path):
    source, site = tmp_path / "source", tmp_path / "site"
    copy_project(source)
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation")
    run(*pip, "--target", site, "-e", source)
    # without a site folder (-S), so that an s2sad installed here does not come first; a .pth file
    # takes effect in a site folder only
    packages = Path(np.__file__).parent.parent
    script = tmp_path / "script.py"
    script.write_text(
        f"import site, sys\nsite.addsitedir({str(site)!r})\nsys.path.append({str(packages)!r})\n"
        + DIFFERENTIATE
    )
    printed = run(sys.executable, "-S", "-P", script, cwd=tmp_path, PYTHONPATH="").split("\n")
    assert float(printed[1]) == 12.0
    assert Path(printed[0]).is_relative_to(source)


def test_the_checkout_differentiates(tmp_path):
    assert differentiate_in(tmp_path, ROOT).is_relative_to(ROOT)


def test_the_saved_file_runs_where_s2sad_is_not_installed(tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    numpy = Path(np.__file__).parent
    for folder in (numpy, numpy.with_name("numpy.libs")):
        if folder.is_dir():
            (bare / folder.name).symlink_to(folder)
    (tmp_path / "model.py").write_text(
        "import numpy as np\n\ndef f(x):\n    return np.sum(np.sin(x) * x)\n"
    )
    target = tmp_path / "f_grad.py"
    env = {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    run(sys.executable, "-m", "s2sad", "grad", "model.py:f", "-o", target, cwd=tmp_path, **env)
    code = (
        "import importlib.util, numpy as np\n"
        "assert importlib.util.find_spec('s2sad') is None\n"
        "assert importlib.util.find_spec('gast') is None\n"
        "from f_grad import f_grad\n"
        "print(f_grad(np.array([0.0, 1.0])).tolist())\n"
    )
    # -S: no site folder, so that NumPy and the file itself are all there is
    script = tmp_path / "uses.py"
    script.write_text(code)
    printed = run(sys.executable, "-S", script, cwd=tmp_path, PYTHONPATH=str(bare))
    np.testing.assert_allclose(eval(printed), [0.0, np.cos(1.0) + np.sin(1.0)], rtol=1e-15)


# ---------------------------------------------------------------------------- metadata


def test_dependencies_are_three():
    wanted = ["gast>=0.7,<0.8", "astor>=0.8.1,<0.9", "numpy>=1.26"]
    assert PROJECT["project"]["dependencies"] == wanted
    extras = set(PROJECT["project"]["optional-dependencies"])
    assert {"cuda12", "cuda13", "dask", "docs", "test"} <= extras


# what NumPy 1.26 has not
NEWER = """acos acosh asin asinh astype atan atan2 atanh bitwise_count bitwise_invert bitwise_left_shift
    bitwise_right_shift concat cumulative_prod cumulative_sum isdtype matrix_transpose matvec permute_dims
    pow trapezoid unique_all unique_counts unique_inverse unique_values unstack vecdot vecmat"""


def test_the_oldest_numpy_is_enough(tmp_path):
    script = tmp_path / "old.py"
    script.write_text(
        "import numpy as np\n"
        f"for name in {NEWER.split()}:\n"
        "    vars(np).pop(name, None)\n"
        "import s2sad\n"
        "def f(x):\n"
        "    y = x.copy()\n"
        "    y[1:] += np.sin(x[:-1])\n"
        "    return np.sum(y**2)\n"
        "x = np.array([0.1, 0.2])\n"
        "print(s2sad.grad(f)(x).tolist(), s2sad.jvp(f)(x, x)[1])\n"
    )
    printed = run(sys.executable, script, cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert printed.count(",") == 1


def test_every_folder_with_code_is_a_package():
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    folders = {path.parent for path in (ROOT / "s2sad").rglob("*.py")}
    found = {".".join(folder.relative_to(ROOT).parts) for folder in folders}
    assert listed == found | {"s2sad.templates", "s2sad.refusals"}


def test_the_package_imports_only_its_dependencies():
    allowed = {"s2sad", "gast", "astor", "numpy", *sys.stdlib_module_names}
    pattern = re.compile(r"^\s*(?:from|import) ([A-Za-z_]\w*)", re.MULTILINE)
    shown = {"graphviz", "IPython"}  # where they are installed
    for path in (ROOT / "s2sad").rglob("*.py"):
        more = {"display": shown, "commands": {"argcomplete"}, "prelude": {"scipy"}}.get(
            path.parent.name, set()
        )
        assert set(pattern.findall(code_of(path))) <= allowed | more, path


def code_of(path):
    """Return the text of a file without its docstrings."""
    return re.sub(r'"""(?s:.*?)"""', "", path.read_text())


def test_the_version_is_one():
    try:
        installed = importlib.metadata.version("s2sad")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("s2sad is run from a checkout")
    assert installed == s2sad.__version__


def test_public_names_are_there():
    assert all(hasattr(s2sad, name) for name in s2sad.__all__)
    wanted = {"grad", "value_and_grad", "vjp", "jvp", "show", "check_grad"}
    assert wanted <= set(s2sad.__all__)


# ---------------------------------------------------------------------------- the README


def readme_commands():
    """Return the one-line commands of the README that make an environment."""
    lines = (ROOT / "README.md").read_text().splitlines()
    return [line.strip() for line in lines if line.strip().startswith("python3 -m venv")]


def test_the_readme_has_two_commands_and_ci_runs_the_second():
    commands = readme_commands()
    assert len(commands) == 2
    assert commands[1] in (ROOT / ".ci" / "run").read_text().splitlines()


def test_the_readmes_first_command_shows_a_derivative_and_its_check(tmp_path):
    arguments = readme_commands()[0].partition("bin/s2sad ")[2].split()
    assert arguments
    env = {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-m", "s2sad", *arguments],
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "_grad(" in done.stdout
    assert "yes" in done.stderr


def test_how_it_works_lists_every_room():
    text = (ROOT / "docs" / "how.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert set(listed) == {path.parent.name for path in (ROOT / "s2sad").glob("*/__init__.py")}
    assert len(listed) == len(set(listed))


def test_contributing_and_ci_build_the_site_by_one_command():
    (line,) = (line for line in (ROOT / ".ci" / "run").read_text().splitlines() if "sphinx" in line)
    assert " -W " in line
    options = line.partition("-m sphinx")[2].replace(" -q", "")
    assert f"-m sphinx{options}" in (ROOT / "CONTRIBUTING.md").read_text()


def test_the_changelog_is_short_and_its_top_is_this_version():
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    releases = [line for line in lines if line.startswith("## ")]
    assert releases == [f"## {s2sad.__version__}", "## 0.1.0"]
    assert len(lines) <= 150


# those that run for a second or more are compared when the site is built
SHOWN = [
    ROOT / "README.md",
    *(path for path in (ROOT / "docs").glob("*.md") if "<!-- runs -->" not in path.read_text()),
]


def test_the_pages_show_what_s2sad_prints_today():
    env = {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    stale = subprocess.run(
        [sys.executable, ROOT / "docs" / "fill.py", "--check", *SHOWN],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
    )
    assert stale.returncode == 0, f"run python docs/fill.py: {stale.stdout}{stale.stderr}"


# ---------------------------------------------------------------------------- the example


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """Run a copy of the example; return what it printed and the folder it wrote to."""
    folder = tmp_path_factory.mktemp("example")
    script = shutil.copy(ROOT / "examples" / "lynx_hare.py", folder)
    env = {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    return run(sys.executable, script, cwd=folder, **env), folder


def test_the_example_fits_the_pelts(example):
    printed, _ = example
    misfit = float(re.search(r"misfit ([\d.]+)", printed)[1])
    # what minimize reaches with differences instead of a gradient
    assert misfit == pytest.approx(1.009331, abs=2e-6)


def test_the_example_draws_a_picture_and_writes_its_gradient(example):
    _, folder = example
    assert (folder / "lynx_hare.png").read_bytes().startswith(b"\x89PNG")
    emitted = (folder / "lynx_hare_grad.py").read_text()
    expected = (ROOT / "examples" / "lynx_hare_grad.py").read_text()
    (one, made), (other, there) = split(emitted), split(expected)
    assert made == there, "run python examples/lynx_hare.py"
    assert one.source == other.source and "examples/lynx_hare.py:misfit" in other.command


def test_the_examples_gradient_runs_beside_it(example):
    _, folder = example
    code = (
        "import sys; sys.modules['s2sad'] = None\n"
        "from lynx_hare import misfit, misfit_example\n"
        "from lynx_hare_grad import misfit_grad\n"
        "p, *rest = misfit_example()\n"
        "print(misfit_grad(p, *rest).tolist())\n"
        "h = 1e-6\n"
        "for i in range(6):\n"
        "    up, down = p.copy(), p.copy()\n"
        "    up[i] += h\n"
        "    down[i] -= h\n"
        "    print((misfit(up, *rest) - misfit(down, *rest)) / (2 * h))\n"
    )
    lines = run(sys.executable, "-c", code, cwd=folder).splitlines()
    np.testing.assert_allclose(eval(lines[0]), [float(line) for line in lines[1:]], rtol=1e-6)
