"""Lists, tuples and what is built of them: tables, queues, heaps."""
