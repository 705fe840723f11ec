"""Öğren: the page of all lessons, how one begins, and what comes after it."""

from contextlib import suppress
from typing import Any

from flask import Flask, Response, abort, render_template, request

from mokali.engine.protocol import Game, Rules
from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.store import tables
from mokali.store.people import Person
from mokali.tables import lessons
from mokali.tables.table import Ask, Chair, Leave, Opening, Refused
from mokali.tables.terms import Terms
from mokali.tables.texts import REFUSALS
from mokali.web import choices, pages
from mokali.web.house import house


def register(app: Flask) -> None:
    """The lessons' addresses."""
    app.add_url_rule("/ogren", "learn", index)
    app.add_url_rule("/ogren/<key>", "lesson", begin, methods=["POST"])
    app.add_url_rule("/ogren/<key>/bitti", "lesson_over", over, methods=["POST"])


def index() -> str:
    """All games that can be learnt."""
    return render_template("learn.html", games=[game for game in GAMES if lessons.has(game)])


def begin(key: str) -> Response | tuple[str, int]:
    """Open the table of a lesson; another lesson that was going on is left."""
    game = BY_KEY.get(key)
    if game is None or not lessons.has(game):
        abort(404)
    lesson = lessons.of(game)
    return _opened(game, lesson.seats, lesson.rules, _terms(lesson=lesson.mark))


def over(key: str) -> Response | tuple[str, int]:
    """Leave a lesson: for a practice table, or for the lobby."""
    game = BY_KEY.get(key) or abort(404)
    if request.form.get("sonra") == "alistirma":
        return _opened(game, game.seats[0], next(iter(choices.presets(game).values())), _terms(takeback=True))
    person = pages.admitted()
    if person is not None:
        _leave(person)
    return pages.to("home")


def _opened(game: Game, seats: int, rules: Rules, terms: Terms) -> Response | tuple[str, int]:
    person = pages.admitted()
    if person is None:
        return pages.entry(), 401
    _leave(person)
    chairs = (Chair(person.id), *(Chair(bot=next(iter(game.bots))),) * (seats - 1))
    try:
        return pages.opened(person, Opening(person.id, game, rules, terms, chairs, (lessons.PUPIL,)))
    except Refused as error:
        seat = pages.seat_of(person)
        href = house().links.to("table", code=seat.code) if seat is not None else "/"
        return pages.message("Önce masana dön", REFUSALS[error.reason][0], code=409, action="Masana dön", href=href)
    except pages.TooOften:
        most = house().settings.max_tables_per_hour
        return pages.message("Biraz sonra", f"Bir saatte {most} masa açtın: birazdan yeniden dene.", code=409)
    except tables.TooMany:
        return pages.message("Şimdilik yer yok", "Bütün masalar dolu: birazdan yeniden dene.", code=409)


def _leave(person: Person) -> None:
    """Who sits at a lesson's table leaves it: nothing is lost."""
    held = tables.seat_held(person.id)
    with suppress(Refused, tables.Newer, tables.Unreadable):
        if held is not None and tables.load(held).terms.lesson:
            door.submit(held, Ask(person.id, Leave()))


def _terms(**more: Any) -> Terms:
    figures = house().settings
    return Terms(
        kind="practice",
        listed=False,
        bot_seconds=figures.bot_seconds,
        pause_seconds=figures.pause_seconds,
        waiting_minutes=figures.waiting_minutes,
        vacant_minutes=figures.vacant_minutes,
        **more,
    )
