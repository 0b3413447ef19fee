"""A module of the user's own, from which the programs import; nothing here knows of s2sad."""

from __future__ import annotations

import math

import numpy as np

GAIN = 1.7


def damped(x, rate=0.5, *, shift=0.0):
    return math.exp(-rate * x) * GAIN + shift


def normalised(v):
    return v / np.sqrt(1.0 + np.sum(v * v))
