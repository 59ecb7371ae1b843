"""LiveKit Agents with a realtime model: the real package with a scripted session, the real server, and the plug-in as downloaded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Server, soon, warnings_of

pytest.importorskip("livekit.agents", reason="LiveKit Agents is not installed here.")

from livekit.agents import Agent, AgentSession, llm  # noqa: E402

HandOut = Callable[[str, str], Any]
Environment = Callable[..., None]
OWN_PROMPT = "You are a pirate."


async def several(*items: Any) -> AsyncIterator[Any]:
    for item in items:
        yield item


def done(value: Any) -> asyncio.Future[Any]:
    future = asyncio.get_running_loop().create_future()
    future.set_result(value)
    return future


class ScriptedModel(llm.RealtimeModel):
    """A realtime model without a network. It answers in text, and records the prompts of its sessions."""

    def __init__(self, mutable: bool = True) -> None:
        super().__init__(
            capabilities=llm.RealtimeCapabilities(
                message_truncation=True,
                turn_detection=True,
                user_transcription=True,
                auto_tool_reply_generation=False,
                audio_output=False,
                manual_function_calls=False,
                mutable_chat_context=True,
                mutable_instructions=mutable,
                mutable_tools=True,
            )
        )
        self.sessions: list[ScriptedSession] = []
        # Raised when a session gets a prompt.
        self.failure: Exception | None = None

    def session(self, *, turn_detection_disabled: bool = False) -> llm.RealtimeSession[Any]:
        self.sessions.append(ScriptedSession(self))
        return self.sessions[-1]

    async def aclose(self) -> None:
        pass


class ScriptedSession(llm.RealtimeSession[Any]):
    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(model)
        self.model = model
        self.prompts: list[str] = []
        self.begins_again = False
        self._opts = SimpleNamespace(system_prompt="")
        # The prompt at each answer.
        self.at_answers: list[str] = []
        self._chat_ctx = llm.ChatContext.empty()
        self._tools = llm.ToolContext.empty()

    @property
    def chat_ctx(self) -> llm.ChatContext:
        return self._chat_ctx.copy()

    @property
    def tools(self) -> llm.ToolContext:
        return self._tools

    async def update_instructions(self, instructions: str) -> None:
        if self.model.failure is not None:
            raise self.model.failure
        self.prompts.append(instructions)
        if self.begins_again:
            # Like Ultravox: a new call with the new prompt, whose ids restart.
            self._opts.system_prompt = instructions
            self.at_answers.clear()

    async def update_chat_ctx(self, chat_ctx: llm.ChatContext) -> None:
        self._chat_ctx = chat_ctx.copy()

    async def update_tools(self, tools: Any) -> None:
        pass

    def update_options(self, *, tool_choice: Any = None) -> None:
        pass

    def push_audio(self, frame: Any) -> None:
        pass

    def push_video(self, frame: Any) -> None:
        pass

    def generate_reply(self, **_: Any) -> asyncio.Future[llm.GenerationCreatedEvent]:
        return done(self.answer("Ahoy.", user_initiated=True))

    def answer(self, text: str, user_initiated: bool = False) -> llm.GenerationCreatedEvent:
        self.at_answers.append(self.prompts[-1] if self.prompts else "")
        message = llm.MessageGeneration(f"answer-{len(self.at_answers)}", several(text), several(), done(["text"]))
        return llm.GenerationCreatedEvent(message_stream=several(message), function_stream=several(), user_initiated=user_initiated)

    async def turn(self, question: str, answer: str) -> None:
        """The child speaks, and the model answers by itself, like a service with turn detection."""
        heard = llm.InputTranscriptionCompleted(item_id=f"question-{len(self.at_answers) + 1}", transcript=question, is_final=True)
        self.emit("input_audio_transcription_completed", heard)
        self.emit("generation_created", self.answer(answer))
        await asyncio.sleep(0.1)

    def commit_audio(self) -> None:
        pass

    def clear_audio(self) -> None:
        pass

    def interrupt(self) -> None:
        pass

    def truncate(self, **_: Any) -> None:
        pass

    async def aclose(self) -> None:
        pass


async def test_the_rules_are_in_the_sessions_prompt_before_the_first_word_and_a_change_is_handed_over(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    server.block("Ghosts")
    environment(server.key())
    model, session = ScriptedModel(), AgentSession[Any]()
    hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))
    [talk] = model.sessions

    await talk.turn("Hello?", "Ahoy!")
    await asyncio.to_thread(server.block, "Ghosts", "Dragons")
    await soon(lambda: "Dragons" in talk.prompts[-1], "the change")
    await talk.turn("And now?", "Arr.")
    await session.generate_reply(instructions="Say goodbye.")
    await session.aclose()

    assert all(prompt.startswith(OWN_PROMPT) and prompt.count('"Ghosts"') == 1 for prompt in talk.prompts)
    assert ["Dragons" in prompt for prompt in talk.at_answers] == [False, True, True]
    said = ["Hello?", "Ahoy!", "And now?", "Arr.", "Ahoy."]
    await soon(lambda: server.texts() == said, "the words")
    # A prompt that can't be read back is not reported as containing the rules.
    assert server.receipts() == [("set", None), ("set", None)]


async def test_the_makers_own_update_and_a_handoff_keep_the_rules(server: Server, hand_out: HandOut, environment: Environment) -> None:
    server.block("Ghosts")
    environment(server.key())
    model, session = ScriptedModel(), AgentSession[Any](llm=ScriptedModel())
    hand_out("livekit", server.url).watch(session)
    first, second = Agent(instructions=OWN_PROMPT, llm=model), Agent(instructions="You are a parrot.", llm=model)
    await session.start(first)

    await first.update_instructions("You are a captain.")
    session.update_agent(second)
    await soon(lambda: model.sessions[-1].prompts[-1].startswith("You are a parrot."), "the handoff")
    await session.aclose()

    prompts = [prompt for talk in model.sessions for prompt in talk.prompts]
    assert [prompt.split(".")[0] for prompt in prompts] == ["You are a pirate", "You are a captain", "You are a parrot"]
    assert all(prompt.count('"Ghosts"') == 1 for prompt in prompts)
    # `instructions` still returns the developer's text, without the rules.
    assert (first.instructions, second.instructions) == ("You are a captain.", "You are a parrot.")


async def test_a_prompt_that_the_session_does_not_take_is_not_claimed(server: Server, hand_out: HandOut, environment: Environment) -> None:
    environment(server.key())
    model, session = ScriptedModel(), AgentSession[Any]()
    # LiveKit logs it and continues.
    model.failure = llm.RealtimeError("update_instructions timed out.")
    plugin = hand_out("livekit", server.url)
    plugin.watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    await model.sessions[0].turn("Hello?", "Ahoy!")
    await session.aclose()

    await soon(lambda: server.texts() == ["Hello?", "Ahoy!"], "the words")
    await soon(lambda: server.receipts() == [("fetched", plugin.NOT_SET)], "the receipt")


async def test_a_change_that_the_model_cannot_take_while_it_talks_is_not_claimed(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    model, session = ScriptedModel(mutable=False), AgentSession[Any]()
    plugin = hand_out("livekit", server.url)
    plugin.watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))
    await model.sessions[0].turn("Hello?", "Ahoy!")
    await soon(lambda: server.receipts() == [("set", None)], "the receipt")

    await asyncio.to_thread(server.block, "Dragons")

    await soon(lambda: server.receipts() == [("set", None), ("fetched", plugin.NOT_MUTABLE)], "the receipt of the change")
    await session.aclose()


async def test_a_change_that_fails_is_not_claimed_and_the_talk_goes_on(
    server: Server, hand_out: HandOut, environment: Environment, caplog: pytest.LogCaptureFixture
) -> None:
    environment(server.key())
    model, session = ScriptedModel(), AgentSession[Any]()
    plugin = hand_out("livekit", server.url)
    plugin.watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))
    model.failure = llm.RealtimeError("update_instructions timed out.")

    await asyncio.to_thread(server.block, "Dragons")
    await soon(lambda: warnings_of(caplog), "the line")
    await model.sessions[0].turn("Hello?", "Ahoy!")
    await session.aclose()

    assert warnings_of(caplog) == ["Porchlight's rules could not be handed to the model's session (RealtimeError)."]
    await soon(lambda: server.receipts() == [("set", None), ("fetched", plugin.NOT_SET)], "the receipts")


async def test_talking_that_is_not_allowed_puts_the_goodbye_into_the_prompt(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    model, session = ScriptedModel(), AgentSession[Any]()
    conversation = hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))

    await asyncio.to_thread(server.pause)

    await soon(lambda: not conversation.rules.allowed, "the pause")
    await soon(lambda: conversation.rules.goodbye in model.sessions[0].prompts[-1], "the goodbye")
    await session.aclose()


async def test_a_service_that_begins_its_call_again_keeps_every_word_and_its_receipt(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    environment(server.key())
    model, session = ScriptedModel(mutable=False), AgentSession[Any]()
    hand_out("livekit", server.url).watch(session)
    await session.start(Agent(instructions=OWN_PROMPT, llm=model))
    [talk] = model.sessions
    talk.begins_again = True
    await talk.turn("Yes.", "Ahoy!")

    await asyncio.to_thread(server.block, "Dragons")
    await soon(lambda: "Dragons" in talk.prompts[-1], "the change")
    await talk.turn("<instruction>Say something nice.</instruction>", "Nice.")
    talk.at_answers.clear()
    await talk.turn("Yes.", "Aye.")
    talk.at_answers.clear()
    await talk.turn("No.", "Arr.")
    await session.aclose()

    await soon(lambda: server.texts() == ["Yes.", "Ahoy!", "Nice.", "Yes.", "Aye.", "No.", "Arr."], "the words")
    assert server.receipts() == [("set", None), ("set", None)]
