"""Requests: where they come from, what answers carry, how much and how often (RL-14 to RL-16, RL-18, RL-19)."""

import gzip
import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import brotli
import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from mokali.games import BY_KEY
from mokali.live import door
from mokali.live.watch import Watch
from mokali.store import people, tables
from mokali.store.people import Door
from mokali.tables.table import Ask, Chair, Leave, Opening, Ready
from mokali.tables.terms import Terms
from mokali.web.house import House
from mokali.web.rates import KEPT, Bucket, Rate
from tests.web.seat import fresh, open_table
from tests.web.server import Server
from tests.web.wire import Rejected, Visitor

BASE = "http://mokali.test"
ROOMY = Door(most=8, linger=60_000)
SAFE = "https://mokali.test"

FOREIGN = {
    "missing": None,
    "null": "null",
    "empty": "",
    "foreign": "http://example.org",
    "other port": "http://mokali.test:81",
    "other scheme": "https://mokali.test",
    "sister": "http://sub.mokali.test",
    "longer": "http://mokali.test.example.org",
    "with a path": "http://mokali.test/",
    "no scheme": "mokali.test",
    "two": "http://mokali.test, http://example.org",
}


# --- origins (RL-14) ---


@pytest.mark.parametrize("origin", FOREIGN.values(), ids=FOREIGN.keys())
def test_rl_14_a_post_from_elsewhere_does_nothing(app: House, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    for rule in _posts(app):
        answer = app.test_client().post(_address(rule, "ABC234"), data={"name": "Ayşe"}, base_url=BASE, headers=headers)
        assert answer.status_code == 403, rule
        assert "Set-Cookie" not in answer.headers


def test_rl_14_a_post_from_our_own_page_is_taken(app: House) -> None:
    for base in (BASE, SAFE, "http://10.0.0.7:8000", "http://[::1]:8000"):
        name = f"Kişi {len(base)}"
        assert (
            app.test_client().post("/gir", data={"name": name}, base_url=base, headers={"Origin": base}).status_code
            == 303
        )


def test_rl_14_a_configured_origin_counts_alone(build: Callable[..., House]) -> None:
    client = build(origin="https://okey.example.org").test_client()
    for origin, status in ((BASE, 403), ("https://okey.example.org", 303)):
        answer = client.post("/gir", data={"name": "Ayşe"}, base_url=BASE, headers={"Origin": origin})
        assert answer.status_code == status


def test_rl_14_handshakes_from_elsewhere_are_refused(house: Server) -> None:
    visitor = Visitor(house.base, fresh())
    code = open_table(visitor)
    wrong = (None, "null", "http://example.org", house.base[:-1], f"{house.base}1", house.base.replace("http", "https"))
    for address in ("/ws/lobi", f"/ws/masa/{code}"):
        for origin in wrong:
            with pytest.raises(Rejected) as refused:
                visitor.wire(address, origin=origin)
            assert refused.value.status == 403
        visitor.wire(address).receive()


# --- headers (RL-15, RL-16) ---

ASKED_EACH_TIME = {f"{method} {path}" for method in ("GET", "HEAD") for path in ("/manifest.webmanifest", "/sw.js")}
"""What browsers may keep, and ask for again each time: the same for everybody."""
PLACES = {
    "key": "pisti",
    "filename": "css/mokali.css",
    "name": "x" * 22,
    "sheets": "mokali-cards",
    "modules": "pisti",
    "person": "1",
}


def _posts(app: House) -> Iterator[Rule]:
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()):
            yield rule


def _address(rule: Rule, code: str) -> str:
    """An address of this rule; whoever adds a place to an address says here what stands in it."""
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: (PLACES | {"code": code})[found[1]], rule.rule)


def _answers(app: House, base: str) -> Iterator[tuple[str, TestResponse]]:
    """Everything that a browser can be answered: every address, as a stranger and as somebody, and every fault."""
    headers = {"Origin": base}
    person = app.test_client()
    person.post("/gir", data={"name": "Ayşe"}, base_url=base, headers=headers)
    opened = person.post("/masa-ac", data={"game": "pisti", "seats": 2}, base_url=base, headers=headers)
    code = opened.headers["Location"].rpartition("/")[2]
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.endpoint == "sign_out"):
        for client in (app.test_client(), person):
            for method in ("GET", "POST", "HEAD", "OPTIONS", "DELETE"):
                answer = client.open(_address(rule, code), method=method, base_url=base, headers=headers)
                yield f"{method} {rule.rule}", answer
                answer.close()
    yield "404", person.get("/nirgends", base_url=base)
    yield "413", person.post("/gir", data={"name": "x" * 20_000}, base_url=base, headers=headers)
    yield "403", person.post("/gir", data={"name": "x"}, base_url=base)


