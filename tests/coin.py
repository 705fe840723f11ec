"""A game for tests of the house: two seats, a coin, and as many throws in a hand as its rules say.

The house fixes two throws before a hand. With fewer some luck is left over, with more it is not enough.
"""

from random import Random
from typing import Any, Literal, Self

from msgspec.structs import replace

from mokali.engine.protocol import (
    HOUSE,
    Action,
    Common,
    Event,
    Game,
    HandEnded,
    IllegalAction,
    Result,
    Rules,
    Seat,
    Setup,
    State,
    Texts,
    View,
)


class CoinRules(Rules, frozen=True, kw_only=True):
    throws: int = 2
    hands: int = 2


class Toss(Action, frozen=True):
    pass


class Coin(Action, frozen=True):
    side: Literal["heads", "tails"]


class Landed(Event, frozen=True):
    side: str


class CoinView(View, frozen=True, kw_only=True):
    rules: CoinRules


class CoinSetup(Setup, frozen=True, kw_only=True):
    pass


class CoinState(State, frozen=True, kw_only=True):
    rules: CoinRules
    thrown: tuple[str, ...]
    """Sides in this hand."""
    hands: int
    in_air: bool

    @classmethod
    def start(cls, rules: CoinRules, seats: int, setup: Any = None) -> Self:
        return cls(rules=rules, thrown=(), hands=0, in_air=False)

    @property
    def phase(self) -> str:
        return "over" if self.turn is None else "hand_over" if not self.thrown and not self.in_air else "toss"

    @property
    def turn(self) -> Seat | None:
        if self.hands == self.rules.hands:
            return None
        return HOUSE if self.in_air or not self.thrown else 0

    @property
    def result(self) -> Result | None:
        return Result((0, 0), (1, 1)) if self.turn is None else None

    def draw_lots(self, rng: Random) -> tuple[Action, ...]:
        return (Coin("heads"), Coin("tails"))

    def moves(self, seat: Seat) -> tuple[Action, ...]:
        return (Toss(),) if seat == self.turn == 0 else ()

    def play(self, seat: Seat, action: Action) -> tuple[Self, tuple[Event, ...]]:
        if seat != self.turn:
            raise IllegalAction(Common.NOT_YOUR_TURN)
        match action:
            case Toss() if seat == 0:
                return replace(self, in_air=True), ()
            case Coin(side) if seat == HOUSE:
                after = replace(self, thrown=(*self.thrown, side), in_air=False)
                if len(after.thrown) < self.rules.throws:
                    return after, (Landed(side),)
                return replace(after, thrown=(), hands=self.hands + 1), (Landed(side), HandEnded((0, 0), "thrown"))
        raise IllegalAction(Common.WRONG_PHASE)

    def view(self, seat: Seat | None) -> CoinView:
        return CoinView(
            seat=seat,
            turn=None if self.turn == HOUSE else self.turn,
            phase=self.phase,
            hand=self.hands,
            scores=None,
            totals=(0, 0),
            over=self.turn is None,
            winners=(),
            reason=None,
            rules=self.rules,
        )

    @classmethod
    def imagine(cls, view: CoinView, rng: Random) -> Self:
        raise NotImplementedError

    def idle(self, seat: Seat) -> Action:
        return Toss()


COIN = Game(
    key="coin",
    name="Yazı tura",
    seats=(2,),
    layout="coin",
    edition=1,
    rulesets={"short": CoinRules(throws=1), "even": CoinRules(), "long": CoinRules(throws=3)},
    state=CoinState,
    view=CoinView,
    setup=CoinSetup,
    actions=(Toss,),
    lots=(Coin,),
    texts=Texts(
        summary="",
        refusals={},
        events={},
        rules={},
        rulesets={},
        reasons={},
        prompts={},
        length=lambda rules, seats: "",
    ),
)
