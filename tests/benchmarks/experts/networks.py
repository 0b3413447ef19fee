"""Networks: layers, cells and attention."""

import numpy as np

from tests.benchmarks.experts.case import Case


def attention(Q, K, V, G):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - np.max(S, axis=1, keepdims=True))
    P = E / np.sum(E, axis=1, keepdims=True)
    return np.sum(G * (P @ V))


def attention_adjoint(Q, K, V, G):
    scale = np.sqrt(Q.shape[1])
    S = Q @ K.T / scale
    E = np.exp(S - np.max(S, axis=1, keepdims=True))
    P = E / np.sum(E, axis=1, keepdims=True)
    V_bar = P.T @ G
    P_bar = G @ V.T
    S_bar = P * (P_bar - np.einsum("ij,ij->i", P_bar, P)[:, None]) / scale
    Q_bar = S_bar @ K
    K_bar = S_bar.T @ Q
    return Q_bar, K_bar, V_bar


def lstm_step(W, U, b, x, h, c, y):
    n = len(h)
    a = W @ x + U @ h + b
    i = 1.0 / (1.0 + np.exp(-a[:n]))
    f = 1.0 / (1.0 + np.exp(-a[n : 2 * n]))
    o = 1.0 / (1.0 + np.exp(-a[2 * n : 3 * n]))
    g = np.tanh(a[3 * n :])
    c_next = f * c + i * g
    h_next = o * np.tanh(c_next)
    return 0.5 * np.sum((h_next - y) ** 2)


def lstm_step_adjoint(W, U, b, x, h, c, y):
    n = len(h)
    a = W @ x + U @ h + b
    i = 1.0 / (1.0 + np.exp(-a[:n]))
    f = 1.0 / (1.0 + np.exp(-a[n : 2 * n]))
    o = 1.0 / (1.0 + np.exp(-a[2 * n : 3 * n]))
    g = np.tanh(a[3 * n :])
    t = np.tanh(f * c + i * g)
    h_bar = o * t - y
    c_bar = h_bar * o * (1.0 - t**2)
    a_bar = np.empty_like(a)
    a_bar[:n] = c_bar * g * i * (1.0 - i)
    a_bar[n : 2 * n] = c_bar * c * f * (1.0 - f)
    a_bar[2 * n : 3 * n] = h_bar * t * o * (1.0 - o)
    a_bar[3 * n :] = c_bar * i * (1.0 - g**2)
    W_bar = np.outer(a_bar, x)
    U_bar = np.outer(a_bar, h)
    return W_bar, U_bar, a_bar


def recurrent(W, U, x, y):
    h = np.zeros(W.shape[0])
    loss = 0.0
    for k in range(len(x)):
        h = np.tanh(W @ h + U @ x[k])
        loss = loss + np.sum((h - y[k]) ** 2)
    return loss


def recurrent_adjoint(W, U, x, y):
    h = np.zeros(W.shape[0])
    hs = [h]
    for k in range(len(x)):
        h = np.tanh(W @ h + U @ x[k])
        hs.append(h)
    W_bar = np.zeros_like(W)
    U_bar = np.zeros_like(U)
    h_bar = np.zeros_like(h)
    for k in reversed(range(len(x))):
        h = hs.pop()
        h_bar += 2.0 * (h - y[k])
        a_bar = h_bar * (1.0 - h**2)
        W_bar += np.outer(a_bar, hs[-1])
        U_bar += np.outer(a_bar, x[k])
        h_bar = a_bar @ W
    return W_bar, U_bar


def classifier(W, b, X, Y):
    Z = X @ W + b
    m = np.max(Z, axis=1)
    log_sum = m + np.log(np.sum(np.exp(Z - m[:, None]), axis=1))
    return np.mean(log_sum - np.sum(Y * Z, axis=1))


def classifier_adjoint(W, b, X, Y):
    Z = X @ W + b
    E = np.exp(Z - np.max(Z, axis=1)[:, None])
    Z_bar = (E / np.sum(E, axis=1)[:, None] - Y) / len(X)
    W_bar = X.T @ Z_bar
    b_bar = np.sum(Z_bar, axis=0)
    return W_bar, b_bar


def layer_norm(x, gain, shift, y):
    d = x - np.mean(x, axis=1, keepdims=True)
    s = np.sqrt(np.mean(d**2, axis=1, keepdims=True) + 1e-5)
    n = d / s
    r = gain * n + shift - y
    return 0.5 * np.sum(r**2)


def layer_norm_adjoint(x, gain, shift, y):
    d = x - np.mean(x, axis=1, keepdims=True)
    s = np.sqrt(np.mean(d**2, axis=1, keepdims=True) + 1e-5)
    n = d / s
    r = gain * n + shift - y
    gain_bar = np.einsum("ij,ij->j", r, n)
    shift_bar = np.sum(r, axis=0)
    n_bar = r * gain
    width = x.shape[1]
    along = np.einsum("ij,ij->i", n_bar, n)[:, None] / width
    d_bar = (n_bar - n * along) / s
    x_bar = d_bar - np.mean(d_bar, axis=1, keepdims=True)
    return x_bar, gain_bar, shift_bar


def cell(normal, n):
    m = max(2, n // 2)
    weights = normal((4 * n, m)), normal((4 * n, n)), normal(4 * n)
    return (*(0.3 * w for w in weights), normal(m), normal(n), normal(n), normal(n))


def sequence(normal, n):
    k = max(2, n // 10)
    return normal((k, k)) / k, normal((k, 3)) / 3.0, normal((n, 3)), normal((n, k))


def classes(normal, n):
    Y = np.zeros((n, 10))
    Y[np.arange(n), np.arange(n) % 10] = 1.0
    return normal((20, 10)), normal(10), normal((n, 20)), Y


CASES = (
    Case(
        attention,
        attention_adjoint,
        ("Q", "K", "V"),
        lambda normal, n: tuple(normal((n, 16)) for _ in range(4)),
        (8, 64, 512),
    ),
    Case(lstm_step, lstm_step_adjoint, ("W", "U", "b"), cell, (4, 64, 256)),
    Case(recurrent, recurrent_adjoint, ("W", "U"), sequence, (20, 200, 1000)),
    Case(classifier, classifier_adjoint, ("W", "b"), classes, (20, 1000, 20_000)),
    Case(
        layer_norm,
        layer_norm_adjoint,
        ("x", "gain", "shift"),
        lambda normal, n: (normal((n, 32)), normal(32), normal(32), normal((n, 32))),
        (8, 200, 10_000),
    ),
)
