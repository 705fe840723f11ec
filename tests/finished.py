"""Finished matches as they lie in the database, without a card played. Knows no game by name."""

from collections.abc import Collection, Sequence
from random import Random

from mokali.store.database import transaction
from mokali.store.models import ChairRow, ResultRow, TableRow
from mokali.store.tables import ALPHABET


def finished(
    people: Sequence[int],
    winners: Collection[int],
    at: int,
    *,
    game: str = "pisti",
    ruleset: str = "klasik",
    length: str = "51 sayı",
    points: Sequence[int | None] = (),
    hands: int = 4,
    partners: bool = False,
    listed: bool = True,
) -> str:
    """A match of these people, in the order of their chairs; its code."""
    rng = Random(f"{people} {winners} {at} {game}")
    code = "".join(rng.choice(ALPHABET) for _ in range(6))
    scores = points or [None] * len(people)
    with transaction():
        table = TableRow.insert(
            code=code,
            status="ended",
            listed=listed,
            opener=people[0],
            game=game,
            edition=0,
            revision=1,
            played=0,
            logged=0,
            opened_at=at,
            rules="",
            body="",
        ).execute()
        ChairRow.insert_many(
            [{"table": table, "person": one, "seen_at": at, "away": False} for one in people]
        ).execute()
        ResultRow.insert_many(
            {
                "table": table,
                "person": person,
                "game": game,
                "ruleset": ruleset,
                "length": length,
                "place": 1 if person in winners else 2,
                "won": person in winners,
                "ended_at": at,
                "side": seat % 2 if partners else seat,
                "points": scores[seat],
                "hands": None if scores[seat] is None else hands,
            }
            for seat, person in enumerate(people)
        ).execute()
    return code
