"""Plain pages over the registry: entry, lobby, opening a table, rules, settings, and plain messages."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Flask, Response, abort, make_response, redirect, render_template, request
from markupsafe import Markup
from msgspec import Struct

from mokali import journal, turkish
from mokali.engine.protocol import Game, MalformedAction, Rules
from mokali.games import BY_KEY, GAMES
from mokali.live import bus, door
from mokali.people.names import SENTENCES, BadName
from mokali.store import people, tables
from mokali.store.people import Full, NameTaken, Person
from mokali.tables import lessons
from mokali.tables.frame import BOTS
from mokali.tables.table import Chair, Opening, Refused, Table, Why, recorded, sitting
from mokali.tables.terms import Kind, Terms
from mokali.tables.texts import REFUSALS, clock
from mokali.web import choices, identity, talk
from mokali.web.house import address, house, knock

HOUR: Final = 3_600_000

NAME_TAKEN: Final = "Bu ad kullanılıyor, başka bir ad yaz."
NAME_SEATED: Final = "Bu ad kullanılıyor. Sensen, masadakilerden onay iste."


class Inside(Struct, frozen=True):
    """How full the house is."""

    inside: int
    max_people: int


class Card(Struct, frozen=True):
    """A table in the lobby."""

    code: str
    game_key: str
    game_name: str
    preset: str
    """Its name, in games that have several."""
    length: str
    clock: str
    """Its move clock, where it has one."""
    differences: int
    """How many rules are other than the preset's."""
    recorded: bool
    stage: str
    hand: int
    names: tuple[str | None, ...]
    away: tuple[str, ...]
    """Per chair why somebody is not there, in a word; empty where all is well."""
    free: int
    watchers: int
    mine: bool


class Seat(Struct, frozen=True):
    """Where a person sits."""

    code: str
    game_name: str


class Lobby(Struct, frozen=True):
    """The lobby as one person sees it."""

    me: Person
    inside: int
    max_people: int
    people: tuple[str, ...]
    seat: Seat | None
    new: bool
    """Whether this person has never sat at a table."""
    tables: tuple[Card, ...]


def register(app: Flask) -> None:
    """The pages' addresses."""
    app.add_url_rule("/", "home", home)
    app.add_url_rule("/gir", "enter", enter, methods=["POST"])
    app.add_url_rule("/masa-ac", "new_table", new_table)
    app.add_url_rule("/masa-ac", "create", create, methods=["POST"])
    app.add_url_rule("/kod", "join", join, methods=["POST"])
    app.add_url_rule("/kurallar", "rules_index", rules_index)
    app.add_url_rule("/kurallar/<key>", "rules_page", rules_page)
    app.add_url_rule("/ayarlar", "settings_page", settings_page)
    app.add_url_rule("/ses", "voice_page", voice_page)
    app.add_url_rule("/sozler", "phrases", phrases)


def to(endpoint: str, **values: Any) -> Response:
    """Go there (303, so that a reload posts nothing again)."""
    return make_response(redirect(house().links.to(endpoint, **values), 303))


def message(
    title: str, text: str, *, code: int = 200, action: str = "Lobiye dön", href: str = "/", number: str = ""
) -> tuple[str, int]:
    """A page with one sentence and one way on."""
    page = render_template("message.html", title=title, text=text, action=action, href=href, number=number)
    return page, code


def of_a_lesson() -> tuple[str, int]:
    """A lesson begins in the midst of a hand, with luck that is written down: no record tells it, no seal proves it."""
    text = "Derste kartlar, taşlar ve zarlar önceden yazılıdır: tekrarı izlenmez, kaydı ve doğrulanacak mührü yoktur."
    return message("Bu bir dersti", text, code=404)


def full(retry: str | None = None) -> tuple[str, int, dict[str, str]]:
    """The page that says "Oyun dolu" and tries again by itself (SITE-2), with all that was wanted."""
    retry = retry or (request.full_path if request.method == "GET" else "/")
    return render_template("full.html", retry=retry), 503, {"Refresh": f"10; url={retry}"}


def entry(code: str = "", name: str = "", error: str | None = None, *, can_ask: bool = False) -> str:
    """The page with one field. Raises Full where nobody more fits in, unless a name has just been refused."""
    if error is None:
        people.check_room(identity.room(), door.now())
        name = name or request.args.get("ad", "")[:32]
    return render_template("entry.html", next=code, name=name, error=error, can_ask=can_ask)


def admitted() -> Person | None:
    """The person of this device, let in and counted. Raises Full."""
    person = identity.person()
    if person is not None:
        people.admit(person.id, identity.room(), door.now())
    return person


# --- entry and lobby ---


def home() -> Response | str:
    """The lobby; for strangers the entry."""
    person = admitted()
    if person is None:
        return entry()
    fragments = Markup("".join(house().renderer.lobby(lobby(person)).values()))
    return identity.renew(make_response(render_template("lobby.html", socket="/ws/lobi", fragments=fragments)))


