"""What a child makes of a voice message: good ones of every kind, and what is none (RL-41, RL-42, SITE-17)."""

import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

import av
import pytest

from mokali.live.transcode import RATE
from mokali.live.voices import BYTES, No, Refused, Voices
from tests.boxes import Box, boxes
from tests.voices import FRAGMENTS, HEIGHT, TONE, ends, heard, lawful, made, mutated, pitch, strength

Make = Callable[[], bytes]

GOOD: Final[dict[str, tuple[Make, float]]] = {
    "webm as browsers write it, without a length": (lambda: made("webm", live=True), 1.0),
    "webm, stereo": (lambda: made("webm", layout="stereo"), 1.0),
    "ogg": (lambda: made("ogg"), 1.0),
    "mp4": (lambda: made("mp4", "aac"), 1.0),
    "mp4 in fragments, as Safari writes it": (lambda: made("mp4", "aac", live=True, movflags=FRAGMENTS), 1.0),
    "mp4, stereo, 44.1 kHz": (lambda: made("mp4", "aac", rate=44_100, layout="stereo"), 1.0),
    "mp4, 8 kHz": (lambda: made("mp4", "aac", rate=8_000), 1.0),
    "mp4 with Opus": (lambda: made("mp4", "libopus"), 1.0),
    "the shortest": (lambda: made(seconds=0.3), 0.3),
    "the longest": (lambda: made(seconds=30.4), 30.4),
    "a webm that claims ten hours": (lambda: _hours(made("webm")), 1.0),
}

BAD: Final[dict[str, tuple[Make, No]]] = {
    "nothing": (lambda: b"", No.BAD_VOICE),
    "a letter": (lambda: b"O", No.BAD_VOICE),
    "text": (lambda: "Günaydın, nasılsın?".encode() * 99, No.BAD_VOICE),
    "a page": (lambda: b"<!doctype html><title>x</title><script>alert(1)</script>", No.BAD_VOICE),
    "a picture": (lambda: _png(), No.BAD_VOICE),
    "wav": (lambda: made("wav", "pcm_s16le"), No.BAD_VOICE),
    "mp3": (lambda: made("mp3", "libmp3lame"), No.BAD_VOICE),
    "mp3 in mp4": (lambda: made("mp4", "libmp3lame"), No.BAD_VOICE),
    "flac in ogg": (lambda: made("ogg", "flac"), No.BAD_VOICE),
    "flac in mp4": (lambda: made("mp4", "flac"), No.BAD_VOICE),
    "plain samples in matroska": (lambda: made("matroska", "pcm_s16le"), No.BAD_VOICE),
    "plain samples in mov": (lambda: made("mov", "pcm_s16le"), No.BAD_VOICE),
    "an mp4 in ogg's first letters": (lambda: b"OggS" + made("mp4", "aac")[4:], No.BAD_VOICE),
    "a film": (lambda: made("webm", pictures=True), No.BAD_VOICE),
    "a film in mp4": (lambda: made("mp4", "aac", pictures=True), No.BAD_VOICE),
    "a silent film": (lambda: made("webm", sounds=0, pictures=True), No.BAD_VOICE),
    "a silent film in mp4": (lambda: made("mp4", sounds=0, pictures=True), No.BAD_VOICE),
    "two voices": (lambda: made("webm", sounds=2), No.BAD_VOICE),
    "two voices in mp4": (lambda: made("mp4", "aac", sounds=2), No.BAD_VOICE),
    "six channels": (lambda: made("webm", layout="5.1"), No.BAD_VOICE),
    "six channels in mp4": (lambda: made("mp4", "aac", layout="5.1"), No.BAD_VOICE),
    "31 seconds": (lambda: made(seconds=31), No.TOO_LONG),
    "31 seconds in mp4": (lambda: made("mp4", "aac", 31), No.TOO_LONG),
    "a tenth of a second": (lambda: made(seconds=0.1), No.TOO_SHORT),
    "an mp4 without an end": (lambda: made("mp4", "aac")[:-400], No.BAD_VOICE),
    "a webm's head alone": (lambda: made()[:300], No.BAD_VOICE),
    "a good start, then noise": (lambda: made()[:200] + Random(1).randbytes(9_000), No.BAD_VOICE),
    "a good start, then noise, in ogg": (lambda: made("ogg")[:150] + Random(1).randbytes(9_000), No.BAD_VOICE),
    "an mp4 that claims an hour for every piece": (lambda: _slow(made("mp4", "aac")), No.BAD_VOICE),
    "an mp4 that claims 1 GB of sound": (lambda: _vast(made("mp4", "aac")), No.BAD_VOICE),
    "an mp4 whose first piece claims 1 GB": (lambda: _fat(made("mp4", "aac")), No.BAD_VOICE),
    "a webm whose first block claims 1 GB": (lambda: _block(made("webm")), No.TOO_SHORT),
}


def _hours(webm: bytes) -> bytes:
    """Ten hours in its header."""
    head, mark, tail = webm.partition(b"\x44\x89\x88")
    assert mark
    return head + mark + struct.pack(">d", 36_000_000.0) + tail[8:]


def _edited(mp4: bytes, change: Callable[[bytes, bytes], bytes]) -> bytes:
    """With other leaves in its table of contents, which stands last."""
    top = boxes(mp4)
    assert top[-1].kind == b"moov"
    for kind in (b"stts", b"stsz", b"mdhd", b"mvhd", b"dref"):
        box = top[-1].one(kind)
        box.body = change(kind, box.body)
    return b"".join(box.written() for box in top)


