"""The connection to Porchlight's server: settings, HTTP calls, and the meaning of their responses.

The modules in this folder use only the standard library. They are inlined into each plug-in that is downloaded, so their
top-level names must differ from each other's. They have no dataclasses: Pipecat loads a plug-in without registering its
module, which those need.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import logging
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

log = logging.getLogger("porchlight")

# In a downloaded plug-in, the server has filled in its own address, the plug-in's name with the server's version, and the topics that
# are blocked for every child.
ADDRESS = "http://127.0.0.1:8080"
USER_AGENT = "porchlight-plugin/0"
MANDATORY_RULES = "You are talking with a child. Keep away from every topic that is not for children."

# The maximum size of the queue on the disk, in bytes: far more than a family says in a year.
MOST_ON_DISK = 256 * 1024 * 1024

# The maximum size of a response, in bytes. Porchlight sends no larger ones.
LARGEST_ANSWER = 4 * 1024 * 1024

# A larger difference between the clocks, in seconds, is reported, because it makes the times in the transcript wrong.
CLOCK_TOLERANCE = 300


class Settings(NamedTuple):
    """The settings; by default from the environment."""

    url: str = ADDRESS
    key: str = ""
    child: int | None = None
    without_rules: Literal["talk", "silent"] = "talk"
    folder: Path = Path()
    device: str | None = None
    # How the log refers to the settings for the address, the key and the child.
    url_at: str = "PORCHLIGHT_URL"
    key_at: str = "PORCHLIGHT_KEY"
    child_at: str = "PORCHLIGHT_CHILD"

    def __repr__(self) -> str:
        # Without the key.
        return f"Settings({self.url})"

    @classmethod
    def from_environment(cls) -> Settings:
        """Reads ``PORCHLIGHT_URL``, ``_KEY``, ``_CHILD``, ``_WITHOUT_RULES``, ``_FOLDER`` and ``_DEVICE``."""

        def read(name: str) -> str:
            return os.environ.get(f"PORCHLIGHT_{name}", "").strip()

        child, without = read("CHILD"), read("WITHOUT_RULES") or "talk"
        if child and not child.isdecimal():
            log.warning("PORCHLIGHT_CHILD must be a child's number, such as 1. It is ignored.")
            child = ""
        if without not in ("talk", "silent"):
            log.warning("PORCHLIGHT_WITHOUT_RULES must be talk or silent. It counts as silent.")
        return cls(
            url=read("URL") or ADDRESS,
            key=read("KEY"),
            child=int(child) if child else None,
            without_rules="talk" if without == "talk" else "silent",
            folder=Path(read("FOLDER")) if read("FOLDER") else default_folder(),
            device=read("DEVICE")[:64] or None,
        )

    @property
    def usable_key(self) -> bool:
        """Whether the key can be sent in a header."""
        return bool(self.key) and self.key.isascii() and self.key.isprintable() and " " not in self.key

    @property
    def queue_name(self) -> str:
        """The name of this key's files. Each key has its own queue, so that a 404 for another key discards no message of this one."""
        return hashlib.sha256(f"{self.url}\n{self.key}".encode()).hexdigest()[:20]


def default_folder() -> Path:
    """The default folder of the queue."""
    state = os.environ.get("XDG_STATE_HOME")
    try:
        return (Path(state) if state else Path.home() / ".local" / "state") / "porchlight"
    except RuntimeError:  # no home folder
        return Path("porchlight-queue").absolute()


class Notices:
    """Logs a problem once when it begins, and once when it is resolved."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._standing: dict[str, str] = {}
        # Set once the connection was ended on purpose: failing calls are expected then.
        self.silent = False

    def say(self, about: str, line: str) -> None:
        """Logs the line, unless the last line about this was the same up to its brackets: while a server is down, attempts fail with
        different details."""
        plain = line.partition(" (")[0]
        with self._lock:
            if self.silent or self._standing.get(about) == plain:
                return
            self._standing[about] = plain
        log.warning("%s", line)

    @property
    def standing(self) -> list[str]:
        """What the problems are about that aren't resolved."""
        with self._lock:
            return sorted(self._standing)

    def settle(self, about: str, line: str | None = None) -> None:
        """Logs that a problem is resolved."""
        with self._lock:
            was = self._standing.pop(about, None)
        if was is not None and line:
            log.info("%s", line)


class HttpAnswer(NamedTuple):
    """A response; ``status`` is 0 if none came."""

    status: int
    body: dict[str, Any] | None = None
    etag: str | None = None
    retry_after: float = 0.0
    problem: str = ""
    seconds: float = 0.0

    @property
    def verdict(self) -> Literal["done", "later", "refused"]:
        """Whether to retry. Only an error response by Porchlight itself is final.

        A wrong address, a proxy's error page or a captive portal must not lose messages.
        """
        if 200 <= self.status < 300 and self.body is not None:
            return "done"
        of_porchlight = self.body is not None and isinstance(self.body.get("detail"), str)
        if 400 <= self.status < 500 and self.status not in (401, 403, 408, 421, 429):
            return "refused" if of_porchlight else "later"
        return "later"

    @property
    def detail(self) -> str:
        """The server's error message, which never quotes the request."""
        detail = (self.body or {}).get("detail")
        return " ".join(detail.split())[:300] if isinstance(detail, str) else ""


