"""OpenAI Agents, realtime: the real package with its own scripted model, the real server, and the plug-in as downloaded."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import A_LONG_OUTAGE, Server, free_port, kill_once_written, soon, until, warnings_of

pytest.importorskip("agents.realtime", reason="OpenAI Agents is not installed here.")

from agents import GuardrailFunctionOutput, OutputGuardrail  # noqa: E402
from agents.realtime import (  # noqa: E402
    AssistantMessageItem,
    RealtimeAgent,
    RealtimeModelAudioEvent,
    RealtimeModelAudioInterruptedEvent,
    RealtimeModelErrorEvent,
    RealtimeModelInputAudioTranscriptionCompletedEvent,
    RealtimeModelItemUpdatedEvent,
    RealtimeModelSendRawMessage,
    RealtimeModelSendSessionUpdate,
    RealtimeModelSendUserInput,
    RealtimeModelToolCallEvent,
    RealtimeModelTranscriptDeltaEvent,
    RealtimeModelTurnEndedEvent,
    RealtimeModelTurnStartedEvent,
    RealtimePlaybackTracker,
    RealtimeRunner,
    UserMessageItem,
)
from agents.realtime.items import AssistantAudio, InputAudio, InputText  # noqa: E402
from agents.realtime.model_events import RealtimeModelRawServerEvent  # noqa: E402
from agents.realtime.testing import ScriptedRealtimeModel  # noqa: E402

HandOut = Callable[[str, str], Any]
Environment = Callable[..., None]
OWN_PROMPT = "You are a pirate."
SECOND = b"\0" * 48_000


class Talk:
    """A developer's session, with a scripted model."""

    def __init__(self, plugin: Any, agent: RealtimeAgent[Any] | None = None, model: ScriptedRealtimeModel | None = None) -> None:
        self.plugin = plugin
        self.agent = agent or RealtimeAgent(name="pirate", instructions=OWN_PROMPT)
        self.model = model or ScriptedRealtimeModel(strict=False)
        self.prompts: list[str] = []
        self.tracker = RealtimePlaybackTracker()
        self._turns = 0

    async def __aenter__(self) -> Talk:
        runner = RealtimeRunner(self.agent, model=self.model, config={"tracing_disabled": True})
        self.session = await runner.run(model_config={"playback_tracker": self.tracker})
        self.conversation = self.plugin.watch(self.session)
        await self.session.enter()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.session.close()

    @property
    def prompt(self) -> str:
        """The prompt of the model's session."""
        prompt = self.model.connect_calls[0]["initial_model_settings"]["instructions"]
        for event in self.model.sent_events:
            if isinstance(event, RealtimeModelSendSessionUpdate):
                prompt = event.session_settings.get("instructions", prompt)
        return str(prompt)

    async def echo(self, prompt: str | None = None) -> None:
        """Repeats the prompt in use, like OpenAI's service."""
        await self.model.emit(
            RealtimeModelRawServerEvent(data={"type": "session.updated", "session": {"instructions": prompt or self.prompt}})
        )

    async def asks(self, text: str) -> None:
        """The child speaks: first the item, and then its transcript."""
        self._turns += 1
        item = UserMessageItem(item_id=f"q{self._turns}", content=[InputAudio(transcript=None)])
        await self.model.emit(
            RealtimeModelItemUpdatedEvent(item=item),
            RealtimeModelInputAudioTranscriptionCompletedEvent(item_id=item.item_id, transcript=text),
        )

    async def begins(self, text: str, seconds: int = 1) -> str:
        """The model generates an answer faster than it is played."""
        item_id, response = f"a{self._turns}", f"r{self._turns}"
        await self.model.emit(RealtimeModelTurnStartedEvent(response_id=response))
        self.prompts.append(self.prompt)
        for word in text.split(" "):
            delta = word if word == text.split(" ")[0] else f" {word}"
            await self.model.emit(RealtimeModelTranscriptDeltaEvent(item_id=item_id, delta=delta, response_id=response))
        sound = RealtimeModelAudioEvent(data=SECOND * seconds, response_id=response, item_id=item_id, content_index=0)
        await self.model.emit(sound)
        return item_id

    async def ends(self, text: str) -> None:
        item_id = f"a{self._turns}"
        item = AssistantMessageItem(item_id=item_id, status="completed", content=[AssistantAudio(transcript=text)])
        await self.model.emit(RealtimeModelItemUpdatedEvent(item=item), RealtimeModelTurnEndedEvent(response_id=f"r{self._turns}"))

    async def turn(self, question: str, answer: str) -> None:
        await self.asks(question)
        item_id = await self.begins(answer)
        await self.ends(answer)
        self.tracker.on_play_ms(item_id, 0, 1000)

    async def interrupt(self, item_id: str) -> None:
        await self.model.emit(RealtimeModelAudioInterruptedEvent(item_id=item_id, content_index=0))


