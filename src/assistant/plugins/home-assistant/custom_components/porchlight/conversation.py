"""The conversation agent: calls the family's own agent with the rules in its prompt, and delivers what both sides said."""

from __future__ import annotations

import hashlib
import itertools
import re
import time
from typing import Any, Literal

from homeassistant.components import conversation
from homeassistant.components.conversation import AssistantContent, ChatLog, ConversationInput, ConversationResult, UserContent
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry, intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from porchlight_shared.conversation import Conversation, Porchlight, guarded
from porchlight_shared.http_client import MANDATORY_RULES, log
from porchlight_shared.rules import Rules

from . import CONF_AGENT, CONF_CHILD, CONF_LEAVE_OUT, CONF_SATELLITES, PorchlightEntry
from .entity import device_of

try:
    from homeassistant.components.conversation.chat_log import async_subscribe_chat_logs
except ImportError:  # before 2026: sentences handled without the agent are not seen
    async_subscribe_chat_logs = None  # type: ignore[assignment]

NOT_IN_PROMPT = "the wrapped agent's prompt does not hold the rules"
NOT_READABLE = "the wrapped agent does not show its prompt"

# Who answers when a sentence does not reach the agent.
BYPASSING = ("sentence_trigger", conversation.HOME_ASSISTANT_AGENT)


