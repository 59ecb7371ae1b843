"""The plug-ins' shared modules with the real server: the queue, the rules, and the warnings in the log."""

from __future__ import annotations

import importlib.metadata
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from conftest import Server, free_port, kill_once_written, until
from porchlight_shared.conversation import Conversation, Porchlight, clean_name, guarded, is_supported
from porchlight_shared.http_client import HttpAnswer, Settings
from porchlight_shared.rules import GOODBYE, POLL, Rules

Connect = Callable[..., Porchlight]


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    made: list[Porchlight] = []

    def make(url: str, key: str, **others: Any) -> Porchlight:
        made.append(Porchlight(Settings(url=url, key=key, folder=tmp_path / "queue", **others), first_pause=0.05))
        return made[-1]

    yield make
    for one in made:
        one.close(0.5)


def say(conversation: Conversation, *texts: str) -> None:
    for place, text in enumerate(texts):
        conversation.heard(f"{text}-{place}", place % 2 == 1, text, time.time() + place / 1000)


def left(porchlight: Porchlight) -> int:
    assert porchlight.queue is not None
    return porchlight.queue.count()


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "porchlight"]


def test_what_was_said_arrives_in_order(server: Server, connect: Connect) -> None:
    porchlight = connect(server.url, server.key())

    say(porchlight.conversation("room"), "Hello?", "Hi!", "Why?")

    until(lambda: server.texts() == ["Hello?", "Hi!", "Why?"], "the words")
    until(lambda: left(porchlight) == 0, "an empty queue")


def test_a_server_that_is_killed_in_the_middle_gets_everything_once_and_in_order(server: Server, connect: Connect) -> None:
    porchlight = connect(server.url, server.key())
    conversation = porchlight.conversation("room")
    said = [f"word {number}" for number in range(60)]

    for number, text in enumerate(said):
        conversation.heard(str(number), False, text, 1_790_000_000 + number)
        if number == 20:
            server.stop(kill=True)
        if number == 40:
            server.start()
        time.sleep(0.005)

    until(lambda: len(server.texts()) >= len(said), "the words")
    assert server.texts() == said


def test_a_thousand_messages_of_an_outage_survive_a_kill_of_the_process(server: Server, connect: Connect, tmp_path: Path) -> None:
    key = server.key()
    server.stop()
    program = f"""
        import sys, time
        sys.path.insert(0, {str(Path(__file__).parents[2] / "src/assistants/plugins")!r})
        from pathlib import Path
        from porchlight_shared.conversation import Porchlight
        from porchlight_shared.http_client import Settings
        porchlight = Porchlight(Settings(url={server.url!r}, key={key!r}, child=1, folder=Path({str(tmp_path / "queue")!r})))
        conversation = porchlight.conversation("room")
        for number in range(1000):
            conversation.heard(str(number), False, f"word {{number}}", 1_790_000_000 + number)
        while porchlight.queue.count() < 1000:
            time.sleep(0.01)
        print("written", flush=True)
        time.sleep(60)
    """
    kill_once_written(program)
    server.start()

    porchlight = connect(server.url, key, child=1)

    until(lambda: left(porchlight) == 0, "an empty queue")
    assert server.texts() == [f"word {number}" for number in range(1000)]


