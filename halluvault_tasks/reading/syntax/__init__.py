"""The reader `syntax`: claims from a dependency parse and typed arguments."""
