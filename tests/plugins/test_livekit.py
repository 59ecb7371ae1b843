"""LiveKit Agents: the real package with a scripted model, the real server, and the plug-in as downloaded."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import A_LONG_OUTAGE, Server, free_port, kill_once_written, soon, until

pytest.importorskip("livekit.agents", reason="LiveKit Agents is not installed here.")

from livekit.agents import Agent, AgentSession, UserInputTranscribedEvent, llm  # noqa: E402
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS  # noqa: E402

HandOut = Callable[[str, str], Any]
OWN_PROMPT = "You are a pirate."


class ScriptedStream(llm.LLMStream):
    async def _run(self) -> None:
        model = self._llm
        assert isinstance(model, ScriptedModel)
        for word in model.answers.pop(0).split(" ") if model.answers else ["Ahoy."]:
            chunk = llm.ChatChunk(id="1", delta=llm.ChoiceDelta(role="assistant", content=f"{word} "))
            self._event_ch.send_nowait(chunk)
            await asyncio.sleep(model.pause)


class ScriptedModel(llm.LLM):
    """Gives scripted answers, and records each prompt."""

    def __init__(self, *answers: str, pause: float = 0.0) -> None:
        super().__init__()
        self.answers = list(answers)
        self.pause = pause
        self.prompts: list[str] = []

    def chat(self, *, chat_ctx: llm.ChatContext, tools: Any = None, conn_options: Any = None, **_: Any) -> llm.LLMStream:
        messages = [item for item in chat_ctx.items if item.type == "message" and item.role == "system"]
        self.prompts.append("\n".join(message.text_content or "" for message in messages))
        return ScriptedStream(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options or DEFAULT_API_CONNECT_OPTIONS)


async def turn(session: AgentSession[Any], text: str) -> None:
    await session.run(user_input=text)


def spy(conversation: Any) -> None:
    """Records what is queued for a conversation."""
    queue = conversation._porchlight.queue
    own, conversation.seen = queue.add, []

    def add(entry: Any) -> None:
        conversation.seen.append(entry)
        own(entry)

    queue.add = add


async def test_the_rules_are_in_the_prompt_of_every_turn_and_a_change_is_in_the_next(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    server.block("Ghosts")
    environment(server.key())
    model, session = ScriptedModel("Ahoy!", "Aye.", "Arr."), AgentSession[Any]()
    conversation = hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    await turn(session, "Hello?")
    await turn(session, "Why?")
    await asyncio.to_thread(server.block, "Ghosts", "Pirates")
    await soon(lambda: "Pirates" in conversation.rules.instructions, "the change")
    await turn(session, "And now?")
    await session.aclose()

    assert len(model.prompts) == 3
    assert all(prompt.startswith(OWN_PROMPT) and prompt.count('"Ghosts"') == 1 for prompt in model.prompts)
    assert ["Pirates" in prompt for prompt in model.prompts] == [False, False, True]
    said = ["Hello?", "Ahoy!", "Why?", "Aye.", "And now?", "Arr."]
    await soon(lambda: [text.strip() for text in server.texts()] == said, "the words")
    assert server.receipts() == [("in_prompt", None), ("in_prompt", None)]
    assert server.plugin() == f"livekit {server.version}"


async def test_an_interruption_is_kept_as_heard(server: Server, hand_out: HandOut, environment: Callable[..., None]) -> None:
    environment(server.key())
    model, session = ScriptedModel("one two three four five six seven eight nine ten", pause=0.1), AgentSession[Any]()
    hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    handle = session.generate_reply(user_input="Count!")
    await asyncio.sleep(0.35)
    await session.interrupt()
    await handle
    await session.aclose()

    await soon(lambda: len(server.messages()) == 2, "the words")
    cut = server.messages()[1]
    assert cut["interrupted"] is True
    assert cut["text_content"].startswith("one") and "ten" not in cut["text_content"]


async def test_the_server_killed_in_the_middle_has_it_all_once_and_in_order(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    environment(server.key())
    model, session = ScriptedModel(*[f"answer {number}" for number in range(6)]), AgentSession[Any]()
    hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))
    said: list[str] = []

    for number in range(6):
        if number == 2:
            await asyncio.to_thread(server.stop, True)
        if number == 4:
            await asyncio.to_thread(server.start)
        await turn(session, f"question {number}")
        said += [f"question {number}", f"answer {number}"]
    await session.aclose()

    await soon(lambda: [text.strip() for text in server.texts()] == said, "the words")


@pytest.mark.timeout(180)
def test_an_outage_survives_a_kill_of_the_agents_process(server: Server, hand_out: HandOut, environment: Callable[..., None]) -> None:
    environment(server.key(), CHILD="1")
    server.stop()
    program = f"""
        import asyncio, sys, time
        sys.path[:0] = {[str(Path(__file__).parent), str(Path(hand_out("livekit", server.url).__file__).parent)]!r}
        import porchlight_livekit
        from livekit.agents import Agent, AgentSession
        from test_livekit import ScriptedModel, turn
        async def main():
            model = ScriptedModel(*[f"answer {{number}}" for number in range(500)])
            session = AgentSession()
            conversation = porchlight_livekit.watch(session)
            await session.start(Agent(instructions="You are a pirate.", llm=model))
            for number in range(500):
                await turn(session, f"question {{number}}")
            while conversation._porchlight.queue.count() < 1000:
                await asyncio.sleep(0.02)
            print("written", flush=True)
            time.sleep(60)
        asyncio.run(main())
    """
    kill_once_written(program)
    server.start()

    hand_out("livekit", server.url).connect()

    until(lambda: len(server.texts()) == 1000, "the words")
    assert [text.strip() for text in server.texts()] == A_LONG_OUTAGE


async def test_the_makers_own_update_and_a_handoff_keep_the_rules(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    server.block("Ghosts")
    environment(server.key())
    model, session = ScriptedModel(), AgentSession[Any]()
    hand_out("livekit", server.url).watch(session)
    entered = asyncio.Event()

    class Parrot(Agent):
        async def on_enter(self) -> None:
            entered.set()

    first, second = Agent(instructions=OWN_PROMPT, llm=model), Parrot(instructions="You are a parrot.", llm=model)
    await session.start(first)

    await turn(session, "Hello?")
    await first.update_instructions("You are a captain.")
    await turn(session, "And now?")
    session.update_agent(second)
    await entered.wait()
    await turn(session, "Who are you?")
    await session.aclose()

    assert [prompt.split(".")[0] for prompt in model.prompts] == ["You are a pirate", "You are a captain", "You are a parrot"]
    assert all('"Ghosts"' in prompt for prompt in model.prompts)
    await soon(lambda: server.receipts() == [("in_prompt", None)], "the receipt")


async def test_a_maker_that_drops_the_prompt_gets_no_receipt_for_it(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    class Dropping(Agent):
        def llm_node(self, chat_ctx: llm.ChatContext, tools: Any, model_settings: Any) -> Any:
            return Agent.default.llm_node(self, llm.ChatContext.empty(), tools, model_settings)

    environment(server.key())
    model, session = ScriptedModel(), AgentSession[Any]()
    plugin = hand_out("livekit", server.url)
    plugin.watch(session)
    await session.start(Dropping(instructions=OWN_PROMPT, llm=model))

    await turn(session, "Hello?")
    await session.aclose()

    assert model.prompts == [""]
    await soon(lambda: server.receipts() == [("fetched", plugin.NOT_IN_PROMPT)], "the receipt")


async def test_an_injection_that_fails_is_not_claimed_and_the_answer_still_comes(
    server: Server, hand_out: HandOut, environment: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment(server.key())
    model, session = ScriptedModel("Ahoy!"), AgentSession[Any]()
    plugin = hand_out("livekit", server.url)
    monkeypatch.setattr(plugin, "with_rules", lambda *_: 1 / 0)
    plugin.watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    await turn(session, "Hello?")
    await session.aclose()

    await soon(lambda: server.receipts() == [("fetched", plugin.NOT_IN_PROMPT)], "the receipt")
    await soon(lambda: [text.strip() for text in server.texts()] == ["Hello?", "Ahoy!"], "the words")


async def test_two_children_on_one_device_have_transcripts_and_rules_of_their_own(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    server.block("Ghosts", child=1)
    server.block("Dragons", child=2)
    environment(server.key("robot", 1, 2), CHILD="1")
    model, session = ScriptedModel("Hi Mia", "Hi Ben"), AgentSession[Any]()
    conversation = hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    # The rules of the other child are fetched before that child speaks.
    await soon(lambda: conversation._porchlight.rules_of(2).now().version, "the rules of the other child")
    await turn(session, "I am Mia")
    await asyncio.to_thread(conversation.switch_child, 2)
    await turn(session, "I am Ben")
    await session.aclose()

    assert [('"Ghosts"' in prompt, '"Dragons"' in prompt) for prompt in model.prompts] == [(True, False), (False, True)]
    await soon(lambda: len(server.texts(1)) == len(server.texts(2)) == 2, "the words")
    assert [text.strip() for text in server.texts(1)] == ["I am Mia", "Hi Mia"]
    assert [text.strip() for text in server.texts(2)] == ["I am Ben", "Hi Ben"]


@pytest.mark.parametrize(("choice", "asked"), [("talk", 2), ("silent", 0)])
async def test_rules_that_were_never_fetched_leave_what_the_user_chose(
    hand_out: HandOut, environment: Callable[..., None], caplog: pytest.LogCaptureFixture, choice: str, asked: int
) -> None:
    environment("ast_x", CHILD="1", WITHOUT_RULES=choice)
    model, session = ScriptedModel(), AgentSession[Any]()
    plugin = hand_out("livekit", f"http://127.0.0.1:{free_port()}")
    conversation = plugin.watch(session)
    spy(conversation)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    await turn(session, "Hello?")
    await turn(session, "Why?")
    await session.aclose()

    assert len(model.prompts) == asked
    assert all("off limits" in prompt for prompt in model.prompts)
    answers = [entry.body["text_content"] for entry in conversation.seen if entry.body.get("source") == "assistant"]
    assert answers == (["Ahoy. ", "Ahoy. "] if asked else [plugin.ASK_A_GROWN_UP])
    assert not [entry for entry in conversation.seen if entry.kind == "receipt"]
    ours = [record for record in caplog.records if record.name == "porchlight" and record.levelno >= logging.WARNING]
    assert len(ours) == 1 and "cannot be reached" in ours[0].getMessage()
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_slow_server_is_never_waited_for_in_a_turn(hand_out: HandOut, environment: Callable[..., None]) -> None:
    # It takes connections and never answers.
    silent = socket.create_server(("127.0.0.1", 0))
    environment("ast_x", CHILD="1")
    model, session = ScriptedModel(), AgentSession[Any]()
    hand_out("livekit", f"http://127.0.0.1:{silent.getsockname()[1]}").watch(session)
    loop_thread, touched = threading.current_thread(), list[str]()
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    def watch(event: str, _: Any) -> None:
        if threading.current_thread() is loop_thread and event in ("socket.connect", "socket.getaddrinfo", "sqlite3.connect"):
            touched.append(event)

    sys.addaudithook(watch)
    await turn(session, "Hello?")
    await session.aclose()
    found = list(touched)
    silent.close()

    assert (len(model.prompts), found) == (1, [])


async def test_talking_that_is_not_allowed_ends_with_one_goodbye(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    environment(server.key())
    model, session = ScriptedModel("Ahoy!"), AgentSession[Any]()
    conversation = hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))
    await turn(session, "Hello?")
    await asyncio.to_thread(server.pause)
    await soon(lambda: not conversation.rules.allowed, "the pause")

    await turn(session, "More!")
    await turn(session, "Please!")
    await session.aclose()

    assert len(model.prompts) == 1
    said = ["Hello?", "Ahoy!", "More!", conversation.rules.goodbye, "Please!"]
    await soon(lambda: [text.strip() for text in server.texts()] == said, "the words")


async def test_an_answer_that_livekit_asked_for_early_and_dropped_takes_no_goodbye_away(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    environment(server.key())
    agent, session = Agent(instructions=OWN_PROMPT, llm=ScriptedModel()), AgentSession[Any]()
    conversation = hand_out("livekit", server.url).watch(session)
    await session.start(agent)
    await asyncio.to_thread(server.pause)
    await soon(lambda: not conversation.rules.allowed, "the pause")

    # Like preemptive generation, before the child has finished.
    early = [piece async for piece in agent.llm_node(llm.ChatContext.empty(), [], None)]  # type: ignore[arg-type, union-attr]
    await turn(session, "More!")
    await turn(session, "Please!")
    await session.aclose()

    assert early == [conversation.rules.goodbye]
    said = ["More!", conversation.rules.goodbye, "Please!"]
    await soon(lambda: [text.strip() for text in server.texts()] == said, "the words")


async def test_what_becomes_no_item_of_the_conversation_is_delivered(
    server: Server, hand_out: HandOut, environment: Callable[..., None]
) -> None:
    environment(server.key())
    session = AgentSession[Any]()
    hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=ScriptedModel("Ahoy!", "Aye.")))

    def hear(text: str) -> None:
        session.emit("user_input_transcribed", UserInputTranscribedEvent(transcript=text, is_final=True))

    hear("Hello?")
    await turn(session, "Hello?")
    # Said while the agent could not be interrupted.
    hear("I am scared.")
    hear("Are you")
    hear("there?")
    await turn(session, "Are you there?")
    await session.say("Back soon.", add_to_chat_ctx=False)
    # Stopped by the developer's own code, and then the child left.
    hear("Good night.")
    await session.aclose()

    said = ["Hello?", "Ahoy!", "I am scared.", "Are you there?", "Aye.", "Back soon.", "Good night."]
    await soon(lambda: [text.strip() for text in server.texts()] == said, "the words")
