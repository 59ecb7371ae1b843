"""LiveKit Agents through the gateway: a real session with its own client of OpenAI's API, the real server, and a scripted model server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

import pytest
from conftest import soon
from gateway_server import ANSWERS, OWN_PROMPT, QUESTIONS, THREE_TURNS, Gateway
from upstream import MODEL, Answer

pytest.importorskip("livekit.plugins.openai", reason="LiveKit's plug-in for OpenAI's API is not installed here.")

from livekit.agents import Agent, AgentSession, function_tool, stt  # noqa: E402
from livekit.plugins import openai  # noqa: E402


@function_tool
async def get_temperature(room: str) -> str:
    """The temperature in a room."""
    return "21"


class Pirate(Agent):
    """An agent that notes what was heard."""

    heard = ""

    def __init__(self) -> None:
        super().__init__(instructions=OWN_PROMPT, tools=[get_temperature])

    async def transcription_node(self, text: AsyncIterable[Any], model_settings: Any) -> AsyncIterator[Any]:
        async for piece in text:
            self.heard += str(piece)
            yield piece


class Ears(stt.STT):
    """Hears nothing by itself: the agent's own node says what was spoken."""

    def __init__(self) -> None:
        super().__init__(capabilities=stt.STTCapabilities(streaming=True, interim_results=False))

    async def _recognize_impl(self, *_: Any, **__: Any) -> stt.SpeechEvent:
        raise NotImplementedError


class Librarian(Pirate):
    """An agent that looks up what it knows, as in LiveKit's documentation: the model gets it behind the child's words."""

    def __init__(self) -> None:
        super().__init__()
        self.spoken = asyncio.Queue[str]()

    async def stt_node(self, audio: AsyncIterable[Any], model_settings: Any) -> AsyncIterator[stt.SpeechEvent]:
        while True:
            text = await self.spoken.get()
            yield stt.SpeechEvent(stt.SpeechEventType.START_OF_SPEECH)
            yield stt.SpeechEvent(stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[stt.SpeechData(language="en", text=text)])
            yield stt.SpeechEvent(stt.SpeechEventType.END_OF_SPEECH)

    async def on_user_turn_completed(self, turn_ctx: Any, new_message: Any) -> None:
        turn_ctx.add_message(role="assistant", content=f"What I know of it: {new_message.text_content}")


@contextlib.asynccontextmanager
async def talking(gateway: Gateway, agent: Agent | None = None) -> AsyncIterator[AgentSession[Any]]:
    """A session as an agent's author writes it, with the gateway's address and key."""
    options = gateway.options()
    model = openai.LLM(model=MODEL, base_url=options["base_url"], api_key=options["api_key"])
    hears = {"stt": Ears(), "turn_detection": "stt"} if isinstance(agent, Librarian) else {}
    session = AgentSession[Any](llm=model, **hears)
    await session.start(agent or Pirate())
    yield session
    await session.aclose()
    await model.aclose()


def said(session: AgentSession[Any]) -> list[str]:
    """What LiveKit's own history has."""
    return [item.text_content or "" for item in session.history.items if item.type == "message" and item.role != "system"]


async def test_a_conversation_in_turns(gateway: Gateway) -> None:
    gateway.upstream.says(*ANSWERS)

    async with talking(gateway) as session:
        for question in QUESTIONS:
            await session.run(user_input=question)

    assert said(session)[1::2] == list(ANSWERS)
    assert all(request["stream"] for request in gateway.upstream.requests)
    gateway.shows(*THREE_TURNS)


async def test_an_interrupted_answer_is_kept_as_far_as_it_was_heard(gateway: Gateway) -> None:
    gateway.upstream.says(Answer("One day a little whale swam", stalls=True), "It came back.")

    pirate = Pirate()
    async with talking(gateway, pirate) as session:
        telling = session.generate_reply(user_input="Tell me a story.")
        await soon(lambda: pirate.heard.endswith("swam"), "the answer's beginning")
        await session.interrupt()
        await telling
        await session.run(user_input="And then?")

    assert said(session)[1] == "One day a little whale swam"
    gateway.shows(
        ("child", "Tell me a story."),
        ("assistant", "One day a little whale swam", "interrupted"),
        ("child", "And then?"),
        ("assistant", "It came back.", "generated"),
    )


async def test_a_tool_is_called(gateway: Gateway) -> None:
    gateway.upstream.says(Answer(tool="get_temperature", arguments={"room": "kitchen"}), "It is 21 degrees.")

    async with talking(gateway) as session:
        await session.run(user_input="How warm is the kitchen?")

    gateway.shows(
        ("child", "How warm is the kitchen?"),
        ("assistant", "[tool: get_temperature]"),
        ("assistant", "It is 21 degrees.", "generated"),
    )


async def test_while_talking_is_paused_the_agent_says_goodbye(gateway: Gateway) -> None:
    gateway.server.pause()

    async with talking(gateway) as session:
        await asyncio.wait_for(session.run(user_input="Hello!"), 20)

    [hello, goodbye] = said(session)
    await soon(lambda: gateway.transcript() == [("child", hello), ("assistant", goodbye, "generated")], "the goodbye")
    assert goodbye and gateway.upstream.requests == []


async def test_the_childs_words_are_kept_although_the_agent_puts_knowledge_behind_them(gateway: Gateway) -> None:
    gateway.upstream.says(*ANSWERS)

    librarian = Librarian()
    async with talking(gateway, librarian) as session:
        for number, question in enumerate(QUESTIONS, start=1):
            librarian.spoken.put_nowait(question)
            await soon(lambda number=number: said(session)[2 * number - 1 :], "the answer")

    last = [message["content"] for message in gateway.upstream.requests[-1]["messages"]][-2:]
    assert last == [QUESTIONS[-1], f"What I know of it: {QUESTIONS[-1]}"]
    await soon(lambda: [one for one in gateway.transcript() if one[0] == "child"] == [("child", one) for one in QUESTIONS], "her words")
    kept = [text for source, text, *_ in gateway.transcript() if source == "assistant"]
    assert all(answer in kept for answer in ANSWERS)
