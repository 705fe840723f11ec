"""What happened, one JSON line an event: numbers and words of the house alone, nobody's name, card or address (RL-54).

A line knows: time, level, event, table, seat, action, code, ms, error; a fault also its kind and where it was raised.
"""

import logging
import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import TimedRotatingFileHandler
from pathlib import Path
from secrets import token_hex
from traceback import walk_tb
from typing import Final

from mokali.engine import codec

FILE: Final = "mokali.jsonl"
NOISE: Final = 600
"""Lines a minute about what strangers can bring about at will; the rest is counted, and fills no disk."""

_log: Final = logging.getLogger("mokali")


def open_at(folder: Path, days: int) -> None:
    """Write into a file of this folder, a new one every day (UTC), kept ``days`` days; warnings to standard error too.

    What other libraries log goes there as well: which one and where, never their words, which may hold addresses.
    """
    close()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = _Daily(folder / FILE, when="midnight", utc=True, backupCount=days - 1, encoding="utf-8")
    aloud = _Aloud()
    for handler in (file, aloud):
        handler.setFormatter(Lines())
        logging.getLogger().addHandler(handler)
    _log.setLevel(logging.INFO)


def close() -> None:
    """Write nowhere any more."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, _Daily | _Aloud)]:
        root.removeHandler(handler)
        handler.close()
    _log.setLevel(logging.NOTSET)


def note(event: str, level: int = logging.INFO, /, **facts: object) -> None:
    """Write down that this happened. Facts that are None are left out."""
    if _log.isEnabledFor(level):  # a record of our own making: none of the library's looking up who calls
        _log.handle(logging.LogRecord(_log.name, level, "", 0, {"event": event, **facts}, (), None))


def noise(event: str, **facts: object) -> None:
    """As ``note``, for what anybody may do as often as he likes: so many lines a minute, then only their number."""
    minute = int(time.monotonic()) // 60
    if _noise.minute != minute:
        if _noise.lines > NOISE:
            note("noise", logging.WARNING, code=_noise.lines - NOISE)
        _noise.minute, _noise.lines = minute, 0
    _noise.lines += 1
    if _noise.lines <= NOISE:
        note(event, **facts)


def fault(error: BaseException, **facts: object) -> str:
    """Write down a bug: its kind and where it was raised, never its words, which may hold a hand. Its number."""
    number = token_hex(4)
    note("fault", logging.ERROR, **{"error": number, **_raised(error), **facts})
    return number


class Lines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        facts: Mapping[str, object] = record.msg if isinstance(record.msg, dict) else _foreign(record)
        told = {key: value for key, value in facts.items() if value is not None}
        moment = datetime.fromtimestamp(record.created, UTC)
        return codec.encode({"time": moment, "level": record.levelname.lower(), **told})


class _Noise:
    """How much noise there was in this minute."""

    minute = -1
    lines = 0


_noise = _Noise()


class _Silent(logging.Handler):
    """A full disk loses lines, and stops no game; the library would print the trace of it, words and all."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Say nothing."""


class _Daily(_Silent, TimedRotatingFileHandler):
    """For its owner only. Two workers may turn the page at once: neither throws away what the other has written."""

    def rotation_filename(self, default_name: str) -> str:
        return f"{default_name}.{os.getpid()}" if os.path.exists(default_name) else default_name

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600))


class _Aloud(_Silent):
    """Warnings and worse on standard error."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line."""
        try:
            print(self.format(record), file=sys.stderr, flush=True)
        except (OSError, ValueError):
            self.handleError(record)


def _foreign(record: logging.LogRecord) -> dict[str, object]:
    error = record.exc_info[1] if record.exc_info else None
    place = f"{_short(record.pathname)}:{record.lineno}"
    return {"event": "library", "code": record.name, "place": place, **({} if error is None else _raised(error))}


def _raised(error: BaseException) -> dict[str, object]:
    cause = error.__cause__ or error.__context__
    return {
        "kind": type(error).__name__,
        "cause": None if cause is None else type(cause).__name__,
        "frames": [
            f"{_short(frame.f_code.co_filename)}:{line}:{frame.f_code.co_name}"
            for frame, line in walk_tb(error.__traceback__)
        ],
    }


def _short(file: str) -> str:
    """The last three parts of a path."""
    return "/".join(Path(file).parts[-3:])
