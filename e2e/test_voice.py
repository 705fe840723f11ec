"""Voice messages of real browsers, and what becomes of them when they are spoilt on the way (RL-39, RL-42)."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserType

from e2e.recordings import firefox, recorded
from mokali.live.voices import No, Refused, Voices
from tests.voices import ends, heard, lawful, mutated, strength

Recordings = dict[str, bytes]
"""By the type that was asked for and the one that the browser names: ``audio/webm -> audio/webm;codecs=opus``."""


@pytest.fixture(scope="session")
def of_firefox(tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """What Firefox records."""
    with firefox(tmp_path_factory.mktemp("firefox")) as visit:
        return recorded(visit)


@pytest.fixture(scope="session")
def of_chromium(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Recordings:
    """What Chromium records."""
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    launch = browser_type_launch_args | {"args": [*browser_type_launch_args["args"], *fake]}
    with browser_type.launch(**launch) as browser:
        return recorded(browser.new_page().goto)


@pytest.fixture(scope="session")
def recordings(of_firefox: Recordings, of_chromium: Recordings) -> list[bytes]:
    """All that are a voice message, each once."""
    every = {**of_firefox, **{f"{name} ": data for name, data in of_chromium.items()}}
    return list(dict.fromkeys(data for name, data in every.items() if "pcm" not in name))


@pytest.fixture
def voices() -> Iterator[Voices]:
    """A house's converter."""
    converter = Voices()
    yield converter
    converter.close()


@pytest.mark.parametrize("browser", ["of_firefox", "of_chromium"])
def test_rl_39_rl_42_what_browsers_record_becomes_the_one_form(
    browser: str, voices: Voices, request: pytest.FixtureRequest
) -> None:
    made: Recordings = request.getfixturevalue(browser)
    assert any(name.startswith("preferred audio/") for name in made)
    assert any(name.startswith("unasked") for name in made)
    for name, data in made.items():
        if "pcm" in name:
            with pytest.raises(Refused):
                voices.convert(data)
            continue
        voice = voices.convert(data)
        lawful(voice)
        assert 0.5 < voice.seconds < 4, f"{name}: two seconds, as a busy machine counts them"
        assert strength(heard(voice.audio)) > 0.01, f"{name}: nothing is heard"


def test_rl_39_browsers_write_every_container_that_is_taken(recordings: list[bytes]) -> None:
    heads = {data[:4] if data[4:8] != b"ftyp" else b"ftyp" for data in recordings}
    assert heads == {b"\x1aE\xdf\xa3", b"OggS", b"ftyp"}


def test_rl_42_spoilt_recordings_of_browsers_end_in_a_good_one_or_a_code(
    recordings: list[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    rng = Random(39)
    found = ends(mutated(rng.choice(recordings), rng) for _ in range(500))
    assert found.count("done") > 50
    assert found.count(No.BAD_VOICE) > 50
    assert caplog.records == [], "no child has crashed"
