"""GAME: the declaration of Tavla."""

from typing import Final

from mokali.engine.protocol import Game, Level
from mokali.games.tavla.bots import kolay, orta, why, zor
from mokali.games.tavla.position import TavlaSetup
from mokali.games.tavla.rules import RULESETS
from mokali.games.tavla.state import Deal, Dice, Move, Roll, Tavla, TavlaView, Undo, doubles
from mokali.games.tavla.texts import TEXTS

GAME: Final = Game(
    key="tavla",
    name="Tavla",
    seats=(2,),
    first_come=True,
    watchers_speak=True,
    whole_turns=True,
    layout="tavla",
    edition=1,
    rulesets=RULESETS,
    state=Tavla,
    view=TavlaView,
    setup=TavlaSetup,
    actions=(Roll, Move, Undo),
    lots=(Dice, Deal),
    bots={"kolay": Level(kolay), "orta": Level(orta), "zor": Level(zor, seconds=0.8)},
    why=why,
    strokes=doubles,
    texts=TEXTS,
)
