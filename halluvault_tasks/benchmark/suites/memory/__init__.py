"""Memory consistency, internal."""