@pytest.mark.parametrize("base", [BASE, SAFE])
def test_rl_15_rl_16_every_answer_carries_the_headers(app: House, base: str) -> None:
    wire = base.replace("http", "ws")
    for what, answer in _answers(app, base):
        headers = answer.headers
        assert headers["Content-Security-Policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; "
            f"connect-src 'self' {wire}; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
            "frame-ancestors 'none'"
        ), what
        assert headers["X-Content-Type-Options"] == "nosniff", what
        assert headers["Referrer-Policy"] == "same-origin", what
        assert headers["Permissions-Policy"] == (
            "microphone=(self), autoplay=(self), screen-wake-lock=(self), camera=(), geolocation=()"
        ), what
        assert ("Strict-Transport-Security" in headers) == (base == SAFE), what
        if what.endswith("/static/<path:filename>") and answer.status_code == 200 and "GET" in what:
            assert "max-age=31536000" in headers["Cache-Control"], what
        elif what in ASKED_EACH_TIME:
            assert headers["Cache-Control"] == "no-cache", what
        elif "/static/" not in what:
            assert headers["Cache-Control"] == "no-store", what


def test_no_answer_is_in_another_language(app: House) -> None:
    """Every page that a person can meet is ours, and Turkish (UX 10)."""
    for what, answer in _answers(app, BASE):
        page = answer.mimetype == "text/html" and not what.endswith("/sozler")  # the inside of a sheet
        if page and answer.data and not 300 <= answer.status_code < 400:
            assert '<html lang="tr">' in answer.text, (what, answer.text)


