"""Who is who: cookies, tokens, other devices, codes, names and places (RL-1 to RL-13, SITE-1 to SITE-7)."""

import re
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from mokali.live import bus, door
from mokali.people.names import RESERVED
from mokali.store import tables
from mokali.tables.table import Ask, Leave
from mokali.web.house import House
from tests.web.seat import Seat, deal, fresh, open_table, play_one
from tests.web.server import Server
from tests.web.wire import Visitor

HALF_A_YEAR = 180 * 24 * 3600
SAFE = "https://mokali.test"
PLAIN = "http://mokali.test"


def enter(client: FlaskClient, name: str, base: str = PLAIN, **headers: str) -> TestResponse:
    return client.post(
        "/gir", data={"name": name, "next": ""}, base_url=base, headers={"Origin": base, **_spelt(headers)}
    )


def _spelt(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def cookie(answer: TestResponse) -> str:
    return answer.headers["Set-Cookie"]


# --- tokens ---


def test_rl_1_the_database_holds_the_hash_of_a_token_only(app: House, tmp_path: Path) -> None:
    client = app.test_client()
    token = re.match(r"mokali=([^;]+)", cookie(enter(client, "Ayşe")))
    assert token is not None
    assert len(token[1]) >= 43, "256 bits are 43 letters"
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert token[1].encode() not in kept
    assert sha256(token[1].encode()).hexdigest().encode() in kept


def test_rl_2_on_plain_http_the_cookie_has_no_secure(app: House) -> None:
    set_cookie = cookie(enter(app.test_client(), "Ayşe"))
    assert re.match(r"mokali=[\w-]{43,};", set_cookie)
    assert _flags(set_cookie) == {"httponly", "samesite=lax", "path=/", f"max-age={HALF_A_YEAR}"}


def test_rl_2_on_https_the_cookie_is_bound_to_the_host(app: House) -> None:
    set_cookie = cookie(enter(app.test_client(), "Ayşe", SAFE))
    assert re.match(r"__Host-mokali=[\w-]{43,};", set_cookie)
    assert _flags(set_cookie) == {"secure", "httponly", "samesite=lax", "path=/", f"max-age={HALF_A_YEAR}"}


def test_rl_2_behind_a_configured_proxy_https_is_known(build: Callable[..., House]) -> None:
    client = build(proxies=1).test_client()
    answer = client.post(
        "/gir", data={"name": "Ayşe"}, base_url=PLAIN, headers={"Origin": SAFE, "X-Forwarded-Proto": "https"}
    )
    assert cookie(answer).startswith("__Host-mokali=")
    assert "Secure" in cookie(answer)


def test_rl_2_without_one_nobody_can_claim_it(house: Server) -> None:
    visitor = Visitor(house.base)
    answer = visitor.post("/gir", {"name": fresh()}, headers={"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "on"})
    assert answer.status == 303
    assert answer.cookies[0].startswith("mokali=")
    assert "Secure" not in answer.cookies[0]


def test_rl_2_the_cookie_is_renewed_by_a_visit(app: House) -> None:
    client = app.test_client()
    first = cookie(enter(client, "Ayşe"))
    again = client.get("/", base_url=PLAIN)
    assert cookie(again).split(";")[0] == first.split(";")[0]
    assert f"Max-Age={HALF_A_YEAR}" in cookie(again)


def test_rl_2_a_visit_to_the_table_renews_it_too(app: House) -> None:
    """Whoever only ever follows invitations sees no lobby."""
    client = app.test_client()
    first = cookie(enter(client, "Ayşe"))
    form = {"game": "pisti", "seats": "2", "ruleset": "klasik"}
    table = client.post("/masa-ac", data=form, base_url=PLAIN, headers={"Origin": PLAIN}).headers["Location"]
    for address in (table, table.replace("/masa/", "/m/")):
        again = cookie(client.get(address, base_url=PLAIN))
        assert again.split(";")[0] == first.split(";")[0]
        assert f"Max-Age={HALF_A_YEAR}" in again


def test_rl_2_a_changed_byte_is_nobodys_token(app: House) -> None:
    client = app.test_client()
    enter(client, "Ayşe")
    kept = client.get_cookie("mokali", domain="mokali.test")
    assert kept is not None
    changed = kept.value[:-1] + ("A" if kept.value[-1] != "A" else "B")
    client.set_cookie("mokali", changed, domain="mokali.test")
    assert 'id="lobby"' not in client.get("/", base_url=PLAIN).text
    client.set_cookie("mokali", kept.value, domain="mokali.test")
    assert 'id="lobby"' in client.get("/", base_url=PLAIN).text


def _flags(set_cookie: str) -> set[str]:
    return {flag.strip().lower() for flag in set_cookie.split(";")[1:] if "expires" not in flag.lower()}


def test_rl_3_no_token_is_in_any_page_address_or_message(serve: Callable[..., Server]) -> None:
    """Three people do what there is to do; every byte that any of them hears is searched for every token."""
    server = serve()
    seats = deal(server, "Ayşe", "Can")
    watcher = Visitor(server.base, "Ece")
    look = Seat(watcher, seats[0].code)
    for _ in range(12):
        play_one(seats)
    assert seats[0].refused("play", card="2S", played=0) == "stale"
    assert look.refused("ready") == "not_seated"
    everybody = [seats[0].visitor, seats[1].visitor, watcher]
    for person in everybody:
        for path in ("/", "/profil", "/siralama", "/kurallar", "/ayarlar", "/masa-ac", "/onay", "/tasi/x", "/nirgends"):
            person.get(path)
        assert person.post("/profil/ad", {"name": person.name + " 2"}).status == 303
        person.get(f"/masa/{seats[0].code}")
        person.post("/profil/tasi")
        person.post("/profil/kapat", {"name": "başka"})
    tokens = set().union(*(person.tokens for person in everybody))
    assert len(tokens) == 6
    heard = "\n".join(person.everything() for person in everybody) + server.log + str(server.journal)
    heard += Visitor(server.base).get("/metrics").text
    assert not [token for token in tokens if token in heard]


def test_rl_3_a_new_name_is_a_new_token(house: Server) -> None:
    visitor = Visitor(house.base, fresh())
    old = dict(visitor.cookies)
    assert visitor.post("/profil/ad", {"name": fresh()}).status == 303
    assert visitor.cookies != old
    assert _is_in(visitor)
    visitor.cookies = old
    assert not _is_in(visitor)


@pytest.mark.parametrize("way", ["sign_out", "close_account"])
def test_rl_3_going_ends_the_token_and_open_sockets(house: Server, way: str) -> None:
    visitor = Visitor(house.base, fresh())
    wire = visitor.wire("/ws/lobi")
    wire.receive()
    old = dict(visitor.cookies)
    if way == "sign_out":
        assert visitor.post("/profil/cik").status == 303
    else:
        assert visitor.post("/profil/kapat", {"name": visitor.name.upper().replace("I", "ı")}).status == 200
    assert wire.close_code() == 4001
    assert not visitor.cookies
    visitor.cookies = old
    assert not _is_in(visitor)
    assert visitor.wire("/ws/lobi").close_code() == 4001


def _is_in(visitor: Visitor) -> bool:
    return 'id="lobby"' in visitor.get("/").text


def test_rl_4_no_address_shows_a_hand_to_another(house: Server) -> None:
    seats = deal(house, fresh(), fresh())
    code = seats[0].code
    hidden = {f'data-card="{card}"' for seat in seats for card in seat.cards}
    for stranger in (Visitor(house.base), Visitor(house.base, fresh())):
        for path in (f"/masa/{code}", f"/m/{code}", f"/kurallar/pisti?masa={code}", "/", "/profil", "/siralama"):
            assert not [card for card in hidden if card in stranger.get(path).text], path


# --- another device ---


def test_rl_5_a_link_moves_the_seat_once(house: Server) -> None:
    seats = deal(house, fresh(), fresh())
    old, code = seats[0], seats[0].code
    link = _link(old.visitor)
    new, late = Visitor(house.base), Visitor(house.base)
    for _ in range(10):
        preview = new.get(link)
        assert preview.status == 200
        assert "Bu telefona taşı" in preview.text
    moved = new.post(link)
    assert (moved.status, moved.headers["location"]) == (303, f"/masa/{code}")
    assert old.wire.close_code() == 4001
    assert not _is_in(old.visitor)
    seat = Seat(new, code)
    assert (seat.number, seat.cards) == (old.number, old.cards)
    assert late.post(link).status == 410
    assert late.get(link).status == 410
    assert not late.cookies


def test_rl_5_a_link_ends_after_its_time(app: House, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = app.test_client(), app.test_client()
    enter(old, "Ayşe")
    page = old.post("/profil/tasi", base_url=PLAIN, headers={"Origin": PLAIN}).text
    link = _path(page)
    assert new.get(link, base_url=PLAIN).status_code == 200
    late = door.now() + 300_000
    monkeypatch.setattr(door, "now", lambda: late)
    assert new.get(link, base_url=PLAIN).status_code == 410
    assert new.post(link, base_url=PLAIN, headers={"Origin": PLAIN}).status_code == 410


def test_rl_5_a_second_link_ends_the_first(house: Server) -> None:
    visitor = Visitor(house.base, fresh())
    first, second = _link(visitor), _link(visitor)
    assert Visitor(house.base).post(first).status == 410
    assert Visitor(house.base).post(second).status == 303


def _link(visitor: Visitor) -> str:
    return _path(visitor.post("/profil/tasi").text)


def _path(page: str) -> str:
    found = re.search(r'data-link="https?://[^/"]+([^"]+)"', page)
    assert found is not None
    return found[1]


# --- approval at the table (SITE-21) ---


def test_site_21_the_others_hand_the_seat_over(serve: Callable[..., Server]) -> None:
    house = serve(heartbeat_seconds=0.1, grace_seconds=0.3)
    seats = deal(house, fresh(), fresh(), fresh(), fresh())
    lost, code = seats[0], seats[0].code
    lost.wire.cut()
    seats[1].sees("kopuk")
    new = Visitor(house.base)
    assert new.enter(lost.visitor.name).status == 409
    asked = new.post("/onay", {"name": lost.visitor.name, "next": ""})
    assert (asked.status, asked.headers["location"]) == (303, "/onay")
    assert 'data-card="' not in new.get("/onay").text
    for seat in seats[1:]:
        assert new.get("/onay").status == 200
        seat.do("approve", plea=_plea(seat), yes=True)
        seat.settle()
    granted = new.get("/onay")
    assert granted.status == 303
    assert granted.headers["location"] == f"/masa/{code}"
    assert Seat(new, code).cards == lost.cards
    assert not _is_in(lost.visitor)


def test_site_21_a_refusal_gives_nothing(house: Server) -> None:
    seats = deal(house, fresh(), fresh())
    new = Visitor(house.base)
    new.post("/onay", {"name": seats[0].visitor.name})
    seats[1].do("approve", plea=_plea(seats[1]), yes=False)
    seats[1].settle()
    page = new.get("/onay")
    assert page.status == 200
    assert "Onaylanmadı" in page.text
    assert "mokali" not in new.cookies
    assert _is_in(seats[0].visitor)


def test_site_21_what_asks_is_no_link(house: Server) -> None:
    """The secret that a device asks with is a way in only once the table has agreed."""
    seats = deal(house, fresh(), fresh())
    new = Visitor(house.base)
    new.post("/onay", {"name": seats[0].visitor.name})
    secret = new.cookies["mokali-onay"]
    assert new.get(f"/tasi/{secret}").status == 410
    assert new.post(f"/tasi/{secret}").status == 410
    assert "mokali" not in new.cookies
    assert _is_in(seats[0].visitor)


def _plea(seat: Seat) -> str:
    seat.sees("Gerçekten o mu?")
    found = re.search(r'"plea":\s*"(\w+)"', seat.newest.replace("&#34;", '"'))
    assert found is not None
    return found[1]


# --- codes and names ---


def test_rl_6_twenty_wrong_codes_a_minute(build: Callable[..., House], rounds: Callable[[int, int], int]) -> None:
    client = build().test_client()
    enter(client, "Ayşe")
    tries = [
        client.get(f"/masa/ABC{n:03}".translate({48: 65, 49: 66}), base_url=PLAIN).status_code for n in range(1_000)
    ]
    assert tries == [404] * 20 + [429] * 980


SIX = [f"2001:db8:0:7:{n:x}:{n:x}::{n:x}" for n in range(1, 41)]


@pytest.mark.parametrize(
    ("peers", "found"),
    [
        (SIX, [404] * 20 + [429] * 20),
        ([f"{peer}%eth0" for peer in SIX], [404] * 20 + [429] * 20),
        ([f"2001:db8:0:{n}::1" for n in range(40)], [404] * 40),
        ([f"10.0.0.{n}" for n in range(40)], [404] * 40),
        ([f"::ffff:10.0.0.{n}" for n in range(40)], [404] * 40),
        (["10.0.0.7", "::ffff:10.0.0.7"] * 20, [404] * 20 + [429] * 20),
        (["", "nonsense"] * 20, [404] * 20 + [429] * 20),
    ],
    ids=["one line's", "with a zone", "many lines'", "by four", "by four, mapped", "the same by four", "none"],
)
def test_rl_6_all_addresses_of_one_line_count_as_one(
    build: Callable[..., House], peers: list[str], found: list[int]
) -> None:
    """Whoever has IPv6 has a /64, and more addresses than there are codes."""
    client = build().test_client()
    enter(client, "Ayşe")
    tries = [
        client.get("/masa/ABCDEF", base_url=PLAIN, environ_overrides={"REMOTE_ADDR": peer}).status_code
        for peer in peers
    ]
    assert tries == found


def test_rl_6_guesses_through_sockets_are_look_ups_like_any_other(serve: Callable[..., Server]) -> None:
    house = serve(code_misses_per_minute=5)
    opener, guesser = Visitor(house.base, fresh()), Visitor(house.base, fresh())
    code = open_table(opener)
    told = [guesser.wire(f"/ws/masa/ZZZZZ{n + 2}?sayfa=1").close_code() for n in range(8)]
    assert told == [4004] * 5 + [4008] * 3
    assert guesser.wire(f"/ws/masa/{code}?sayfa=1").close_code() == 4008, "nor is a right guess told from a wrong one"
    assert guesser.get(f"/masa/{code}").status == 429
    opener.wire(f"/ws/masa/{code}?sayfa=1").receive()
    house.no_fault()


def test_site_4_wrong_codes_keep_nobody_from_the_own_seat(build: Callable[..., House]) -> None:
    client = build().test_client()
    enter(client, "Ayşe")
    form = {"game": "pisti", "seats": "2", "ruleset": "klasik", "target": "51"}
    own = client.post("/masa-ac", data=form, base_url=PLAIN, headers={"Origin": PLAIN}).headers["Location"]
    for n in range(20):
        client.get(f"/masa/ABC{n:03}", base_url=PLAIN)
    assert client.get("/masa/ABCDEF", base_url=PLAIN).status_code == 429
    assert client.get(own, base_url=PLAIN).status_code == 200


def test_rl_6_codes_have_six_letters_that_look_like_no_others(house: Server) -> None:
    visitor = Visitor(house.base, fresh())
    code = open_table(visitor)
    assert re.fullmatch(r"[2-9A-HJKMNP-Z]{6}", code)
    page = visitor.get(f"/masa/{code}").text
    assert f'data-table="{code}"' in page
    typed = f" {code[:3].lower()} {code[3:].lower()} "
    assert visitor.post("/kod", {"code": typed}).headers["location"] == f"/masa/{code}"


REFUSED = {
    "direction override": "Ali\u202e",
    "zero width": "A\u200bli",
    "soft hyphen": "A\u00adli",
    "Cyrillic": "\u0410li",
    "stacked accents": "A\u0301\u0302\u0303li",
    "emoji": "Ali🙂",
    "markup": "<b>Ali",
    "17 letters": "A" * 17,
    "one letter": "A",
    "two marks": "a..b",
    "a mark at the end": "Ali-",
    "a line break": "Ali\nCan",
    "nothing": "",
    "spaces": "    ",
}


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED.keys())
def test_rl_8_what_is_no_name(app: House, name: str) -> None:
    answer = enter(app.test_client(), name)
    assert answer.status_code == 400
    assert "Set-Cookie" not in answer.headers
    assert 'role="alert"' in answer.text
    assert "<b>Ali" not in answer.text


def test_rl_8_names_are_kept_composed_and_trimmed(app: House) -> None:
    client = app.test_client()
    assert enter(client, unicodedata.normalize("NFD", "  İsmail   Ağa ")).status_code == 303
    assert "<bdi>İsmail Ağa</bdi>" in client.get("/profil", base_url=PLAIN).text


@pytest.mark.parametrize("name", sorted(RESERVED | {"Sistem", "M.o.k.a.l.i", "BOT", "Eski Oyuncu"}))
def test_rl_10_names_that_are_nobodys(app: House, name: str) -> None:
    assert enter(app.test_client(), name).status_code == 400


def test_site_c3_a_name_in_use_gives_nothing(house: Server) -> None:
    Visitor(house.base, "IŞIK")
    for spelling in ("ışık", "işik", "I\u0307ŞIK", "Işık"):
        answer = Visitor(house.base).enter(spelling)
        assert answer.status == 409
        assert not answer.cookies
        assert "Bu ad kullanılıyor" in answer.text


# --- places ---


def test_site_c1_twenty_at_the_door_and_one_place(serve: Callable[..., Server]) -> None:
    server = serve(max_people=8)
    for n in range(7):
        Visitor(server.base, f"İçerideki {n}")
    strangers = [Visitor(server.base) for _ in range(20)]
    with ThreadPoolExecutor(20) as crowd:
        answers = list(crowd.map(lambda n: strangers[n].enter(f"Gelen {n}").status, range(20)))
    assert sorted(answers) == [303] + [503] * 19


def test_site_c2_who_holds_a_seat_always_comes_back(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = build(max_people=2)
    clients = [app.test_client() for _ in range(3)]
    for client, name in zip(clients[:2], ("Ayşe", "Can"), strict=True):
        assert enter(client, name).status_code == 303
    form = {"game": "pisti", "seats": 2, "ruleset": "klasik"}
    code = clients[0].post("/masa-ac", data=form, base_url=PLAIN, headers={"Origin": PLAIN}).location.rpartition("/")[2]
    later = door.now() + 300_000
    monkeypatch.setattr(door, "now", lambda: later)
    assert enter(clients[2], "Ece").status_code == 303, "Can was away for five minutes and sits nowhere"
    assert clients[1].get("/", base_url=PLAIN).status_code == 503
    assert f'data-table="{code}"' in clients[0].get(f"/masa/{code}", base_url=PLAIN).text


def test_rl_13_a_fourth_socket_of_a_person_ends_the_oldest_page(house: Server) -> None:
    visitor = Visitor(house.base, fresh())
    code = open_table(visitor)
    wires = [visitor.wire(f"/ws/masa/{code}?sayfa={n}") for n in (5, 3, 4, 6)]
    assert wires[1].close_code() == 4008
    for wire in (wires[0], wires[2], wires[3]):
        wire.receive()


def test_rl_13_so_many_new_tables_an_hour_and_person(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last one allowed, the first refused with a sentence of its own, and the next hour."""
    client = build(max_tables_per_hour=3).test_client()
    enter(client, "Ayşe")
    now = door.now()

    def open_one(later: int) -> TestResponse:
        monkeypatch.setattr(door, "now", lambda: now + later)
        form = {"game": "pisti", "seats": 2, "ruleset": "klasik"}
        answer = client.post("/masa-ac", data=form, base_url=PLAIN, headers={"Origin": PLAIN})
        if answer.status_code == 303:  # stand up, so that the next one can be opened
            table = tables.find(answer.headers["Location"].rpartition("/")[2])
            door.submit(table, Ask(1, Leave()))
        return answer

    assert [open_one(n).status_code for n in range(4)] == [303, 303, 303, 409]
    assert "Bir saatte 3 masa açtın" in open_one(3_599_999).text
    assert open_one(3_600_001).status_code == 303


def test_rl_13_so_many_tables_and_no_more(build: Callable[..., House]) -> None:
    app = build(max_tables=2, max_tables_per_hour=1)
    form = {"game": "pisti", "seats": 2, "ruleset": "klasik"}
    answers = []
    for name in ("Ayşe", "Can", "Ece"):
        client = app.test_client()
        enter(client, name)
        answers.append(client.post("/masa-ac", data=form, base_url=PLAIN, headers={"Origin": PLAIN}))
    assert [answer.status_code for answer in answers] == [303, 303, 409]
    assert "yer yok" in answers[2].text
    assert not bus._listeners
