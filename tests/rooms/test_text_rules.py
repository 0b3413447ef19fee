"""Rules of texts, each by a function of its own: what is emitted, and that it is right."""

import numpy as np
import pytest
from scipy.special import expit, log_expit  # noqa: F401
from scipy.stats import weibull_min

import s2sad
from tests import oracles

X = np.array([0.3, 0.7, 1.1])
A = np.linspace(0.2, 1.7, 9).reshape(3, 3)


def subtracted(x, y):
    return np.sum(np.sin(x * y - y * x * y) * y)


def a_product_with_itself(x, y):
    total = 0.0
    for k in range(3):
        v = x[k]
        total += y[k] * np.sin(v * v)
    return total


def a_matrix_that_is_turned(x, y):
    return np.sum(np.tanh(y @ x.T) ** 2)


def halves_of_roots(x, y):
    d = x - y
    return np.sum(np.sqrt(np.sum(d**2, axis=1) + 0.01))


def one_number_for_all_rows(x, y):
    return np.mean(np.sum(x * y, axis=1))


def neighbours_on_both_axes(x, y):
    lap = sum(np.roll(x, shift, axis) for shift in (1, -1) for axis in (0, 1))
    return np.sum((lap - 4.0 * x) ** 2 * y)


def neighbours_by_offsets(x, y):
    lap = np.zeros_like(x)
    for down, right in ((1, 0), (0, -1)):
        lap += np.roll(np.roll(x, down, 0), right, 1) * y
    return np.sum(lap)


class Tank:
    def __init__(self, level):
        self.level = level

    def fill(self, flow):
        self.level = self.level + flow - 0.1 * np.sqrt(self.level)


def two_tanks(x, y):
    upper = Tank(x[0])
    lower = Tank(y[1])
    for k in range(len(y)):
        upper.fill(y[k])
        lower.fill(0.1 * np.sqrt(upper.level))
    return upper.level * lower.level


def shares_of_letters(x, y):
    letters = zip("ABO", (x[0], x[1], 1.0 - x[0] - x[1]), strict=True)
    share = {key: 2.0 * each for key, each in letters}
    count = dict.fromkeys("ABO", 0.0)
    for letter in ("A", "O"):
        count[letter] += share[letter] ** 2 * y[0]
    return sum(count.values()) * share["B"]


def logarithm_of_a_determinant(x, y):
    return -0.5 * np.log(np.linalg.det(x @ x.T + np.diag(y)))


def log_sum_exp(a, axis=None):
    m = np.max(a, axis=axis, keepdims=True)
    r = np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True)) + m
    return np.squeeze(r, axis=axis)


def hidden_states(x, y):
    """A helper is handed an axis: x are transitions, y what is seen."""
    a = y
    for k in range(4):
        a = log_sum_exp(a[:, None] + x, axis=0) + k * y
    return log_sum_exp(a)


def middles_of_passes(x, y):
    h, out = x.copy(), []
    for _ in range(3):
        h = h - 0.1 * h**2 * y
        out.append(h[len(h) // 2])
    total = np.sum(np.tanh(h)) * y[0]
    return total + np.sum(np.array(out) ** 2)


def loss_of_all_pairs(x, y):
    scores = x @ y.T
    return np.mean(scores + y[:, 0])


def length_of_a_layer(x, y):
    layer = np.tanh(x @ y)
    return np.sum(x**2) / layer.shape[0]


def masked_scores(x, y):
    scores = x @ y / np.sqrt(x.shape[-1])
    mask = np.triu(np.ones_like(scores), 1).astype(bool)
    return np.sum(np.exp(np.where(mask, -1e9, scores))) - np.sum(np.log(np.cosh(x)))


def convolved(x, y):
    out = np.zeros(len(x) - 2)
    for i in range(3):
        out += y[i] * x[i : i + out.shape[0]]
    return np.sum(out**2)


def of_rows_alike(x, y):
    return np.mean(-0.5 * np.sum(x**2 * y - np.exp(x), axis=1))


def partial_likelihood(x, y):
    risk = np.logaddexp.accumulate(x)
    return np.sum(y * (x - risk))


def balanced(x, y):
    u = np.ones_like(y)
    for _ in range(3):
        v = y / (x.T @ u)
        u = y / (x @ v)
    return np.sum(u[:, None] * x * v)


def rates_in_place(x, y):
    q = x * y[:, None]
    q -= np.diag(q.sum(axis=1))
    return np.sum(np.tanh(q))


def rectified(x, y):
    return np.sum(np.tanh(np.maximum(x - y, 0)))


def of_a_basis(c, x):
    columns = [np.ones_like(x), x]
    for knot in (0.2, 0.4):
        columns.append(np.maximum(x - knot, 0.0) ** 3)
    return np.sum((np.column_stack(columns) @ np.append(c, 1.0)) ** 2)


def halved(x, y):
    weight = np.exp(-x[0])
    return weight * np.sum(np.logaddexp(x, 0.0) * y) / 2


def logistic(x, y):
    p = 1.0 / (1.0 + np.exp(-x))
    return np.sum((p - y) ** 2)


def unpacked(x, y):
    a, b, c = x
    return np.sum((a * np.exp(-b * y) + c) ** 2)


def unpacked_twice(x, y):
    a, b, c = x
    return a * b * c + np.sum(x * y)


def through_items(x, y):
    s, weights = x, 2.0 * y
    for a, b in zip(y, weights):  # noqa: B905
        s = np.sin(s * a) + b * s
    return np.sum(s)


def state_of_a_network(x, y):
    h = x
    for _ in range(3):
        h = np.tanh(y @ h)
    return np.sum(h)


def stored_once(x, y):
    n = len(x)
    u = np.zeros((n, n))
    u[0, :] = x
    for i in range(1, n):
        for j in range(1, n):
            u[i, j] = np.sin(u[i - 1, j]) * y[i] + u[i, j - 1] * y[j]
    return u[-1, -1]


def stored_in_two_passes(x, y):
    u = x * y
    for i in range(1, len(x)):
        u[i] = np.sin(u[i - 1]) * y[i]
        u[i - 1] = x[i] * y[i]
    return np.sum(u**2)


def called_by_its_name(x, y):
    return np.sum(log_expit(x) * y)


def of_two_lines(x, y):
    a = np.sin(x) * y
    b = np.sum(x * y)
    return b - np.sum(a * y)


def cubes(x, y):
    return np.sum(x**3 / 6.0 * y) + np.sum((1.0 - y * x**2) ** 3 / 3.0)


def classes(x, y):
    z = np.maximum(x, 0.5) @ y
    z = z - np.max(z, axis=1, keepdims=True)
    return np.sum(y * (z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))))


