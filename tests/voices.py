"""Voice messages for tests: made, spoilt, and converted by the hundred."""

import math
from array import array
from collections.abc import Iterable
from io import BytesIO
from itertools import pairwise
from random import Random
from typing import Any, Final

import av

from mokali.live import voices
from mokali.live.transcode import FRAME, LONGEST, RATE, SHORTEST, Refused
from tests.boxes import LC, sound

TONE: Final = 440
"""What is heard in all that is made here, in Hz."""
HEIGHT: Final = 0.275
"""How loud: 1 is the loudest there is."""
FRAGMENTS: Final = "+frag_keyframe+empty_moov+default_base_moof"
"""How Safari writes an mp4 while it records."""


class Stream:
    """A file that is only ever written on, as browsers do."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes) -> int:
        """Add to it."""
        self.data += data
        return len(data)


def made(
    kind: str = "webm",
    codec: str = "libopus",
    seconds: float = 1.0,
    *,
    rate: int = 48_000,
    layout: str = "mono",
    sounds: int = 1,
    pictures: bool = False,
    live: bool = False,
    **options: str,
) -> bytes:
    """A recording of a tone; ``live`` without a length in its header."""
    file: Any = Stream() if live else BytesIO()
    with av.open(file, "w", format=kind, options=options) as container:
        wishes: dict[str, Any] = {"rate": rate, "layout": layout, "bit_rate": 24_000}
        streams: list[Any] = [container.add_stream(codec, **wishes) for _ in range(sounds)]
        if pictures:
            video: Any = container.add_stream("libvpx" if kind == "webm" else "mpeg4", rate=10)
            video.width = video.height = 64
            container.mux([packet for _ in range(10) for packet in video.encode(av.VideoFrame(64, 64, "yuv420p"))])
            container.mux(video.encode(None))
        for stream in streams:
            size = stream.codec_context.frame_size
            cutter = av.AudioResampler(stream.codec_context.format, layout, rate, frame_size=size or None)
            for piece in (*cutter.resample(_tone(seconds, rate, layout)), *cutter.resample(None)):
                container.mux(stream.encode(piece))
            container.mux(stream.encode(None))
    return bytes(file.data) if live else file.getvalue()


def _tone(seconds: float, rate: int, layout: str) -> av.AudioFrame:
    channels = av.AudioLayout(layout).nb_channels
    second = [round(32_767 * HEIGHT * math.sin(2 * math.pi * TONE * place / rate)) for place in range(rate)]
    one = array("h", second * math.ceil(seconds))[: round(seconds * rate)]
    every = array("h", bytes(2 * channels * len(one)))
    for channel in range(channels):
        every[channel::channels] = one
    frame = av.AudioFrame("s16", layout, len(one))
    frame.sample_rate, frame.pts = rate, 0
    frame.planes[0].update(every.tobytes())
    return frame


def lawful(voice: voices.Voice) -> None:
    """It has the one form and a length that may be."""
    told = sound(voice.audio)
    assert (told.object_type, told.rate, told.channels) == (LC, RATE, 1)
    assert SHORTEST <= voice.seconds <= LONGEST
    assert abs(told.seconds - voice.seconds) < 0.05
    assert 0 <= len(told.samples) * FRAME / RATE - voice.seconds < 4 * FRAME / RATE
    assert len(voice.audio) < 5_000 * voice.seconds + 2_000


def heard(mp4: bytes) -> "array[float]":
    """The samples of a file, decoded."""
    samples = array("f")
    with av.open(BytesIO(mp4), "r") as container:
        for frame in container.decode(audio=0):
            samples.frombytes(bytes(frame.planes[0])[: 4 * frame.samples])
    return samples


def pitch(samples: "array[float]", rate: int) -> float:
    """How often it swings in a second."""
    ups = sum(before < 0 <= after for before, after in pairwise(samples))
    return ups * rate / len(samples)


def strength(samples: "array[float]") -> float:
    """The root of the mean square: that of a steady tone is 0.71 of its height."""
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))


def mutated(data: bytes, rng: Random) -> bytes:
    """A recording with one thing wrong, or a few."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at, to = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
        spoilt = bytearray(data)
        match rng.randrange(6):
            case 0:
                for _ in range(rng.choice((1, 8, 100))):
                    spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
            case 1:  # in the header, where sizes and kinds are
                for _ in range(rng.choice((1, 2, 8))):
                    spoilt[rng.randrange(min(len(spoilt), 600))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
            case 2:
                del spoilt[max(at, 1) :]
            case 3:
                del spoilt[at : min(to, at + 500)]
            case 4:
                size = min(200, len(data) // 4, len(data) - to, to - at)
                spoilt[at : at + size], spoilt[to : to + size] = data[to : to + size], data[at : at + size]
            case _:
                spoilt[at:to] = rng.randbytes(to - at)
        data = bytes(spoilt)
    return data


def ends(messages: Iterable[bytes]) -> list[str]:
    """What becomes of each in a house: ``done`` with what is lawful, or the reason."""
    house = voices.Voices()
    try:
        return [_end(house, message) for message in messages]
    finally:
        house.close()


def _end(house: voices.Voices, message: bytes) -> str:
    try:
        lawful(house.convert(message))
    except Refused as no:
        return no.reason
    return "done"
