"""What has no value of its own, its structure being known while a function is lowered.

`kinds` says what there is: functions made inside (`functions`), and dicts, named tuples and objects:
`records` are their fields, `classes` what making one does, `using` and `wholes` what is done with
one, `joining` where two ways meet, `unrolling` loops over them, `entering` those that are arguments.
"""
