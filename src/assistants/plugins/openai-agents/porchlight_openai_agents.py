"""Porchlight for OpenAI Agents, realtime (0.24 and later, before 1): parents see what was said, and the agent follows their rules.

1. Put this file beside your agent's.
2. Set PORCHLIGHT_KEY to the key that `porchlight assistant add` printed.
3. Add one line after `session = await runner.run()` and before `async with session`:

       import porchlight_openai_agents; porchlight_openai_agents.watch(session)

Where the key is for several children, set PORCHLIGHT_CHILD or say `watch(session, child=2)`; when another child speaks, say
`conversation.switch_child(1)` on what `watch` returned. Also: PORCHLIGHT_URL, PORCHLIGHT_DEVICE, PORCHLIGHT_FOLDER (the queue),
PORCHLIGHT_WITHOUT_RULES (`talk` or `silent`, as long as no rules were ever fetched).

OpenAI does not say which words of an interrupted answer were heard. The stored text is the part whose audio was
played, by the SDK's own count or your playback tracker's. A child's words are known only while the input is transcribed,
which is the SDK's default.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Callable, Coroutine
from typing import Any

from agents.realtime import (
    RealtimeModel,
    RealtimeModelListener,
    RealtimeModelSendAudio,
    RealtimeModelSendRawMessage,
    RealtimeModelSendSessionUpdate,
    RealtimeModelSendToolOutput,
    RealtimeModelSendUserInput,
    RealtimeSession,
)
from porchlight_shared.conversation import Conversation, connect, guarded, is_supported
from porchlight_shared.http_client import log

NOT_IN_PROMPT = "The rules were not in the prompt that the model's session reports."
NOT_SET = "The rules could not be handed to the model's session."

# How the SDK tells the model, as if it were the user, that a guardrail has stopped an answer.
GUARDRAIL = "guardrail triggered: "

# Bytes of audio in a millisecond: 24 kHz with 16 bits, which is the SDK's default, and telephony's 8 kHz with 8 bits.
PCM, TELEPHONY = 48.0, 8.0


def watch(session: RealtimeSession, child: int | None = None, name: str | None = None) -> Conversation:
    """Delivers what both sides say, and keeps the rules in every prompt of the model's session."""
    conversation = connect().conversation(name, child)
    if is_supported("openai-agents", (0, 24), (1,)):
        guarded(hold_on_to)(session.model, conversation)
    return conversation


def hold_on_to(model: RealtimeModel, conversation: Conversation) -> None:
    """Wraps a model. A runner uses one model for all its sessions, one after the other."""
    earlier = getattr(model, "porchlight", None)
    if earlier is not None:
        earlier.let_go()
    model.porchlight = ModelWatcher(model, conversation)  # type: ignore[attr-defined]


class Utterance:
    """One item: its speaker, start, child, and what was delivered of it."""

    def __init__(self, child: int, by_assistant: bool) -> None:
        self.child = child
        self.by_assistant = by_assistant
        self.at = time.time()
        self.text = ""
        self.delivered: tuple[str, bool] | None = None
        self.revision = 0
        self.done = False
        self.cut = False
        self.first_sound: float | None = None
        self.bytes = 0

    def heard_of(self, played: float | None, rate: float) -> str:
        """The text whose audio was played: by the playback tracker's milliseconds, or at the speed of speech."""
        if self.first_sound is None:
            return self.text
        if played is None:
            played = (time.monotonic() - self.first_sound) * 1000
        share = played * rate / self.bytes if self.bytes else 1.0
        if share >= 1:
            return self.text
        heard = self.text[: int(len(self.text) * share)]
        # Whole words, where there are spaces.
        return heard.rpartition(" ")[0] if " " in heard and self.text[len(heard)] != " " else heard


