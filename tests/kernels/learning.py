"""Networks, layers and likelihoods.

Each function returns a scalar; `CASES` has arguments for each, drawn with a generator.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np


def relu(x):
    """Rectified linear units."""
    return np.maximum(x, 0.0)


def softmax(x):
    """Softmax along the last axis, shifted by the largest entry."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def sigmoid(x):
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def cross_entropy(logits, labels):
    """Softmax regression: the mean of minus the log-probabilities of the labels."""
    p = softmax(logits)
    return -np.mean(np.log(p[np.arange(len(labels)), labels]))


def logistic_regression(w, b, X, y, decay):
    """The negative log-likelihood of labels 0 and 1, with a penalty on the weights."""
    z = X @ w + b
    return np.mean(np.logaddexp(0.0, z) - y * z) + 0.5 * decay * np.dot(w, w)


def perceptron(x, layers, target):
    """A multi-layer perceptron: a list of weights and biases, tanh between them."""
    h = x
    for W, b in layers[:-1]:
        h = np.tanh(h @ W + b)
    W, b = layers[-1]
    return np.mean((h @ W + b - target) ** 2)


def three_layers(x, W1, b1, W2, b2, W3, b3):
    """Three dense layers, the last with softmax."""
    h = relu(x @ W1 + b1)
    h = relu(h @ W2 + b2)
    return np.sum(softmax(h @ W3 + b3) ** 2)


def convolved(x, W, b):
    """A batch of images correlated with filters, a window of rows and columns at a time."""
    K = W.shape[0]
    rows, columns = x.shape[1] - K + 1, x.shape[2] - K + 1
    y = np.empty((x.shape[0], rows, columns, W.shape[3]))
    for i in range(rows):
        for j in range(columns):
            window = x[:, i : i + K, j : j + K, :, np.newaxis]
            y[:, i, j, :] = np.sum(window * W[np.newaxis], axis=(1, 2, 3))
    return y + b


def pooled(x):
    """The largest of each two by two pixels."""
    y = np.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]))
    for i in range(y.shape[1]):
        for j in range(y.shape[2]):
            y[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return y


def convolution(x, W, b):
    """A layer of filters, squared."""
    return np.sum(convolved(x, W, b) ** 2)


def convolution_by_shifts(x, W):
    """The same correlation as a sum over the shifts of a filter."""
    K = W.shape[0]
    rows, columns = x.shape[0] - K + 1, x.shape[1] - K + 1
    y = np.zeros((rows, columns))
    for i in range(K):
        for j in range(K):
            y += W[i, j] * x[i : i + rows, j : j + columns]
    return np.sum(np.tanh(y))


def small_lenet(x, W1, b1, W2, b2, V, c):
    """Filters, pooling, filters, and a dense layer at the end."""
    h = pooled(relu(convolved(x, W1, b1)))
    h = relu(convolved(h, W2, b2))
    flat = np.reshape(h, (h.shape[0], -1))
    return np.sum((flat @ V + c) ** 2)


def normalised(x, eps):
    """Each feature of a batch with mean zero and variance one."""
    return (x - np.mean(x, axis=0)) / np.sqrt(np.var(x, axis=0) + eps)


def batch_norm(x, gamma, beta):
    """Batch normalisation with scale and shift."""
    return np.sum((gamma * normalised(x, 1e-3) + beta) ** 3)


def layer_norm(x, gamma, beta):
    """Layer normalisation: every row by itself."""
    centred = x - np.mean(x, axis=-1, keepdims=True)
    scale = np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + 1e-3)
    return np.sum(np.sin(gamma * centred / scale + beta))


def residual_block(x, W1, W2, W3):
    """A bottleneck: narrow, filter with a padded border, widen, and add what came in."""
    h = relu(normalised(convolved(x, W1, 0.0), 1e-3))
    padded = np.zeros((h.shape[0], h.shape[1] + 2, h.shape[2] + 2, h.shape[3]))
    padded[:, 1:-1, 1:-1, :] = h
    h = relu(normalised(convolved(padded, W2, 0.0), 1e-3))
    h = normalised(convolved(h, W3, 0.0), 1e-3)
    return np.sum(relu(h + x) ** 2)


def gated(weights, bias, state, memory, signal):
    """One step of a long short-term memory cell; the four gates share one matrix."""
    n = state.shape[0]
    z = weights @ np.concatenate((signal, state)) + bias
    memory = sigmoid(z[:n]) * memory + sigmoid(z[n : 2 * n]) * np.tanh(z[2 * n : 3 * n])
    return sigmoid(z[3 * n :]) * np.tanh(memory), memory


