"""A match on paper: read, write, replay, and what is said of a record that does not hold."""

from random import Random, SystemRandom
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mokali.engine import codec, fairness, record
from mokali.engine.cardplay import Play
from mokali.engine.protocol import HOUSE, BadSetup
from mokali.games import BY_KEY
from mokali.games.pisti import GAME
from mokali.games.pisti.rules import PistiRules
from mokali.games.pisti.state import Deal, First
from tests.matches import Match, matches

HEADER = '{"record":1,"game":"pisti","seats":2}'
POSITION = (
    '{"record":1,"game":"pisti","seats":2,"setup":{"dealer":1,"hands":[["7C","8C","2D","3D"],["9C","TC","KC","QC"]],'
    '"pile":["7H"],"captured":[[],["2S","3S","4S","5S","6S","7S","8S","9S","TS","JS","QS"]]}}'
)
"""Seat 0 to act, 7H alone on the pile, 32 cards in the stock."""


def replayed(*lines: str, rng: Random | None = None) -> record.Played:
    read = record.read("\n".join(lines))
    return record.replay(read, record.game_of(read, BY_KEY), rng or SystemRandom())


def failures(*lines: str) -> list[str]:
    return [f"{failure.line}: {failure.text}" for failure in replayed(*lines).failures]


# --- reading ---


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "1: empty"),
        ("\n  \n", "1: empty"),
        ("pişti", "1: "),
        ("[]", "1: "),
        ("{}", "1: "),
        ('{"record":2,"game":"pisti","seats":2}', "1: record version 2"),
        ('{"record":"1","game":"pisti","seats":2}', "1: "),
        ('{"record":1,"game":"pisti","seats":"two"}', "1: "),
        ('{"record":1,"game":"pisti","seats":2,"setup":[]}', "1: "),
        ('\n\n{"record":1,"game":"pisti"}', "3: "),
        (HEADER + "\n{", "2: "),
        (HEADER + '\n{"expect":{}}\n\n[1]', "4: "),
        (HEADER + "\n" + "[" * 100_000, "2: "),
        (HEADER + '\n{"seat":0} {"seat":1}', "2: "),
    ],
)
def test_what_is_no_record_is_unreadable(text: str, why: str) -> None:
    with pytest.raises(record.Unreadable) as unreadable:
        record.read(text)
    assert str(unreadable.value).startswith(why)
    assert "\n" not in str(unreadable.value)


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ('{"record":1,"game":"kaptı kaçtı","seats":2}', "1: unknown game 'kaptı kaçtı'"),
        ('{"record":1,"game":"pisti","seats":2,"ruleset":"mey"}', "1: unknown ruleset 'mey'"),
        ('{"record":1,"game":"pisti","seats":2,"options":{"target":100}}', "1: options: "),
        ('{"record":1,"game":"pisti","seats":2,"options":{"hands":1}}', "1: options: "),
    ],
)
def test_a_header_of_no_game_is_unreadable(header: str, why: str) -> None:
    with pytest.raises(record.Unreadable) as unreadable:
        replayed(header)
    assert str(unreadable.value).startswith(why)


def test_what_may_be_left_out() -> None:
    read = record.read(HEADER)
    assert read.header == record.Header(record=1, game="pisti", seats=2)
    assert read.lines == ()
    assert record.rules_of(read.header, GAME) == GAME.rulesets["klasik"]
    options = record.Header(1, "pisti", 2, "klasik", {"target": 51})
    assert record.rules_of(options, GAME) == PistiRules(target=51)


def test_lines_are_counted_as_an_editor_does() -> None:
    """Blank lines count; a line ends with LF or CRLF and with nothing else, whatever a note holds."""
    text = HEADER[:-1] + ',"note":"bir\u2028iki\u0085üç\u000büç"}\r\n\r\n{"expect":{"turn":1}}\r\n'
    read = record.read(text.replace("\u000b", "\\u000b"))
    assert [line.number for line in read.lines] == [3]
    assert read.header.note == "bir\u2028iki\u0085üç\u000büç"
    assert [(failure.line, failure.text) for failure in record.replay(read, GAME, Random(0)).failures] == [
        (3, "expected turn 1 got null")
    ]


# --- replaying ---


def test_what_holds_fails_nowhere() -> None:
    assert (
        failures(
            POSITION,
            '{"expect":{"phase":"play","turn":0,"top":"7H","stock":32,"legal":["7C","8C","2D","3D"]}}',
            '{"seat":0,"do":"play","card":"9C","illegal":"not_held"}',
            '{"seat":0,"do":"play","card":"7C"}',
            '{"expect":{"pistis":[10,0],"turn":1}}',
        )
        == []
    )


