"""What the conversion of a voice message costs: the time one waits for it, and the child's own processor and memory."""

import math
import re
import subprocess
import time
from array import array
from contextlib import suppress
from io import BytesIO
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any, Final

import av
from msgspec import Struct

from mokali.live.voices import Refused, Voices

LONG: Final = 29.5
"""Seconds that a browser records at most (RL-39)."""
NOTHING: Final = b"nothing"
"""Refused as soon as it is read."""
_RATE: Final = 48_000
_HELD: Final = re.compile(r"(VmRSS|VmHWM):\s+(\d+) kB")
_TELLING: Final = """
import runpy, sys
sys.path.append(sys.argv[2])
import av.subtitles.stream
code = runpy.run_path(sys.argv[1])
for work in (lambda: None, lambda: (code["bind"](), code["answer"]())):
    work()
    sys.stderr.write(open("/proc/self/status").read())
"""


class Cost(Struct, frozen=True):
    """Seconds waited, seconds computed by others than the house, and bytes that came out."""

    wall: float
    cpu: float
    size: int


class Memory(Struct, frozen=True):
    """KB: of a process that stands by, and of a child at its peak."""

    standing: int
    peak: int


def recording(seconds: float, rng: Random) -> bytes:
    """A webm with Opus as browsers record it: tones that wander, swell and pause, with some noise, as speech does."""
    file = BytesIO()
    with av.open(file, "w", format="webm") as container:
        stream: Any = container.add_stream("libopus", rate=_RATE, layout="mono", bit_rate=24_000)
        phase, size = 0.0, 960
        for piece in range(int(seconds * _RATE) // size):
            now = piece * size / _RATE
            pitch, height = 140 + 60 * math.sin(2 * now), 9_000 * max(0.0, math.sin(5 * now))
            samples = array("h", bytes(2 * size))
            for place in range(size):
                phase += 2 * math.pi * pitch / _RATE
                samples[place] = int(height * (math.sin(phase) + math.sin(5 * phase)) + rng.randrange(-400, 401))
            frame = av.AudioFrame("s16", "mono", size)
            frame.sample_rate, frame.pts = _RATE, piece * size
            frame.planes[0].update(samples.tobytes())
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


def start() -> Cost:
    """The first message of a house, which is none: a process is started that loads the decoders."""
    before, began = _computed(), time.perf_counter()
    voices = Voices()
    with suppress(Refused):
        voices.convert(NOTHING)
    wall = time.perf_counter() - began
    voices.close()
    return Cost(wall, _computed() - before, 0)


def cost(data: bytes, seconds: float) -> tuple[Cost, Cost]:
    """Of a start, and of each conversion after it, one after another for so long; medians, of the processor means."""
    starts = [start() for _ in range(3)]
    first = Cost(median(one.wall for one in starts), median(one.cpu for one in starts), 0)
    before, voices = _computed(), Voices()
    size = len(voices.convert(data).audio)
    walls: list[float] = []
    until = time.perf_counter() + seconds
    while len(walls) < 3 or time.perf_counter() < until:
        began = time.perf_counter()
        voices.convert(data)
        walls.append(time.perf_counter() - began)
    voices.close()
    return first, Cost(median(walls), (_computed() - before - first.cpu) / (len(walls) + 1), size)


def memory(data: bytes) -> Memory:
    """They tell it themselves: what the system says at their end includes the process that begot them."""
    *interpreter, script, packages = Voices().command
    command = [*interpreter, "-c", _TELLING, script, packages]
    ran = subprocess.run(command, input=data, capture_output=True, check=True)
    held = [int(size) for _, size in _HELD.findall(ran.stderr.decode())]
    return Memory(standing=held[1], peak=held[2])  # the peak stands before the present, both before and after


def _computed() -> float:
    """Seconds of all children that have ended, and of theirs."""
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
