"""A SPARQL 1.1 Protocol endpoint over pyoxigraph, for one machine: the bundled sample, or an RDF file.

Queries come by GET or by POST (urlencoded, or application/sparql-query) to /sparql; results go out as JSON unless the
Accept header asks for XML, CSV or TSV, graphs as N-Triples, Turtle or RDF/XML. Each query runs in a worker process;
one that runs into the deadline is ended with its worker, and the client gets Wikidata's own answer to that: HTTP 500
with a TimeoutException. The header Server-Timing tells the endpoint's own time
in milliseconds, by the clock and of the processor. GET /health says what is served.

Faults, for tests: --faults, or while it runs (from this machine alone) POST /faults with the same text; GET /faults
shows them and DELETE /faults ends them.
"""

import argparse
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import endpoint_faults
from halluvault_tasks.local.endpoint_http import Endpoint
from halluvault_tasks.local.endpoint_store import QueryAnswer, Served, load_file, load_sample
from halluvault_tasks.local.sample import CHECKED, FOLDER

_SAMPLES = {"drawn": FOLDER, "checked": CHECKED}

__all__ = ["Endpoint", "QueryAnswer", "Served", "load_file", "load_sample", "main"]

_log = logging.getLogger(__name__)

_FAULTS = "\n".join(f"  {kind:10} {what}" for kind, what in (endpoint_faults.PASSING | endpoint_faults.LASTING).items())
_EPILOG = f"""\
FAULTS is rate=SHARE,kinds=KIND+KIND,seed=N,retry_after=S,drip=S, each part optional. The share of requests (0) goes
wrong, kinds drawn evenly by the seed (0), the query and how often it came before; without kinds, all but the last:

{_FAULTS}

retry_after (1) is what a 429 says; drip (90) is how many seconds a slow answer takes.

examples:
  python -m halluvault_tasks.local.endpoint --sample --port 7878
  python -m halluvault_tasks.local.endpoint --source wikidata.nt.gz --faults rate=0.1,seed=7
  curl -d rate=0.5,kinds=reset+dropped http://127.0.0.1:7878/faults
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="halluvault-endpoint",
        description=__doc__,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=7878, help="TCP port; 0 takes a free one (default 7878)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--sample",
        nargs="?",
        const="drawn",
        choices=tuple(_SAMPLES),
        help="serve a bundled sample: drawn from real Wikidata (default), or the small one checked by hand",
    )
    what.add_argument("--source", type=Path, metavar="FILE", help="serve an RDF file (.nt, .nt.gz, .ttl, .ttl.gz)")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="queries that run at a time (default 2)")
    parser.add_argument("--deadline", type=float, default=60.0, metavar="S", help="seconds for one query (default 60)")
    parser.add_argument("--faults", default="", metavar="FAULTS", help="what goes wrong on purpose (default nothing)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; returns the exit status."""
    given = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        if given.workers < 1 or not given.deadline > 0:
            raise UserError(
                f"--workers {given.workers} and --deadline {given.deadline:g} must be 1 or more, and above 0"
            )
        faults = endpoint_faults.FaultDraws(endpoint_faults.parse(given.faults))
        served = load_sample(_SAMPLES[given.sample]) if given.sample else load_file(given.source)
        server = Endpoint(served, given.port, given.host, workers=given.workers, deadline=given.deadline, faults=faults)
    except UserError as error:
        sys.stderr.write(f"halluvault: {error}\n")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    _log.info("%s: %d triples at %s", served.source, served.triples, server.url)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
