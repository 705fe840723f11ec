"""What people have played: the leaderboard, somebody's profile, and the list of matches behind every figure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

from flask import Flask, Response, abort, make_response, render_template, request
from markupsafe import Markup
from msgspec import Struct

from mokali.engine.protocol import Game
from mokali.games import BY_KEY, GAMES
from mokali.live import door
from mokali.store import careers, standings
from mokali.store.careers import Choice, Companion, Match, Played
from mokali.store.people import Person
from mokali.store.standings import EVENING_MS, Standing
from mokali.tables.frame import OLD_PLAYER
from mokali.web import charts, identity, pages
from mokali.web.house import house

EVERY: Final = "hepsi"
"""No choice, in the lists that narrow the leaderboard."""
OWN_RULES: Final = "Kendi kuralları"
ROWS: Final = 20
"""Lines of a leaderboard, and matches on a page of them."""
LAST: Final = 5
"""Matches on the profile itself; the others are behind a link."""
MARKS: Final = 20
"""Results that are shown as a row of marks."""
COMPANY: Final = 5
"""Partners and opponents that are named."""
MOST_POINTS: Final = 12
"""Points of a line over time."""
LEAST_STEP: Final = 5
"""Matches behind each of them, at least."""
MOST_ID: Final = 2**31 - 1
TURKEY: Final = timezone(timedelta(hours=3))
MONTHS: Final = [
    "Ocak",
    "Şubat",
    "Mart",
    "Nisan",
    "Mayıs",
    "Haziran",
    "Temmuz",
    "Ağustos",
    "Eylül",
    "Ekim",
    "Kasım",
    "Aralık",
]


class Tally(Struct, frozen=True):
    """What a row of results comes to; ``streak`` is that of victories now, ``best`` the longest there was."""

    played: int
    wins: int
    streak: int
    best: int
    per_match: float | None
    per_hand: float | None

    @property
    def rate(self) -> str:
        """The share of victories: "%58"."""
        return percent(self.wins, self.played)


def register(app: Flask) -> None:
    """The addresses, and the filters of their templates."""
    app.add_url_rule("/siralama", "standings", leaderboard)
    app.add_url_rule("/oyuncu/<int:person>", "player", player)
    app.add_url_rule("/oyuncu/<int:person>/maclar", "matches", matches)
    app.jinja_env.filters.update(decimal=charts.decimal, day=day, marks=marks)


# --- pages ---


def leaderboard() -> str:
    """Matches won per game, preset and length; one's own row always stands there (SITE-11)."""
    person = identity.person()
    game = BY_KEY.get(request.args.get("oyun", ""), GAMES[0])
    rulesets = {key: ruleset_name(game, key) for key in standings.rulesets(game.key)}
    lengths = {length: length for length in standings.lengths(game.key)}
    choice = _choice(game, rulesets, lengths)
    lines = standings.leaders(game.key, choice.ruleset, choice.length)
    mine = next((line for line in lines if person is not None and line.person == person.id), None)
    return render_template(
        "standings.html",
        game=game,
        games=[{"key": g.key, "name": g.name, "open": g is game} for g in GAMES],
        rows=[_row(line, choice, line is mine) for line in _shown(lines, mine)],
        people=len(lines),
        filters=_filters(rulesets, lengths, choice),
    )


def player(person: int) -> str | Response:
    """Somebody's profile, for others to read."""
    reader = pages.admitted()
    if reader is None:
        return pages.entry()
    if reader.id == person:
        return pages.to("profile")
    name = _named(person)
    game = BY_KEY.get(request.args.get("oyun", ""))
    back = house().links.to("standings", oyun=None if game is None else game.key)
    known = career(Person(person, name), reader)
    return render_template("player.html", name=name, back=back, opened=None if game is None else game.key, **known)


