"""Draws that are the same on every machine."""

import hashlib


def drawn(seed: int, *key: object) -> str:
    """A seeded order: sha256 of seed and key, as hex digits."""
    return hashlib.sha256(f"{seed}:{'|'.join(map(str, key))}".encode()).hexdigest()
