"""What has no value of its own, its structure being known while a function is lowered.

`kinds` says what there is: functions made inside, and methods that are values (`functions`), and
dicts, named tuples and objects:
`records` are their fields, `classes` what making one does, `defined` those that a function
defines for itself, `using` and `wholes` what is done with
one, `joining` where two ways meet, `unrolling` loops over them, `entering` those that are arguments,
`resolving` the syntax that reads and writes their fields. Lists of objects of which nobody knows how
many there are become a list of each field: `appending` tells which these are, `tables` what is done
with them, `rows` what an item is, `through` loops over them.
"""
