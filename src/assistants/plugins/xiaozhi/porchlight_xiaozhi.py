"""Porchlight for xiaozhi-esp32-server (0.9): parents see what was said, and the toy follows their rules.

1. Put this file into `plugins_func/functions/` of xiaozhi-server.
2. Set PORCHLIGHT_KEY to the key that `porchlight assistant add` printed, and PORCHLIGHT_FOLDER to a folder that stays.
3. Start xiaozhi-server.

The one who speaks is known by the voice print's name, if it is the name of a child of the key; otherwise by the toy.
Where the key is for several children, set PORCHLIGHT_CHILDREN to who has which toy, by its MAC address, or another name
of a voice print: `aa:bb:cc:dd:ee:ff=1, Benny=2`. PORCHLIGHT_CHILD is for all other toys. Also: PORCHLIGHT_URL,
PORCHLIGHT_DEVICE, PORCHLIGHT_WITHOUT_RULES (`talk` or `silent`, as long as no rules were ever fetched).

Text is delivered sentence by sentence, when the toy has played it. Of a sentence that the child interrupts, the part is
stored that was played by then, estimated from the voice's speed.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import json
import os
import sys
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

from porchlight_shared.conversation import Conversation, Porchlight, connect, folded, guarded
from porchlight_shared.http_client import log

NOT_IN_PROMPT = "The rules were not in the prompt that the model got."

NOT_IN_ALL_PROMPTS = "With xiaozhi's setting intent_llm the answers of its functions are made without the rules."

# The attribute that marks a wrapped function or model.
MARK = "porchlight_wrapped"

# The default speed of a voice: seconds for a letter, and for a character of Chinese, Japanese or Korean.
LETTER, IDEOGRAPH = 0.07, 0.25


class Sentence(NamedTuple):
    """The sentence that the toy speaks now: its child, and its start as wall-clock and as monotonic time."""

    text: str
    child: int
    at: float
    begun: float


class Toy:
    """One connection of a toy: its conversation, who speaks, and the sentence that it speaks now."""

    def __init__(self, porchlight: Porchlight, name: str, device: str | None) -> None:
        self._porchlight = porchlight
        # Without a setting it is the key's only child, or nobody in particular.
        self.conversation: Conversation = porchlight.conversation(
            f"xiaozhi-{name}", child_of_device(device), porchlight.settings.device or device
        )
        self._owner = self.conversation.child
        self._numbers = itertools.count(1)
        # The child the toy is speaking with: it may still answer one child when another begins.
        self.answering = self.conversation.child
        self.sentence: Sentence | None = None
        self.clock: Callable[[], float] = time.monotonic
        # For the voice's speed: the letters spoken, as counted by `effort`, and the seconds that they took.
        self._letters, self._seconds = 0.0, 0.0
        self.said_goodbye = self.ended = False
        # Whether wrapping the connection's prompt was tried.
        self.begun = False
        # Whether some of xiaozhi's answers are made without the system prompt.
        self.answers_without_prompt = False

    def hears(self, text: str) -> None:
        """Handles the child's speech."""
        speaker, words = speaker_and_words(text)
        self.conversation.switch_child((child_of(self._porchlight, speaker) if speaker else None) or self._owner)
        self.conversation.heard(f"child-{next(self._numbers)}", False, words, speaker=speaker)

    def begins(self, text: str) -> None:
        """Handles the start of a sentence; the one before it was played."""
        self.is_done()
        self.sentence = Sentence(text, self.answering, time.time(), self.clock())

    def is_done(self) -> None:
        """Handles the end of the sentence."""
        sentence, self.sentence = self.sentence, None
        if sentence is not None:
            self._letters, self._seconds = self._letters + effort(sentence.text), self._seconds + self.clock() - sentence.begun
            self._keep(sentence, sentence.text, interrupted=False)

    def is_interrupted(self) -> None:
        """Handles an interruption of the sentence by the child."""
        sentence, self.sentence = self.sentence, None
        if sentence is not None:
            speed = self._letters / self._seconds if self._seconds > 1 else 1 / LETTER
            self._keep(sentence, cut_text(sentence.text, (self.clock() - sentence.begun) * speed), interrupted=True)

    def _keep(self, sentence: Sentence, text: str, interrupted: bool) -> None:
        if sentence.child:
            name = f"assistant-{next(self._numbers)}"
            self.conversation.heard(name, True, text, sentence.at, interrupted=interrupted, child=sentence.child)

    def end(self) -> None:
        """Handles the end of the connection."""
        if not self.ended:
            self.ended = True
            self.is_interrupted()
            self.conversation.end()


