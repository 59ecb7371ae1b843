"""A scripted model server with OpenAI's and Ollama's APIs."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "family-model"
STARTED = "2026-11-21T18:00:00Z"


@dataclass
class Answer:
    """What the model says, or the tool that it calls. `stalls` leaves the end out, and waits until the client is gone."""

    text: str = ""
    tool: str | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    stalls: bool = False

    @property
    def words(self) -> list[str]:
        return [word if number == 0 else f" {word}" for number, word in enumerate(self.text.split(" "))]


class _Server(ThreadingHTTPServer):
    """Waits for the threads of its requests when it is closed."""

    daemon_threads = False

    def __init__(self, *args: Any) -> None:
        self._connections: list[socket.socket] = []
        super().__init__(*args)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._connections.append(connection)
        return connection, address

    def end_connections(self) -> None:
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class Upstream:
    """Gives the answers in their order, each to one request."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answers: list[Answer] = []
        owner = self

        class Handler(_Handler):
            upstream = owner

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def close(self) -> None:
        """Leaves no thread behind, which Home Assistant's own tests would take for a fault."""
        self._server.shutdown()
        self._thread.join()
        self._server.end_connections()
        self._server.server_close()

    def says(self, *answers: str | Answer) -> None:
        self.answers.extend(Answer(answer) if isinstance(answer, str) else answer for answer in answers)

    @property
    def prompts(self) -> list[str]:
        """The system messages, by request."""
        contents = []
        for request in self.requests:
            [content] = [message["content"] for message in request["messages"] if message["role"] in ("system", "developer")]
            contents.append(content if isinstance(content, str) else content[-1]["text"])
        return contents


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    upstream: Upstream

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:  # noqa: N802
        if self.path == "/v1/models":
            self._json({"object": "list", "data": [{"id": MODEL, "object": "model", "created": 1763748000, "owned_by": "home"}]})
        elif self.path == "/api/tags":
            listed = {"name": MODEL, "model": MODEL, "modified_at": STARTED, "size": 1, "digest": "0", "details": {"family": "llama"}}
            self._json({"models": [listed]})
        elif self.path == "/api/version":
            self._json({"version": "0.13.0"})
        else:
            self.send_error(404)

    def do_POST(self) -> None:  # noqa: N802
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/show":
            details = {"family": "llama", "parameter_size": "8B", "quantization_level": "Q4_0"}
            self._json({"details": details, "model_info": {}, "capabilities": ["completion", "tools"], "modified_at": STARTED})
            return
        self.upstream.requests.append(body)
        answer = self.upstream.answers.pop(0)
        if self.path == "/api/chat":
            if body.get("stream", True):
                self._stream("application/x-ndjson", (json.dumps(line) + "\n" for line in _lines(answer)), answer.stalls)
            else:
                self._json({**_line(_message(answer)), **_DONE})
        elif body.get("stream"):
            self._stream("text/event-stream", (f"data: {data}\n\n" for data in _events(answer)), answer.stalls)
        else:
            finish = "tool_calls" if answer.tool else "stop"
            choice = {"index": 0, "message": _openai_message(answer), "finish_reason": finish}
            self._json(_completion("chat.completion", choice))

    def _json(self, value: Any) -> None:
        raw = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _stream(self, content_type: str, pieces: Iterator[str], stalls: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            raw = piece.encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        if stalls:
            self.rfile.read(1)
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")


def _completion(kind: str, choice: dict[str, Any]) -> dict[str, Any]:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole = {"usage": usage} if kind == "chat.completion" else {}
    return {"id": "chatcmpl-1", "object": kind, "created": 1763748000, "model": MODEL, "choices": [choice], **whole}


def _call(answer: Answer) -> dict[str, Any]:
    function = {"name": answer.tool, "arguments": json.dumps(answer.arguments)}
    return {"id": "call_1", "type": "function", "function": function}


def _openai_message(answer: Answer) -> dict[str, Any]:
    if answer.tool:
        return {"role": "assistant", "content": None, "tool_calls": [_call(answer)]}
    return {"role": "assistant", "content": answer.text}


def _events(answer: Answer) -> Iterator[str]:
    if answer.tool:
        deltas: list[dict[str, Any]] = [{"role": "assistant", "tool_calls": [{"index": 0, **_call(answer)}]}]
    else:
        deltas = [{"role": "assistant", "content": ""}, *({"content": word} for word in answer.words)]
    for delta in deltas:
        yield json.dumps(_completion("chat.completion.chunk", {"index": 0, "delta": delta, "finish_reason": None}))
    if not answer.stalls:
        finish = "tool_calls" if answer.tool else "stop"
        yield json.dumps(_completion("chat.completion.chunk", {"index": 0, "delta": {}, "finish_reason": finish}))
        yield "[DONE]"


_DONE = {"done": True, "done_reason": "stop", "total_duration": 1, "eval_count": 1}


def _line(message: dict[str, Any]) -> dict[str, Any]:
    return {"model": MODEL, "created_at": STARTED, "message": message, "done": False}


def _message(answer: Answer) -> dict[str, Any]:
    if answer.tool:
        call = {"function": {"name": answer.tool, "arguments": answer.arguments}}
        return {"role": "assistant", "content": "", "tool_calls": [call]}
    return {"role": "assistant", "content": answer.text}


def _lines(answer: Answer) -> Iterator[dict[str, Any]]:
    pieces = [_message(answer)] if answer.tool else [{"role": "assistant", "content": word} for word in answer.words]
    yield from map(_line, pieces)
    if not answer.stalls:
        yield {**_line({"role": "assistant", "content": ""}), **_DONE}
