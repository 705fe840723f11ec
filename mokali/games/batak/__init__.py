"""GAME: the declaration of İhaleli Batak."""

from typing import Final

from mokali.engine import chance
from mokali.engine.cardplay import Deal, Play
from mokali.engine.protocol import Game
from mokali.games.batak.bots import BOTS, why
from mokali.games.batak.position import BatakSetup
from mokali.games.batak.rules import RULESETS, SEATS
from mokali.games.batak.sight import BatakView
from mokali.games.batak.state import Batak, Bid, First, Pass, Trump
from mokali.games.batak.texts import TEXTS

GAME: Final = Game(
    key="batak",
    name="İhaleli Batak",
    seats=(SEATS,),
    layout="trick",
    edition=1,
    rulesets=RULESETS,
    state=Batak,
    view=BatakView,
    setup=BatakSetup,
    actions=(Bid, Pass, Trump, Play),
    lots=(First, Deal),
    bots=BOTS,
    why=why,
    strokes=chance.aces,
    texts=TEXTS,
)
