"""Waveform inversion on many machines: the speed of sound below ground, from what nine shots recorded.

Each shot is an experiment of its own, and the misfit is their sum. The derivative is sent to the
workers of a Dask cluster, each shot gives value and gradient, and the sums go to SciPy.

python examples/shots.py                         on two processes of this machine
python examples/shots.py tcp://scheduler:8786    on the workers of a cluster
"""

import sys
from operator import call
from pathlib import Path

import numpy as np

import s2sad

STEPS, DT = 220, 0.35


def recorded(c, place, wavelet):
    """Return what the surface records of a shot at a place: the pressure, step by step."""
    past, now = np.zeros_like(c), np.zeros_like(c)
    records = np.zeros((len(wavelet), c.shape[1]))
    for k in range(len(wavelet)):
        inner = now[1:-1, 1:-1]
        around = now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2]
        new = now.copy()
        new[1:-1, 1:-1] += inner - past[1:-1, 1:-1] + c[1:-1, 1:-1] ** 2 * (around - 4.0 * inner)
        new[1, place] += wavelet[k]
        records[k] = new[1]
        past, now = 0.998 * now, 0.998 * new
    return records


def misfit(c, place, wavelet, data):
    """Return how far the records of one shot are from its data."""
    return 0.5 * np.sum((recorded(c, place, wavelet) - data) ** 2)


def survey(shape=(28, 48), shots=9):
    """Return the true speed, the wavelet, and for each shot its place and its data.

    Speeds are in grid cells a time step.
    """
    z, x = np.mgrid[: shape[0], : shape[1]]
    c = 0.3 + 0.006 * z
    c = c + 0.08 * np.exp(-((z - 14.0) ** 2) / 20.0 - (x - 0.6 * shape[1]) ** 2 / 30.0)
    t = DT * np.arange(STEPS) - 5.0
    wavelet = (1.0 - 0.5 * t**2) * np.exp(-0.25 * t**2)
    places = np.linspace(3, shape[1] - 4, shots).astype(int).tolist()
    return c, wavelet, [(place, recorded(c, place, wavelet)) for place in places]


def held(value):
    """Return a value: so a worker holds it."""
    return value


class Sum:
    """The misfit of all shots and its gradient: each is computed by the worker that is free.

    What a worker that died was to give is given by another one: Dask hands its shots on.
    """

    def __init__(self, client, derivative, wavelet, shots):
        self.client = client
        # what does not change between calls is sent once; as results they are made again if lost
        self.derivative, self.wavelet = (
            client.submit(held, derivative),
            client.submit(held, wavelet),
        )
        self.shots = [(place, client.submit(held, data)) for place, data in shots]

    def __call__(self, c):
        """Return value and gradient for the speeds of all cells, as one vector."""
        parts = [
            self.client.submit(call, self.derivative, c, place, self.wavelet, data, pure=False)
            for place, data in self.shots
        ]
        values, gradients = zip(*self.client.gather(parts), strict=True)
        return sum(values), sum(gradients)


def invert(total, start, iterations=25):
    """Return the speeds that explain all records, and the misfit before and after."""
    from scipy.optimize import minimize

    def of_vector(vector):
        value, gradient = total(vector.reshape(start.shape))
        return value, gradient.ravel()

    first = total(start)[0]
    options = {"maxiter": iterations, "maxls": 10}
    bounds = [(0.2, 0.65)] * start.size
    found = minimize(
        of_vector, start.ravel(), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    return found.x.reshape(start.shape), first, found.fun


def draw(path, true, start, found):
    """Draw the true, the first and the recovered speeds."""
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 3, figsize=(10, 2.6), constrained_layout=True)
    for panel, speed, title in zip(panels, (true, start, found), TITLES, strict=True):
        image = panel.imshow(speed, vmin=true.min(), vmax=true.max(), cmap="viridis")
        panel.set_title(title)
    figure.colorbar(image, ax=panels, label="cells a step")
    figure.savefig(path, dpi=80)


TITLES = ("true speed", "first guess", "recovered from nine shots")


def main(address=None):
    """Invert the survey, on a cluster or on two processes of this machine."""
    from dask.distributed import Client

    true, wavelet, shots = survey()
    start = np.broadcast_to(0.3 + 0.006 * np.arange(true.shape[0])[:, None], true.shape).copy()
    derivative = s2sad.value_and_grad(
        misfit, wrt="c", like=(start, shots[0][0], wavelet, shots[0][1])
    )
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with Client(address) if address else Client(**local) as client:
        found, before, after = invert(Sum(client, derivative, wavelet, shots), start)
    error = np.linalg.norm(found - true) / np.linalg.norm(start - true)
    print(f"misfit {before:.3f} -> {after:.5f}, error of the speed {error:.2f} of the first guess")
    draw(Path(__file__).with_name("shots.png"), true, start, found)


if __name__ == "__main__":
    main(*sys.argv[1:])
