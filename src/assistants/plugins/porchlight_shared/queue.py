"""The queue on the disk of messages that are not delivered yet.

An entry is deleted only after the server's 200. Message ids make a repeated delivery harmless, so a process may be
killed at any moment.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import random
import sqlite3
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from porchlight_shared.http_client import MOST_ON_DISK, HttpAnswer, HttpClient, Notices, Settings

try:
    import fcntl
except ImportError:  # Windows: two processes may send the same messages, which the server recognises as repeated
    fcntl = None  # type: ignore[assignment]

EntryKind = Literal["session", "message", "receipt", "completion"]

# The maximum size of one delivery (the server's limits are 1,000 messages and 4 MB).
MOST_MESSAGES = 1_000
MOST_BYTES = 2 * 1024 * 1024
MOST_RECEIPTS = 100

# The server's limit for a message's id, in characters.
LONGEST_ID = 200

LONGEST_PAUSE = 60.0

# The interval in seconds at which a process looks for entries that another one has queued.
LOOK_AGAIN = 1.0

SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    child INTEGER NOT NULL,
    session TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, body TEXT NOT NULL);
"""


class Entry(NamedTuple):
    """A message or another fact about a session, to be delivered."""

    child: int
    session: str
    kind: EntryKind
    body: dict[str, Any]


class Batch:
    """One delivery, and the entries in it."""

    def __init__(self, child: int, session: str) -> None:
        self.child = child
        self.session = session
        self.ids: list[int] = []
        self.messages: list[dict[str, Any]] = []
        self.receipts: list[dict[str, Any]] = []
        self.fields: dict[str, Any] = {}
        self.completion: dict[str, Any] | None = None

    def add(self, number: int, kind: str, body: dict[str, Any]) -> None:
        """Adds an entry."""
        self.ids.append(number)
        if kind == "message":
            self.messages.append(body)
        elif kind == "receipt":
            self.receipts.append(body)
        elif kind == "completion":
            self.completion = body
        else:
            self.fields.update(body)

    def conflicting(self, ids: list[str]) -> list[Entry]:
        """The messages whose ids belong to different messages at the server, each with a new id. Of several messages with one id,
        the server keeps the first."""
        late = Counter(ids)
        again: list[Entry] = []
        for message in reversed(self.messages):
            message_id = str(message["message_id"])
            if late[message_id] > 0:
                late[message_id] -= 1
                renamed = {**message, "message_id": other_id(message_id, str(message["text_content"]))}
                again.insert(0, Entry(self.child, self.session, "message", renamed))
        return again

    def to_json(self) -> dict[str, Any]:
        """The body of the delivery."""
        body: dict[str, Any] = {"session": self.session, "child_id": self.child, **self.fields}
        if self.messages:
            body["messages"] = self.messages
        if self.receipts:
            body["rules"] = self.receipts
        if self.completion is not None:
            body["completion"] = self.completion
        return body


def other_id(message_id: str, said: str) -> str:
    """A deterministic new id for a message whose own id is taken."""
    digest = hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{message_id[: LONGEST_ID - 17]}~{digest}"


