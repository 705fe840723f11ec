"""GAME: the declaration of Pişti."""

from typing import Final

from mokali.engine.cardplay import Play
from mokali.engine.protocol import Game
from mokali.games.pisti.bots import BOTS, why
from mokali.games.pisti.rules import RULESETS
from mokali.games.pisti.state import Deal, First, Pisti, PistiSetup, PistiView, jacks
from mokali.games.pisti.texts import TEXTS

GAME: Final = Game(
    key="pisti",
    name="Pişti",
    seats=(2, 4),
    partners=lambda rules, seats: seats == 4,
    layout="pisti",
    edition=1,
    rulesets=RULESETS,
    state=Pisti,
    view=PistiView,
    setup=PistiSetup,
    actions=(Play,),
    lots=(First, Deal),
    bots=BOTS,
    why=why,
    strokes=jacks,
    texts=TEXTS,
)
