"""Tavla in Turkish."""

from typing import Final

from mokali import turkish
from mokali.engine.protocol import Choice, Common, Texts
from mokali.games.tavla import rules
from mokali.games.tavla.board import BAR, CHECKERS, START
from mokali.games.tavla.rules import TavlaRules
from mokali.games.tavla.state import No, TavlaView

DOUBLES: Final = {1: "hepyek", 2: "dubara", 3: "düse", 4: "dörtcihar", 5: "dübeş", 6: "düşeş"}
"""What a double is called."""

_GAMES: Final = {"1": "Tek oyun", "3": "3 oyun", "5": "5 oyun", "7": "7 oyun"}


def called(one: int, other: int) -> str:
    """A throw in words.

    >>> called(5, 3), called(6, 6)
    ('5-3', 'düşeş')
    """
    return DOUBLES[one] if one == other else f"{one}-{other}"


def _length(chosen: TavlaRules, seats: int) -> str:
    return _GAMES[str(chosen.target)]


def _cue(view: TavlaView) -> str:
    """What there is to do now: a key of ``prompts``."""
    if view.turn is None and view.mover is not None:
        return "rolling"
    if view.phase == "start":
        return "tied" if len(view.start_dice) == 2 else "start"
    if view.phase == "roll":
        return "gele" if view.passed is not None else "roll"
    if view.phase == "move":
        mine = (view.board.white, view.board.black)[view.mover or 0]
        return "bar" if mine.bar else "move"
    return view.phase


TEXTS: Final = Texts(
    summary="Zarları at, pullarını evine taşı, önce sen topla. İki kişi.",
    refusals={
        Common.NOT_YOUR_TURN: ("Sıra {turn:de}.", "TV-5"),
        Common.WRONG_PHASE: ("Bu şu anda yapılamaz: {phase}.", "TV-5"),
        Common.NOT_HELD: ("Bu pul senin değil: kendi pulunu seç.", "TV-7"),
        No.NO_DIE: ("Oynanacak {die} yok: kalan zarlarla oyna.", "TV-7"),
        No.BAR_FIRST: ("Barda pulun var: önce onu oyuna sok.", "TV-9"),
        No.NO_CHECKER: ("Burada pulun yok: kendi pulunu seç.", "TV-7"),
        No.BLOCKED: ("Orası kapalı: orada rakibin kapısı var, başka yere oyna.", "TV-8"),
        No.NOT_ALL_HOME: ("Daha toplayamazsın: önce bütün pullarını evine getir.", "TV-10"),
        No.FARTHER_CHECKER: ("Bu pul bu zarla toplanmaz: daha geride pulun var, önce onu oyna.", "TV-10"),
        No.NOT_MAXIMAL: ("Olabildiğince çok zar, tek zarsa büyüğü oynanmalı: başka bir hamle seç.", "TV-11"),
        No.NOTHING_TO_UNDO: ("Geri alınacak hamle yok: bu zarlarla daha oynamadın.", "TV-14"),
    },
    events={
        "die_thrown": "{seat} başlangıç zarını attı: {die}.",
        "start_tied": "Zarlar eşit, yeniden atılıyor.",
        "started": "{seat} başlıyor.",
        "dice_thrown": "{seat} {dice} attı.",
        "moved": "{seat} {start} {end}{hit}.",
        "no_move": "Gele: {seat} oynayamıyor.",
        "taken_back": "{seat} hamlesini geri aldı.",
        "mars_made": "{seat} mars yaptı.",
        "game_won": "{seat} {points} aldı.",
        "hand_ended": "Oyun bitti.",
    },
    toasts={"no_move": "GELE", "mars_made": "MARS", "started": "{seat} başlıyor"},
    advice={"roll": "Zar at", "move": "{start} {die} oyna"},
    sounds={
        "die_thrown": "dice",
        "dice_thrown": "dice",
        "moved": "play",
        "no_move": "gele",
        "mars_made": "pisti",
        "hand_ended": "end",
    },
    rules={
        "target": Choice(
            label="Maç uzunluğu",
            meaning="Bu kadar oyunu ilk alan kazanır; mars iki oyun sayılır.",
            rule="TV-17",
            values=_GAMES,
            basic=True,
            said="{value}",
        ),
    },
    rulesets={"klasik": "Mokali kuralları"},
    reasons={"single": "Bütün pullar toplandı.", "mars": "Mars: rakip hiç pul toplayamadı."},
    prompts={
        "start": ("Başlamak için bir zar at", "{who} başlamak için atacak"),
        "tied": ("Zarlar eşit: yeniden at", "Zarlar eşit: {who} atacak"),
        "rolling": ("Zar atılıyor", "Zar atılıyor"),
        "roll": ("Sıra sende: zar at", "{who} zar atacak"),
        "gele": ("Gele: sıra sende, zar at", "Gele: {who} zar atacak"),
        "move": ("Zarlarını oyna", "{who} oynuyor"),
        "bar": ("Önce bardaki pulunu oyuna sok", "{who} bardan giriyor"),
        "hand_over": ("Oyun bitti", "Oyun bitti"),
        "over": ("Maç bitti", "Maç bitti"),
    },
    cue=_cue,
    words={
        "phase": {
            "start": "kimin başlayacağı daha belli değil, zar at",
            "roll": "önce zar at",
            "move": "zarlar atıldı, pullarını oyna",
            "hand_over": "önce yeni oyun kurulsun",
            "over": "maç bitti",
        },
        "dice": {str((one, other)): called(one, other) for one in range(1, 7) for other in range(1, 7)},
        "start": {"bar": "bardan", **{str(place): turkish.ablative(str(place)) for place in range(1, BAR)}},
        "end": {"off": "topladı", **{str(place): f"{turkish.dative(str(place))} oynadı" for place in range(1, BAR)}},
        "hit": {"true": ", pul kırdı", "false": ""},
        "points": {"1": "oyunu", "2": "iki oyun"},
    },
    figures=lambda _: {
        "single": rules.SINGLE,
        "mars": rules.MARS,
        "checkers": CHECKERS,
        "start": START,
        "doubles": DOUBLES,
    },
    length=_length,
)
