"""The home screen: what the manifest promises is there, and the service worker is told of nothing personal."""

import json
import re
import struct
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from mokali.games import BY_KEY
from mokali.web import app as web
from mokali.web import install
from mokali.web.house import House
from tests.web.near import dealt
from tests.web.seat import fresh

BASE = "https://mokali.test"
NAMED = '<link rel="manifest" href="/manifest.webmanifest">'


def _manifest(app: House) -> dict[str, Any]:
    answer = app.test_client().get("/manifest.webmanifest", base_url=BASE)
    assert answer.mimetype == "application/manifest+json"
    found: dict[str, Any] = json.loads(answer.text)
    return found


def _kept(text: str) -> dict[str, Any]:
    """What the worker's script is told to keep."""
    return {name: json.loads(value) for name, value in re.findall(r"^const ([A-Z]+) = (.*);$", text, re.MULTILINE)[:4]}


def _file(client: FlaskClient, address: str) -> tuple[int, str | None, bytes]:
    """A file's status, kind and bytes."""
    with client.get(address, base_url=BASE) as answer:
        return answer.status_code, answer.mimetype, answer.data


def _somebody(app: House) -> FlaskClient:
    client = app.test_client()
    client.post("/gir", data={"name": fresh()}, base_url=BASE, headers={"Origin": BASE})
    return client


def test_the_manifest_is_turkish_and_opens_the_lobby_as_an_app(app: House) -> None:
    manifest = _manifest(app)
    assert (manifest["lang"], manifest["name"], manifest["short_name"]) == ("tr", "Mokali", "Mokali")
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("/", "/", "/")
    assert (manifest["display"], manifest["orientation"]) == ("standalone", "any")
    page = app.test_client().get("/", base_url=BASE).text
    dark = re.search(r'media="\(prefers-color-scheme: dark\)" content="(#\w+)"', page)
    assert dark is not None
    assert dark[1] == manifest["theme_color"], "the bars are the same before and after the page has come"


def test_icons_are_as_large_as_they_say_and_one_may_be_cut(app: House) -> None:
    manifest, client = _manifest(app), app.test_client()
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    page = client.get("/", base_url=BASE).text
    touch = re.search(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
    assert touch is not None
    for address, size in [*((icon["src"], icon["sizes"]) for icon in manifest["icons"]), (touch[1], "180x180")]:
        status, kind, data = _file(client, address)
        assert (status, kind) == (200, "image/png"), address
        assert data.startswith(b"\x89PNG\r\n\x1a\n"), address
        assert "{}x{}".format(*struct.unpack(">2I", data[16:24])) == size, address


def test_every_page_but_a_table_in_play_names_the_manifest(app: House) -> None:
    client = _somebody(app)
    for path in ("/", "/ayarlar", "/profil", "/kurallar", "/masa-ac", "/baglanti-yok", "/nirgends"):
        assert NAMED in client.get(path, base_url=BASE).text, path
    table, _, tokens = dealt(BY_KEY["pisti"], Random(1), base=fresh())
    client.set_cookie("mokali", tokens[0], domain="mokali.test")
    page = client.get(f"/masa/{table.code}", base_url=BASE.replace("https", "http")).text
    assert 'data-stage="playing"' in page
    assert NAMED not in page, "there each byte counts"


def test_rl_16_the_worker_is_told_of_static_files_and_one_page(app: House) -> None:
    client = _somebody(app)
    text = client.get("/sw.js", base_url=BASE).text
    kept = _kept(text)
    assert kept.keys() == {"CACHE", "STATIC", "PAGE", "FILES"}
    assert kept["STATIC"] == f"{app.static_url_path}/"
    assert kept["PAGE"] == "/baglanti-yok"
    assert len(kept["FILES"]) >= 3
    for address in kept["FILES"]:
        assert address.startswith(kept["STATIC"]), address
        assert _file(client, address)[0] == 200, address
    code = text.split("\n", 4)[4]
    assert re.findall(r"""["'`](/[^"'`]*)""", re.sub(r"^//.*", "", code, flags=re.MULTILINE)) == [], "it names no other"


def test_the_worker_and_its_page_are_the_same_for_everybody(app: House) -> None:
    for path in ("/sw.js", "/manifest.webmanifest", "/baglanti-yok"):
        told = set()
        for client in (_somebody(app), _somebody(app), app.test_client()):
            answer = client.get(path, base_url=BASE)
            assert answer.status_code == 200
            assert "Set-Cookie" not in answer.headers, path
            told.add(answer.text)
        assert len(told) == 1, path


def test_the_page_needs_nothing_that_is_not_kept(app: House) -> None:
    """Without a line it must look and work as it should: its styles and scripts lie beside it."""
    client = app.test_client()
    kept = _kept(client.get("/sw.js", base_url=BASE).text)
    page = client.get("/baglanti-yok", base_url=BASE).text
    for address in re.findall(r'\bsrc="([^"]+)"|rel="stylesheet" href="([^"]+)"', page):
        assert "".join(address) in kept["FILES"]
    [script] = [_file(client, file)[2] for file in kept["FILES"] if file.endswith("offline.js")]
    assert not re.search(rb"\bimport\b", script), "what it imports would have to be kept, too"


def test_another_release_or_another_page_is_another_worker(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    def worker() -> str:
        return build().test_client().get("/sw.js", base_url=BASE).text

    first = worker()
    assert worker() == first
    with monkeypatch.context() as patch:
        patch.setattr(install, "_page", lambda app: "anders")
        other_page = worker()
    monkeypatch.setattr(web, "mark", lambda folder: "0" * 12)
    other_files = worker()
    assert len({_kept(text)["CACHE"] for text in (first, other_page, other_files)}) == 3
    assert _kept(other_files)["STATIC"] == "/static/000000000000/"


def test_who_has_the_newest_worker_gets_three_words(app: House) -> None:
    """Browsers ask at every page: 304 as long as nothing is new, compressed or not."""
    client = app.test_client()
    for path in ("/sw.js", "/manifest.webmanifest"):
        for encoding in ("identity", "gzip", "br"):
            headers = {"Accept-Encoding": encoding}
            first = client.get(path, base_url=BASE, headers=headers)
            again = client.get(path, base_url=BASE, headers=headers | {"If-None-Match": first.headers["ETag"]})
            assert (again.status_code, again.data) == (304, b""), (path, encoding)
            assert again.headers["Cache-Control"] == "no-cache"
