"""Loops: what their passes save, schedules, iterators."""
