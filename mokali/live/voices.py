"""The house's side of voice messages: each is converted by a process of its own, two at a time (RL-41).

To start a process stops the loop until the system has found it a processor: for milliseconds, while two are computing.
So starters stand by, small processes that fork the children; the house starts one when it has none. Message and answer
lie in files in memory, of which only the descriptors travel. For greenlets of the main thread only.
"""

import logging
import os
import re
import signal
import sys
from array import array
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import gevent
from gevent import socket
from gevent.lock import BoundedSemaphore
from gevent.os import posix_spawn, waitpid
from msgspec import Struct

from mokali import figures, journal
from mokali.live import transcode
from mokali.live.transcode import BYTES, LONGEST, SHORTEST, No, Refused

__all__ = ["BYTES", "No", "Refused", "Voice", "Voices"]

AT_WORK: Final = 2
"""So many are converted at once."""
WAITING: Final = 10
"""So many wait for that; the next one is told that the house is busy."""
PATIENCE: Final = 5.0
"""Seconds until a child is killed."""

_GOOD: Final = re.compile(rb"ok (\d{1,2}\.\d{3}) (\d{1,7})\n")
_BAD: Final = re.compile(rb"no (too_short|too_long|bad_voice)\n")


class Voice(Struct, frozen=True):
    """A message as it is kept: mp4 with AAC-LC, mono."""

    audio: bytes
    seconds: float


class Voices:
    """One worker's converter."""

    def __init__(self, patience: float = PATIENCE, command: tuple[str, ...] = ()) -> None:
        self.patience = patience
        self.command = command or _command()
        self._inside = 0
        self._places = BoundedSemaphore(AT_WORK)
        self._idle: list[_Starter] = []

    def close(self) -> None:
        """Let the starters go; they go by themselves when the house does."""
        while self._idle:
            self._idle.pop().end()

    def convert(self, data: bytes) -> Voice:
        """Convert a message, and wait for it. Raises Refused; whatever goes wrong with it is ``bad_voice``."""
        try:
            voice = self._in_turn(data)
        except Refused as no:
            figures.conversions.up(no.reason)
            raise
        figures.conversions.up("done")
        return voice

    def _in_turn(self, data: bytes) -> Voice:
        if len(data) > BYTES:
            raise Refused(No.TOO_LONG)
        if self._inside >= AT_WORK + WAITING:
            raise Refused(No.BUSY)
        self._inside += 1
        try:
            with self._places:
                return self._by_child(data)
        finally:
            self._inside -= 1

    def _by_child(self, data: bytes) -> Voice:
        try:
            return self._through_files(data)
        except OSError as error:  # the system gives no more processes, files or memory
            journal.fault(error, action="voice")
            raise Refused(No.BAD_VOICE) from None

    def _through_files(self, data: bytes) -> Voice:
        message, answer = os.memfd_create("message"), os.memfd_create("answer")
        try:
            os.write(message, data)
            os.lseek(message, 0, os.SEEK_SET)
            code = self._run(message, answer)
            return understood(os.pread(answer, transcode.FILE, 0), code)
        finally:
            os.close(message)
            os.close(answer)

    def _run(self, message: int, answer: int) -> int:
        """How the child ended: its exit code, or the negative of the signal. It is gone then, whatever happens here."""
        starter = self._starter()
        try:
            with gevent.Timeout(self.patience, False):  # type: ignore[arg-type]  # False is silence
                code = starter.run(message, answer)
                self._idle.append(starter)
                return code
        except OSError:  # it is no more
            return starter.end()
        except BaseException:
            starter.end()
            raise
        return starter.end()

    def _starter(self) -> "_Starter":
        while self._idle:
            starter = self._idle.pop()
            if starter.lives():
                return starter
            starter.line.close()
        return _Starter(self.command)


class _Starter:
    """A process that forks the children, one at a time, all in a group of their own."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        silence = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
        lines = [(os.POSIX_SPAWN_DUP2, theirs.fileno(), 0), *silence]
        try:
            self.pid = posix_spawn(command[0], command, {}, file_actions=lines, setpgroup=0)
        except OSError:
            self.line.close()
            raise
        finally:
            theirs.close()

    def run(self, message: int, answer: int) -> int:
        """Have a child work on these files. Raises OSError where the starter has died."""
        self.line.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", (message, answer)))])
        told = self.line.recv(transcode.END.size)
        if not told:
            raise ConnectionResetError
        code: int = transcode.END.unpack(told)[0]
        return code

    def lives(self) -> bool:
        """Whether it can be asked."""
        return waitpid(self.pid, os.WNOHANG) == (0, 0)

    def end(self) -> int:
        """Kill it and its child, wait for the little that this takes, and tell how it ended."""
        self.line.close()
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            return os.waitstatus_to_exitcode(waitpid(self.pid, 0)[1])
        return -signal.SIGKILL


def _command() -> tuple[str, ...]:
    """An interpreter that takes nothing from its surroundings but the folder in which this one finds the decoders.

    By its path, so that it is the script beside this file, in a checkout as well as installed.
    """
    found = find_spec("av")
    assert found is not None
    assert found.origin is not None
    return sys.executable, "-I", "-S", transcode.__file__, str(Path(found.origin).parents[1])


def understood(answer: bytes, code: int) -> Voice:
    """What a child says that ended with ``code``; it may have been led astray by what it read. Raises Refused."""
    if code == 0 and (good := _GOOD.match(answer)):
        voice = Voice(answer[good.end() :], float(good[1]))
        if len(voice.audio) == int(good[2]) and SHORTEST <= voice.seconds <= LONGEST:
            return voice
    if code == 0 and (bad := _BAD.fullmatch(answer)):
        raise Refused(No(bad[1].decode()))
    journal.note("conversion_failed", logging.WARNING, code=code)
    raise Refused(No.BAD_VOICE)