def states_in_a_list(x, y):
    states = []
    for k in range(3):
        states.append(np.sin(x * y[k]))
    return np.sum((np.array(states) - y) ** 2) + np.sum(states[0] * y)


def risks(x, y):
    return np.sum(y * (x - np.log(np.cumsum(np.exp(x)[::-1])[::-1])))


def turned_in_part(x, y):
    turned = x[:, ::-1] * 2.0
    return np.sum(turned[::-1] * y * x[:])


def of_unit_length(x, y):
    for _ in range(3):
        x = x + 0.1 * x * y
        x = x / np.linalg.norm(x)
    return x @ y


def gates(x, y):
    i, f, o = 1.0 / (1.0 + np.exp(-np.stack([x, x * y, x + y])))
    return np.sum(o * np.tanh(f * y + i * np.tanh(x)))


def rate(z, y):
    return np.array([z[0] * y[0] - z[1] * z[0] * y[1], z[1] * z[0] * y[1] - z[1] * y[2], 0.1])


def four_stages(x, y):
    k_1 = rate(x, y)
    k_2 = rate(x + 0.05 * k_1, y)
    k_3 = rate(x + 0.05 * k_2, y)
    return np.sum((x + k_1 + 2.0 * k_2 + 2.0 * k_3 + rate(x + 0.1 * k_3, y)) ** 2)


def limited(x, y):
    up = x * y > 0.5
    return np.sum(np.where(up, x / np.where(up, x + y, 1.0), 0.0))


def layer(x, y):
    c = x - x.mean(axis=1, keepdims=True)
    return np.sum(y * c / np.sqrt(np.mean(c**2, axis=1, keepdims=True) + 0.01))


def softened(x, y):
    return np.sum(np.log(np.sum(np.exp(x), axis=1)))


def two_states(x, y):
    well, ill = x[0], x[1]
    loss = 0.0
    for k in range(3):
        new = 0.4 * well * ill
        well = well - new
        ill = ill + new - 0.2 * ill
        loss += (ill - y[k]) ** 2
    return loss


def a_state_that_a_branch_changes(x, y):
    well, ill = x[0], x[1]
    for k in range(3):
        if ill < 2.0:
            well = well * np.cos(ill)
        ill = ill * well * y[k]
    return well * ill


def hinge(x, y):
    return np.mean(np.maximum(1.0 - x * y, 0.0) + x * y / y[0])


def behind_an_extreme(x, y):
    step = y[0] / 3.0
    return np.sum(np.maximum(x / step - y * np.sqrt(step), 0.0))


def weights_of_a_dict(x, w):
    return np.sum(np.tanh(x * w["scale"] + w["shift"]) * w["scale"])


def many_weights(x, w):
    return np.sum(x * w["first"] * w["second"] + x * w["third"] * w["fourth"] * w["fifth"])


def stacks(x, y):
    return np.sum(np.sum((x @ y) ** 2, axis=(1, 2)) ** 2 * x[:, 0, 0])


def smoothed(x, y):
    u = x
    for _ in range(3):
        new = u.copy()
        new[1:-1] = 0.5 * (u[2:] + u[:-2]) + y[1:-1]
        u = new
    return np.sum(u * u)


def attraction(x, y):
    d = x[None, :, :] - x[:, None, :]
    r2 = np.sum(d**2, axis=2) + 0.1
    return np.sum(y[:, 0][:, None] * d / r2[:, :, None] ** 1.5 * y[:, 1][:, None])


def softly(x, y):
    return np.sum(np.logaddexp(0.0, x * y) - y * x)


def of_images(x, y):
    z = np.maximum(x @ y, 0.0)
    return np.sum(np.mean(z[:, :, None] * y, axis=(0, 1)) ** 2)


def with_noise(x, y):
    S = y @ y.T + np.exp(x[0]) * np.eye(3)
    return np.linalg.slogdet(S)[1]


def packed(x, y):
    shift, w, v = x[0], x[1:4], x[4:]
    r = y @ w + shift
    q = y @ v
    return np.sum(np.cosh(r)) + np.sum(q * q)


def packed_with_a_gap(x, y):
    w, v = x[:3], x[4:]
    return np.sum(np.tanh(y @ w)) + np.sum((y @ v) ** 2)


def first_row_apart(x, y):
    return np.sum(np.sin(x[0]) * y[0]) + np.sum(x[1:] ** 3)


def chosen_twice(x, y):
    first, second = np.array([0, 1, 1]), np.array([2, 0, 2])
    d = np.sin(y[first]) * x[first] - x[second]
    return np.sum(d**2 * np.cos(x[first]) + x[second])


def of_two_pieces(x, y):
    t = x / 2.0
    return np.sum(np.where(x < 0.5, t**2 + 1.0 / t, np.log(t) + y * t**0.5))


def a_piece_of_products(x, y):
    return np.sum(np.where(x <= 0.5, 2.0 * x, 1.5 * x ** (y / 2.4) - 0.05) ** 2)


def cut_off(x, y):
    s = (y / x) ** 6
    return np.sum(np.where(x < 1.0, 4.0 * y * (s**2 - s), 0.0))


def written_twice(x, y):
    model = 1.5 * (0.8 * x) ** 1.3 / (1.0 + (0.8 * x) ** 1.3)
    return np.sum((model - y) ** 2)


def products_written_twice(x, y):
    force = 0.5 * (x * np.sin(x)) + 2.0 * (x * np.sin(x)) ** 3
    return np.sum(force * y)


