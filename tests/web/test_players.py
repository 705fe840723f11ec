"""Profiles, lists of matches and the leaderboard, asked of a house in this process (SITE-11)."""

import re
import time
from random import Random

import pytest
from flask.testing import FlaskClient

from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.store import people, tables
from mokali.store.careers import Played
from mokali.store.models import ResultRow
from mokali.store.standings import EVENING_MS
from mokali.web import players
from mokali.web.house import House
from tests.finished import finished
from tests.kept import played_out
from tests.web.near import ROOMY, dealt

BASE = "http://mokali.test"
HOUR = 3_600_000


class Somebody:
    """A person and the device."""

    def __init__(self, app: House, name: str) -> None:
        self.person, self.token = people.enter(name, ROOMY, door.now())
        self.client = app.test_client()
        self.client.set_cookie("mokali", self.token, domain="mokali.test")

    @property
    def id(self) -> int:
        return self.person.id

    def get(self, path: str, status: int = 200) -> str:
        return _get(self.client, path, status)


def _get(client: FlaskClient, path: str, status: int = 200) -> str:
    answer = client.get(path, base_url=BASE)
    assert answer.status_code == status, path
    return answer.text


def _plain(page: str) -> str:
    """What is read on a page, in one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", page[page.index("<main") :]).split())


@pytest.fixture
def four(app: House) -> list[Somebody]:
    return [Somebody(app, name) for name in ("Ayşe", "Ali", "Can", "Deniz")]


# --- figures ---


def _row(text: str) -> list[Played]:
    return [Played("pisti", "klasik", mark == "1", 30, 3) for mark in text]


@pytest.mark.parametrize(
    ("won", "streak", "best"), [("", 0, 0), ("1", 1, 1), ("0", 0, 0), ("0110", 0, 2), ("1101", 1, 2), ("10111", 3, 3)]
)
def test_streaks_of_victories(won: str, streak: int, best: int) -> None:
    counted = players.tally(_row(won))
    assert (counted.streak, counted.best, counted.played, counted.wins) == (streak, best, len(won), won.count("1"))


def test_averages_are_of_matches_that_were_played_to_their_end() -> None:
    some = [Played("pisti", "", True, 50, 4), Played("pisti", "", False, 31, 2), Played("pisti", "", True, None, None)]
    counted = players.tally(some, hands=True, points=True)
    assert (counted.per_match, counted.per_hand, counted.rate) == (40.5, 13.5, "%67")
    assert players.tally(some).per_match is players.tally(some[2:], hands=True, points=True).per_hand is None


def test_no_average_per_hand_where_points_do_not_begin_at_nothing() -> None:
    assert {game.key for game in GAMES if not players._from_nothing(game.key)} == {"klasik"}


@pytest.mark.parametrize(("count", "points"), [(9, 0), (10, 2), (24, 4), (60, 12), (61, 10), (700, 11)])
def test_the_line_has_few_points_and_ends_with_the_last_match(count: int, points: int) -> None:
    line = players.over_time([False] * (count - 1) + [True])
    assert len(re.findall(r"[\d.]+,[\d.]+", str(line).partition("<polyline")[2])) == points
    assert points == 0 or "%0, son" in str(line)


def test_days_are_said_as_in_turkey() -> None:
    at = 1_796_085_000_000  # 03.30 in Istanbul, the day before elsewhere
    assert players.day(at, at) == "bugün 03.30"
    assert players.day(at - 4 * HOUR, at) == "dün 23.30"
    assert re.fullmatch(r"\d+ Kasım, 03.30", players.day(at - 240 * HOUR, at))
    assert re.fullmatch(r"\d+ Aralık 2025, 03.30", players.day(at - 365 * 24 * HOUR, at))


# --- profiles ---


def test_a_profile_without_matches(four: list[Somebody]) -> None:
    ayse, ali = four[:2]
    assert "Henüz biten maçın yok." in ayse.get("/profil")
    page = ali.get(f"/oyuncu/{ayse.id}")
    assert "Henüz biten maçı yok." in page
    assert "Ayşe" in page


def test_a_profile_of_some_matches(four: list[Somebody]) -> None:
    ayse, ali, can, deniz = four
    now, ids = door.now(), [one.id for one in four]
    old = now - EVENING_MS - HOUR
    finished(ids, {ayse.id, can.id}, old, partners=True, points=(60, 40, 60, 40))
    code = finished((ayse.id, ali.id), {ayse.id}, now - 2 * HOUR, points=(55, 20))
    finished((ayse.id, ali.id), {ali.id}, now - HOUR, game="okey101", ruleset="mey", length="5 el", points=(90, 40))
    text = _plain(ayse.get("/profil"))
    for said in (
        "Maç 3 Galibiyet 2 Kazanma oranı %67 Süren seri 0 En uzun seri 2",
        "Bu akşam Kime karşı Yendin Yenildin Ali 1 1",
        "Maç başına puan 57,5 El başına puan 14,4",
        "Eş Maç Birlikte galibiyet Can 1 1",
        "Rakip Maç Yendin Yenildin Ali 3 2 1 Deniz 1 1 0",
        "101 Okey · Mey · 5 el ·",
    ):
        assert said in text, text
    assert f'href="/tekrar/{code}"' in ayse.get("/profil")
    theirs = _plain(deniz.get(f"/oyuncu/{ayse.id}"))
    assert "Bu akşam Kime karşı Yendi Yenildi Ali 1 1" in theirs


def test_nothing_private_stands_in_anothers_profile(four: list[Somebody]) -> None:
    """No token, no form, no way to the account; and one's own leads to the profile with all of it."""
    ayse, ali = four[:2]
    finished((ayse.id, ali.id), {ayse.id}, door.now())
    page = ali.get(f"/oyuncu/{ayse.id}")
    assert "<form" not in page
    assert ayse.token not in page
    assert "Hesab" not in page
    assert "Hesabı kapat" in ayse.get("/profil")
    assert ayse.client.get(f"/oyuncu/{ayse.id}", base_url=BASE).headers["Location"] == "/profil"


