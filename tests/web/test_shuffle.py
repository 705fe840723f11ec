"""Seals of finished matches are checked, by the page and by a shell; of a running one nothing is told (RL-36)."""

import html
import re
import subprocess
from collections.abc import Sequence
from random import Random

import pytest
from werkzeug.test import TestResponse

from mokali.engine import codec, fairness
from mokali.engine.fairness import Reveal, Seal
from mokali.engine.protocol import HOUSE, Action, Game
from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.store import tables
from mokali.store.models import LineRow
from mokali.tables.table import Close, Table, Why
from mokali.web.house import House
from tests.web.near import dealt
from tests.web.prepared import Prepared, first_pause, written

WHOLE = 1_000_000
BASE = "http://mokali.test"
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.key for game in GAMES])


def finished(game: Game, seed: int = 3) -> Prepared:
    """A match that was played to its end."""
    lying = written(game, game.seats[0], seed, WHOLE, door.now())
    assert lying.table.ended is not None
    return lying


def called(app: House, code: str, token: str | None) -> TestResponse:
    client = app.test_client()
    if token is not None:
        client.set_cookie("mokali", token, domain="mokali.test")
    return client.get(f"/karistirma/{code}", base_url=BASE)


def page(app: House, lying: Prepared) -> str:
    """What one of its people is shown."""
    tables.forget()
    answer = called(app, lying.table.code, lying.tokens[0])
    assert answer.status_code == 200
    return answer.text


def states(text: str) -> list[str]:
    """What the page says of each hand."""
    return re.findall(r'<span class="state (\w+)">', text)


def commands(text: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(r'id="line-\d+">([^<]+)<', text)]


def lines(table: Table, *kinds: type[Action]) -> list[tuple[int, Action]]:
    """Number and action of the lines of these kinds."""
    return [(n, action) for n, (_, action) in enumerate(tables.log(table.id)) if isinstance(action, kinds)]


def change(table: Table, n: int, text: str) -> None:
    """By hand, in the database."""
    assert LineRow.update(action=text).where(LineRow.table == table.id, LineRow.n == n).execute() == 1


def by_shell(some: Sequence[str]) -> list[str]:
    """What the lines that the page shows really print."""
    done = subprocess.run(["sh", "-c", "\n".join(some)], capture_output=True, check=True, text=True)
    return [line.split()[0] for line in done.stdout.splitlines()]


@every_game
def test_rl_36_every_hand_is_checked_by_the_page_and_by_a_shell(app: House, game: Game) -> None:
    lying = finished(game)
    text = page(app, lying)
    seals = [seal.sha256 for _, seal in lines(lying.table, Seal) if isinstance(seal, Seal)]
    assert seals
    assert states(text) == ["holds"] * len(seals)
    assert "Bütün mühürler tutuyor" in text
    assert by_shell(commands(text)) == seals
    for seal in seals:
        assert seal in text


@every_game
def test_rl_36_luck_that_was_changed_is_found(app: House, game: Game) -> None:
    """Two words of the last hand's luck change places, and only that hand is red."""
    lying = finished(game)
    log = tables.log(lying.table.id)
    lots = [(n, lot) for n, (seat, lot) in enumerate(log) if seat == HOUSE and isinstance(lot, game.lots)]
    n, lot = next((n, lot) for n, lot in reversed(lots) if len(set(fairness.words((lot,)))) > 1)
    plain = codec.plain(lot)
    name = "dice" if "dice" in plain else "deck"
    *first, one, other = plain[name]
    plain[name] = [*first, other, one]
    change(lying.table, n, codec.encode(plain))
    text = page(app, lying)
    found = states(text)
    assert found == ["holds"] * (len(found) - 1) + ["broken"]
    assert re.search(r'role="alert">.*<b>Mühür tutmuyor: [\d]+\. (el|oyun)', text)
    assert by_shell(commands(text)[-1:])[0] in text, "what comes out instead is shown"


PISTI, TAVLA = BY_KEY["pisti"], BY_KEY["tavla"]


