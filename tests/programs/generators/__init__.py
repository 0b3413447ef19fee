"""Generators and iterators."""
