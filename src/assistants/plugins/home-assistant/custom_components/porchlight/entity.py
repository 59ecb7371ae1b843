"""What the entities of an entry have in common."""

from __future__ import annotations

from homeassistant.const import CONF_URL
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import Entity
from porchlight_shared.rules import RulesWatcher, TalkStatus

from . import CONF_CHILD, DOMAIN, PorchlightEntry


def device_of(entry: PorchlightEntry) -> DeviceInfo:
    """The device that groups an entry's entities."""
    address: str = entry.data[CONF_URL]
    url = address if "://" in address else f"http://{address}"
    return DeviceInfo(
        identifiers={(DOMAIN, entry.entry_id)},
        name=entry.title,
        manufacturer="Porchlight",
        entry_type=DeviceEntryType.SERVICE,
        configuration_url=url if url.startswith(("http://", "https://")) else None,
    )


def watcher_of(entry: PorchlightEntry) -> RulesWatcher:
    """The rules of the entry's child."""
    return entry.runtime_data.rules_of(int(entry.options[CONF_CHILD]))


class TalkEntity(Entity):
    """Shows a part of the rules of the entry's child, as they arrive."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    # Whether the entity shows what is left of the daily limit.
    _time_left = False

    def __init__(self, entry: PorchlightEntry, key: str) -> None:
        self._watcher = watcher_of(entry)
        self._attr_translation_key = key
        self._attr_unique_id = f"{entry.entry_id}-{key}"
        self._attr_device_info = device_of(entry)

    async def async_added_to_hass(self) -> None:
        """Follows the rules."""
        await super().async_added_to_hass()
        # The listener is called in the watcher's thread.
        self.async_on_remove(self._watcher.follow(self.schedule_update_ha_state, time_left=self._time_left))

    @property
    def talk_status(self) -> TalkStatus:
        """The rules as last received."""
        return self._watcher.status()

    @property
    def available(self) -> bool:
        """Not while Porchlight can't be reached: a parent may have changed everything meanwhile."""
        return self.talk_status.answers