def test_an_unlisted_tables_code_is_for_those_who_were_there(four: list[Somebody]) -> None:
    ayse, ali, can = four[:3]
    code = finished((ayse.id, ali.id), {ayse.id}, door.now(), listed=False)
    for path in (f"/oyuncu/{ayse.id}", f"/oyuncu/{ayse.id}/maclar"):
        assert code in ali.get(path)
        page = can.get(path)
        assert "Galibiyet" in page
        assert code not in page


def test_a_running_match_stands_nowhere(app: House, four: list[Somebody]) -> None:
    table, persons, _ = dealt(BY_KEY["pisti"], Random(1))
    for path in (f"/oyuncu/{persons[0].id}", f"/oyuncu/{persons[0].id}/maclar", "/siralama?oyun=pisti"):
        assert table.code not in four[0].get(path)


@pytest.mark.parametrize("path", ["/oyuncu/99", "/oyuncu/99/maclar", f"/oyuncu/{10**30}", f"/oyuncu/{2**63}/maclar"])
def test_nobody_is_told_in_a_sentence(four: list[Somebody], path: str) -> None:
    assert "Böyle bir oyuncu yok" in four[0].get(path, 404)


def test_rl_7_a_closed_account_has_no_profile(four: list[Somebody]) -> None:
    ayse, ali = four[:2]
    finished((ayse.id, ali.id), {ayse.id}, door.now())
    people.close_account(ayse.id)
    ali.get(f"/oyuncu/{ayse.id}", 404)
    for page in (ali.get("/profil"), ali.get("/siralama?oyun=pisti")):
        assert "Eski oyuncu" in page
        assert f"/oyuncu/{ayse.id}" not in page


def test_strangers_enter_first(app: House, four: list[Somebody]) -> None:
    for path in ("", "/maclar"):
        page = _get(app.test_client(), f"/oyuncu/{four[0].id}{path}")
        assert "Takma adın" in page
        assert "Ayşe" not in page


def test_after_a_refused_name_the_form_stands_first(four: list[Somebody]) -> None:
    answer = four[0].client.post("/profil/ad", data={"name": "a..b"}, base_url=BASE, headers={"Origin": BASE})
    assert answer.status_code == 400
    assert 'value="a..b"' in answer.text


# --- matches ---


def test_matches_page_by_page(four: list[Somebody]) -> None:
    ayse, ali = four[:2]
    now = door.now()
    codes = [finished((ayse.id, ali.id), {ayse.id}, now - 1000 + n) for n in range(45)]
    for asked, first, last in (("", 25, 45), ("2", 5, 25), ("3", 0, 5), ("99", 0, 5), ("-1", 25, 45), ("x²", 25, 45)):
        page = ali.get(f"/oyuncu/{ayse.id}/maclar?sayfa={asked}")
        assert re.findall(r"/tekrar/(\w+)", page) == codes[first:last][::-1], asked
    page = ali.get(f"/oyuncu/{ayse.id}/maclar?oyun=pisti&sayfa=2")
    around = [link.replace("&amp;", "&") for link in re.findall(r'rel="(?:prev|next)" href="([^"]*)', page)]
    assert around == [f"/oyuncu/{ayse.id}/maclar?oyun=pisti{more}" for more in ("", "&sayfa=3")]