def enter() -> Response | tuple[str, int] | tuple[str, int, dict[str, str]]:
    """A new person. Full, a taken name or a bad one is said on the same page."""
    knock("entry")
    name, code = request.form.get("name", ""), request.form.get("next", "")
    try:
        _, token = people.enter(name, identity.room(), door.now())
    except BadName as error:
        return entry(code, name[:32], SENTENCES[error.reason]), 400
    except NameTaken as error:
        seated = error.table is not None
        return entry(code, name[:32], NAME_SEATED if seated else NAME_TAKEN, can_ask=seated), 409
    except Full:
        links = house().links
        return full(links.to("invite", code=code, ad=name[:32]) if code else links.to("home", ad=name[:32]))
    journal.note("entry")
    bus.ring(bus.LOBBY)
    return identity.remember(to("table", code=code) if code else to("home"), token)


def lobby(person: Person) -> Lobby:
    """Everything the lobby shows to one person."""
    here = people.inside(identity.room(), door.now())
    cards = [card(table, person.id) for table in tables.listed() if table.state is None or table.ended is None]
    order = {"waiting": 0, "playing": 1}
    return Lobby(
        me=person,
        inside=len(here),
        max_people=house().settings.max_people,
        people=tuple(sorted((other.name for other in here), key=turkish.sort_key)),
        seat=seat_of(person),
        new=not tables.sat_at(person.id),
        tables=tuple(sorted(cards, key=lambda shown: (not shown.mine, order[shown.stage]))),
    )


def card(table: Table, person: int) -> Card:
    """One table in the lobby."""
    names = people.names({chair.user for chair in table.chairs if chair.user is not None})
    preset = choices.preset_of(table.game, table.rules, table.terms.ruleset)
    return Card(
        code=table.code,
        game_key=table.game.key,
        game_name=table.game.name,
        length=table.game.texts.length(table.rules, len(table.chairs)),
        clock="" if table.terms.seconds is None else clock(table.terms.seconds),
        preset=choices.named(table.game, preset),
        differences=len(choices.differences(table.game, table.rules, preset)),
        recorded=recorded(table),
        stage="waiting" if table.state is None else "playing",
        hand=0 if table.state is None else table.state.view(None).hand,
        names=tuple(_in_chair(seat, chair, names) for seat, chair in enumerate(table.chairs)),
        away=tuple(_away(chair) for chair in table.chairs),
        free=sum(chair.free for chair in table.chairs),
        watchers=len(house().hub.watchers(table.id, sitting(table))),
        mine=any(chair.user == person and not chair.left for chair in table.chairs),
    )


def _in_chair(seat: int, chair: Chair, names: Mapping[int, str]) -> str | None:
    """Who sits there: as at the table, the house's bot also in the chair of whoever left it for good."""
    if chair.ceded:
        return f"{BOTS[seat]} (bot)"
    return None if chair.user is None else names.get(chair.user, "")


def _away(chair: Chair) -> str:
    if chair.bot:
        return "" if chair.ceded else "yerine bot oynuyor"
    return "çıktı" if chair.left else "kopuk" if chair.away_since else ""


def seat_of(person: Person) -> Seat | None:
    """The unfinished game in which a person sits."""
    held = tables.seat_held(person.id)
    if held is None:
        return None
    try:
        table = tables.load(held)
    except (tables.Newer, tables.Unreadable):
        return None  # whoever opens it is told
    return Seat(table.code, table.game.name)


def join() -> Response | tuple[str, int]:
    """A code typed by hand, in capitals or not, with spaces or not."""
    code = request.form.get("code", "")
    return to("table", code=tables.load(find(code)).code)


def find(code: str) -> int:
    """The table of a code; only misses count as look-ups, and who sits there always gets back (RL-6, SITE-4).

    Ends the request where there is none, or where there were too many misses.
    """
    try:
        found = tables.find(code)
    except tables.NoTable:
        found = None
    person, rate = identity.person(), house().rates["code"]
    if found is not None and person is not None and tables.seat_held(person.id) == found:
        return found
    if not rate.has_room(address(), door.now()):
        abort(429)
    if found is None:
        rate.allows(address(), door.now())
        abort(make_response(message("Böyle bir masa yok", "Kod yanlış yazılmış ya da masa kapanmış.", code=404)))
    return found


# --- opening a table ---


def new_table() -> Response | str:
    """Choose a game and its rules."""
    if admitted() is None:
        return entry()
    game = BY_KEY.get(request.args.get("oyun", ""), GAMES[0])
    return _form(game, {"ruleset": request.args.get("kural", "")})


