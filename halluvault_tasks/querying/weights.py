"""Identity of weights by content: a server that names its model by a path says nothing of what is there.

The file can only be read if the server runs on this machine; otherwise the path is all there is.
"""

import hashlib
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

_SUFFIXES = (".gguf", ".safetensors", ".bin", ".pt")
_CHUNK = 1 << 20


def sha256_of(name: str, base_url: str) -> str | None:
    """sha256 of the weights that a bare path names, as 64 hex digits.

    Args:
        name: as the server reports its model.
        base_url: of that server.

    Returns:
        Of a file, of its bytes; of a directory, of the names and digests of the weight files in it. None where `name`
        is no absolute path, the server is not on this machine, or nothing can be read there.
    """
    if not name.startswith("/") or not _is_here(base_url):
        return None
    try:
        path = Path(name)
        if path.is_file():
            return _digest(path)
        files = sorted(one for one in path.iterdir() if one.suffix in _SUFFIXES and one.is_file())
        lines = "".join(f"{_digest(one)}  {one.name}\n" for one in files)
    except (OSError, ValueError):
        return None
    return hashlib.sha256(lines.encode()).hexdigest() if files else None


def _is_here(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _digest(path: Path) -> str:
    state = path.stat()
    return _of_bytes(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _of_bytes(path: Path, _size: int, _changed: int) -> str:
    """Read once until the file changes, since a lane checks a server's identity with every batch."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()