def test_a_fault_is_one_sentence_with_a_number(app: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise RuntimeError("gizli")

    monkeypatch.setattr(app.renderer, "lobby", broken)
    client = app.test_client()
    client.post("/gir", data={"name": "Ayşe"}, base_url=BASE, headers={"Origin": BASE})
    answer = client.get("/", base_url=BASE)
    assert answer.status_code == 500
    assert re.search(r"numarayı söyle: <b class=\"num\">[0-9a-f]{8}</b>", answer.text)
    assert answer.text.count("numarayı") == 1
    assert "gizli" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


# --- how much (RL-19) ---


def test_rl_19_a_body_of_17_kilobytes_is_refused(house: Server) -> None:
    visitor = Visitor(house.base)
    assert visitor.post("/gir", {"name": "A" * 17_000}).status == 413
    assert visitor.post("/gir", {"name": fresh(), "next": ""}).status == 303


@pytest.mark.parametrize(("sent", "status"), [("chunked", b"413"), ("chunked short", b"303"), ("unfinished", b"413")])
def test_rl_19_a_body_is_never_read_to_its_end(house: Server, sent: str, status: bytes) -> None:
    """Said to be too long: refused at once. Of unknown length: cut off where it is too long, and refused."""
    head = (
        f"POST /gir HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nOrigin: {house.base}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n"
    )
    piece = b"name=" + b"A" * 4091
    with socket.create_connection(("127.0.0.1", house.port), timeout=10) as line:
        if sent == "chunked short":
            name = f"name={fresh()}".encode()
            line.sendall(
                f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + b"%x\r\n%s\r\n0\r\n\r\n" % (len(name), name)
            )
        elif sent == "chunked":
            line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            for _ in range(5):  # what is more than enough, and not much more: an unread rest would break the line
                line.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        else:
            line.sendall(f"{head}Content-Length: 1000000\r\n\r\n".encode() + piece)
        assert line.recv(64).split(b" ")[1] == status


def test_rl_19_forwarded_addresses_count_behind_a_proxy_only(build: Callable[..., House]) -> None:
    for proxies, expected in ((0, [303, 429, 429]), (1, [303, 303, 303])):
        client = build(proxies=proxies, entries_per_minute=1).test_client()
        statuses = [
            client.post(
                "/gir",
                data={"name": f"Kişi {proxies}{n}"},
                base_url=BASE,
                headers={"Origin": BASE, "X-Forwarded-For": f"10.0.0.{n}"},
            ).status_code
            for n in range(3)
        ]
        assert statuses == expected


# --- how often (RL-18) ---


@pytest.mark.parametrize(
    ("setting", "path", "form"),
    [
        ("entries_per_minute", "/gir", {"name": "A"}),
        ("posts_per_minute", "/kod", {"code": "ABC234"}),
        ("pleas_per_hour", "/onay", {"name": "Kimse"}),
    ],
)
def test_rl_18_the_last_allowed_the_first_refused_and_recovery(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch, setting: str, path: str, form: dict[str, str]
) -> None:
    now = door.now()
    client = build(**{setting: 3}).test_client()

    def knock(later: int) -> int:
        monkeypatch.setattr(door, "now", lambda: now + later)
        return client.post(path, data=form, base_url=BASE, headers={"Origin": BASE}).status_code

    window = 3_600_000 if "hour" in setting else 60_000
    assert 429 not in [knock(n) for n in range(3)]
    refused = client.post(path, data=form, base_url=BASE, headers={"Origin": BASE})
    assert refused.status_code == 429
    assert "çok fazla istek" in refused.text
    assert knock(window - 1) == 429
    assert knock(window) != 429


def test_rl_18_handshakes(serve: Callable[..., Server]) -> None:
    server = serve(handshakes_per_minute=3)
    visitor = Visitor(server.base, "Ayşe")
    for _ in range(3):
        visitor.wire("/ws/lobi").receive()
    with pytest.raises(Rejected) as refused:
        visitor.wire("/ws/lobi")
    assert refused.value.status == 429


def test_rl_18_handshakes_of_one_person_and_a_minute_later(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is known is counted alone: eight phones behind one router may all reload at once."""
    now = door.now()
    app = build(handshakes_per_minute=3)
    clients = [app.test_client() for _ in range(3)]
    for client, name in zip(clients[:2], ("Ayşe", "Can"), strict=True):
        client.post("/gir", data={"name": name}, base_url=BASE, headers={"Origin": BASE})

    def shake(client: FlaskClient, later: int) -> bool:
        monkeypatch.setattr(door, "now", lambda: now + later)
        headers = {"Origin": BASE, "Upgrade": "websocket", "Connection": "Upgrade"}
        return client.get("/ayarlar", base_url=BASE, headers=headers).status_code != 429

    for client in clients:
        assert [shake(client, n) for n in range(4)] == [True] * 3 + [False]
    assert not shake(clients[0], 59_999)
    assert all(shake(client, 60_001) for client in clients)


def test_rl_18_a_rate_per_key_and_window() -> None:
    rate = Rate(2, 1_000)
    assert [rate.allows("a", now) for now in (0, 10, 20, 999, 1_000, 1_009, 1_010)] == [
        *(True, True, False, False),
        *(True, False, True),
    ]
    assert rate.allows("b", 20), "another key is counted by itself"
    assert not rate.has_room("a", 1_010)
    for n in range(2 * KEPT):
        rate.allows(f"key {n}", 5_000)
    assert len(rate._times) <= KEPT + 1, "strangers' addresses fill no memory"


def test_rl_18_a_bucket_with_a_reserve() -> None:
    bucket = Bucket(per_second=20, reserve=40)
    assert [bucket.takes(0) for _ in range(41)] == [True] * 40 + [False]
    assert [bucket.takes(50), bucket.takes(50)] == [True, False], "one flows in every twentieth of a second"
    assert sum(bucket.takes(60_000) for _ in range(100)) == 40, "and no more than the reserve is saved up"


# --- ways that come up in real use ---


def test_full_tries_again_at_an_address_that_answers(build: Callable[..., House]) -> None:
    """Whoever was refused at the door gets the same page by POST; what it fetches again must be a page (UX 11)."""
    app = build(max_people=1)
    app.test_client().post("/gir", data={"name": "Ayşe"}, base_url=BASE, headers={"Origin": BASE})
    stranger = app.test_client()
    answer = stranger.post("/gir", data={"name": "Can"}, base_url=BASE, headers={"Origin": BASE})
    assert answer.status_code == 503
    assert "Oyun dolu" in answer.text
    assert "(1/1)" in re.sub(r"<[^>]*>", "", answer.text)
    again = re.fullmatch(r"10; url=(.+)", answer.headers["Refresh"])
    assert again is not None, "without an address the browser fetches /gir, which answers no GET"
    assert stranger.get(again[1], base_url=BASE).status_code in (200, 503)


def test_where_an_invitation_leads_after_the_name_is_a_table(app: House) -> None:
    for wish in ("//example.org", "https://example.org", "../../x", "ABC234"):
        client = app.test_client()
        answer = client.post(
            "/gir", data={"name": f"Kişi {len(wish)}", "next": wish}, base_url=BASE, headers={"Origin": BASE}
        )
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/masa/"), answer.headers["Location"]


def test_a_full_house_keeps_the_invitation_and_the_name(build: Callable[..., House]) -> None:
    """Who waits before a full house loses neither: the page tries again with both, and says so before the typing."""
    app = build(max_people=1)
    app.test_client().post("/gir", data={"name": "Ayşe"}, base_url=BASE, headers={"Origin": BASE})
    stranger = app.test_client()
    assert stranger.get("/", base_url=BASE).status_code == 503, "nobody types a name for nothing"
    form = {"name": "Can Su", "next": "ABC234"}
    answer = stranger.post("/gir", data=form, base_url=BASE, headers={"Origin": BASE})
    again = answer.headers["Refresh"].removeprefix("10; url=")
    assert again == "/m/ABC234?ad=Can+Su"
    people.close_account(1)
    assert 'value="Can Su"' in stranger.get("/?ad=Can+Su", base_url=BASE).text


def test_closing_the_account_stands_up_from_finished_tables_too(app: House) -> None:
    """Nobody waits at a finished table for somebody who is gone for good."""
    ali, ece = people.enter("Ali", ROOMY, door.now())[0], people.enter("Ece", ROOMY, door.now())
    table = tables.open_table(
        Opening(ali.id, game := BY_KEY["pisti"], game.rulesets["klasik"], Terms(), (Chair(ali.id), Chair(ece[0].id))),
        door.now(),
    )
    for person in (ali.id, ece[0].id):
        door.submit(table.id, Ask(person, Ready()))
    Watch().look()
    door.submit(table.id, Ask(ali.id, Leave()))
    client = app.test_client()
    client.set_cookie("mokali", ece[1], domain="mokali.test")
    answer = client.post("/profil/kapat", data={"name": "ece"}, base_url=BASE, headers={"Origin": BASE})
    assert "Hesabın kapandı" in answer.text
    assert tables.load(table.id).chairs[1].left
    assert tables.sat_at(ece[0].id) == []


@pytest.mark.parametrize(
    ("asked", "packed"), [("gzip, deflate", "gzip"), ("gzip", "gzip"), ("gzip, br", "br"), ("", None)]
)
def test_pages_scripts_and_styles_are_sent_compressed(app: House, asked: str, packed: str | None) -> None:
    client = app.test_client()
    page = client.get("/kurallar").text
    files = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css))"', page)
    assert len(files) > 2
    for path in ("/kurallar", *files):
        with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": asked}) as answer:
            assert answer.content_encoding == (packed if len(plain.data) > 500 else None), path
            assert "Accept-Encoding" in answer.headers["Vary"]
            if answer.content_encoding is not None:
                unpack = gzip.decompress if packed == "gzip" else brotli.decompress
                assert unpack(answer.data) == plain.data
                assert len(answer.data) < len(plain.data)


def test_style_sheets_come_in_one_and_only_our_own(app: House) -> None:
    client, sheets = app.test_client(), f"{app.static_url_path}/styles"
    joined = client.get(f"{sheets}/mokali-cards.css")
    assert joined.mimetype == "text/css"
    assert "max-age=31536000" in joined.headers["Cache-Control"]
    one, two = (client.get(f"{sheets}/{name}.css").data for name in ("mokali", "cards"))
    assert joined.data.startswith(one[:200])
    assert len(joined.data) >= len(one) + len(two) - 8
    for name in ("x", "mokali-x", "mokali-", "..-mokali", "mokali-cards-../../app"):
        assert client.get(f"{sheets}/{name}.css").status_code == 404
