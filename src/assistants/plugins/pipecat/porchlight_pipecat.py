"""Porchlight for Pipecat (1.6 and later, before 2): parents see what was said, and the bot follows their rules.

1. Put this file somewhere on the bot's machine.
2. Set PORCHLIGHT_KEY to the key that `porchlight assistant add` printed.
3. Set PIPECAT_SETUP_FILES to this file's full path, and start the bot as always.

Where the key is for several children, set PORCHLIGHT_CHILD; when another child speaks, the bot can say
`worker.porchlight.switch_child(2)`. Also: PORCHLIGHT_URL, PORCHLIGHT_DEVICE, PORCHLIGHT_FOLDER (the queue),
PORCHLIGHT_WITHOUT_RULES (`talk` or `silent`, as long as no rules were ever fetched).

Pipecat does not say who spoke. The stored part of an interrupted answer is what Pipecat reports as heard, which some voices don't
know exactly. With a speech-to-speech model the rules are passed to its session. When talking is not allowed, such a model gets one
turn to say goodbye, and then hears nothing more.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from pipecat.frames.frames import BotStartedSpeakingFrame, BotStoppedSpeakingFrame, InputAudioRawFrame, LLMContextFrame, TTSSpeakFrame
from pipecat.processors.aggregators.llm_response_universal import LLMAssistantAggregator, LLMUserAggregator
from pipecat.services.llm_service import LLMService
from porchlight_shared.conversation import Conversation, connect, guarded, is_supported
from porchlight_shared.http_client import log
from porchlight_shared.rules import Rules, read_time

NOT_IN_PROMPT = "The rules were not in the prompt that the model got."
NOT_CONFIRMED = "The speech-to-speech model does not say whether it took the rules."


async def setup_pipeline_worker(worker: Any) -> None:
    """Called by Pipecat, once for each pipeline and before its first frame."""
    if not is_supported("pipecat-ai", (1, 6), (2,)):
        return
    # The first conversation of all may wait a moment for the first rules.
    conversation = await asyncio.to_thread(lambda: connect().conversation())
    worker.porchlight = conversation
    guarded(hold_on)(worker, conversation)


async def setup_worker_runner(runner: Any) -> None:
    """Does nothing. Pipecat calls it, and warns if it is missing."""


def hold_on(worker: Any, conversation: Conversation) -> None:
    """Observes what is said in a pipeline, and its models' prompts."""
    sessions: list[SessionWatcher] = []
    for processor in processors_below(worker.pipeline):
        if isinstance(processor, LLMUserAggregator):
            processor.add_event_handler("on_user_turn_message_added", words_handler(conversation, by_assistant=False))
        elif isinstance(processor, LLMAssistantAggregator):
            processor.add_event_handler("on_assistant_turn_stopped", words_handler(conversation, by_assistant=True))
        elif isinstance(processor, LLMService):
            if is_realtime(processor):
                sessions.append(SessionWatcher(processor, conversation))
                guarded(sessions[-1].hold_on)()
            else:
                guarded(ServiceWatcher(processor, conversation).hold_on)()

    loop = asyncio.get_running_loop()

    def in_loop() -> None:
        for session in sessions:
            loop.call_soon_threadsafe(guarded(session.rules_changed))

    conversation.on_change(in_loop)

    @guarded
    def finished(*_: Any) -> None:
        conversation.end()

    async def on_finished(*arguments: Any) -> None:
        finished(*arguments)

    worker.add_event_handler("on_pipeline_finished", on_finished)


def processors_below(processor: Any) -> Iterator[Any]:
    """All processors of a pipeline, the parallel ones too."""
    for one in processor.processors:
        yield one
        yield from processors_below(one)


def is_realtime(service: Any) -> bool:
    """Whether a model hears and speaks by itself. Its session keeps its prompt."""
    return bool(getattr(service.service_metadata_frame(), "is_realtime_service", False))


def words_handler(conversation: Conversation, by_assistant: bool) -> Callable[..., Any]:
    """A handler for one side's turns. Pipecat has no message ids, so side and time form one."""

    @guarded
    def heard(message: Any) -> None:
        side = "assistant" if by_assistant else "user"
        interrupted = bool(getattr(message, "interrupted", False))
        at = read_time(message.timestamp)
        conversation.heard(f"{side}-{message.timestamp}", by_assistant, message.content or "", at, interrupted=interrupted)

    async def handler(_: Any, message: Any) -> None:
        heard(message)

    return handler


