"""The boxes of an mp4 (ISO/IEC 14496-12), read, changed and written without the library that is under test."""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

BRANCHES: Final = {b"moov", b"trak", b"mdia", b"minf", b"dinf", b"stbl", b"edts"}
"""Boxes that hold nothing but boxes."""
LC: Final = 2
"""The audio object type of AAC-LC."""
PRIMING: Final = 1_024
"""Samples that its encoder needs before the first."""
RATES: Final = (96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350)


class Box:
    """One box: ``body`` where it is a leaf, else ``parts``."""

    def __init__(self, kind: bytes, content: bytes) -> None:
        self.kind = kind
        self.parts = boxes(content) if kind in BRANCHES else []
        self.body = b"" if self.parts else content

    def all(self, kind: bytes) -> Iterator["Box"]:
        """Those of this kind, at whatever depth."""
        for part in self.parts:
            if part.kind == kind:
                yield part
            yield from part.all(kind)

    def one(self, kind: bytes) -> "Box":
        """The only one of this kind."""
        [found] = self.all(kind)
        return found

    def written(self) -> bytes:
        """As it stands in a file."""
        content = b"".join(part.written() for part in self.parts) or self.body
        return struct.pack(">I4s", 8 + len(content), self.kind) + content


def boxes(content: bytes) -> list[Box]:
    """All that stand side by side here, to the last byte."""
    found, at = [], 0
    while at < len(content):
        size, kind = struct.unpack_from(">I4s", content, at)
        assert 8 <= size <= len(content) - at, (kind, size)
        found.append(Box(kind, content[at + 8 : at + size]))
        at += size
    return found


class Sound(NamedTuple):
    """What the only track of a file says of itself."""

    object_type: int
    rate: int
    channels: int
    seconds: float
    """For which it is played."""
    samples: list[bytes]
    """The encoded pieces, as the tables of the track find them in the file."""


def sound(data: bytes) -> Sound:
    """Read a file in which the table of contents stands before the only track, which is sound."""
    top = boxes(data)
    kinds = [box.kind for box in top]
    assert kinds[0] == b"ftyp"
    assert kinds.index(b"moov") < kinds.index(b"mdat")
    assert kinds.count(b"moov") == kinds.count(b"mdat") == 1
    moov = top[kinds.index(b"moov")]
    track = moov.one(b"trak")
    assert track.one(b"hdlr").body[8:12] == b"soun"
    [scale] = struct.unpack_from(">I", moov.one(b"mvhd").body, 12)
    edits, long, start = struct.unpack_from(">IIi", track.one(b"elst").body, 4)
    assert (edits, start) == (1, PRIMING), "a player leaves out what the encoder put in front"
    count, _, kind = struct.unpack_from(">II4s", track.one(b"stsd").body, 4)
    assert (count, kind) == (1, b"mp4a")
    [esds] = [box for box in boxes(track.one(b"stsd").body[16 + 28 :]) if box.kind == b"esds"]
    config = int.from_bytes(_config(esds.body)[:2], "big")  # 5 bits, 4 bits, 4 bits
    pieces = list(_pieces(data, track))
    assert sum(map(len, pieces)) == len(top[kinds.index(b"mdat")].body), "nothing else lies in there"
    return Sound(config >> 11, RATES[config >> 7 & 15], config >> 3 & 15, long / scale, pieces)


def _config(esds: bytes) -> bytes:
    """The AudioSpecificConfig: in the decoder's part of the elementary stream's description."""
    stream = _described(esds[4:], 3)
    assert stream[2] == 0, "no options"
    decoder = _described(stream[3:], 4)
    assert decoder[0] == 0x40, "MPEG-4 audio"
    return _described(decoder[13:], 5)


def _described(content: bytes, tag: int) -> bytes:
    assert content[0] == tag
    size, at, more = 0, 1, True
    while more:
        size, more, at = size << 7 | content[at] & 127, content[at] >= 128, at + 1
    return content[at : at + size]


def _pieces(data: bytes, track: Box) -> Iterator[bytes]:
    same, count = struct.unpack_from(">II", track.one(b"stsz").body, 4)
    sizes = [same] * count if same else list(struct.unpack_from(f">{count}I", track.one(b"stsz").body, 12))
    runs = list(struct.iter_unpack(">III", track.one(b"stsc").body[8:]))
    starts = [start for (start,) in struct.iter_unpack(">I", track.one(b"stco").body[8:])]
    for number, at in enumerate(starts, 1):
        inside = next(each for first, each, _ in reversed(runs) if first <= number)
        for size in sizes[:inside]:
            yield data[at : at + size]
            at += size
        sizes = sizes[inside:]
    assert not sizes
