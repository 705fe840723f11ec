"""A table's rules as people choose and read them: what a form offers, what was chosen, what differs from a preset."""

from collections.abc import Iterable, Mapping
from itertools import accumulate, groupby
from typing import Any, Final

from msgspec import Struct

from mokali import turkish
from mokali.engine import codec
from mokali.engine.protocol import Choice, Game, MalformedAction, Rules
from mokali.tables.terms import MODES, Absence
from mokali.tables.texts import ABSENCES, CLOCKS

PARTNERED: Final = "partnered"
"""The field of the rules that makes opposite seats partners, in games where that can be chosen."""
NO_PARTNERS: Final = "Eşli oyun dört kişiyle oynanır: dört kişi seç ya da tekli oyna."


NO_CLOCK: Final = "“Süre işler” demek için hamle süresi seç: süresiz masada işleyecek süre yok."


class Option(Struct, frozen=True):
    """One value of a field."""

    value: str
    label: str
    checked: bool
    usual: bool
    """The preset's own."""
    said: str
    """In the line that says what will be played."""
    seats: tuple[int, ...] | None = None
    """The numbers of people with which alone it can be chosen."""


class Field(Struct, frozen=True):
    """One field of the form."""

    name: str
    choice: Choice
    options: tuple[Option, ...]

    @property
    def chosen(self) -> Option:
        """What is checked."""
        return next((option for option in self.options if option.checked), self.options[0])


class Form(Struct, frozen=True):
    """What can be chosen for a table of one game, as it was filled in."""

    game: Game
    ruleset: str
    rulesets: Mapping[str, str]
    """The presets that are offered, by key: their names."""
    seats: tuple[Option, ...]
    basic: tuple[Field, ...]
    advanced: tuple[Field, ...]
    settled: tuple[str, ...]
    """What else is chosen at every table, in words, where the preset leaves no choice."""
    clock: tuple[Option, ...]
    """Move clocks (PT-8)."""
    absence: tuple[Option, ...]
    """What absence means (AB-2)."""
    assist: bool
    spectator_voice: bool
    listed: bool

    @property
    def said(self) -> list[str]:
        """What will be played, in a line."""
        chosen = [*(option for option in self.seats if option.checked), *(field.chosen for field in self.basic)]
        chosen += [option for option in (*self.clock, *self.absence) if option.checked]
        words = [option.said for option in chosen if option.said]
        words += [] if self.assist else [ASSIST_OFF]
        words += [SPECTATOR_VOICE] if self.spectator_voice else []
        return [self.rulesets[self.ruleset], *self.settled, *words, *([] if self.listed else [UNLISTED])]

    @property
    def sections(self) -> list[tuple[str, list[Field]]]:
        """The advanced fields under their headings, in the order of the game's words."""
        names, headings = tuple(self.game.texts.rules), self.game.texts.headings
        standing: Iterable[str] = accumulate([headings.get(name, "") for name in names], _or_as_before)
        above = dict(zip(names, standing, strict=True))
        return [(heading, list(some)) for heading, some in groupby(self.advanced, lambda field: above[field.name])]

    @property
    def differences(self) -> list[str]:
        """What of it differs from the preset."""
        return [field.chosen.said for field in self.advanced if not field.chosen.usual]


def _or_as_before(before: str, heading: str) -> str:
    return heading or before


class Unplayable(ValueError):
    """Choices that don't go together; the text says what to do."""


ASSIST_OFF: Final = "dizme yardımı kapalı"
SPECTATOR_VOICE: Final = "izleyenler de konuşur"
UNLISTED: Final = "yalnızca bağlantıyla"


def presets(game: Game) -> dict[str, Rules]:
    """The presets that tables are opened with, the usual one first."""
    return {key: game.rulesets[key] for key in game.offered or game.rulesets}


def preset_of(game: Game, rules: Rules, opened: str = "") -> str:
    """The preset that a table was opened with; where that is not known, the one from which its rules differ least."""
    chosen, known = codec.plain(rules), presets(game)
    if opened in known:
        return opened

    def distance(key: str) -> int:
        usual = codec.plain(known[key])
        return sum(chosen[name] != usual[name] for name in chosen if not _is_basic(game, name))

    return min(known, key=distance)


def named(game: Game, preset: str) -> str:
    """The name of a preset, where a table had a choice of several."""
    return game.texts.rulesets[preset] if len(presets(game)) > 1 else ""


def differences(game: Game, rules: Rules, preset: str) -> list[dict[str, str]]:
    """What differs from the preset, in words; what ``texts.length`` says is not counted."""
    usual, chosen = codec.plain(game.rulesets[preset]), codec.plain(rules)
    return [
        {"label": choice.label, "value": choice.values.get(_text(chosen[name]), _text(chosen[name]))}
        for name, choice in game.texts.rules.items()
        if not choice.basic and chosen[name] != usual[name]
    ]


