"""Simulated text-generation-inference servers, to the letter of the protocol; planted, seeded, and called so.

`python -m halluvault_tasks.local.simulator --help` runs one; `server.serving` runs one inside a test.
"""