def effort(text: str) -> float:
    """The length of a text when spoken, in letters."""
    return sum(IDEOGRAPH / LETTER if ord(one) >= 0x2E80 else 1.0 for one in text)


def cut_text(text: str, letters: float) -> str:
    """The beginning of a text with this spoken length, in whole words."""
    heard = next((text[:place] for place in range(len(text) + 1) if effort(text[:place]) > letters), text)
    if heard == text:
        return text
    heard = heard[:-1]
    return heard.rpartition(" ")[0] if " " in heard and text[len(heard)] != " " else heard


def speaker_and_words(text: str) -> tuple[str | None, str]:
    """Parses what xiaozhi reports: plain text, or JSON with the speaker."""
    if text.strip().startswith("{"):
        try:
            data = json.loads(text)
            if isinstance(data, dict) and isinstance(data.get("content"), str):
                speaker = data.get("speaker")
                return (speaker if isinstance(speaker, str) and speaker != "未知说话人" else None) or None, data["content"]
        except ValueError:
            pass
    return None, text


@functools.cache
def children_by_name() -> dict[str, int]:
    """Parses PORCHLIGHT_CHILDREN: the child's number by MAC address or name."""
    pairs = [part.rpartition("=") for part in os.environ.get("PORCHLIGHT_CHILDREN", "").split(",") if part.strip()]
    if any(not number.strip().isdecimal() for _, _, number in pairs):
        log.warning("PORCHLIGHT_CHILDREN must be like 'aa:bb:cc:dd:ee:ff=1, Benny=2'. What isn't is ignored.")
    return {folded(name): int(number) for name, _, number in pairs if number.strip().isdecimal()}


def child_of_device(device: str | None) -> int | None:
    """The child that a toy is configured for, if any."""
    return children_by_name().get(folded(device)) if device else None


def child_of(porchlight: Porchlight, speaker: str) -> int | None:
    """The child whose voice it is."""
    return children_by_name().get(folded(speaker)) or porchlight.child_named(speaker)