def _slow(mp4: bytes) -> bytes:
    """Every piece lasts an hour."""

    def change(kind: bytes, body: bytes) -> bytes:
        if kind == b"stts":
            return _with(body, 12, 3_600 * 48_000)
        return _with(body, 16, 36_000_000) if kind in (b"mdhd", b"mvhd") else body

    return _edited(mp4, change)


def _fat(mp4: bytes) -> bytes:
    """The first piece has 1 GB."""
    return _edited(mp4, lambda kind, body: _with(body, 12, 1 << 30) if kind == b"stsz" else body)


def _with(body: bytes, at: int, number: int) -> bytes:
    return body[:at] + struct.pack(">I", number) + body[at + 4 :]


def _vast(mp4: bytes) -> bytes:
    """All its sound has 1 GB."""
    at = mp4.index(b"mdat")
    return mp4[: at - 4] + struct.pack(">I", 1 << 30) + mp4[at:]


def _block(webm: bytes) -> bytes:
    """The first block of sound has 1 GB."""
    cluster = webm.index(b"\x1f\x43\xb6\x75")
    at = webm.index(b"\xa3", cluster + 12)
    return webm[: at + 1] + b"\x08" + struct.pack(">I", 1 << 30) + webm[at + 3 :]


def _png() -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(72))) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def house() -> Iterator[Voices]:
    """One for all."""
    voices = Voices()
    yield voices
    voices.close()


def _refusal(house: Voices, data: bytes) -> No:
    with pytest.raises(Refused) as refused:
        house.convert(data)
    return refused.value.reason


@pytest.mark.parametrize("name", GOOD)
def test_rl_42_what_is_recorded_is_kept_as_one_form(house: Voices, name: str) -> None:
    make, seconds = GOOD[name]
    voice = house.convert(make())
    assert abs(voice.seconds - seconds) < 0.05
    lawful(voice)
    samples = heard(voice.audio)[2_000:-2_000]
    if samples:
        assert abs(pitch(samples, RATE) - TONE) < 0.02 * TONE, "it is what was said"
        assert 0.8 < strength(samples) / (0.71 * HEIGHT) < 1.25


@pytest.mark.parametrize("name", BAD)
def test_rl_42_what_is_none_is_refused_by_its_code(house: Voices, name: str) -> None:
    make, reason = BAD[name]
    assert _refusal(house, make()) == reason


def test_rl_42_a_message_has_300_kb_at_most(house: Voices) -> None:
    whole = made()
    assert _refusal(house, whole + bytes(BYTES + 1 - len(whole))) == No.TOO_LONG
    assert _refusal(house, whole + bytes(5_000_000)) == No.TOO_LONG
    assert len(made(seconds=29.5)) < BYTES


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A good recording that lies on the house's disk: whoever could name it could hear it."""
    path = tmp_path / "other.mp4"
    path.write_bytes(made("mp4", "aac"))
    return path


def _opens(trap: Path, kind: str, **options: str) -> bool:
    """Whether the library lets itself be led to the other file by this one, where one lets it."""
    with av.open(str(trap), "r", format=kind, options=options) as container:
        return sum(frame.samples for frame in container.decode(audio=0)) > 40_000


def _reference(path: bytes) -> bytes:
    """A data reference of the old Macintosh (QuickTime's alias record), which names a file by its whole path."""
    name = path.rpartition(b"/")[2]
    alias = bytes(10) + b"\x04Disk".ljust(28, b"\0") + bytes(12) + bytes([len(name)]) + name.ljust(63, b"\0")
    alias += bytes(16) + struct.pack(">HH", 1, 1) + bytes(16)
    told = b"Disk" + path
    alias += struct.pack(">HH", 2, len(told)) + told + b"\0" * (len(told) % 2) + struct.pack(">HH", 0xFFFF, 0)
    return Box(b"alis", bytes(4) + alias).written()


def test_rl_42_no_file_is_reached_by_what_a_message_names(house: Voices, other: Path) -> None:
    trap = other.with_name("trap")
    for kind, text in (
        ("concat", f"ffconcat version 1.0\nfile {other.name}\n"),
        ("concat", f"ffconcat version 1.0\nfile '{other}'\n"),
        ("hls", f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:1.0,\n{other}\n#EXT-X-ENDLIST\n"),
    ):
        trap.write_text(text)
        assert _opens(trap, kind, safe="0", allowed_extensions="ALL", extension_picky="0"), "the trap is a good one"
        assert _refusal(house, text.encode()) == No.BAD_VOICE

    [head, *_, contents] = [box for box in boxes(other.read_bytes()) if box.kind in (b"ftyp", b"moov")]
    contents.one(b"dref").body = bytes(4) + struct.pack(">I", 1) + _reference(str(other).encode())
    trap.write_bytes(head.written() + contents.written())
    assert _opens(trap, "mov", enable_drefs="1", use_absolute_path="1"), "the trap is a good one"
    assert _refusal(house, trap.read_bytes()) == No.BAD_VOICE


def test_rl_42_spoilt_recordings_end_in_a_good_one_or_a_code(caplog: pytest.LogCaptureFixture) -> None:
    rng = Random(42)
    whole = [made(), made("ogg"), made("mp4", "aac"), made("mp4", "aac", live=True, movflags=FRAGMENTS)]
    found = ends(mutated(rng.choice(whole), rng) for _ in range(200))
    assert found.count("done") > 20
    assert found.count(No.BAD_VOICE) > 20
    assert caplog.records == [], "no child has crashed"
