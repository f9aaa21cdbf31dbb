"""Closed classes of English words, written as one string."""


def wordset(words: str) -> frozenset[str]:
    """The words of a string."""
    return frozenset(words.split())
