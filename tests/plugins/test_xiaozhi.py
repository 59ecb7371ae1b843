"""xiaozhi-esp32-server: a stand-in with xiaozhi's interfaces, the real server, and the plug-in in the folder where xiaozhi looks for it."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import A_LONG_OUTAGE, BINARY, Server, free_port, kill_once_written, soon, until, warnings_of

OWN_PROMPT = "You are a pirate."
TOY = "aa:bb:cc:dd:ee:ff"
OURS = ("core", "plugins_func")
Drop = Callable[..., Any]


class ScriptedModel:
    """Gives scripted answers, and records each prompt. xiaozhi's connections share one."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def response(self, session_id: str, dialogue: list[dict[str, str]]) -> Iterator[str]:
        self.prompts.append("\n".join(one["content"] for one in dialogue if one["role"] == "system"))
        yield self.answers.pop(0) if self.answers else "Ahoy."

    def response_with_functions(self, session_id: str, dialogue: list[dict[str, str]], functions: Any = None) -> Iterator[str]:
        yield from self.response(session_id, dialogue)


def install(folder: Path, url: str) -> None:
    """A xiaozhi server, with the plug-in in its folder."""
    shutil.copytree(Path(__file__).parent / "xiaozhi_stand_in", folder)
    functions = folder / "plugins_func/functions"
    functions.mkdir(exist_ok=True)
    command = [BINARY, "assistant", "plugin", "xiaozhi", "--output", str(functions), "--public-url", url]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def drop(tmp_path: Path, environment: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Iterator[Drop]:
    """Starts xiaozhi with the plug-in in its folder. `change` may rename what the plug-in looks for, like a new version."""

    def start(url: str, key: str, change: tuple[str, str] | None = None, **others: str) -> Any:
        folder = tmp_path / "xiaozhi"
        install(folder, url)
        if change is not None:
            for file in folder.glob("core/**/*.py"):
                file.write_text(file.read_text().replace(*change))
        environment(key, **others)
        monkeypatch.syspath_prepend(str(folder))
        connection = importlib.import_module("core.connection")
        plugin().started.join(20)
        return connection

    yield start
    if f"{OURS[1]}.functions.porchlight_xiaozhi" in sys.modules:
        plugin().close_connections()
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]
    importlib.invalidate_caches()


def plugin() -> Any:
    return sys.modules["plugins_func.functions.porchlight_xiaozhi"]


class Toy:
    """A child with a toy."""

    def __init__(self, xiaozhi: Any, model: ScriptedModel, device: str = TOY) -> None:
        self.xiaozhi = xiaozhi
        self.conn = xiaozhi.ConnectionHandler(model, OWN_PROMPT, device)

    async def __aenter__(self) -> Toy:
        await asyncio.to_thread(self.conn._initialize_components)
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.conn.close()

    async def asks(self, text: str, speaker: str | None = None) -> None:
        said = json.dumps({"speaker": speaker, "content": text}) if speaker else text
        self.conn.answered.clear()
        await self.xiaozhi.hear(self.conn, said)

    async def turn(self, text: str, speaker: str | None = None) -> None:
        await self.asks(text, speaker)
        await asyncio.wait_for(self.conn.answered.wait(), 10)
        await self.conn.play_all()

    @property
    def conversation(self) -> Any:
        return self.conn.porchlight.conversation


async def test_the_rules_are_in_the_prompt_of_every_turn_and_a_change_is_in_the_next(server: Server, drop: Drop) -> None:
    server.block("Ghosts")
    model = ScriptedModel("Ahoy.", "Aye.", "Arr.")
    async with Toy(drop(server.url, server.key()), model) as toy:
        await toy.turn("Hello?")
        # The developer's own change of the role.
        toy.conn.change_system_prompt("You are a parrot.")
        await toy.turn("Why?")
        await asyncio.to_thread(server.block, "Pirates")
        await soon(lambda: "Pirates" in toy.conversation.rules.instructions, "the change")
        await toy.turn("And now?")

    assert [prompt.split(".")[0] for prompt in model.prompts] == ["You are a pirate", "You are a parrot", "You are a parrot"]
    assert all(prompt.count("off limits") == 1 for prompt in model.prompts)
    assert [("Ghosts" in prompt, "Pirates" in prompt) for prompt in model.prompts] == [(True, False), (True, False), (False, True)]
    await soon(lambda: server.texts() == ["Hello?", "Ahoy.", "Why?", "Aye.", "And now?", "Arr."], "the words")
    assert server.receipts() == [("in_prompt", None), ("in_prompt", None)]
    assert server.plugin() == f"xiaozhi {server.version}"


