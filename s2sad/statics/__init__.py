"""What has no value of its own, its structure being known while a function is lowered.

A function made inside, whose calls are lowered in place; `kinds` says what there is.
"""
