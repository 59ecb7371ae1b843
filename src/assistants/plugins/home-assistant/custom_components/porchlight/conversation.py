"""The conversation agent: calls the family's own agent with the rules in its prompt, and delivers what both sides said."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from homeassistant.components import conversation
from homeassistant.components.conversation import AssistantContent, ChatLog, ConversationInput, ConversationResult, UserContent
from homeassistant.components.conversation.agent_manager import async_get_agent
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS, async_subscribe_chat_logs
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry, intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from porchlight_shared.conversation import guarded
from porchlight_shared.http_client import MANDATORY_RULES, log
from porchlight_shared.rules import Rules

from . import CONF_AGENT, CONF_CHILD, CONF_LEAVE_OUT, CONF_SATELLITES, PorchlightEntry
from .entity import device_of
from .talk import Talk, is_home_command, open_chat_log, opening_of

# Calls of one agent don't wait for each other.
PARALLEL_UPDATES = 0

NOT_IN_PROMPT = "the wrapped agent's prompt does not hold the rules"
NOT_READABLE = "the wrapped agent does not show its prompt"

# Who answers when a sentence does not reach the agent.
BYPASSING = ("sentence_trigger", conversation.HOME_ASSISTANT_AGENT)


async def async_setup_entry(hass: HomeAssistant, entry: PorchlightEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Adds the agent."""
    add([PorchlightAgent(entry)])


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
        self.async_on_remove(async_subscribe_chat_logs(self.hass, guarded(self._chat_log_changed)))

    async def async_will_remove_from_hass(self) -> None:
        """Ends the conversations when the agent is removed."""
        for key in list(self._talks):
            guarded(self._end)(key)

    async def _async_handle_message(self, user_input: ConversationInput, chat_log: ChatLog) -> ConversationResult:
        """Handles one turn."""
        guarded(self._hear)(user_input, chat_log)
        child = self._child_of(user_input.device_id)
        talk, own_id = self._talk(chat_log.conversation_id, user_input.device_id), self._own_id(chat_log.conversation_id, child)
        try:
            with open_chat_log(self.hass, own_id, talk, user_input, chat_log) as own:
                result = await self._answer(user_input, own, talk, self._rules(child))
        finally:
            # Also without an answer: the agent failed, or Home Assistant gave up.
            guarded(talk.keep_asked)()
        return dataclasses.replace(result, conversation_id=chat_log.conversation_id)

    async def _answer(self, user_input: ConversationInput, own: ChatLog, talk: Talk, rules: Rules) -> ConversationResult:
        if not rules.allowed:
            return self._say_goodbye(user_input, own, talk, rules)
        begun = len(own.content)
        result = await conversation.async_converse(
            self.hass,
            user_input.text,
            own.conversation_id,
            user_input.context,
            language=user_input.language,
            agent_id=self._agent,
            device_id=user_input.device_id,
            satellite_id=user_input.satellite_id,
            extra_system_prompt=f"{talk.own_prompt}\n\n{rules.prompt}" if talk.own_prompt else rules.prompt,
        )
        guarded(self._answered)(own, begun, talk, result, rules)
        return result

    def _child_of(self, device_id: str | None) -> int:
        """The child of a satellite. If it is 0 (nobody), the rules of all of the key's children apply, and nothing is delivered."""
        return self._satellites.get(device_id or "", self._child)

    def _rules(self, child: int) -> Rules:
        try:
            return self._porchlight.rules_of(child).now()
        except Exception as error:  # noqa: BLE001
            log.warning("Porchlight's rules cannot be read (%s): the mandatory ones hold.", type(error).__name__)
            return Rules(MANDATORY_RULES)

    def _own_id(self, conversation_id: str, child: int) -> str:
        """The id of a child's own conversation within one of Home Assistant's."""
        return f"{conversation_id}-{self.unique_id}-{child}"

    def _talk(self, conversation_id: str, device_id: str | None) -> Talk:
        child = self._child_of(device_id)
        own_id = self._own_id(conversation_id, child)
        if own_id not in self._talks:
            device = device_registry.async_get(self.hass).async_get(device_id) if device_id else None
            name = (device.name_by_user or device.name) if device is not None else None
            self._talks[own_id] = Talk(self._porchlight, child, conversation_id, name[:64] if name else None)
        return self._talks[own_id]

    def _hear(self, user_input: ConversationInput, shared: ChatLog) -> None:
        self._waiting.pop(shared.conversation_id, None)
        begins = self._own_id(shared.conversation_id, self._child_of(user_input.device_id)) not in self._talks
        talk = self._talk(shared.conversation_id, user_input.device_id)
        for opening in opening_of(shared) if begins else []:
            talk.unread.append(opening)
            talk.heard(True, opening.content or "")
        # Home Assistant keeps a caller's prompt for the whole conversation, unless there is a newer one.
        talk.own_prompt = user_input.extra_system_prompt or talk.own_prompt
        talk.asked(user_input.text)
        if not self._leaves_out_commands:
            talk.keep_asked()

    def _say_goodbye(self, user_input: ConversationInput, own: ChatLog, talk: Talk, rules: Rules) -> ConversationResult:
        own.async_add_assistant_content_without_tools(AssistantContent(agent_id=self.entity_id, content=rules.goodbye))
        guarded(talk.keep_asked)()
        guarded(talk.heard)(True, rules.goodbye)
        response = intent.IntentResponse(language=user_input.language)
        response.async_set_speech(rules.goodbye)
        return ConversationResult(response=response, conversation_id=own.conversation_id)

    def _answered(self, own: ChatLog, begun: int, talk: Talk, result: ConversationResult, rules: Rules) -> None:
        answer = [one for one in own.content[begun:] if isinstance(one, AssistantContent)]
        if self._leaves_out_commands and is_home_command(answer):
            talk.leave_out_asked()
        else:
            talk.keep_asked()
            said = [one.content for one in answer if one.content]
            speech = str(result.response.speech.get("plain", {}).get("speech") or "")
            # A voice that streams also speaks what the agent said before it used a tool.
            talk.heard(True, " ".join(said) if said and self.supports_streaming else speech)
        prompt = getattr(own.content[0], "content", None) if own.content else None
        if prompt and rules.prompt in prompt:
            talk.conversation.report(rules.version, "in_prompt")
        else:
            talk.conversation.report(rules.version, "fetched", NOT_IN_PROMPT if prompt else NOT_READABLE)

    # ---- sentences handled without the agent

    def _chat_log_changed(self, conversation_id: str, event: Any, data: dict[str, Any]) -> None:
        if event == "deleted":
            self._end(conversation_id)
            self._end_unlogged(conversation_id)
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
            if waiting is not None:
                text, device_id = waiting
                self._bypassed(self._talk(conversation_id, device_id), text, content["agent_id"], content["content"])

    def _bypassed(self, talk: Talk, text: str, agent_id: str, answer: str) -> None:
        talk.unread.extend([UserContent(text), AssistantContent(agent_id, answer)])
        if not self._leaves_out_commands:
            talk.heard(False, text)
            talk.heard(True, answer)

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

    def _end_unlogged(self, conversation_id: str) -> None:
        """Ends what was said in one of Home Assistant's conversations without ever reaching the agent."""
        logs = self.hass.data.get(DATA_CHAT_LOGS, {})
        for own_id in [own_id for own_id, talk in self._talks.items() if talk.conversation_id == conversation_id and own_id not in logs]:
            self._end(own_id)

    def _end(self, own_id: str) -> None:
        self._waiting.pop(own_id, None)
        talk = self._talks.pop(own_id, None)
        if talk is not None:
            talk.keep_asked()
            talk.conversation.end()