def test_an_id_that_stands_for_two_utterances_costs_no_word(server: Server, connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    porchlight, now = connect(server.url, server.key()), time.time()
    earlier, later = (porchlight.conversation("room") for _ in range(2))

    earlier.heard("1", False, "Hello?", now)
    until(lambda: server.texts() == ["Hello?"], "the first word")
    # Such as after a restart: this conversation knows nothing of the other's ids.
    for place, text in enumerate(("Why?", "Why?", "How?", "How?"), start=1):
        later.heard("1", False, text, now + place)
    later.heard("1", False, "How?", now + 4)

    until(lambda: server.texts() == ["Hello?", "Why?", "Why?", "How?", "How?"], "all words")
    until(lambda: left(porchlight) == 0, "an empty queue")
    assert [line for line in lines(caplog) if "id twice" in line] != []


@pytest.mark.parametrize("at", [float("nan"), float("inf"), -1.0, time.time() * 1000])
def test_a_time_that_cannot_be_is_now_and_costs_no_word(server: Server, connect: Connect, at: float) -> None:
    before = time.time()

    connect(server.url, server.key()).conversation("room").heard("1", False, "Hello?", at)

    until(lambda: server.texts() == ["Hello?"], "the word")
    said = datetime.fromisoformat(server.messages()[0]["timestamp"].replace("Z", "+00:00")).timestamp()
    assert before - 1 <= said <= time.time() + 1


@pytest.mark.parametrize(
    ("installed", "supported"), [("1.6.4", False), ("1.6.5", True), ("1.8.9", True), ("1.12.0+local.3", True), ("2.0.0b1", False)]
)
def test_a_version_that_was_not_tried_is_one_line(
    installed: str, supported: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: installed)

    assert is_supported("stack", (1, 6, 5), (2,)) is supported

    assert len(lines(caplog)) == (0 if supported else 1)
    assert all(f"it needs stack from 1.6.5 on and before 2, and {installed} is installed" in line for line in lines(caplog))


def test_the_words_of_two_children_stay_apart(server: Server, connect: Connect) -> None:
    porchlight = connect(server.url, server.key("robot", 1, 2), child=1)
    conversation = porchlight.conversation("room")

    conversation.heard("1", False, "I am Mia")
    conversation.switch_child(2)
    conversation.heard("2", False, "I am Ben")
    conversation.switch_child(1)
    conversation.heard("3", False, "Mia again")

    until(lambda: left(porchlight) == 0 and len(server.texts(1)) == 2, "the words")
    assert server.texts(1) == ["I am Mia", "Mia again"]
    assert server.texts(2) == ["I am Ben"]


def test_without_a_word_on_who_speaks_nothing_is_delivered_and_the_rules_of_all_hold(
    server: Server, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    porchlight = connect(server.url, server.key("robot", 1, 2))

    say(porchlight.conversation("room"), "Who am I?")

    assert any("several children (1, 2). Please set PORCHLIGHT_CHILD" in line for line in lines(caplog))
    assert server.texts(1) == server.texts(2) == []


def test_a_refusal_for_good_does_not_hold_up_the_rest(server: Server, connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    porchlight = connect(server.url, server.key(), child=1)

    porchlight.conversation("lost", child=77).heard("1", False, "a secret of nobody")
    porchlight.conversation("kept").heard("2", False, "Hello?")

    until(lambda: server.texts() == ["Hello?"], "the words")
    refused = [line for line in lines(caplog) if "for good (404)" in line]
    assert refused and "Is PORCHLIGHT_CHILD a child of this key?" in refused[0]
    assert "secret" not in caplog.text


def test_a_changed_rule_is_told_within_seconds_and_kept_for_the_next_start(server: Server, connect: Connect) -> None:
    key = server.key()
    porchlight = connect(server.url, key)
    conversation = porchlight.conversation("room")
    assert conversation.rules.version is not None
    changed = threading.Event()
    conversation.on_change(changed.set)

    server.block("Ghosts")

    assert changed.wait(POLL + 10)
    assert "Ghosts" in conversation.rules.instructions
    version = conversation.rules.version
    porchlight.close()
    server.stop()
    again = connect(server.url, key, child=1).conversation("later")
    assert (again.rules.version, "Ghosts" in again.rules.prompt) == (version, True)


def test_a_display_sees_pauses_what_is_left_of_the_day_and_whether_the_server_answers(
    server: Server, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porchlight_shared.rules.HOLD", 1)
    server.limit(60)
    key = server.key()
    porchlight = connect(server.url, key, child=1)
    watcher, seen = porchlight.rules_of(1), list[Any]()
    watcher.follow(lambda: seen.append(watcher.status()), time_left=True)
    until(lambda: watcher.status().seconds_left == 3600, "the limit")
    conversation, changes = porchlight.conversation("room"), list[Rules]()
    conversation.on_change(lambda: changes.append(conversation.rules))

    now = time.time()
    conversation.heard("1", False, "Hello?", now - 600)
    conversation.heard("2", True, "Hi!", now - 300)
    until(lambda: watcher.status().seconds_left == 3300, "five minutes less")
    assert changes == [], "the rules are the same"

    server.limit(60, paused=True)
    until(lambda: watcher.status().rules.paused, "the pause")
    assert not watcher.status().rules.allowed and len(changes) == 1
    server.limit(None)
    until(lambda: watcher.status().seconds_left is None, "no limit")
    assert watcher.status().answers and not watcher.status().rules.paused
    server.stop(kill=True)
    until(lambda: not watcher.status().answers, "the outage")
    server.start()
    until(lambda: watcher.status().answers, "the server")
    assert seen[-1] == watcher.status() and [one.answers for one in seen].count(False) == 1

    server.limit(30)
    until(lambda: watcher.status().seconds_left == 1500, "the new limit")
    porchlight.close()
    again = connect(server.url, key, child=1).rules_of(1)
    until(lambda: again.status().seconds_left == 1500, "the limit, though the rules are known from before")


@pytest.mark.parametrize(("choice", "allowed"), [("talk", True), ("silent", False)])
def test_rules_that_were_never_fetched_leave_what_the_user_chose(connect: Connect, choice: str, allowed: bool) -> None:
    porchlight = connect(f"http://127.0.0.1:{free_port()}", "ast_x", child=1, without_rules=choice)

    rules = porchlight.conversation("room").rules

    assert (rules.allowed, rules.version) == (allowed, None)
    assert rules.instructions.startswith("You are talking with a child.")


def test_a_wrong_key_is_one_line_that_says_what_to_do(server: Server, connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    porchlight = connect(server.url, "ast_wrong", child=1)

    say(porchlight.conversation("room"), "Hello?", "Hi!")

    until(lambda: left(porchlight) == 2, "the queue")
    until(lambda: lines(caplog), "a line")
    time.sleep(0.5)
    assert len(set(lines(caplog))) == len(lines(caplog)) == 1
    assert "does not accept the key" in lines(caplog)[0] and "porchlight assistant rotate NAME" in lines(caplog)[0]
    assert "ast_wrong" not in caplog.text and "Hello" not in caplog.text


def test_a_revoked_key_keeps_what_is_said(server: Server, connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    porchlight = connect(server.url, server.key(), child=1)
    conversation = porchlight.conversation("room")
    conversation.heard("1", False, "before")
    until(lambda: server.texts() == ["before"], "the word")

    server.run("assistant", "revoke", "robot")
    conversation.heard("2", False, "after")

    until(lambda: any("replaced or revoked" in line for line in lines(caplog)), "a line")
    until(lambda: left(porchlight) == 1, "the word on the disk")


def test_a_name_that_the_server_does_not_know_is_a_line_with_allow_host(
    server: Server, connect: Connect, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **named: real("127.0.0.1" if host == "porchlight" else host, *rest, **named)
    )
    porchlight = connect(f"http://porchlight:{server.port}", server.key(), child=1)

    say(porchlight.conversation("room"), "Hello?")

    until(lambda: any("Start it with '--allow-host porchlight'" in line for line in lines(caplog)), "a line")


def test_a_clock_that_is_off_is_a_line(
    server: Server, connect: Connect, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 7200)
    porchlight = connect(server.url, server.key(), child=1)

    say(porchlight.conversation("room"), "Hello?")

    until(lambda: any("clock is about 120 minutes behind Porchlight's" in line for line in lines(caplog)), "a line")
    until(lambda: server.texts() == ["Hello?"], "the word")


def test_something_else_that_answers_costs_no_word(connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        while True:
            try:
                one, _ = listener.accept()
            except OSError:
                return
            one.recv(65536)
            one.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\nConnection: close\r\n\r\n<html/>")
            one.close()

    threading.Thread(target=answer, daemon=True).start()
    porchlight = connect(f"http://127.0.0.1:{listener.getsockname()[1]}", "ast_x", child=1)
    say(porchlight.conversation("room"), "Hello?")

    until(lambda: any("Something else than Porchlight answers" in line for line in lines(caplog)), "a line")
    until(lambda: left(porchlight) == 1, "the queue")
    listener.close()


def test_neither_disk_nor_network_is_touched_by_a_turn(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    porchlight = connect(f"http://127.0.0.1:{free_port()}", "ast_x", child=1)
    conversation = porchlight.conversation("room")
    own = threading.current_thread()
    touched: list[str] = []

    def watch(event: str, _: Any) -> None:
        if threading.current_thread() is own and (event.startswith(("socket.", "sqlite3.")) or event == "open"):
            touched.append(event)

    sys.addaudithook(watch)
    touched.clear()
    conversation.heard("1", False, "Hello?")
    _ = conversation.rules.prompt
    conversation.report("1-x", "set")
    conversation.end()
    found = list(touched)

    assert found == []


def test_the_files_are_the_users_alone_and_hold_no_word_once_delivered(server: Server, connect: Connect, tmp_path: Path) -> None:
    porchlight = connect(server.url, server.key(), child=1)
    say(porchlight.conversation("room"), "a very private word")
    until(lambda: server.texts(), "the word")
    until(lambda: left(porchlight) == 0, "an empty queue")
    porchlight.close()

    folder = tmp_path / "queue"
    assert folder.stat().st_mode & 0o077 == 0
    for file in folder.iterdir():
        assert b"private word" not in file.read_bytes(), file.name
    assert next(folder.glob("*.sqlite3")).stat().st_mode & 0o077 == 0


def test_a_damaged_queue_is_put_aside(server: Server, connect: Connect, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    key = server.key()
    settings = Settings(url=server.url, key=key)
    (tmp_path / "queue").mkdir()
    (tmp_path / "queue" / f"{settings.queue_name}.sqlite3").write_bytes(b"not a database at all " * 100)

    porchlight = connect(server.url, key, child=1)
    say(porchlight.conversation("room"), "Hello?")

    until(lambda: server.texts() == ["Hello?"], "the word")
    assert any("The queue was damaged" in line for line in lines(caplog))


def test_a_full_disk_is_one_line_and_no_exception(
    connect: Connect, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    porchlight = connect(f"http://127.0.0.1:{free_port()}", "ast_x", child=1)
    monkeypatch.setattr("porchlight_shared.queue.MOST_ON_DISK", 16 * 4096)
    conversation = porchlight.conversation("room")

    for number in range(40):
        conversation.heard(str(number), False, "long " * 2000)

    until(lambda: any("the disk or the queue" in line for line in lines(caplog)), "a line")


def test_quiet_hours_begin_by_the_clock_without_the_server() -> None:
    body = {"version": "1-x", "instructions": "Be kind.", "talk": {"allowed": True, "until": "2026-11-23T20:30:00Z"}}
    rules = Rules.from_body(body, None)
    assert rules is not None and rules.until is not None

    assert rules.at(rules.until - 1).allowed
    later = rules.at(rules.until + 1)
    assert not later.allowed and GOODBYE in later.prompt


def test_the_last_goodbye_is_said_when_quiet_hours_begin_without_the_server(server: Server, connect: Connect) -> None:
    server.ask("PUT", "/child/1/language", {"language": "de"})
    key = server.key()
    porchlight = connect(server.url, key, child=1)
    watcher = porchlight.rules_of(1)
    server.pause()
    until(lambda: not watcher.now().allowed, "the pause")
    goodbye = watcher.now().goodbye
    server.pause(paused=False)
    until(lambda: watcher.now().allowed, "the end of the pause")
    porchlight.close()
    server.stop()

    later = connect(server.url, key, child=1).rules_of(1).now()._replace(until=1.0).at(2.0)

    assert not later.allowed
    assert later.goodbye == goodbye == "Wir machen jetzt eine Pause. Ich freue mich auf das nächste Mal!"


def test_a_receipt_is_said_once_for_each_change(connect: Connect) -> None:
    porchlight = connect(f"http://127.0.0.1:{free_port()}", "ast_x", child=1)
    conversation = porchlight.conversation("room")

    for version, evidence in [(None, "set"), ("1-x", "set"), ("1-x", "set"), ("1-x", "in_prompt"), ("2-y", "in_prompt")]:
        conversation.report(version, evidence)  # type: ignore[arg-type]

    until(lambda: left(porchlight) == 3, "three receipts")


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (200, {"stored": 1}, "done"),
        (200, None, "later"),
        (302, None, "later"),
        (400, {"detail": "x"}, "refused"),
        (404, None, "later"),
        (404, {"detail": "x"}, "refused"),
        *[(status, {"detail": "x"}, "later") for status in (401, 403, 408, 421, 429, 500, 503, 507)],
        (0, None, "later"),
    ],
)
def test_what_is_sent_again(status: int, body: dict[str, Any] | None, verdict: str) -> None:
    assert HttpAnswer(status, body).verdict == verdict


def test_a_name_is_made_one_that_the_server_takes() -> None:
    assert clean_name("Küche / 1") == "K_che___1"
    assert len(clean_name("x" * 500)) == 128


def test_a_handler_never_raises_and_never_logs_what_was_said(caplog: pytest.LogCaptureFixture) -> None:
    def fail(text: str) -> None:
        raise ValueError(text)

    guarded(fail)("a secret")

    assert "ValueError" in caplog.text and "secret" not in caplog.text
    assert logging.getLogger("porchlight").isEnabledFor(logging.WARNING)
