"""The embedded default: Postgres, a SPARQL endpoint, simulated model servers, and the demo that joins them.

Put here what stands in for the outside world on one machine. Real servers differ only in configuration.
"""
