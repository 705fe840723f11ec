"""One table over real sockets, and a search through every byte that its people are sent (RL-34, RL-37).

Knows no game by name. What somebody may be told is asked of the engine, line by line of the table's own log. There are
no bots yet; once there are, how long they think may not depend on their hands either (RL-34, timing).
"""

import re
from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Any, Final
from urllib.parse import quote

from mokali.engine import codec, fairness, record
from mokali.engine.protocol import HOUSE, Action, Game, IllegalAction, Rules
from mokali.engine.protocol import Seat as Number
from mokali.engine.tiles import ALL_TILES
from mokali.tables.table import Body
from tests.hidden import Shown, Thing, named, things
from tests.matches import fields, values_of
from tests.web.seat import Seat, fresh
from tests.web.server import Server
from tests.web.wire import Closed, Visitor

PATIENT: Final[dict[str, object]] = {"pause_seconds": 36_000, "nudge_seconds": 0.2, "code_misses_per_minute": 100_000}
"""Settings under which a pause ends only when everybody says so, and one may nudge and guess often."""

RECORDS: Final = (
    *("kayit", "kayıt", "kayit.jsonl", "kayıt.jsonl", "record", "record.jsonl", "log", "log.jsonl", "tekrar", "replay"),
    *("kanit", "kanıt", "proof", "muhur", "mühür", "seal", "dogrula", "doğrula", "verify", "durum", "state", "json"),
)
"""Where a record, a replay or a proof of a table could be asked for; each tour tries every third of them."""

OVER: Final = (
    *("/tekrar/{code}", "/kayit/{code}"),
    *("/tekrar/{code}?an=5&koltuk=hepsi", "/tekrar/{code}?an=9999&koltuk=1&parca=1"),
)
"""Where matches that are over are watched and taken home; each tour tries every fourth."""

_REFUSAL: Final = re.compile(r'<section [^>]*id="refusal".*?</section>', re.DOTALL)
_ENDS: Final = re.compile(r"\n|(?<=</div>)")
_OWN_KEY: Final = re.compile(r"sec-websocket-accept: \S+", re.IGNORECASE)
"""Computed from what the visitor himself has sent: letters at random."""


UNMISTAKABLE: Final = 20
"""Letters: the last few dice of a seal stand in any drawing."""


class Ear:
    """Somebody, and all that he hears. ``number`` is his chair, None for who watches; a stranger has no page."""

    def __init__(self, visitor: Visitor, title: str, number: Number | None) -> None:
        self.visitor, self.title, self.number = visitor, title, number
        self.page: Seat | None = None
        self.sent: set[Thing] = set()
        """What he has named himself: a refusal may repeat it."""
        self._read: dict[int, int] = {}

    @property
    def at_table(self) -> Seat:
        """His page of the table."""
        assert self.page is not None
        return self.page

    def news(self) -> list[str]:
        """What has come since the last time: pages with their headers, messages, answers to handshakes, reasons."""
        lists = [self.visitor.heard, self.visitor.beside]
        for wire in self.visitor.wires:
            lists += [wire.heard, wire.beside]
        new = [text for heard in lists for text in heard[self._read.get(id(heard), 0) :]]
        self._read = {id(heard): len(heard) for heard in lists}
        return new