class HttpClient:
    """Sends requests to the server with one key. Only for background threads, because it blocks."""

    def __init__(self, settings: Settings, notices: Notices, key_refused: Callable[[], None] | None = None) -> None:
        self._settings = settings
        self._notices = notices
        self._key_refused = key_refused
        self._closed = False
        self._calls: set[http.client.HTTPConnection] = set()
        url = settings.url if "://" in settings.url else f"http://{settings.url}"
        parts = urlsplit(url.rstrip("/"))
        self._tls = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port
        self._prefix = parts.path

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        etag: str | None = None,
        timeout: float = 15.0,
    ) -> HttpAnswer:
        """Sends one request. Never raises: the answer contains any error."""
        begun = time.monotonic()
        headers = {"Authorization": f"Bearer {self._settings.key}", "Accept": "application/json", "User-Agent": USER_AGENT}
        sent = None
        if body is not None:
            sent = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            headers["Content-Type"] = "application/json"
        if etag:
            headers["If-None-Match"] = etag
        connection: http.client.HTTPConnection | None = None
        try:
            connection = self._connect(timeout)
            self._calls.add(connection)
            connection.connect()
            if self._closed:
                raise ConnectionAbortedError
            connection.request(method, f"{self._prefix}/api/assistant{path}", sent, headers)
            answer = self._read(connection.getresponse(), begun)
        except (OSError, http.client.HTTPException, ValueError) as error:
            answer = HttpAnswer(0, problem=type(error).__name__, seconds=time.monotonic() - begun)
        finally:
            if connection is not None:
                self._calls.discard(connection)
                connection.close()
        if answer.status == 401 and self._key_refused is not None:
            self._key_refused()
        return answer

    def close(self) -> None:
        """Aborts the requests in progress, and sends no more."""
        self._closed = self._notices.silent = True
        for connection in list(self._calls):
            with contextlib.suppress(OSError, AttributeError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        if self._tls:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)

    def _read(self, response: http.client.HTTPResponse, begun: float) -> HttpAnswer:
        raw = response.read(LARGEST_ANSWER)
        self._check_clock(response.getheader("Date"))
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = None
        wait = response.getheader("Retry-After") or ""
        return HttpAnswer(
            status=response.status,
            body=body if isinstance(body, dict) else None,
            etag=response.getheader("ETag"),
            retry_after=min(float(wait), 3600.0) if wait.isdecimal() else 0.0,
            seconds=time.monotonic() - begun,
        )

    def _check_clock(self, date: str | None) -> None:
        try:
            server = parsedate_to_datetime(date or "").timestamp()
        except ValueError:
            return
        difference = time.time() - server
        if abs(difference) <= CLOCK_TOLERANCE:
            self._notices.settle("clock")
            return
        minutes, direction = round(abs(difference) / 60), "ahead of" if difference > 0 else "behind"
        self._notices.say(
            "clock",
            f"This machine's clock is about {minutes} minutes {direction} Porchlight's. Please set the one that is "
            "wrong. Until then the times in the transcripts are wrong; no word is lost.",
        )

    def explain(self, answer: HttpAnswer) -> str:
        """A line for the log: the problem, and how to solve it."""
        url, kept = self._settings.url, f"What is said is kept on this machine until then (at most {MOST_ON_DISK >> 20} MB)."
        if answer.status == 0:
            return f"Porchlight at {url} cannot be reached ({answer.problem}). Is it running, and is {self._settings.url_at} right? {kept}"
        if answer.status == 401:
            return (
                "Porchlight does not accept the key: it was mistyped, replaced or revoked. Make a new one with "
                f"'porchlight assistant rotate NAME', or 'porchlight assistant add NAME' if it was revoked, "
                f"put it into {self._settings.key_at} and start again. {kept}"
            )
        if answer.status == 403:
            return f"{self._settings.key_at} must be an assistant's key, from 'porchlight assistant add'. {kept}"
        if answer.status == 421:
            return f"Porchlight does not answer to the name {self._host}. Start it with '--allow-host {self._host}'. {kept}"
        if answer.status == 429:
            return f"Porchlight takes no more for now: {answer.detail or 'too many requests.'} It goes on by itself. {kept}"
        if answer.detail:
            return f"Porchlight cannot take it now ({answer.status}): {answer.detail} {kept}"
        return f"Something else than Porchlight answers at {url} (status {answer.status}). Is {self._settings.url_at} right? {kept}"