def memory_cell(weights, bias, state, memory, signal):
    """A single LSTM step."""
    state, memory = gated(weights, bias, state, memory, signal)
    return np.sum(state**2) + np.sum(memory**2)


def memory_sequence(weights, bias, state, signals, readout):
    """An LSTM along a sequence, its states kept in a list and read out."""
    memory = np.zeros_like(state)
    states = []
    for signal in signals:
        state, memory = gated(weights, bias, state, memory, signal)
        states.append(state)
    loss = 0.0
    for each in states:
        loss += np.dot(readout, each) ** 2
    return loss


def gated_recurrent_unit(Wz, Wr, Wh, h, xs):
    """A gated recurrent unit along the rows of xs."""
    for t in range(xs.shape[0]):
        both = np.concatenate([xs[t], h])
        z = sigmoid(Wz @ both)
        r = sigmoid(Wr @ both)
        h = (1.0 - z) * h + z * np.tanh(Wh @ np.concatenate([xs[t], r * h]))
    return np.sum(h**2)


def attention(X, Q, K, V):
    """Scaled dot-product attention that looks at what came before only."""
    scores = (X @ Q) @ (X @ K).T / math.sqrt(Q.shape[1])
    causal = np.tril(np.ones(scores.shape)) > 0.0
    weights = softmax(np.where(causal, scores, -1e9))
    return np.sum((weights @ (X @ V)) ** 2)


def autoencoder(X, W, b, c):
    """An autoencoder with tied weights and noise-free input."""
    hidden = sigmoid(X @ W + b)
    return np.mean(np.sum((sigmoid(hidden @ W.T + c) - X) ** 2, axis=1))


def log_sum_exp(a, axis):
    """The logarithm of a sum of exponentials, shifted."""
    top = np.max(a, axis=axis, keepdims=True)
    return np.log(np.sum(np.exp(a - top), axis=axis)) + np.squeeze(top, axis=axis)


def gaussian_mixture(alphas, means, icf, X, gamma):
    """The log-likelihood of a mixture: each precision is a triangle with a log-diagonal.

    With a Wishart prior on the precisions of weight gamma.
    """
    k, d = means.shape
    terms = np.zeros((X.shape[0], k))
    prior = 0.0
    for c in range(k):
        L = np.diag(np.exp(icf[c, :d]))
        L[np.tril_indices(d, -1)] = icf[c, d:]
        scaled = (X - means[c]) @ L.T
        terms[:, c] = alphas[c] + np.sum(icf[c, :d]) - 0.5 * np.sum(scaled**2, axis=1)
        prior += 0.5 * gamma**2 * np.sum(L**2) - np.sum(icf[c, :d])
    n = X.shape[0]
    return np.sum(log_sum_exp(terms, 1)) - n * log_sum_exp(alphas, 0) - prior


def gaussian_process(x, y, length, noise):
    """The negative log-likelihood of a Gaussian process with a squared-exponential kernel."""
    K = np.exp(-0.5 * ((x[:, None] - x[None, :]) / length) ** 2) + noise**2 * np.eye(len(x))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L, y)
    return 0.5 * np.dot(alpha, alpha) + np.sum(np.log(np.diag(L)))


def factorisation(U, V, places, known, penalty):
    """Matrix factorisation from a list of known entries: their places (row, column) and values."""
    loss = penalty * (np.sum(U**2) + np.sum(V**2))
    for (i, j), value in zip(places, known, strict=True):
        loss += (np.dot(U[i], V[j]) - value) ** 2
    return loss


def momentum_descent(w, X, y, rate, mass):
    """Four steps of descent with momentum, differentiated through: a meta-gradient."""
    velocity = np.zeros_like(w)
    for _ in range(4):
        residual = X @ w - y
        velocity = mass * velocity - rate * (X.T @ residual)
        w = w + velocity
    return np.sum((X @ w - y) ** 2)


def parameters_of_adam(w, X, y, rate):
    """Three steps of Adam on least squares, moments in place."""
    m, v = np.zeros_like(w), np.zeros_like(w)
    for t in range(1, 4):
        g = X.T @ (X @ w - y)
        m *= 0.9
        m += 0.1 * g
        v *= 0.99
        v += 0.01 * g**2
        w = w - rate * m / (1.0 - 0.9**t) / (np.sqrt(v / (1.0 - 0.99**t)) + 1e-6)
    return np.sum((X @ w - y) ** 2)


