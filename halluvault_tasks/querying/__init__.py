"""Models out: the registry of servers and models, asking them, and storing every answer exactly once.

What talks to a model server belongs here (registry, transport, retries, lanes). What an answer is worth is decided
in `oracles`; what is asked is decided in `benchmark`.
"""
