"""Pipecat: the real package with a scripted model, the real server, and the plug-in as Pipecat itself loads it."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Server, free_port, soon

pytest.importorskip("pipecat", reason="Pipecat is not installed here.")

from openai.types.chat import ChatCompletionChunk  # noqa: E402
from pipecat.frames.frames import (  # noqa: E402
    Frame,
    InterruptionWorkerFrame,
    LLMTextFrame,
    LLMUpdateSettingsFrame,
    TranscriptionFrame,
    TTSSpeakFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline  # noqa: E402
from pipecat.pipeline.worker import PipelineWorker  # noqa: E402
from pipecat.processors.aggregators.llm_context import LLMContext  # noqa: E402
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams  # noqa: E402
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor  # noqa: E402
from pipecat.services.openai.llm import OpenAILLMService  # noqa: E402
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies  # noqa: E402
from pipecat.utils import startup  # noqa: E402
from pipecat.utils.time import time_now_iso8601  # noqa: E402
from pipecat.workers.runner import WorkerRunner  # noqa: E402

OWN_PROMPT = "You are a pirate."
HandOut = Callable[[str, str], Any]


class ScriptedClient:
    """Replaces OpenAI's client: gives scripted answers, and records each prompt."""

    def __init__(self, *answers: str, pause: float = 0.0) -> None:
        self.answers, self.pause = list(answers), pause
        self.prompts: list[str] = []
        self.chat = self
        self.completions = self

    async def create(self, *, messages: list[dict[str, Any]], **_: Any) -> AsyncIterator[ChatCompletionChunk]:
        self.prompts.append("\n".join(str(message["content"]) for message in messages if message["role"] == "system"))
        return self._stream(self.answers.pop(0) if self.answers else "Ahoy.")

    async def _stream(self, answer: str) -> AsyncIterator[ChatCompletionChunk]:
        for word in answer.split(" "):
            choice = {"index": 0, "delta": {"content": f"{word} "}, "finish_reason": None}
            yield ChatCompletionChunk.model_validate(
                {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": [choice]}
            )


class Voice(FrameProcessor):
    """Speaks word by word. When the child interrupts, Pipecat drops the remaining words."""

    def __init__(self, pause: float) -> None:
        super().__init__()
        self._pause = pause
        self.goodbyes: list[str] = []

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMTextFrame):
            await asyncio.sleep(self._pause)
        if isinstance(frame, TTSSpeakFrame):
            self.goodbyes.append(frame.text)
        await self.push_frame(frame, direction)


class Bot:
    """A developer's bot, which doesn't know of the plug-in."""

    def __init__(self, client: ScriptedClient) -> None:
        self.client = client
        self.llm = OpenAILLMService(api_key="none", settings=OpenAILLMService.Settings(model="scripted", system_instruction=OWN_PROMPT))
        self.llm._client = client  # type: ignore[assignment]
        pair = LLMContextAggregatorPair(
            LLMContext(), user_params=LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies())
        )
        self.voice = Voice(client.pause)
        self.worker = PipelineWorker(Pipeline([pair.user(), self.llm, self.voice, pair.assistant()]))
        self.stopped = asyncio.Event()

        @pair.assistant().event_handler("on_assistant_turn_stopped")
        async def stopped(*_: Any) -> None:
            self.stopped.set()

    async def __aenter__(self) -> Bot:
        self._runner = WorkerRunner(handle_sigint=False)
        await self._runner.add_workers(self.worker)
        self._running = asyncio.create_task(self._runner.run())
        await soon(lambda: hasattr(self.worker, "porchlight"), "the plug-in")
        self.queued: list[Any] = []
        queue = self.worker.porchlight._porchlight.queue
        own = queue.add

        def add(entry: Any) -> None:
            self.queued.append(entry)
            own(entry)

        queue.add = add
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.worker.stop_when_done()
        await asyncio.wait_for(self._running, 20)

    async def hear(self, text: str) -> None:
        await self.worker.queue_frames(
            [UserStartedSpeakingFrame(), TranscriptionFrame(text, "", time_now_iso8601(), finalized=True), UserStoppedSpeakingFrame()]
        )

    async def turn(self, text: str) -> None:
        self.stopped.clear()
        await self.hear(text)
        await asyncio.wait_for(self.stopped.wait(), 10)

    def receipts(self) -> list[tuple[str, str | None]]:
        return [(entry.body["evidence"], entry.body.get("refused")) for entry in self.queued if entry.kind == "receipt"]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hand_out: HandOut) -> Callable[..., Any]:
    """Sets the environment variables; Pipecat loads the file."""

    def choose(url: str, key: str, **others: str) -> Any:
        module = hand_out("pipecat", url)
        monkeypatch.setenv("PIPECAT_SETUP_FILES", module.__file__)
        monkeypatch.setattr(startup, "_module_cache", {})
        monkeypatch.setenv("PORCHLIGHT_FOLDER", str(tmp_path / "queue"))
        monkeypatch.setenv("PORCHLIGHT_KEY", key)
        for name, value in others.items():
            monkeypatch.setenv(f"PORCHLIGHT_{name}", value)
        return module

    return choose