def slope(z, a, b):
    return np.array([a * z[0] - b * z[0] * z[1], b * z[0] * z[1] - a * z[1]])


def stages_of_numbers(x, y):
    a, b, c = x
    z = y[:2] * c
    for k in range(3):
        first = slope(z, a, b)
        second = slope(z + 0.1 * first, a, b)
        third = slope(z + 0.1 * second, a, b)
        fourth = slope(z + 0.2 * third, a, b)
        z = z + 0.05 * (first + 2.0 * second + 2.0 * third + fourth) * y[k]
    return np.sum(z * z)


def relaxed_difference(x, y):
    d = y - x
    u = np.zeros_like(x)
    for _ in range(3):
        u = 0.5 * u - d
    return np.sum((x * u + d) ** 2)


def rate_of_three(z, p):
    a, b, c = p
    return np.array([a * z[0] * z[1] - b, c * z[1] + a])


def two_stages(x, y):
    z = y[:2]
    for k in range(3):
        first = rate_of_three(z, x)
        z = z + 0.1 * (first + rate_of_three(z + 0.1 * first, x)) * y[k]
    return np.sum(z * z)


def of_rows_and_what_changes(x, y):
    total, held = x[1], y[:2].copy()
    for row in x[:, :2] * np.array([[0.5], [1.5], [2.0]]):
        a = row[0]
        held[1] *= a * row[1]
        b = held[1]
        held[1] = np.sin(held[0] * b)
        c = held[1]
        if c > 0.1:
            d = y[0]
            total = total + a * b * c * d
    return np.sum(total)


def layers_of_pairs(x, y):
    h = y
    for W, b in x:
        h = np.tanh(h @ W + b)
    return np.sum(h * y)


def smoothing(x, y):
    alpha, beta, level = x
    trend = 0.1
    for value in y:
        e = value - (level + trend)
        level = level + trend + alpha * e
        trend = trend + alpha * beta * e
    return level**2 * trend


def batch(x, y):
    n = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + 1e-5)
    return np.sum(np.maximum(n * y, 0.0) ** 2)


def powers_below(x, y):
    d = x[:, None] - x[None, :]
    r = np.sqrt(np.sum(d**2, axis=2) + 0.01)
    return np.sum(y[:, 0][:, None] * d / r[:, :, None] ** 3)


def rates(x, y):
    return np.sum(np.prod(np.exp(x) ** y, axis=1) ** 2)


def roughness(x, y):
    return np.sum(np.diff(x, axis=0) ** 2) + np.sum(np.diff(x, axis=1) ** 2 * y[:, 1:])


def three_of_one_shape(x, w):
    return np.sum((x * w["a"] + w["b"]) ** 2)


def hidden_layers_first(x, y):
    h = y
    for W, V in zip(x[:-1], x[1:], strict=True):  # noqa: RUF007
        h = np.tanh(W @ h + V[0])
    for W in x[1:]:
        h = h + np.sin(W @ h)
    return np.sum((x[-1] @ h) ** 2)


def with_walls(x, y):
    h, u = x.copy(), y.copy()
    for _ in range(3):
        u[1:-1] -= 0.1 * (h[2:] - h[:-2]) * u[1:-1]
        h[1:-1] -= 0.2 * u[1:-1] * h[1:-1] ** 2
        h[0] = h[1]
        h[-1] = 0.5 * h[-2]
    return np.sum(h**2)


def smoothness(x, y):
    total = 0.0
    for f in (x, x * y):
        total += np.sum((f[1:] - f[:-1]) ** 2)
    return total


def turned(x, y):
    q = x
    for _ in range(2):
        q = q + 0.1 * np.array([-q[1:] @ y, *(q[0] * y + np.cross(q[1:], y)), q[0]])[:4]
    return np.sum(q**2)


def of_labels(x, y):
    z = x @ y
    logp = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.mean(logp[np.arange(len(LABELS)), LABELS])


LABELS = np.array([2, 0, 2])


def of_pairs(x, y):
    first, second = np.arange(3), np.array([1, 1, 0])
    return np.sum(np.sin(x[first, second]) * y[0]) + np.sum(x[first[:, None], second] ** 2)


def states_one_after_the_other(x, y):
    h = y
    for _ in range(3):
        h = np.tanh(x @ h)
    return np.sum(h)


def reflected(x, y):
    up = x[0]
    for k in range(len(y)):
        t = np.exp(-y[k] * x[1])
        r = 0.5 * (1.0 - t)
        up = r + t * t * up / (1.0 - r * up)
    return up


def basis_of_knots(x, y):
    bumps = [
        np.where((y >= 0.4 * i - 0.1) & (y < 0.4 * i + 0.5), 1.0 + y**2, 0.5) for i in range(4)
    ]
    for p in range(1, 3):
        bumps = [
            (y - 0.1 * i) / (1.0 + 0.2 * p) * bumps[i] + (1.0 - y) / (2.0 + p) * bumps[i + 1]
            for i in range(4 - p)
        ]
    total = 0.0
    for i in range(2):
        total += np.sum(x[i] ** 2 * bumps[i])
    return total


def quadratic_form(x, y):
    factor = np.linalg.cholesky(x @ x.T + 3.0 * np.eye(3))
    solved = np.linalg.solve(factor.T, np.linalg.solve(factor, y))
    return 0.5 * y @ solved


def hidden_layers(x, y):
    h = y
    for V in x[:-1]:
        h = np.tanh(V @ h)
    return np.sum(x[-1] @ h)


def blurred(x, y):
    return np.sum(np.sin(np.convolve(x, y * x, mode="same")))


def last_of_activations(x, y, d):
    h = [y]
    for V in x:
        h.append(np.tanh(h[-1] @ V))
    return np.sum((h[-1] - d) ** 2)


def weights_of_items(x, y):
    w = y
    for _ in range(2):
        made = [np.sum(w * a) for a in x]
        w = np.array(made) * w
    return np.sum(w)