class ServiceWatcher:
    """Keeps the rules in one model's prompt, and reads them back from the requests to it."""

    def __init__(self, service: Any, conversation: Conversation) -> None:
        self._service = service
        self._conversation = conversation
        self._appended: str | None = None
        self._said_goodbye = False
        self._put_in = guarded(self._put_rules_in)
        self._compare = guarded(self._compare_with_rules)

    def hold_on(self) -> None:
        """Adds the rules to the prompt, and wraps the two calls that every turn uses."""
        self._put_in()
        self._own_process = self._service.process_frame
        self._service.process_frame = self._process_frame
        adapter = self._service.get_llm_adapter()
        own_params = adapter.get_llm_invocation_params

        async def compare_later(parameters: Any) -> Any:
            parameters = await parameters
            self._compare(parameters)
            return parameters

        def get_llm_invocation_params(*arguments: Any, **named: Any) -> Any:
            parameters = own_params(*arguments, **named)
            if inspect.isawaitable(parameters):  # from Pipecat 1.13 on
                return compare_later(parameters)
            self._compare(parameters)
            return parameters

        adapter.get_llm_invocation_params = get_llm_invocation_params

    async def _process_frame(self, frame: Any, direction: Any) -> None:
        if isinstance(frame, LLMContextFrame):
            rules: Rules = self._conversation.rules
            if not rules.allowed:
                if not self._said_goodbye:
                    self._said_goodbye = True
                    await self._service.push_frame(TTSSpeakFrame(rules.goodbye))
                return
            self._said_goodbye = False
            self._put_in()
        await self._own_process(frame, direction)

    def _put_rules_in(self) -> None:
        rules = self._conversation.rules
        if self._appended == rules.prompt:
            return
        held = getattr(self._service, "_appended_system_instructions", None)
        compose = getattr(self._service, "_compose_system_instruction", None)
        if self._appended is not None and isinstance(held, list) and self._appended in held and compose is not None:
            # There is no public way to remove an appended instruction.
            held[held.index(self._appended)] = rules.prompt
            compose()
        else:
            if self._appended is not None:
                log.warning("Pipecat has changed: older rules cannot be taken out of the prompt. The new ones are added after them.")
            self._service.append_system_instruction(rules.prompt)
        self._appended = rules.prompt

    def _compare_with_rules(self, parameters: Any) -> None:
        rules = self._conversation.rules
        if any(rules.instructions in text for text in texts_in(parameters)):
            self._conversation.report(rules.version, "in_prompt")
        else:
            self._conversation.report(rules.version, "fetched", NOT_IN_PROMPT)


class SessionWatcher(ServiceWatcher):
    """Keeps the rules in the prompt of a speech-to-speech model's session."""

    def __init__(self, service: Any, conversation: Conversation) -> None:
        super().__init__(service, conversation)
        # OpenAI-compatible services are sent the session's settings, and repeat those that they use.
        self._own_send = getattr(service, "_send_session_update", None)
        self._own_updated = getattr(service, "_handle_evt_session_updated", None)
        self._sent: str | None = None
        self._goodbye_begun = False
        self._compare_session = guarded(self._compare_session_with_rules)
        self._tasks: set[asyncio.Task[None]] = set()

    def hold_on(self) -> None:
        """Adds the rules before the session begins, and wraps the calls that send its settings."""
        self._put_in()
        self._own_process = self._service.process_frame
        self._service.process_frame = self._process_frame
        if self._own_send is not None and self._own_updated is not None:
            self._service._send_session_update = self._send
            self._service._handle_evt_session_updated = self._updated

    def rules_changed(self) -> None:
        """Sends changed rules to the running session."""
        self._put_in()
        if self._own_send is not None:
            task = asyncio.ensure_future(self._send())
            self._tasks.add(task)
            task.add_done_callback(self._sent_again)
        else:
            self._conversation.report(self._conversation.rules.version, "fetched", NOT_CONFIRMED)

    def _sent_again(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("Porchlight's rules could not be handed to the model's session (%s).", type(error).__name__)

    def _put_rules_in(self) -> None:
        super()._put_rules_in()
        settings = self._service._settings
        properties = getattr(settings, "session_properties", None)
        if properties is not None and hasattr(properties, "instructions"):
            # Until the session has a context, Pipecat sends these alone.
            properties.instructions = settings.system_instruction
        if hasattr(self._service, "_system_instruction_from_init"):
            self._service._system_instruction_from_init = settings.system_instruction

    async def _send(self) -> None:
        self._put_in()
        self._sent = self._conversation.rules.prompt
        if self._own_send is not None:
            await self._own_send()

    async def _updated(self, event: Any) -> None:
        self._compare_session(getattr(event, "session", None))
        if self._own_updated is not None:
            await self._own_updated(event)

    def _compare_session_with_rules(self, session: Any) -> None:
        rules = self._conversation.rules
        if self._sent != rules.prompt:
            return  # not the answer to the last change
        instructions = getattr(session, "instructions", None)
        if not isinstance(instructions, str):
            self._conversation.report(rules.version, "fetched", NOT_CONFIRMED)
        elif rules.instructions in instructions:
            self._conversation.report(rules.version, "set")
        else:
            self._conversation.report(rules.version, "fetched", NOT_IN_PROMPT)

    async def _process_frame(self, frame: Any, direction: Any) -> None:
        rules: Rules = self._conversation.rules
        if rules.allowed:
            self._goodbye_begun = self._said_goodbye = False
        elif isinstance(frame, BotStartedSpeakingFrame):
            self._goodbye_begun = True
        elif isinstance(frame, BotStoppedSpeakingFrame):
            self._said_goodbye = self._goodbye_begun
        elif self._said_goodbye and isinstance(frame, InputAudioRawFrame | LLMContextFrame):
            return
        if isinstance(frame, LLMContextFrame) and (self._own_send is None or self._own_updated is None):
            self._conversation.report(rules.version, "fetched", NOT_CONFIRMED)
        await self._own_process(frame, direction)


def texts_in(value: Any) -> Iterator[str]:
    """All texts of a request, whatever the provider calls its fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts_in(one)
    elif hasattr(value, "__dict__"):
        yield from texts_in(vars(value))
