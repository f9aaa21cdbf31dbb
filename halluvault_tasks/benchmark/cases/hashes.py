"""Content ids."""

import hashlib
import json


def content_id(*parts: object) -> str:
    """First 16 hex digits of the sha256 of the parts, as JSON: no two lists of parts read alike."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]
