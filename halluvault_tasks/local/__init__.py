"""The embedded default: Postgres, a SPARQL endpoint, simulated model servers, and the demo that joins them.

What replaces the outside world on one machine belongs here. Real servers differ only in configuration.
"""