def of_a_list_that_may_be_short(x, y):
    h = [y]
    for V in x:
        h.append(np.tanh(h[-1] @ V))
    return np.sum(h[1]) + (np.sum((h[2] - y) ** 2) if len(h) > 2 else np.sum(y))


def steps_by_a_tableau(x, y):
    def slope(y):
        return np.array([y[1], -x[0] * y[0]])

    for _ in range(2):
        slopes = []
        for row in [[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0]]:
            change = 0.0
            for a, k in zip(row, slopes, strict=True):
                change = change + a * k
            slopes.append(slope(y + 0.1 * change))
        y = y + 0.1 * sum(b * k for b, k in zip([0.2, 0.3, 0.3, 0.2], slopes, strict=True))
    return np.sum(x * y**2)


def gated(x, y):
    z = x @ np.concatenate((y, y))
    i, f, g = np.split(z, 3)
    return np.sum((f * y + i * np.tanh(g)) ** 2)


class Summed:
    def __init__(self):
        self.total = 0.0


def bound_with_a_state(x, y):
    rows, state = [], Summed()
    for v in x:
        rows.append(v * v)
        state.total = state.total + v * y
    return np.sum(state.total) * sum(rows)


def layers_of_dicts(x, y):
    h = y
    for layer in x:
        h = np.tanh(layer["V"] @ h + layer["b"])
    return np.sum(h)


def standardised(x, y):
    centre = x.mean(axis=0)
    return np.sum(np.sin((x - centre) / np.sqrt(x.var(axis=0) + 0.1)) * y)


def densities(x, y):
    total = 0.0
    for k in range(len(y)):
        p = np.exp(-0.5 * (y[k] - x) ** 2) / np.sqrt(2.0 * np.pi)
        total += np.sum(p**2)
    return total


def begun_with_a_number(x, y):
    total = 0.0
    for k in range(3):
        total = total + y[k] * x
    return np.sum(total**2)


def kept_to_unit_length(x, y):
    q = x
    for _ in range(2):
        q = q + 0.1 * np.cross(y, q)
        q = q / np.sqrt(np.sum(q**2))
    return q[0] ** 2


def of_columns_and_rows(x, y):
    e = np.exp(y * x[0])
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.sum(np.sin(p * x[1])) + np.sum((y - x[2]) ** 2 * y[0])


def lifetimes(x, y):
    """An argument by its name: the rule spells the call in another way."""
    logsf = weibull_min.logsf(y, x[0], scale=x[1])
    return -np.sum(np.sin(logsf))


def cumulated_risks(x, y):
    """The shift of what is summed from the last to each goes out with the logarithm."""
    eta = y @ x
    eta = eta - np.max(eta)
    risk = np.cumsum(np.exp(eta)[::-1])[::-1]
    return np.sum(eta - np.log(risk))


def weighted_particles(x, y):
    loglik = 0.0
    for k in range(3):
        logw = -0.5 * (y[k] - x) ** 2
        m = np.max(logw)
        loglik += m + np.log(np.mean(np.exp(logw - m)) + y[0] @ np.exp(logw - m))
    return loglik


def normalized_columns(x, y):
    mu = np.mean(x, axis=0)
    var = np.mean((x - mu) ** 2, axis=0)
    z = (x - mu) / np.sqrt(var + 0.1)
    return np.sum(np.sin(z) * y)


def projected(x, y):
    u = x[0] * (1.0 + x[1] * y) * np.cos(y) - 0.2
    v = x[0] * (1.0 + x[1] * y) * np.sin(y) - 0.3
    return np.sum(np.log(1.0 + u**2 + v**2))


def smooth_field(x, y):
    """What the differences add to parts stands behind what is added to all of x."""
    alpha = y[0, 0]
    data = np.sqrt((y * x + 0.3) ** 2 + 0.01)
    dx, dy = x[:, 1:] - x[:, :-1], x[1:] - x[:-1]
    smooth = np.sum(dx**2) + np.sum(dy**2) + np.sum(dx**4)
    return np.sum(data) + 0.5 * alpha * smooth


def chosen_and_whole(x, y):
    """Positions of parts and what is added there are as they were."""
    k = np.array([0, 2, 0])
    parts = np.sin(x[k] * y) + x[1:][0]
    return np.sum(np.exp(x * y) * 0.1) + np.sum(parts)


TURN = np.array([[0.8, 0.6, 0.0], [-0.6, 0.8, 0.1], [0.0, 0.1, 1.0]])


def columns_of_points(x, y):
    p = x @ TURN + y
    u = p[:, 0] / p[:, 2]
    v = p[:, 1] / p[:, 2]
    return np.sum(u**2 * np.cos(v))


def dropped_out(x, y, keep=0.8):
    h = np.maximum(x * y - 0.2, 0.0)
    h = h * y / keep
    return np.sum((h @ y) ** 2)


def picked_scores(x, y):
    labels = np.array([1, 0, 2])
    return np.mean(np.tanh(x)[np.arange(3), labels] * y[0, labels])


