"""Gradients of the rules that are used most, against autograd and JAX, in one run.

python tests/benchmarks/rules.py             the table, for rules.md
python tests/benchmarks/rules.py tanh sum    some rows of it

Each is the gradient of a number in double precision by all float arguments: s2sad's as users call it,
autograd's as it comes, JAX's compiled beforehand. The shortest of many calls, taken in turns.
"""

import linecache
import math
import os
import sys
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before NumPy is imported: one thread for everybody

import numpy as np  # noqa: E402

VECTOR, MATRIX = (10, 1_000, 100_000), (4, 64, 300)
SIZES = ("small", "middle", "large")
# what is computed of vectors u, v (positive, of one length n), or of n by n matrices A, B (regular)
RULES = {
    "add": "u + v",
    "subtract": "u - v",
    "multiply": "u * v",
    "divide": "u / v",
    "negative": "-u",
    "square": "u**2",
    "power": "u**v",
    "sqrt": "np.sqrt(u)",
    "exp": "np.exp(u)",
    "log": "np.log(u)",
    "sin": "np.sin(u)",
    "cos": "np.cos(u)",
    "tanh": "np.tanh(u)",
    "arctan2": "np.arctan2(u, v)",
    "abs": "np.abs(u)",
    "maximum": "np.maximum(u, v)",
    "where": "np.where(u > 1.0, u, v)",
    "clip": "np.clip(u, 0.8, 1.2)",
    "logaddexp": "np.logaddexp(u, v)",
    "broadcast": "A + A[0]",
    "sum": "np.sum(A, axis=0)",
    "mean": "np.mean(A, axis=1)",
    "max": "np.max(A, axis=1)",
    "prod": "np.prod(A[:4, :4], axis=0)",
    "var": "np.var(A, axis=0)",
    "std": "np.std(A, axis=0)",
    "cumsum": "np.cumsum(u)",
    "norm": "np.linalg.norm(u)",
    "dot": "np.dot(A, A[0])",
    "matmul": "A @ B",
    "outer": "np.outer(A[0], B[0])",
    "einsum": "np.einsum('ij,kj->ik', A, B)",
    "transpose": "A.T * B",
    "reshape": "np.reshape(A, -1) ** 2",
    "slice": "u[1:] - u[:-1]",
    "take": "u[K]",
    "concatenate": "np.concatenate((u, v)) ** 2",
    "stack": "np.stack((u, v)) ** 2",
    "solve": "np.linalg.solve(A, A[0])",
    "inv": "np.linalg.inv(A)",
    "det": "np.linalg.slogdet(A)[1]",
    "cholesky": "np.linalg.cholesky(A @ A.T)",
}


def function_of(name, text, module):
    """Return the function whose gradient is taken, with np standing for a module, and its names."""
    names = [each for each in "uvABK" if each in _words(text)]
    source = f"def {name}({', '.join(names)}):\n    return np.sum({text})\n"
    filename = f"<benchmark {name} {module.__name__}>"
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    space = {"np": module}
    exec(compile(source, filename, "exec"), space)
    return space[name], names


def _words(text):
    return set("".join(c if c.isalnum() else " " for c in text).split())


def values(size):
    """Return the arguments of one size by name."""
    rng = np.random.default_rng(0)
    n, m = VECTOR[size], MATRIX[size]
    drawn = {name: rng.uniform(0.5, 1.5, n) for name in "uv"}
    drawn |= {name: rng.uniform(-0.5, 0.5, (m, m)) + m**0.5 * np.eye(m) for name in "AB"}
    return drawn | {"K": rng.integers(0, n, n)}


# ---------------------------------------------------------------------------- the packages


def by_s2sad(name, text, args):
    """Return a call of the gradient as a user makes it."""
    import s2sad

    function, names = function_of(name, text, np)
    made = s2sad.grad(function, wrt=_floats(names))
    given = [args[each] for each in names]
    return lambda: made(*given)


def by_autograd(name, text, args):
    """Return a call of autograd's gradient."""
    import autograd
    import autograd.numpy as module

    function, names = function_of(name, text, module)
    places = tuple(names.index(each) for each in _floats(names))
    made = autograd.grad(function, places)
    given = [args[each] for each in names]
    return lambda: made(*given)


def by_jax(name, text, args):
    """Return a call of JAX's compiled gradient, of arrays that it holds already."""
    import jax

    jax.config.update("jax_enable_x64", True)
    function, names = function_of(name, text, jax.numpy)
    places = tuple(names.index(each) for each in _floats(names))
    made = jax.jit(jax.grad(function, places))
    given = [jax.numpy.asarray(args[each]) for each in names]
    return lambda: jax.block_until_ready(made(*given))


def _floats(names):
    return tuple(name for name in names if name != "K")


PACKAGES = {"s2sad": by_s2sad, "autograd": by_autograd, "jax": by_jax}


def best(call, seconds=0.03):
    """Return the shortest time of one call, of as many as fit and of three at least."""
    shortest, end, calls = math.inf, time.perf_counter() + seconds, 0
    while calls < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        shortest = min(shortest, time.perf_counter() - start)
        calls += 1
    return shortest


def measured(name, text, size):
    """Return the microseconds that a gradient takes with each package, which agree on it."""
    args = values(size)
    calls = {}
    for package, make in PACKAGES.items():
        try:
            calls[package] = make(name, text, args)
            calls[package]()
        except (AttributeError, TypeError, NotImplementedError):  # it has no such rule
            calls.pop(package, None)
    results = [np.concatenate([np.ravel(each) for each in call()]) for call in calls.values()]
    for other in results[1:]:
        assert np.allclose(results[0], other, rtol=1e-6, atol=1e-8), name
    rounds = [{package: best(call) for package, call in calls.items()} for _ in range(4)]
    return {package: 1e6 * min(each[package] for each in rounds) for package in calls}


# ---------------------------------------------------------------------------- the table


def row(name, found):
    """Return one line: microseconds, and how many times longer the others take."""
    cells = [name]
    for times in found:
        cells.append(f"{times['s2sad']:.1f}")
        for other in ("autograd", "jax"):
            cells.append(f"{times[other] / times['s2sad']:.2f}" if other in times else "none")
    return "| " + " | ".join(cells) + " |"


def mean(found, size, other):
    """Return the geometric mean of how many times longer another package takes."""
    ratios = [t[size][other] / t[size]["s2sad"] for t in found.values() if other in t[size]]
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main(asked):
    """Print the table and the means."""
    head = ["rule", *(f"{size}: us | autograd | JAX" for size in SIZES)]
    print("| " + " | ".join(head) + " |\n|" + "---|" * 10)
    found = {}
    for name in asked or RULES:
        found[name] = [measured(name, RULES[name], size) for size in range(3)]
        print(row(name, found[name]), flush=True)
    means = [f"{mean(found, s, o):.2f}" for s in range(3) for o in ("autograd", "jax")]
    print(f"| geometric mean | | {means[0]} | {means[1]} | | {means[2]} | {means[3]} | | ", end="")
    print(f"{means[4]} | {means[5]} |")
    slower = [
        f"{name} ({SIZES[s]})"
        for name, sizes in found.items()
        for s, t in enumerate(sizes)
        if "autograd" in t and t["autograd"] < t["s2sad"]
    ]
    print(f"\nslower than autograd: {', '.join(slower) or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1:])