async def test_a_toy_that_connected_before_the_plug_in_held_on_has_the_rules(server: Server, drop: Drop) -> None:
    model = ScriptedModel("Ahoy.")
    toy = Toy(drop(server.url, server.key()), model)
    toy.conn.change_system_prompt(OWN_PROMPT)  # what xiaozhi's own set-up of a connection does
    await toy.turn("Hello?")
    await toy.conn.close()

    assert model.prompts[0].startswith(OWN_PROMPT) and model.prompts[0].count("off limits") == 1
    await soon(lambda: server.receipts() == [("in_prompt", None)], "the receipt")


async def test_an_interruption_is_kept_as_heard(server: Server, drop: Drop) -> None:
    model = ScriptedModel("One two three. Four five six. Seven eight nine.", "Sorry.")
    async with Toy(drop(server.url, server.key()), model) as toy:
        now = [1000.0]
        toy.conn.porchlight.clock = lambda: now[0]
        await toy.asks("Count!")
        await soon(lambda: toy.conn.waiting, "the answer")
        await toy.conn.play(1)
        now[0] += 1.4
        await toy.conn.play(1)
        now[0] += 0.7
        await toy.turn("Stop!")

    said = ["Count!", "One two three.", "Four", "Stop!", "Sorry."]
    await soon(lambda: server.texts() == said, "the words")
    assert [bool(message.get("interrupted")) for message in server.messages()] == [False, False, True, False, False]


async def test_the_server_killed_in_the_middle_has_it_all_once_and_in_order(server: Server, drop: Drop) -> None:
    said: list[str] = []
    async with Toy(drop(server.url, server.key()), ScriptedModel(*[f"answer {number}." for number in range(6)])) as toy:
        for number in range(6):
            if number == 2:
                await asyncio.to_thread(server.stop, True)
            if number == 4:
                await asyncio.to_thread(server.start)
            await toy.turn(f"question {number}")
            said += [f"question {number}", f"answer {number}."]

    await soon(lambda: server.texts() == said, "the words")


def test_an_outage_survives_a_kill_of_xiaozhi_itself(server: Server, tmp_path: Path) -> None:
    install(tmp_path / "xiaozhi", server.url)
    key = server.key()
    server.stop()
    program = """
        import asyncio, sys, time
        import core.connection as xiaozhi
        plugin = sys.modules["plugins_func.functions.porchlight_xiaozhi"]
        plugin.started.join()
        class Model:
            def response_with_functions(self, session_id, dialogue):
                yield dialogue[-1]["content"].replace("question", "answer")
        async def talk():
            conn = xiaozhi.ConnectionHandler(Model(), "You are a pirate.", "a toy")
            await asyncio.to_thread(conn._initialize_components)
            for number in range(500):
                conn.answered.clear()
                await xiaozhi.hear(conn, f"question {number}")
                await conn.answered.wait()
                await conn.play_all()
            while conn.porchlight.conversation._porchlight.queue.count() < 1000:
                await asyncio.sleep(0.02)
            print("written", flush=True)
            time.sleep(60)
        asyncio.run(talk())
    """
    variables = {"PORCHLIGHT_KEY": key, "PORCHLIGHT_CHILD": "1", "PORCHLIGHT_FOLDER": str(tmp_path / "queue")}
    kill_once_written(program, cwd=tmp_path / "xiaozhi", env={**os.environ, **variables})
    server.start()

    idle = subprocess.Popen(
        [sys.executable, "-c", "import core.connection, time; time.sleep(60)"],
        cwd=tmp_path / "xiaozhi",
        env={**os.environ, **variables},
        stderr=subprocess.DEVNULL,
    )
    until(lambda: len(server.texts()) == 1000, "the words")
    idle.kill()
    idle.wait()

    assert server.texts() == A_LONG_OUTAGE


