"""Recover the conductivity of a plate from temperatures, with s2sad's gradient in little memory.

    python examples/heat_field.py

Heat is let in and out at the left edge of a plate whose conductivity k is not known,

    du/dt = div(k grad u)

and 36 sensors are read now and then. Of 10,000 explicit time steps the gradient would keep 10,000
temperature fields; a budget of memory chooses a schedule that keeps a few and runs steps again. Writes
heat_field_grad.py, the derivative that the fit used, and draws heat_field.png: the field that is to
be found and the one that was, and what four schedules take of memory and time.
"""

import time
import tracemalloc
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

SIZE, STEPS, READ = 48, 10_000, 100
BUDGET = "2 MB"


def temperatures(m, heat, dt):
    """Return what the sensors read every READ steps, for m = log k."""
    k = np.exp(m)
    across, down = 0.5 * (k[1:] + k[:-1]), 0.5 * (k[:, 1:] + k[:, :-1])
    u = np.zeros_like(m)
    read = np.zeros((len(heat) // READ, 6, 6))
    for t in range(len(heat)):
        u = stepped(u, across, down, heat[t], dt)
        if t % READ == READ - 1:
            read[t // READ] = u[4::8, 4::8]
    return read


def stepped(u, across, down, heat, dt):
    right = dt * across * (u[1:] - u[:-1])
    up = dt * down * (u[:, 1:] - u[:, :-1])
    new = u.copy()
    new[:-1] += right
    new[1:] -= right
    new[:, :-1] += up
    new[:, 1:] -= up
    new[:, 0] += dt * heat
    return new


def misfit(m, heat, read, dt, rough):
    """Half the squared error of what the sensors read, and of the field's roughness."""
    k = np.exp(m)
    across, down = 0.5 * (k[1:] + k[:-1]), 0.5 * (k[:, 1:] + k[:, :-1])
    u = np.zeros_like(m)
    total = 0.5 * rough * (np.sum((m[1:] - m[:-1]) ** 2) + np.sum((m[:, 1:] - m[:, :-1]) ** 2))
    for t in range(len(heat)):
        u = stepped(u, across, down, heat[t], dt)
        if t % READ == READ - 1:
            total = total + 0.5 * np.sum((u[4::8, 4::8] - read[t // READ]) ** 2)
    return total


def plate(size):
    """Return log k of a plate with a well and a badly conducting spot."""
    x, y = np.meshgrid(*2 * [np.linspace(0.0, 1.0, size)], indexing="ij")
    good = np.exp(-((x - 0.3) ** 2 + (y - 0.35) ** 2) / 0.02)
    bad = np.exp(-((x - 0.7) ** 2 + (y - 0.6) ** 2) / 0.03)
    return 0.9 * good - 1.2 * bad


def misfit_example(size=SIZE, steps=STEPS):
    heat = 40.0 * np.sin(np.linspace(0.0, 20.0, steps) ** 1.3)
    true = plate(size)
    dt = 0.08
    read = temperatures(true, heat, dt)
    return np.zeros((size, size)), heat, read, dt, 0.1


def derivative(args):
    import s2sad

    return s2sad.value_and_grad(misfit, like=args, memory=BUDGET)


def fit(both, args):
    def objective(m):
        value, gradient = both(m.reshape(args[0].shape), *args[1:])
        return value, gradient.ravel()

    start = args[0].ravel()
    return minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 40})


def measured(args):
    """Return peak of memory (bytes) and time (seconds) of the gradient under four schedules."""
    import s2sad

    found = {}
    for name, schedule in {
        "keep all": None,
        "sqrt": "sqrt",
        "binomial, 50": s2sad.Binomial(50),
        "binomial, 10": s2sad.Binomial(10),
    }.items():
        gradient = s2sad.grad(misfit, like=args, checkpoint=schedule)
        start = time.process_time()
        gradient(*args)
        took = time.process_time() - start
        tracemalloc.start()
        gradient(*args)
        found[name] = tracemalloc.get_traced_memory()[1], took
        tracemalloc.stop()
    return found


def draw(true, m, costs):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    for axis, field, title in ((axes[0], true, "conductivity"), (axes[1], m, "as found")):
        shown = axis.imshow(np.exp(field).T, origin="lower", vmin=0.3, vmax=2.5, cmap="viridis")
        axis.plot(*np.meshgrid(range(4, SIZE, 8), range(4, SIZE, 8)), "w.", markersize=2)
        axis.set(title=title, xticks=[], yticks=[])
    figure.colorbar(shown, ax=axes[1])
    for name, (peak, took) in costs.items():
        axes[2].semilogy(took, peak / 1e6, "o")
        axes[2].annotate(name, (took, peak / 1e6), xytext=(6, 4), textcoords="offset points")
    axes[2].set(title="gradient of 10,000 steps", xlabel="seconds", ylabel="peak, MB")
    axes[2].set(xlim=(0.0, 1.5 * max(took for _, took in costs.values())))
    figure.savefig(Path(__file__).with_name("heat_field.png"), dpi=110, metadata={"Software": None})
    plt.close(figure)


if __name__ == "__main__":
    args = misfit_example()
    costs = measured(args)
    for name, (peak, took) in costs.items():
        print(f"{name:14} {peak / 1e6:8.1f} MB {took:6.2f} s")
    both = derivative(args)
    both.save(Path(__file__).with_name("heat_field_grad.py"), force=True)
    result = fit(both, args)
    m = result.x.reshape(SIZE, SIZE)
    print(f"misfit {misfit(*args):.3g} -> {result.fun:.3g} in {result.nit} iterations")
    draw(plate(SIZE), m, costs)
