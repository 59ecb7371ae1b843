"""The gateway with real clients: OpenAI's and Ollama's packages and OpenAI Agents, the real server, and a scripted model server."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from conftest import until
from gateway_server import ANSWERS, OWN_PROMPT, QUESTIONS, THREE_TURNS, Gateway
from upstream import MODEL, Answer

pytest.importorskip("ollama", reason="The gateway's clients are not installed here.")

import ollama  # noqa: E402
import openai  # noqa: E402
from agents import (  # noqa: E402
    Agent,
    OpenAIChatCompletionsModel,
    RunConfig,
    Runner,
    SQLiteSession,
    function_tool,
)

Messages = list[dict[str, Any]]
Chat = Callable[[Messages], str]
TOOL = {
    "type": "function",
    "function": {
        "name": "get_temperature",
        "description": "The temperature in a room",
        "parameters": {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]},
    },
}


def whole(client: openai.OpenAI, model: str = MODEL) -> Chat:
    return lambda messages: str(client.chat.completions.create(model=model, messages=messages).choices[0].message.content)


def streamed(client: openai.OpenAI, model: str = MODEL) -> Chat:
    def chat(messages: Messages) -> str:
        stream = client.chat.completions.create(model=model, messages=messages, stream=True)
        return "".join(chunk.choices[0].delta.content or "" for chunk in stream)

    return chat


def talk(chat: Chat, *questions: str, prompt: str | None = OWN_PROMPT) -> list[str]:
    """Asks one after the other, each time with the whole history. Returns the answers."""
    messages: Messages = [{"role": "system", "content": prompt}] if prompt else []
    answers = []
    for question in questions:
        messages.append({"role": "user", "content": question})
        answers.append(chat(messages))
        messages.append({"role": "assistant", "content": answers[-1]})
    return answers


@pytest.mark.parametrize("form", [whole, streamed])
def test_openai_lists_the_models_and_talks_in_turns(gateway: Gateway, form: Callable[..., Chat]) -> None:
    gateway.upstream.says(*ANSWERS)
    client = openai.OpenAI(**gateway.options())

    models = client.models.list()
    answers = talk(form(client, models.data[0].id), *QUESTIONS)

    assert [model.id for model in models] == [MODEL] and client.models.retrieve(MODEL).id == MODEL
    assert answers == list(ANSWERS)
    gateway.shows(*THREE_TURNS)
    assert all(prompt.startswith(OWN_PROMPT) for prompt in gateway.upstream.prompts)


@pytest.mark.parametrize("form", [whole, streamed])
def test_openai_gets_the_answers_of_ollama(gateway: Gateway, form: Callable[..., Chat]) -> None:
    gateway.upstream.says(*ANSWERS)
    client = openai.OpenAI(**gateway.with_key(gateway.key("ollama")))

    answers = talk(form(client), *QUESTIONS, prompt=None)

    assert answers == list(ANSWERS)
    gateway.shows(*THREE_TURNS)


def test_openai_closes_a_stream_and_the_history_says_what_was_heard(gateway: Gateway) -> None:
    gateway.upstream.says("Hello Mia!", Answer("One day a little whale swam far away", stalls=True), "It came back.")
    client = openai.OpenAI(**gateway.options())
    messages: Messages = [{"role": "user", "content": "Hello!"}]
    messages.append({"role": "assistant", "content": streamed(client)(messages)})

    messages.append({"role": "user", "content": "Tell me a story."})
    heard = ""
    with client.chat.completions.create(model=MODEL, messages=messages, stream=True) as stream:
        for chunk in stream:
            heard += chunk.choices[0].delta.content or ""
            if heard.endswith("swam"):
                break
    messages += [{"role": "assistant", "content": "One day a little"}, {"role": "user", "content": "And then?"}]
    assert streamed(client)(messages) == "It came back."

    gateway.shows(
        ("child", "Hello!"),
        ("assistant", "Hello Mia!"),
        ("child", "Tell me a story."),
        ("assistant", "One day a little", "interrupted"),
        ("child", "And then?"),
        ("assistant", "It came back.", "generated"),
    )


@pytest.mark.parametrize("is_streamed", [False, True])
def test_openai_calls_a_tool(gateway: Gateway, is_streamed: bool) -> None:
    gateway.upstream.says(Answer(tool="get_temperature", arguments={"room": "kitchen"}), "It is 21 degrees.")
    client = openai.OpenAI(**gateway.options())
    messages: Messages = [{"role": "system", "content": OWN_PROMPT}, {"role": "user", "content": "How warm is the kitchen?"}]

    if is_streamed:
        with client.chat.completions.stream(model=MODEL, messages=messages, tools=[TOOL]) as stream:
            message = stream.get_final_completion().choices[0].message
    else:
        message = client.chat.completions.create(model=MODEL, messages=messages, tools=[TOOL]).choices[0].message
    [call] = message.tool_calls
    messages += [
        {"role": "assistant", "content": None, "tool_calls": [{"id": call.id, "type": "function", "function": call.function.model_dump()}]},
        {"role": "tool", "tool_call_id": call.id, "content": "21"},
    ]
    answer = client.chat.completions.create(model=MODEL, messages=messages, tools=[TOOL]).choices[0].message.content

    assert (call.function.name, json.loads(call.function.arguments)) == ("get_temperature", {"room": "kitchen"})
    assert answer == "It is 21 degrees."
    gateway.shows(
        ("child", "How warm is the kitchen?"),
        ("assistant", "[tool: get_temperature]"),
        ("assistant", "It is 21 degrees.", "generated"),
    )


async def test_openais_asynchronous_client_talks_and_asks_for_a_title(gateway: Gateway) -> None:
    gateway.upstream.says("Hello Mia!", "Greetings")
    async with openai.AsyncOpenAI(**gateway.options()) as client:
        question = {"role": "user", "content": "Hello!"}
        stream = await client.chat.completions.create(model=MODEL, messages=[question], stream=True)
        answer = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
        titled = await client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": "Write a title for: Hello!"}],
        )

    assert (answer, titled.choices[0].message.content) == ("Hello Mia!", "Greetings")
    gateway.shows(
        ("child", "Hello!"),
        ("assistant", "Hello Mia!", "generated"),
        ("child", "Write a title for: Hello!"),
        ("assistant", "Greetings", "generated"),
    )


def test_openai_learns_that_its_key_is_wrong(gateway: Gateway) -> None:
    client = openai.OpenAI(**gateway.with_key("ast_wrong"))

    with pytest.raises(openai.AuthenticationError) as refused:
        talk(whole(client), "Hello!")

    assert refused.value.code == "invalid_api_key"
    assert gateway.upstream.requests == [] and gateway.transcript() == []


@pytest.mark.parametrize("form", [whole, streamed])
def test_openai_gets_a_goodbye_while_talking_is_paused(gateway: Gateway, form: Callable[..., Chat]) -> None:
    gateway.server.pause()

    [goodbye] = talk(form(openai.OpenAI(**gateway.options())), "Hello!")

    until(lambda: gateway.transcript() == [("child", "Hello!"), ("assistant", goodbye, "generated")], "the goodbye")
    assert goodbye and gateway.upstream.requests == []


def test_openai_chooses_one_of_two_children_with_the_model(gateway: Gateway) -> None:
    gateway.upstream.says("Hello Mia!", "Hello Ben!")
    client = openai.OpenAI(**gateway.options(1, 2))

    with pytest.raises(openai.BadRequestError) as refused:
        talk(whole(client), "Hello!")
    mias, bens = (model.id for model in client.models.list())
    talk(whole(client, mias), "I am Mia.")
    talk(streamed(client, bens), "I am Ben.")

    assert refused.value.code == "child_required"
    assert (mias, bens) == (f"{MODEL}@Mia", f"{MODEL}@Ben")
    assert [request["model"] for request in gateway.upstream.requests] == [MODEL, MODEL]
    gateway.shows(("child", "I am Mia."), ("assistant", "Hello Mia!", "generated"))
    gateway.shows(("child", "I am Ben."), ("assistant", "Hello Ben!", "generated"), child=2)


def ollama_client(gateway: Gateway) -> ollama.Client:
    authorization = {"Authorization": f"Bearer {gateway.key('ollama')}"}
    return ollama.Client(host=f"{gateway.server.url}/gateway", headers=authorization)


def test_ollama_lists_and_shows_the_models(gateway: Gateway) -> None:
    client = ollama_client(gateway)

    assert [model.model for model in client.list().models] == [MODEL]
    assert client.show(MODEL).details.parameter_size == "8B"


@pytest.mark.parametrize("is_streamed", [False, True])
def test_ollama_talks_in_turns(gateway: Gateway, is_streamed: bool) -> None:
    gateway.upstream.says(*ANSWERS)
    client = ollama_client(gateway)

    def chat(messages: Messages) -> str:
        if is_streamed:
            return "".join(part.message.content or "" for part in client.chat(MODEL, messages, stream=True))
        return str(client.chat(MODEL, messages).message.content)

    assert talk(chat, *QUESTIONS) == list(ANSWERS)
    gateway.shows(*THREE_TURNS)


def test_ollama_learns_that_its_key_is_wrong(gateway: Gateway) -> None:
    client = ollama.Client(host=f"{gateway.server.url}/gateway", headers={"Authorization": "Bearer ast_wrong"})

    with pytest.raises(ollama.ResponseError) as refused:
        client.chat(MODEL, [{"role": "user", "content": "Hello!"}])

    assert refused.value.status_code == 401


@function_tool
def get_temperature(room: str) -> str:
    """The temperature in a room."""
    return "21"


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_openai_agents_talks_in_a_session_with_a_tool(gateway: Gateway, is_streamed: bool) -> None:
    gateway.upstream.says("Hello Mia!", Answer(tool="get_temperature", arguments={"room": "kitchen"}), "It is 21 degrees.")
    session, config = SQLiteSession("tablet"), RunConfig(tracing_disabled=True)
    async with openai.AsyncOpenAI(**gateway.options()) as client:
        model = OpenAIChatCompletionsModel(MODEL, client)
        agent = Agent(name="pirate", instructions=OWN_PROMPT, model=model, tools=[get_temperature])
        answers = []
        for question in ("Hello!", "How warm is the kitchen?"):
            if is_streamed:
                running = Runner.run_streamed(agent, question, session=session, run_config=config)
                async for _ in running.stream_events():
                    pass
                answers.append(running.final_output)
            else:
                answers.append((await Runner.run(agent, question, session=session, run_config=config)).final_output)
    session.close()

    assert answers == ["Hello Mia!", "It is 21 degrees."]
    gateway.shows(
        ("child", "Hello!"),
        ("assistant", "Hello Mia!"),
        ("child", "How warm is the kitchen?"),
        ("assistant", "[tool: get_temperature]"),
        ("assistant", "It is 21 degrees.", "generated"),
    )
