"""What every game with the 52-card deck says alike: the deck is dealt, a card is played. Knows no game."""

from mokali.engine.cards import DECK, Card
from mokali.engine.protocol import Action, Event, Seat


class Deal(Action, frozen=True):
    """The house deals a hand from the whole deck in this order."""

    deck: tuple[Card, ...]

    def __post_init__(self) -> None:
        """Raises ValueError where it is no whole deck."""
        if len(self.deck) != len(DECK) or set(self.deck) != set(DECK):
            raise ValueError("a deck is all 52 cards")


class Play(Action, frozen=True):
    """Put a card from the own hand on the table."""

    card: Card


class CardPlayed(Event, frozen=True):
    """A card was put on the table."""

    seat: Seat
    card: Card