CASES = {
    "what is added to all of an array comes before what is added to its parts": (
        smooth_field,
        (A, A + 0.3),
        ["x_bar = data_term / data * y", "x_bar[1:] += dy_bar"],
        ["np.zeros", "x_bar += data"],
    ),
    "chosen parts come behind the whole": (
        chosen_and_whole,
        (X, X + 0.2),
        ["x_bar = 0.1 * ", "np.add.at(x_bar, k, "],
        ["np.zeros"],
    ),
    "half a number is put together with the literals that read it": (
        smooth_field,
        (A, A + 0.3),
        ["dy * alpha"],
        ["smooth_bar"],
    ),
    "columns are put side by side": (
        columns_of_points,
        (A, A + 0.3),
        ["p_bar = np.column_stack(["],
        ["np.zeros", "p_bar["],
    ),
    "a number that all elements are divided by makes no choice of an extreme": (
        dropped_out,
        (A, A + 0.3),
        [" * ((h_term > 0.0) + 0.5 * (h_term == 0.0))"],
        ["np.where"],
    ),
    "a mean of chosen elements is not computed for its size": (
        picked_scores,
        (A, A + 0.3),
        [" / labels.size"],
        ["result_term", "_product"],
    ),
    "a call with keywords computes its result once": (
        lifetimes,
        (X, X + 0.2),
        ["logsf = weibull_min.logsf(y, x[0], scale=x[1])", "logsf_bar * logsf "],
        ["_term = weibull_min"],
    ),
    "the shift of a cumulated sum has no adjoint": (
        cumulated_risks,
        (X, A),
        ["eta = eta - np.max(eta)"],
        ["np.where", "hit"],
    ),
    "the shift of a mean and of weights has no adjoint": (
        weighted_particles,
        (X, A),
        ["m = np.max(logw)"],
        ["np.where", "hit", " m_bar"],
    ),
    "what two lines compute has one adjoint": (
        normalized_columns,
        (A, A + 0.3),
        [
            "var_difference = x - mu",
            "z = var_difference / ",
            "mu_bar = -np.sum(",
        ],
        ["(x - mu)\n", "mu_bar -="],
    ),
    "a product on two lines has one adjoint": (
        projected,
        (X, X + 0.2),
        ["u_product_bar = "],
        ["u_product_bar +="],
    ),
    "nobody asks for the adjoint of the number that a sum of arrays begins with": (
        begun_with_a_number,
        (X, X + 0.2),
        ["x_bar += y[k] * total_bar"],
        ["_sum_to", "saved"],
    ),
    "a vector is divided by its norm without a test of what is read of it": (
        kept_to_unit_length,
        (X, X + 0.2),
        ["q_bar = q_term_bar - q_new * (q_term_bar @ q) / q_sqrt"],
        ["np.where"],
    ),
    "products are summed along axes without an array of them": (
        of_columns_and_rows,
        (np.stack([X, X + 0.5, X * X]), A),
        ['np.einsum("ij,ij->j", ', 'np.einsum("ij,ij->i", ', "y[0] * np.sum(y - x[2], axis=0)"],
        ["keepdims=True) *"],
    ),
    "the root of literals is said again": (
        densities,
        (X, X + 0.2),
        [" / np.sqrt(2.0 * np.pi)"],
        ["_sqrt"],
    ),
    "a variance of columns is taken from the mean that has a name": (
        standardised,
        (A, A.T + 1.0),
        ["result_centred = x - centre"],
        ["np.mean(", "keepdims"],
    ),
    "what a list holds that grows is asked for where it is read": (
        last_of_activations,
        ([A, A.T], A, A + 1.0),
        ["    if h[-1].shape[1] != d.shape[1]:\n"],
        ["_sum_to"],
    ),
    "an array of a list is as long as what it stands beside": (
        weights_of_items,
        (A, X),
        ["or y.shape[0] != x.shape[0]\n"],
        ["_sum_to"],
    ),
    "what may not be computed is asked for where it is": (
        of_a_list_that_may_be_short,
        ([A, A.T], X),
        ["    if len(h) > 2:\n        if h[2].shape"],
        ["_sum_to"],
    ),
    "what starts as a literal has adjoints of the shape of what is added": (
        steps_by_a_tableau,
        (X[:2], X[1:]),
        ["change_bar = 0.1 * y_new_bar", "slopes_bar[i] += a * change_bar"],
        ["_sum_to", "zeros_like(k"],
    ),
    "gates that are unpacked at once have adjoints of their own": (
        gated,
        (np.linspace(0.2, 1.7, 24).reshape(6, 4), X[:2]),
        ["= np.concatenate((", "or x.shape[0] != 3 * y.shape[0]"],
        ["z_bar = np.zeros_like", "//"],
    ),
    "a list that is bound with another value has its name": (
        bound_with_a_state,
        (X, X + 0.2),
        ["    rows = []\n"],
        ["part"],
    ),
    "what a loop asks of its items is asked in the loop": (
        layers_of_dicts,
        ([{"V": A, "b": X}, {"V": A[:2], "b": X[:2]}], X),
        ['        if layer["V"].shape[0] != layer["b"].shape[0]:'],
        ["any(layer"],
    ),
    "what two statements compute at length is computed once": (
        blurred,
        (X, X + 0.2),
        ["_term_bar = _convolve_whole(", "np.correlate("],
        [],
    ),
    "numbers go on the list of what their pass saves": (
        reflected,
        (X, X + 0.2),
        ["saved.append((t, r, up))", "t, r, up = saved.pop()"],
        ["_saved"],
    ),
    "a comprehension of the user's stays one, however long": (
        basis_of_knots,
        (X, X + 0.2),
        ["bumps = [\n        np.where(", "            for i in range(4 - p)"],
        [".append("],
    ),
    "what is solved with half a vector is half of what was solved": (
        quadratic_form,
        (A, X),
        ["np.outer(solved, "],
        ["solved_", "np.linalg.solve(factor, 0.5"],
    ),
    "slices of lists are gone through by items": (
        hidden_layers,
        ([A, A.T, A - 1.0], X),
        ["for V in x[:-1]:"],
        [],
    ),
    "a value is taken back behind what reads the one in its place": (
        states_one_after_the_other,
        (A, X),
        ["h = h_saved.pop()"],
        ["h_new = h"],
    ),
    "what is chosen by a row and a label each is chosen once": (
        of_labels,
        (A, A.T + 1.0),
        ["logp_bar["],
        ["add.at"],
    ),
    "every row with every label may be chosen twice": (of_pairs, (A, A), ["np.add.at("], []),
    "parts that make up an array are saved as a whole": (
        with_walls,
        (np.linspace(0.2, 1.1, 7), np.linspace(0.9, 0.1, 7)),
        ["h_saved.append(h.copy())", "for h in reversed(h_saved):"],
        ["h_0", "h_last"],
    ),
    "a loop over a short display goes over its items and their adjoints": (
        smoothness,
        (X, X + 0.3),
        ["for f, f_bar in zip("],
        ["[k]"],
    ),
    "numbers and all elements of a vector are joined": (
        turned,
        (np.array([0.9, 0.1, -0.3, 0.2]), X),
        ["np.hstack(("],
        ["append(made", "_sum_to", "for i in"],
    ),
    "slices of lists are gone through where they are": (
        hidden_layers_first,
        ([A, A.T, A - 1.0], X),
        ["V = x[k + 1]", "in range(len(x) - 1)"],
        ["places", "made =", "min("],
    ),
    "a variance and a small number are never zero": (
        batch,
        (A, A.T + 1.0),
        ["np.sqrt(x.var(axis=0) + 1e-05)"],
        ["np.where", "!= 0.0"],
    ),
    "a power that is divided by has no power in its slope": (
        powers_below,
        (A, A.T + 1.0),
        ["r_bar = -3.0 * (np.sum(", "axis=2) / r)"],
        ["r**2"],
    ),
    "a product along an axis is spread again by a subscript": (
        rates,
        (A, A.T + 1.0),
        ["[:, None]", "np.cumprod("],
        ["def _expand", "for i in"],
    ),
    "differences of rows are pulled back by differences": (
        roughness,
        (A, A.T + 1.0),
        ["axis=0, prepend=0.0, append=0.0)", "or x.shape[0] < 1"],
        ["def _"],
    ),
    "arrays of one shape are asked for it together": (
        three_of_one_shape,
        (A, {"a": A, "b": A + 1.0}),
        ['or not x.shape == w["a"].shape == w["b"].shape'],
        [".shape[0] != "],
    ),
    "a list of tuples is given back as it is made": (
        layers_of_pairs,
        ([(A, X), (A.T, X + 0.2)], A - 1.0),
        ["    return [tuple("],
        ["x_grad"],
    ),
    "what helpers unpack in each pass is unpacked once": (
        two_stages,
        (X, X + 0.2),
        ["    a, b, c = x\n    saved = []", "    return np.array([a_bar, b_bar, c_bar])"],
        ["a_new", "x_bar["],
    ),
    "elements of what a loop goes through, or writes to, are read where they are": (
        of_rows_and_what_changes,
        (A, X),
        ["        a = row[0]"],
        [],
    ),
    "contributions by one test are one choice": (
        of_two_pieces,
        (X, X + 0.2),
        ["np.where(x < 0.5, 2.0 * t - 1.0 / t / t, 1.0 / t + "],
        [" != 0.0"],
    ),
    "a choice by the same test within products is made already": (
        a_piece_of_products,
        (X, X + 0.2),
        [],
        ["np.where(result_term, 0.0, "],
    ),
    "an infinite slope is guarded once": (
        cut_off,
        (X, X + 0.2),
        ["np.where(s_bar != 0.0, "],
        ["s_term_bar != 0.0", "result_term_bar != 0.0"],
    ),
    "what is written twice is pulled back once": (
        written_twice,
        (X, X + 0.2),
        ["1.04 * model_term**0.3 * (2.0 * (model - y) / model_sum * (1.5 - model))"],
        ["x_bar -="],
    ),
    "a product that is written twice has one adjoint": (
        products_written_twice,
        (X, X + 0.2),
        ["return y * (0.5 + 6.0 * (x * sin_x) ** 2) * (sin_x + x * np.cos(x))"],
        ["x_bar +="],
    ),
    "what is added twice at one place is added once": (
        chosen_twice,
        (X, X[::-1] + 0.5),
        ["np.add.at(x_bar, first, "],
        [],
    ),
    "numbers that calls give are added together": (
        stages_of_numbers,
        (X, X + 0.2),
        [
            "third_bar = 2.0 * first_bar + 0.2 * fourth",
            "a_bar += a_term_bar + a_term_bar_2",
            "b_bar += b_term_bar + b_term_bar_2",
        ],
        ["a_bar += a_term_bar\n"],
    ),
    "an adjoint is called after what it belongs to": (
        relaxed_difference,
        (X, X + 1.0),
        ["d_bar = 2.0 * (x * u + d)"],
        ["result_term_bar"],
    ),
    "a matrix that is computed for its shape alone is not computed": (
        loss_of_all_pairs,
        (A[:2], A + 1.0),
        ["np.full((len(x), len(y)), "],
        ["full_like", ".size"],
    ),
    "nor is what is computed for its length alone": (
        length_of_a_layer,
        (A, A + 1.0),
        ["len(x)"],
        ["= np.tanh"],
    ),
    "a number's contributions of two lines are added at once": (
        smoothing,
        (X, X + 0.2),
        ["alpha_bar += trend_term_bar * beta + level_bar * e"],
        ["alpha_bar += level_bar"],
    ),
    "a row and the rows below it are joined": (
        first_row_apart,
        (A, A),
        ["return np.vstack(["],
        ["zeros"],
    ),
    "what stretches an operand along two axes is summed over both": (
        attraction,
        (A, A.T + 1.0),
        ["axis=2) / r2)"],
        ["keepdims", "reshape", "[:, :, 0]"],
    ),
    "the logistic function is the slope of np.logaddexp(0.0, z)": (
        softly,
        (X, X + 1.0),
        ["0.5 + 0.5 * np.tanh(0.5 * x * y)"],
        ["1e+308", "_logaddexp"],
    ),
    "means over axes need no helper": (
        of_images,
        (A - 1.0, A.T + 1.0),
        ["((z_term > 0.0) + 0.5 * "],
        ["def _"],
    ),
    "a sum over a diagonal is a trace": (
        with_noise,
        (X, A + np.eye(3)),
        ["np.trace("],
        ["vdot", "S_eye"],
    ),
    "parts that are all of a vector are joined": (
        packed,
        (np.linspace(0.1, 1.3, 7), A),
        ["return np.hstack(["],
        ["zeros"],
    ),
    "parts that leave a gap are added to zeros": (
        packed_with_a_gap,
        (np.linspace(0.1, 1.3, 7), A),
        ["x_bar = np.zeros_like(x)"],
        ["hstack"],
    ),
    "the values of a pass go on one list": (
        two_states,
        (X, X + 1.0),
        ["saved.append((well, ill))", "well, ill = saved.pop()"],
        ["_saved"],
    ),
    "values that a branch changes are saved as they were": (
        a_state_that_a_branch_changes,
        (X, X + 1.0),
        [".append("],
        [],
    ),
    "the logarithm of a determinant needs no cofactors": (
        logarithm_of_a_determinant,
        (A, A[0] + 3.0),
        ["np.linalg.inv("],
        ["_cofactors"],
    ),
    "what is added in place is not stretched before": (
        rates_in_place,
        (A, X),
        ["[:, None]"],
        ["broadcast_to"],
    ),
    "a maximum with a whole number is weighed at once": (
        rectified,
        (A, 0.8 * A),
        ["> 0) + 0.5 * ("],
        [">= 0"],
    ),
    "the last value of the passes of a loop is none that is put back": (
        balanced,
        (A + 1.0, A[0]),
        ["v = y / v_term"],
        ["v = None", "v_saved"],
    ),
    "an item of a list of yours stays there": (
        of_a_basis,
        (X[:3], X),
        ["columns = [np.ones_like(x), x]"],
        ["item"],
    ),
    "one over a power of two is a number, and a soft positive part has a logistic slope": (
        halved,
        (X, X + 1.0),
        ["0.5 * np.tanh(0.5 * x)"],
        ["1.0 / 2", "1e+308"],
    ),
    "the logistic function goes through its result": (
        logistic,
        (X, X + 1.0),
        ["* (1.0 - p)"],
        ["_exp = "],
    ),
    "parameters that are unpacked have their adjoints in one display": (
        unpacked,
        (X, X + 1.0),
        ["x (3,)", "np.array(["],
        ["zeros_like"],
    ),
    "a parameter that is read besides is added to": (
        unpacked_twice,
        (X, X + 1.0),
        ["x_bar"],
        [],
    ),
    "a product that is added twice is doubled": (
        a_product_with_itself,
        (X, X + 1.0),
        ["2.0 * "],
        ["v_bar = 0.0"],
    ),
    "a turned product of a turned matrix is the product the other way round": (
        a_matrix_that_is_turned,
        (A, A.T + 1.0),
        [").T @ y"],
        [").T\n"],
    ),
    "a loop over literals goes over them in both sweeps": (
        neighbours_on_both_axes,
        (A, A.T + 1.0),
        ["for shift in (1, -1):", "for axis in reversed((0, 1)):"],
        ["gone_through", "_sum_to", "_saved"],
    ),
    "literals stand for the names of a pass that is written out": (
        neighbours_by_offsets,
        (A, A.T + 1.0),
        ["np.roll(np.roll(y, 1, axis=1), 0, axis=0)"],
        ["down =", "right ="],
    ),
    "fields are called after the name of their object": (
        two_tanks,
        (X, X),
        ["upper_level_bar", "lower_level_bar"],
        ["tank_level", "level_new"],
    ),
    "a dict over a few words is its entries": (
        shares_of_letters,
        (X, X),
        [],
        ["for letter", "share_bar", "keys", '["A"]'],
    ),
    "literals are put together through parts and quotients": (
        halves_of_roots,
        (A, A.T + 1.0),
        [],
        ["0.5", "2.0 *"],
    ),
    "an array of one number is that number": (one_number_for_all_rows, (A, A), [], ["full_like"]),
    "loops go over items whose positions are not needed": (
        through_items,
        (X, X + 1.0),
        ["for a, b in zip(y, weights):", "for a, b in zip(reversed(y), reversed(weights)):"],
        ["range(", "min("],
    ),
    "a pass leaves the lengths that it finds": (
        state_of_a_network,
        (X, A),
        ["y (n, n)"],
        ["zeros_like"],
    ),
    "what is imported by name is called so": (
        called_by_its_name,
        (X, X),
        ["expit(-x)"],
        ["scipy.special.expit"],
    ),
    "a short contribution waits for that of the next line": (
        of_two_lines,
        (X, X + 1.0),
        ["return y - y * y * np.cos(x)"],
        ["copy()"],
    ),
    "a part of a reciprocal divides": (
        softened,
        (A, A),
        ["exp_x / np.sum(exp_x, axis=1)[:, None]"],
        ["1.0 / "],
    ),
    "a uniform adjoint is a number": (hinge, (X, X + 1.0), ["1.0 / x.size"], ["full_like"]),
    "a constant hides nothing behind an extreme": (
        behind_an_extreme,
        (X, X + 1.0),
        [],
        ["np.where", "!= 0.0"],
    ),
    "values of a dict are taken on one line": (
        weights_of_a_dict,
        (X, {"scale": X + 1.0, "shift": X}),
        ['w_scale, w_shift = w["scale"], w["shift"]'],
        [],
    ),
    "values of a dict are taken on few lines": (
        many_weights,
        (X, dict.fromkeys(["first", "second", "third", "fourth", "fifth"], X)),
        [
            'w_fourth, w_fifth = w["fourth"], w["fifth"]',
            'list(w) != ["first", "second", "third", "fourth", "fifth"]',
        ],
        [],
    ),
    "a helper is made for the axis that it is handed, and its shift has no adjoint": (
        hidden_states,
        (A, X[:3]),
        ["[None] / "],
        ["_sum_to", "m_bar", 'raise ValueError("made for a', "np.reshape("],
    ),
    "a root of a length is no slope that may be infinite": (
        masked_scores,
        (A, A + 0.3),
        ["np.tanh(x)"],
        ["scores_term = np.triu(", "sinh"],
    ),
    "the shape of an array that each pass binds again is that of the last one": (
        convolved,
        (np.linspace(0.2, 1.1, 7), X),
        ["    out += y[i] * x[i : i + out", "x_bar[i : i + out.shape[0]] += y[i] * out_bar"],
        ["saved"],
    ),
    "one number for all rows stays a number": (of_rows_alike, (A, A), [], ["full_like"]),
    "running sums of exponentials move no axis": (partial_likelihood, (X, X), [], ["moveaxis"]),
    "a list that a loop fills is made where it is filled": (
        middles_of_passes,
        (X, X + 0.2),
        ["out_bar = list(2.0 * np.array(out))"],
        ["out_bar = [0.0]"],
    ),
    "stacks of matrices need no helper": (
        stacks,
        (np.stack([A, A + 1.0]), np.stack([A.T, A])),
        ["[:, None, None]", "@ np.swapaxes(y, -1, -2)"],
        ["def _"],
    ),
    "no value is kept for its shape": (smoothed, (X, X + 1.0), ["u_bar[1:-1] = 0.0"], ["saved"]),
    "literals above and below are one": (
        cubes,
        (X, X + 0.3),
        ["(0.5 * x**2 - 2.0 * x * (1.0 - y * x**2) ** 2) * y"],
        ["(y / 6.0)", "3.0 * "],
    ),
    "a sum of exponentials of which one is 1 is never zero": (
        classes,
        (A, A + 0.3),
        ["(x > 0.5) + 0.5 * (x == 0.5)"],
        ["np.where"],
    ),
    "the adjoints of a list that becomes an array are its rows": (
        states_in_a_list,
        (X, X + 1.0),
        ["states_bar = list(2.0 * (np.array(states) - y))", "states_bar[0] += y"],
        ["zeros_like(x_value)"],
    ),
    "what is turned round is turned back, and not added to zeros": (
        risks,
        (X, X + 1.0),
        ["return y + np.cumsum("],
        ["zeros", "[::-1][::-1]"],
    ),
    "some axes are turned back": (turned_in_part, (A, A + 1.0), ["[:, ::-1]"], ["x_bar[:, ::-1]"]),
    "a norm's own test hides nothing": (of_unit_length, (X, X + 1.0), [], ["!= 0.0"]),
    "rows that add up to an array are one display": (
        gates,
        (X, X + 1.0),
        ["parts_bar = np.array(["],
        ["parts_bar[", "zeros"],
    ),
    "a long function that is called often stays a function": (
        four_stages,
        (X, X + 1.0),
        ["def rate_rev(", "rate_rev(x, y,"],
        [],
    ),
    "a choice within a choice by the same test is one": (
        limited,
        (X, X + 1.0),
        ["np.where(up, "],
        ["np.where(up, np.where(up"],
    ),
    "literals of quotients within products are put together": (
        layer,
        (A, A.T + 1.0),
        [],
        ["0.5", "2.0 *"],
    ),
    "an element that is stored once needs no zero": (
        stored_once,
        (X, X + 1.0),
        ["u_bar[i - 1, j] +="],
        ["u_bar[i, j] = 0.0"],
    ),
    "an element that an earlier pass stores to is zero before": (
        stored_in_two_passes,
        (X, X + 1.0),
        ["u_bar[i - 1] = 0.0"],
        [],
    ),
    "what is subtracted has no minus of its own": (subtracted, (X, X + 1.0), [], ["= -"]),
}


