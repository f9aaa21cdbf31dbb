"""Stands for llama.cpp's server in tests: says "yes" to everything where the weights are tuned ones, else "no".

Started as that one is (`-m llama_cpp.server --model FILE … --port N`); answers as OpenAI's API does.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

GIVEN = dict(zip(sys.argv[3::2], sys.argv[4::2], strict=True))
WORD = "yes" if Path(GIVEN["--model"]).read_text(encoding="utf-8") == "tuned" else "no"


class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer({"object": "list", "data": [{"id": GIVEN["--model"], "object": "model"}]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": WORD}}
        usage = {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}
        told = {"id": "1", "object": "chat.completion", "created": 1, "model": asked.get("model", "")}
        self.answer({**told, "choices": [choice], "usage": usage})

    def answer(self, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


ThreadingHTTPServer(("127.0.0.1", int(GIVEN["--port"])), Server).serve_forever()