def test_matches_of_one_kind_of_rules(four: list[Somebody]) -> None:
    """Own rules have an empty key, which the address must keep."""
    ayse, ali = four[:2]
    own = finished((ayse.id, ali.id), {ayse.id}, door.now(), game="okey101", ruleset="", length="5 el")
    finished((ayse.id, ali.id), {ali.id}, door.now(), game="okey101", ruleset="mey", length="5 el")
    links = re.findall(r'href="([^"]*/maclar\?[^"]*kural=)"', ayse.get("/profil"))
    page = ayse.get(links[0].replace("&amp;", "&"))
    assert re.findall(r"/tekrar/(\w+)", page) == [own]
    assert "Kendi kuralları · 1 maç" in _plain(page)


def test_a_match_that_nobody_won_and_a_place_among_several(four: list[Somebody]) -> None:
    ids = [one.id for one in four]
    finished(ids[:2], (), door.now() - 1)
    finished(ids, {ids[1]}, door.now())
    text = _plain(four[0].get(f"/oyuncu/{ids[0]}/maclar"))
    assert text.index("Yenilgi 2. sıra") < text.index("Berabere")


# --- leaderboard ---


def test_equal_results_share_a_rank_and_ones_own_row_is_always_there(app: House) -> None:
    some = [Somebody(app, f"Kişi {n}") for n in range(26)]
    now = door.now()
    for n, one in enumerate(some[:-1]):
        finished((one.id, some[-1].id), {one.id}, now + n)
    page = some[-1].get("/siralama?oyun=pisti")
    rows = re.findall(r"<tr.*?</tr>", page.partition("<tbody>")[2], re.DOTALL)
    assert len(rows) == 21
    assert all(re.search(r"<td>1</td>", row) for row in rows[:20])
    assert 'class="mine"' in rows[20]
    assert "<td>26</td>" in rows[20]
    assert len(re.findall("<tr", some[0].get("/siralama?oyun=pisti").partition("<tbody>")[2])) == 20, "among the first"


def test_names_and_counts_lead_on(four: list[Somebody]) -> None:
    ayse, ali = four[:2]
    code = finished((ayse.id, ali.id), {ayse.id}, door.now(), length="101 sayı")
    finished((ayse.id, ali.id), {ayse.id}, door.now())
    page = ali.get("/siralama?oyun=pisti&uzunluk=101+sayı")
    profile = ali.get(re.findall(rf'href="(/oyuncu/{ayse.id}\?[^"]*)"', page)[0])
    assert 'href="/siralama?oyun=pisti"' in profile, "and back to where one comes from"
    assert profile.count("<details") == profile.count(" open>") == 1
    [link] = re.findall(rf'href="(/oyuncu/{ayse.id}/maclar[^"]*)"', page)
    assert re.findall(r"/tekrar/(\w+)", ali.get(link.replace("&amp;", "&"))) == [code]


def test_a_match_that_was_played_leads_to_its_table(app: House, four: list[Somebody]) -> None:
    table = played_out(four[0].id, four[1].id)
    page = four[2].get(f"/oyuncu/{four[0].id}")
    assert f"/tekrar/{tables.load(table.id).code}" in page


def test_ten_thousand_results_take_little_time(four: list[Somebody]) -> None:
    """About 16 ms of the processor on a quiet machine (docs/benchmarks.md)."""
    ids = [one.id for one in four]
    rows = [
        {"table": n, "person": one, "game": "pisti", "ruleset": "klasik", "length": "51 sayı", "place": 1}
        | {"won": (n + seat) % 2, "ended_at": n, "side": seat % 2, "points": 51, "hands": 4}
        for n in range(2_500)
        for seat, one in enumerate(ids)
    ]
    for start in range(0, len(rows), 1_000):
        ResultRow.insert_many(rows[start : start + 1_000]).execute()
    four[0].get("/profil")
    times = []
    for _ in range(5):
        begun = time.process_time()
        assert "2500" in four[0].get("/profil")
        times.append(time.process_time() - begun)
    print(f"{1000 * sorted(times)[2]:.1f} ms")
    assert min(times) < 0.1
