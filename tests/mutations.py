"""Messages spoilt at random: what a broken phone or a curious stranger might send. Knows no game by name."""

import json
from random import Random
from typing import Any, Final

from mokali.engine import codec
from mokali.engine.protocol import Action, State
from mokali.tables.table import CloseVote, Free, Ready, Rise, Sit

JUNK: Final[tuple[Any, ...]] = (
    *(None, True, False, -1, 0, 1, 1 << 63, -(1 << 63), 1e300, 0.5, "", "null", "9H", "İ", "\ud800", "\x00"),
    *([], {}, [[]], ["9H"], {"do": "play"}, "x" * 300, [0] * 50),
)
_LETTERS: Final = (0, 10, 34, 44, 58, 92, 123, 125, 0x130, 0x202E, 0x1F600)
_PIECES: Final = (
    -1,
    0,
    1 << 63,
    1e300,
    "null",
    "true",
    '"9H"',
    "[]",
    "{}",
    '"do"',
    '"played"',
    "[" * 1_200,
    '{"x":' * 900,
)


def corpus(state: State, played: int) -> list[str]:
    """Real messages at this moment: every move of the seat on turn, and what a table may be asked without an end."""
    wishes: tuple[Action, ...] = (Ready(), Ready(False), Rise(), Sit(0), Free(0), CloseVote())
    own: list[dict[str, Any]] = [{"do": "nudge"}, {"do": "hint"}, {"do": "approve", "plea": "x", "yes": True}]
    own += [{"do": "rack", "cols": 10, "slots": ["R1a", "FJb", *[""] * 28], "down": ["R1a"], "n": 7}]
    own += [{"do": "assist", "sort": sort, "cols": 15} for sort in ("runs", "pairs", "undo")]
    moves = () if state.turn is None else state.moves(state.turn)
    plain = [codec.plain(action) for action in (*moves, *wishes)] + own
    return [json.dumps(message | {"played": played}) for message in plain]


def mutated(text: str, rng: Random) -> str:
    """``text`` with one to four things wrong, in its letters or in its values."""
    for _ in range(rng.randint(1, 4)):
        text = _value(text, rng) if rng.random() < 0.4 else _letters(text, rng)
    return text


def _value(text: str, rng: Random) -> str:
    """One value another, one key gone, added or spelt otherwise."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(message, dict) or not message:
        return text
    key = rng.choice(sorted(message))
    match rng.randrange(4):
        case 0:
            message[key] = rng.choice(JUNK)
        case 1:
            del message[key]
        case 2:
            message[rng.choice(("seat", "user", "played", "do", "table", "x"))] = rng.choice(JUNK)
        case _:
            message[key.upper() if rng.random() < 0.5 else key + " "] = message.pop(key)
    return json.dumps(message)


def _letters(text: str, rng: Random) -> str:
    at, to = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
    match rng.randrange(6):
        case 0:
            return text[:at] + text[to:]
        case 1:
            return text[:at] + chr(rng.choice(_LETTERS)) + text[at:]
        case 2:
            return text[:to] + text[at:to] + text[to:]
        case 3:
            return text[:at] + str(rng.choice(_PIECES)) + text[to:]
        case 4:
            return text[to:] + text[:at]
    return text.swapcase() if rng.random() < 0.1 else text + text[at:to]
