"""Content ids, and draws that are the same on every machine: both are hashes."""

import hashlib
import json


def content_id(*parts: object) -> str:
    """First 16 hex digits of the sha256 of the parts, as JSON: no two lists of parts read alike."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]


def drawn(seed: int, *key: object) -> str:
    """A seeded order that is the same on every machine: sha256 of seed and key."""
    return hashlib.sha256(f"{seed}:{'|'.join(map(str, key))}".encode()).hexdigest()