class Hooks:
    """Wraps xiaozhi's own functions. It has no interface for this, so each must be looked up."""

    def __init__(self) -> None:
        self._by_session: dict[str, Toy] = {}
        self._lock = threading.Lock()
        self._porchlight: Porchlight | None = None

    def hold_on(self, connection: Any) -> None:
        """Wraps the functions that are needed, and logs the missing ones in one line."""
        missing: list[str] = []

        def look(module: str, name: str) -> Any:
            try:
                return getattr(importlib.import_module(module), name)
            except (ImportError, AttributeError):
                missing.append(name)
                return None

        handler = getattr(connection, "ConnectionHandler", None)
        for name, wrap in (("chat", self._chat), ("close", self._close), ("_initialize_components", self._initialize)):
            own = getattr(handler, name, None)
            if own is None:
                missing.append(f"ConnectionHandler.{name}")
            else:
                setattr(handler, name, wrap(own))
        for module, name, wrapper in (
            ("core.handle.reportHandle", "enqueue_asr_report", self._asr_report),
            ("core.handle.sendAudioHandle", "send_tts_message", self._tts_message),
            ("core.handle.abortHandle", "handleAbortMessage", self._abort),
            ("core.handle.receiveAudioHandle", "startToChat", self._start_to_chat),
        ):
            own = look(module, name)
            if own is not None:
                replace_everywhere(own, wrapper(own))
        self._speak = look("core.handle.intentHandler", "speak_txt")
        self._send_stt = look("core.handle.sendAudioHandle", "send_stt_message")
        if missing:
            log.warning(
                "xiaozhi-server has changed: %s cannot be found. Porchlight gets only a part of what is said, or the rules do not reach "
                "the toy. Please get this plug-in anew, or tell its makers.",
                ", ".join(missing),
            )

    def toy(self, conn: Any) -> Toy:
        """The toy of a connection."""
        with self._lock:
            if not hasattr(conn, "porchlight"):
                self._porchlight = self._porchlight or connect()
                conn.porchlight = Toy(self._porchlight, conn.session_id, getattr(conn, "device_id", None))
                self._by_session[conn.session_id] = conn.porchlight
            toy: Toy = conn.porchlight
            return toy

    # ---- a connection

    def _initialize(self, own: Any) -> Any:
        def _initialize_components(conn: Any) -> Any:
            # This runs in xiaozhi's thread before the conversation, so the very first one may wait a moment here.
            guarded(self._begin)(conn)
            return own(conn)

        return _initialize_components

    def _begin(self, conn: Any) -> None:
        self.toy(conn).begun = True
        dialogue = conn.dialogue
        get_dialogue = dialogue.get_llm_dialogue_with_memory
        if hasattr(get_dialogue, MARK):
            return

        def with_rules(*arguments: Any, **named: Any) -> Any:
            messages = get_dialogue(*arguments, **named)
            try:
                return add_rules(messages, self.toy(conn).conversation.rules.prompt)
            except Exception as error:  # noqa: BLE001
                log.warning("Porchlight's rules could not be put into the prompt (%s).", type(error).__name__)
                return messages

        setattr(with_rules, MARK, get_dialogue)
        dialogue.get_llm_dialogue_with_memory = with_rules

    def _close(self, own: Any) -> Any:
        async def close(conn: Any, *arguments: Any, **named: Any) -> Any:
            guarded(self._end)(conn)
            return await own(conn, *arguments, **named)

        return close

    def _end(self, conn: Any) -> None:
        self._by_session.pop(conn.session_id, None)
        if hasattr(conn, "porchlight"):
            conn.porchlight.end()

    # ---- a turn

    def _start_to_chat(self, own: Any) -> Any:
        async def startToChat(conn: Any, text: str, *others: Any, **named: Any) -> Any:  # noqa: N802
            if not await self._is_refused(conn, text):
                await own(conn, text, *others, **named)

        return startToChat

    async def _is_refused(self, conn: Any, text: str) -> bool:
        """Says goodbye instead, and has xiaozhi hang up after it, when talking is not allowed."""
        try:
            toy = self.toy(conn)
            rules = toy.conversation.rules
            if rules.allowed or conn.need_bind or self._speak is None:
                toy.said_goodbye = False
                return False
            if toy.said_goodbye:
                return True
            toy.answering = toy.conversation.child
            if self._send_stt is not None:
                await self._send_stt(conn, text)
            conn.client_abort = False
            conn.sentence_id = uuid.uuid4().hex
            conn.close_after_chat = True
            self._speak(conn, rules.goodbye)
            toy.said_goodbye = True
        except Exception as error:  # noqa: BLE001
            log.warning("Porchlight could not say goodbye (%s). The rules in the prompt still forbid to talk.", type(error).__name__)
            return False
        return True

    def _chat(self, own: Any) -> Any:
        def chat(conn: Any, query: Any, depth: int = 0, *others: Any, **named: Any) -> Any:
            guarded(self._before_answer)(conn)
            return own(conn, query, depth, *others, **named)

        return chat

    def _before_answer(self, conn: Any) -> None:
        toy = self.toy(conn)
        if not toy.begun:
            # It connected while xiaozhi was still starting.
            guarded(self._begin)(conn)
        toy.answering = toy.conversation.child
        toy.answers_without_prompt = getattr(conn, "intent_type", None) == "intent_llm"
        # Models are shared by connections, and may be exchanged.
        for name in ("response", "response_with_functions"):
            own = getattr(conn.llm, name, None)
            if own is not None and not hasattr(own, MARK):
                setattr(conn.llm, name, self._reading(own))

    def _reading(self, own: Any) -> Any:
        """Wraps the model's own call to see which prompt it gets: the only evidence that the rules are in it."""

        def read(session_id: Any, dialogue: Any, *others: Any, **named: Any) -> Any:
            guarded(self._compare)(session_id, dialogue)
            return own(session_id, dialogue, *others, **named)

        setattr(read, MARK, own)
        return read

    def _compare(self, session_id: Any, dialogue: Any) -> None:
        toy = self._by_session.get(session_id)
        if toy is None:
            return  # a call of xiaozhi's own, without a session
        rules = toy.conversation.rules
        if not any(one.get("role") == "system" and rules.instructions in (one.get("content") or "") for one in dialogue):
            toy.conversation.report(rules.version, "fetched", NOT_IN_PROMPT)
        elif toy.answers_without_prompt:
            toy.conversation.report(rules.version, "fetched", NOT_IN_ALL_PROMPTS)
        else:
            toy.conversation.report(rules.version, "in_prompt")

    # ---- what was said

    def _asr_report(self, own: Any) -> Any:
        def enqueue_asr_report(conn: Any, text: str, *others: Any, **named: Any) -> Any:
            guarded(self._hear)(conn, text)
            return own(conn, text, *others, **named)

        return enqueue_asr_report

    def _hear(self, conn: Any, text: str) -> None:
        self.toy(conn).hears(text)

    def _tts_message(self, own: Any) -> Any:
        async def send_tts_message(conn: Any, state: str, text: Any = None, *others: Any, **named: Any) -> Any:
            # Sentences are announced when the toy begins them, and "stop" after it has played all.
            toy: Any = getattr(conn, "porchlight", None)
            if toy is not None and state == "sentence_start" and text:
                guarded(toy.begins)(text)
            last = getattr(toy, "sentence", None)
            answer = await own(conn, state, text, *others, **named)
            if last is not None and state == "stop" and toy.sentence is last:
                guarded(toy.is_done)()
            return answer

        return send_tts_message

    def _abort(self, own: Any) -> Any:
        async def handleAbortMessage(conn: Any, *others: Any, **named: Any) -> Any:  # noqa: N802
            if hasattr(conn, "porchlight"):
                guarded(conn.porchlight.is_interrupted)()
            return await own(conn, *others, **named)

        return handleAbortMessage


