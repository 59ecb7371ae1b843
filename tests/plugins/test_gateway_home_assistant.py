"""Home Assistant's own integrations through the gateway, set up in their forms, with the real server and a scripted model server."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import soon
from gateway_server import ANSWERS, QUESTIONS, THREE_TURNS, Gateway
from upstream import MODEL, Answer

pytest.importorskip("homeassistant.components.llama_cpp", reason="A Home Assistant with these integrations is not installed here.")

import httpx  # noqa: E402
from homeassistant.components import conversation  # noqa: E402
from homeassistant.config_entries import SOURCE_USER, ConfigEntry, ConfigEntryState  # noqa: E402
from homeassistant.const import __short_version__, __version__  # noqa: E402
from homeassistant.core import Context, HomeAssistant  # noqa: E402
from homeassistant.helpers import entity_registry  # noqa: E402
from homeassistant.setup import async_setup_component  # noqa: E402

# llama.cpp's form tries a model twice, first whole, then streamed. Nobody said that.
TRIALS = (
    ("child", "What is the capital of France?", "background"),
    ("assistant", "Paris.", "generated", "background"),
    ("child", "What is the capital of France?", "background"),
    ("assistant", "Paris.", "generated", "background"),
)


@pytest.fixture(autouse=True)
def sockets(socket_enabled: None) -> None:
    """Allows connections to the real server on this machine."""


class Home:
    """A family's Home Assistant with an agent whose model is behind the gateway."""

    def __init__(self, hass: HomeAssistant, gateway: Gateway) -> None:
        self.hass, self.gateway = hass, gateway
        self.address = f"{gateway.server.url}/gateway"
        self.entries: list[ConfigEntry] = []

    async def form(self, domain: str, **values: str) -> Any:
        """Fills in an integration's first form."""
        flows = self.hass.config_entries.flow
        begun = await flows.async_init(domain, context={"source": SOURCE_USER})
        return await flows.async_configure(begun["flow_id"], values)

    async def created(self, done: Any) -> ConfigEntry:
        assert done["type"] == "create_entry", done
        await self.hass.async_block_till_done()
        entry: ConfigEntry = done["result"]
        self.entries.append(entry)
        assert entry.state is ConfigEntryState.LOADED
        return entry

    async def add_agent(self, entry: ConfigEntry, **values: Any) -> None:
        """Fills in the form of an agent, and leaves the rest as it is."""
        flows = self.hass.config_entries.subentries
        shown = await flows.async_init((entry.entry_id, "conversation"), context={"source": SOURCE_USER})
        assert shown["type"] == "form", shown
        done = await flows.async_configure(shown["flow_id"], shown["data_schema"](values))
        assert done["type"] == "create_entry", done
        await self.hass.async_block_till_done()

    async def ollama(self) -> None:
        entry = await self.created(await self.form("ollama", url=self.address, api_key=self.gateway.key("ollama")))
        await self.add_agent(entry, name="Helper", model=MODEL, llm_hass_api=["assist"])

    async def llama_cpp(self) -> None:
        self.gateway.upstream.says("Paris.", "Paris.")
        shown = await self.form("llama_cpp", base_url=f"{self.address}/v1", api_key=self.gateway.key("openai"))
        assert shown["step_id"] == "model", shown
        entry = await self.created(await self.hass.config_entries.flow.async_configure(shown["flow_id"], {"chat_model": MODEL}))
        assert entry.data["streaming"]

    async def litellm(self) -> None:
        entry = await self.created(await self.form("litellm", url=self.address, api_key=self.gateway.key("openai")))
        await self.add_agent(entry, model=MODEL)

    async def say(self, text: str, conversation_id: str = "talk") -> str:
        """One turn with the agent that the forms have made."""
        [agent] = entity_registry.async_entries_for_config_entry(entity_registry.async_get(self.hass), self.entries[-1].entry_id)
        result = await conversation.async_converse(self.hass, text, conversation_id, Context(), agent_id=agent.entity_id)
        return str(result.response.speech["plain"]["speech"])

    async def shows(self, *expected: tuple[str, ...]) -> None:
        await asyncio.to_thread(self.gateway.shows, *expected)