async def test_children_are_told_apart_by_their_voices(server: Server, drop: Drop) -> None:
    server.block("Ghosts", child=1)
    server.block("Dragons", child=2)
    model = ScriptedModel("Hi Mia.", "Hi Ben.", "Hello.", "Hi Benny.")
    key = server.key("robot", 1, 2)
    async with Toy(drop(server.url, key, CHILDREN=f"{TOY.upper()}=1, Benny = 2"), model) as toy:
        await soon(lambda: toy.conversation._porchlight.rules_of(2).now().version, "the rules of the other child")
        await toy.turn("I am Mia", "mia")
        await toy.turn("I am Ben", "Ben")
        # An unknown voice counts as the toy's owner.
        await toy.turn("Who am I?")
        await toy.turn("I am Ben, too", "Benny")

    found = [("Ghosts" in prompt, "Dragons" in prompt) for prompt in model.prompts]
    assert found == [(True, False), (False, True), (True, False), (False, True)]
    await soon(lambda: len(server.texts(1)) == len(server.texts(2)) == 4, "the words")
    assert server.texts(1) == ["I am Mia", "Hi Mia.", "Who am I?", "Hello."]
    assert server.texts(2) == ["I am Ben", "Hi Ben.", "I am Ben, too", "Hi Benny."]
    assert [message.get("speaker") for message in server.messages(2) if message["source"] == "child"] == ["Ben", "Benny"]


async def test_an_answer_that_is_cut_by_another_child_stays_with_the_one_who_asked(server: Server, drop: Drop) -> None:
    model = ScriptedModel("A long story for Mia. It goes on and on.", "Hi Ben.")
    async with Toy(drop(server.url, server.key("robot", 1, 2), CHILD="1"), model) as toy:
        await soon(lambda: toy.conversation._porchlight.child_named("ben"), "the names")
        await toy.asks("Tell me", "Mia")
        await soon(lambda: toy.conn.waiting, "the answer")
        await toy.conn.play(2)
        await toy.turn("My turn", "Ben")

    await soon(lambda: server.texts(2) == ["My turn", "Hi Ben."], "Ben's words")
    assert server.texts(1)[:2] == ["Tell me", "A long story for Mia."]


async def test_without_a_word_on_who_speaks_nothing_is_delivered_and_the_rules_of_all_hold(
    server: Server, drop: Drop, caplog: pytest.LogCaptureFixture
) -> None:
    server.block("Ghosts", child=1)
    server.block("Dragons", child=2)
    model = ScriptedModel()
    async with Toy(drop(server.url, server.key("robot", 1, 2)), model) as toy:
        await soon(lambda: toy.conversation.rules.version, "the rules")
        await toy.turn("Who am I?")
        await toy.turn("I am Ben", "Ben")

    assert '"Ghosts"' in model.prompts[0] and '"Dragons"' in model.prompts[0]
    await soon(lambda: server.texts(2) == ["I am Ben", "Ahoy."], "Ben's words")
    assert server.texts(1) == []
    assert any("several children (1, 2)" in line for line in warnings_of(caplog))


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (("get_llm_dialogue_with_memory", "get_prompt"), None),
        (("_initialize_components", "_set_up"), "ConnectionHandler._initialize_components"),
        (("send_tts_message", "send_voice_message"), "send_tts_message"),
    ],
)
async def test_a_renamed_internal_is_one_line_and_no_claim(
    server: Server, drop: Drop, caplog: pytest.LogCaptureFixture, change: tuple[str, str], name: str | None
) -> None:
    # The function is also renamed where xiaozhi uses it.
    xiaozhi = drop(server.url, server.key(), change=change)
    model = ScriptedModel()
    toy = Toy(xiaozhi, model)
    await asyncio.to_thread(getattr(toy.conn, "_set_up", None) or toy.conn._initialize_components)
    await toy.turn("Hello?")
    await toy.conn.close()

    assert len(model.prompts) == 1
    await soon(lambda: "Hello?" in server.texts(), "the word")
    ours = warnings_of(caplog)
    if name is None:
        assert len(ours) == 1 and "failed in _begin (AttributeError)" in ours[0]
    else:
        assert len(ours) == 1 and f"xiaozhi-server has changed: {name} cannot be found" in ours[0]
    injected = name is not None
    assert ("off limits" in model.prompts[0]) == injected
    claim = ("in_prompt", None) if injected else ("fetched", plugin().NOT_IN_PROMPT)
    await soon(lambda: server.receipts() == [claim], "the receipt")
    assert not [record for record in caplog.records if record.exc_info]


