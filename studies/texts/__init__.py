"""The texts that versions of the reader were decided by, and the evidence that they are judged by (README.md)."""
