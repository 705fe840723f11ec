"""The house's side of voice: two at work, ten in line, and whatever a child does, it disturbs nobody (RL-41)."""

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import gevent
import pytest

from mokali import figures
from mokali.live import transcode
from mokali.live.voices import AT_WORK, BYTES, WAITING, No, Refused, Voice, Voices
from tests.voices import lawful, made

ROOT = Path(__file__).parents[2]
Playing = Callable[..., Voices]


def _open() -> list[str]:
    """What this process has open: a file of the memory shows its name."""
    folder = Path("/proc/self/fd")
    return sorted(os.readlink(entry) for entry in folder.iterdir() if entry.exists())


def _children() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


_PLAY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from mokali.live import transcode
transcode.serve(lambda: exec(sys.argv[2], globals()))
"""


@pytest.fixture
def playing() -> Iterator[Playing]:
    """Voices whose child runs other code; nothing may be left behind by them: no process, no open file."""
    opened, children = _open(), _children()
    made: list[Voices] = []

    def make(code: str | None = None, patience: float = 20.0) -> Voices:
        own = (sys.executable, "-I", "-S", "-c", _PLAY, str(ROOT), code or "")
        made.append(Voices(patience, () if code is None else own))
        return made[-1]

    yield make
    for voices in made:
        voices.close()
    assert _children() == children
    assert _open() == opened


@pytest.fixture(scope="module", autouse=True)
def _loop() -> None:
    """What gevent opens for good is open before anything is counted."""
    voices = Voices()
    voices.convert(made(seconds=0.4))
    voices.close()


def _runs(pid: int) -> bool:
    """Whether this process, nobody's child of ours, still does anything."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def _reason(voices: Voices, data: bytes = b"x") -> No:
    with pytest.raises(Refused) as refused:
        voices.convert(data)
    return refused.value.reason


def _limits(playing: Playing, code: str) -> str:
    """What a bound child says after this: its code must set ``said``."""
    head = "said = 'nothing'\n"
    tail = "\nsys.stdout.write('no ' + {'yes': 'too_short'}.get(said, 'too_long') + chr(10))"
    return _reason(playing(head + code + tail))


def test_rl_41_conversions_take_turns_and_others_play_on(playing: Playing) -> None:
    voices, data = playing(), made(seconds=3)
    ticks = 0

    def play() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            gevent.sleep(0.005)

    player = gevent.spawn(play)
    try:
        for voice in gevent.spawn(lambda: [voices.convert(data) for _ in range(2)]).get():
            lawful(voice)
    finally:
        player.kill()
    assert ticks > 5


def test_rl_41_two_at_work_ten_in_line_the_next_is_told(playing: Playing, tmp_path: Path) -> None:
    go, begun = tmp_path / "go", tmp_path / "begun"
    begun.mkdir()
    voices = playing(
        f"import time\nopen({str(begun)!r} + '/' + str(os.getpid()), 'w').close()\n"
        f"while not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
        "sys.stdout.write('no too_short\\n')"
    )
    running = [gevent.spawn(_reason, voices) for _ in range(AT_WORK + WAITING)]
    while len(list(begun.iterdir())) < AT_WORK:
        gevent.sleep(0.01)
    assert _reason(voices) == No.BUSY
    gevent.sleep(0.1)
    assert len(list(begun.iterdir())) == AT_WORK
    go.touch()
    assert {one.get() for one in running} == {No.TOO_SHORT}
    assert len(list(begun.iterdir())) == AT_WORK + WAITING
    assert _reason(voices) == No.TOO_SHORT, "there is room again"


def test_rl_41_a_child_that_hangs_is_killed(playing: Playing, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    note = tmp_path / "child"
    code = f"import time\nopen({str(note)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)"
    assert _reason(playing(code, patience=2)) == No.BAD_VOICE
    while _runs(int(note.read_text())):
        gevent.sleep(0.01)
    assert _told(caplog) == [-signal.SIGKILL]


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("os.kill(os.getpid(), 11)", -signal.SIGSEGV),
        ("raise MemoryError", 1),
        ("sys.stdout.write('no too_short' + chr(10)); sys.stdout.flush(); os.abort()", -signal.SIGABRT),
        ("", 0),
        ("sys.stdout.write('no reason' + chr(10))", 0),
        ("sys.stdout.write('no busy' + chr(10))", 0),
        ("sys.stdout.write('ok 2.000 4' + chr(10) + 'abc')", 0),
        ("sys.stdout.write('ok 2.000 2' + chr(10) + 'abc')", 0),
        ("sys.stdout.write('ok 99.000 3' + chr(10) + 'abc')", 0),
        ("sys.stdout.write('ok 0.100 3' + chr(10) + 'abc')", 0),
        ("sys.stdout.write('ok nan 3' + chr(10) + 'abc')", 0),
        ("sys.stdout.buffer.write(os.urandom(999))", 0),
        ("os.close(1)", 0),
    ],
)
def test_rl_41_a_child_that_dies_or_lies_is_a_bad_voice(
    playing: Playing, caplog: pytest.LogCaptureFixture, code: str, end: int
) -> None:
    assert _reason(playing(code)) == No.BAD_VOICE
    assert _told(caplog) == [end]


