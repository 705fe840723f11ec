"""What real browsers record: a page of a tiny server listens to the fake microphone, and posts what it got."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Final
from urllib.parse import unquote

PATIENCE: Final = 60.0
"""Seconds; never waited out where the browser starts at all."""

FIREFOX: Final = {
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.firstRunURL": "",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "extensions.update.enabled": False,
    "extensions.systemAddon.update.enabled": False,
}
"""A fresh profile with a microphone, that asks nobody anything and calls nobody."""

PAGE: Final = """<!doctype html><meta charset="utf-8"><title>Recorder</title><script type="module">
const preferred = ["audio/mp4;codecs=mp4a.40.2", "audio/mp4", "audio/webm;codecs=opus"];
const others = ["audio/webm", "audio/ogg", "audio/ogg;codecs=opus", "audio/webm;codecs=pcm", "audio/mp4;codecs=opus",
                "audio/aac", "audio/mpeg", "audio/wav", "audio/flac"];
const supported = [...preferred, ...others].filter((type) => MediaRecorder.isTypeSupported(type));
const post = (name, body) => fetch("/" + encodeURIComponent(name), {method: "POST", body});
function record(stream, options) {
    return new Promise((done) => {
        const recorder = new MediaRecorder(stream, {audioBitsPerSecond: 24000, ...options});
        recorder.ondataavailable = (event) => done([recorder.mimeType, event.data]);
        recorder.start();
        setTimeout(() => recorder.stop(), 2000);
    });
}
try {
    const stream = await navigator.mediaDevices.getUserMedia({audio: {channelCount: 1}});
    const first = supported.find((type) => preferred.includes(type));
    const wishes = [first, ...supported.filter((type) => type !== first), ""];
    const made = await Promise.all(wishes.map((type) => record(stream, type ? {mimeType: type} : {})));
    for (const [place, [said, blob]] of made.entries()) {
        const name = place === 0 ? "preferred " + (wishes[0] ?? "") : wishes[place] || "unasked";
        await post(name + " -> " + said, blob);
    }
    await post("end", "");
} catch (error) {
    await post("failed: " + error, "");
}
</script>"""


class _Listener(BaseHTTPRequestHandler):
    """Gives the page, and takes what it posts."""

    posted: Queue[tuple[str, bytes]]

    def do_GET(self) -> None:
        """The page."""
        self._answer(PAGE.encode() if self.path == "/" else b"")

    def do_POST(self) -> None:
        """A recording."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.posted.put((unquote(self.path[1:]), body))
        self._answer(b"")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def recorded(visit: Callable[[str], object]) -> dict[str, bytes]:
    """What a browser records that ``visit`` sends to an address: ``type asked for -> type got`` and the bytes."""
    posted: Queue[tuple[str, bytes]] = Queue()
    listener = type("Listener", (_Listener,), {"posted": posted})
    with ThreadingHTTPServer(("127.0.0.1", 0), listener) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            visit(f"http://127.0.0.1:{server.server_port}/")
            found: dict[str, bytes] = {}
            for name, body in iter(lambda: posted.get(timeout=PATIENCE), ("end", b"")):
                assert not name.startswith("failed"), name
                found[name] = body
            return found
        finally:
            server.shutdown()


@contextmanager
def firefox(folder: Path) -> Iterator[Callable[[str], object]]:
    """Debian's or Mozilla's Firefox without a window, in a fresh profile; call it with an address."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    assert found is not None, "no Firefox here: make browser"
    profile = folder / "profile"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in FIREFOX.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    environ = {"HOME": str(folder), "PATH": os.defpath, "MOZ_CRASHREPORTER_DISABLE": "1"}
    running: list[subprocess.Popen[bytes]] = []

    def visit(address: str) -> None:
        command = [found, "--headless", "--no-remote", "--profile", str(profile), address]
        null = subprocess.DEVNULL
        running.append(subprocess.Popen(command, env=environ, stdin=null, stdout=null, stderr=null))

    try:
        yield visit
    finally:
        for process in running:
            process.terminate()
            process.wait(PATIENCE)