@pytest.mark.parametrize("kind", [Seal, Reveal])
def test_rl_36_a_line_of_the_house_that_is_gone_is_found(app: House, kind: type[Action]) -> None:
    lying = finished(PISTI)
    n, _ = lines(lying.table, kind)[1]
    LineRow.delete().where(LineRow.table == lying.table.id, LineRow.n == n).execute()
    text = page(app, lying)
    assert states(text)[1] == "broken"
    assert states(text)[0] == states(text)[2] == "holds"
    assert "Kayıttan 1 satır eksik" in text


@pytest.mark.parametrize("nonsense", ["{", '{"do":"deal","deck":["AS"]}', '{"do":"reveal","salt":"\'; rm -rf x; \'"}'])
def test_rl_36_a_line_that_is_none_is_found_and_does_no_harm(app: House, nonsense: str) -> None:
    lying = finished(PISTI)
    n, _ = lines(lying.table, Reveal)[0]
    change(lying.table, n, nonsense)
    text = page(app, lying)
    assert states(text)[0] == "broken"
    assert states(text)[-1] == "holds"
    assert "rm -rf" not in " ".join(commands(text)), "nothing that leaves its quotes is offered to a shell"


@every_game
def test_rl_36_rl_37_nothing_is_told_of_a_running_match(app: House, game: Game) -> None:
    """Finished hands too stay closed."""
    seats = game.seats[0]
    pause = first_pause(game, seats, 5)
    lying = written(game, seats, 5, pause + 2 if pause is not None else 30, door.now())
    assert lying.table.ended is None
    salts = [one.salt for _, one in lines(lying.table, Reveal) if isinstance(one, Reveal)]
    assert salts or pause is None
    for token in (*lying.tokens, None):
        answer = called(app, lying.table.code, token)
        assert answer.status_code == 404
        assert "Mühürler maç bitince burada açılır." in answer.text
        assert not [salt for salt in salts if salt in answer.text]
        assert "mini" not in answer.text


def test_rl_36_a_hand_that_was_not_finished_stays_closed(app: House) -> None:
    table, _, tokens = dealt(PISTI, Random(2), 2)
    assert table.luck is not None
    door.submit(table.id, Close(Why.UNREADABLE))
    text = called(app, table.code, tokens[0]).text
    assert states(text) == ["closed"]
    assert table.luck.sha256 in text
    assert table.luck.salt not in text
    assert "el bitmeden kapandı" in text
    assert "Deste, dağıtıldığı sırayla" not in text


def test_a_stranger_is_asked_for_a_name_and_a_wrong_code_is_told(app: House) -> None:
    lying = finished(PISTI)
    assert 'name="name"' in called(app, lying.table.code, None).text
    assert called(app, "QQQQQQ", lying.tokens[0]).status_code == 404
    assert called(app, lying.table.code.lower(), lying.tokens[-1]).status_code == 200, "who watched sees it too"


def test_the_dice_of_a_match_are_those_of_its_log(app: House) -> None:
    lying = finished(TAVLA)
    text = page(app, lying)
    dice: list[tuple[int, ...]] = [getattr(action, "dice", ()) for _, action in lines(lying.table, *TAVLA.lots)]
    thrown = [(throw[0], throw[1]) for throw in dice if len(throw) == 2]
    counts = [int(n) for n in re.findall(r"(?:Beyaz|Siyah) · (\d+) atış", text)]
    assert sum(counts) == len(thrown)
    doubles = [int(n) for n in re.findall(r'<th scope="row">Çift .*?</th><td>(\d+)</td>', text)]
    assert sum(doubles) == sum(one == other for one, other in thrown)
    means = [float(n.replace(",", ".")) for n in re.findall(r"Atış başına ilerleme .*?</th><td>([\d,]+)</td>", text)]
    pips = sum((one + other) * (2 if one == other else 1) for one, other in thrown)
    assert sum(mean * count for mean, count in zip(means, counts, strict=True)) == pytest.approx(
        pips, abs=0.06 * len(thrown)
    )
