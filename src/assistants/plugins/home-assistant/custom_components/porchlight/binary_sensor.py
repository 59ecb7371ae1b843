"""Whether talking with the child is allowed, and whether a parent has paused it."""

from __future__ import annotations

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import PorchlightEntry
from .entity import TalkEntity

# Nothing is polled.
PARALLEL_UPDATES = 0


async def async_setup_entry(hass: HomeAssistant, entry: PorchlightEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Adds both."""
    add([TalkingAllowed(entry, "talking_allowed"), Paused(entry, "paused")])


class TalkingAllowed(TalkEntity, BinarySensorEntity):
    """Whether an assistant may talk with the child now."""

    @property
    def is_on(self) -> bool:
        """Off while talking is paused, in quiet hours, and when the day's minutes are used up."""
        return self.talk_status.rules.allowed


class Paused(TalkEntity, BinarySensorEntity):
    """Whether a parent has paused talking."""

    @property
    def is_on(self) -> bool:
        """On until a parent resumes, or the pause ends."""
        return self.talk_status.rules.paused