async def test_answers_that_are_made_without_the_prompt_are_not_claimed(server: Server, drop: Drop) -> None:
    async with Toy(drop(server.url, server.key()), ScriptedModel()) as toy:
        toy.conn.intent_type = "intent_llm"
        await toy.turn("Hello?")

    await soon(lambda: server.receipts() == [("fetched", plugin().NOT_IN_ALL_PROMPTS)], "the receipt")


@pytest.mark.parametrize(("choice", "asked"), [("talk", 1), ("silent", 0)])
async def test_rules_that_were_never_fetched_leave_what_the_user_chose(
    drop: Drop, caplog: pytest.LogCaptureFixture, choice: str, asked: int
) -> None:
    model = ScriptedModel()
    async with Toy(drop(f"http://127.0.0.1:{free_port()}", "ast_x", CHILD="1", WITHOUT_RULES=choice), model) as toy:
        await toy.turn("Hello?")
        spoken = [text for state, text in toy.conn.sent if state == "sentence_start"]

    assert len(model.prompts) == asked and all("off limits" in prompt for prompt in model.prompts)
    assert any("grown-up" in text for text in spoken) == (choice == "silent")
    await soon(lambda: warnings_of(caplog), "a line")
    assert len(warnings_of(caplog)) == 1 and "cannot be reached" in warnings_of(caplog)[0]
    assert not [record for record in caplog.records if record.exc_info]


async def test_talking_that_is_not_allowed_is_one_goodbye_and_hanging_up(server: Server, drop: Drop) -> None:
    model = ScriptedModel()
    async with Toy(drop(server.url, server.key()), model) as toy:
        await toy.turn("Hello?")
        await asyncio.to_thread(server.pause)
        await soon(lambda: not toy.conversation.rules.allowed, "the pause")
        goodbye = toy.conversation.rules.goodbye
        await toy.turn("More!")

        assert toy.conn.closed
        assert len(model.prompts) == 1
    await soon(lambda: server.texts()[:3] == ["Hello?", "Ahoy.", "More!"], "the words")
    await soon(lambda: " ".join(server.texts()[3:]) == goodbye, "the goodbye")


async def test_a_slow_server_is_never_waited_for_in_a_turn(drop: Drop) -> None:
    # It takes connections and never answers.
    silent = socket.create_server(("127.0.0.1", 0))
    loop_thread, touched = threading.current_thread(), list[str]()
    async with Toy(drop(f"http://127.0.0.1:{silent.getsockname()[1]}", "ast_x", CHILD="1"), ScriptedModel()) as toy:

        def watch(event: str, _: Any) -> None:
            of_turn = threading.current_thread() is loop_thread or "ThreadPoolExecutor" in threading.current_thread().name
            if of_turn and event in ("socket.connect", "socket.getaddrinfo", "sqlite3.connect"):
                touched.append(event)

        sys.addaudithook(watch)
        await toy.turn("Hello?")
        found = list(touched)
    silent.close()

    assert found == []
