"""How hard a month's questions are, by the answers of the models asked: `halluvault results items`, and the core."""