def embedding(table, words, W):
    """The mean of looked-up rows of a table, squashed."""
    return np.sum(np.tanh(np.mean(table[words], axis=0) @ W))


def contrastive(X, Y, temperature):
    """Rows of X and Y that belong together against all other pairs."""
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    Y = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    scores = X @ Y.T / temperature
    return np.sum(log_sum_exp(scores, 1)) - np.trace(scores)


def draw(rng: np.random.Generator, *shape: int) -> Any:
    """Return numbers around zero."""
    return rng.standard_normal(shape)


def layers(rng: np.random.Generator, *widths: int) -> list[tuple[Any, Any]]:
    """Return weights and biases between layers of these widths."""
    return [(draw(rng, m, n), draw(rng, n)) for m, n in itertools.pairwise(widths)]


LABELS = np.array([0, 2, 1, 1])
PLACES = [(0, 1), (2, 0), (1, 1)]

CASES: dict[Callable[..., Any], Callable[[np.random.Generator], tuple[Any, ...]]] = {
    cross_entropy: lambda g: (draw(g, 4, 3), LABELS),
    logistic_regression: lambda g: (draw(g, 3), 0.2, draw(g, 4, 3), np.array([0, 1, 1, 0]), 0.1),
    perceptron: lambda g: (draw(g, 3, 2), layers(g, 2, 4, 3, 1), draw(g, 3, 1)),
    three_layers: lambda g: (
        draw(g, 2, 3),
        draw(g, 3, 4),
        draw(g, 4),
        draw(g, 4, 3),
        draw(g, 3),
        draw(g, 3, 2),
        draw(g, 2),
    ),
    convolution: lambda g: (draw(g, 2, 4, 5, 2), draw(g, 2, 2, 2, 3), draw(g, 3)),
    convolution_by_shifts: lambda g: (draw(g, 5, 4), draw(g, 3, 3)),
    small_lenet: lambda g: (
        draw(g, 1, 6, 7, 1),
        draw(g, 3, 3, 1, 2),
        draw(g, 2),
        draw(g, 2, 2, 2, 3),
        draw(g, 3),
        draw(g, 3, 2),
        draw(g, 2),
    ),
    batch_norm: lambda g: (draw(g, 4, 3), draw(g, 3), draw(g, 3)),
    layer_norm: lambda g: (draw(g, 3, 4), draw(g, 4), draw(g, 4)),
    residual_block: lambda g: (
        draw(g, 3, 2, 2, 3),
        draw(g, 1, 1, 3, 2),
        draw(g, 3, 3, 2, 2),
        draw(g, 1, 1, 2, 3),
    ),
    memory_cell: lambda g: (draw(g, 8, 5), draw(g, 8), draw(g, 2), draw(g, 2), draw(g, 3)),
    memory_sequence: lambda g: (draw(g, 8, 5), draw(g, 8), draw(g, 2), draw(g, 3, 3), draw(g, 2)),
    gated_recurrent_unit: lambda g: (
        draw(g, 2, 5),
        draw(g, 2, 5),
        draw(g, 2, 5),
        draw(g, 2),
        draw(g, 3, 3),
    ),
    attention: lambda g: (draw(g, 3, 4), draw(g, 4, 2), draw(g, 4, 2), draw(g, 4, 2)),
    autoencoder: lambda g: (draw(g, 3, 4), draw(g, 4, 2), draw(g, 2), draw(g, 4)),
    gaussian_mixture: lambda g: (draw(g, 3), draw(g, 3, 2), draw(g, 3, 3), draw(g, 5, 2), 0.8),
    gaussian_process: lambda g: (draw(g, 4), draw(g, 4), 0.9, 0.4),
    factorisation: lambda g: (draw(g, 3, 2), draw(g, 2, 2), PLACES, draw(g, 3), 0.1),
    momentum_descent: lambda g: (draw(g, 3), draw(g, 4, 3), draw(g, 4), 0.05, 0.8),
    parameters_of_adam: lambda g: (draw(g, 3), draw(g, 4, 3), draw(g, 4), 0.1),
    embedding: lambda g: (draw(g, 5, 3), np.array([1, 3, 3, 0]), draw(g, 3, 2)),
    contrastive: lambda g: (draw(g, 3, 4), draw(g, 3, 4), 0.7),
}
