"""Porchlight for LiveKit Agents (1.6.5 and later, before 2): parents see what was said, and the agent follows their rules.

1. Put this file beside your agent's.
2. Set PORCHLIGHT_KEY to the key that `porchlight assistant add` printed.
3. Add one line before `session.start`:

       import porchlight_livekit; porchlight_livekit.watch(session)

Where the key is for several children, set PORCHLIGHT_CHILD or say `watch(session, child=2)`; when another child speaks, say
`conversation.switch_child(1)` on what `watch` returned. Also: PORCHLIGHT_URL, PORCHLIGHT_DEVICE, PORCHLIGHT_FOLDER (the queue),
PORCHLIGHT_WITHOUT_RULES (`talk` or `silent`, as long as no rules were ever fetched).

With a realtime model the rules are passed to the model's session, and can't be read back; and a conversation that is not
allowed ends only if the model follows its instructions.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator
from typing import Any

from livekit.agents import Agent, AgentSession, get_job_context, llm
from porchlight_shared.conversation import Conversation, connect, guarded, is_supported
from porchlight_shared.http_client import log

NOT_IN_PROMPT = "The rules were not in the prompt that the model got."
NOT_SET = "The rules could not be handed to the model's session."
NOT_MUTABLE = "The model takes no other rules while it talks. It follows them from the next conversation on."


def watch(session: AgentSession[Any], child: int | None = None, name: str | None = None) -> Conversation:
    """Delivers what both sides say, and keeps the rules in the prompt of every agent of the session."""
    if not is_supported("livekit-agents", (1, 6, 5), (2,)):
        return connect().conversation(name, child)
    conversation = connect().conversation(name or job_name(), child)
    watcher = SessionWatcher(session, conversation)
    session.on("user_input_transcribed", watcher.transcribed)
    session.on("conversation_item_added", watcher.item_added)
    session.on("close", watcher.closed)
    return conversation


def job_name() -> str | None:
    """The job's id, which no other conversation has."""
    context = get_job_context(required=False)
    return f"livekit-{context.job.id}" if context is not None else None


def letters(text: str) -> str:
    """The letters and digits of a text, for comparing it."""
    return "".join(one for one in text.casefold() if one.isalnum())


def is_instruction(text: str) -> bool:
    """Whether a text is the developer's own instruction, which Ultravox repeats as if the child had said it."""
    return text.startswith("<instruction>") and text.rstrip().endswith("</instruction>")


def prompt_of(chat_ctx: llm.ChatContext) -> str:
    """All system messages of a prompt."""
    messages = [item for item in chat_ctx.items if item.type == "message" and item.role in ("system", "developer")]
    return "\n".join(message.text_content or "" for message in messages)


def with_rules(chat_ctx: llm.ChatContext, text: str) -> llm.ChatContext:
    """A copy of the prompt whose first system message ends with the rules. The agent's own history stays as it is."""
    copied = chat_ctx.copy()
    for place, item in enumerate(copied.items):
        if item.type == "message" and item.role == "system":
            copied.items[place] = item.model_copy(update={"content": [*item.content, text]})
            return copied
    copied.items.insert(0, llm.ChatMessage(role="system", content=[text]))
    return copied


