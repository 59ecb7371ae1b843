"""A plug-in's interface to one conversation: it passes what was said, and gets the rules in force."""

from __future__ import annotations

import atexit
import contextlib
import importlib.metadata
import os
import re
import threading
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any, Literal

from porchlight_shared.http_client import HttpClient, Notices, Settings, log
from porchlight_shared.queue import LONGEST_ID, DeliveryQueue, Entry, EntryKind, other_id
from porchlight_shared.rules import EVERY_CHILD, Rules, RulesWatcher

Evidence = Literal["fetched", "set", "in_prompt"]

# How long the first conversation may wait at its start for the first rules, in seconds.
FIRST_RULES = 1.0

# The server's limit for a message's text, in bytes.
LONGEST_TEXT = 64 * 1024

# The times that the server accepts: from 2000 on (in seconds since 1970), and at most this many seconds in the future.
EARLIEST = 946_684_800.0
LATEST = 600.0

# How many messages of a conversation are remembered, to recognise repeated ones.
MOST_REMEMBERED = 1_000


class Porchlight:
    """The connection with one key: a queue, and the rules of the key's children."""

    def __init__(self, settings: Settings, first_pause: float = 1.0, key_refused: Callable[[], None] | None = None) -> None:
        self.settings = settings
        self.notices = Notices()
        self._client = HttpClient(settings, self.notices, key_refused)
        self._closed = False
        self._lock = threading.Lock()
        self._watchers: dict[int, RulesWatcher] = {}
        usable = settings.usable_key
        self._queue = DeliveryQueue(settings, self._client, self.notices, first_pause) if usable else None
        # Kept from an earlier run, so that a start without the server knows its child.
        self._children: list[int] = (self._queue.read_note("children") or []) if self._queue else []
        self._names: dict[str, int | None] = (self._queue.read_note("names") or {}) if self._queue else {}
        self._children_asked = threading.Event()
        self._asker = threading.Thread(target=self._ask_for_children, name="porchlight-children", daemon=True)
        if usable:
            self._asker.start()
        else:
            self._children_asked.set()
            self.notices.say(
                "key",
                "PORCHLIGHT_KEY is not set, or is no key: nothing is delivered and no rules are fetched. Please set it to the key that "
                "'porchlight assistant add' printed.",
            )

    @property
    def queue(self) -> DeliveryQueue | None:
        """The queue; None without a key."""
        return self._queue

    def rules_of(self, child: int) -> RulesWatcher:
        """The rules of a child."""
        with self._lock:
            if child not in self._watchers:
                self._watchers[child] = RulesWatcher(self.settings, self._client, self.notices, self._queue, child)
            return self._watchers[child]

    def conversation(
        self, name: str | None = None, child: int | None = None, device: str | None = None, wait: float = FIRST_RULES
    ) -> Conversation:
        """Begins a conversation. If this must not block, ``wait`` is 0 and the child is given."""
        return Conversation(self, name or str(uuid.uuid4()), self._choose(child), device or self.settings.device, wait)

    def close(self, timeout: float = 2.0) -> None:
        """Writes the remaining entries to the disk, and ends the threads."""
        self._closed = True
        with self._lock:
            watchers = list(self._watchers.values())
        for watcher in watchers:
            watcher.close()
        if self._queue is not None:
            self._queue.close(timeout)
        self._client.close()
        if self._queue is not None:
            self._queue.close(timeout)  # its call has just been ended
        if self._asker.is_alive():
            self._asker.join(timeout)
        for watcher in watchers:
            watcher.join(timeout)

    def _ask_for_children(self) -> None:
        """Fetches the key's children and the rules of each, because any of them may speak next."""
        answer = self._client.call("GET", "", timeout=10.0)
        body = answer.body or {}
        listed = body.get("children")
        if answer.status == 200 and isinstance(listed, list):
            known = [one for one in listed if isinstance(one, dict) and "child_id" in one]
            self._children = [int(one["child_id"]) for one in known]
            self._names = names_of(known)
            if self._queue is not None:
                self._queue.keep_note("children", self._children)
                self._queue.keep_note("names", self._names)
                if isinstance(body.get("name"), str):
                    self._queue.adopt(body["name"], self._children)
        elif answer.verdict == "later":
            self.notices.say("server", self._client.explain(answer))
        self._children_asked.set()
        for child in self._children:
            if not self._closed:
                self.rules_of(child)

    def child_named(self, name: str) -> int | None:
        """The child with this name; None if no child or several have it."""
        return self._names.get(folded(name))

    def _choose(self, child: int | None) -> int:
        """The given child, or the only one of this key."""
        chosen = child or self.settings.child
        if chosen or self._queue is None:
            return chosen or EVERY_CHILD
        self._children_asked.wait(0.0 if self._children else FIRST_RULES)
        known = self._children
        if not known:
            return EVERY_CHILD
        if len(known) == 1:
            return known[0]
        numbers = ", ".join(str(number) for number in known)
        self.notices.say(
            "child",
            f"The key is for several children ({numbers}). Please set PORCHLIGHT_CHILD to one of them: until then no words are delivered, "
            "and the rules of all of them together are in force.",
        )
        return EVERY_CHILD


