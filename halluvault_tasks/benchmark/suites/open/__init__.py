"""Open: facts with one answer, asked so that it must be named."""
