"""The whole contract between a game and the house. Knows no game, table, clock or network."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Any, ClassVar, Final, Self, TypeAlias

from msgspec import Struct

Seat: TypeAlias = int
"""0..n-1 in turn order; seat+1 is the right-hand neighbour, who plays next (CM-3)."""

HOUSE: Final[Seat] = -1
"""The seat that shuffles and rolls."""


def snake(name: str) -> str:
    """The tag of a class name: ``CardPlayed`` is ``card_played``."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class MalformedAction(ValueError):
    """Not a message we know: a broken or hostile client (`bad_request`). Dropped and counted, never shown."""


class IllegalAction(ValueError):
    """The rules refuse it. ``reason`` is a code of the rule book; ``facts`` are things that seat may know."""

    def __init__(self, reason: StrEnum, **facts: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class BadSetup(ValueError):
    """A position that breaks an invariant; its one line says which."""


class Common(StrEnum):
    """The refusals that every game shares, in the order of CM-7."""

    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    NOT_HELD = "not_held"


class Action(Struct, frozen=True, tag_field="do", tag=snake, omit_defaults=True):
    """What a seat, or the house, does."""


class Event(Struct, frozen=True, tag_field="event", tag=snake):
    """What everybody at the table saw. Never a secret: those live in views alone (CM-9)."""


class HandEnded(Event, frozen=True):
    """A hand is over, however it ended; ``scores`` are per seat."""

    scores: tuple[int, ...]
    reason: str


def ends_hand(events: Iterable[Event]) -> bool:
    """Whether a hand has ended: luck that was drawn for it and is left over is void."""
    return any(isinstance(event, HandEnded) for event in events)


class Stroke(Struct, frozen=True):
    """What chance has given a seat, and what it gives on average: ``mean`` and ``variance`` of ``count``."""

    what: str
    seat: Seat
    count: int
    mean: float
    variance: float


def no_strokes(lot: Action, after: Any) -> Sequence[Stroke]:
    """Nothing is counted."""
    return ()


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules as data: flat fields of bool, int, enums and tuples of them."""

    fixed: ClassVar[frozenset[str]] = frozenset()
    """Fields that are the preset's affair: no table chooses them, so they have no words."""


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position to start from, as in a record's header."""


class View(Struct, frozen=True, kw_only=True):
    """All that one seat may know (CM-9), complete: a bot needs nothing else."""

    seat: Seat | None
    turn: Seat | None
    phase: str
    hand: int
    scores: tuple[int, ...] | None
    totals: tuple[int, ...]
    over: bool
    winners: tuple[Seat, ...]
    reason: str | None


class Result(Struct, frozen=True):
    """How a match ended: totals and places per seat, places from 1; ties share a place."""

    totals: tuple[int, ...]
    places: tuple[int, ...]


class State(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One whole match, from the first shuffle to the result. Never changes."""

    @classmethod
    @abstractmethod
    def start(cls, rules: Any, seats: int, setup: Any = None) -> Self:
        """A match before its first deal, or in the position of ``setup``. Raises BadSetup."""

    @property
    @abstractmethod
    def phase(self) -> str:
        """``hand_over`` between hands and before the first deal, ``over`` at the end."""

    @property
    @abstractmethod
    def turn(self) -> Seat | None:
        """Who is to act: a seat, HOUSE where luck is due, None at the end."""

    @property
    @abstractmethod
    def result(self) -> Result | None:
        """The result once ``turn`` is None."""

    @abstractmethod
    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        """All the luck of the hand ahead, in the order in which the house will play it."""

    @abstractmethod
    def moves(self, seat: Seat) -> Sequence[Action]:
        """Some legal actions of ``seat``; at least one whenever it is on turn (CM-8)."""

    @abstractmethod
    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        """The match after ``action``. Raises IllegalAction, and then nothing has changed (CM-1)."""

    @abstractmethod
    def view(self, seat: Seat | None) -> Any:
        """What ``seat`` may know; None is a spectator."""

    @classmethod
    @abstractmethod
    def imagine(cls, view: Any, rng: Random) -> Self:
        """A match that looks like ``view`` from that seat; what it can't know is drawn anew."""

    @abstractmethod
    def idle(self, seat: Seat) -> Action:
        """What the clock plays for ``seat`` when it is on turn (AB-8)."""


class Mind(Struct, frozen=True):
    """All that a bot gets. ``left`` tells the seconds left to think."""

    view: View
    moves: Sequence[Action]
    imagine: Callable[[], State]
    rng: Random
    left: Callable[[], float]


Bot: TypeAlias = Callable[[Mind], Action]
Why: TypeAlias = Callable[[Mind, Action], str]
"""One Turkish sentence on what speaks for an action, from the view alone."""


class Level(Struct, frozen=True):
    """A bot's strength: how it thinks, and for how many seconds it may."""

    think: Bot
    seconds: float = 0.0


class Reading(Struct, frozen=True):
    """One way to read a group of rack tiles: ``run``, ``group`` or ``pair``, and its points or tiles; 0 for a pair."""

    kind: str
    value: int


class Assist(Struct, frozen=True):
    """What helps to arrange a rack: sorts and values it, changes nothing. Asks views, so it tells no secret."""

    read: Callable[[Any, str | None, tuple[str, ...]], tuple[Reading, ...]]
    """All that tiles are together by these rules with this okey, in this order; empty where they are nothing."""
    sort: Callable[[Any, str], tuple[tuple[str, ...], ...]]
    """All tiles of the view's rack in groups: by ``runs``, or by ``pairs``."""


class Choice(Struct, frozen=True):
    """A field of the rules in Turkish: its label, one line that explains it, its rule id, and words for its values."""

    label: str
    meaning: str
    rule: str
    values: Mapping[str, str] = {}
    basic: bool = False
    """Chosen at every table, and said by ``Texts.length``."""
    said: str = "{value}"
    """How a basic field's value is said in a line: "{value} el"."""


def by_phase(view: View) -> str:
    """The usual cue: what there is to do follows from the phase."""
    return view.phase


class Texts(Struct, frozen=True, kw_only=True):
    """A game in Turkish. Templates name facts in braces: names are filled in where the sentence is shown."""

    summary: str
    refusals: Mapping[str, tuple[str, str]]
    """Refusal code to (sentence, rule id)."""
    events: Mapping[str, str]
    """Event tag to a sentence with the event's fields in braces; ``{seat}`` becomes a name."""
    toasts: Mapping[str, str] = {}
    """Event tag to the few words that are shown large for a moment."""
    advice: Mapping[str, str] = {}
    """Action tag to the few words that tell somebody to do it, with the action's fields in braces."""
    sounds: Mapping[str, str] = {}
    """Event tag to the sound that goes with it."""
    rules: Mapping[str, Choice]
    """Field of the rules to its words; all but ``Rules.fixed``."""
    headings: Mapping[str, str] = {}
    """Field of the rules to the heading that stands above it, and above those that follow, where there are many."""
    rulesets: Mapping[str, str]
    """Preset to its name on screen."""
    reasons: Mapping[str, str]
    """Why a hand ended, by ``HandEnded.reason``."""
    prompts: Mapping[str, tuple[str, str]]
    """Cue to (what you must do now, what ``{who}`` is doing)."""
    cue: Callable[[Any], str] = by_phase
    """From a view to the prompt that fits it."""
    asked: Callable[[Any], Mapping[str, object]] = lambda view: {}
    """From a view to the facts that its prompt names beside ``{who}``."""
    words: Mapping[str, Mapping[str, str]] = {}
    """Fact to its values' words, which may name facts themselves; of True the word is that of ``true``. Also those of a
    score sheet's items."""
    figures: Callable[[Any], Mapping[str, Any]] = lambda rules: {}
    """What the rule page needs beside the rules' own fields, by name: numbers that no table changes or that follow."""
    gist: Callable[[Any], Sequence[str]] = lambda rules: ()
    """What a table's rules mean, in five to ten sentences for who is about to sit down; made from the rules' values."""
    length: Callable[[Any, int], str]
    """What a match is called in lists, from its rules and number of seats: "Eşli, 101"."""


def alone(rules: Rules, seats: int) -> bool:
    """Nobody has a partner."""
    return False


class Game(Struct, frozen=True, kw_only=True):
    """The declaration of one game: all that the house knows of it."""

    key: str
    name: str
    seats: tuple[int, ...]
    """Numbers of seats it can be played with; the usual one first."""
    partners: Callable[[Any, int], bool] = alone
    """Whether opposite seats are partners with these rules and so many seats (CM-4)."""
    first_come: bool = False
    """Whether seats are numbered in the order in which people sat down, not as the chairs stand (SITE-9)."""
    whole_turns: bool = False
    """Whether one move clock runs from being on turn to the turn's end, not anew for each decision (PT-8)."""
    watchers_speak: bool = False
    """Whether watchers hear and send voice messages at every table of it (SITE-18)."""
    test_seats: tuple[int, ...] = ()
    """Of the numbers of seats, those for tests: such a match is not recorded."""
    layout: str
    edition: int
    """Raised when a state's shape or a rule's effect changes."""
    rulesets: Mapping[str, Rules]
    """The presets; the first is the usual one."""
    offered: tuple[str, ...] = ()
    """Of these, those that tables are opened with, the usual one first; empty for all."""
    state: type[State]
    view: type[View]
    setup: type[Setup]
    actions: tuple[type[Action], ...]
    """What people may send."""
    lots: tuple[type[Action], ...]
    """What only HOUSE plays."""
    idles: tuple[type[Action], ...] = ()
    """What only the house plays for a seat whose time is up (AB-8); nobody can send it."""
    bots: Mapping[str, Level] = {}
    why: Why | None = None
    """What bots say for their choices; a game that has it gives hints at practice tables."""
    assist: Assist | None = None
    """A game that has it has racks: its view has ``rack``, ``okey`` and ``legal``."""
    strokes: Callable[[Any, Any], Sequence[Stroke]] = no_strokes
    """From one of the house's lots and the match right after it: what of it is counted, beside what chance gives."""
    texts: Texts