@pytest.fixture
async def home(hass: HomeAssistant, gateway: Gateway) -> AsyncIterator[Home]:
    for part in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, part, {})
    family = Home(hass, gateway)
    yield family
    for entry in family.entries:
        assert await hass.config_entries.async_unload(entry.entry_id)


INTEGRATIONS = [Home.ollama, Home.llama_cpp, Home.litellm]
BEFORE = {Home.llama_cpp: TRIALS}


@pytest.mark.parametrize("set_up", INTEGRATIONS)
async def test_a_conversation_in_turns(home: Home, set_up: Callable[[Home], Any]) -> None:
    await set_up(home)
    home.gateway.upstream.says(*ANSWERS)

    answers = [await home.say(question) for question in QUESTIONS]

    assert answers == list(ANSWERS)
    await home.shows(*BEFORE.get(set_up, ()), *THREE_TURNS)


@pytest.mark.parametrize("set_up", INTEGRATIONS)
async def test_a_tool_of_home_assistants_is_called(home: Home, set_up: Callable[[Home], Any]) -> None:
    await set_up(home)
    home.gateway.upstream.says(Answer(tool="GetDateTime"), "It is Saturday.", "You're welcome.")

    answers = [await home.say("What day is it?"), await home.say("Thanks!")]

    assert answers == ["It is Saturday.", "You're welcome."]
    await home.shows(
        *BEFORE.get(set_up, ()),
        ("child", "What day is it?"),
        ("assistant", "[tool: GetDateTime]"),
        ("assistant", "It is Saturday."),
        ("child", "Thanks!"),
        ("assistant", "You're welcome.", "generated"),
    )


@pytest.mark.parametrize("set_up", INTEGRATIONS)
async def test_words_said_while_the_server_was_away_are_kept_with_the_next_request(home: Home, set_up: Callable[[Home], Any]) -> None:
    await set_up(home)
    home.gateway.upstream.says(ANSWERS[0], ANSWERS[2])

    await home.say(QUESTIONS[0])
    await asyncio.to_thread(home.gateway.server.stop)
    # Within one task, such as a script's, Home Assistant keeps words in its history that got no answer.
    with contextlib.suppress(OSError, httpx.HTTPError):
        await home.say(QUESTIONS[1])
    await asyncio.to_thread(home.gateway.server.start)
    await home.say(QUESTIONS[2])

    read = [message["content"] for message in home.gateway.upstream.requests[-1]["messages"] if message["role"] == "user"]
    assert read == list(QUESTIONS)

    def kept() -> list[str]:
        return [text for source, text, *_ in home.gateway.transcript() if source == "child" and text in QUESTIONS]

    await soon(lambda: kept() == list(QUESTIONS), "what the model read")


@pytest.mark.parametrize("set_up", [Home.ollama, Home.litellm])
async def test_while_talking_is_paused_the_answer_is_a_goodbye(home: Home, set_up: Callable[[Home], Any]) -> None:
    await set_up(home)
    await asyncio.to_thread(home.gateway.server.pause)

    goodbye = await home.say("Hello!")

    await soon(lambda: home.gateway.transcript() == [("child", "Hello!"), ("assistant", goodbye, "generated")], "the goodbye")
    assert goodbye and home.gateway.upstream.requests == []


@pytest.mark.parametrize(("domain", "field", "path"), [("ollama", "url", ""), ("llama_cpp", "base_url", "/v1"), ("litellm", "url", "/v1")])
async def test_the_form_says_that_the_key_is_wrong(home: Home, domain: str, field: str, path: str) -> None:
    shown = await home.form(domain, **{field: home.address + path, "api_key": "ast_wrong"})

    assert shown["errors"] == {"base": "invalid_auth"}


def test_the_documents_name_the_version_that_is_installed() -> None:
    documents = Path(__file__).parents[2] / "docs"

    gateway = re.findall(r"Home Assistant ([0-9.]+[0-9])", (documents / "gateway.md").read_text())
    apps = re.findall(r"such as (\d{4}\.\d+)", (documents / "apps.md").read_text())

    assert (gateway, apps) == ([__version__], [__short_version__])