class SessionWatcher:
    """Observes one session: its items, its agents, and the models that they use."""

    def __init__(self, session: AgentSession[Any], conversation: Conversation) -> None:
        self._session = session
        self._conversation = conversation
        self._said_goodbye = False
        self._prompt: RealtimePrompt | None = None
        self._refreshing: set[asyncio.Task[None]] = set()
        # Referenced here, so that no other object gets the id of a wrapped one.
        self._wrapped: list[object] = []
        # What was transcribed and is in no message yet, with its time.
        self._transcribed: list[tuple[str, float]] = []
        self.transcribed = guarded(self._note_transcript)
        self.item_added = guarded(self._item_added)
        self._own_say = session.say
        session.say = self._say  # type: ignore[method-assign]
        self.closed = guarded(self._closed)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return

        def in_loop() -> None:
            loop.call_soon_threadsafe(guarded(self._rules_changed))

        conversation.on_change(in_loop)

    def _item_added(self, event: Any) -> None:
        item = event.item
        if item.type == "agent_handoff":
            # It comes before the new agent starts to speak.
            self._wrap_agent(self._session.current_agent)
        elif item.type == "message" and item.role in ("user", "assistant"):
            text = item.text_content or ""
            if item.role == "user":
                if is_instruction(text):
                    return
                self._deliver_left_out(text)
            elif text.strip() == self._conversation.rules.goodbye.strip():
                self._said_goodbye = True
            self._conversation.heard(item.id, item.role == "assistant", text, item.created_at, interrupted=bool(item.interrupted))

    def _closed(self, event: Any) -> None:
        self._deliver_left_out("")
        self._conversation.end(event.created_at)

    # ---- speech that becomes no item of the conversation

    def _note_transcript(self, event: Any) -> None:
        if event.is_final and event.transcript.strip() and not is_instruction(event.transcript):
            self._transcribed.append((event.transcript, event.created_at))

    def _deliver_left_out(self, message: str) -> None:
        """Delivers what was transcribed and is not in the next message: LiveKit drops what is said to an agent that cannot be
        interrupted, and turns that the developer's own code stops."""
        kept = letters(message)
        for transcript, at in self._transcribed:
            if letters(transcript) not in kept:
                self._conversation.heard(f"transcript-{at}", False, transcript, at)
        self._transcribed.clear()

    def _say(self, text: Any, *arguments: Any, **named: Any) -> Any:
        if named.get("add_to_chat_ctx", True) or not isinstance(text, str):
            return self._own_say(text, *arguments, **named)
        handle, at = self._own_say(text, *arguments, **named), time.time()
        # How much of it was heard isn't known.
        heard = guarded(lambda said: self._conversation.heard(f"say-{said.id}", True, text, at, interrupted=bool(said.interrupted)))
        handle.add_done_callback(heard)
        return handle

    # ---- models that get their prompt with each turn

    def _wrap_agent(self, agent: Agent) -> None:
        model = model_of(agent, self._session)
        if isinstance(model, llm.RealtimeModel):
            self._wrap_realtime(model)
            return
        if any(one is agent for one in self._wrapped):
            return
        self._wrapped.append(agent)
        own_node = agent.llm_node

        def llm_node(chat_ctx: llm.ChatContext, tools: list[Any], model_settings: Any) -> Any:
            return self._ask_model(agent, own_node, chat_ctx, tools, model_settings)

        agent.llm_node = llm_node  # type: ignore[method-assign]

    async def _ask_model(self, agent: Agent, own_node: Any, chat_ctx: llm.ChatContext, *others: Any) -> AsyncIterator[Any]:
        rules = self._conversation.rules
        if not rules.allowed:
            # `_said_goodbye` is set once the goodbye was spoken: LiveKit calls the model early, and may drop the answer.
            if not self._said_goodbye:
                yield rules.goodbye
            return
        self._said_goodbye = False
        try:
            self._read_back(model_of(agent, self._session))
            chat_ctx = with_rules(chat_ctx, rules.prompt)
        except Exception as error:  # noqa: BLE001
            log.warning("Porchlight's rules could not be put into the prompt (%s).", type(error).__name__)
            self._conversation.report(rules.version, "fetched", NOT_IN_PROMPT)
        answer = own_node(chat_ctx, *others)
        if inspect.isawaitable(answer):
            answer = await answer
        if hasattr(answer, "__aiter__"):
            async for piece in answer:
                yield piece
        elif answer is not None:
            yield answer

    def _read_back(self, model: Any) -> None:
        """Wraps the model's own call to see which prompt it gets: the only evidence that the rules are in it."""
        if not isinstance(model, llm.LLM) or any(one is model for one in self._wrapped):
            return
        self._wrapped.append(model)
        own_chat = model.chat

        def chat(*arguments: Any, **named: Any) -> Any:
            guarded(self._compare)(named.get("chat_ctx"))
            return own_chat(*arguments, **named)

        model.chat = chat  # type: ignore[method-assign]

    def _compare(self, chat_ctx: Any) -> None:
        rules = self._conversation.rules
        if isinstance(chat_ctx, llm.ChatContext) and rules.instructions in prompt_of(chat_ctx):
            self._conversation.report(rules.version, "in_prompt")
        else:
            self._conversation.report(rules.version, "fetched", NOT_IN_PROMPT)

    # ---- a realtime model, whose session keeps its prompt

    def _wrap_realtime(self, model: Any) -> None:
        """Observes the session that the model creates for the agent that starts now."""
        own_session = getattr(model, "porchlight_session", model.session)

        def session(*arguments: Any, **named: Any) -> Any:
            made = own_session(*arguments, **named)
            guarded(self._keep_prompt)(made)
            return made

        model.porchlight_session, model.session = own_session, session

    def _keep_prompt(self, made: Any) -> None:
        self._prompt = RealtimePrompt(made, self._conversation)

    def _rules_changed(self) -> None:
        if self._prompt is None or not isinstance(model_of(self._session.current_agent, self._session), llm.RealtimeModel):
            return
        task = asyncio.ensure_future(self._prompt.hand_over())
        self._refreshing.add(task)
        task.add_done_callback(self._refreshed)

    def _refreshed(self, task: asyncio.Task[None]) -> None:
        self._refreshing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("Porchlight's rules could not be handed to the model's session (%s).", type(error).__name__)


