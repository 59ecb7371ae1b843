"""Porchlight's webhook, as the library of Standard Webhooks verifies it."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, until
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

KEY = "whsec_" + base64.b64encode(b"porchlight's key of 32 bytes ...").decode()


class Receiver(ThreadingHTTPServer):
    """Keeps the headers and the bodies of requests. Answers the first with 503."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.received: list[tuple[dict[str, str], bytes]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.received.append((dict(self.headers.items()), body))
        self.send_response(503 if len(self.server.received) == 1 else 204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.shutdown()


def test_the_library_accepts_each_try_and_recognizes_a_repetition(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_file = tmp_path / "key"
    key_file.write_text(KEY + "\n")
    monkeypatch.setenv("PORCHLIGHT_WEBHOOK", f"http://127.0.0.1:{receiver.server_port}/hook")
    monkeypatch.setenv("PORCHLIGHT_WEBHOOK_KEY_FILE", str(key_file))
    server = Server(tmp_path / "data")
    key = server.key()
    server.start()
    try:
        server.ask("PUT", "/child/1/watched_phrases", [{"words": "our secret", "side": "assistant"}])
        message = {"message_id": "1", "source": "assistant", "text_content": "It is our secret."}
        delivery = {"session": "one", "messages": [message]}
        server.ask("POST", "/assistant/deliveries", delivery, {"Authorization": f"Bearer {key}"})
        until(lambda: len(receiver.received) == 2, "the second try", 40)
    finally:
        server.stop()

    (first, body), (second, again) = receiver.received
    for headers, payload in receiver.received:
        event = Webhook(KEY).verify(payload, headers)
        assert event["type"] == "alert.created"
        assert event["data"]["kind"] == "phrase"
        assert event["data"]["child_id"] == 1
    assert (first["webhook-id"], body) == (second["webhook-id"], again)
    assert int(second["webhook-timestamp"]) > int(first["webhook-timestamp"])
    assert "secret" not in json.dumps([first, second]) and b"secret" not in body
    with pytest.raises(WebhookVerificationError):
        Webhook(KEY).verify(body + b" ", first)
