"""A real Stanford CoreNLP server of ../shared/peers, and the same program without its models."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from tests.conftest import SHARED
from tests.require import require

FOLDER = SHARED / "peers" / "corenlp"
_UP_WITHIN = 120.0
_MAIN = "edu.stanford.nlp.pipeline.StanfordCoreNLPServer"


@contextmanager
def running() -> Iterator[str]:
    """The server with its models, as URL; they are loaded when the first sentence comes."""
    require((FOLDER / "start").is_file(), "../shared/peers/corenlp is not on this machine")
    with _started([str(FOLDER / "start")]) as url:
        yield url


@contextmanager
def without_models(*options: str) -> Iterator[str]:
    """The server's program alone: it listens at once, says that it is ready, and can read nothing."""
    jars = [jar for jar in sorted((FOLDER / "lib").glob("*.jar")) if "models" not in jar.name]
    require(jars, "../shared/peers/corenlp is not on this machine")
    with _started(["java", "-Xmx256m", "-cp", ":".join(map(str, jars)), _MAIN, "-port"], *options) as url:
        yield url


@contextmanager
def _started(command: list[str], *options: str) -> Iterator[str]:
    require(shutil.which("java"), "Java is not on this machine")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [*command, str(port), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + _UP_WITHIN
        while not _listens(url):
            assert server.poll() is None, f"CoreNLP ended with {server.returncode}"
            assert time.monotonic() < deadline, "CoreNLP did not start"
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait(30)


def _listens(url: str) -> bool:
    try:
        with urlopen(f"{url}/ping", timeout=5):
            return True
    except HTTPError:
        return True
    except (URLError, OSError):
        return False