def matches(person: int) -> str:
    """The matches of somebody, page by page: all, or those of a game, preset and length."""
    reader = pages.admitted()
    if reader is None:
        return pages.entry()
    game = BY_KEY.get(request.args.get("oyun", ""))
    name, choice = _named(person), Choice()
    if game is not None:
        choice = _choice(game, standings.rulesets(game.key), standings.lengths(game.key))
    total = careers.count(person, choice)
    last = max(1, -(-total // ROWS))
    page = min(last, _number(request.args.get("sayfa", "")))
    found = careers.matches(person, ROWS, ROWS * (page - 1), choice)
    return render_template(
        "matches.html",
        name=name,
        own=reader.id == person,
        about=_about(game, choice),
        back=_profile(person, reader, choice.game),
        total=total,
        page=page,
        last=last,
        around={n: _matches(person, choice, n) for n in (page - 1, page + 1) if 1 <= n <= last},
        matches=[_match(match, person, reader) for match in found],
    )


def career(person: Person, reader: Person) -> dict[str, Any]:
    """What a profile shows of somebody's matches to ``reader``."""
    results = careers.results(person.id)
    evening = careers.companions(person.id, door.now() - EVENING_MS)
    met = careers.companions(person.id) if results else []
    return {
        "own": person.id == reader.id,
        "tally": tally(results),
        "results": [one.won for one in results[-MARKS:]],
        "line": over_time([one.won for one in results]),
        "games": [_game(game, person.id, own) for game in GAMES if (own := [r for r in results if r.game == game.key])],
        "evening": [one for one in evening if one.beat or one.lost],
        "partners": _most(met, "together"),
        "opponents": _most(met, "against"),
        "matches": [_match(match, person.id, reader) for match in careers.matches(person.id, LAST)],
        "all_matches": _matches(person.id, Choice()),
        "links": {one.person: _profile(one.person, reader) for one in met},
    }


# --- figures ---


def tally(results: Sequence[Played], *, hands: bool = False, points: bool = False) -> Tally:
    """Count results, the oldest first; averages of points per match and per hand where they mean something."""
    row = "".join("1" if one.won else "0" for one in results)
    streaks = [len(streak) for streak in row.split("0")]
    whole = [(one.points, one.hands) for one in results if one.points is not None and one.hands]
    total = sum(known for known, _ in whole)
    return Tally(
        played=len(results),
        wins=row.count("1"),
        streak=streaks[-1],
        best=max(streaks),
        per_match=total / len(whole) if whole and points else None,
        per_hand=total / sum(count for _, count in whole) if whole and hands else None,
    )


def over_time(won: Sequence[bool]) -> Markup | None:
    """The share of victories from the first match to the last, each point so many of them; None where two are few."""
    step = max(LEAST_STEP, -(-len(won) // MOST_POINTS))
    groups = [won[max(0, end - step) : end] for end in range(len(won), step - 1, -step)][::-1]
    if len(groups) < 2:
        return None
    first, last = (percent(sum(group), len(group)) for group in (groups[0], groups[-1]))
    return charts.line(
        [100 * sum(group) / len(group) for group in groups],
        title=f"Kazanma oranı, {step} maçlık aralarla; ince çizgi %50",
        told=f"Kazanma oranı önce {first}, son {step} maçta {last}.",
        ends=(f"önce {first}", f"son {step} maç {last}"),
        low=0,
        high=100,
        level=50,
    )


def marks(won: Sequence[bool]) -> Markup:
    """Results as a row, the newest at the right: a full mark with a tick for each victory, an empty one for each loss.

    >>> str(marks([True, False]))[:58]
    '<svg class="marks" width="40" viewBox="0 0 40 20" role="im'
    """
    drawn = Markup("").join((_WON if one else _LOST).format(20 * n) for n, one in enumerate(won))
    said = f"Son {len(won)} maç, en yenisi sonda: {', '.join('kazandı' if one else 'kaybetti' for one in won)}"
    return _MARKS.format(20 * len(won), 20 * len(won), said, drawn)


def percent(part: int, whole: int) -> str:
    """A share in whole percent, as Turkish writes it.

    >>> percent(1, 3), percent(0, 0)
    ('%33', '%0')
    """
    return f"%{round(100 * part / whole) if whole else 0}"


def day(at: int, now: int | None = None) -> str:
    """A moment as people in Turkey say it.

    >>> day(1_796_040_000_000, 1_796_040_000_000), day(1_796_040_000_000, 1_796_140_000_000)
    ('bugün 15.00', 'dün 15.00')
    """
    then, today = (datetime.fromtimestamp(ms / 1000, UTC).astimezone(TURKEY) for ms in (at, now or door.now()))
    clock = f"{then:%H.%M}"
    ago = (today.date() - then.date()).days
    if ago in (0, 1):
        return f"{('bugün', 'dün')[ago]} {clock}"
    year = "" if then.year == today.year else f" {then.year}"
    return f"{then.day} {MONTHS[then.month - 1]}{year}, {clock}"


def ruleset_name(game: Game, key: str) -> str:
    """What a preset is called."""
    return game.texts.rulesets.get(key, OWN_RULES)


_MARKS: Final = Markup('<svg class="marks" width="{}" viewBox="0 0 {} 20" role="img" aria-label="{}">{}</svg>')
_WON: Final = Markup(
    '<g class="won" transform="translate({} 0)"><circle cx="10" cy="10" r="8"/><path d="M6 10.2l2.8 2.8L14 7.6"/></g>'
)
_LOST: Final = Markup('<circle class="lost" transform="translate({} 0)" cx="10" cy="10" r="7"/>')


@lru_cache
def _from_nothing(key: str) -> bool:
    """Whether a game's points begin at 0, so that an average per hand says something."""
    game = BY_KEY[key]
    rules = next(iter(game.rulesets.values()))
    return not any(game.state.start(rules, game.seats[0]).view(None).totals)


# --- what templates get ---


def _named(person: int) -> str:
    """The name of somebody who has one; else the request ends here."""
    name = careers.name_of(person) if person <= MOST_ID else None
    if name is None:
        text = "Adres yanlış yazılmış ya da bu oyuncu hesabını kapatmış."
        abort(make_response(pages.message("Böyle bir oyuncu yok", text, code=404)))
    return name


def _number(text: str) -> int:
    """A page's number; the first where it is none."""
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 8 else 1


def _choice(game: Game, rulesets: Iterable[str], lengths: Iterable[str]) -> Choice:
    """What the address asks for of what there is."""
    ruleset, length = request.args.get("kural", EVERY), request.args.get("uzunluk", EVERY)
    return Choice(game.key, ruleset if ruleset in rulesets else None, length if length in lengths else None)


def _about(game: Game | None, choice: Choice) -> str:
    """In words, what a list is narrowed to."""
    if game is None:
        return ""
    ruleset = None if choice.ruleset is None else ruleset_name(game, choice.ruleset)
    return " · ".join(filter(None, (game.name, ruleset, choice.length)))


def _shown(lines: Sequence[Standing], mine: Standing | None) -> list[Standing]:
    """The first lines, and one's own wherever it stands."""
    first = list(lines[:ROWS])
    return first if mine is None or mine in first else [*first, mine]


def _row(line: Standing, choice: Choice, mine: bool) -> dict[str, Any]:
    named = line.name is not None
    return {
        "place": line.place,
        "name": line.name or OLD_PLAYER,
        "wins": line.wins,
        "played": line.played,
        "mine": mine,
        "profile": house().links.to("player", person=line.person, oyun=choice.game) if named else "",
        "matches": _matches(line.person, choice) if named else "",
    }


def _filters(rulesets: Mapping[str, str], lengths: Mapping[str, str], choice: Choice) -> list[dict[str, Any]]:
    """The lists by which the leaderboard is narrowed, where there is something to choose."""
    lists = (("kural", "Kurallar", rulesets, choice.ruleset), ("uzunluk", "Uzunluk", lengths, choice.length))
    return [
        {"name": name, "label": label, "options": _options(known, chosen)}
        for name, label, known, chosen in lists
        if len(known) > 1
    ]


def _options(known: Mapping[str, str], chosen: str | None) -> list[dict[str, object]]:
    """What a list can be narrowed to, and all of it."""
    every = {EVERY: "Hepsi", **known}
    picked = EVERY if chosen is None else chosen
    return [{"value": value, "label": label, "checked": value == picked} for value, label in every.items()]


def _game(game: Game, person: int, own: Sequence[Played]) -> dict[str, Any]:
    """One game of a profile: all of it, then by preset where there are several."""
    hands = _from_nothing(game.key)
    presets = [preset for preset, _ in Counter(one.ruleset for one in own).most_common()]
    presets = presets if len(presets) > 1 else []
    return {
        "key": game.key,
        "name": game.name,
        "tally": tally(own, hands=hands, points=True),
        "results": [one.won for one in own[-MARKS:]],
        "line": over_time([one.won for one in own]),
        "presets": [
            {
                "name": ruleset_name(game, preset),
                "tally": tally([one for one in own if one.ruleset == preset], hands=hands, points=True),
                "matches": _matches(person, Choice(game.key, preset)),
            }
            for preset in presets
        ],
        "matches": _matches(person, Choice(game.key)),
    }


def _most(met: Sequence[Companion], how: str) -> list[Companion]:
    """Those met most often in this way."""
    return sorted((one for one in met if getattr(one, how)), key=lambda one: -getattr(one, how))[:COMPANY]


def _match(match: Match, person: int, reader: Person) -> dict[str, Any]:
    """A match as its line shows it.

    A code leads on to the table at which they play again: who was not there gets those of listed tables only.
    """
    game = BY_KEY.get(match.game)
    own = next(one for one in match.players if one.person == person)
    there = any(one.person == reader.id for one in match.players)
    counted = [one for one in match.players if one.place is not None]
    drawn = len(counted) == len(match.players) and not any(one.won for one in counted)
    return {
        "key": match.game,
        "game": match.game if game is None else game.name,
        "rules": "" if game is None or len(game.rulesets) == 1 else ruleset_name(game, match.ruleset),
        "length": match.length,
        "at": match.ended_at,
        "won": own.won,
        "said": "Berabere" if drawn else "Galibiyet" if own.won else "Yenilgi",
        "place": own.place if len({one.side for one in match.players}) > 2 and not own.won else None,
        "players": [{"name": one.name or OLD_PLAYER, "won": one.won, "points": one.points} for one in match.players],
        "replay": house().links.to("replay", code=match.code) if match.code and (match.listed or there) else "",
    }


def _profile(person: int, reader: Person, game: str | None = None) -> str:
    """The address of a profile, at one game where that is what one comes from."""
    links = house().links
    return links.to("profile") if person == reader.id else links.to("player", person=person, oyun=game)


def _matches(person: int, choice: Choice, page: int = 1) -> str:
    wanted = {
        "oyun": choice.game,
        "kural": choice.ruleset,
        "uzunluk": choice.length,
        "sayfa": page if page > 1 else None,
    }
    query = urlencode({name: value for name, value in wanted.items() if value is not None})  # "" are one's own rules
    return house().links.to("matches", person=person) + (f"?{query}" if query else "")