def test_the_logistic_function_is_finite_where_exp_overflows():
    x = np.array([-800.0, 0.0, 800.0])
    with np.errstate(over="ignore"):
        slopes = s2sad.grad(logistic, like=(x, x))(x, np.ones(3))
    assert np.array_equal(slopes, [0.0, -0.25, 0.0])


def of_the_item_before(x, y):
    item, total = y[0], 0.0
    for k in range(len(y)):
        before = item[0]
        item = y[k]
        total = total * x[0] + before * item[1] * x[1]
    return total


def test_an_item_that_is_read_before_the_next_is_taken_is_that_of_the_pass_before():
    args, along = (X, A), np.array([0.4, -0.9, 0.2])
    slopes = oracles.differences(of_the_item_before, args, (0,), 1.0)
    assert not oracles.compare(
        oracles.flatten((s2sad.grad(of_the_item_before)(*args),), args[:1]), slopes
    )
    _, tangent = s2sad.jvp(of_the_item_before)(*args, along)
    assert np.isclose(tangent, slopes.value @ along, rtol=1e-9)


def a_weight_of_one(x, y):
    return np.sum(x * y) - np.sum(np.sin(x) * y * y)


def minus_twice(x, y):
    negative = -y
    a = -negative * x
    return np.sum(a) + np.sum(np.cos(x) * y)