async def test_the_rules_are_in_the_prompt_of_every_turn_and_a_change_is_in_the_next(server: Server, plug: Callable[..., Any]) -> None:
    server.block("Ghosts")
    plug(server.url, server.key())
    async with Bot(ScriptedClient("Ahoy!", "Aye.", "Arr.")) as bot:
        await bot.turn("Hello?")
        await bot.turn("Why?")
        await asyncio.to_thread(server.block, "Pirates")
        await soon(lambda: "Pirates" in bot.worker.porchlight.rules.instructions, "the change")
        await bot.turn("And now?")

    prompts = bot.client.prompts
    assert all(prompt.startswith(OWN_PROMPT) and prompt.count("off limits") == 1 for prompt in prompts)
    assert [("Ghosts" in prompt, "Pirates" in prompt) for prompt in prompts] == [(True, False), (True, False), (False, True)]
    said = ["Hello?", "Ahoy!", "Why?", "Aye.", "And now?", "Arr."]
    await soon(lambda: [text.strip() for text in server.texts()] == said, "the words")
    assert server.receipts() == [("in_prompt", None), ("in_prompt", None)]
    assert server.plugin() == f"pipecat {server.version}"


async def test_an_interruption_is_kept_as_heard(server: Server, plug: Callable[..., Any]) -> None:
    plug(server.url, server.key())
    async with Bot(ScriptedClient("one two three four five six seven eight nine ten", pause=0.2)) as bot:
        await bot.hear("Count!")
        await soon(lambda: bot.client.prompts, "the answer")
        await asyncio.sleep(0.35)
        await bot.worker.queue_frame(InterruptionWorkerFrame())
        await asyncio.wait_for(bot.stopped.wait(), 10)

    await soon(lambda: len(server.messages()) == 2, "the words")
    cut = server.messages()[1]
    assert cut.get("interrupted") is True, cut["text_content"]
    assert cut["text_content"].startswith("one") and "ten" not in cut["text_content"]


async def test_two_turns_of_one_timestamp_are_both_kept(server: Server, plug: Callable[..., Any]) -> None:
    module = plug(server.url, server.key())
    async with Bot(ScriptedClient()) as bot:
        handler = module.words_handler(bot.worker.porchlight, by_assistant=False)
        for text in ("I was thinking", "of sharks."):
            await handler(None, SimpleNamespace(content=text, timestamp="2026-11-25T18:00:00.000+00:00"))

    await soon(lambda: server.texts() == ["I was thinking", "of sharks."], "the words")


async def test_the_server_killed_in_the_middle_has_it_all_once_and_in_order(server: Server, plug: Callable[..., Any]) -> None:
    plug(server.url, server.key())
    said: list[str] = []
    async with Bot(ScriptedClient(*[f"answer {number}" for number in range(6)])) as bot:
        for number in range(6):
            if number == 2:
                await asyncio.to_thread(server.stop, True)
            if number == 4:
                await asyncio.to_thread(server.start)
            await bot.turn(f"question {number}")
            said += [f"question {number}", f"answer {number}"]

    await soon(lambda: [text.strip() for text in server.texts()] == said, "the words")


async def test_a_prompt_that_the_maker_replaces_keeps_the_rules(server: Server, plug: Callable[..., Any]) -> None:
    plug(server.url, server.key())
    async with Bot(ScriptedClient()) as bot:
        await bot.worker.queue_frame(LLMUpdateSettingsFrame(delta=OpenAILLMService.Settings(system_instruction="You are a parrot.")))
        await bot.turn("Who are you?")

    assert bot.client.prompts[0].startswith("You are a parrot.") and "off limits" in bot.client.prompts[0]
    await soon(lambda: server.receipts() == [("in_prompt", None)], "the receipt")