class RealtimePrompt:
    """Keeps the rules in the prompt of one realtime session, after the developer's own text."""

    def __init__(self, session: Any, conversation: Conversation) -> None:
        self._conversation = conversation
        # Whether the model accepts changed instructions while it talks. LiveKit has models that ignore them without an error.
        self._mutable = getattr(session.capabilities, "mutable_instructions", False)
        self._session = session
        self._own = ""
        self._accepted: str | None = None
        self._own_update = session.update_instructions
        session.update_instructions = self._update
        own_setup = getattr(type(session), "_update_session", None)
        if own_setup is not getattr(llm.RealtimeSession, "_update_session", None):
            # Such a session is set up without update_instructions.
            self._own_setup = session._update_session
            session._update_session = self._set_up

    async def _update(self, instructions: str) -> None:
        self._own = instructions
        await self.hand_over()

    async def _set_up(self, *arguments: Any, **named: Any) -> None:
        rules = self._conversation.rules
        if isinstance(named.get("instructions"), str):
            self._own = named["instructions"]
            named["instructions"] = f"{self._own}\n\n{rules.prompt}"
        # LiveKit only logs errors here, so nothing more can be reported.
        self._conversation.report(rules.version, "fetched")
        await self._own_setup(*arguments, **named)

    async def hand_over(self) -> None:
        """Passes the prompt with the rules to the session, and reports the result."""
        rules = self._conversation.rules
        prompt = f"{self._own}\n\n{rules.prompt}"
        try:
            await self._own_update(prompt)
        except BaseException:
            self._conversation.report(rules.version, "fetched", NOT_SET)
            raise
        # Ultravox begins its call again with another prompt.
        begins_again = getattr(getattr(self._session, "_opts", None), "system_prompt", None) == prompt
        if self._mutable or begins_again or self._accepted in (None, rules.prompt):
            self._accepted = rules.prompt
            self._conversation.report(rules.version, "set")
        else:
            self._conversation.report(rules.version, "fetched", NOT_MUTABLE)


def model_of(agent: Agent, session: AgentSession[Any]) -> Any:
    """The model that an agent speaks with: its own, or the session's."""
    return agent.llm if isinstance(agent.llm, llm.LLM | llm.RealtimeModel) else session.llm