def add_rules(messages: list[dict[str, Any]], rules: str) -> list[dict[str, Any]]:
    """The prompt whose first system message ends with the rules. The dialogue itself stays as it is."""
    for place, message in enumerate(messages):
        if message.get("role") == "system":
            changed = {**message, "content": f"{message.get('content') or ''}\n\n{rules}"}
            return [*messages[:place], changed, *messages[place + 1 :]]
    return [{"role": "system", "content": rules}, *messages]


def replace_everywhere(own: Any, wrapper: Any) -> None:
    """Replaces a function in all of xiaozhi's modules: many import it by its name."""
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("core."):
            for name, value in list(vars(module).items()):
                if value is own:
                    setattr(module, name, wrapper)


def wait_for_xiaozhi(hooks: Hooks) -> None:
    """Waits until `core.connection`, during whose import xiaozhi imports this file, is complete."""
    try:
        connection = importlib.import_module("core.connection")
    except Exception as error:  # noqa: BLE001
        log.warning("Porchlight's plug-in found no xiaozhi-server here (%s): it does nothing.", type(error).__name__)
        return
    guarded(hooks.hold_on)(connection)


def begin() -> threading.Thread:
    """Wraps xiaozhi's functions once its modules are loaded, and fetches the rules meanwhile."""
    start: Callable[[], Any] = connect
    threading.Thread(target=start, name="porchlight-start", daemon=True).start()
    thread = threading.Thread(target=wait_for_xiaozhi, args=(Hooks(),), name="porchlight-xiaozhi", daemon=True)
    thread.start()
    return thread


started = begin()
