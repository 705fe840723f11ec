"""GAME: the declaration of 3-5-8."""

from typing import Final

from mokali.engine import chance
from mokali.engine.cardplay import Deal, Play
from mokali.engine.protocol import Game
from mokali.games.ucbessekiz.bots import BOTS, why
from mokali.games.ucbessekiz.position import UcBesSekizSetup
from mokali.games.ucbessekiz.rules import RULESETS, SEATS
from mokali.games.ucbessekiz.state import Bury, Decline, Give, Pass, Trump, UcBesSekiz, UcBesSekizView
from mokali.games.ucbessekiz.texts import TEXTS

GAME: Final = Game(
    key="ucbessekiz",
    name="3-5-8",
    seats=(SEATS,),
    first_come=True,
    layout="trick",
    edition=1,
    rulesets=RULESETS,
    state=UcBesSekiz,
    view=UcBesSekizView,
    setup=UcBesSekizSetup,
    actions=(Give, Decline, Trump, Pass, Bury, Play),
    lots=(Deal,),
    bots=BOTS,
    why=why,
    strokes=chance.aces,
    texts=TEXTS,
)