def test_rl_41_no_child_can_be_started(playing: Playing, caplog: pytest.LogCaptureFixture) -> None:
    assert _reason(Voices(command=("/nowhere/python",))) == No.BAD_VOICE
    [record] = caplog.records
    assert isinstance(record.msg, dict)
    assert (record.msg["event"], record.msg["kind"]) == ("fault", "FileNotFoundError")


def test_rl_41_a_starter_that_died_is_replaced(playing: Playing) -> None:
    voices, before = playing(), _children()
    voices.convert(made())
    [starter] = set(_children()) - set(before)
    os.kill(starter, signal.SIGKILL)
    gevent.sleep(0.1)
    lawful(voices.convert(made()))
    assert starter not in _children()


def test_rl_41_a_starter_ends_with_its_house(playing: Playing) -> None:
    voices, before = playing(), _children()
    voices.convert(made())
    [starter] = set(_children()) - set(before)
    voices._idle[0].line.close()
    while starter in _children():
        gevent.sleep(0.01)


def test_rl_41_who_gives_up_leaves_nothing_behind(playing: Playing) -> None:
    voices = playing("import time\ntime.sleep(60)")
    before = _children()
    impatient = [gevent.spawn(voices.convert, b"x") for _ in range(AT_WORK + 2)]
    while len(_children()) < len(before) + AT_WORK:
        gevent.sleep(0.01)
    gevent.killall(impatient, block=True, timeout=20)
    assert all(one.dead for one in impatient)
    assert _children() == before


def test_rl_41_a_place_that_was_given_up_is_free_again(playing: Playing, tmp_path: Path) -> None:
    voices = playing("import time\ntime.sleep(60)")
    for _ in range(2):
        many = [gevent.spawn(voices.convert, b"x") for _ in range(AT_WORK + WAITING)]
        gevent.sleep(0.05)
        assert _reason(voices) == No.BUSY
        gevent.killall(many, block=True, timeout=20)


def test_rl_41_the_child_holds_nothing_of_its_parent(playing: Playing) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()) as line:
        for each in (listener, line):
            each.set_inheritable(True)
        code = "said = 'yes' if sorted(os.listdir('/proc/self/fd')) == ['0', '1', '2', '3'] else 'no'"  # 3 lists them
        assert _limits(playing, code) == No.TOO_SHORT
        assert _limits(playing, "said = 'yes' if not os.environ.keys() - {'LC_CTYPE'} else 'no'") == No.TOO_SHORT


LIMITS = {
    "memory": """
try: bytearray(transcode.MEMORY)
except MemoryError: said = 'yes'
""",
    "file": """
file = os.memfd_create('x')
try:
    while True: os.write(file, bytes(99_999))
except OSError:
    said = 'yes' if os.fstat(file).st_size == transcode.FILE else 'no'
""",
    "files": """
files = [0, 1, 2]
try:
    while True: files.append(os.dup(0))
except OSError:
    said = 'yes' if len(files) == transcode.FILES else 'no'
""",
    "manners": """
said = 'yes' if os.nice(0) == transcode.NICE else 'no'
""",
    "for good": """
import resource as r
bound = [r.getrlimit(what) for what in (r.RLIMIT_CPU, r.RLIMIT_AS, r.RLIMIT_FSIZE, r.RLIMIT_NOFILE, r.RLIMIT_CORE)]
said = 'yes' if bound == [(n, n) for n in (3, 512 << 20, 1 << 20, 16, 0)] else 'no'
""",
}


@pytest.mark.parametrize("name", LIMITS)
def test_rl_41_the_limits_bite(playing: Playing, name: str) -> None:
    assert _limits(playing, LIMITS[name]) == No.TOO_SHORT


def test_rl_41_a_child_computes_for_so_long_and_no_longer(playing: Playing, caplog: pytest.LogCaptureFixture) -> None:
    code = "transcode.CPU, transcode.WALL = 1, 60\ntranscode.bind()\nwhile True: pass"
    assert transcode.CPU == 3
    assert _reason(playing(code)) == No.BAD_VOICE
    assert _told(caplog) == [-signal.SIGKILL]


def test_rl_41_a_child_ends_itself_when_nobody_is_left_to_do_it(
    playing: Playing, caplog: pytest.LogCaptureFixture
) -> None:
    code = "transcode.WALL = 1\ntranscode.bind()\nimport time\ntime.sleep(60)"
    assert _reason(playing(code)) == No.BAD_VOICE
    assert _told(caplog) == [-signal.SIGALRM]


def test_rl_55_conversions_are_counted_by_what_came_of_them(playing: Playing) -> None:
    before = dict(figures.conversions.by)
    voices = playing()
    assert isinstance(voices.convert(made()), Voice)
    for data in (b"", b"text", made(seconds=0.1), bytes(BYTES + 1)):
        _reason(voices, data)
    told = {key: count - before.get(key, 0) for key, count in figures.conversions.by.items()}
    assert {key: count for key, count in told.items() if count} == {
        ("done",): 1,
        ("bad_voice",): 2,
        ("too_short",): 1,
        ("too_long",): 1,
    }
    assert 'mokali_conversions_total{outcome="done"}' in figures.text(())


def _told(caplog: pytest.LogCaptureFixture) -> list[object]:
    """How the children ended that the journal speaks of, and that it says nothing else."""
    notes = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    assert all(note.keys() == {"event", "code"} and note["event"] == "conversion_failed" for note in notes)
    assert {record.levelno for record in caplog.records} <= {logging.WARNING}
    return [note["code"] for note in notes]
