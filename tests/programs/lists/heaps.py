"""Heaps of what varies: shortest ways, events in their order."""

from __future__ import annotations

import heapq
from heapq import heappop, heappush

import numpy as np

from tests.programs.entry import Entry, numbers

EDGES = {0: [(1, 0), (2, 1)], 1: [(3, 2)], 2: [(1, 3), (3, 4)], 3: [(4, 5)], 4: []}


def shortest_way(w):
    dist, heap, done = {0: 0.0}, [(0.0, 0)], set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, e in EDGES[u]:
            new = d + w[e] ** 2
            if v not in dist or new < dist[v]:
                dist[v] = new
                heapq.heappush(heap, (new, v))
    return dist[4] ** 2 + dist[1]


def shortest_way_in_lists(w):
    near = {u: [] for u in range(5)}
    for u, edges in EDGES.items():
        for v, e in edges:
            near[u].append((v, w[e] ** 2))
    dist = [float("inf")] * 5
    dist[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heappop(heap)
        if d > dist[u]:
            continue
        for v, c in near[u]:
            if d + c < dist[v]:
                dist[v] = d + c
                heappush(heap, (d + c, v))
    return dist[4] ** 2


def heap_through_a_grid(x):
    best, heap = {(0, 0): x[0] ** 2}, [(x[0] ** 2, (0, 0))]
    while heap:
        d, (i, j) = heapq.heappop(heap)
        if d > best[i, j]:
            continue
        for a, b in ((i + 1, j), (i, j + 1)):
            if a < 2 and b < 3:
                new = d + x[a * 3 + b] ** 2
                if (a, b) not in best or new < best[a, b]:
                    best[a, b] = new
                    heapq.heappush(heap, (new, (a, b)))
    return best[1, 2] ** 2


def squares_in_order(x):
    heap = []
    for v in x:
        heappush(heap, v * v)
    s, k = 0.0, 1
    while heap:
        smallest = heappop(heap)
        s += k * smallest
        k += 1
    return s


def events(x):
    heap = [(0.0, 0)]
    t, n, w = 0.0, 0, 0.0
    while heap and n < 6:
        t, i = heappop(heap)
        w += t * (i + 1)
        heappush(heap, (t + x[n] ** 2, (i + 1) % 3))
        n += 1
        if n % 2 == 0:
            heappush(heap, (t + 0.5 * x[0] ** 2, i))
    return w + len(heap) * x[1]


def looked_into(x):
    heap = []
    for v in x:
        heappush(heap, v * v)
    return heap[0] ** 2


def listed_before(x):
    heap = [x[0], x[1], x[2]]
    heappush(heap, x[3])
    return heappop(heap) ** 2 * np.sum(x)


def with_another_name(x):
    heap = []
    other = heap
    for v in x:
        heappush(heap, v * v)
    smallest = heappop(heap)
    return smallest * other[0]


W = numbers(6)
PROGRAMS = (
    *(
        Entry(function, (W,))
        for function in (
            *(shortest_way, shortest_way_in_lists, heap_through_a_grid, squares_in_order, events),
        )
    ),
    *(
        Entry(function, (W,), may_refuse=True)
        for function in (looked_into, listed_before, with_another_name)
    ),
)