@pytest.mark.parametrize("function", [a_weight_of_one, minus_twice])
@pytest.mark.parametrize("reassociate", [False, True])
def test_what_becomes_a_second_name_is_copied_where_it_is_written_to(function, reassociate):
    """An adjoint of 1.0 * y was y itself once, to which the next contribution was added in place."""
    args = (X, X + 1.0)
    found = s2sad.grad(function, like=args, reassociate=reassociate)(*args)
    assert np.array_equal(args[1], X + 1.0)
    expected = oracles.differences(function, args, (0,), 1.0)
    assert not oracles.compare(oracles.flatten((found,), args[:1]), expected)
    assert not np.shares_memory(found, args[1])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rule(case):
    function, args, present, absent = case
    derivative = s2sad.grad(function, like=args)
    found = oracles.flatten((derivative(*args),), args[:1])
    assert not oracles.compare(found, oracles.differences(function, args, (0,), 1.0))
    text = str(derivative.source)
    assert all(words in text for words in present), text
    assert not any(words in text for words in absent), text


def shares(x, y):
    top = np.max(x, axis=1, keepdims=True)
    e = np.exp(x - top)
    return np.sum(e / np.sum(e, axis=1, keepdims=True) * y)


def test_the_shift_of_a_softmax_has_no_tangent():
    along, weights, h = np.cos(A), A + 0.1, 1e-5
    made, second = s2sad.jvp(shares, "x", like=(A, A)), s2sad.hvp(shares, "x", like=(A, A))
    assert "top_dot" not in str(made.source), made.source

    def slope(function):
        ends = [function(A + step * along, weights) for step in (h, -h)]
        return (ends[0] - ends[1]) / (2.0 * h)

    np.testing.assert_allclose(made(A, weights, along)[1], slope(shares), rtol=1e-6)
    found = second(A, weights, along)
    np.testing.assert_allclose(found, slope(s2sad.grad(shares, "x")), rtol=1e-6, atol=1e-9)