@contextlib.contextmanager
def open_queue(path: Path) -> Iterator[sqlite3.Connection]:
    """Opens a queue's database; commits at the end, or rolls back on an exception."""
    connection = sqlite3.connect(path, timeout=10.0)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {MOST_ON_DISK // size}")
        with connection:
            yield connection
    finally:
        connection.close()


def read_note_in(path: Path, name: str) -> Any:
    """Reads the value stored under a name in a queue's file; None if there is none."""
    with open_queue(path) as connection:
        row = connection.execute("SELECT body FROM notes WHERE name = ?", (name,)).fetchone()
    return json.loads(row[0]) if row else None


def lock_file(path: Path) -> IO[str] | None:
    """Locks a queue for its only sender; None if another process has it. The system frees the lock of a killed process."""
    handle = open(path.with_suffix(".lock"), "a")  # noqa: SIM115
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        return None
    return handle


class DeliveryQueue:
    """Takes entries without waiting, writes them to the disk in one thread, and delivers them in another."""

    def __init__(self, settings: Settings, client: HttpClient, notices: Notices, first_pause: float = 1.0) -> None:
        self._client = client
        self._url = settings.url
        self._notices = notices
        self._first_pause = first_pause
        self.path = self._prepare(settings)
        self._incoming: queue.SimpleQueue[Entry | Callable[[sqlite3.Connection], None] | None] = queue.SimpleQueue()
        self._stored = threading.Event()
        self._stopping = threading.Event()
        self._lock_file: IO[str] | None = None
        self._most_rows = MOST_MESSAGES
        self._writer = threading.Thread(target=self._write_forever, name="porchlight-queue", daemon=True)
        self._sender = threading.Thread(target=self._send_forever, name="porchlight-delivery", daemon=True)
        self._writer.start()
        self._sender.start()

    def add(self, entry: Entry) -> None:
        """Queues an entry. Returns at once, without disk or network access on the caller's thread."""
        self._incoming.put(entry)

    def keep_note(self, name: str, body: object) -> None:
        """Stores a value under a name, next to the entries."""
        text = json.dumps(body)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, text))

        self._incoming.put(write)

    def read_note(self, name: str) -> Any:
        """Reads the value stored under a name; None if there is none."""
        with contextlib.suppress(sqlite3.Error, ValueError):
            return read_note_in(self.path, name)
        return None

    def count(self) -> int:
        """The number of entries on the disk."""
        with contextlib.suppress(sqlite3.Error), self._open() as connection:
            return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])
        return 0

    def close(self, timeout: float = 2.0) -> None:
        """Writes the queued entries, and waits a moment for their delivery. The next run delivers the rest."""
        self._incoming.put(None)
        self._writer.join(timeout)
        self._stopping.set()
        self._stored.set()
        self._sender.join(timeout)
        if self._lock_file is not None and not self._sender.is_alive():
            self._lock_file.close()

    # ---- the file

    def _prepare(self, settings: Settings) -> Path:
        for folder in (settings.folder, Path(tempfile.gettempdir()) / f"porchlight-{os.getuid() if hasattr(os, 'getuid') else 0}"):
            path = folder / f"{settings.queue_name}.sqlite3"
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
                self.path = path
                self._create()
            except (OSError, sqlite3.OperationalError) as error:
                self._notices.say(
                    "folder",
                    f"The folder {folder} cannot be written ({type(error).__name__}). Please set PORCHLIGHT_FOLDER to one that can, and "
                    "that stays. What is said is kept in a temporary folder until then.",
                )
            else:
                return path
        return self.path

    def _create(self) -> None:
        try:
            with self._open() as connection:
                connection.executescript(SCHEMA)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            # Not a database, or a damaged one.
            os.replace(self.path, self.path.with_suffix(".damaged"))
            for ending in ("-wal", "-shm"):
                with contextlib.suppress(OSError):
                    os.remove(f"{self.path}{ending}")
            self._notices.say("queue", f"The queue was damaged. It lies at {self.path.with_suffix('.damaged')}, and a new one begins.")
            with self._open() as connection:
                connection.executescript(SCHEMA)

    def _open(self) -> contextlib.AbstractContextManager[sqlite3.Connection]:
        return open_queue(self.path)

    # ---- after a change of the key

    def adopt(self, assistant: str, children: list[int]) -> None:
        """Copies the entries left in the queues of this assistant's earlier keys, for the children that it still has.

        An assistant that was removed and added again with the same name is a new one for Porchlight. Only sessions with messages are
        copied, without receipts: it was never sent the versions in these, and the earlier sessions are not its own.

        If interrupted, it continues at the next start: a note records which entries were copied.
        """
        mine = [self._url, assistant]
        self.keep_note("assistant", mine)
        for path in sorted(self.path.parent.glob("*.sqlite3")):
            if path == self.path:
                continue
            with contextlib.suppress(sqlite3.Error, ValueError, OSError):
                if read_note_in(path, "assistant") == mine and (lock := lock_file(path)) is not None:
                    with lock:
                        self._adopt_from(path, children)
        self._stored.set()

    def _adopt_from(self, path: Path, children: list[int]) -> None:
        note = f"adopted {path.stem}"
        with open_queue(path) as old:
            found = old.execute("SELECT id, child, session, kind, body FROM entries ORDER BY id").fetchall()
            notes = dict(old.execute("SELECT name, body FROM notes").fetchall())
        done = int(self.read_note(note) or 0)
        kept = [row for row in found if row[1] in children]
        copied = [row[1:] for row in kept if row[0] > done]
        if copied and not self._is_told_the_same(notes, children):
            spoken = {row[:2] for row in copied if row[2] == "message"}
            copied = [row for row in copied if row[2] != "receipt" and row[:2] in spoken]
        if copied:
            with self._open() as connection:
                # Ids below all others, so that earlier messages are delivered first.
                lowest = connection.execute("SELECT min(id) FROM entries").fetchone()[0]
                first = min(1 if lowest is None else lowest, 1) - len(copied)
                connection.executemany(
                    "INSERT INTO entries (id, child, session, kind, body) VALUES (?, ?, ?, ?, ?)",
                    [(first + place, *row) for place, row in enumerate(copied)],
                )
                connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (note, json.dumps(kept[-1][0])))
        with open_queue(path) as old:
            old.executemany("DELETE FROM entries WHERE id = ?", [row[:1] for row in kept])

    def _is_told_the_same(self, notes: dict[str, str], children: list[int]) -> bool:
        """Whether an earlier key was sent the same version of a child's rules as this one. Versions contain a tag, which no two
        assistants share. If the rules were changed since then, this can't be known, and the result is false."""
        for child in children:
            kept = json.loads(notes.get(f"rules {child}", "null"))
            if not kept:
                continue
            answer = self._client.call("GET", f"/child/{child}/rules")
            if answer.status != 200:
                raise OSError  # it is tried again at the next start
            if (answer.body or {}).get("version") == kept["body"]["version"]:
                return True
        return False

    # ---- writing

    def _write_forever(self) -> None:
        going = True
        while going:
            items = [self._incoming.get()]
            with contextlib.suppress(queue.Empty):
                while len(items) < MOST_MESSAGES:
                    items.append(self._incoming.get_nowait())
            going = None not in items
            try:
                with self._open() as connection:
                    for item in items:
                        self._write(connection, item)
                self._notices.settle("disk")
            except (sqlite3.Error, OSError) as error:
                self._notices.say(
                    "disk",
                    f"What is said cannot be kept on this machine ({error}): the disk or the queue ({MOST_ON_DISK >> 20} MB) is full. "
                    "Please make room, or connect Porchlight again. Until then newer words are lost.",
                )
            self._stored.set()

    @staticmethod
    def _write(connection: sqlite3.Connection, item: Entry | Callable[[sqlite3.Connection], None] | None) -> None:
        if item is None:
            return
        if not isinstance(item, Entry):
            item(connection)
            return
        row = (item.child, item.session, item.kind, json.dumps(item.body, ensure_ascii=False))
        connection.execute("INSERT INTO entries (child, session, kind, body) VALUES (?, ?, ?, ?)", row)

    # ---- delivering

    def _send_forever(self) -> None:
        pause = 0.0
        while True:
            try:
                batch = self._next_batch() if self._is_only_sender() else None
            except sqlite3.Error:
                batch = None
            if batch is None:
                if self._stopping.is_set():
                    return
                self._stored.wait(LOOK_AGAIN)
                self._stored.clear()
                continue
            answer = self._client.call("POST", "/deliveries", batch.to_json(), timeout=30.0)
            if self._settle(batch, answer):
                pause = 0.0
                continue
            if self._stopping.is_set():
                return
            pause = min(LONGEST_PAUSE, pause * 2 if pause else self._first_pause)
            self._stopping.wait(max(pause * random.uniform(0.8, 1.2), answer.retry_after))  # noqa: S311

    def _is_only_sender(self) -> bool:
        """Whether no other process of this key is delivering."""
        if fcntl is None or self._lock_file is not None:
            return True
        self._lock_file = lock_file(self.path)
        return self._lock_file is not None

    def _next_batch(self) -> Batch | None:
        with self._open() as connection:
            first = connection.execute("SELECT child, session FROM entries ORDER BY id LIMIT 1").fetchone()
            if first is None:
                return None
            rows = connection.execute(
                "SELECT id, kind, body FROM entries WHERE child = ? AND session = ? ORDER BY id LIMIT ?", (*first, self._most_rows)
            )
            batch, size = Batch(*first), 0
            for number, kind, body in rows:
                size += len(body.encode("utf-8", "replace"))
                if batch.ids and (size > MOST_BYTES or len(batch.receipts) >= MOST_RECEIPTS):
                    break
                batch.add(number, kind, json.loads(body))
            return batch

    def _settle(self, batch: Batch, answer: HttpAnswer) -> bool:
        """Deletes the entries that are delivered or refused; returns whether to continue at once."""
        if answer.status == 413 and len(batch.ids) > 1:
            self._most_rows = max(1, len(batch.ids) // 2)
            return True
        verdict = answer.verdict
        if verdict == "later":
            self._notices.say("server", self._client.explain(answer))
            return False
        self._most_rows = MOST_MESSAGES
        self._notices.settle("server", "Porchlight takes deliveries again.")
        again: list[Entry] = []
        if verdict == "refused":
            log_refusal(self._notices, batch, answer)
        else:
            rejected = (answer.body or {}).get("rejected")
            for one in rejected if isinstance(rejected, list) else []:
                detail = one.get("detail") if isinstance(one, dict) else None
                self._notices.say("rejected", f"Porchlight did not keep a part of session {batch.session}: {detail}")
            conflicting = (answer.body or {}).get("conflicting")
            again = batch.conflicting([one for one in conflicting if isinstance(one, str)] if isinstance(conflicting, list) else [])
            if again:
                self._notices.say("conflicting", "The assistant used a message's id twice. What was said is delivered under another id.")
        return self._forget(batch, again)

    def _forget(self, batch: Batch, again: list[Entry]) -> bool:
        try:
            with self._open() as connection:
                connection.executemany("DELETE FROM entries WHERE id = ?", [(number,) for number in batch.ids])
                for entry in again:
                    self._write(connection, entry)
            # The database's write-ahead log contains what was said, too.
            with self._open() as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            return False
        return True


def log_refusal(notices: Notices, batch: Batch, answer: HttpAnswer) -> None:
    """Logs that the server refused a delivery for good."""
    hint = " Is PORCHLIGHT_CHILD a child of this key?" if answer.status == 404 else ""
    notices.say(
        f"refused {batch.child}",
        f"Porchlight refused {len(batch.messages)} messages of session {batch.session} for good ({answer.status}): {answer.detail}{hint}",
    )