async def test_the_rules_are_in_the_prompt_of_every_turn_and_a_change_is_in_the_next(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    server.block("Ghosts")
    environment(server.key())
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        await talk.echo()
        await talk.turn("Hello?", "Ahoy!")
        await talk.turn("Why?", "Aye.")
        await asyncio.to_thread(server.block, "Pirates")
        await soon(lambda: "Pirates" in talk.prompt, "the change")
        await talk.echo()
        await talk.turn("And now?", "Arr.")

    assert all(prompt.startswith(OWN_PROMPT) and prompt.count("off limits") == 1 for prompt in talk.prompts)
    assert [("Ghosts" in prompt, "Pirates" in prompt) for prompt in talk.prompts] == [(True, False), (True, False), (False, True)]
    await soon(lambda: server.texts() == ["Hello?", "Ahoy!", "Why?", "Aye.", "And now?", "Arr."], "the words")
    assert server.receipts() == [("set", None), ("in_prompt", None), ("set", None), ("in_prompt", None)]
    assert server.plugin() == f"openai-agents {server.version}"


async def test_an_interruption_is_kept_as_heard(server: Server, hand_out: HandOut, environment: Environment) -> None:
    environment(server.key())
    counting = "one two three four five six seven eight nine ten"
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        await talk.asks("Count!")
        item_id = await talk.begins(counting, seconds=10)
        await talk.ends(counting)
        await soon(lambda: server.texts() == ["Count!", counting], "the whole answer")
        talk.tracker.on_play_ms(item_id, 0, 4000)
        await talk.interrupt(item_id)
        # The SDK reports the item with its full text again.
        await talk.ends(counting)
        await soon(lambda: server.messages()[1].get("interrupted"), "the cut")

    cut = server.messages()[1]
    assert cut["text_content"] == "one two three four"
    assert len(server.messages()) == 2


async def test_an_answer_cut_while_it_is_made_keeps_what_was_played(server: Server, hand_out: HandOut, environment: Environment) -> None:
    environment(server.key())
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        await talk.asks("Count!")
        item_id = await talk.begins("one two three four", seconds=4)
        talk.tracker.on_play_ms(item_id, 0, 2000)
        await talk.interrupt(item_id)
        await talk.model.emit(RealtimeModelTurnEndedEvent(response_id="r1"))

    await soon(lambda: server.texts() == ["Count!", "one two"], "the words")
    assert server.messages()[1]["interrupted"] is True


async def test_an_answer_that_is_cut_off_by_hanging_up_keeps_what_was_played(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        await talk.asks("Count!")
        item_id = await talk.begins("one two three four five six seven eight", seconds=4)
        talk.tracker.on_play_ms(item_id, 0, 2000)

    await soon(lambda: len(server.messages()) == 2, "the words")
    cut = server.messages()[1]
    assert cut["interrupted"] is True
    assert cut["text_content"].startswith("one two") and "eight" not in cut["text_content"]


async def test_a_word_after_an_answer_that_was_heard_to_its_end_is_no_interruption(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        await talk.turn("Hello?", "Ahoy there!")
        # The SDK reports this whenever somebody begins to speak.
        await talk.interrupt("a1")
        await talk.asks("Why?")

    await soon(lambda: server.texts() == ["Hello?", "Ahoy there!", "Why?"], "the words")
    assert "interrupted" not in server.messages()[1]


async def test_the_server_killed_in_the_middle_has_it_all_once_and_in_order(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    said: list[str] = []
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        for number in range(6):
            if number == 2:
                await asyncio.to_thread(server.stop, True)
            if number == 4:
                await asyncio.to_thread(server.start)
            await talk.turn(f"question {number}", f"answer {number}")
            said += [f"question {number}", f"answer {number}"]

    await soon(lambda: server.texts() == said, "the words")


def test_an_outage_survives_a_kill_of_the_agents_process(server: Server, hand_out: HandOut, environment: Environment) -> None:
    environment(server.key(), CHILD="1")
    server.stop()
    program = f"""
        import asyncio, sys, time
        sys.path[:0] = {[str(Path(__file__).parent), str(Path(hand_out("openai-agents", server.url).__file__).parent)]!r}
        import porchlight_openai_agents as plugin
        from test_openai_agents import Talk
        async def main():
            async with Talk(plugin) as talk:
                for number in range(500):
                    await talk.turn(f"question {{number}}", f"answer {{number}}")
                while talk.conversation._porchlight.queue.count() < 1000:
                    await asyncio.sleep(0.02)
                print("written", flush=True)
                time.sleep(60)
        asyncio.run(main())
    """
    kill_once_written(program)
    server.start()

    hand_out("openai-agents", server.url).connect()

    until(lambda: len(server.texts()) == 1000, "the words")
    assert server.texts() == A_LONG_OUTAGE


async def test_the_makers_own_changes_of_the_prompt_and_a_handoff_keep_the_rules(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    server.block("Ghosts")
    environment(server.key())
    parrot = RealtimeAgent(name="parrot", instructions="You are a parrot.")
    pirate = RealtimeAgent(name="pirate", instructions=lambda *_: OWN_PROMPT, handoffs=[parrot])
    async with Talk(hand_out("openai-agents", server.url), pirate) as talk:
        await talk.turn("Hello?", "Ahoy!")
        await talk.session.update_agent(RealtimeAgent(name="captain", instructions="You are a captain.", handoffs=[parrot]))
        await talk.turn("And now?", "Aye.")
        await talk.model.emit(RealtimeModelToolCallEvent(name="transfer_to_parrot", call_id="1", arguments="{}"))
        await soon(lambda: talk.prompt.startswith("You are a parrot."), "the handoff")
        await talk.turn("Who are you?", "Polly.")
        # Sent directly to the model, not through the session: a part of the settings, and a raw message.
        await talk.session.model.send_event(RealtimeModelSendSessionUpdate(session_settings={"voice": "ash"}))
        await talk.turn("Polly?", "Yes.")
        raw: Any = {"type": "session.update", "other_data": {"session": {"instructions": "You are raw."}}}
        await talk.session.model.send_event(RealtimeModelSendRawMessage(message=raw))

    assert [prompt.split(".")[0] for prompt in talk.prompts] == [
        "You are a pirate",
        "You are a captain",
        "You are a parrot",
        "You are a parrot",
    ]
    assert all(prompt.count('"Ghosts"') == 1 for prompt in talk.prompts)
    last = talk.model.sent_events[-1]
    assert isinstance(last, RealtimeModelSendRawMessage)
    assert '"Ghosts"' in last.message["other_data"]["session"]["instructions"]
    await soon(lambda: server.receipts() == [("set", None)], "the receipt")


async def test_a_prompt_that_the_service_reports_without_the_rules_is_not_claimed_and_is_set_again(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    plugin = hand_out("openai-agents", server.url)
    async with Talk(plugin) as talk:
        await talk.echo()
        await talk.echo("You are a parrot.")
        await soon(lambda: talk.model.sent_events, "another try")
        await talk.turn("Hello?", "Ahoy!")
        await talk.echo("You are a parrot.")

    assert len(talk.model.sent_events) == 1 and "off limits" in talk.prompt
    await soon(lambda: server.texts() == ["Hello?", "Ahoy!"], "the words")
    refused = ("fetched", plugin.NOT_IN_PROMPT)
    claims = [("set", None), ("in_prompt", None), refused, ("set", None), refused]
    await soon(lambda: server.receipts() == claims, "the receipts")


async def test_a_prompt_that_the_service_refuses_is_not_claimed(server: Server, hand_out: HandOut, environment: Environment) -> None:
    environment(server.key())
    plugin = hand_out("openai-agents", server.url)
    async with Talk(plugin) as talk:
        await talk.model.emit(RealtimeModelErrorEvent(error="too long"))
        await talk.turn("Hello?", "Ahoy!")

    await soon(lambda: server.receipts() == [("set", None), ("fetched", plugin.NOT_SET)], "the receipts")


async def test_an_injection_that_fails_is_not_claimed_and_the_conversation_goes_on(
    server: Server, hand_out: HandOut, environment: Environment, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    environment(server.key())
    plugin = hand_out("openai-agents", server.url)
    monkeypatch.setattr(plugin, "append_rules", lambda *_: 1 / 0)
    async with Talk(plugin) as talk:
        await talk.turn("Hello?", "Ahoy!")

    assert talk.prompts == [OWN_PROMPT]
    await soon(lambda: server.texts() == ["Hello?", "Ahoy!"], "the words")
    assert server.receipts() == [("fetched", plugin.NOT_SET)]
    assert warnings_of(caplog) == ["Porchlight's rules could not be put into the prompt (ZeroDivisionError)."]


async def test_a_renamed_internal_is_one_line_and_no_receipt(
    server: Server, hand_out: HandOut, environment: Environment, caplog: pytest.LogCaptureFixture
) -> None:
    class Renamed(ScriptedRealtimeModel):
        def __getattribute__(self, name: str) -> Any:
            if name == "add_listener" and sys._getframe(1).f_globals["__name__"] == "porchlight_openai_agents":
                raise AttributeError(name)
            return super().__getattribute__(name)

    environment(server.key())
    async with Talk(hand_out("openai-agents", server.url), model=Renamed(strict=False)) as talk:
        await talk.turn("Hello?", "Ahoy!")

    assert len(warnings_of(caplog)) == 1 and "failed in hold_on_to (AttributeError)" in warnings_of(caplog)[0]
    assert server.receipts() == []
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_guardrail_still_stops_the_answer_and_its_message_is_not_the_childs(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    def trips(*_: Any) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=True)

    environment(server.key())
    guarded = RealtimeAgent(
        name="pirate", instructions=OWN_PROMPT, output_guardrails=[OutputGuardrail(guardrail_function=trips, name="swearing")]
    )
    async with Talk(hand_out("openai-agents", server.url), guarded) as talk:
        await talk.asks("Hello?")
        await talk.begins("A very long oath, " * 10)
        await soon(lambda: any(isinstance(one, RealtimeModelSendUserInput) for one in talk.model.sent_events), "the guardrail")
        feedback = next(one for one in talk.model.sent_events if isinstance(one, RealtimeModelSendUserInput))
        item = UserMessageItem(item_id="g", content=[InputText(text=str(feedback.user_input))])
        await talk.model.emit(RealtimeModelItemUpdatedEvent(item=item))
        await talk.ends("A very long oath")

    await soon(lambda: len(server.texts()) == 2, "the words")
    assert not [text for text in server.texts() if "guardrail" in text]


async def test_two_children_on_one_device_have_transcripts_and_rules_of_their_own(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    server.block("Ghosts", child=1)
    server.block("Dragons", child=2)
    environment(server.key("robot", 1, 2), CHILD="1")
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        await soon(lambda: talk.conversation._porchlight.rules_of(2).now().version, "the rules of the other child")
        await talk.turn("I am Mia", "Hi Mia")
        late = UserMessageItem(item_id="late", content=[InputAudio(transcript=None)])
        await talk.model.emit(RealtimeModelItemUpdatedEvent(item=late))
        await asyncio.to_thread(talk.conversation.switch_child, 2)
        await soon(lambda: "Dragons" in talk.prompt, "the other rules")
        await talk.turn("I am Ben", "Hi Ben")
        # Mia's speech is transcribed only now.
        await talk.model.emit(RealtimeModelInputAudioTranscriptionCompletedEvent(item_id="late", transcript="Bye!"))

    assert [('"Ghosts"' in prompt, '"Dragons"' in prompt) for prompt in talk.prompts] == [(True, False), (False, True)]
    await soon(lambda: (server.texts(1), server.texts(2)) == (["I am Mia", "Hi Mia", "Bye!"], ["I am Ben", "Hi Ben"]), "the words")
    assert server.receipts(2) == [("set", None)]


@pytest.mark.parametrize(("choice", "heard"), [("talk", 2), ("silent", 1)])
async def test_rules_that_were_never_fetched_leave_what_the_user_chose(
    hand_out: HandOut, environment: Environment, caplog: pytest.LogCaptureFixture, choice: str, heard: int
) -> None:
    environment("ast_x", CHILD="1", WITHOUT_RULES=choice)
    async with Talk(hand_out("openai-agents", f"http://127.0.0.1:{free_port()}")) as talk:
        for question in ("Hello?", "Why?"):
            await talk.session.send_message(question)
            await talk.turn(question, "Please ask a grown-up.")
        queue = talk.conversation._porchlight.queue
        await soon(lambda: queue.count() >= 4, "the queue")

    assert len([one for one in talk.model.sent_events if isinstance(one, RealtimeModelSendUserInput)]) == heard
    assert "off limits" in talk.prompts[0]
    assert ("ask a grown-up" in talk.prompts[0]) == (choice == "silent")
    assert len(warnings_of(caplog)) == 1 and "cannot be reached" in warnings_of(caplog)[0]
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_slow_server_is_never_waited_for_in_a_turn(hand_out: HandOut, environment: Environment) -> None:
    # It takes connections and never answers.
    silent = socket.create_server(("127.0.0.1", 0))
    environment("ast_x", CHILD="1")
    loop_thread, touched = threading.current_thread(), list[str]()
    async with Talk(hand_out("openai-agents", f"http://127.0.0.1:{silent.getsockname()[1]}")) as talk:

        def watch(event: str, _: Any) -> None:
            if threading.current_thread() is loop_thread and event in ("socket.connect", "socket.getaddrinfo", "sqlite3.connect"):
                touched.append(event)

        sys.addaudithook(watch)
        await talk.turn("Hello?", "Ahoy!")
        await talk.session.send_audio(b"\0\0")
        found = list(touched)
    silent.close()

    assert (len(talk.prompts), found) == (1, [])


async def test_talking_that_is_not_allowed_ends_with_one_goodbye_and_begins_again_when_it_is(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    async with Talk(hand_out("openai-agents", server.url)) as talk:
        await talk.turn("Hello?", "Ahoy!")
        await asyncio.to_thread(server.pause)
        await soon(lambda: "may not talk" in talk.prompt, "the pause")
        await talk.session.send_audio(b"more")
        await talk.turn("More!", "See you tomorrow!")
        await talk.session.send_audio(b"please")
        await talk.session.send_message("Please!")
        heard = [getattr(one, "audio", getattr(one, "user_input", None)) for one in talk.model.sent_events]
        assert b"more" in heard and b"please" not in heard and "Please!" not in heard
        await asyncio.to_thread(server.pause, paused=False)
        await soon(lambda: "may not talk" not in talk.prompt, "the end of the pause")
        await talk.session.send_audio(b"again")
        assert getattr(talk.model.sent_events[-1], "audio", None) == b"again"

    await soon(lambda: server.texts() == ["Hello?", "Ahoy!", "More!", "See you tomorrow!"], "the words")


async def test_a_runners_next_session_is_another_conversation(server: Server, hand_out: HandOut, environment: Environment) -> None:
    environment(server.key())
    plugin, model = hand_out("openai-agents", server.url), ScriptedRealtimeModel(strict=False)
    for name in ("first", "second"):
        async with Talk(plugin, model=model) as talk:
            await talk.turn(f"{name}?", f"{name}!")

    assert model.connect_calls[1]["initial_model_settings"]["instructions"].count("off limits") == 1
    await soon(lambda: len(server.ask("GET", "/sessions?child_id=1")["sessions"]) == 2, "both sessions")
    await soon(lambda: server.texts() == ["first?", "first!", "second?", "second!"], "the words")
