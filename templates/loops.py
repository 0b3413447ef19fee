"""Functions that run a loop and keep some of its states, and those that run it backwards.

They are read, never run. `state` stands for all that is handed from pass to pass, `found` for the
part of it that a pass finds, `kept` for that part as it is kept, `held` as it is taken back, `given` for what a pass is handed,
`bars` for the adjoints that come in and `back` for those that go on, `first` and `again` for whether the
output of a pass comes; what is in capitals is put in.
"""


def strides(state, outside, steps):
    stride = STRIDE
    checkpoints = []
    for number, target in enumerate(steps):
        if number % stride == 0:
            checkpoints.append((number, *kept))
        (*state,) = step(*given, *first)
    return *state, checkpoints


def strides_back(checkpoints, outside, steps, bars):
    stop = len(steps)
    while checkpoints:
        start, *held = checkpoints.pop()
        [*filed] = _from_disk(file)
        "run again from there, keeping the state before each pass"
        states = [(*found,)]
        for target in steps[start : stop - 1]:
            *state, ignored = step(*given, *again)
            states.append((*found,))
        for target in reversed(steps[start:stop]):
            (*found,) = states.pop()
            (*back,) = step_back(*given_back)
        stop = start
    return (*back,)


def slots(state, outside, steps):
    checkpoints, ahead = [], 0
    for number, target in enumerate(steps):
        if number == ahead:
            checkpoints.append((number, *kept))
            ahead += _until_checkpoint(len(steps) - number, SLOTS - len(checkpoints) + 1)
        elif number == len(steps) - 1:
            "this pass is reversed at once"
            checkpoints.append((number, *kept))
        (*state,) = step(*given, *first)
    return *state, checkpoints


def slots_back(checkpoints, outside, steps, bars):
    for last in reversed(range(len(steps))):
        start, *found = checkpoints[-1]
        while start < last:
            ahead = _until_checkpoint(last + 1 - start, SLOTS - len(checkpoints) + 1)
            stop = min(start + ahead, last)
            for target in steps[start:stop]:
                *state, ignored = step(*given, *again)
            start = stop
            if start < last:
                checkpoints.append((start, *kept))
        here = steps[last]
        (*back,) = step_back(*given_back)
        if checkpoints[-1][0] == last:
            checkpoints.pop()
    return (*back,)


def counted_while(state, outside):
    checkpoints, number, stride = [], 0, STRIDE
    while GOES_ON:
        if number % stride == 0:
            checkpoints.append((number, *kept))
            if len(checkpoints) > MOST:
                stride *= 2
                checkpoints = checkpoints[::2]
        *state, done = step(*given, *first)
        number += 1
        if done:
            break
    return *state, number, checkpoints


def counted_for(state, outside, steps):
    checkpoints, number, stride = [], 0, STRIDE
    for target in steps:
        if number % stride == 0:
            checkpoints.append((number, *kept))
            if len(checkpoints) > MOST:
                stride *= 2
                checkpoints = checkpoints[::2]
        *state, done = step(*given, *first)
        number += 1
        if done:
            break
    return *state, number, checkpoints