class Watched:
    """A table, everybody around it, and what each of them may have been told by now."""

    def __init__(self, house: Server, game: Game, code: str, people: list[Visitor], rng: Random) -> None:
        """``people`` take the chairs in this order; the last of them only watches."""
        self.house, self.game, self.code, self.rng = house, game, code, rng
        self.seats = len(people) - 1
        chairs = [Ear(person, f"seat {n}", n) for n, person in enumerate(people[:-1])]
        self.ears = [*chairs, Ear(people[-1], "a watcher", None), Ear(Visitor(house.base), "a stranger", None)]
        self.shown = Shown((*range(self.seats), None))
        self.searched = 0
        self._lines = self._tours = 0
        self._salts: set[str] = set()
        self._body: Body
        self._body, rules = self._row("body, rules")
        self.state = record.start(game, codec.decode(type(next(iter(game.rulesets.values()))), rules), self.seats)
        self.kinds: set[type] = set()
        self._public = _undealt(house, game, self.seats)

    @property
    def players(self) -> list[Ear]:
        """Those with a chair."""
        return self.ears[: self.seats]

    @property
    def present(self) -> list[Ear]:
        """Those with a page of the table."""
        return [ear for ear in self.ears if ear.page is not None]

    @property
    def seal(self) -> str:
        """The hash of the luck that is fixed and not yet opened."""
        assert self._body.luck is not None
        return self._body.luck.sha256

    # --- what happens ---

    def arrive(self) -> None:
        """Everybody opens everything there is, and the table's socket."""
        for ear in self.ears:
            self.tour(ear)
        for ear in self.ears[:-1]:
            ear.page = Seat(ear.visitor, self.code)
        assert self.ears[-1].visitor.wire(f"/ws/masa/{self.code}").close_code() == 4001
        self.look()

    def begin(self) -> None:
        """All sit down, one after the other (SITE-9), and the first hand is dealt."""
        for ear in self.players[1:]:
            ear.at_table.do("sit", chair=ear.number)
            ear.at_table.until(lambda page: page.number is not None)
        for ear in self.players:
            ear.at_table.do("ready")
        self.dealt()

    def dealt(self) -> None:
        """Wait until somebody is on turn, or nobody will be."""
        for ear in self.present:
            ear.at_table.until(lambda page: page.turn is not None or page.facts["stage"] == "ended")
        self.look()

    def move(self) -> None:
        """Everybody tries what is not allowed, and nonsense; then the seat on turn plays a legal move."""
        turn = self.state.turn
        assert turn is not None
        assert turn != HOUSE
        action = self.rng.choice(self.state.moves(turn))
        for ear in self.present:
            self.provoke(ear, action)
        mover = self.ears[turn]
        before = mover.at_table.played
        self.send(mover, action)
        for ear in self.present:
            ear.at_table.until(lambda page: page.played > before)
            ear.at_table.until(lambda page: page.turn is not None or page.facts["phase"] in ("hand_over", "over"))
        self.look()

    def provoke(self, ear: Ear, action: Action) -> None:
        """What another may play now, what the house alone may, a rack of tiles of anybody's, what is no message."""
        page = ear.at_table
        if ear.number is None or self._illegal(ear.number, action):
            before = len(page.refusals)
            self.send(ear, action)
            page.until(lambda some: len(some.refusals) > before)
        page.do("nudge")
        if ear.number is not None:
            page.do("rack", cols=10, slots=self.rng.sample(ALL_TILES, 30), down=self.rng.sample(ALL_TILES, 9))
            page.do("assist", cols=15, sort=self.rng.choice(("runs", "pairs", "undo")))
        for lot in self.state.draw_lots(self.rng):
            page.wire.send(codec.encode(lot))
        page.wire.send(self.rng.choice(("{", "[]", '{"do":"play"}', '{"do":"sit","chair":"x"}', "null", "\x00")))
        page.wire.send_bytes(b"\x00\xff")

    def pause(self) -> None:
        """Everybody reloads everything while the counting lies there, then goes on."""
        for ear in self.ears:
            self.tour(ear)
        self.look()
        for ear in self.players:
            ear.at_table.do("ready")
        self.dealt()

    def tour(self, ear: Ear) -> None:
        """Every page that shows something of the table, or might."""
        key, code = self.game.key, self.code
        for path in ("/", f"/masa/{code}", f"/m/{code}", f"/kurallar/{key}?masa={code}", "/masa-ac", "/profil"):
            ear.visitor.get(path)
        ear.visitor.get(f"/siralama?oyun={key}")
        ear.visitor.get(f"/masa/{code[::-1]}")
        ear.visitor.post("/kod", {"code": code})
        lobby = ear.visitor.wire("/ws/lobi")
        with suppress(Closed):  # a stranger
            for _ in range(2):
                lobby.receive()
        lobby.close()
        opened = ear.visitor.get(f"/karistirma/{code}") if self._body.ended is None else None
        if opened is not None and opened.status != 404:
            self.look()
            raise AssertionError(f"{ear.title} is answered {opened.status} by /karistirma of a running game")
        self._tours += 1
        for name in RECORDS[self._tours % 3 :: 3] if self._lines and self._body.ended is None else ():
            self._denied(ear, f"/masa/{code}/{quote(name)}")
        for path in OVER[self._tours % 4 :: 4] if self._body.ended is None else ():
            self._denied(ear, path.format(code=code))

    def _denied(self, ear: Ear, path: str) -> None:
        answer = ear.visitor.get(path)
        if answer.status != 404:
            self.look()  # what it says counts most
            raise AssertionError(f"{ear.title} is answered {answer.status} by {path} of a running game")

    def reconnect(self, ear: Ear) -> None:
        """Lose the line in the middle of a turn, or load the page again."""
        page = ear.at_table
        if self.rng.random() < 0.5:
            page.wire.cut()
            page.wire = ear.visitor.wire(page.address)
            page.picture()
        else:
            page.wire.close()
            ear.page = Seat(ear.visitor, self.code)

    def play(self, hands: int, *, tours: int = 7, most: int = 10_000) -> None:
        """So many hands or moves, or to the end of the match; every ``tours`` moves somebody looks at everything."""
        moves = 0
        while hands and moves < most and self.state.turn is not None:
            if self.state.phase == "hand_over":
                hands -= 1
                if hands:
                    self.pause()
                continue
            moves += 1
            if moves % tours == 0:
                ear = self.ears[moves // tours % len(self.ears)]
                self.tour(ear)
                if ear.page is not None:
                    self.reconnect(ear)
            self.move()

    def vote(self) -> None:
        """Somebody leaves, and the others close the table; a test table closes by that alone (AB-2)."""
        self.players[-1].at_table.do("leave")
        for ear in self.players[:-1]:
            ear.at_table.until(lambda page: "Masayı kapat" in page.newest or page.facts["stage"] == "ended")
            if ear.at_table.facts["stage"] != "ended":
                ear.at_table.do("close_vote")
        for ear in self.present:
            ear.at_table.until(lambda page: page.facts["stage"] == "ended")

    def after(self) -> None:
        """The match is over: everybody looks at everything once more."""
        self.look()
        for ear in self.ears:
            self.tour(ear)
        self.look()
        assert named(self.house.log, self.kinds) == {}, "the house's log names what was dealt"
        assert not any(salt in self.house.log for salt in self._salts), "the house's log holds a salt"

    # --- what is checked ---

    def look(self) -> None:
        """Search everything that has come since the last look. Raises AssertionError."""
        for ear in self.present:
            ear.at_table.settle()
        heard = [(ear, list(ear.news())) for ear in self.ears]
        self._follow()  # afterwards: the house may have dealt in between, and what was told had been kept before
        allowed = self.shown.asked()
        for ear, news in heard:
            may = allowed[ear.number] if ear.page is not None else set()
            for text in news:
                self._search(ear, text, may)

    def send(self, ear: Ear, action: Action) -> None:
        """Send this action, as a button would or not."""
        ear.sent |= set(things(action))
        words: dict[str, Any] = codec.plain(action)
        ear.at_table.do(words.pop("do"), **words)

    def _search(self, ear: Ear, text: str, may: set[Thing]) -> None:
        self.searched += len(text)
        text = "\n".join(line for line in _lines(_OWN_KEY.sub("", text)) if line not in self._public)
        for part, known in (
            (_REFUSAL.sub("", text), may),
            *((said, may | ear.sent) for said in _REFUSAL.findall(text)),
        ):
            told = {thing: where for thing, where in named(part, self.kinds).items() if thing not in known}
            assert not told, f"{ear.title} is told {sorted(map(str, told))}: …{next(iter(told.values()))}…"
        if self._body.ended is None:
            for salt in self._salts:
                assert salt not in text, f"{ear.title} is told a salt before the match is over"
        for lots in self._unplayed():
            assert lots not in text, f"{ear.title} is told luck that nobody has had yet: {lots}"
        for other in self.ears:
            for token in other.visitor.tokens if other is not ear else ():
                hidden = (token, sha256(token.encode()).hexdigest())
                assert not any(word in text for word in hidden), f"{ear.title} is told the token of {other.title}"

    def _follow(self) -> None:
        """Take in what the table has logged since."""
        (self._body,) = self._row("body")
        with self.house.rows() as rows:
            lines = rows.execute(
                'SELECT seat, action FROM line, game_table WHERE "table" = id AND code = ? AND n >= ? ORDER BY n',
                (self.code, self._lines),
            ).fetchall()
        self._lines += len(lines)
        for seat, text in lines:
            action = codec.read_action(self.game.actions + self.game.lots + self.game.idles + fairness.NOTES, text)
            if isinstance(action, fairness.Reveal):
                self._salts.add(action.salt)
            if not isinstance(action, fairness.NOTES):
                self.state, _ = self.state.play(seat, action)
                self.shown.see(self.state)
        if self._body.luck is not None:
            self._salts.add(self._body.luck.salt)
        if lines:
            self.kinds |= {type(thing) for thing in things(self.state)}

    def _row(self, columns: str) -> tuple[Any, ...]:
        with self.house.rows() as rows:
            found: tuple[Any, ...] = rows.execute(
                f"SELECT {columns} FROM game_table WHERE code = ?", (self.code,)
            ).fetchone()
        return codec.decode(Body, found[0]), *found[1:]

    def _unplayed(self) -> list[str]:
        """The luck that lies sealed, as it is kept and as it is hashed."""
        if self._body.luck is None or not self._body.luck.lots:
            return []
        lots = [codec.read_action(self.game.lots, lot) for lot in self._body.luck.lots]
        words = " ".join(fairness.words(lots))
        return [*self._body.luck.lots, *([words] if len(words) > UNMISTAKABLE else [])]

    def _illegal(self, seat: Number, action: Action) -> bool:
        try:
            self.state.play(seat, action)
        except IllegalAction:
            return True
        return False


def opened(house: Server, game: Game, seats: int, rng: Random) -> Watched:
    """A new table, whose people have just come."""
    people = [Visitor(house.base, fresh()) for _ in range(seats + 1)]
    table = Watched(house, game, _open(people[0], game, seats), people, rng)
    table.arrive()
    return table


def _open(opener: Visitor, game: Game, seats: int) -> str:
    usual, short = next(iter(game.rulesets.values())), shortest(game)
    changed = {name: value for name, value in codec.plain(short).items() if value != codec.plain(usual)[name]}
    answer = opener.post("/masa-ac", {"game": game.key, "seats": seats, **changed})
    assert answer.status == 303, answer
    return answer.headers["location"].rpartition("/")[2]


def _undealt(house: Server, game: Game, seats: int) -> set[str]:
    """The lines that such a table's pages have before anything is dealt: rules, decoration. They tell no luck."""
    guest = Visitor(house.base)
    pages = [guest.get("/").text]
    assert guest.enter(fresh()).status == 303
    code = _open(guest, game, seats)
    paths = (f"/masa/{code}", f"/kurallar/{game.key}?masa={code}", f"/masa/{code[::-1]}")
    pages += [guest.get(path).text for path in paths]
    return {line for page in pages for line in _lines(page)}


def _lines(page: str) -> list[str]:
    return _ENDS.split(page)


def shortest(game: Game) -> Rules:
    """The usual rules with the smallest of every number that is chosen from a list: such a match ends soonest."""
    rules = next(iter(game.rulesets.values()))
    for field, kind in fields(type(rules)).items():
        numbers = [value for value in values_of(kind) if type(value) is int]
        try:
            rules = type(rules)(**{**_fields(rules), field: min(numbers, default=getattr(rules, field))})
        except ValueError:  # what can't go together
            continue
    return rules


def _fields(rules: Rules) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in rules.__struct_fields__}
