"""What templates call: faces and names of cards, names with suffixes, sentences. Decides nothing."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final

from flask import Flask
from markupsafe import Markup

from mokali import turkish
from mokali.engine import codec
from mokali.engine.cards import Card, Suit, cards
from mokali.engine.protocol import Event, Seat
from mokali.tables.frame import Place
from mokali.web.canvas import CUT
from mokali.web.tiles import tile_name, tile_names

SUITS: Final = {Suit.SPADES: "maça", Suit.HEARTS: "kupa", Suit.DIAMONDS: "karo", Suit.CLUBS: "sinek"}
SUIT_CLASSES: Final = {Suit.SPADES: "spade", Suit.HEARTS: "heart", Suit.DIAMONDS: "diamond", Suit.CLUBS: "club"}
COURT: Final = {"T": "10", "J": "valesi", "Q": "kızı", "K": "papazı", "A": "ası"}
NO_WORDS: Final[Mapping[str, Mapping[str, str]]] = {}
MINUTE: Final = 60_000


class Who(str):
    """A name that takes Turkish suffixes in a format string: ``{seat:in}`` is Ayşe'nin, ``{turn:de}`` Ayşe'de."""

    _SUFFIXES: Final[Mapping[str, Callable[[str], str]]] = {
        "in": turkish.genitive,
        "e": turkish.dative,
        "i": turkish.accusative,
        "de": turkish.locative,
        "den": turkish.ablative,
    }

    def __format__(self, suffix: str) -> str:
        return self._SUFFIXES[suffix](str(self)) if suffix else str(self)


class Word(str):
    """A word that may stand in capitals in a format string: ``{why:upper}``."""

    def __format__(self, case: str) -> str:
        return turkish.upper(str(self)) if case == "upper" else str(self)


def card_name(card: Card) -> str:
    """``kupa 9``, ``maça ası``, ``sinek valesi``."""
    return f"{SUITS[card.suit]} {COURT.get(card.letter, card.letter)}"


def suit_class(card: Card) -> str:
    """The style class of a card's suit."""
    return SUIT_CLASSES[card.suit]


def suit_name(suit: str) -> str:
    """``maça``; of no trump, ``kozsuz``."""
    return SUITS[Suit(suit)] if suit in list(Suit) else "kozsuz"


@lru_cache(maxsize=8)
def suit_icon(suit: str) -> Markup:
    """The drawn symbol of a suit, in its colour; of no trump, nothing."""
    if suit not in list(Suit):
        return Markup("")
    style = SUIT_CLASSES[Suit(suit)]
    return Markup('<svg class="pip {0}" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-{0}"/></svg>').format(
        style
    )


