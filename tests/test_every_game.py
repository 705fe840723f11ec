"""What every registered game promises (ARCHITECTURE, 14), on random matches. Knows no game by name."""

import itertools
import pkgutil
import re
import sys
import typing
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mokali.games
from mokali.engine import codec, fairness, record
from mokali.engine.protocol import (
    HOUSE,
    Action,
    Common,
    Event,
    Game,
    HandEnded,
    IllegalAction,
    MalformedAction,
    ends_hand,
)
from mokali.games import AHEAD, BY_KEY, GAMES, RULES
from mokali.tables import texts as table_texts
from mokali.tables.table import (
    REQUESTS,
    BotSat,
    CameBack,
    LeftTable,
    No,
    TakenBack,
    TimedOut,
    TookOver,
    WentAway,
    Why,
)
from mokali.web import filters
from tests import contract
from tests.matches import Match, Step, fields, house_rules, matches, values_of

every_game = pytest.mark.parametrize("game", RULES.values(), ids=RULES)
seeds = st.integers(0, 2**32 - 1)
Rounds = Callable[[int, int], int]
OF_A_KIND: typing.Final = 40
"""So many in a match: where every throw begins something, more would be more of the same."""
LONG: typing.Final = 250


def sampled(match: Match, rng: Random, share: float) -> typing.Iterator[Step]:
    """The steps at which something ends or begins, the first of each kind, and about so many of the others.

    After ``LONG`` steps a tenth of those: a match of many hands repeats itself.
    """
    met: Counter[tuple[str, str, bool]] = Counter()
    for step in match.steps():
        kind = (step.before.phase, step.after.phase, step.after.turn in (None, HOUSE))
        met[kind] += 1
        turns = kind[0] != kind[1] or kind[2]
        chance = share if met.total() <= LONG else share / 10
        if rng.random() < chance or (turns and met[kind] <= OF_A_KIND):
            yield step