def test_an_expectation_says_path_and_values() -> None:
    assert failures(POSITION, '{"expect":{"turn":1,"rules":{"target":51},"trump":"S","top":null}}') == [
        "2: expected turn 1 got 0",
        "2: expected rules.target 51 got 101",
        '2: expected trump "S" got nothing',
        '2: expected top null got "7H"',
    ]


def test_reading_goes_on_after_an_expectation_and_ends_at_a_refused_action() -> None:
    assert failures(
        POSITION,
        '{"expect":{"turn":1}}',
        '{"seat":1,"do":"play","card":"9C"}',
        '{"expect":{"turn":1}}',
    ) == ["2: expected turn 1 got 0", "3: expected a legal action got not_your_turn"]


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ('{"seat":0,"do":"play","card":"9C"}', "not_held"),
        ('{"seat":1,"do":"play","card":"9C"}', "not_your_turn"),
        ('{"seat":0,"do":"play","card":"XX"}', "bad_request"),
        ('{"seat":0,"do":"play"}', "bad_request"),
        ('{"seat":0,"do":"draw"}', "bad_request"),
        ('{"seat":0}', "bad_request"),
        ('{"do":"play","card":"7C"}', "bad_request"),
        ('{"seat":2,"do":"play","card":"7C"}', "bad_request"),
        ('{"seat":-1,"do":"deal","deck":[]}', "bad_request"),
        ('{"seat":"0","do":"play","card":"7C"}', "bad_request"),
        ('{"seat":null,"do":"play","card":"7C"}', "bad_request"),
        ('{"seat":false,"do":"play","card":"7C"}', "bad_request"),
        ('{"seat":0.0,"do":"play","card":"7C"}', "bad_request"),
        ('{"seat":"house","do":"play","card":"7C"}', "bad_request"),
        ('{"seat":"house","do":"deal","deck":["7C"]}', "bad_request"),
        ('{"seat":0,"do":"seal","sha256":"00"}', "bad_request"),
        ('{"seat":0,"do":"first","seat_drawn":0}', "bad_request"),
        ('{"seat":"house","do":"first","seat_drawn":0}', "not_your_turn"),
        ('{"seat":123456789012345678901234567890,"do":"play","card":"7C"}', "bad_request"),
        ('{"seat":0,"do":"play","card":123456789012345678901234567890}', "bad_request"),
    ],
)
def test_illegal_lines_name_their_code(step: str, code: str) -> None:
    assert failures(POSITION, step) == [f"2: expected a legal action got {code}"]
    for claim in ("true", f'"{code}"'):
        illegal = f'{step[:-1]},"illegal":{claim}}}'
        assert failures(POSITION, illegal, '{"seat":0,"do":"play","card":"7C"}') == []
    other = f'{step[:-1]},"illegal":"wrong_phase"}}'
    assert failures(POSITION, other, '{"expect":{"turn":0}}') == [f"2: expected wrong_phase got {code}"]


def test_an_illegal_line_that_is_accepted_fails_and_changes_nothing() -> None:
    assert failures(
        POSITION,
        '{"seat":0,"do":"play","card":"7C","illegal":true}',
        '{"seat":0,"do":"play","card":"7C","illegal":"not_held"}',
        '{"expect":{"turn":0}}',
    ) == ["2: expected a refusal got accepted", "3: expected not_held got accepted"]


def test_a_refused_action_that_leaves_a_trace_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_of = iter(["before", "after"])
    read = record.read(POSITION + '\n{"seat":1,"do":"play","card":"9C","illegal":true}')
    real = codec.encode
    monkeypatch.setattr(codec, "encode", lambda value: next(bytes_of) if isinstance(value, GAME.state) else real(value))
    [failure] = record.replay(read, GAME, Random(0)).failures
    assert failure == record.Failure(2, "expected an unchanged state got a changed one")


def test_luck_that_is_not_stated_is_drawn() -> None:
    lots = record.start(GAME, PistiRules(), 2).draw_lots(Random(3))
    assert isinstance(lots[0], First)
    assert isinstance(lots[1], Deal)
    seat = (lots[0].seat_drawn + 1) % 2
    card = lots[1].deck[4]
    played = replayed(HEADER, f'{{"seat":{seat},"do":"play","card":"{card}"}}', rng=Random(3))
    assert played.failures == ()
    assert played.log == ((HOUSE, lots[0]), (HOUSE, lots[1]), (seat, Play(card)))
    state = record.resume(GAME, PistiRules(), 2, played.log)
    assert state == played.state


