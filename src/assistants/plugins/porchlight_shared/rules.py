"""The rules for a child: fetched early, stored on the disk, and updated within seconds of a change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from porchlight_shared.http_client import MANDATORY_RULES, HttpAnswer, HttpClient, Notices, Settings, log
from porchlight_shared.queue import DeliveryQueue

# The server's maximum wait in long polling, in seconds, and the interval of requests if the server doesn't wait.
HOLD = 50
POLL = 3.0

GOODBYE = "Let's stop here for now. See you soon!"
ASK_A_GROWN_UP = "I can't talk just yet. Please ask a grown-up to have a look at me."

# Stands for all children of a key together.
EVERY_CHILD = 0


class Rules(NamedTuple):
    """The rules in force for a child. Without a version they didn't come from the server."""

    instructions: str
    version: str | None = None
    etag: str | None = None
    allowed: bool = True
    until: float | None = None
    goodbye: str = GOODBYE
    paused: bool = False

    @classmethod
    def never_fetched(cls, settings: Settings) -> Rules:
        """The rules until the first fetch, as configured."""
        if settings.without_rules == "talk":
            return cls(MANDATORY_RULES)
        return cls(MANDATORY_RULES, allowed=False, goodbye=ASK_A_GROWN_UP)

    @classmethod
    def from_body(cls, body: Any, etag: str | None, goodbye: str = GOODBYE) -> Rules | None:
        """Reads the body of an answer; None if it isn't one. While talking is allowed, the server sends no goodbye."""
        if not isinstance(body, dict):
            return None
        version, instructions, talk = body.get("version"), body.get("instructions"), body.get("talk")
        if not isinstance(version, str) or not isinstance(instructions, str) or not instructions.strip():
            return None
        talk = talk if isinstance(talk, dict) else {}
        return cls(
            instructions,
            version,
            etag,
            allowed=talk.get("allowed") is not False,
            until=read_time(talk.get("until")),
            goodbye=read_goodbye(body) or goodbye,
            paused=talk.get("why") == "paused",
        )

    def at(self, now: float) -> Rules:
        """The rules at a later time: quiet hours begin and end by the clock, with or without Porchlight."""
        if self.until is None or now < self.until:
            return self
        return self._replace(allowed=not self.allowed, until=None, paused=False)

    @property
    def prompt(self) -> str:
        """The text for the system prompt."""
        if self.allowed:
            return self.instructions
        return (
            f"{self.instructions}\n\nThe child may not talk with you at the moment. Whatever is said, answer only with this, in "
            f"the child's language, and do nothing else: {self.goodbye}"
        )


def read_time(value: object) -> float | None:
    """Reads an RFC 3339 timestamp as seconds since 1970."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None


def read_goodbye(body: Any) -> str | None:
    """What the child is told while talking is not allowed, in its language; None while it is allowed."""
    talk = body.get("talk") if isinstance(body, dict) else None
    goodbye = talk.get("goodbye") if isinstance(talk, dict) else None
    return goodbye if isinstance(goodbye, str) and goodbye else None


def read_seconds_left(body: Any) -> int | None:
    """What is left of the daily limit, in seconds; None without a limit."""
    talk = body.get("talk") if isinstance(body, dict) else None
    left = talk.get("seconds_left") if isinstance(talk, dict) else None
    return left if isinstance(left, int) else None


class TalkStatus(NamedTuple):
    """What a display shows of a child's rules. It may be out of date if the last request failed."""

    answers: bool
    rules: Rules
    seconds_left: int | None


