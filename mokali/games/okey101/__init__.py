"""GAME: the declaration of 101 Okey."""

from typing import Final

from mokali.engine import chance
from mokali.engine.protocol import Game
from mokali.engine.tileplay import Deal, Discard, Draw, First, Show
from mokali.games.okey101 import assist, bots, score
from mokali.games.okey101.calls import Open
from mokali.games.okey101.hand import Idle, Return
from mokali.games.okey101.laying import Lay, Swap, Undo
from mokali.games.okey101.position import OkeySetup
from mokali.games.okey101.rules import RULESETS
from mokali.games.okey101.sight import OkeyView
from mokali.games.okey101.state import Okey101
from mokali.games.okey101.texts import TEXTS

GAME: Final = Game(
    key="okey101",
    name="101 Okey",
    seats=(4, 3, 2),
    partners=score.partners,
    test_seats=(3, 2),
    whole_turns=True,
    layout="okey",
    edition=1,
    rulesets=RULESETS,
    state=Okey101,
    view=OkeyView,
    setup=OkeySetup,
    actions=(Draw, Return, Open, Lay, Swap, Undo, Show, Discard),
    lots=(First, Deal),
    idles=(Idle,),
    bots=bots.BOTS,
    why=bots.why,
    assist=assist.ASSIST,
    strokes=chance.of_tiles,
    texts=TEXTS,
)
