"""Models out: which servers and models there are, asking them, and keeping every answer exactly once.

Put here what talks to a model server (registry, transport, retries, lanes). What an answer is worth is decided
in `oracles`; what is asked is decided in `benchmark`.
"""