class Conversation:
    """One conversation. No method raises, waits for the network or touches the disk."""

    def __init__(self, porchlight: Porchlight, name: str, child: int, device: str | None, wait: float = FIRST_RULES) -> None:
        self._porchlight = porchlight
        self.name = clean_name(name)
        self.child = child
        self._device = device
        self._watcher = porchlight.rules_of(child)
        self._watcher.wait_for_first(wait)
        self._begun: set[int] = set()
        self._receipts: dict[int, tuple[str, Evidence, str | None]] = {}
        self._heard: dict[tuple[str, int], tuple[str, float | None]] = {}
        self._listener: Callable[[], None] | None = None
        self._unlisten: Callable[[], None] = lambda: None

    @property
    def rules(self) -> Rules:
        """The rules in force now."""
        return self._watcher.now()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Calls the listener, in another thread, when the rules have changed."""
        self._unlisten()
        self._listener = listener
        self._unlisten = self._watcher.listen(listener)

    def switch_child(self, child: int) -> None:
        """Switches to another child's transcript and rules."""
        if child == self.child:
            return
        self.child = child
        self._watcher = self._porchlight.rules_of(child)
        if self._listener is not None:
            self.on_change(self._listener)
            self._listener()

    def heard(
        self,
        message_id: str,
        by_assistant: bool,
        text: str,
        at: float | None = None,
        *,
        interrupted: bool = False,
        revision: int = 0,
        speaker: str | None = None,
        child: int | None = None,
    ) -> None:
        """Queues what one side said and the other heard. Ignores empty text."""
        if not text.strip():
            return
        body: dict[str, Any] = {
            "message_id": self._unique_id(message_id, revision, text, at),
            "source": "assistant" if by_assistant else "child",
            "text_content": text.encode("utf-8", "replace")[:LONGEST_TEXT].decode("utf-8", "ignore"),
            "timestamp": timestamp(at),
        }
        if interrupted:
            body["interrupted"] = True
        if revision:
            body["revision"] = revision
        if speaker:
            body["speaker"] = speaker[:200]
        self._add("message", body, child)

    def _unique_id(self, message_id: str, revision: int, text: str, at: float | None) -> str:
        """The id, or another one if a different message has it: some frameworks restart their ids within a conversation."""
        said = (text, at)
        if self._heard.setdefault((message_id, revision), said) == said:
            if len(self._heard) > MOST_REMEMBERED:
                del self._heard[next(iter(self._heard))]
            return message_id[:LONGEST_ID]
        return other_id(message_id, f"{text}\n{at}")

    def report(self, version: str | None, evidence: Evidence, refused: str | None = None) -> None:
        """Reports the rules that the conversation follows, once for each change. Rules that the server didn't send have no version."""
        claim = (version or "", evidence, refused)
        if version is None or self._receipts.get(self.child) == claim:
            return
        self._receipts[self.child] = claim
        body: dict[str, Any] = {"version": version, "at": timestamp(None), "evidence": evidence}
        if refused:
            body["refused"] = refused[:200]
        self._add("receipt", body)

    def end(self, at: float | None = None) -> None:
        """Ends the conversation."""
        self._unlisten()
        for child in self._begun:
            self._add("completion", {"end_time": timestamp(at)}, child)

    def _add(self, kind: EntryKind, body: dict[str, Any], child: int | None = None) -> None:
        child = child or self.child
        queue = self._porchlight.queue
        if queue is None or child == EVERY_CHILD:
            return
        if child not in self._begun and self._device:
            queue.add(Entry(child, self.name, "session", {"device": self._device}))
        self._begun.add(child)
        queue.add(Entry(child, self.name, kind, body))