def test_only_the_missing_luck_is_drawn() -> None:
    played = replayed(
        HEADER,
        '{"seat":"house","do":"first","seat_drawn":1}',
        '{"seat":0,"do":"play","card":"XX","illegal":"bad_request"}',
        '{"expect":{"phase":"hand_over"}}',
        '{"seat":1,"do":"play","card":"7C"}',
    )
    assert [seat for seat, _ in played.log] == [HOUSE, HOUSE]
    assert played.log[0] == (HOUSE, First(1))
    assert played.failures == (record.Failure(5, "expected a legal action got not_your_turn"),)


def test_an_illegal_line_never_draws_luck() -> None:
    played = replayed(
        HEADER,
        '{"seat":0,"do":"play","card":"7C","illegal":"not_your_turn"}',
        '{"expect":{"phase":"hand_over","hand":0}}',
    )
    assert played.failures == ()
    assert played.log == ()


def test_notes_stand_in_the_log_and_change_nothing() -> None:
    played = replayed(
        POSITION,
        '{"seat":"house","do":"seal","sha256":"00"}',
        '{"seat":0,"do":"play","card":"7C"}',
        '{"seat":"house","do":"reveal","salt":"11","rest":["2S",3]}',
        '{"expect":{"turn":1}}',
    )
    assert played.failures == ()
    notes = (HOUSE, fairness.Seal("00")), (0, Play("7C")), (HOUSE, fairness.Reveal("11", ("2S", 3)))  # type: ignore[arg-type]
    assert played.log == notes


# --- setups ---

TWICE = POSITION.replace('"pile":["7H"]', '"pile":["7C"]')


def test_a_refused_setup_is_said() -> None:
    assert failures(TWICE, '{"expect":{"turn":0}}') == ["1: expected a position got refused: 7C stands there twice"]
    assert replayed(TWICE).state is None


def test_a_setup_may_be_refused_on_purpose() -> None:
    assert failures(TWICE[:-1] + ',"setup_refused":true}') == []
    assert failures(POSITION[:-1] + ',"setup_refused":true}') == ["1: expected the setup refused got a position"]


@pytest.mark.parametrize("header", ['{"record":1,"game":"pisti","seats":3}', '{"record":1,"game":"pisti","seats":0}'])
def test_a_number_of_seats_that_is_none_is_refused(header: str) -> None:
    assert failures(header) == [f"1: expected a position got refused: pisti has no table for {header[-2]}"]
    with pytest.raises(BadSetup):
        record.start(GAME, PistiRules(), 3)


# --- writing ---


@given(data=st.data(), most=st.integers(0, 300))
@settings(max_examples=30)
def test_what_is_written_reads_back(data: st.DataObject, most: int) -> None:
    with data.draw(matches(GAME)) as match:
        for _ in match.steps(most):
            pass
        names = ("Ayşe", "İnci", "Işık\u2028", 'T"ü"')[: match.seats]
        text = record.dumps(GAME, match.rules, match.seats, match.log, names)
        assert text.endswith("\n")
        assert text.count("\n") == len(match.log) + 1
        read = record.read(text)
        assert read.header.names == names
        assert record.rules_of(read.header, GAME) == match.rules
        played = record.replay(read, GAME, Random(0))
        assert played.failures == ()
        assert played.log == tuple(match.log)
        assert record.dumps(GAME, match.rules, match.seats, played.log, names) == text


def test_the_header_names_the_nearest_preset() -> None:
    def header(rules: PistiRules) -> dict[str, Any]:
        return codec.decode(dict[str, Any], record.dumps(GAME, rules, 2, ()))

    assert header(PistiRules()) == {"record": 1, "game": "pisti", "seats": 2, "ruleset": "klasik"}
    assert header(PistiRules(target=51))["options"] == {"target": 51}


def test_a_house_line_says_house() -> None:
    text = record.dumps(GAME, PistiRules(), 2, [(HOUSE, First(1))])
    assert text.splitlines()[1] == '{"do":"first","seat":"house","seat_drawn":1}'


def test_the_summary_shows_the_legal_cards_of_the_seat_to_act_and_no_hand() -> None:
    match = Match(GAME, PistiRules(), 4, seed=1)
    for _ in match.steps(5):
        pass
    turn = match.state.turn
    assert turn is not None
    summary = record.summary(match.state)
    assert summary["legal"] == codec.plain(match.state.view(turn).legal)
    assert list(summary["cards"]) == []
    assert summary["seat"] is None
    assert record.summary(record.start(GAME, PistiRules(), 2))["legal"] == ()