async def test_a_prompt_without_the_rules_gets_no_receipt_for_it(server: Server, plug: Callable[..., Any]) -> None:
    module = plug(server.url, server.key())
    bot = Bot(ScriptedClient())
    # As if Pipecat no longer composed what was appended.
    bot.llm._compose_system_instruction = lambda: None  # type: ignore[method-assign]
    async with bot:
        await bot.turn("Hello?")

    assert bot.client.prompts == [OWN_PROMPT]
    await soon(lambda: server.receipts() == [("fetched", module.NOT_IN_PROMPT)], "the receipt")


async def test_a_renamed_internal_is_noticed_and_the_new_rules_still_go_in(
    server: Server, plug: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server.block("Ghosts")
    plug(server.url, server.key())
    async with Bot(ScriptedClient()) as bot:
        await bot.turn("Hello?")
        await asyncio.to_thread(server.block, "Pirates")
        await soon(lambda: "Pirates" in bot.worker.porchlight.rules.instructions, "the change")
        # The private list no longer contains what the plug-in added.
        held = bot.llm._appended_system_instructions
        held[:] = [f"{text} " for text in held]
        await bot.turn("And now?")

    assert "Pirates" in bot.client.prompts[1]
    assert "Pipecat has changed" in caplog.text


async def test_two_children_on_one_device_have_transcripts_and_rules_of_their_own(server: Server, plug: Callable[..., Any]) -> None:
    server.block("Ghosts", child=1)
    server.block("Dragons", child=2)
    plug(server.url, server.key("robot", 1, 2), CHILD="1")
    async with Bot(ScriptedClient("Hi Mia", "Hi Ben")) as bot:
        conversation = bot.worker.porchlight
        await soon(lambda: conversation._porchlight.rules_of(2).now().version, "the rules of the other child")
        await bot.turn("I am Mia")
        await asyncio.to_thread(conversation.switch_child, 2)
        await bot.turn("I am Ben")

    assert [("Ghosts" in prompt, "Dragons" in prompt) for prompt in bot.client.prompts] == [(True, False), (False, True)]
    await soon(lambda: len(server.texts(1)) == len(server.texts(2)) == 2, "the words")
    assert [text.strip() for text in server.texts(2)] == ["I am Ben", "Hi Ben"]


@pytest.mark.parametrize(("choice", "asked"), [("talk", 1), ("silent", 0)])
async def test_rules_that_were_never_fetched_leave_what_the_user_chose(
    plug: Callable[..., Any], caplog: pytest.LogCaptureFixture, choice: str, asked: int
) -> None:
    plug(f"http://127.0.0.1:{free_port()}", "ast_x", CHILD="1", WITHOUT_RULES=choice)
    async with Bot(ScriptedClient()) as bot:
        await bot.hear("Hello?")
        await soon(lambda: bot.queued, "the word")
        await asyncio.sleep(0.3)

    assert len(bot.client.prompts) == asked
    assert all("off limits" in prompt for prompt in bot.client.prompts)
    assert bot.receipts() == []
    ours = [record for record in caplog.records if record.name == "porchlight" and record.levelno >= logging.WARNING]
    assert len(ours) == 1 and "cannot be reached" in ours[0].getMessage()


async def test_talking_that_is_not_allowed_is_one_goodbye_and_never_reaches_the_model(server: Server, plug: Callable[..., Any]) -> None:
    plug(server.url, server.key())
    async with Bot(ScriptedClient("Ahoy!")) as bot:
        await bot.turn("Hello?")
        await asyncio.to_thread(server.pause)
        await soon(lambda: not bot.worker.porchlight.rules.allowed, "the pause")
        await bot.hear("More!")
        await soon(lambda: "More!" in server.texts(), "the word")
        await bot.hear("Please!")
        await soon(lambda: "Please!" in server.texts(), "the next word")
        goodbye = bot.worker.porchlight.rules.goodbye

    assert len(bot.client.prompts) == 1
    assert bot.voice.goodbyes == [goodbye]


async def test_a_slow_server_is_never_waited_for_in_a_turn(plug: Callable[..., Any]) -> None:
    # It takes connections and never answers.
    silent = socket.create_server(("127.0.0.1", 0))
    plug(f"http://127.0.0.1:{silent.getsockname()[1]}", "ast_x", CHILD="1")
    loop_thread, touched = threading.current_thread(), list[str]()
    async with Bot(ScriptedClient()) as bot:

        def watch(event: str, _: Any) -> None:
            if threading.current_thread() is loop_thread and event in ("socket.connect", "socket.getaddrinfo", "sqlite3.connect"):
                touched.append(event)

        sys.addaudithook(watch)
        await bot.turn("Hello?")
        found = list(touched)
    silent.close()

    assert (len(bot.client.prompts), found) == (1, [])
