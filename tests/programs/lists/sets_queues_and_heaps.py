"""Sets, queues, heaps and other objects that change while numbers are calculated with them."""

from __future__ import annotations

import bisect
import heapq
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np

from tests.programs.entry import Entry, numbers


def seen_before(x, y):
    seen = set()
    for i in range(4):
        if i % 2 in seen:
            x = x * y
        seen.add(i % 2)
    return x * len(seen)


def a_set_of_the_callers(x, seen):
    for i in range(4):
        if i in seen:
            x = np.sin(x) * i
        seen.add(i + 2)
    return x * len(seen)


def sets_in_a_list(x, u):
    near = [set(), set()]
    for i in range(4):
        near[i % 2].add(i)
        x = np.sin(x * u[len(near[0])]) * u[len(near[1])]
        if 2 in near[0]:
            x = x * x
    return x


def taken_off_a_set(x, u):
    left = {1, 2, 3}
    while left:
        i = left.pop()
        x = np.sin(x * u[i]) * u[len(left)]
    return x


def set_that_is_joined(x, y):
    seen = {0}
    for i in range(4):
        if i not in seen:
            seen |= {i + 1}
            x = x * y + len(seen)
        x = np.sin(x)
    return x * x


def queue(x, u):
    waiting = deque([0, 1])
    while waiting:
        i = waiting.popleft()
        x = np.sin(x * u[len(waiting)])
        if i < 3:
            waiting.append(i + 1)
    return x


def queue_of_the_callers(x, waiting):
    while waiting:
        i = waiting.popleft()
        x = np.sin(x * i) + len(waiting)
        if i == 2:
            waiting.appendleft(5)
    return x


def rotated_queue(x, u):
    q = deque(range(3), maxlen=3)
    for i in range(4):
        q.rotate(1)
        q.append(i)
        x = np.sin(x * u[q[0]]) + u[q[-1]]
    return x


def heap(x, y):
    h = [3, 1, 2]
    heapq.heapify(h)
    while h:
        i = heapq.heappop(h)
        x = np.sin(x * i) + y * len(h)
        if i == 1:
            heapq.heappush(h, 7)
    return x


def heap_in_a_test(x, u):
    h = [1, 2, 3]
    while h:
        if heapq.heappop(h) > 1:
            x = np.sin(x) * u[len(h)]
        else:
            x = x + u[len(h)] ** 2
    return x


def heap_of_pairs(x, u):
    h = [(0.2, 2), (0.5, 1)]
    for _ in range(4):
        t, i = heapq.heappop(h)
        x = np.sin(x * u[i]) + t * u[len(h)]
        heapq.heappush(h, (t + 0.4, (i + 1) % 5))
    return x


def heap_in_a_comprehension(x, u):
    h = [1, 2, 3, 4]
    first = [heapq.heappop(h) for _ in range(2)]
    x = np.sin(x * u[len(h)]) + u[h[0]] * len(first)
    h.clear()
    return x * u[len(h)]


def kept_in_order(x, u):
    ks = [1]
    for j in (3, 0, 2):
        bisect.insort(ks, j)
        x = np.sin(x * u[ks[0]]) + u[len(ks)] * ks[-1]
    return x


def taken_at_a_position(x, u):
    order = [3, 1, 2, 4]
    for k in range(3):
        i = order.pop(k % 2)
        x = np.sin(x * u[i]) + u[len(order)]
    return x


def stack_of_pairs(x, u):
    open_ = [(0, 1), (1, 2)]
    while open_:
        lo, hi = open_.pop()
        x = np.sin(x * u[lo]) + u[hi]
        if hi - lo < 2:
            open_.append((lo, hi + 1))
    return x


def counted(x, y):
    counts = Counter()
    for letter in "abcab":
        counts[letter] += 1
        x = np.sin(x * y) * counts[letter] + counts["c"]
    return x * counts.most_common(1)[0][1]


def defaults(x, y):
    counts = defaultdict(int)
    for i in range(5):
        counts[i % 3] += 1
        x = x * y * counts[i % 2] + counts[2]
    return x


def dict_of_the_callers(x, d):
    for i in range(4):
        d[i] = d.get(i - 1, 1) + 1
        x = np.sin(x * d[i])
        if 2 in d:
            x = x * x
    return x


def moved_to_the_end(x, y):
    d = OrderedDict()
    for i in range(3):
        d[i] = d.get(i - 1, 1) * 2
        d.move_to_end(0)
        x = np.sin(x * y) * d[i] + next(iter(d))
    return x


def shuffled_each_time(u, x):
    rng = np.random.default_rng(3)
    noise = rng.normal(size=5)
    s = 0.0
    for _ in range(2):
        rng.shuffle(noise)
        s += np.sum(u * noise[1] * x)
    return s + np.sum(noise * u)


class Clock:
    def __init__(self):
        self.ticks = 0

    def __eq__(self, other):
        return self.ticks == other.ticks

    def tick(self):
        self.ticks += 1
        return self.ticks


def clock(x, u):
    clock = Clock()
    for _ in range(4):
        k = clock.tick()
        if clock.ticks % 2:
            x = np.sin(x) * u[k]
        x = x + u[clock.ticks]
    return x


def clock_of_the_callers(x, clock):
    for _ in range(3):
        x = np.sin(x * clock.tick()) + clock.ticks
    return x


def asked_for_the_next(x, u):
    it = iter(range(5))
    a = next(it)
    b = next(it)
    for j in it:
        x = np.sin(x * u[j]) + u[a] * b
    return x


def over_a_set_of_what_is_given(x, counts):
    total = 0.0
    for count in set(counts):
        total += count * x * x
    return total


PROGRAMS = (
    Entry(over_a_set_of_what_is_given, (0.3, [1, 2, 3]), may_refuse=True),
    Entry(seen_before, (0.7, 1.3), (0, 1)),
    Entry(a_set_of_the_callers, (0.7, {1})),
    Entry(sets_in_a_list, (0.7, numbers(5)), (0, 1)),
    Entry(taken_off_a_set, (0.7, numbers(5)), (0, 1), may_refuse=True),
    Entry(set_that_is_joined, (0.7, 1.3), (0, 1)),
    Entry(queue, (0.7, numbers(5)), (0, 1)),
    Entry(queue_of_the_callers, (0.7, deque([1, 2, 3])), may_refuse=True),
    Entry(rotated_queue, (0.7, numbers(5)), (0, 1)),
    Entry(heap, (0.7, 1.3), (0, 1)),
    Entry(heap_in_a_test, (0.7, numbers(5)), (0, 1)),
    Entry(heap_of_pairs, (0.7, numbers(5)), (0, 1)),
    Entry(heap_in_a_comprehension, (0.7, numbers(5)), (0, 1)),
    Entry(kept_in_order, (0.7, numbers(5)), (0, 1)),
    Entry(taken_at_a_position, (0.7, numbers(5)), (0, 1)),
    Entry(stack_of_pairs, (0.7, numbers(5)), (0, 1)),
    Entry(counted, (0.7, 1.3), (0, 1)),
    Entry(defaults, (0.7, 1.3), (0, 1)),
    Entry(dict_of_the_callers, (0.7, {7: 1})),
    Entry(moved_to_the_end, (0.7, 1.3), (0, 1), may_refuse=True),
    Entry(shuffled_each_time, (numbers(5), 0.7), (0, 1)),
    Entry(clock, (0.7, numbers(5)), (0, 1)),
    Entry(clock_of_the_callers, (0.7, Clock())),
    Entry(asked_for_the_next, (0.7, numbers(5)), (0, 1)),
)
