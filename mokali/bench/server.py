"""A house of one's own: gunicorn as a child process, on a free port, with its data in a folder."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 30.0
"""Seconds within which a house must answer, or be gone; never waited out where all is well."""

GENEROUS: Final[dict[str, object]] = {
    "max_people": 500,
    "max_sockets": 2_000,
    "max_tables": 500,
    "max_tables_per_hour": 500,
    "entries_per_minute": 100_000,
    "posts_per_minute": 100_000,
    "handshakes_per_minute": 100_000,
    "pleas_per_hour": 100_000,
    "messages_per_second": 100_000,
    "messages_in_reserve": 100_000,
    "bytes_per_second": 100_000_000,
    "bytes_in_reserve": 100_000_000,
    "bot_seconds": 0.0,
}
"""Ceilings and rates that no test meets by accident: all of them come from one address."""


class Server:
    """One house. ``settings`` are those of ``mokali.config``; ``app`` is what gunicorn serves."""

    def __init__(self, data: Path, app: str = "app:app", **settings: Any) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.data, self.app = data, app
        self.settings = GENEROUS | settings
        self.port = _free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.log_file = data / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and come back once it answers."""
        assert self._process is None, "it runs already"
        command = [
            sys.executable,
            "-m",
            "gunicorn",
            "-c",
            str(ROOT / "gunicorn.conf.py"),
            "--chdir",
            str(ROOT),
            self.app,
        ]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                command, env=self._environment(), stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        until = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise RuntimeError(f"the house does not open:\n{self.log}")
            time.sleep(0.02)

    def stop(self) -> float:
        """Send TERM and wait; the seconds until it was gone."""
        process = self._running()
        began = time.monotonic()
        process.terminate()
        process.wait(PATIENCE)
        self._process = None
        return time.monotonic() - began

    def kill(self) -> None:
        """End it and its worker at once, as a power cut would."""
        process = self._running()
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(process.pid, signal.SIGKILL)  # its own session: nobody else's processes are in it
        process.wait(PATIENCE)
        self._process = None

    @property
    def running(self) -> bool:
        """Whether it has been started and not been ended by us."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The process that was started; its workers are its children."""
        return self._running().pid

    @property
    def log(self) -> str:
        """Everything it has written so far."""
        return self.log_file.read_text(encoding="utf-8") if self.log_file.exists() else ""

    @property
    def faults(self) -> int:
        """How often something has gone wrong inside."""
        return sum(map(self.log.count, ('"level":"error"', "Traceback", "Assertion", "SIGABRT")))

    @property
    def database(self) -> Path:
        """Its SQLite file."""
        return self.data / "mokali.sqlite3"

    @property
    def workers(self) -> list[int]:
        """The processes that answer."""
        return _children(self.pid)

    def cpu(self) -> float:
        """Seconds that its workers have computed so far, for themselves and in the kernel, to the nanosecond."""
        return sum(time.clock_gettime(~pid << 3 | 2) for pid in self.workers)  # clock_getcpuclockid(3)

    def cpu_beside(self) -> float:
        """Seconds that processes of the workers have computed so far, those that these have waited for included."""
        ticks = 0
        for pid in [child for worker in self.workers for child in _children(worker)]:
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes that its workers hold resident."""
        pages = [Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1] for pid in self.workers]
        return sum(map(int, pages)) * os.sysconf("SC_PAGE_SIZE")

    def told(self, figure: str) -> float:
        """A figure of ``/metrics``, over all its labels."""
        with urlopen(f"{self.base}/metrics", timeout=PATIENCE) as answer:
            lines: list[str] = answer.read().decode().splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if re.match(rf"{figure}[ {{]", line))

    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "it does not run"
        return self._process

    def _environment(self) -> dict[str, str]:
        own = {"host": "127.0.0.1", "port": self.port, "data": self.data} | self.settings
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("MOKALI_", "GUNICORN_"))}
        return clean | {f"MOKALI_{name.upper()}": str(value) for name, value in own.items()}

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.base}/kurallar", timeout=PATIENCE):
                return True
        except HTTPError as error:
            error.close()
            raise RuntimeError(f"the house is ill:\n{self.log}") from error
        except (URLError, ConnectionError):
            return False


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number
