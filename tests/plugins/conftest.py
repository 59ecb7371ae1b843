"""The real server on a new data folder, and the plug-ins as downloaded from it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from upstream import Upstream

if TYPE_CHECKING:
    from gateway_server import Gateway

# The shared modules of the plug-ins, from the repository.
sys.path.insert(0, str(Path(__file__).parents[2] / "src/assistants/plugins"))

BINARY = os.environ.get("PORCHLIGHT_BIN", str(Path(__file__).parents[2] / "target/debug/porchlight"))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def until(holds: Callable[[], Any], what: str = "it", seconds: float = 20.0) -> Any:
    """Polls until another thread or process has made the condition true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = holds()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come")


async def soon(holds: Callable[[], Any], what: str = "it", seconds: float = 20.0) -> None:
    """Polls until the condition is true, without blocking the event loop."""
    end = asyncio.get_running_loop().time() + seconds
    while not await asyncio.to_thread(holds):
        assert asyncio.get_running_loop().time() < end, f"{what} did not come"
        await asyncio.sleep(0.02)


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The warnings in the log, which the plug-in's user reads."""
    return [record.getMessage() for record in caplog.records if record.name == "porchlight" and record.levelno >= logging.WARNING]


def kill_once_written(program: str, **options: Any) -> None:
    """Runs a program in its own process, and kills it once it reports that everything is on the disk."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)
    assert process.stdout is not None and process.stdout.readline() == b"written\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


# The texts of a thousand messages, in order.
A_LONG_OUTAGE = [text for number in range(500) for text in (f"question {number}", f"answer {number}")]


class Server:
    """A family with two children, and its server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.run("guardian", "add", "ada@example.org")
        for name in ("Mia", "Ben"):
            self.run("child", "add", name, "--guardian", "ada@example.org")

    def run(self, *arguments: str) -> str:
        done = subprocess.run([BINARY, "--data", str(self.folder), *arguments], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def key(self, name: str = "robot", *children: int) -> str:
        chosen = [part for child in children or (1,) for part in ("--child", str(child))]
        return str(json.loads(self.run("--json", "assistant", "add", name, *chosen))["key"])

    def start(self) -> None:
        assert self._process is None
        self._process = subprocess.Popen(
            [BINARY, "--data", str(self.folder), "serve", "--listen", f"127.0.0.1:{self.port}", "--limits", "off"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self.is_ready, "the server")
        self._token = json.loads(self.run("--json", "token", "ada@example.org"))["identity_token"]

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=1) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self, kill: bool = False) -> None:
        if self._process is not None:
            (self._process.kill if kill else self._process.terminate)()
            self._process.wait(20)
            self._process = None

    def ask(self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> Any:
        """Sends a request as the guardian."""
        request = urllib.request.Request(  # noqa: S310
            f"{self.url}/api{path}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json", **(headers or {})},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            raw = answer.read()
            return json.loads(raw) if raw else None

    def block(self, *topics: str, child: int = 1) -> None:
        self.ask("PUT", f"/child/{child}/blocked_topics", list(topics))

    def pause(self, child: int = 1, paused: bool = True) -> None:
        """Pauses talking with the child, or resumes it."""
        times = {"time_zone": "UTC", "quiet_hours": []}
        self.ask("PUT", f"/child/{child}/times", {**times, "pause": {}} if paused else times)

    def limit(self, minutes: int | None, child: int = 1, paused: bool = False) -> None:
        """Sets or removes the daily limit. It is noon where the child is, so that a test doesn't run into the next day."""
        hours = time.gmtime().tm_hour - 12
        times: dict[str, Any] = {"time_zone": f"Etc/GMT{hours:+d}", "quiet_hours": []}
        limit = {} if minutes is None else {"minutes_a_day": minutes}
        self.ask("PUT", f"/child/{child}/times", {**times, **limit, **({"pause": {}} if paused else {})})

    @property
    def version(self) -> str:
        return self.run("--version").split()[-1]

    def plugin(self) -> str | None:
        """The plug-in with its version, as shown with the first child's only assistant."""
        [connection] = self.ask("GET", "/child/1/connections")["items"]
        plugin = connection.get("plugin")
        return f"{plugin['name']} {plugin['version']}" if plugin and not plugin["is_older"] else None

    def receipts(self, child: int = 1) -> list[tuple[str, str | None]]:
        """The receipts of the rules, by session."""
        listed = self.ask("GET", f"/sessions?child_id={child}")["sessions"]
        answers = [self.ask("GET", f"/sessions/{session['session_id']}/receipts") for session in reversed(listed)]
        return [(receipt["evidence"], receipt.get("refused")) for answer in answers for receipt in answer["items"]]

    def messages(self, child: int = 1) -> list[dict[str, Any]]:
        """The messages of all sessions of a child, by session, oldest first."""
        listed = self.ask("GET", f"/sessions?child_id={child}")["sessions"]
        found: list[dict[str, Any]] = []
        for session in reversed(listed):
            path = f"/sessions/{session['session_id']}/messages"
            page = self.ask("GET", path)
            found.extend(page["messages"])
            while "next" in page:
                page = self.ask("GET", f"{path}?after={page['next']}")
                found.extend(page["messages"])
        return found

    def texts(self, child: int = 1) -> list[str]:
        return [str(message["text_content"]) for message in self.messages(child)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data")
    running.start()
    yield running
    running.stop()


@pytest.fixture
def gateway(server: Server) -> Iterator[Gateway]:
    """The server's gateway in front of a scripted model server."""
    from gateway_server import Gateway

    upstream = Upstream()
    yield Gateway(server, upstream)
    upstream.close()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Sets the environment variables of a plug-in."""

    def choose(key: str, **others: str) -> None:
        monkeypatch.setenv("PORCHLIGHT_FOLDER", str(tmp_path / "queue"))
        monkeypatch.setenv("PORCHLIGHT_KEY", key)
        for name, value in others.items():
            monkeypatch.setenv(f"PORCHLIGHT_{name}", value)

    return choose


def load(path: Path) -> Any:
    """Imports a downloaded plug-in."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hand_out(tmp_path: Path) -> Iterator[Callable[[str, str], Any]]:
    """Writes a plug-in for an address, and imports it. Its threads end with the test."""
    loaded: list[Any] = []

    def write(stack: str, url: str) -> Any:
        folder = tmp_path / "handed-out"
        command = [BINARY, "--json", "assistant", "plugin", stack, "--output", str(folder), "--public-url", url]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        loaded.append(load(Path(json.loads(done.stdout)["path"])))
        return loaded[-1]

    yield write
    from_pipecat = sys.modules.get("pipecat.utils.startup")
    loaded.extend(getattr(from_pipecat, "_module_cache", {}).values())
    for module in loaded:
        module.close_connections()
