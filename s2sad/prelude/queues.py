"""Queues with two ends, and heaps."""

from s2sad.prelude import mixins
from s2sad.prelude.ordering import sorted_by

# mypy: ignore-errors


class Deque:
    """A queue with two ends, held in a list."""

    def __init__(self, items=(), maxlen=None):
        """Hold items, at most `maxlen` of them."""
        self.items = list(items) if maxlen is None else []
        self.maxlen = maxlen
        if maxlen is not None:
            for item in items:
                self.append(item)

    def append(self, item):
        """Add an item behind the last."""
        self.items.append(item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop(0)

    def appendleft(self, item):
        """Add an item before the first."""
        self.items.insert(0, item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop()

    extend = mixins.extend
    __iadd__ = mixins.extended

    def __add__(self, other):
        """Return a queue of the items of both."""
        made = Deque(self.items, self.maxlen)
        made.extend(other)
        return made

    def extendleft(self, items):
        """Add items before the first, one after the other."""
        for item in items:
            self.appendleft(item)

    def pop(self):
        """Take the last item."""
        return self.items.pop()

    def popleft(self):
        """Take the first item."""
        return self.items.pop(0)

    def insert(self, place, item):
        """Put an item at a place."""
        self.items.insert(place, item)

    def rotate(self, n=1):
        """Move n items from the end to the start."""
        if len(self.items) > 0:
            k = n % len(self.items)
            self.items = self.items[len(self.items) - k :] + self.items[: len(self.items) - k]

    def clear(self):
        """Take all items."""
        self.items = []

    def copy(self):
        """Return a queue of the same items."""
        return Deque(self.items, self.maxlen)

    def reverse(self):
        """Turn the order of the items."""
        self.items.reverse()

    def index(self, item):
        """Return the place of an item."""
        return self.items.index(item)

    def __len__(self):
        """Return the number of items."""
        return len(self.items)

    def __getitem__(self, place):
        """Return the item at a place."""
        return self.items[place]

    def __setitem__(self, place, item):
        """Replace the item at a place."""
        self.items[place] = item

    def __delitem__(self, place):
        """Take the item at a place."""
        del self.items[place]

    def __iter__(self):
        """Go through the items."""
        return iter(self.items)

    def __reversed__(self):
        """Go through the items from the last."""
        return reversed(self.items)

    def __contains__(self, item):
        """Tell whether an item is there."""
        return item in self.items

    def __as_list__(self):
        """Return the items as a list."""
        return self.items


def heappush(heap, item):
    """Put an item on a heap."""
    heap.append(item)
    _siftdown(heap, 0, len(heap) - 1)


def merge(*iterables, key=None, reverse=False):
    """Return the items of all, the smallest of those that come next first."""
    merged = []
    for items in iterables:
        merged = _merged(merged, list(items), key, reverse)
    return iter(merged)


def _merged(first, second, key, reverse):
    """Return the items of two lists, of equal ones that of the first before that of the second."""
    made, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        a, b = (first[i], second[j]) if key is None else (key(first[i]), key(second[j]))
        if a < b if reverse else b < a:
            made.append(second[j])
            j += 1
        else:
            made.append(first[i])
            i += 1
    return made + first[i:] + second[j:]


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
