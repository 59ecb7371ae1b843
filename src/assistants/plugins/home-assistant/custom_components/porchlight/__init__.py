"""Porchlight for Home Assistant: parents see what a child and the voice assistant say, and the prompt contains their rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY, CONF_URL, EVENT_HOMEASSISTANT_STOP, MAJOR_VERSION, MINOR_VERSION, Platform, __version__
from homeassistant.core import Event, HomeAssistant
from homeassistant.exceptions import ConfigEntryError
from porchlight_shared.conversation import FIRST_RULES, Porchlight
from porchlight_shared.http_client import Settings

DOMAIN = "porchlight"

CONF_CHILD, CONF_AGENT, CONF_WITHOUT_RULES = "child", "agent", "without_rules"
CONF_LEAVE_OUT, CONF_SATELLITES = "leave_out_commands", "satellites"

# The child id of a satellite that no child speaks to.
NOBODY = "0"

OLDEST = (2026, 2)

PLATFORMS = [Platform.BINARY_SENSOR, Platform.CONVERSATION, Platform.SENSOR]

PorchlightEntry = ConfigEntry[Porchlight]


def settings_of(hass: HomeAssistant, data: dict[str, Any]) -> Settings:
    """The settings from the form."""
    without: Literal["talk", "silent"] = "talk" if data.get(CONF_WITHOUT_RULES, "talk") == "talk" else "silent"
    return Settings(
        url=data[CONF_URL],
        key=data[CONF_API_KEY],
        child=int(data.get(CONF_CHILD, 0)) or None,
        without_rules=without,
        folder=Path(hass.config.path(".storage", "porchlight")),
        url_at="the address in Porchlight's settings",
        key_at="Porchlight's form in Home Assistant",
        child_at="the chosen child",
    )


async def async_setup_entry(hass: HomeAssistant, entry: PorchlightEntry) -> bool:
    """Opens the queue, and fetches the rules before the first conversation."""
    if (MAJOR_VERSION, MINOR_VERSION) < OLDEST:
        raise ConfigEntryError(f"Porchlight needs Home Assistant {OLDEST[0]}.{OLDEST[1]} or later, and this is {__version__}.")
    settings = settings_of(hass, {**entry.data, **entry.options})

    def ask_for_key() -> None:
        hass.loop.call_soon_threadsafe(entry.async_start_reauth, hass)

    def connect() -> Porchlight:
        porchlight = Porchlight(settings, key_refused=ask_for_key)
        porchlight.rules_of(int(entry.options[CONF_CHILD])).wait_for_first(FIRST_RULES)
        return porchlight

    async def stop(_: Event) -> None:
        # Entries are not unloaded when Home Assistant stops.
        await hass.async_add_executor_job(entry.runtime_data.close)

    entry.runtime_data = await hass.async_add_executor_job(connect)
    # Not async_listen_once: its listener is gone once it was called, and removing it again at unload is logged as an error.
    entry.async_on_unload(hass.bus.async_listen(EVENT_HOMEASSISTANT_STOP, stop))
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: PorchlightEntry) -> bool:
    """Ends the threads. Undelivered messages stay on the disk."""
    unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if unloaded:
        await hass.async_add_executor_job(entry.runtime_data.close)
    return unloaded
