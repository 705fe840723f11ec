"""Watching what is over: every step of every game, from every seat; its record down, a stranger's record up."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from mokali.cli import replay as replayed
from mokali.engine import codec, fairness, record
from mokali.engine.protocol import Game
from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.store import tables
from mokali.tables.past import KEPT, Past
from mokali.tables.table import Change, Table
from mokali.web import uploads
from mokali.web.house import House
from tests import golden
from tests.matches import Match
from tests.web.leaks import shortest
from tests.web.prepared import Prepared, written

BASE = "http://mokali.test"
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


def _client(app: House, prepared: Prepared | None = None, who: int = 0) -> FlaskClient:
    client = app.test_client()
    if prepared is not None:
        client.set_cookie("mokali", prepared.tokens[who], domain="mokali.test")
    return client


def _get(client: FlaskClient, path: str) -> TestResponse:
    return client.get(path, base_url=BASE)


def _send(app: House, data: bytes | str | None) -> TestResponse:
    """As a browser sends it; ``None`` is a form without a file."""
    content = data.encode() if isinstance(data, str) else data
    name = "" if content is None else "mac.jsonl"
    head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return app.test_client().post(
        "/kayit",
        base_url=BASE,
        data=head.encode() + (content or b"") + b"\r\n--x--\r\n",
        content_type="multipart/form-data; boundary=x",
        headers={"Origin": BASE},
    )


def _over(game: Game, seed: int = 1) -> Prepared:
    found = written(game, game.seats[0], seed, changes=10**6)
    assert found.table.ended is not None
    return found


def _case(game: str, name: str) -> str:
    return (golden.CASES / game / f"{name}.jsonl").read_text(encoding="utf-8")


# --- a match, state by state ---


@every_game
def test_rl_45_every_step_is_the_state_that_was_played(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mokali.tables.past.KEPT", 40)
    steps = list(Match(game, shortest(game), game.seats[0], seed=3).steps(150))
    log = tuple((step.seat, step.action) for step in steps)
    past = Past(game, shortest(game), record.start(game, shortest(game), game.seats[0]), log)
    assert past.last == len(steps)
    for n in (0, 1, 2, *range(3, len(steps), 7), len(steps)):
        state, _ = past.at(n)
        assert state == (steps[n - 1].after if n else steps[0].before)
    assert past.starts[0].hand == past.at(past.starts[0].step)[0].view(None).hand
    assert KEPT == 512


# --- pages ---


@every_game
def test_every_step_is_drawn_from_every_seat_and_can_send_nothing(app: House, game: Game) -> None:
    prepared = _over(game)
    table, client = prepared.table, _client(app, prepared)
    seats, last = len(table.chairs), len(_own(table))
    page = _get(client, f"/tekrar/{table.code}")
    assert page.status_code == 200
    for n, step in enumerate(sorted({0, 1, 2, 3, *range(4, last, max(1, last // 24)), last - 1, last})):
        eyes = ("hepsi", *map(str, range(seats)))[n % (seats + 1)]
        html = _get(client, f"/tekrar/{table.code}?an={step}&koltuk={eyes}&parca=1").text
        assert f'data-step="{step}" data-last="{last}" data-eyes="{eyes}"' in html
        assert f'data-seat="{"" if eyes == "hepsi" else eyes}"' in html
        for word in ("hx-", "data-do=", 'data-ui="menu"', 'id="actions"', "<form", "/ws/"):
            assert word not in html, word
        if eyes == "hepsi":
            _all_hands(table, step, html)
    assert "kazandı" in html or "Berabere" in html


def _own(table: Table) -> record.Log:
    return tuple(line for line in tables.log(table.id) if not isinstance(line[1], fairness.NOTES))


def _all_hands(table: Table, step: int, html: str) -> None:
    past = Past(table.game, table.rules, record.start(table.game, table.rules, len(table.chairs)), _own(table))
    state, _ = past.at(step)
    panel = html.partition('id="hands"')[2].partition("</section>")[0]
    views = [state.view(seat) for seat in range(len(table.chairs))]
    held = sum(len(getattr(view, "cards", ())) + len(getattr(view, "rack", ())) for view in views)
    assert len(re.findall(r'class="mini', panel)) == held


def test_the_last_step_shows_the_scores_of_the_match(app: House) -> None:
    prepared = _over(BY_KEY["pisti"])
    state = prepared.table.state
    assert state is not None
    html = _get(_client(app), f"/tekrar/{prepared.table.code}?an=99999").text
    total = html.partition('class="total"')[2].partition("</tr>")[0]
    assert re.findall(r"<td[^>]*>(−?\d+)</td>", total) == [str(points) for points in state.view(None).totals[:2]]


def test_one_looks_from_ones_own_chair_and_from_any_other(app: House) -> None:
    prepared = _over(BY_KEY["pisti"])
    path = f"/tekrar/{prepared.table.code}"
    assert 'data-eyes="1"' in _get(_client(app, prepared, 1), path).text.partition('id="place"')[2]
    assert 'data-eyes="hepsi"' in _get(_client(app, prepared, 2), path).text.partition('id="place"')[2], "who watched"
    assert 'data-eyes="hepsi"' in _get(_client(app), path).text.partition('id="place"')[2], "a stranger"
    for odd in ("7", "-1", "x", "٣", ""):
        page = _get(_client(app, prepared, 1), f"{path}?koltuk={odd}&an={odd}")
        assert page.status_code == 200
        assert 'data-eyes="1"' in page.text.partition('id="place"')[2]


def test_ab_10_a_bot_bears_its_mark(app: House) -> None:
    table = _over(BY_KEY["pisti"]).table
    chairs = (table.chairs[0], replace(table.chairs[1], bot="orta", left=True))
    kept = tables.commit(table, Change(replace(table, chairs=chairs, revision=table.revision + 1)), 0)
    assert kept is not None
    page = _get(_client(app), f"/tekrar/{table.code}?koltuk=hepsi").text
    panel = page.partition('id="hands"')[2].partition("</section>")[0]
    assert panel.count("i-bot") == 1
    assert "Ceviz" in panel


def test_rl_37_of_a_running_match_nobody_gets_anything(app: House) -> None:
    for changes in (0, 1, 9, -1):
        prepared = written(BY_KEY["batak"], 4, seed=50 + changes, changes=changes)
        assert prepared.table.ended is None
        for who in (0, 3, 4, None):
            client = _client(app) if who is None else _client(app, prepared, who)
            for path in ("tekrar", "kayit"):
                for query in ("", "?an=3&koltuk=0", "?an=3&koltuk=hepsi&parca=1"):
                    answer = _get(client, f"/{path}/{prepared.table.code}{query}")
                    assert answer.status_code == 404
                    assert "Oyun sürüyor: bitince izlenir." in answer.text
                    assert "data-step" not in answer.text


def test_rl_6_no_such_table_and_none_that_began(app: House) -> None:
    assert _get(_client(app), "/tekrar/ZZZZZZ").status_code == 404
    assert _get(_client(app), "/kayit/ZZZZZZ").status_code == 404
    assert "bir saat" in _get(_client(app), "/tekrar/kayit-0123").text


# --- the record down ---


@every_game
def test_the_record_comes_home_and_its_seals_open(
    app: House, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prepared = _over(game)
    answer = _get(_client(app), f"/kayit/{prepared.table.code}")
    assert answer.status_code == 200
    name = answer.headers["Content-Disposition"].partition('filename="')[2].rstrip('"')
    assert re.fullmatch(rf"mokali-{game.key}-\d{{4}}-\d\d-\d\d\.jsonl", name)
    (tmp_path / name).write_text(answer.text, encoding="utf-8")
    assert replayed([str(tmp_path / name)], summary=True, verify=True) == 0
    read = record.read(answer.text)
    assert read.header.names == prepared.names[: len(prepared.table.chairs)]
    assert prepared.table.state is not None
    assert codec.decode(dict, capsys.readouterr().out)["totals"] == list(prepared.table.state.view(None).totals)
    sent = _send(app, answer.data)
    assert sent.status_code == 303, "what comes down goes up"
    page = _get(app.test_client(), sent.headers["Location"] + "?an=999999")
    assert page.status_code == 200
    assert 'class="fault' not in page.text
    assert prepared.names[0] in page.text


# --- a record up ---

SEALED = "random-08-two-seats-sealed"
HEADER = '{"record":1,"game":"pisti","seats":2}'


@pytest.mark.parametrize(
    ("sent", "code", "said"),
    [
        (None, 400, "Dosya seçmedin"),
        ("", 400, "Dosya boş"),
        ("\n \n", 400, "Dosya boş"),
        (b"\x89PNG\r\n\x1a\n\xff\x00", 400, "metin dosyası değil"),
        (b'{"record":1}\x00', 400, "metin dosyası değil"),
        ("<!doctype html><script>alert(1)</script>", 400, "web sayfası"),
        (HEADER + "\n" + "[" * 300, 400, "2. satır okunamadı"),
        ('{"a":' * 399, 400, "1. satır okunamadı"),
        ("[" * 5000, 400, "iç içe"),
        ("x" * 20_000, 400, "1. satır çok uzun"),
        (HEADER + "\n" * 20_001, 400, "20.000 satır"),
        (HEADER + '\n{"seat":0,"do":"play","card":"' + "\u202e" + '"}', 400, "2. satır"),
        (HEADER.replace("pisti", "poker"), 400, "Mokali'de yok"),
        (HEADER.replace('"seats":2', '"seats":3'), 400, "bu kadar kişiyle oynanmaz"),
        (HEADER.replace('"seats":2', '"seats":-1'), 400, "bu kadar kişiyle oynanmaz"),
        (HEADER.replace('"seats":2', '"seats":"iki"'), 400, "1. satır okunamadı"),
        (HEADER.replace('"record":1', '"record":9'), 400, "başka bir sürümün"),
        (HEADER.replace("}", ',"options":{"target":"x"}}'), 400, "kuralları geçersiz"),
        (HEADER.replace("}", ',"ruleset":"x"}'), 400, "kuralları geçersiz"),
        (HEADER.replace("}", ',"setup":{"dealer":9}}'), 400, "konumu geçersiz"),
        (HEADER, 400, "izlenecek bir hamle yok"),
        (HEADER.replace("}", ',"setup":{}}'), 400, "izlenecek bir hamle yok"),
        (HEADER + '\n{"seat":0,"do":"play","card":"7S"}', 400, "2. satır kurallara uymuyor"),
        (HEADER + '\n{"seat":7,"do":"play","card":"7S"}', 400, "2. satır bu oyunun bir hamlesi değil"),
        (HEADER + '\n{"seat":"house","do":"deal","deck":["7S"]}', 400, "2. satır bu oyunun bir hamlesi değil"),
        (HEADER + '\n{"seat":"house","do":"dice","dice":[1,2]}', 400, "2. satır bu oyunun bir hamlesi değil"),
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(app: House, sent: bytes | str | None, code: int, said: str) -> None:
    answer = _send(app, sent)
    assert answer.status_code == code, answer.text
    assert said in unescape(answer.text)
    assert "alert(1)" not in answer.text


def test_rl_19_what_is_far_too_large_is_not_read(app: House) -> None:
    answer = _send(app, b"x" * 10_000_000)
    assert answer.status_code == 413
    assert "512 KB" in answer.text
    answer = _send(app, b"x" * (uploads.MOST + 1))
    assert answer.status_code == 413
    small = app.test_client().post("/kod", base_url=BASE, data={"code": "x" * 17_000}, headers={"Origin": BASE})
    assert small.status_code == 413, "nobody else takes more than before"


def test_rl_14_rl_18_it_is_a_post_like_any_other(build: Callable[..., House]) -> None:
    app = build(posts_per_minute=2)
    assert app.test_client().post("/kayit", base_url=BASE, headers={"Origin": "http://evil.test"}).status_code == 403
    assert [_send(app, "").status_code for _ in range(3)] == [400, 400, 429]


def test_an_illegal_move_is_named_with_its_line_and_its_rule(app: House) -> None:
    lines = _case("batak", "golden-1").splitlines()
    plays = [n for n, line in enumerate(lines) if '"do":"play"' in line or '"do": "play"' in line]
    lines[plays[0]] = re.sub(r'"card": ?"\w\w"', '"card":"2H"', lines[plays[-1]])
    answer = _send(app, "\n".join(lines))
    assert answer.status_code == 400
    assert f"{plays[0] + 1}. satır kurallara uymuyor" in answer.text
    assert re.search(r'href="/kurallar/batak#[A-Z]+-\d+"', answer.text)


def test_rl_36_a_tampered_record_is_watched_but_called_broken(app: House) -> None:
    text = _case("pisti", SEALED)
    lines = text.splitlines()
    deal = next(n for n, line in enumerate(lines) if '"deal"' in line)
    cards = codec.decode(dict, lines[deal])["deck"]
    swapped = [*cards[:-2], cards[-1], cards[-2]]
    lines[deal] = codec.encode({**codec.decode(dict, lines[deal]), "deck": swapped})
    sent = _send(app, "\n".join(lines))
    assert sent.status_code == 303, sent.text
    page = _get(app.test_client(), sent.headers["Location"])
    assert "Kayıt bozuk: mühür tutmuyor" in page.text
    honest = _send(app, text)
    assert "Kayıt bozuk" not in _get(app.test_client(), honest.headers["Location"]).text


def test_a_record_without_its_end_is_no_forgery(app: House) -> None:
    lines = _case("pisti", SEALED).splitlines()
    sent = _send(app, "\n".join(lines[:20]))
    page = _get(app.test_client(), sent.headers["Location"])
    assert "yarıda kalmış" in page.text
    assert "Kayıt bozuk" not in page.text


def test_names_in_a_record_are_nicknames_or_none(app: House) -> None:
    text = _case("pisti", SEALED)
    header = codec.decode(dict, text.partition("\n")[0]) | {"names": ["<b>x</b>", "Ayşe"]}
    sent = _send(app, codec.encode(header) + "\n" + text.partition("\n")[2])
    page = _get(app.test_client(), sent.headers["Location"]).text
    assert "<b>x" not in page
    assert "Oyuncu 1" in page
    assert "Ayşe" in page


def test_uploads_stay_an_hour_and_few_at_a_time(app: House, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _case("pisti", SEALED)
    places = [_send(app, text + "\n" * n).headers["Location"] for n in range(6)]
    codes = [_get(app.test_client(), place).status_code for place in places]
    assert codes == [404, 404, 200, 200, 200, 200]
    late = door.now() + 3_600_001
    monkeypatch.setattr(door, "now", lambda: late)
    assert _get(app.test_client(), places[-1]).status_code == 404
    assert tables.by_status() == {}, "nothing was stored"


def test_rl_24_whatever_is_done_to_a_record_the_answer_is_a_sentence() -> None:
    """Also each of its values replaced by another, lines lost, doubled and exchanged."""
    rng, refused = Random(5), list[str]()
    odd: tuple[object, ...] = (None, -1, 0, 10**30, "x", [], {}, [[]], True, 1.5, "AS", "R7a")
    paths = [path for path in sorted(golden.CASES.glob("*/*.jsonl")) if path.stat().st_size < 6_000]
    for path in rng.choices(paths, k=250):
        lines = path.read_text(encoding="utf-8").splitlines()
        n, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        words = codec.decode(dict, lines[n])
        place = words["setup"] if words.get("setup") and rng.random() < 0.5 else words
        place[rng.choice(list(place))] = rng.choice(odd)
        lines[n] = codec.encode(words)
        lines[n], lines[other] = lines[other], lines[n]
        try:
            reel = uploads.reel_of("\n".join(lines).encode())
        except uploads.Refusal as refusal:
            refused.append(refusal.text)
        else:
            for seat in (None, *range(len(reel.chairs))):
                reel.past.at(reel.past.last)[0].view(seat)
    assert all(text.endswith(".") for text in refused)
    assert 50 < len(refused) < 250


def test_records_of_positions_and_of_rules_are_watched_too(app: House) -> None:
    for game in GAMES:
        paths = sorted((golden.CASES / game.key).glob("*.jsonl"))
        for path in Random(2).sample(paths, 6):
            sent = _send(app, path.read_bytes())
            assert sent.status_code in (303, 400), path
            if sent.status_code == 303:
                page = _get(app.test_client(), sent.headers["Location"] + "?an=99999&koltuk=0")
                assert page.status_code == 200, path
