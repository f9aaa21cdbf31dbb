"""Yes/no questions about time."""
