"""Pipecat with a speech-to-speech model: the real package and its OpenAI service, a scripted service behind a socket, the real server."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Server, soon

pytest.importorskip("pipecat", reason="Pipecat is not installed here.")

import pipecat.utils.string  # noqa: E402
from pipecat.frames.frames import (  # noqa: E402
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    Frame,
    InputAudioRawFrame,
    LLMRunFrame,
    LLMUpdateSettingsFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
)
from pipecat.pipeline.pipeline import Pipeline  # noqa: E402
from pipecat.pipeline.worker import PipelineWorker  # noqa: E402
from pipecat.processors.aggregators.llm_context import LLMContext  # noqa: E402
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair  # noqa: E402
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor  # noqa: E402
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService  # noqa: E402
from pipecat.workers.runner import WorkerRunner  # noqa: E402
from test_pipecat import HandOut, plug  # noqa: E402
from websockets.asyncio.server import ServerConnection, serve  # noqa: E402

# Pipecat before 1.12 splits sentences with data that it downloads, which no test does.
if hasattr(pipecat.utils.string, "sent_tokenize"):
    pipecat.utils.string.sent_tokenize = lambda text, **_: [text]

# The fixture of the other tests.
__all__ = ["HandOut", "plug"]

OWN_PROMPT = "You are a pirate."
Plug = Callable[..., Any]


class Service:
    """A stand-in for OpenAI's realtime service: repeats a session's settings, receives audio, and gives scripted answers."""

    def __init__(self, repeats: Callable[[str], str] = str) -> None:
        self.repeats = repeats
        # The prompt of the session, each time that it was sent, and at each answer.
        self.prompts: list[str | None] = []
        self.at_answers: list[str | None] = []
        self.heard = 0
        self._socket: ServerConnection | None = None

    async def __aenter__(self) -> Service:
        self._listener = await serve(self._talk, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{next(iter(self._listener.sockets)).getsockname()[1]}"
        return self

    async def __aexit__(self, *_: Any) -> None:
        self._listener.close()

    async def send(self, kind: str, **fields: Any) -> None:
        assert self._socket is not None
        await self._socket.send(json.dumps({"type": kind, "event_id": "1", **fields}))

    async def _talk(self, socket: ServerConnection) -> None:
        self._socket = socket
        await self.send("session.created", session={})
        async for message in socket:
            event = json.loads(message)
            if event["type"] == "session.update":
                self.prompts.append(event["session"].get("instructions"))
                await self.send("session.updated", session={"instructions": self.repeats(self.prompts[-1] or "")})
            elif event["type"] == "response.create":
                await self.answer("Ahoy!")
            elif event["type"] == "input_audio_buffer.append":
                self.heard += 1

    async def turn(self, question: str, answer: str) -> None:
        """The child speaks, and the model answers by itself."""
        item = f"question-{len(self.at_answers)}"
        await self.send("input_audio_buffer.speech_started", audio_start_ms=0, item_id=item)
        await self.send("input_audio_buffer.speech_stopped", audio_end_ms=1, item_id=item)
        kind = "conversation.item.input_audio_transcription.completed"
        await self.send(kind, item_id=item, content_index=0, transcript=question)
        await self.answer(answer)

    async def answer(self, text: str) -> None:
        self.at_answers.append(self.prompts[-1])
        name = f"answer-{len(self.at_answers)}"
        response = {"id": name, "object": "realtime.response", "status": "completed", "status_details": None, "output": []}
        place = {"response_id": name, "item_id": name, "output_index": 0, "content_index": 0}
        await self.send("response.created", response={**response, "status": "in_progress", "usage": None})
        item = {"id": name, "object": "realtime.item", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
        await self.send("conversation.item.added", item=item)
        await self.send("response.output_audio_transcript.delta", delta=text, **place)
        await self.send("response.output_audio.delta", delta=base64.b64encode(bytes(480)).decode(), **place)
        usage = {"total_tokens": 0, "input_tokens": 0, "output_tokens": 0, "input_token_details": {}, "output_token_details": {}}
        await self.send("response.done", response={**response, "usage": usage})


class Speaker(FrameProcessor):
    """Reports when it starts and stops speaking, like a transport."""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, TTSStartedFrame):
            await self.push_frame(BotStartedSpeakingFrame(), FrameDirection.UPSTREAM)
        if isinstance(frame, TTSStoppedFrame):
            await self.push_frame(BotStoppedSpeakingFrame(), FrameDirection.UPSTREAM)
        await self.push_frame(frame, direction)


class Bot:
    """A developer's bot, which doesn't know of the plug-in."""

    def __init__(self, service: Service) -> None:
        settings = OpenAIRealtimeLLMService.Settings(system_instruction=OWN_PROMPT)
        self.llm = OpenAIRealtimeLLMService(api_key="none", base_url=service.url, settings=settings)
        pair = LLMContextAggregatorPair(LLMContext())
        self.worker = PipelineWorker(Pipeline([pair.user(), self.llm, Speaker(), pair.assistant()]))

    async def __aenter__(self) -> Bot:
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(self.worker)
        self._running = asyncio.create_task(runner.run())
        await soon(lambda: hasattr(self.worker, "porchlight"), "the plug-in")
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.worker.stop_when_done()
        await asyncio.wait_for(self._running, 20)

    @property
    def rules(self) -> Any:
        return self.worker.porchlight.rules


async def test_the_rules_are_in_the_sessions_prompt_before_the_first_word_and_a_change_is_handed_over(server: Server, plug: Plug) -> None:
    server.block("Ghosts")
    plug(server.url, server.key())
    async with Service() as service, Bot(service) as bot:
        await bot.worker.queue_frame(LLMRunFrame())
        await soon(lambda: server.texts() == ["Ahoy!"], "the greeting")
        await service.turn("Hello?", "Aye.")
        await soon(lambda: server.texts() == ["Ahoy!", "Hello?", "Aye."], "the first words")
        await asyncio.to_thread(server.block, "Dragons")
        await soon(lambda: "Dragons" in (service.prompts[-1] or ""), "the change")
        await service.turn("And now?", "Arr.")
        await soon(lambda: server.texts() == ["Ahoy!", "Hello?", "Aye.", "And now?", "Arr."], "the words")

    # The first of them was sent before there was a conversation.
    assert all(prompt is not None and prompt.startswith(OWN_PROMPT) and prompt.count("off limits") == 1 for prompt in service.prompts)
    assert [("Ghosts" in (prompt or ""), "Dragons" in (prompt or "")) for prompt in service.at_answers] == [
        (True, False),
        (True, False),
        (False, True),
    ]
    assert server.receipts() == [("set", None), ("set", None)]


async def test_a_prompt_that_the_maker_replaces_keeps_the_rules(server: Server, plug: Plug) -> None:
    plug(server.url, server.key())
    async with Service() as service, Bot(service) as bot:
        await soon(lambda: service.prompts, "the session")
        parrot = OpenAIRealtimeLLMService.Settings(system_instruction="You are a parrot.")
        await bot.worker.queue_frame(LLMUpdateSettingsFrame(delta=parrot))
        await soon(lambda: (service.prompts[-1] or "").startswith("You are a parrot."), "the maker's prompt")

    assert all((prompt or "").count("off limits") == 1 for prompt in service.prompts)


async def test_a_session_without_the_rules_is_not_claimed(server: Server, plug: Plug) -> None:
    module = plug(server.url, server.key())
    async with Service(repeats=lambda prompt: OWN_PROMPT) as service, Bot(service):
        await soon(lambda: server.receipts() == [("fetched", module.NOT_IN_PROMPT)], "the receipt")


async def test_a_service_that_does_not_repeat_its_prompt_is_not_claimed(server: Server, plug: Plug) -> None:
    module = plug(server.url, server.key())
    async with Service() as service:
        bot = Bot(service)
        # As if it was renamed, or the service had no such method.
        bot.llm._handle_evt_session_updated = None  # type: ignore[method-assign]
        async with bot:
            await bot.worker.queue_frame(LLMRunFrame())
            await soon(lambda: server.receipts() == [("fetched", module.NOT_CONFIRMED)], "the receipt")


async def test_talking_that_is_not_allowed_is_one_goodbye_and_then_the_model_hears_nothing(server: Server, plug: Plug) -> None:
    plug(server.url, server.key())
    sound = InputAudioRawFrame(audio=bytes(960), sample_rate=24_000, num_channels=1)
    async with Service() as service, Bot(service) as bot:
        await soon(lambda: service.prompts, "the session")
        await bot.worker.queue_frame(sound)
        await soon(lambda: service.heard == 1, "the sound")
        await asyncio.to_thread(server.pause)
        await soon(lambda: not bot.rules.allowed and bot.rules.goodbye in (service.prompts[-1] or ""), "the pause")

        await service.turn("More!", bot.rules.goodbye)
        await soon(lambda: server.texts() == ["More!", bot.rules.goodbye], "the goodbye")
        for _ in range(3):
            await bot.worker.queue_frame(sound)
        await asyncio.sleep(0.3)
        assert service.heard == 1

        await asyncio.to_thread(server.pause, paused=False)
        await soon(lambda: bot.rules.allowed and bot.rules.goodbye not in (service.prompts[-1] or ""), "the permission")
        await bot.worker.queue_frame(sound)
        await soon(lambda: service.heard == 2, "the sound")
