"""Messages queued under a replaced key are delivered under the next one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, until
from porchlight_shared import queue as shared_queue
from porchlight_shared.http_client import Settings
from test_shared import Connect, connect, left, lines

# The fixture of the other tests.
__all__ = ["connect"]


def leave_words_behind(server: Server, connect: Connect, **others: Any) -> list[str]:
    """Queues words under a key while the server is away, and then replaces the key."""
    porchlight = connect(server.url, server.key(), **others)
    conversation = porchlight.conversation("kitchen")
    conversation.heard("0", False, "word 0", 1_790_000_000)
    until(lambda: server.texts() == ["word 0"], "the word")
    server.stop()
    for number in range(1, 6):
        conversation.heard(str(number), number % 2 == 1, f"word {number}", 1_790_000_000 + number)
    conversation.report(conversation.rules.version, "set")
    until(lambda: left(porchlight) == 6, "the queue")
    porchlight.close(0.5)
    server.start()
    return [f"word {number}" for number in range(6)]


def rotated(server: Server, name: str = "robot") -> str:
    return str(json.loads(server.run("--json", "assistant", "rotate", name))["key"])


def test_what_waits_under_a_replaced_key_is_delivered_under_the_new_one(
    server: Server, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    said = leave_words_behind(server, connect)

    again = connect(server.url, rotated(server))
    again.conversation("later").heard("later", False, "later", 1_790_000_100)

    until(lambda: len(server.texts()) == len(said) + 1, "the words")
    assert server.texts() == [*said, "later"]
    until(lambda: left(again) == 0, "an empty queue")
    assert not [line for line in lines(caplog) if "did not keep" in line]


def test_a_take_over_that_is_killed_in_the_middle_goes_on_and_takes_nothing_twice(
    server: Server, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = leave_words_behind(server, connect)
    key = rotated(server)
    real, opened = shared_queue.open_queue, list[Path]()

    def dies_before_the_old_ones_are_deleted(path: Path) -> Any:
        other = not path.name.startswith(Settings(url=server.url, key=key).queue_name)
        if other and opened.count(path) == 2:
            raise OSError
        opened.append(path)
        return real(path)

    monkeypatch.setattr(shared_queue, "open_queue", dies_before_the_old_ones_are_deleted)
    first = connect(server.url, key)
    until(lambda: server.texts() == said, "the words")
    first.close(0.5)
    monkeypatch.undo()
    delivered: list[Any] = []
    monkeypatch.setattr(shared_queue.Batch, "add", lambda *_: delivered.append(1))

    again = connect(server.url, key)

    assert again.queue is not None
    old = next(path for path in again.queue.path.parent.glob("*.sqlite3") if path != again.queue.path)
    until(lambda: not entries_in(old), "an empty old queue")
    assert left(again) == 0 and not delivered


@pytest.mark.parametrize("with_words", [True, False])
def test_an_assistant_that_was_removed_and_added_again_takes_over_its_words_alone(
    server: Server, connect: Connect, caplog: pytest.LogCaptureFixture, with_words: bool
) -> None:
    first = connect(server.url, server.key())
    conversation = first.conversation("kitchen")
    until(lambda: conversation.rules.version, "the rules")
    server.stop()
    if with_words:
        conversation.heard("1", False, "word 1", 1_790_000_000)
    conversation.report(conversation.rules.version, "set")
    until(lambda: left(first) == 1 + with_words, "the queue")
    if not with_words:
        conversation.end()
        until(lambda: left(first) == 2, "the queue")
    first.close(0.5)
    server.start()
    server.run("assistant", "revoke", "robot")

    again = connect(server.url, server.key())
    again.conversation("later").heard("later", False, "later", 1_790_000_100)

    # They are of two sessions, which may be delivered in either order.
    expected = ["later", "word 1"] if with_words else ["later"]
    until(lambda: sorted(server.texts()) == expected, "the words")
    until(lambda: left(again) == 0, "an empty queue")
    # Another assistant's receipts would be rejected, and their sessions would be empty.
    assert len(server.ask("GET", "/sessions?child_id=1")["sessions"]) == 1 + with_words
    assert not [line for line in lines(caplog) if "did not keep" in line]


def entries_in(path: Path) -> int:
    with shared_queue.open_queue(path) as connection:
        return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])


def test_another_assistant_takes_over_nothing(server: Server, connect: Connect) -> None:
    leave_words_behind(server, connect)

    other = connect(server.url, server.key("other"))
    other.conversation("later").heard("later", False, "later")

    until(lambda: "later" in server.texts(), "the word")
    assert server.texts() == ["word 0", "later"]
