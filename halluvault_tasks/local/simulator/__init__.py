"""Simulated text-generation-inference servers, true to the protocol; planted, seeded, and named so.

`python -m halluvault_tasks.local.simulator --help` runs one; `server.serving` runs one inside a test.
"""
