"""Heaps: lists of which item k is no larger than items 2k + 1 and 2k + 2."""

from s2sad.prelude.ordering import sorted_by

# mypy: ignore-errors


def heappush(heap, item):
    """Put an item on a heap."""
    heap.append(item)
    _siftdown(heap, 0, len(heap) - 1)


def heappop(heap):
    """Take the smallest item off a heap."""
    last = heap.pop()
    if len(heap) == 0:
        return last
    item = heap[0]
    heap[0] = last
    _siftup(heap, 0)
    return item


def heapify(heap):
    """Order a list as a heap."""
    for k in range(len(heap) // 2 - 1, -1, -1):
        _siftup(heap, k)


def heappushpop(heap, item):
    """Put an item on a heap, and take the smallest off it."""
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        _siftup(heap, 0)
        return first
    return item


def heapreplace(heap, item):
    """Take the smallest item off a heap, and put another on it."""
    first = heap[0]
    heap[0] = item
    _siftup(heap, 0)
    return first


def nsmallest(n, items, key=None):
    """Return the n smallest items in order."""
    return sorted_by(items, key)[:n]


def nlargest(n, items, key=None):
    """Return the n largest items in order."""
    return sorted_by(items, key, True)[:n]


def _siftdown(heap, start, place):
    """Move the item at `place` towards the first while it is smaller than its parent."""
    item = heap[place]
    while place > start:
        parent = (place - 1) // 2
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def _siftup(heap, place):
    """Move the smaller children up, and the item of `place` to where they end."""
    end = len(heap)
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _siftdown(heap, start, place)