def form(game: Game, given: Mapping[str, str]) -> Form:
    """The form, with what was chosen where it is offered, else with what is usual."""
    known = presets(game)
    key = given.get("ruleset", "")
    key = key if key in known else next(iter(known))
    fields = [_field(game, known[key], name, given.get(name, "")) for name in game.texts.rules]
    offered = [field for field in fields if len(field.options) > 1]
    return Form(
        game=game,
        ruleset=key,
        rulesets={key: game.texts.rulesets[key] for key in known},
        seats=_seats(game, known[key], given.get("seats", "")),
        basic=tuple(field for field in offered if field.choice.basic),
        advanced=tuple(field for field in offered if not field.choice.basic),
        settled=tuple(field.chosen.said for field in fields if field.choice.basic and len(field.options) == 1),
        clock=_clock(known[key], given.get("clock")),
        absence=_absence(known[key], given.get("absence")),
        assist=game.assist is None or given.get("assist") != "false",
        spectator_voice=given.get("spectator_voice") == "true",
        listed=given.get("listed") != "false",
    )


def chosen(game: Game, given: Mapping[str, str]) -> tuple[int, Rules]:
    """Seats and rules of a form. Raises MalformedAction where something is not offered, Unplayable."""
    known = presets(game)
    preset = known.get(given.get("ruleset", next(iter(known))))
    seats = given.get("seats", str(game.seats[0]))
    if preset is None or seats not in map(str, game.seats):
        raise MalformedAction("not offered")
    fields = {name: given[name] for name in game.texts.rules if name in given}
    if not all(value in _values(game, preset, name) for name, value in fields.items()):
        raise MalformedAction("not offered")
    rules = codec.convert(type(preset), {**codec.plain(preset), **fields}, strict=False)
    if getattr(rules, PARTNERED, False) and not game.partners(rules, int(seats)):
        raise Unplayable(NO_PARTNERS)
    return int(seats), rules


def kept(rules: Rules, given: Mapping[str, str]) -> tuple[int | None, Absence]:
    """Move clock and absence of a form, else what the preset was made for.

    Raises MalformedAction where something is not offered, Unplayable.
    """
    clocks = {_text(seconds): seconds for seconds in CLOCKS}
    clock = given.get("clock", _text(_usual_clock(rules)))
    absence = next((key for key in ABSENCES if key == given.get("absence", _usual_absence(rules))), None)
    if clock not in clocks or absence is None:
        raise MalformedAction("not offered")
    if absence == "auto" and clocks[clock] is None:
        raise Unplayable(NO_CLOCK)
    return clocks[clock], absence


def _usual_clock(rules: Rules) -> int | None:
    return getattr(rules, "turn_seconds", 0) or None


def _usual_absence(rules: Rules) -> Absence:
    return MODES[getattr(rules, "mode", "casual")]


def _clock(preset: Rules, given: str | None) -> tuple[Option, ...]:
    known, usual = {_text(seconds): seconds for seconds in CLOCKS}, _text(_usual_clock(preset))
    chosen = given if given in known else usual
    return tuple(
        Option(
            value,
            "Yok" if seconds is None else value,
            value == chosen,
            value == usual,
            "" if seconds is None else f"hamle {seconds} sn",
        )
        for value, seconds in known.items()
    )


def _absence(preset: Rules, given: str | None) -> tuple[Option, ...]:
    usual = _usual_absence(preset)
    chosen = given if given in ABSENCES else usual
    return tuple(
        Option(value, label, value == chosen, value == usual, said) for value, (label, said) in ABSENCES.items()
    )


def _is_basic(game: Game, name: str) -> bool:
    choice = game.texts.rules.get(name)
    return choice is not None and choice.basic


def _seats(game: Game, preset: Rules, given: str) -> tuple[Option, ...]:
    usual = str(game.seats[0])
    given = given if given in map(str, game.seats) else usual
    options = []
    for count in game.seats:
        label = f"{count} kişi"
        if count in game.test_seats:
            label += ", kayıtsız"
        elif game.partners(preset, count):
            label += ", eşli"
        said = "" if game.test_seats and str(count) == usual else label
        options.append(Option(str(count), label, str(count) == given, str(count) == usual, said))
    return tuple(options)


def _field(game: Game, preset: Rules, name: str, given: str) -> Field:
    choice, usual = game.texts.rules[name], _text(getattr(preset, name))
    values = _values(game, preset, name)
    given = given if given in values else usual
    options = []
    for value, label in values.items():
        said = choice.said.format(value=turkish.lower(label)) if choice.basic else f"{choice.label}: {label}"
        seats = _partner_seats(game, preset) if (name, value) == (PARTNERED, "true") else None
        options.append(Option(value, label, value == given, value == usual, said, seats))
    return Field(name, choice, tuple(options))


def _partner_seats(game: Game, preset: Rules) -> tuple[int, ...]:
    paired = codec.convert(type(preset), {**codec.plain(preset), PARTNERED: True})
    return tuple(count for count in game.seats if game.partners(paired, count))


def _values(game: Game, preset: Rules, name: str) -> dict[str, str]:
    """The values of a field that this preset allows, with their words."""
    plain = codec.plain(preset)

    def fits(value: str) -> bool:
        try:
            codec.convert(type(preset), {**plain, name: value}, strict=False)
        except MalformedAction:
            return False
        return True

    return {value: label for value, label in game.texts.rules[name].values.items() if fits(value)}


def _text(value: Any) -> str:
    """A value as a form sends it."""
    return codec.encode(value).strip('"')
