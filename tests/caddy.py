"""Debian's Caddy with one of our files, on free ports of this machine, its authority and keys in a folder."""

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import pytest

from tests.web.server import PATIENCE, ROOT
from tests.web.wire import Answer

FILES: Final = {"Caddyfile": "okey.example.org", "Caddyfile.home": "mokali.lan"}
"""What is shipped, and the name that stands there for the operator's."""

needs_caddy: Final = pytest.mark.skipif(shutil.which("caddy") is None, reason="Debian's package caddy is not installed")


def run(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """One command of Caddy that ends by itself; whatever it keeps, it keeps in ``home``."""
    return subprocess.run(["caddy", *arguments], env=_environment(home), capture_output=True, text=True, cwd=home)


class Caddy:
    """One Caddy in front of the house at ``port``: the shipped file, moved to other ports and to its own authority."""

    def __init__(self, file: str, folder: Path, port: int, patience: str = "5s") -> None:
        self.name = FILES[file]
        self.http, self.https = _free_ports()
        self.base = f"https://{self.name}:{self.https}"
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.log_file = folder / "caddy.log"
        (folder / "Caddyfile").write_text(self._moved((ROOT / "deploy" / file).read_text("utf-8"), port, patience))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and come back once its certificate is there."""
        command = ["caddy", "run", "--config", str(self.folder / "Caddyfile"), "--adapter", "caddyfile"]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(command, env=_environment(self.folder), stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE
        while not self._ready():
            if self._process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"Caddy does not start:\n{self.log}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End it."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)

    @property
    def log(self) -> str:
        """Everything it has written so far."""
        return self.log_file.read_text(encoding="utf-8")

    @property
    def root(self) -> Path:
        """The certificate of its authority."""
        return self.folder / "caddy/pki/authorities/local/root.crt"

    def ask(self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask by name over HTTPS; the certificate must be right."""
        asked = HTTPConnection(self.name, self.https, timeout=PATIENCE)
        trusting = ssl.create_default_context(cafile=self.root)
        raw = socket.create_connection(("127.0.0.1", self.https), PATIENCE)
        asked.sock = trusting.wrap_socket(raw, server_hostname=self.name)
        return _answer(asked, path, body, headers)

    def ask_plainly(self, path: str, host: str = "127.0.0.1") -> Answer:
        """Ask over plain http, by this name."""
        return _answer(HTTPConnection("127.0.0.1", self.http, timeout=PATIENCE), path, None, {"Host": host})

    def _moved(self, text: str, port: int, patience: str) -> str:
        elsewhere = (
            f"{{\n\tadmin off\n\tlocal_certs\n\tdefault_bind 127.0.0.1\n\thttp_port {self.http}\n"
            f"\thttps_port {self.https}\n" + ("" if "skip_install_trust" in text else "\tskip_install_trust\n")
        )
        for old, new in (
            ("{\n", elsewhere),
            ("lb_try_duration 5s", f"lb_try_duration {patience}"),
        ):
            assert old in text
            text = text.replace(old, new, 1)
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
        return text.replace("/var/lib/caddy/.local/share", str(self.folder))

    def _ready(self) -> bool:
        try:
            self.ask("/healthz")
        except OSError:  # no authority yet, nobody listening yet, no certificate yet
            return False
        return True


def _answer(asked: HTTPConnection, path: str, body: bytes | None, headers: Mapping[str, str] | None) -> Answer:
    asked.request("GET" if body is None else "POST", path, body, headers or {})
    came = asked.getresponse()
    text = came.read().decode()
    asked.close()
    return Answer(came.status, {key.lower(): value for key, value in came.getheaders()}, (), text)


def _environment(home: Path) -> dict[str, str]:
    return os.environ | {"XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home), "HOME": str(home)}


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