def create() -> Response | tuple[str, int]:
    """Open a table, its opener in the first chair."""
    person = admitted()
    if person is None:
        return entry(), 401
    game = BY_KEY.get(request.form.get("game", ""))
    if game is None:
        abort(400)
    given = request.form.to_dict()
    try:
        seats, rules = choices.chosen(game, given)
        bot = given.get("bots")
        if bot is not None and bot not in game.bots:
            raise MalformedAction("no such bot")
        chairs = (Chair(person.id), *(Chair(bot=bot),) * (seats - 1))
        terms, ready = _terms(game, seats, rules, given), () if bot is None else (0,)
        return opened(person, Opening(person.id, game, rules, terms, chairs, ready))
    except choices.Unplayable as error:
        return _form(game, given, str(error)), 400
    except MalformedAction:
        return _form(game, given, "Bu seçim olmaz: listeden seç."), 400
    except Refused as error:
        return _form(game, given, REFUSALS[error.reason][0]), 409
    except TooOften:
        most = house().settings.max_tables_per_hour
        return _form(game, given, f"Bir saatte {most} masa açtın, şimdilik yeter: açık masalardan birine otur."), 409
    except tables.TooMany:
        return _form(game, given, "Şimdilik yeni masaya yer yok: açık masalardan birine otur."), 409


def opened(person: Person, opening: Opening) -> Response:
    """Open a table and go there. Raises TooMany, TooOften, Refused."""
    figures, now = house().settings, door.now()
    if tables.opened_since(person.id, now - HOUR) >= figures.max_tables_per_hour:
        raise TooOften
    table = tables.open_table(opening, now, figures.max_tables)
    journal.note("opened", table=table.id, code=table.game.key)
    bus.ring(bus.LOBBY)
    return to("table", code=table.code)


class TooOften(ValueError):
    """This person has opened too many tables in the last hour (RL-13)."""


def _terms(game: Game, seats: int, rules: Rules, given: Mapping[str, str]) -> Terms:
    """Raises MalformedAction, Unplayable."""
    figures, (seconds, absence) = house().settings, choices.kept(rules, given)
    kind: Kind = "practice" if "bots" in given else "test" if seats in game.test_seats else "casual"
    return Terms(
        kind=kind,
        seconds=seconds,
        absence=absence,
        bot_after_seconds=figures.bot_after_seconds,
        forfeit_after_seconds=figures.forfeit_after_seconds,
        takeback=kind != "casual",
        bot_seconds=figures.bot_seconds,
        assist=given.get("assist") != "false",
        ruleset=given.get("ruleset") or next(iter(choices.presets(game))),
        spectator_voice=given.get("spectator_voice") == "true",
        listed=given.get("listed") != "false",
        pause_seconds=figures.pause_seconds,
        waiting_minutes=figures.waiting_minutes,
        vacant_minutes=figures.vacant_minutes,
    )


def _form(game: Game, given: Mapping[str, str], error: str | None = None) -> str:
    """The form, as it was filled in."""
    shown = [{"key": g.key, "name": g.name, "summary": g.texts.summary, "open": g is game} for g in GAMES]
    learn = lessons.has(game)
    return render_template("new_table.html", learnable=learn, games=shown, form=choices.form(game, given), error=error)


# --- rules, settings ---


def rules_index() -> str:
    """All games' rules."""
    return render_template("rules_index.html", games=GAMES)


def rules_page(key: str) -> str:
    """A game's rules with the numbers of one table, or of a preset; ``sayfa=tablo``: for the table's sheet.

    A preset's page says in what it differs from the usual one, a table's in what from its own preset.
    """
    game = BY_KEY.get(key) or abort(404)
    code, known = request.args.get("masa", ""), choices.presets(game)
    usual = next(iter(known))
    preset = request.args.get("kural", "")
    preset = preset if preset in known else usual
    rules, back, against = known[preset], "", usual
    if code and identity.person() is not None:
        table = tables.load(find(code))
        if table.game is game:
            rules, back = table.rules, house().links.to("table", code=table.code)
            preset = against = choices.preset_of(game, rules, table.terms.ruleset)
    return render_template(
        "rules_sheet.html" if request.args.get("sayfa") == "tablo" else "rules_page.html",
        game=game,
        learnable=lessons.has(game),
        rules=rules,
        points=game.texts.figures(rules),
        back=back,
        presets={key: game.texts.rulesets[key] for key in known},
        preset=preset,
        against=game.texts.rulesets[against],
        differences=choices.differences(game, rules, against),
    )


def settings_page() -> str:
    """What is kept on the device alone."""
    return render_template("settings_page.html")


def voice_page() -> str:
    """How to speak at a table, and what to do where the microphone stays shut."""
    return render_template("voice_page.html")


def phrases() -> str:
    """What can be said with one tap: the inside of a table's sheet."""
    return render_template("phrases.html", phrases=talk.PHRASES, faces=talk.FACES)


def closed(table: Table) -> tuple[str, int]:
    """The page of a table that never began."""
    vacant = table.ended is not None and table.ended.why == Why.VACANT
    return message("Masa kapanmış", "Kimse kalmadığı için kapandı." if vacant else "Bu masa kapanmış.", code=410)