class ModelWatcher(RealtimeModelListener):
    """Wraps the session's model, through which every prompt and every event passes."""

    def __init__(self, model: RealtimeModel, conversation: Conversation) -> None:
        self._model = model
        self._conversation = conversation
        self._own_connect, self._own_send, self._own_close = model.connect, model.send_event, model.close
        # The developer's own settings, without the rules.
        self._settings: dict[str, Any] = {}
        self._connected = self._ended = False
        self._tracker: Any = None
        self._items: dict[str, Utterance] = {}
        # The rules that were sent last, and those that the service has confirmed.
        self._handed: tuple[int, str] | None = None
        self._proved: tuple[int, str | None] | None = None
        self._awaits_echo = self._tried_again = False
        # When talking is not allowed, the model gets one answer to say goodbye, and then no more input.
        self._goodbye_begun = self._silent = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._take = guarded(self._take_event)
        model.connect = self._connect  # type: ignore[method-assign]
        model.send_event = self._send  # type: ignore[method-assign]
        model.close = self._close  # type: ignore[method-assign]
        model.add_listener(self)

    def let_go(self) -> None:
        """Restores the model's methods, and ends the conversation."""
        if self._ended:
            return
        self._ended = True
        self._model.remove_listener(self)
        for name, own in (("connect", self._connect), ("send_event", self._send), ("close", self._close)):
            if vars(self._model).get(name) == own:
                delattr(self._model, name)
        for item_id, item in list(self._items.items()):
            if item.by_assistant and not item.done:
                # After a hang-up nothing more of it is heard.
                guarded(self._interrupt)(item_id)
        guarded(self._conversation.end)()

    # ---- the prompt

    async def _connect(self, options: Any) -> None:
        changed: Any = dict(options)
        self._tracker = options.get("playback_tracker")
        self._settings = dict(options.get("initial_model_settings") or {})
        loop = asyncio.get_running_loop()

        def in_loop() -> None:
            loop.call_soon_threadsafe(guarded(self._rules_changed))

        self._conversation.on_change(in_loop)

        async def send(settings: Any) -> None:
            changed["initial_model_settings"] = settings
            await self._own_connect(changed)

        await self._hand_over(self._settings, send)
        self._connected = True
        # They may have changed while the connection was made.
        guarded(self._rules_changed)()

    async def _send(self, event: Any) -> None:
        if isinstance(event, RealtimeModelSendSessionUpdate):
            self._settings.update(event.session_settings)
            await self._hand_over(event.session_settings, self._update)
            return
        if self._connected and self._handed != self._due():
            # Such as quiet hours that have just begun.
            await self._hand_over(self._settings, self._update)
        passed = self._permitted(event)
        if passed is not None:
            await self._own_send(passed)

    async def _update(self, settings: Any) -> None:
        await self._own_send(RealtimeModelSendSessionUpdate(session_settings=settings))

    async def _close(self) -> None:
        self.let_go()
        await self._own_close()

    def _due(self) -> tuple[int, str]:
        return self._conversation.child, self._conversation.rules.prompt

    async def _hand_over(self, settings: Any, send: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
        """Sends settings with the rules to the model's session, and reports how far that is known to have worked."""
        child, rules = self._conversation.child, self._conversation.rules
        refused: str | None = None
        try:
            settings = {**settings, "instructions": append_rules(self._settings.get("instructions"), rules.prompt)}
        except Exception as error:  # noqa: BLE001
            log.warning("Porchlight's rules could not be put into the prompt (%s).", type(error).__name__)
            refused = NOT_SET
        self._handed, self._awaits_echo = (child, rules.prompt), True
        try:
            await send(settings)
        except BaseException:
            # A connection that was never made has no rules.
            if self._connected:
                self._conversation.report(rules.version, "fetched", NOT_SET)
            raise
        if refused:
            self._conversation.report(rules.version, "fetched", refused)
        elif child == self._conversation.child and self._proved != (child, rules.version):
            # If the service has repeated the prompt, that is stronger evidence and was already reported.
            self._conversation.report(rules.version, "set")
        if rules.allowed:
            self._goodbye_begun = self._silent = False

    def _compare(self, session: Any) -> None:
        """Compares the prompt that the service repeats once it is in use: the only evidence of it."""
        instructions = session.get("instructions") if isinstance(session, dict) else None
        if not isinstance(instructions, str) or self._handed != self._due():
            return  # not the answer to the last change
        rules = self._conversation.rules
        self._awaits_echo = False
        if rules.instructions in instructions:
            self._proved, self._tried_again = (self._conversation.child, rules.version), False
            self._conversation.report(rules.version, "in_prompt")
            return
        self._proved = None
        self._conversation.report(rules.version, "fetched", NOT_IN_PROMPT)
        if not self._tried_again:
            self._tried_again = True
            self._refresh()

    def _rules_changed(self) -> None:
        if self._connected and self._handed != self._due():
            self._refresh()

    def _refresh(self) -> None:
        task = asyncio.ensure_future(self._hand_over(self._settings, self._update))
        self._tasks.add(task)
        task.add_done_callback(self._refreshed)

    def _refreshed(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not self._ended:
            log.warning("Porchlight's rules could not be handed to the model's session (%s).", type(error).__name__)

    # ---- what goes to the model

    def _permitted(self, event: Any) -> Any:
        """The part of an event that the model may get now; None if it may get nothing."""
        rules = self._conversation.rules
        raw: Any = event.message if isinstance(event, RealtimeModelSendRawMessage) else None
        if self._silent and not rules.allowed:
            if isinstance(event, RealtimeModelSendToolOutput):
                return dataclasses.replace(event, start_response=False)
            asks = isinstance(event, RealtimeModelSendAudio | RealtimeModelSendUserInput)
            return None if asks or (raw and raw["type"] == "response.create") else event
        if raw is not None:
            return RealtimeModelSendRawMessage(message=raw_with_rules(raw, rules.prompt))
        return event

    # ---- what was said

    async def on_event(self, event: Any) -> None:
        """Called by the model with each event, before the session gets it."""
        self._take(event)

    def _take_event(self, event: Any) -> None:
        kind = event.type
        if kind == "item_updated":
            self._take_item(event.item)
        elif kind == "input_audio_transcription_completed":
            self._finish(event.item_id, self._item(event.item_id, by_assistant=False), event.transcript)
        elif kind in ("transcript_delta", "output_text_delta"):
            item = self._item(event.item_id, by_assistant=True)
            if not item.done and not item.cut:
                item.text += event.delta
        elif kind == "audio":
            item = self._item(event.item_id, by_assistant=True)
            item.bytes += len(event.data)
            item.first_sound = item.first_sound or time.monotonic()
        elif kind == "audio_interrupted":
            self._interrupt(event.item_id)
        elif kind == "turn_started":
            self._goodbye_begun = not self._conversation.rules.allowed
        elif kind == "turn_ended":
            for item_id, item in list(self._items.items()):
                if item.by_assistant and not item.done:
                    self._finish(item_id, item, item.text)
            self._silent = self._goodbye_begun and not self._conversation.rules.allowed
            self._awaits_echo = False
        elif kind == "error" and self._awaits_echo:
            self._awaits_echo = False
            self._conversation.report(self._conversation.rules.version, "fetched", NOT_SET)
        elif kind == "raw_server_event" and isinstance(event.data, dict) and event.data.get("type") == "session.updated":
            self._compare(event.data.get("session"))

    def _item(self, item_id: str, by_assistant: bool) -> Utterance:
        if item_id not in self._items:
            self._items[item_id] = Utterance(self._conversation.child, by_assistant)
        return self._items[item_id]

    def _take_item(self, item: Any) -> None:
        if item.type != "message" or item.role not in ("user", "assistant"):
            return
        by_assistant = item.role == "assistant"
        known = self._item(item.item_id, by_assistant)
        parts = [getattr(part, "transcript", None) or getattr(part, "text", None) or "" for part in item.content]
        text = " ".join(part for part in parts if part)
        if not text or (not by_assistant and text.startswith(GUARDRAIL)):
            return  # a transcript follows; or it is what the SDK tells the model in the child's name
        if not by_assistant or getattr(item, "status", None) in ("completed", "incomplete"):
            self._finish(item.item_id, known, text)
        elif not known.done and len(text) > len(known.text):
            known.text = text

    def _finish(self, item_id: str, item: Utterance, text: str) -> None:
        """Delivers an item whose text is complete."""
        item.done = bool(text)
        if not item.cut:
            item.text = text
            self._deliver(item_id, item, interrupted=False)

    def _interrupt(self, item_id: str) -> None:
        """Handles the child's speech during an answer, or after it, which the SDK reports in the same way."""
        item = self._items.get(item_id)
        if item is None or item.cut:
            return
        played = None
        if self._tracker is not None:
            state = self._tracker.get_state()
            played = {item_id: state["elapsed_ms"], None: 0.0}.get(state["current_item_id"])
        audio = (self._settings.get("audio") or {}).get("output") or {}
        kind = audio.get("format") or self._settings.get("output_audio_format") or "pcm16"
        heard = item.heard_of(played, TELEPHONY if is_telephony(kind) else PCM)
        if heard == item.text and item.done:
            return  # it was heard to its end
        item.cut, item.text = True, heard
        self._deliver(item_id, item, interrupted=True)

    def _deliver(self, item_id: str, item: Utterance, interrupted: bool) -> None:
        now = (item.text, interrupted)
        if item.delivered == now or not item.child or not (item.text.strip() or item.delivered):
            return
        if item.delivered is not None:
            item.revision += 1
        item.delivered = now
        # Nothing of it was heard: the server takes no empty text.
        text = item.text if item.text.strip() else "…"
        self._conversation.heard(
            item_id, item.by_assistant, text, item.at, interrupted=interrupted, revision=item.revision, child=item.child
        )


def append_rules(instructions: Any, rules: str) -> str:
    """The developer's own prompt, followed by the rules."""
    return f"{instructions}\n\n{rules}" if instructions else rules


def raw_with_rules(message: Any, rules: str) -> Any:
    """The developer's raw message, with the rules added if it replaces the prompt."""
    place = {"session.update": "session", "response.create": "response"}.get(message["type"])
    inner = (message.get("other_data") or {}).get(place) if place else None
    if not isinstance(inner, dict) or "instructions" not in inner:
        return message
    changed = {**inner, "instructions": append_rules(inner["instructions"], rules)}
    return {**message, "other_data": {**message["other_data"], place: changed}}


def is_telephony(kind: Any) -> bool:
    """Whether an audio format is G.711, in any of the SDK's spellings."""
    name = kind.get("type") if isinstance(kind, dict) else getattr(kind, "type", kind)
    return any(part in str(name).lower() for part in ("g711", "pcmu", "pcma"))