def folded(name: str) -> str:
    """A name for comparing: without case and surrounding spaces."""
    return name.strip().casefold()


def names_of(children: list[dict[str, Any]]) -> dict[str, int | None]:
    """The children by name; None stands for a name that two of them have."""
    names: dict[str, int | None] = {}
    for one in children:
        name = folded(str(one.get("name", "")))
        names[name] = None if name in names else int(one["child_id"])
    names.pop("", None)
    return names


def clean_name(name: str) -> str:
    """A session's name in the form that the server accepts."""
    return "".join(one if one.isascii() and (one.isalnum() or one in "._:-") else "_" for one in name)[:128] or "_"


def timestamp(at: float | None) -> str:
    """Formats a time as RFC 3339 in UTC. An impossible time, such as one in milliseconds, is replaced by the current one."""
    now = time.time()
    moment = datetime.fromtimestamp(at if at is not None and EARLIEST <= at <= now + LATEST else now, timezone.utc)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def is_supported(package: str, oldest: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """Whether this plug-in was tested with the installed version of a package; logs a warning if not."""
    try:
        installed = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return True  # it was not installed as a package
    numbers = tuple(int(part) for part in re.findall(r"\d+", installed.partition("+")[0])[:3])
    # A pre-release of the first version that is not supported has its number already.
    if oldest <= numbers < before:
        return True
    log.warning(
        "Porchlight's plug-in does nothing: it needs %s from %s on and before %s, and %s is installed. No rules are in force and nothing "
        "is delivered.",
        package,
        ".".join(map(str, oldest)),
        ".".join(map(str, before)),
        installed,
    )
    return False


_connections: dict[tuple[int, str], Porchlight] = {}
_connections_lock = threading.Lock()


def connect(settings: Settings | None = None) -> Porchlight:
    """This process's connection for a key. A forked process gets its own."""
    settings = settings or Settings.from_environment()
    name = (os.getpid(), f"{settings.queue_name} {settings.child} {settings.without_rules}")
    with _connections_lock:
        if name not in _connections:
            _connections[name] = Porchlight(settings)
        return _connections[name]


@atexit.register
def close_connections() -> None:
    """Writes the remaining entries to the disk before the process ends."""
    for (process, _), porchlight in list(_connections.items()):
        if process == os.getpid():
            with contextlib.suppress(Exception):
                porchlight.close()


def guarded(action: Callable[..., None]) -> Callable[..., None]:
    """Wraps a plug-in's handler: its errors are logged and don't disturb the conversation."""

    def run(*arguments: Any, **named: Any) -> None:
        try:
            action(*arguments, **named)
        except Exception as error:  # noqa: BLE001
            # Without the error's text, which may contain what was said.
            log.warning(
                "Porchlight's plug-in failed in %s (%s). The conversation goes on without it.", action.__name__, type(error).__name__
            )

    return run
