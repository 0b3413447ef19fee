"""Fit a predator-prey model to the Hudson Bay pelt counts, with s2sad's gradient.

    python examples/lynx_hare.py

Lotka and Volterra's equations for hares h and lynx l,

    dh/dt =  h (birth - eaten * l)
    dl/dt = -l (death - gained * h)

are stepped by the classical Runge-Kutta method. Four rates and two starting values are fitted to
the pelts, in thousands, that were brought in each year. Draws lynx_hare.png, data and fit, and
writes lynx_hare_grad.py, the derivative that the fit used.
"""

from pathlib import Path

import numpy as np
from scipy.optimize import minimize

HARE = [30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1, 40.3, 57, 76.6, 52.3]
HARE += [19.5, 11.2, 7.6, 14.6, 16.2, 24.7]
LYNX = [4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4, 8, 12.3, 19.5, 45.7]
LYNX += [51.1, 29.7, 15.8, 9.7, 10.1, 8.6]
YEARS = np.arange(1900, 1921)
STEPS = 10


def slope(z, rates, meets):
    return z * (rates + meets * z[::-1])


def step(z, rates, meets, dt):
    k1 = slope(z, rates, meets)
    k2 = slope(z + 0.5 * dt * k1, rates, meets)
    k3 = slope(z + 0.5 * dt * k2, rates, meets)
    k4 = slope(z + dt * k3, rates, meets)
    return z + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def misfit(p, pelts, sign, steps):
    """Half the squared error of log(hare, lynx) for p = log of the rates and starting values."""
    q = np.exp(p)
    rates, meets, z = sign * q[0:2], -sign * q[2:4], q[4:6]
    total = 0.0
    for year in range(len(pelts)):
        total += 0.5 * np.sum((np.log(z) - pelts[year]) ** 2)
        for _ in range(steps):
            z = step(z, rates, meets, 1.0 / steps)
    return total


# hares multiply and are eaten, lynx die off and gain
SIGN = np.array([1.0, -1.0])
PELTS = np.log(np.array([HARE, LYNX]).T)
START = np.log([0.5, 0.8, 0.03, 0.03, HARE[0], LYNX[0]])


def misfit_example():
    return START, PELTS, SIGN, STEPS


def trajectory(p, years, steps):
    """The model's hares and lynx, a row for each of `steps` parts of each year."""
    q = np.exp(p)
    rates, meets, rows = SIGN * q[0:2], -SIGN * q[2:4], [q[4:6]]
    for _ in range((years - 1) * steps):
        rows.append(step(rows[-1], rates, meets, 1.0 / steps))
    return np.array(rows)


def fit(objective, jac):
    """Return the p of the smallest misfit; `objective` gives its gradient too if `jac` is True."""
    return minimize(objective, START, args=(PELTS, SIGN, STEPS), jac=jac, method="BFGS")


def draw(p, path):
    """Draw data and fit to a PNG file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
    times = YEARS[0] + np.arange((len(YEARS) - 1) * STEPS + 1) / STEPS
    curves = trajectory(p, len(YEARS), STEPS).T
    for name, data, curve, colour in zip(
        ("hare", "lynx"), (HARE, LYNX), curves, ("tab:brown", "tab:blue"), strict=True
    ):
        axes.plot(YEARS, data, "o", color=colour, label=f"{name}, pelts")
        axes.plot(times, curve, color=colour, label=f"{name}, fitted")
    axes.set_xticks(YEARS[::5])
    axes.set_xlabel("year")
    axes.set_ylabel("thousands")
    figure.legend(loc="outside upper center", ncols=4)
    figure.savefig(path, dpi=120, metadata={"Software": None})
    plt.close(figure)


def main():
    import s2sad

    here = Path(__file__).resolve().parent
    s2sad.grad(misfit, like=misfit_example()).save(here / "lynx_hare_grad.py", force=True)
    found = fit(s2sad.value_and_grad(misfit, like=misfit_example()), jac=True)
    draw(found.x, here / "lynx_hare.png")
    birth, death, eaten, gained, hare, lynx = np.exp(found.x)
    print(f"misfit {found.fun:.6f} after {found.nit} iterations, {found.nfev} gradients")
    print(f"hares: birth rate {birth:.4f}, eaten {eaten:.5f}, {hare:.2f} thousand in 1900")
    print(f"lynx:  death rate {death:.4f}, gained {gained:.5f}, {lynx:.2f} thousand in 1900")


if __name__ == "__main__":
    main()