# --- playing ---


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_cm_8_every_offered_move_is_accepted(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        for step in sampled(match, Random(seed), 0.3):
            contract.offered_moves_are_accepted(step.before)
        contract.offered_moves_are_accepted(match.state)


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_cm_1_outsiders_are_refused_and_change_nothing(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        tried: Sequence[Action] = ()
        for step in sampled(match, Random(seed), 0.2):
            contract.outsiders_are_refused(step.before)
            tried = step.before.moves(step.seat) or tried
            if step.after.turn in (None, HOUSE) and step.after.phase in ("hand_over", "over"):
                contract.nobody_plays_now(step.after, tried)


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_forged_luck_is_refused_and_changes_nothing(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        rng = Random(seed)
        lots = match.state.draw_lots(rng)
        contract.forged_luck_is_refused(match.state, lots)
        contract.luck_cannot_be_spelt(game, lots)
        for step in sampled(match, rng, 0.1):
            if step.after.turn == HOUSE:
                lots = (*lots[:2], *step.after.draw_lots(rng)[:2])
            contract.forged_luck_is_refused(step.after, lots)


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_cm_2_the_same_action_gives_the_same_state(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        for step in sampled(match, Random(seed), 0.3):
            before = codec.encode(step.before)
            again, events = codec.decode(game.state, before).play(step.seat, step.action)
            assert codec.encode(again) == codec.encode(step.after)
            assert tuple(map(codec.encode, events)) == tuple(map(codec.encode, step.events))
            assert codec.encode(step.before) == before, "playing changed the state it was played on"


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_ab_8_idle_is_legal_and_sees_one_view(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        for step in sampled(match, Random(seed), 0.3):
            contract.idle_is_legal(step.before, Random(seed))


@every_game
@given(data=st.data())
@settings(max_examples=10)
def test_ab_8_the_clock_alone_can_play_a_match_to_its_end(game: Game, data: st.DataObject) -> None:
    """Or from hand to hand, where only what people do costs the points that end it (KL-18)."""
    with data.draw(matches(game)) as match:
        enough = 3 if hasattr(match.rules, "start_points") else 10_000
        hands = 0
        for _ in range(10_000):
            if match.state.turn is None or hands == enough:
                break
            step = match.step(None if match.state.turn == HOUSE else match.state.idle(match.state.turn))
            hands += ends_hand(step.events)
        assert match.state.turn is None or hands == enough


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_views_places_and_winners_agree(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        hands = 0
        for step in sampled(match, Random(seed), 0.2):
            contract.views_tell_the_result(step.before)
            for event in step.events:
                if isinstance(event, HandEnded):
                    hands += 1
                    assert event.scores == step.after.view(None).scores
                    assert event.reason == step.after.view(None).reason
                    assert step.after.phase in ("hand_over", "over")
        contract.views_tell_the_result(match.state)
        assert match.state.result is not None
        assert hands >= 1


# --- text ---


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_every_value_survives_the_wire(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        for step in sampled(match, Random(seed), 0.2):
            contract.values_survive_the_wire(game, step.before, step.action, step.events)
            contract.values_survive_the_wire(game, step.after, step.action, ())


@every_game
@given(data=st.data(), most=st.integers(0, 400))
@settings(max_examples=25)
def test_rl_45_replay_of_the_log_is_the_checkpoint(game: Game, data: st.DataObject, most: int) -> None:
    with data.draw(matches(game)) as match:
        for _ in match.steps(most):
            pass
        checkpoint = codec.encode(match.state)
        assert codec.encode(record.resume(game, match.rules, match.seats, match.log)) == checkpoint
        again = record.read(match.text())
        assert record.game_of(again, RULES) is game
        assert record.rules_of(again.header, game) == match.rules
        played = record.replay(again, game, Random(0))
        assert played.failures == ()
        assert played.log == tuple(match.log)
        assert played.state is not None
        assert codec.encode(played.state) == checkpoint


@every_game
@given(data=st.data())
@settings(max_examples=15)
def test_a_state_has_no_unknown_field_and_misses_none(game: Game, data: st.DataObject) -> None:
    with data.draw(matches(game)) as match:
        for _ in match.steps(data.draw(st.integers(0, 60))):
            pass
        plain = codec.plain(match.state)
        codec.decode(game.state, codec.encode(plain))
        with pytest.raises(MalformedAction):
            codec.decode(game.state, codec.encode({**plain, "luck": 1}))
        field = data.draw(st.sampled_from(sorted(plain)))
        with pytest.raises(MalformedAction):  # a field has no default: an old checkpoint fails, it never lies
            codec.decode(game.state, codec.encode({key: value for key, value in plain.items() if key != field}))


@every_game
def test_decoders_build(game: Game) -> None:
    for kinds in (game.actions + REQUESTS, game.actions + game.lots + fairness.NOTES, game.lots + fairness.NOTES):
        with pytest.raises(MalformedAction):  # a TypeError where two kinds share a tag
            codec.read_action(kinds, '{"do":"no_such_thing"}')
        words = [kind.__struct_config__.tag for kind in kinds]
        assert len(words) == len(set(words))


# --- secrets ---


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=20)
def test_cm_9_an_imagined_world_looks_the_same(rounds: Rounds, game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        rng = Random(seed)
        for step in sampled(match, rng, rounds(3, 30) / 100):
            contract.imagined_worlds_look_the_same(step.after, rng)


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_cm_9_imagined_worlds_differ(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        rng = Random(seed)
        for step in sampled(match, rng, 0.1):
            contract.imagined_worlds_differ(step.before, rng)


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=20)
def test_cm_9_no_view_names_what_is_another_seats_own(game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        for step in sampled(match, Random(seed), 0.5):
            contract.views_name_nothing_of_others(step.after)


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=20)
def test_cm_9_a_move_tells_the_same_in_every_imagined_world(
    rounds: Rounds, game: Game, data: st.DataObject, seed: int
) -> None:
    with data.draw(matches(game)) as match:
        rng, compared = Random(seed), 0
        for step in sampled(match, rng, rounds(4, 20) / 100):
            compared += contract.moves_are_public(step.before, step.seat, step.action, rng)
        assert compared > 0


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=15)
def test_cm_9_refusals_say_nothing_hidden(rounds: Rounds, game: Game, data: st.DataObject, seed: int) -> None:
    with data.draw(matches(game)) as match:
        rng = Random(seed)
        for step in sampled(match, rng, rounds(4, 15) / 100):
            tried = [move for seat in contract.seats_of(step.before) for move in step.before.moves(seat)]
            contract.refusals_are_discreet(step.after, tried, rng)


# --- sealed luck ---


@every_game
@given(data=st.data(), seed=seeds, salt=st.integers(0, 2**128 - 1))
@settings(max_examples=25)
def test_rl_36_seals_open_and_tampered_luck_does_not(game: Game, data: st.DataObject, seed: int, salt: int) -> None:
    rng, rules = Random(seed), data.draw(house_rules(game))
    lots = record.start(game, rules, data.draw(st.sampled_from(game.seats))).draw_lots(rng)
    words, text = fairness.words(lots), f"{salt:032x}"
    seal = (HOUSE, fairness.Seal(fairness.seal(words, text)))
    played = [(HOUSE, lot) for lot in lots]
    reveal = (HOUSE, fairness.Reveal(text))
    assert fairness.broken([seal, *played, reveal], game.lots) is None
    assert fairness.broken([seal, *played, (HOUSE, fairness.Reveal(f"{salt ^ 1:032x}"))], game.lots) is not None
    assert fairness.broken([*played, seal, reveal], game.lots) is not None
    assert fairness.broken([seal, *played], game.lots) is not None
    other = record.start(game, rules, game.seats[0]).draw_lots(rng)
    if fairness.words(other) != words:
        assert fairness.broken([seal, *((HOUSE, lot) for lot in other), reveal], game.lots) is not None
    place = data.draw(st.integers(0, len(words) - 1))
    tampered = (*words[:place], words[place] + "x", *words[place + 1 :])
    assert fairness.seal(tampered, text) != fairness.seal(words, text)
    rest = fairness.Reveal(text, fairness.words(lots[1:]))
    assert fairness.broken([seal, played[0], (HOUSE, rest)], game.lots) is None, "the unused luck opens it too"


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=25)
def test_lots_are_all_the_luck_of_a_hand(game: Game, data: st.DataObject, seed: int) -> None:
    """Each is accepted in its turn, and the first seat to act finds the luck ready."""
    rules = data.draw(house_rules(game))
    state = record.start(game, rules, data.draw(st.sampled_from(game.seats)))
    lots = state.draw_lots(Random(seed))
    assert lots
    for lot in lots:
        if state.turn != HOUSE:
            break
        state, _ = state.play(HOUSE, lot)
    assert state.turn is not None
    assert state.turn >= 0


# --- words ---


NAMES = ("Ayşe", "Umut", "Ece", "Can")


def sentence(game: Game, template: str, facts: Mapping[str, object]) -> str:
    """The sentence as it is shown, seats as names."""
    text = filters.sentence(template, facts, NAMES, game.texts.words, "Y6")
    assert text.strip()
    assert not re.search(r"[{}_]|None|True|False|\b[RYBK]\d", text), text
    return text


def kinds_of_event(game: Game) -> list[type[Event]]:
    """Every event that a game can tell: its own, and those of the engine that its modules take."""
    package = game.state.__module__.rpartition(".")[0] + "."
    modules = [module for name, module in sys.modules.items() if name.startswith(package)]
    known = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    return [*(kind for kind in Event.__subclasses__() if kind in known - {HandEnded}), HandEnded]


def tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


@every_game
def test_every_event_has_a_sentence(game: Game) -> None:
    assert set(game.texts.events) == {tag(kind) for kind in kinds_of_event(game)}
    assert set(game.texts.toasts) <= set(game.texts.events)
    assert set(game.texts.sounds) <= set(game.texts.events)
    for kind in kinds_of_event(game):
        kinds = typing.get_type_hints(kind)
        said = {field: values_of(kinds[field]) or ("7",) for field in kind.__struct_fields__}
        said |= {"seat": (1,), "tile": ("R7",), "tiles": (("R7",),)}
        for values in itertools.product(*said.values()):
            known = dict(zip(said, values, strict=True))
            sentence(game, game.texts.events[tag(kind)], known)
            if tag(kind) in game.texts.toasts:
                sentence(game, game.texts.toasts[tag(kind)], known)


@every_game
def test_every_refusal_has_a_sentence_and_a_rule(game: Game) -> None:
    package = game.state.__module__.rpartition(".")[0] + "."
    modules = [module for name, module in sys.modules.items() if name.startswith(package)]
    own: Sequence[StrEnum] = next((tuple(module.No) for module in modules if hasattr(module, "No")), ())
    assert list(game.texts.refusals) == [*Common, *own], "all of them, in the order of CM-7"
    for text, rule in game.texts.refusals.values():
        assert text.endswith(".")
        assert _is_rule(rule)


@every_game
@given(data=st.data(), seed=seeds)
@settings(max_examples=10)
def test_what_happens_can_be_said(game: Game, data: st.DataObject, seed: int) -> None:
    """Sentences of events, refusals, phases and reasons format with what a real match puts into them."""
    texts = game.texts
    with data.draw(matches(game)) as match:
        for step in sampled(match, Random(seed), 0.3):
            for viewer in contract.viewers_of(step.after):
                mine, others = texts.prompts[texts.cue(step.after.view(viewer))]
                assert 0 < len(mine) <= 40, "the step line's length (UX 4.1)"
                assert 0 < len(sentence(game, others, {"who": "Ayşe"})) <= 40
            for event in step.events:
                sentence(game, texts.events[tag(type(event))], msgspec.structs.asdict(event))
                if isinstance(event, HandEnded):
                    assert texts.reasons[event.reason]
            for seat in contract.seats_of(step.after):
                for action in step.before.moves(step.seat):
                    try:
                        step.after.play(seat, action)
                    except IllegalAction as refusal:
                        sentence(game, texts.refusals[refusal.reason][0], refusal.facts)


@every_game
@given(data=st.data())
@settings(max_examples=5)
def test_every_phase_that_a_refusal_names_has_a_word(game: Game, data: st.DataObject) -> None:
    if any("{phase" in text for text, _ in game.texts.refusals.values()):
        with data.draw(matches(game)) as match:
            met = {step.after.phase for step in match.steps()}
            assert met <= set(game.texts.words.get("phase", ())), "words for {phase}"


@every_game
def test_every_rule_and_its_values_have_words(game: Game) -> None:
    kinds = {type(rules) for rules in game.rulesets.values()}
    assert len(kinds) == 1
    kind = kinds.pop()
    known = fields(kind)
    assert kind.fixed <= set(known)
    assert set(game.texts.rules) == set(known) - kind.fixed
    for field, choice in game.texts.rules.items():
        assert choice.label
        assert choice.meaning
        assert _is_rule(choice.rule)
        values = {codec.encode(value).strip('"') for value in values_of(known[field])}
        assert not values or set(choice.values) == values, f"{field}: {sorted(values)}"
    assert set(game.texts.rulesets) == set(game.rulesets)
    assert all(game.texts.rulesets.values())
    assert game.texts.summary


@every_game
@given(data=st.data())
@settings(max_examples=20)
def test_every_match_has_a_length(game: Game, data: st.DataObject) -> None:
    rules = data.draw(house_rules(game))
    lengths = {(game.partners(rules, seats), game.texts.length(rules, seats)) for seats in game.seats}
    assert all(length for _, length in lengths)
    together = {length for partners, length in lengths if partners}
    assert together.isdisjoint(length for partners, length in lengths if not partners), "it says who has a partner"


def test_every_refusal_and_end_of_a_table_has_a_sentence() -> None:
    assert set(table_texts.REFUSALS) == set(No)
    assert all(text.endswith(".") and _is_rule(rule) for text, rule in table_texts.REFUSALS.values())
    assert set(table_texts.ENDS) == set(Why)
    assert set(table_texts.EVENTS) == {
        tag(kind) for kind in (WentAway, CameBack, LeftTable, BotSat, TookOver, TimedOut, TakenBack)
    }
    for text in table_texts.EVENTS.values():
        assert filters.sentence(text, {"seat": 1}, NAMES)


def _is_rule(rule: str) -> bool:
    chapter, _, number = rule.partition("-")
    return chapter.isalpha() and chapter.isupper() and number.isdigit()


# --- the registry ---


def test_every_package_under_games_is_registered() -> None:
    packages = {module.name for module in pkgutil.iter_modules(mokali.games.__path__) if module.ispkg}
    assert packages == set(RULES)
    assert list(BY_KEY) == [game.key for game in GAMES]
    assert list(RULES) == [game.key for game in GAMES + AHEAD]


@every_game
def test_a_declaration_is_whole(game: Game) -> None:
    assert game.name
    assert game.edition >= 1
    assert game.seats
    assert not any(game.partners(rules, seats) for rules in game.rulesets.values() for seats in {*game.seats} - {4})
    assert set(game.test_seats) <= set(game.seats[1:]), "the usual number is recorded"
    assert set(game.offered) <= set(game.rulesets)
    assert (game.offered or tuple(game.rulesets))[0] == next(iter(game.rulesets))
    assert issubclass(game.state, msgspec.Struct)
    assert not set(game.actions) & set(game.lots)
    for seats in game.seats:
        for rules in game.rulesets.values():
            state = record.start(game, rules, seats)
            assert len(contract.seats_of(state)) == seats
            assert (state.phase, state.turn) == ("hand_over", HOUSE) or state.turn is not None
            assert type(state.view(None)) is game.view
