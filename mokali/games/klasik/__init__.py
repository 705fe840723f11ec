"""GAME: the declaration of Klasik Okey."""

from typing import Final

from mokali.engine import chance
from mokali.engine.protocol import Game
from mokali.engine.tileplay import Deal, Discard, Draw, First, Show
from mokali.games.klasik import assist, bots
from mokali.games.klasik.position import KlasikSetup
from mokali.games.klasik.rules import RULESETS
from mokali.games.klasik.sight import KlasikView
from mokali.games.klasik.state import Finish, Klasik
from mokali.games.klasik.texts import TEXTS

GAME: Final = Game(
    key="klasik",
    name="Klasik Okey",
    seats=(4, 3, 2),
    whole_turns=True,
    layout="klasik",
    edition=1,
    rulesets=RULESETS,
    state=Klasik,
    view=KlasikView,
    setup=KlasikSetup,
    actions=(Draw, Show, Discard, Finish),
    lots=(First, Deal),
    bots=bots.BOTS,
    why=bots.why,
    assist=assist.ASSIST,
    strokes=chance.of_tiles,
    texts=TEXTS,
)