async def async_setup_entry(hass: HomeAssistant, entry: PorchlightEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Adds the agent."""
    add([PorchlightAgent(entry)])


class Talk:
    """A conversation in Home Assistant with one child."""

    def __init__(self, porchlight: Porchlight, child: int, conversation_id: str, device: str | None) -> None:
        # The child belongs into the name: two wake words of one satellite share a conversation. So does the time: an id that
        # its user chose stays the same for good.
        plain = conversation_id if re.fullmatch(r"[A-Za-z0-9._-]{1,64}", conversation_id) else digest(conversation_id)
        name = f"{child}-{plain}-{time.time_ns() // 1_000_000}"
        self.conversation = Conversation(porchlight, name, child, device, wait=0.0)
        self.own_prompt: str | None = None
        self._number = 0
        # The child's words, and when they were said, until the answer shows whether they are a home command.
        self._unanswered: tuple[str, float] | None = None

    def heard(self, by_assistant: bool, text: str, at: float | None = None) -> None:
        """Queues what one side said."""
        if text.strip() in ("", "(no response)"):
            return
        self._number += 1
        self.conversation.heard(f"{'assistant' if by_assistant else 'child'}-{self._number}", by_assistant, text, at)

    def asked(self, text: str) -> None:
        """Holds back the child's words until they are queued or discarded."""
        self.keep_asked()
        self._unanswered = text, time.time()

    def keep_asked(self) -> None:
        """Queues the words that were held back."""
        if self._unanswered is not None:
            text, at = self._unanswered
            self._unanswered = None
            self.heard(False, text, at)

    def leave_out_asked(self) -> None:
        """Discards the words that were held back."""
        self._unanswered = None


def digest(text: str) -> str:
    """A hash of an id, for an id that can't be a name."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def is_home_command(answer: list[AssistantContent]) -> bool:
    """Whether the model carried out one of Home Assistant's own intents, alone or under the prefix of merged APIs."""
    calls = [call for one in answer for call in one.tool_calls or ()]
    return any(call.tool_name.rsplit("__", 1)[-1].startswith("Hass") for call in calls)


class PorchlightAgent(conversation.ConversationEntity):
    """Wraps the family's own agent."""

    _attr_has_entity_name = False

    def __init__(self, entry: PorchlightEntry) -> None:
        self._porchlight = entry.runtime_data
        self._child = int(entry.options[CONF_CHILD])
        # The child of each satellite, by its device; 0 where the words are nobody's.
        self._satellites: dict[str, int] = {device: int(child) for device, child in entry.options.get(CONF_SATELLITES, {}).items()}
        self._leaves_out_commands = bool(entry.options.get(CONF_LEAVE_OUT, True))
        self._agent: str = entry.options[CONF_AGENT]
        self._attr_unique_id = entry.entry_id
        self._attr_name = entry.title
        self._attr_device_info = device_of(entry)
        self._talks: dict[str, Talk] = {}
        # What was said to this agent's pipeline and has not reached the agent, and by which device.
        self._waiting: dict[str, tuple[str, str | None]] = {}
        self._said_that_bypassing_is_lost = False

    @property
    def supported_languages(self) -> list[str] | Literal["*"]:
        """The languages of the wrapped agent."""
        wrapped = self._wrapped
        return wrapped.supported_languages if wrapped is not None else MATCH_ALL

    @property
    def supports_streaming(self) -> bool:
        """Like the wrapped agent, which writes to the same chat log."""
        return bool(getattr(self._wrapped, "supports_streaming", False))

    @property
    def supported_features(self) -> conversation.ConversationEntityFeature:
        """The features of the wrapped agent."""
        none = conversation.ConversationEntityFeature(0)
        return getattr(self._wrapped, "supported_features", none) or none

    @property
    def _wrapped(self) -> Any:
        return async_get_agent(self.hass, self._agent) if self.hass is not None else None

    async def async_added_to_hass(self) -> None:
        """Subscribes to the sentences that Home Assistant handles without the agent."""
        await super().async_added_to_hass()
        if async_subscribe_chat_logs is not None:
            self.async_on_remove(async_subscribe_chat_logs(self.hass, guarded(self._chat_log_changed)))

    async def async_will_remove_from_hass(self) -> None:
        """Ends the conversations when the agent is removed."""
        for key in list(self._talks):
            guarded(self._end)(key)

    async def _async_handle_message(self, user_input: ConversationInput, chat_log: ChatLog) -> ConversationResult:
        """Handles one turn."""
        guarded(self._hear)(user_input, chat_log)
        rules = self._rules(self._child_of(user_input.device_id))
        if not rules.allowed:
            return self._say_goodbye(user_input, chat_log, rules)
        begun = len(chat_log.content)
        try:
            result = await conversation.async_converse(
                self.hass,
                user_input.text,
                chat_log.conversation_id,
                user_input.context,
                language=user_input.language,
                agent_id=self._agent,
                device_id=user_input.device_id,
                satellite_id=user_input.satellite_id,
                extra_system_prompt=self._prompt(user_input, chat_log, rules),
            )
            guarded(self._answered)(chat_log, begun, result, rules)
            return result
        finally:
            # Also without an answer: the agent failed, or Home Assistant gave up.
            guarded(self._keep_asked)(chat_log.conversation_id)

    def _child_of(self, device_id: str | None) -> int:
        """The child of a satellite. If it is 0 (nobody), the rules of all of the key's children apply, and nothing is delivered."""
        return self._satellites.get(device_id or "", self._child)

    def _rules(self, child: int) -> Rules:
        try:
            return self._porchlight.rules_of(child).now()
        except Exception as error:  # noqa: BLE001
            log.warning("Porchlight's rules cannot be read (%s): the mandatory ones hold.", type(error).__name__)
            return Rules(MANDATORY_RULES)

    def _talk(self, conversation_id: str, device_id: str | None = None) -> Talk:
        if conversation_id not in self._talks:
            device = device_registry.async_get(self.hass).async_get(device_id) if device_id else None
            name = (device.name_by_user or device.name) if device is not None else None
            child = self._child_of(device_id)
            self._talks[conversation_id] = Talk(self._porchlight, child, conversation_id, name[:64] if name else None)
        return self._talks[conversation_id]

    def _hear(self, user_input: ConversationInput, chat_log: ChatLog) -> None:
        self._waiting.pop(chat_log.conversation_id, None)
        begins = chat_log.conversation_id not in self._talks
        talk = self._talk(chat_log.conversation_id, user_input.device_id)
        if begins:
            # Home Assistant can speak first (start_conversation).
            said = itertools.takewhile(lambda one: not isinstance(one, UserContent), chat_log.content)
            for opening in [one.content for one in said if isinstance(one, AssistantContent) and one.content]:
                talk.heard(True, opening)
        # Home Assistant keeps a caller's prompt for the whole conversation, unless there is a newer one.
        talk.own_prompt = user_input.extra_system_prompt or talk.own_prompt
        talk.asked(user_input.text)
        if not self._leaves_out_commands:
            talk.keep_asked()

    def _keep_asked(self, conversation_id: str) -> None:
        talk = self._talks.get(conversation_id)
        if talk is not None:
            talk.keep_asked()

    def _prompt(self, user_input: ConversationInput, chat_log: ChatLog, rules: Rules) -> str:
        talk = self._talks.get(chat_log.conversation_id)
        own = talk.own_prompt if talk is not None else user_input.extra_system_prompt
        return f"{own}\n\n{rules.prompt}" if own else rules.prompt

    def _say_goodbye(self, user_input: ConversationInput, chat_log: ChatLog, rules: Rules) -> ConversationResult:
        chat_log.async_add_assistant_content_without_tools(AssistantContent(agent_id=self.entity_id, content=rules.goodbye))
        guarded(self._keep_goodbye)(chat_log.conversation_id, rules.goodbye)
        response = intent.IntentResponse(language=user_input.language)
        response.async_set_speech(rules.goodbye)
        return ConversationResult(response=response, conversation_id=chat_log.conversation_id)

    def _keep_goodbye(self, conversation_id: str, goodbye: str) -> None:
        talk = self._talk(conversation_id)
        talk.keep_asked()
        talk.heard(True, goodbye)

    def _answered(self, chat_log: ChatLog, begun: int, result: ConversationResult, rules: Rules) -> None:
        talk = self._talk(chat_log.conversation_id)
        answer = [one for one in chat_log.content[begun:] if isinstance(one, AssistantContent)]
        if self._leaves_out_commands and is_home_command(answer):
            talk.leave_out_asked()
        else:
            talk.keep_asked()
            said = [one.content for one in answer if one.content]
            speech = str(result.response.speech.get("plain", {}).get("speech") or "")
            # A voice that streams also speaks what the agent said before it used a tool.
            talk.heard(True, " ".join(said) if said and self.supports_streaming else speech)
        prompt = getattr(chat_log.content[0], "content", None) if chat_log.content else None
        if prompt and rules.prompt in prompt:
            talk.conversation.report(rules.version, "in_prompt")
        else:
            talk.conversation.report(rules.version, "fetched", NOT_IN_PROMPT if prompt else NOT_READABLE)

    # ---- sentences handled without the agent

    def _chat_log_changed(self, conversation_id: str, event: Any, data: dict[str, Any]) -> None:
        if event == "deleted":
            self._end(conversation_id)
            return
        if event != "content_added":
            return
        content = data.get("content", {})
        if content.get("role") == "user":
            self._waiting.pop(conversation_id, None)
            run = self._run_with(conversation_id, content["content"])
            if run is not None:
                self._waiting[conversation_id] = content["content"], run.get("device_id")
        elif content.get("role") == "assistant" and content.get("content") and content.get("agent_id") in BYPASSING:
            waiting = self._waiting.pop(conversation_id, None)
            if waiting is not None and not self._leaves_out_commands:
                text, device_id = waiting
                talk = self._talk(conversation_id, device_id)
                talk.heard(False, text)
                talk.heard(True, content["content"])

    def _run_with(self, conversation_id: str, text: str) -> dict[str, Any] | None:
        """The running pipeline, if it uses this agent: the id of a conversation alone doesn't identify its agent."""
        data: Any = self.hass.data.get("assist_pipeline")
        if data is None:
            return None
        runs = getattr(data, "pipeline_debug", None)
        if runs is None:
            if not self._said_that_bypassing_is_lost:
                self._said_that_bypassing_is_lost = True
                log.warning("Home Assistant has changed: sentences that it answers without the agent do not reach Porchlight.")
            return None
        last = [run.events[-1] for one in runs.values() for run in one.values() if run.events]
        starts = [event.data or {} for event in last if event.type == "intent-start"]
        asked = [start for start in starts if start.get("conversation_id") == conversation_id and start.get("intent_input") == text]
        return asked[-1] if asked and all(start.get("engine") == self.entity_id for start in asked) else None

    def _end(self, conversation_id: str) -> None:
        self._waiting.pop(conversation_id, None)
        talk = self._talks.pop(conversation_id, None)
        if talk is not None:
            talk.keep_asked()
            talk.conversation.end()
