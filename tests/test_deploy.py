"""What lies in deploy/: both Caddyfiles in front of something that tells what it was asked, and the unit (RL-53)."""

import json
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest

from tests import caddy
from tests.caddy import FILES, Caddy, needs_caddy
from tests.web.server import ROOT

VOICE: Final = 307_200
FORGED: Final = {"X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}


class Mirror(BaseHTTPRequestHandler):
    """Stands where the house does, and answers with the headers that it got and how long the body was."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """What was asked."""
        length = len(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        headers = {name.lower(): value for name, value in self.headers.items()}
        text = json.dumps({"path": self.path, "length": length, "headers": headers}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self) -> None:
        """The same."""
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def _mirror(port: int = 0) -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", port), Mirror) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


@contextmanager
def _running(file: str, folder: Path, port: int, patience: str = "5s") -> Iterator[Caddy]:
    running = Caddy(file, folder, port, patience)
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module", params=FILES)
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caddy]:
    """Each of our files in front of the mirror."""
    with _mirror() as port, _running(request.param, tmp_path_factory.mktemp("caddy"), port) as running:
        yield running


# --- Caddy ---


@needs_caddy
@pytest.mark.parametrize("file", FILES)
def test_rl_53_caddy_takes_the_file_as_it_is_shipped(file: str, tmp_path: Path) -> None:
    path = ROOT / "deploy" / file
    checked = caddy.run("validate", "--config", str(path), "--adapter", "caddyfile", home=tmp_path)
    assert checked.returncode == 0, checked.stderr
    assert "not formatted" not in checked.stderr
    config = json.loads(caddy.run("adapt", "--config", str(path), "--adapter", "caddyfile", home=tmp_path).stdout)
    servers = config["apps"]["http"]["servers"].values()
    assert {port for server in servers for port in server["listen"]} <= {":443", ":80"}
    assert not any("logs" in server for server in servers)
    assert '"encode"' not in json.dumps(config)


@needs_caddy
def test_rl_53_the_house_learns_who_asks_for_what_and_believes_nobody_else(front: Caddy) -> None:
    told = json.loads(front.ask("/m/ABC234?x=1", headers=FORGED).text)
    assert told["path"] == "/m/ABC234?x=1"
    assert told["headers"]["host"] == f"{front.name}:{front.https}"
    assert told["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert told["headers"]["x-forwarded-proto"] == "https"
    assert "evil" not in json.dumps(told)


@needs_caddy
@pytest.mark.parametrize("path", ["/healthz", "/metrics", "//metrics", "/METRICS", "/%6detrics", "/x/../healthz"])
def test_rl_53_the_machines_own_pages_are_not_passed_on(front: Caddy, path: str) -> None:
    answer = front.ask(path)
    assert (answer.status, answer.text) == (404, "")


@needs_caddy
def test_rl_53_a_voice_message_fits_and_not_much_more(front: Caddy) -> None:
    fits = front.ask("/x", b"x" * VOICE)
    assert json.loads(fits.text)["length"] == VOICE
    assert front.ask("/x", b"x" * 2 * VOICE).status >= 400


@needs_caddy
def test_rl_53_pages_wait_for_a_restart_and_forms_are_never_sent_twice(tmp_path: Path) -> None:
    port = _nobodys()
    with _running("Caddyfile", tmp_path, port) as front:
        assert front.ask("/x", b"x").status == 502
        answers: list[int] = []
        asking = threading.Thread(target=lambda: answers.append(front.ask("/x").status))
        asking.start()
        time.sleep(0.4)
        with _mirror(port):
            asking.join()
    assert answers == [200]


@needs_caddy
@pytest.mark.parametrize("file", FILES)
def test_rl_53_nobody_is_written_down_not_even_while_the_house_is_away(file: str, tmp_path: Path) -> None:
    with _running(file, tmp_path, _nobodys(), "50ms") as front:
        before = front.log
        answer = front.ask("/m/SECRET", headers={"User-Agent": "Telltale"})
    assert answer.status == 502
    assert "started" in before
    assert not re.search("SECRET|Telltale|remote_ip|remote_addr", front.log)


@needs_caddy
def test_rl_53_at_home_plain_http_has_the_certificate_and_the_house_by_its_address(tmp_path: Path) -> None:
    with _mirror() as port, _running("Caddyfile.home", tmp_path, port) as front:
        certificate = front.ask_plainly("/mokali.crt", front.name)
        assert certificate.text == front.root.read_text()
        assert certificate.headers["content-type"] == "application/x-x509-ca-cert"
        by_name = front.ask_plainly("/m/ABC234?x=1", front.name)
        assert (by_name.status, by_name.headers["location"]) == (302, f"https://{front.name}/m/ABC234?x=1")
        told = json.loads(front.ask_plainly("/root.key").text)
        assert (told["path"], told["headers"]["x-forwarded-proto"]) == ("/root.key", "http")
        assert front.ask_plainly("/metrics").status == 404


# --- the unit ---


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_rl_53_systemd_takes_the_unit_and_calls_it_safe(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    started = tmp_path / "bin/mokali"
    started.touch(0o755)
    unit = tmp_path / "mokali.service"
    text = (ROOT / "deploy/mokali.service").read_text("utf-8")
    unit.write_text(text.replace("/opt/mokali/.venv", str(tmp_path)).replace("/opt/mokali", str(tmp_path)))
    for command in ("verify", "--man=no", str(unit)), ("security", "--offline=true", "--threshold=20", str(unit)):
        checked = subprocess.run(["systemd-analyze", *command], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        if command[0] == "verify":
            assert str(unit) not in checked.stderr


def _nobodys() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number
