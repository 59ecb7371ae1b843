"""The AI SDK of npm through the gateway: a real conversation in Node, the real server, and a scripted model server."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import until
from gateway_server import ANSWERS, OWN_PROMPT, QUESTIONS, THREE_TURNS, Gateway
from upstream import MODEL, Answer

if not os.environ.get("AI_SDK"):
    pytest.skip("The AI SDK is not installed here.", allow_module_level=True)


def talk(gateway: Gateway, *questions: str, streams: bool, **options: Any) -> list[str]:
    """Asks one after the other, each time with the whole history. Returns the answers."""
    script = {"model": MODEL, "system": OWN_PROMPT, "questions": questions, "streams": streams, **options}
    address = f"{gateway.server.url}/gateway/v1"
    program = Path(__file__).with_name("ai_client.mjs")
    key = gateway.key("openai")
    done = subprocess.run(
        [os.environ["NODE"], str(program), os.environ["AI_SDK"], address, json.dumps(script)],
        env={**os.environ, "PORCHLIGHT_KEY": key},
        capture_output=True,
        text=True,
        timeout=40,
    )
    assert done.returncode == 0, done.stderr
    answers: list[str] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("streams", [False, True])
def test_a_conversation_in_turns(gateway: Gateway, streams: bool) -> None:
    gateway.upstream.says(*ANSWERS)

    assert talk(gateway, *QUESTIONS, streams=streams) == list(ANSWERS)

    assert all(bool(request.get("stream")) == streams for request in gateway.upstream.requests)
    gateway.shows(*THREE_TURNS)


def test_a_stopped_answer_is_kept_as_heard(gateway: Gateway) -> None:
    gateway.upstream.says(Answer("One day a little whale swam far away", stalls=True), "It came back.")

    answers = talk(gateway, "Tell me a story.", "And then?", streams=True, stopsAfter="swam")

    assert answers == ["One day a little whale swam", "It came back."]
    gateway.shows(
        ("child", "Tell me a story."),
        ("assistant", "One day a little whale swam", "interrupted"),
        ("child", "And then?"),
        ("assistant", "It came back.", "generated"),
    )


@pytest.mark.parametrize("streams", [False, True])
def test_a_tool_is_called(gateway: Gateway, streams: bool) -> None:
    gateway.upstream.says(Answer(tool="get_temperature", arguments={"room": "kitchen"}), "It is 21 degrees.", "You're welcome.")

    answers = talk(gateway, "How warm is the kitchen?", "Thanks!", streams=streams)

    assert answers == ["It is 21 degrees.", "You're welcome."]
    gateway.shows(
        ("child", "How warm is the kitchen?"),
        ("assistant", "[tool: get_temperature]"),
        ("assistant", "It is 21 degrees."),
        ("child", "Thanks!"),
        ("assistant", "You're welcome.", "generated"),
    )


@pytest.mark.parametrize("streams", [False, True])
def test_while_talking_is_paused_the_answer_is_a_goodbye(gateway: Gateway, streams: bool) -> None:
    gateway.server.pause()

    [goodbye] = talk(gateway, "Hello!", streams=streams)

    until(lambda: gateway.transcript() == [("child", "Hello!"), ("assistant", goodbye, "generated")], "the goodbye")
    assert goodbye and gateway.upstream.requests == []
