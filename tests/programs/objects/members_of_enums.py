"""Members of an Enum of which the run tells which one: as keys, by their names and their values."""

from __future__ import annotations

import math
from enum import Enum

from tests.programs.entry import Entry


class Phase(Enum):
    HEAT = "heat"
    COOL = "cool"
    IDLE = "idle"


class Gain(Enum):
    LOW = 0.5
    HIGH = 2.0


def gains_by_member(x, k):
    gains = {Phase.HEAT: x, Phase.COOL: k}
    phase = Phase.HEAT
    for _ in range(3):
        x = x * gains.get(phase, 0.5) + k
        gains[phase] = gains[phase] * x
        phase = Phase.COOL if x > 2.0 else Phase.HEAT
    return x + sum(gains.values())


def looked_up_at_once(x, k):
    phase = Phase.HEAT
    for _ in range(3):
        power = {Phase.HEAT: 3.0, Phase.COOL: -2.0}.get(phase, 0.0)
        x = x * power + k if phase.name != "IDLE" else x * k
        phase = Phase.IDLE if x > 2.0 else Phase.COOL
    return x


def by_their_values(x, k):
    gain, phase = Gain.HIGH, Phase.COOL
    for _ in range(3):
        x = x * gain.value + (math.sin(k) if phase.value == "heat" else k)
        gain = Gain.LOW if x > 2.0 else Gain.HIGH
        phase = Phase.HEAT if phase is Phase.COOL else Phase.COOL
    return x


def thermostat(start, k, band):
    """Cases with guards: each is tested once, however many are before it."""
    phase, warm, cost = Phase.IDLE, start, 0.0
    for _ in range(12):
        match phase:
            case Phase.IDLE if warm < 18 - band:
                phase = Phase.HEAT
            case Phase.IDLE if warm > 22 + band:
                phase = Phase.COOL
            case Phase.HEAT if warm > 20:
                phase = Phase.IDLE
            case Phase.COOL if warm < 20:
                phase = Phase.IDLE
        warm += 0.2 * (k * (15.0 - warm) + {Phase.HEAT: 3.0, Phase.COOL: -2.0}.get(phase, 0.0))
        cost += (warm - 20.0) ** 2
    return cost


PROGRAMS = (
    *(Entry(f, (0.7, 0.4), (0, 1)) for f in (gains_by_member, looked_up_at_once, by_their_values)),
    Entry(thermostat, (14.0, 0.3, 0.5), (0, 1)),
)
