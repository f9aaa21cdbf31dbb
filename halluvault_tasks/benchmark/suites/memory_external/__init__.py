"""Memory consistency, external."""
