"""Home Assistant: conversations in its real assist pipeline, with a scripted agent and the real server."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("homeassistant", reason="Home Assistant is not installed here.")
pytest.register_assert_rewrite("family_home")

from conftest import A_LONG_OUTAGE, Server, kill_once_written, soon, warnings_of  # noqa: E402
from family_home import AGENT, OWN_PROMPT  # noqa: E402

pytest_plugins = ("family_home",)


async def test_the_rules_are_in_every_prompt_and_all_is_delivered_once_although_the_server_dies(home: Any, server: Server) -> None:
    server.block("dragons")
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())

    assert await family.say(pipeline, "one") == "Ahoy: one"
    assert await family.say(pipeline, "two") == "Ahoy: two"
    server.block("sharks")
    watcher = family.entries[0].runtime_data.rules_of(1)
    await soon(lambda: "sharks" in watcher.now().instructions, "the new rules")
    await family.say(pipeline, "three")
    server.stop(kill=True)
    await family.say(pipeline, "four")
    server.start()
    await family.say(pipeline, "five")

    assert all("dragons" in prompt for prompt in family.agent.prompts[:2])
    assert all("sharks" in prompt and "dragons" not in prompt for prompt in family.agent.prompts[2:])
    assert all(OWN_PROMPT in prompt for prompt in family.agent.prompts)
    expected = [text for word in ("one", "two", "three", "four", "five") for text in (word, f"Ahoy: {word}")]
    await soon(lambda: server.texts() == expected, "what was said")
    assert server.receipts() == [("in_prompt", None), ("in_prompt", None)]


async def test_two_children_in_one_conversation_have_their_own_transcripts(home: Any, server: Server) -> None:
    family = await home(server.url)
    key = server.key("robot", 1, 2)
    mia, ben = await family.connect(server.url, key, 1), await family.connect(server.url, key, 2)

    for pipeline, word in ((mia, "Mia 1"), (ben, "Ben 1"), (mia, "Mia 2"), (ben, "Ben 2")):
        await family.say(pipeline, word)

    await soon(lambda: server.texts(1) == ["Mia 1", "Ahoy: Mia 1", "Mia 2", "Ahoy: Mia 2"], "Mia's words")
    await soon(lambda: server.texts(2) == ["Ben 1", "Ahoy: Ben 1", "Ben 2", "Ahoy: Ben 2"], "Ben's words")


async def test_two_assistants_at_one_satellite_share_no_history(home: Any, server: Server) -> None:
    server.block("dragons")
    family = await home(server.url)
    mia, parents = await family.connect(server.url, server.key()), await family.pipeline_of(AGENT)

    for pipeline, word in ((parents, "a present"), (mia, "ships"), (parents, "a cake"), (mia, "the sea")):
        assert await family.say(pipeline, word, "at one satellite") == f"Ahoy: {word}"

    assert family.agent.histories == [
        ["a present"],
        ["ships"],
        ["a present", "Ahoy: a present", "a cake"],
        ["ships", "Ahoy: ships", "the sea"],
    ]
    assert ["dragons" in prompt for prompt in family.agent.prompts] == [False, True, False, True]
    await soon(lambda: server.texts() == ["ships", "Ahoy: ships", "the sea", "Ahoy: the sea"], "Mia's words")


async def test_the_answer_reaches_the_voice_while_it_arrives(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())

    for word in ("ships", "the sea"):
        await family.say(pipeline, word)

        assert family.streamed == ["Ahoy: ", word]


async def test_what_home_assistant_answers_itself_is_kept_once_for_the_child_whose_pipeline_it_is(home: Any, server: Server) -> None:
    family = await home(server.url)
    key = server.key("robot", 1, 2)
    mia = await family.connect(server.url, key, 1, leave_out=False)
    ben = await family.connect(server.url, key, 2, leave_out=False)
    await family.answers_itself("open sesame", "It is open")

    await family.say(mia, "tell me of ships")
    assert await family.say(ben, "open sesame") == "It is open"
    assert await family.say(mia, "tell me of the sea") == "Ahoy: tell me of the sea"

    await soon(lambda: server.texts(2) == ["open sesame", "It is open"], "Ben's words")
    await soon(
        lambda: server.texts(1) == ["tell me of ships", "Ahoy: tell me of ships", "tell me of the sea", "Ahoy: tell me of the sea"],
        "Mia's words",
    )


async def test_home_commands_are_left_out_unless_the_user_wants_them(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    await family.answers_itself("lights off", "Done")

    assert await family.say(pipeline, "lights off") == "Done"
    await family.say(pipeline, "tell me of ships")

    await soon(lambda: server.texts() == ["tell me of ships", "Ahoy: tell me of ships"], "the words")


async def test_the_model_knows_what_home_assistant_answered_itself(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    await family.answers_itself("lights off", "Done")

    for text in ("lights off", "and on again", "thanks"):
        await family.say(pipeline, text)

    assert family.agent.histories[0] == ["lights off", "Done", "and on again"]
    assert family.agent.histories[1] == ["lights off", "Done", "and on again", "Ahoy: and on again", "thanks"]


async def test_home_commands_that_a_model_carries_out_are_left_out_and_nothing_else(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    family.agent.tools = {"dim it": "HassLightSet", "dim all": "assist__HassLightSet", "what day is it": "GetDateTime"}

    for text in ("dim it", "tell me of ships", "dim all", "what day is it"):
        assert await family.say(pipeline, text) == f"Ahoy: {text}"
    family.agent.fails_at = "tell me of storms"
    await family.say(pipeline, "tell me of storms")

    kept = ["tell me of ships", "Ahoy: tell me of ships", "what day is it", "Ahoy: what day is it", "tell me of storms"]
    await soon(lambda: server.texts()[: len(kept)] == kept, "the words")


async def test_home_commands_that_a_model_carries_out_are_kept_if_the_user_wants_them(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key(), leave_out=False)
    family.agent.tools = {"dim it": "HassLightSet"}

    await family.say(pipeline, "dim it")

    await soon(lambda: server.texts() == ["dim it", "Ahoy: dim it"], "the words")


async def test_each_satellite_has_its_child_or_nobody(home: Any, server: Server) -> None:
    server.block("dragons", child=2)
    family = await home(server.url)
    bedroom, kitchen = family.add_satellite("Bedroom"), family.add_satellite("Kitchen")
    pipeline = await family.connect(server.url, server.key("robot", 1, 2), 1, Bedroom="2", Kitchen="0")
    porchlight = family.entries[0].runtime_data
    await soon(lambda: all(porchlight.rules_of(child).now().version for child in (0, 1, 2)), "the rules")

    await family.say(pipeline, "typed", "app")
    await family.say(pipeline, "said in bed", "bed", bedroom)
    await family.say(pipeline, "said at dinner", "table", kitchen)

    await soon(lambda: server.texts(1) == ["typed", "Ahoy: typed"], "Mia's words")
    await soon(lambda: server.texts(2) == ["said in bed", "Ahoy: said in bed"], "Ben's words")
    assert ["dragons" in prompt for prompt in family.agent.prompts] == [False, True, True]


async def test_the_words_with_which_home_assistant_begins_are_kept(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    family.begin("Did you brush your teeth?", "opened")

    await family.say(pipeline, "yes", "opened")

    assert family.agent.histories == [["Did you brush your teeth?", "yes"]]
    await soon(lambda: server.texts() == ["Did you brush your teeth?", "yes", "Ahoy: yes"], "the words")


async def test_the_words_with_which_home_assistant_begins_belong_to_whom_they_were_said(home: Any, server: Server) -> None:
    family = await home(server.url)
    mia, parents = await family.connect(server.url, server.key()), await family.pipeline_of(AGENT)
    family.begin("Is the cake hidden?", "opened")

    await family.say(parents, "yes", "opened")
    await family.say(mia, "tell me of ships", "opened")

    assert family.agent.histories == [["Is the cake hidden?", "yes"], ["tell me of ships"]]
    await soon(lambda: server.texts() == ["tell me of ships", "Ahoy: tell me of ships"], "the words")


async def test_when_talking_is_not_allowed_the_agent_is_not_asked(home: Any, server: Server) -> None:
    server.pause()
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())

    goodbye = await family.say(pipeline, "tell me of ships")

    assert goodbye == family.entries[0].runtime_data.rules_of(1).now().goodbye
    assert family.agent.prompts == []
    await soon(lambda: server.texts() == ["tell me of ships", goodbye], "the goodbye")


async def test_an_agent_that_drops_the_rules_is_not_reported_as_following_them(home: Any, server: Server) -> None:
    family = await home(server.url, drops=True)
    pipeline = await family.connect(server.url, server.key())

    await family.say(pipeline, "tell me of ships")

    await soon(lambda: server.receipts() == [("fetched", "the wrapped agent's prompt does not hold the rules")], "the receipt")


async def test_without_the_server_the_talk_goes_on_and_one_line_says_so(
    home: Any, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    caplog.clear()
    server.stop(kill=True)

    for number in range(5):
        await family.say(pipeline, f"secret {number}")

    await soon(lambda: warnings_of(caplog), "the line")
    assert ["cannot be reached" in line for line in warnings_of(caplog)] == [True]
    assert not any(record.exc_info for record in caplog.records if record.levelno >= logging.WARNING)


async def test_words_that_failed_while_the_server_was_away_are_delivered_once_although_the_model_gets_them_again(
    home: Any, server: Server
) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    family.agent.tools, family.agent.fails_at = {"how warm is it": "GetDateTime"}, "how warm is it"

    await family.say(pipeline, "one")
    server.stop(kill=True)
    failed = await family.say(pipeline, "how warm is it")
    await family.say(pipeline, "two")
    server.start()
    await family.say(pipeline, "three")

    assert family.agent.histories[-1].count("how warm is it") == 1
    said = ["one", "Ahoy: one", "how warm is it", failed, "two", "Ahoy: two", "three", "Ahoy: three"]
    await soon(lambda: server.texts() == said, "what was said")


async def test_a_thousand_messages_survive_a_kill_of_home_assistants_process(home: Any, server: Server, tmp_path: Path) -> None:
    family = await home(server.url)
    key = server.key()
    server.stop()
    folder = tmp_path / "config/.storage/porchlight"
    kill_once_written(
        f"""
        import pathlib, sys, time
        sys.path.insert(0, {str(Path(__file__).parents[2] / "src/assistants/plugins")!r})
        from porchlight_shared.conversation import Porchlight
        from porchlight_shared.http_client import Settings
        porchlight = Porchlight(Settings(url={server.url!r}, key={key!r}, child=1, folder=pathlib.Path({str(folder)!r})))
        talk = porchlight.conversation("outage", 1, wait=0.0)
        for number, text in enumerate({A_LONG_OUTAGE!r}):
            talk.heard(str(number), bool(number % 2), text)
        while porchlight.queue.count() < 1000:
            time.sleep(0.05)
        print("written", flush=True)
        time.sleep(60)
        """
    )
    server.start()
    await family.connect(server.url, key)

    await soon(lambda: server.texts() == A_LONG_OUTAGE, "what was said")
