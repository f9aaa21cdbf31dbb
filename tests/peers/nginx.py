"""A real nginx on loopback before whatever is served there: a path prefix, packing, a rate limit, a read time-out."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection

from halluvault_tasks.local import processes

BINARY = Path("/usr/sbin/nginx")

_CONFIGURATION = """
daemon off;
master_process off;
error_log {folder}/error.log;
pid {folder}/pid;
events {{ worker_connections 1024; }}
http {{
    log_format times '$request_method $uri $status "$sent_http_content_encoding" $request_time $msec';
    access_log {folder}/access.log times;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {http}
    server {{
        listen 127.0.0.1:{port};
        location /llm/ {{
            proxy_pass {upstream}/;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            {location}
        }}
    }}
}}
"""

PACKED = "gzip on; gzip_min_length 1; gzip_proxied any; gzip_types application/json text/plain;"


def rate_limit(per_second: int) -> str:
    """So many requests a second, spread evenly; whatever comes sooner gets a 503 without Retry-After."""
    return f"limit_req_zone $server_port zone=all:1m rate={per_second}r/s;"


@contextmanager
def before(upstream: str, folder: Path, http: str = "", location: str = "") -> Iterator[str]:
    """Run nginx before a server.

    Args:
        upstream: its URL without a slash at the end.
        folder: for logs and temporary files.
        http: directives of the whole.
        location: directives of the one path that is passed on.

    Yields:
        The URL under which the server is reached, path prefix included.
    """
    port = processes.free_port()
    file = folder / "nginx.conf"
    file.write_text(_CONFIGURATION.format(folder=folder, port=port, upstream=upstream, http=http, location=location))
    process = subprocess.Popen([str(BINARY), "-p", str(folder), "-c", str(file)], stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < until:
            try:
                create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.02)
        else:
            raise AssertionError(f"nginx did not start: {(folder / 'error.log').read_text()[-500:]}")
        yield f"http://127.0.0.1:{port}/llm"
    finally:
        process.terminate()
        process.wait()