@lru_cache(maxsize=512)
def arranged(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """A hand as people hold it: suits of alternating colours side by side, each from high to low."""
    there = {card.suit for card in cards}
    red = [suit for suit in (Suit.HEARTS, Suit.DIAMONDS) if suit in there]
    black = [suit for suit in (Suit.CLUBS, Suit.SPADES) if suit in there]
    first, second = (black, red) if len(black) > len(red) else (red, black)
    order = [suit for pair in zip_longest(first, second) for suit in pair if suit is not None]
    return tuple(sorted(cards, key=lambda card: (order.index(card.suit), -card.rank)))


def signed(value: int) -> str:
    """A number that is added or taken away: +3, −2, 0."""
    return f"+{value}" if value > 0 else num(value)


def num(value: int) -> str:
    """A whole number with a real minus sign."""
    return str(value).replace("-", "−")


@lru_cache(maxsize=256)
def who(name: str) -> Markup:
    """A name on its own, so that its direction disturbs nothing around it (RL-11)."""
    return Markup("<bdi>{}</bdi>").format(name)


@lru_cache(maxsize=64)
def icon(name: str) -> Markup:
    """A drawn symbol of the page's sprite."""
    return Markup('<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-{}"/></svg>').format(name)


def ago(milliseconds: int) -> str:
    """How long something has lasted, in words."""
    minutes = milliseconds // MINUTE
    if minutes < 1:
        return "az önce"
    return f"{minutes} dk" if minutes < 60 else f"{minutes // 60} sa"


def sentence(
    template: str,
    facts: Mapping[str, object],
    names: Sequence[str],
    words: Mapping[str, Mapping[str, str]] = NO_WORDS,
    okey: str | None = None,
) -> str:
    """``template`` with its facts in words: seats, cards and tiles are named, and ``words`` has the game's own.

    ``okey`` is the face of the okeys where there are any.
    """
    said = {key: _in_words(key, value, names, okey) for key, value in facts.items()}
    known = {key: words[key][code] for key in facts if (code := _code(facts[key])) in words.get(key, ())}
    own = {key: Word(word.format_map(said)) for key, word in known.items()}
    text = template.format_map(said | own)
    return turkish.capital(text) if template.startswith(_NOUNS) else text


def told(
    events: Sequence[Event],
    sentences: Mapping[str, str],
    names: Sequence[str],
    words: Mapping[str, Mapping[str, str]] = NO_WORDS,
    okey: str | None = None,
) -> list[str]:
    """What happened, one sentence per event that has one."""
    return [
        sentence(sentences[tag], _facts(event), names, words, okey)
        for event in events
        if (tag := codec.kind_of(event)) in sentences
    ]


def register(app: Flask) -> None:
    """Hand the filters to the app's templates."""

    @lru_cache(maxsize=64)
    def inner(card: Card) -> Markup:
        return Markup(app.jinja_env.get_template("parts/card.html").render(card=card))

    def seat_part(name: str, *facts: str) -> Callable[..., Markup]:
        """Draws one of the seats in parts/ with what is known of it, in this order; what is left out is None."""

        @lru_cache(maxsize=2048)
        def drawn(place: Place, *values: object) -> Markup:
            known = dict(zip_longest(facts, values))
            return Markup(app.jinja_env.get_template(f"parts/{name}.html").render(place=place, **known))

        return drawn

    app.jinja_env.filters.update(
        arranged=arranged,
        suit_name=suit_name,
        suit_icon=suit_icon,
        signed=signed,
        capital=turkish.capital,
        inner=inner,
        card_seat=seat_part("card_seat", "cards", "won"),
        trick_seat=seat_part("trick_seat", "label", "taken", "target", "trump"),
        point_seat=seat_part("point_seat", "points", "lost"),
        tavla_seat=seat_part("tavla_seat", "pips", "off", "colour"),
        cards=cards,
        card_name=card_name,
        suit_class=suit_class,
        num=num,
        who=who,
        ago=ago,
        minutes=minutes,
        gen=turkish.genitive,
        dat=turkish.dative,
        acc=turkish.accusative,
        loc=turkish.locative,
        abl=turkish.ablative,
        fold=turkish.fold,
    )
    app.jinja_env.globals.update(icon=icon, cut=Markup(CUT))


def minutes(milliseconds: int) -> str:
    """A stretch of time as clocks show it: "1:05"."""
    return "{}:{:02}".format(*divmod(-(-milliseconds // 1000), 60))


_SEATS: Final = frozenset({"seat", "turn", "other"})
_NOUNS: Final = ("{tile", "{card", "{suit")
"""What has no capital of its own where a sentence begins with it."""


def _in_words(key: str, value: object, names: Sequence[str], okey: str | None) -> object:
    if isinstance(value, Card):
        return card_name(value)
    if isinstance(value, Suit):
        return Word(SUITS[value])
    if key == "tile" and isinstance(value, str):
        return tile_name(value, okey)
    if key == "tiles" and isinstance(value, tuple):
        return tile_names(value, okey)
    if key in _SEATS:
        return Who(names[value]) if isinstance(value, int) and 0 <= value < len(names) else Who("Masa")
    return num(value) if isinstance(value, int) and value < 0 else value


def _code(value: object) -> str:
    """What ``Texts.words`` calls a value."""
    return str(value).lower()


def _facts(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def seat_in(event: Event) -> Seat | None:
    """The seat that an event is about, where it is about one."""
    seat = _facts(event).get("seat")
    return seat if isinstance(seat, int) else None
