"""What the conversion of a voice message costs: the time one waits for it, and the child's own processor and memory."""

import math
import re
import subprocess
import time
from array import array
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
"""Refused as soon as the child has started and loaded what it needs."""
_RATE: Final = 48_000
_PEAK: Final = re.compile(r"VmHWM:\s+(\d+) kB")
_TELLING: Final = """
import runpy, sys
script = sys.argv.pop(1)
runpy.run_path(script, run_name="__main__")
sys.stderr.write(open("/proc/self/status").read())
"""


class Cost(Struct, frozen=True):
    """Medians of many conversions: seconds waited, seconds computed, and bytes that came out."""

    wall: float
    cpu: float
    size: int


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
                samples[place] = int(height * (math.sin(phase) + math.sin(5 * phase)) + rng.gauss(0, 200))
            frame = av.AudioFrame("s16", "mono", size)
            frame.sample_rate, frame.pts = _RATE, piece * size
            frame.planes[0].update(samples.tobytes())
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


def cost(data: bytes, seconds: float) -> Cost:
    """Convert it again and again for so long, one after another."""
    voices, size = Voices(), 0
    walls: list[float] = []
    cpus: list[float] = []
    until = time.perf_counter() + seconds
    while len(walls) < 3 or time.perf_counter() < until:
        began, before = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
        try:
            size = len(voices.convert(data).audio)
        except Refused:
            size = 0
        walls.append(time.perf_counter() - began)
        after = getrusage(RUSAGE_CHILDREN)
        cpus.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return Cost(median(walls), median(cpus), size)


def memory(data: bytes) -> int:
    """KB that a child holds at most. It tells itself: what the system says of it includes the process that begot it."""
    *interpreter, script, packages = Voices().command
    command = [*interpreter, "-c", _TELLING, script, packages]
    ran = subprocess.run(command, input=data, capture_output=True, check=True)
    found = _PEAK.search(ran.stderr.decode())
    assert found is not None
    return int(found[1])
