"""Voice messages, each in a process of its own: read, checked, written anew as mp4 with AAC-LC (RL-41, RL-42).

Run by its path in an isolated interpreter, it imports nothing of the house. It stands by with the decoders loaded,
reads no message itself, and forks a child for each, which binds its own hands before it reads. The child's answer is a
line of ASCII, ``ok SECONDS BYTES`` and then so many bytes of mp4, or ``no REASON``. Anything else is a crash.
"""

import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from av import AudioFrame

BYTES: Final = 307_200
"""What a message may weigh (RL-40). Thirty seconds are 75 to 110 KB."""
SHORTEST, LONGEST = 0.3, 30.5
"""Seconds; half a second of them is for what encoders add (SITE-17)."""

CPU: Final = 3
"""Seconds of a processor."""
WALL: Final = 6
"""Seconds until it ends itself: the house, which has less patience, may be gone."""
MEMORY: Final = 512 * 1024 * 1024
FILE: Final = 1024 * 1024
FILES: Final = 16
NICE: Final = 10

END: Final = struct.Struct("h")
"""How a child ended: its exit code, or the negative of the signal."""

RATE: Final = 24_000
BIT_RATE: Final = 32_000
FRAME: Final = 1_024
"""Samples that an AAC encoder takes at once."""
CODECS: Final = ("aac", "opus")


class No(StrEnum):
    """Why a message is refused. ``busy`` is the house's word (``mokali.live.voices``)."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    BAD_VOICE = "bad_voice"
    BUSY = "busy"


class Refused(Exception):
    """No voice message: ``reason`` is a code."""

    def __init__(self, reason: No) -> None:
        super().__init__(reason)
        self.reason = reason


def bind() -> None:
    """Give up what a decoder led astray could use: descriptors, time, memory, disk. Nothing gives it back."""
    _close_all()
    signal.alarm(WALL)
    for what, most in (
        (resource.RLIMIT_CPU, CPU),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _close_all() -> None:
    """Keep the three standard ones alone. The system's list is short, however many it would allow."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            with suppress(OSError):  # the list's own
                os.close(int(name))


def converted(data: bytes) -> tuple[bytes, float]:
    """The message as mp4, and its seconds. Raises Refused."""
    if len(data) > BYTES:
        raise Refused(No.TOO_LONG)
    pieces, seconds = _read(data)
    return _written(pieces), seconds


def _kind(data: bytes) -> str:
    """The demuxer for it, by its first bytes alone: a library that guesses may be led to other files."""
    if data.startswith(b"\x1aE\xdf\xa3"):
        return "matroska"
    if data.startswith(b"OggS"):
        return "ogg"
    if data[4:8] == b"ftyp":
        return "mp4"
    raise Refused(No.BAD_VOICE)


def _read(data: bytes) -> tuple[list["AudioFrame"], float]:
    """What is heard, mono, cut for the encoder, and the seconds that were decoded. Opens no file whatever it reads."""
    import av

    kind, pieces, seconds = _kind(data), [], 0.0
    even = {"rematrix_maxval": "1"}  # both sides of a loud voice would be too loud in one
    resampler = av.AudioResampler("fltp", "mono", RATE, frame_size=FRAME, options=even)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, FILES))
    try:
        for frame in _frames(data, kind):
            seconds += frame.samples / frame.sample_rate
            if seconds > LONGEST:
                raise Refused(No.TOO_LONG)
            pieces += resampler.resample(frame)
        if not seconds:
            raise Refused(No.BAD_VOICE)
        if seconds < SHORTEST:
            raise Refused(No.TOO_SHORT)
        return pieces + resampler.resample(None), seconds
    except (av.FFmpegError, ValueError):
        raise Refused(No.BAD_VOICE) from None
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


def _frames(data: bytes, kind: str) -> Iterator["AudioFrame"]:
    """What is decoded of its one stream."""
    import av

    options = {"codec_whitelist": ",".join(CODECS)}
    with av.open(BytesIO(data), "r", format=kind, options=options, metadata_errors="replace") as container:
        if len(container.streams) != 1 or len(container.streams.audio) != 1:
            raise Refused(No.BAD_VOICE)
        [stream] = container.streams.audio
        if getattr(stream.codec_context, "name", "") not in CODECS:  # there is none for what it does not know
            raise Refused(No.BAD_VOICE)
        for frame in container.decode(stream):
            if frame.layout.nb_channels > 2:
                raise Refused(No.BAD_VOICE)
            frame.pts = None  # gaps in what headers say are no silence
            yield frame


def _written(pieces: list["AudioFrame"]) -> bytes:
    """An mp4 whose table of contents comes first. That takes a file with a name; this one lies in memory."""
    import av

    number = os.memfd_create("voice")
    name, options = f"/proc/self/fd/{number}", {"movflags": "+faststart", "fflags": "+bitexact"}
    with av.open(name, "w", format="mp4", options=options) as container:
        stream = container.add_stream("aac", rate=RATE, layout="mono", bit_rate=BIT_RATE)
        for place, piece in enumerate(pieces):
            piece.pts = place * FRAME
            container.mux(stream.encode(piece))
        container.mux(stream.encode(None))
    with open(number, "rb") as file:
        return file.read()


def answer() -> None:
    """A child's work: the message is standard input, the answer standard output."""
    try:
        audio, seconds = converted(sys.stdin.buffer.read(BYTES + 1))
        told = b"ok %.3f %d\n%b" % (seconds, len(audio), audio)
    except Refused as no:
        told = f"no {no.reason}\n".encode()
    sys.stdout.buffer.write(told)


def serve(work: Callable[[], None] = answer) -> None:
    """Fork a child for every pair of files that comes, message and answer, and tell how it ended, as ``END``.

    They come over standard input, a socket; at its end this ends. One at a time.
    """
    _close_all()
    os.nice(NICE)
    line = socket.socket(fileno=0)
    line.setblocking(True)
    while files := socket.recv_fds(line, 1, 2)[1]:
        child = os.fork()
        if not child:
            _work(work, files)
        for number in files:
            os.close(number)
        line.send(END.pack(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))


def _work(work: Callable[[], None], files: list[int]) -> NoReturn:
    """In the child, which never comes back; the line to the house is its standard input no more."""
    code = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        bind()
        work()
        sys.stdout.flush()
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    sys.path.append(sys.argv[1])  # the folder that holds the decoders' package
    import av.subtitles.stream  # all of it: a child that reads opens no file any more

    av.logging.set_level(None)
    serve()
