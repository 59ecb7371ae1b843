"""Pipecat through the gateway: a real pipeline with its own client of OpenAI's API, the real server, and a scripted model server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import soon
from gateway_server import ANSWERS, OWN_PROMPT, QUESTIONS, THREE_TURNS, Gateway
from upstream import MODEL, Answer

pytest.importorskip("pipecat", reason="Pipecat is not installed here.")

from pipecat.adapters.llm.schemas.function_schema import FunctionSchema  # noqa: E402
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema  # noqa: E402
from pipecat.frames.frames import (  # noqa: E402
    Frame,
    InterruptionWorkerFrame,
    LLMTextFrame,
    TranscriptionFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline  # noqa: E402
from pipecat.pipeline.worker import PipelineWorker  # noqa: E402
from pipecat.processors.aggregators.llm_context import LLMContext  # noqa: E402
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams  # noqa: E402
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor  # noqa: E402
from pipecat.services.llm_service import FunctionCallParams  # noqa: E402
from pipecat.services.openai.llm import OpenAILLMService  # noqa: E402
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies  # noqa: E402
from pipecat.utils.time import time_now_iso8601  # noqa: E402
from pipecat.workers.runner import WorkerRunner  # noqa: E402

STORY = "One day a little whale swam far away"
TOOL = FunctionSchema("get_temperature", "The temperature in a room", {"room": {"type": "string"}}, ["room"])


async def get_temperature(call: FunctionCallParams) -> None:
    await call.result_callback("21")


class Voice(FrameProcessor):
    """Takes the place of a voice. It knows what was heard."""

    heard = ""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if isinstance(frame, LLMTextFrame):
            self.heard += frame.text


class Bot:
    """A bot as its author writes it, with the gateway's address and key. It runs until the end of the block."""

    def __init__(self, gateway: Gateway) -> None:
        options = gateway.options()
        settings = OpenAILLMService.Settings(model=MODEL, system_instruction=OWN_PROMPT)
        model = OpenAILLMService(api_key=options["api_key"], base_url=options["base_url"], settings=settings)
        model.register_function("get_temperature", get_temperature)
        self.context = LLMContext(tools=ToolsSchema([TOOL]))
        pair = LLMContextAggregatorPair(
            self.context, user_params=LLMUserAggregatorParams(user_turn_strategies=ExternalUserTurnStrategies())
        )
        self.voice = Voice()
        self.worker = PipelineWorker(Pipeline([pair.user(), model, self.voice, pair.assistant()]))

    async def __aenter__(self) -> Bot:
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(self.worker)
        self._running = asyncio.create_task(runner.run())
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.worker.stop_when_done()
        await asyncio.wait_for(self._running, 20)

    async def hear(self, text: str) -> None:
        await self.worker.queue_frames(
            [UserStartedSpeakingFrame(), TranscriptionFrame(text, "", time_now_iso8601(), finalized=True), UserStoppedSpeakingFrame()]
        )

    @property
    def said(self) -> list[str]:
        """What Pipecat's own history has, without tools."""
        messages = [message for message in self.context.messages if isinstance(message, dict)]
        return [str(message["content"]) for message in messages if message["role"] in ("user", "assistant") and message.get("content")]


async def test_a_conversation_in_turns(gateway: Gateway) -> None:
    gateway.upstream.says(*ANSWERS)

    async with Bot(gateway) as bot:
        for number, question in enumerate(QUESTIONS, 1):
            await bot.hear(question)
            await soon(lambda wanted=2 * number: len(bot.said) == wanted, "the answer")

    assert bot.said[1::2] == list(ANSWERS)
    assert all(request["stream"] for request in gateway.upstream.requests)
    gateway.shows(*THREE_TURNS)


async def test_an_interrupted_answer_is_kept_as_far_as_it_was_heard(gateway: Gateway) -> None:
    gateway.upstream.says(Answer(STORY, stalls=True), "It came back.")

    async with Bot(gateway) as bot:
        await bot.hear("Tell me a story.")
        await soon(lambda: bot.voice.heard == STORY, "the answer's beginning")
        await bot.worker.queue_frame(InterruptionWorkerFrame())
        await soon(lambda: len(bot.said) == 2, "the interruption")
        await bot.hear("And then?")
        await soon(lambda: len(bot.said) == 4, "the answer")

    assert bot.said[1] == STORY
    gateway.shows(
        ("child", "Tell me a story."),
        ("assistant", STORY, "interrupted"),
        ("child", "And then?"),
        ("assistant", "It came back.", "generated"),
    )


async def test_a_tool_is_called(gateway: Gateway) -> None:
    gateway.upstream.says(Answer(tool="get_temperature", arguments={"room": "kitchen"}), "It is 21 degrees.")

    async with Bot(gateway) as bot:
        await bot.hear("How warm is the kitchen?")
        await soon(lambda: bot.said[-1:] == ["It is 21 degrees."], "the answer")

    gateway.shows(
        ("child", "How warm is the kitchen?"),
        ("assistant", "[tool: get_temperature]"),
        ("assistant", "It is 21 degrees.", "generated"),
    )


async def test_while_talking_is_paused_the_bot_says_goodbye(gateway: Gateway) -> None:
    gateway.server.pause()

    async with Bot(gateway) as bot:
        await bot.hear("Hello!")
        await soon(lambda: len(bot.said) == 2, "the goodbye")

    [hello, goodbye] = bot.said
    await soon(lambda: gateway.transcript() == [("child", hello), ("assistant", goodbye, "generated")], "the goodbye's transcript")
    assert goodbye and gateway.upstream.requests == []
