"""What bots of 101 Okey see in a view: what is theirs, what may still come, what a discard costs."""

from collections.abc import Mapping

from msgspec import Struct

from mokali.engine import melds as shapes
from mokali.engine import prospects
from mokali.engine.melds import OKEY
from mokali.engine.protocol import Action, Mind, Seat
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101 import spread
from mokali.games.okey101.calls import Open, names
from mokali.games.okey101.laying import Lay, Swap
from mokali.games.okey101.sight import OkeyView
from mokali.games.okey101.state import Okey101


class Seen(Struct, frozen=True):
    """A view as bots ask it."""

    view: OkeyView
    me: Seat
    okey: Face
    opened: str | None
    left: Mapping[Face, int]
    """Copies that may still come, by natural face: all that was seen is counted."""
    by_eye: Mapping[Face, int]
    """The same, as far as the own rack and the indicator tell it."""
    wanted: frozenset[Face]
    """What whoever is open can lay off."""

    @classmethod
    def of(cls, mind: Mind) -> "Seen":
        view = mind.view
        assert isinstance(view, OkeyView)
        assert view.seat is not None
        assert view.okey is not None
        assert view.indicator is not None
        laid = [view.okey if some.startswith(OKEY) else some for meld in view.melds for some in meld.tiles]
        piles = [face for pile in view.seen for face in pile]
        others = [face for seat, known in enumerate(view.known) if seat != view.seat for face in known]
        own = [tile.face for tile in view.rack]
        by_eye = prospects.unseen([view.indicator, *own], view.okey)
        left = prospects.unseen([view.indicator, *laid, *piles, *others, *own], view.okey)
        wanted = frozenset(spread.wanted(world(mind).melds, view.rules))
        return cls(view, view.seat, view.okey, view.opened[view.seat], left, by_eye, wanted)

    def number(self, tile: Tile) -> int:
        """What a tile counts in the rack; an okey 0: it goes somewhere."""
        face = natural(tile, self.okey)
        return 0 if face is None else shapes.number(face)

    def okeyless(self) -> list[Tile]:
        """The rack without okeys."""
        return [tile for tile in self.view.rack if tile.face != self.okey]

    def fines(self) -> Mapping[Tile, int]:
        """What the discard of a tile costs."""
        legal = self.view.legal
        return {} if legal is None else {cost.tile: cost.fine.points for cost in legal.costs}


def world(mind: Mind) -> Okey101:
    state = mind.imagine()
    assert isinstance(state, Okey101)
    return state


def uses(move: Action, face: Face) -> bool:
    """Whether a table move lays a tile of this face."""
    match move:
        case Open():
            return any(Tile(name).face == face for call in move.melds for name in names(call))
        case Lay():
            return any(Tile(name).face == face for name in move.tiles)
        case Swap():
            return Tile(move.tile).face == face
    return False
