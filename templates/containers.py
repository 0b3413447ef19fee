"""Changes of lists and dicts as the few that the reverse sweep can invert, and lists made of others.

They are read, and run by tests alone. A loop over what is None is left out; `result` is what a change
is bound to. An annotation says of which kind a new name is: Items of the first list, a Position that
is not negative, Places in a list, a Key.
"""

# ---------------------------------------------------------------------------- lists


def extend(xs, ys):
    for each in ys:
        xs.append(each)


def put_in_place(xs, kept):
    xs.clear()
    extend(xs, kept)


def repeat(xs, count):
    kept: Items = list(xs)
    xs.clear()
    for again in range(count):
        extend(xs, kept)


def pop(xs, place):
    position: Position = range(len(xs))[place]
    result = xs.pop(position)


def remove(xs, item):
    position: int = xs.index(item)
    xs.pop(position)


def insert(xs, place, item):
    position: Position = slice(place, None).indices(len(xs))[0]
    xs.insert(position, item)


def cut(xs, low, high, ys):
    kept: Items = []
    extend(kept, xs[:low])
    extend(kept, ys)
    extend(kept, xs[high:])
    put_in_place(xs, kept)


def cut_in_order(xs, low, high, ys):
    start: Position = slice(low, high).indices(len(xs))[0]
    stop: Position = max(start, slice(low, high).indices(len(xs))[1])
    cut(xs, start, stop, ys)


def put_in_steps(xs, steps, ys):
    kept: Items = []
    extend(kept, ys)
    places: Places = range(len(xs))[steps]
    for at in range(len(places)):
        xs[places[at]] = kept[at]


def reorder(xs, places):
    kept: Items
    in_order(kept, xs, places)
    put_in_place(xs, kept)


def in_order(made, xs, places):
    order: Places = places
    made = []
    for place in order:
        made.append(xs[place])


def listed(made, domain):
    made = []
    extend(made, domain)


def filled(made, part, count):
    made = []
    for again in range(count):
        made.append(part)


def least_length(shortest, rows):
    shortest = len(rows[0])
    for row in rows:
        shortest = min(shortest, len(row))


def column_at(column, rows, place):
    column = []
    for row in rows:
        column.append(row[place])


def columns(made, rows):
    shortest: int
    least_length(shortest, rows)
    made = []
    for place in range(shortest):
        column: Items
        column_at(column, rows, place)
        made.append(column)


# ---------------------------------------------------------------------------- dicts


def pop_key(d, key):
    result = d[key]
    del d[key]


def pop_key_or(d, key, default):
    if key in d:
        result = d[key]
        del d[key]
    else:
        result = default


def setdefault(d, key, default):
    if key not in d:
        d[key] = default
    result = d[key]


def popitem(d):
    key: Key = list(d)[-1]
    result = key, d[key]
    del d[key]


def update(d, other):
    for key, value in other.items():
        d[key] = value
