"""How many minutes are left of the child's daily limit."""

from __future__ import annotations

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorStateClass
from homeassistant.const import UnitOfTime
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import PorchlightEntry
from .entity import TalkEntity, watcher_of

# Nothing is polled.
PARALLEL_UPDATES = 0


async def async_setup_entry(hass: HomeAssistant, entry: PorchlightEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Adds the sensor once the child has a daily limit."""
    watcher, waiting = watcher_of(entry), [MinutesLeft(entry, "minutes_left")]

    @callback
    def add_when_limited() -> None:
        if waiting and watcher.status().seconds_left is not None:
            add([waiting.pop()])

    def changed() -> None:
        # In the watcher's thread.
        hass.loop.call_soon_threadsafe(add_when_limited)

    entry.async_on_unload(watcher.follow(changed))
    entry.async_on_unload(waiting.clear)
    add_when_limited()


class MinutesLeft(TalkEntity, SensorEntity):
    """The minutes that are left today."""

    _attr_device_class = SensorDeviceClass.DURATION
    _attr_native_unit_of_measurement = UnitOfTime.MINUTES
    _attr_state_class = SensorStateClass.MEASUREMENT
    _attr_suggested_display_precision = 0
    _time_left = True

    @property
    def available(self) -> bool:
        """Also not while the child has no daily limit."""
        return super().available and self.talk_status.seconds_left is not None

    @property
    def native_value(self) -> int | None:
        """Rounded up, so that none are left exactly when the time is used up."""
        seconds = self.talk_status.seconds_left
        return None if seconds is None else -(-seconds // 60)