class Listeners:
    """Calls its listeners when a value differs from the last one that they were told."""

    def __init__(self, told: Rules | TalkStatus) -> None:
        self._told = told
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def add(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Adds a listener. Returns a function that removes it."""
        with self._lock:
            self._listeners.append(listener)

        def remove() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return remove

    def tell(self, value: Rules | TalkStatus) -> None:
        """Calls the listeners if the value has changed."""
        with self._lock:
            if value == self._told:
                return
            self._told = value
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener()
            except Exception as error:  # noqa: BLE001 - a listener that fails while its framework closes must not end this thread
                log.debug("A listener failed: %s", type(error).__name__)


class RulesWatcher:
    """Keeps the rules of one child up to date, in its own thread."""

    def __init__(self, settings: Settings, client: HttpClient, notices: Notices, queue: DeliveryQueue | None, child: int) -> None:
        self._settings, self._client, self._notices, self._queue = settings, client, notices, queue
        self._path = "/rules" if child == EVERY_CHILD else f"/child/{child}/rules"
        self._note = f"rules {child}"
        self._rules = Rules.never_fetched(settings)
        # The last one that is right for quiet hours, which begin also while the server is away.
        self._goodbye = GOODBYE
        self._answers = False
        self._seconds_left: int | None = None
        # When it was last read, by the monotonic clock, and whether it is read again while nothing else changes.
        self._left_read: float | None = None
        self._reads_left = False
        self._stopping = threading.Event()
        self._asked = threading.Event()
        kept = queue.read_note(self._note) if queue else None
        if isinstance(kept, dict):
            goodbye = kept.get("goodbye")
            self._goodbye = goodbye if isinstance(goodbye, str) and goodbye else GOODBYE
            self._rules = Rules.from_body(kept.get("body"), kept.get("etag"), self._goodbye) or self._rules
        self._of_rules, self._of_status = Listeners(self.now()), Listeners(self.status())
        self._thread = threading.Thread(target=self._watch_forever, name=f"porchlight-rules-{child}", daemon=True)
        if settings.usable_key:
            self._thread.start()
        else:
            self._asked.set()

    def now(self) -> Rules:
        """The rules in force now, from memory."""
        return self._rules.at(time.time())

    def wait_for_first(self, timeout: float) -> None:
        """Waits for the first request to end, if no rules were ever fetched. For set-up, never during a conversation."""
        if self._rules.version is None:
            self._asked.wait(timeout)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Calls the listener, in the watcher's thread, when the rules have changed. Returns a function that stops this."""
        return self._of_rules.add(listener)

    def status(self) -> TalkStatus:
        """The rules in force now for a display, from memory."""
        return TalkStatus(self._answers, self.now(), self._seconds_left)

    def follow(self, listener: Callable[[], None], *, time_left: bool = False) -> Callable[[], None]:
        """Calls the listener, in the watcher's thread, when the status has changed. Returns a function that stops this.

        With ``time_left``, what is left of a daily limit is read about once a minute: the server answers early only when the rules
        change, and each minute of talk leaves less.
        """
        self._reads_left = self._reads_left or time_left
        return self._of_status.add(listener)

    def close(self) -> None:
        """Ends the thread, at the latest after the response that it waits for."""
        self._stopping.set()

    def join(self, timeout: float) -> None:
        """Waits until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _watch_forever(self) -> None:
        pause, hold = 0.0, HOLD
        while not self._stopping.is_set():
            # The first request doesn't wait for a change, because the server's current rules are unknown.
            held = hold if self._asked.is_set() and pause == 0.0 else 0
            path = f"{self._path}?wait={held}" if held else self._path
            # Without a tag, the server answers at once.
            etag = None if self._left_is_old() else self._rules.etag
            answer = self._client.call("GET", path, etag=etag, timeout=held + 10.0)
            if self._stopping.is_set():
                return
            if held and answer.status == 400:
                hold = 0
                continue
            pause = self._take(answer, pause)
            self._asked.set()
            self._tell()
            # A server without long polling is asked every few seconds.
            rest = pause or (POLL - answer.seconds if answer.status == 304 or not hold else 0.0)
            self._pause(max(rest, answer.retry_after))

    def _left_is_old(self) -> bool:
        if self._left_read is None:
            return True
        return self._reads_left and self._seconds_left is not None and time.monotonic() - self._left_read >= HOLD - 1

    def _pause(self, seconds: float) -> None:
        """Pauses, and notifies the listeners when quiet hours begin or end meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self._stopping.wait(min(left, 1.0)):
            self._tell()

    def _take(self, answer: HttpAnswer, pause: float) -> float:
        """Processes an answer; returns the pause after a failure, in seconds."""
        rules = self._read(answer) if answer.status == 200 else None
        self._answers = rules is not None or answer.status == 304
        if not self._answers:
            self._notices.say("rules" if answer.verdict == "refused" else "server", self._explain(answer))
            return min(30.0, pause * 2 if pause else 1.0)
        self._notices.settle("rules")
        self._notices.settle("server", "Porchlight answers again.")
        if rules is not None:
            is_new, self._rules = rules != self._rules, rules
            self._seconds_left, self._left_read = read_seconds_left(answer.body), time.monotonic()
            if is_new and self._queue is not None:
                note = {"body": answer.body, "etag": answer.etag, "goodbye": self._goodbye}
                self._queue.keep_note(self._note, note)
        return 0.0

    def _read(self, answer: HttpAnswer) -> Rules | None:
        talk = answer.body.get("talk") if isinstance(answer.body, dict) else None
        # The others are also true when quiet hours begin.
        if isinstance(talk, dict) and talk.get("why") != "time_used_up":
            self._goodbye = read_goodbye(answer.body) or self._goodbye
        return Rules.from_body(answer.body, answer.etag, self._goodbye)

    def _explain(self, answer: HttpAnswer) -> str:
        if answer.verdict != "refused":
            return self._client.explain(answer)
        hint = f" Is {self._settings.child_at} a child of this key?" if answer.status == 404 else ""
        return f"Porchlight gives no rules ({answer.status}): {answer.detail}{hint} The last known rules stay in force."

    def _tell(self) -> None:
        self._of_rules.tell(self.now())
        self._of_status.tell(self.status())
