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

from livekit.agents import Agent, AgentSession, function_tool  # noqa: E402
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


@contextlib.asynccontextmanager
async def talking(gateway: Gateway, agent: Agent | None = None) -> AsyncIterator[AgentSession[Any]]:
    """A session as an agent's author writes it, with the gateway's address and key."""
    options = gateway.options()
    model = openai.LLM(model=MODEL, base_url=options["base_url"], api_key=options["api_key"])
    session = AgentSession[Any](llm=model)
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
