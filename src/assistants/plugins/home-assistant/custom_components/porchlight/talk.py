"""A conversation with one child, and the chat log that its model reads."""

from __future__ import annotations

import contextlib
import hashlib
import re
import time
from collections.abc import Generator
from typing import Any

from homeassistant.components.conversation import AssistantContent, ChatLog, ConversationInput, UserContent, async_get_chat_log
from homeassistant.core import HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session
from porchlight_shared.conversation import Conversation, Porchlight


class Talk:
    """A conversation in Home Assistant with one child."""

    def __init__(self, porchlight: Porchlight, child: int, conversation_id: str, device: str | None) -> None:
        self.conversation_id = conversation_id
        # Two wake words of one satellite share an id, so the name has the child. An id that a user chose never changes,
        # so it has the time, too.
        plain = conversation_id if re.fullmatch(r"[A-Za-z0-9._-]{1,64}", conversation_id) else digest(conversation_id)
        name = f"{child}-{plain}-{time.time_ns() // 1_000_000}"
        self.conversation = Conversation(porchlight, name, child, device, wait=0.0)
        self.own_prompt: str | None = None
        # What Home Assistant and the child said without the agent, which the model gets with the next turn.
        self.unread: list[UserContent | AssistantContent] = []
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


def opening_of(shared: ChatLog) -> list[AssistantContent]:
    """What Home Assistant said before the first words of a conversation (start_conversation)."""
    if sum(isinstance(one, UserContent) for one in shared.content) != 1:
        return []
    return [one for one in shared.content if isinstance(one, AssistantContent) and one.content]


@contextlib.contextmanager
def open_chat_log(hass: HomeAssistant, own_id: str, talk: Talk, user_input: ConversationInput, shared: ChatLog) -> Generator[ChatLog]:
    """Opens the chat log of a child's own conversation for one turn.

    Two wake words of one satellite share Home Assistant's. There, the child's model would read what somebody else said, and
    another agent what the child said, with the child's rules in its prompt.
    """

    def forward(_: ChatLog, delta: dict[str, Any]) -> None:
        # To the voice, while the answer still arrives.
        if shared.delta_listener is not None:
            shared.delta_listener(shared, delta)

    with async_get_chat_session(hass, own_id) as session:
        if talk.unread:
            with async_get_chat_log(hass, session) as log:
                log.content.extend(talk.unread)
            talk.unread.clear()
        with async_get_chat_log(hass, session, user_input, chat_log_delta_listener=forward) as log:
            yield log
