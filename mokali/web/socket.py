"""One message from one person: read, submit, answer; and the life of a socket from handshake to close."""

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta
from simple_websocket import ConnectionClosed

from mokali import figures, journal
from mokali.engine import codec
from mokali.engine.protocol import Action, Assist, Event, IllegalAction, MalformedAction
from mokali.live import bus, door, ledger
from mokali.people import lines
from mokali.store import people, racks, tables, talk
from mokali.store.database import NotKept
from mokali.store.talk import Kind
from mokali.tables import lessons, rack, texts
from mokali.tables.rack import SLOTS, Arrangement, Cols
from mokali.tables.table import REQUESTS, Act, Ask, No, Refused, Request, Table, TakeBack, seat_of
from mokali.web import filters
from mokali.web import talk as words
from mokali.web import wire as codes
from mokali.web.hints import Hints, Tip, in_words
from mokali.web.hub import Hub, Wire
from mokali.web.rates import Bucket
from mokali.web.render import Renderer, Screen, okey_of

PATIENCE_MS: Final = 5_000
"""So long somebody may send too much before the socket is closed (RL-18)."""
LULL_MS: Final = 1_000
"""So long without a message too many, and it is forgiven."""

FRESH_MS: Final = 10_000
"""A page that old has had a socket before."""


TileText: TypeAlias = Annotated[str, Meta(max_length=8)]


class Nudge(Action, frozen=True):
    """Wake whoever is on turn ("Dürt")."""


class Hint(Action, frozen=True):
    """What a good player would do now ("İpucu"), at a practice table."""


class Chat(Action, frozen=True):
    """A line for everybody at the table (SITE-14)."""

    text: Annotated[str, Meta(max_length=1000)]


class Say(Action, frozen=True):
    """One of the phrases and faces that need no typing, by its key."""

    phrase: Annotated[str, Meta(max_length=16)]


class Undo(Action, frozen=True, tag="take_back"):
    """Take back the own last action, where the table allows it (PT-4)."""


class Approve(Action, frozen=True):
    """Somebody who asks from another phone is, or is not, who he says (SITE-21)."""

    plea: str
    yes: bool


class Arrange(Action, frozen=True, tag="rack"):
    """The owner has moved a tile of his rack, or turned one over. ``n`` is his page's own counter."""

    cols: Cols
    slots: Annotated[tuple[TileText, ...], Meta(min_length=SLOTS, max_length=SLOTS)]
    down: Annotated[tuple[TileText, ...], Meta(max_length=SLOTS)] = ()
    n: Annotated[int, Meta(ge=0, lt=2**53)] = 0


class Sort(Action, frozen=True, tag="assist"):
    """Sort the rack ("Seri diz", "Çift diz"), or put it back as it was ("Dizmeyi geri al")."""

    sort: Literal["runs", "pairs", "undo"]
    cols: Cols = 10


MESSAGES: Final[tuple[type[Action], ...]] = (Nudge, Hint, Chat, Say, Undo, Approve, Arrange, Sort)
"""What people send beside a game's actions and the table's requests."""

_REFUSALS: Final = {
    "read_only": ("Bu koltuk başka sekmede açık: oradan oyna ya da burayı yenile.", "SITE-7"),
    "too_soon": ("Biraz önce dürtüldü: yarım dakika bekle.", "SITE-9"),
    "not_kept": ("Kayıt yapılamadı, birazdan yeniden dene.", "CM-1"),
    "no_assist": ("Bu masada dizme yardımı kapalı: taşlarını kendin diz.", "SITE-9"),
    "no_hints": ("İpucu yalnızca alıştırma masalarında var: burada kendin düşün.", "AB-10"),
    "hint_later": ("İpucu sıra sendeyken istenir: sıranı bekle.", "AB-10"),
    "no_hint": ("Şimdi ipucu bulunamadı: birazdan yeniden dene.", "AB-10"),
    "plea_over": ("Bu isteğin süresi doldu ya da yanıtlandı.", "SITE-21"),
    "too_fast": ("Çok hızlı dokunuyorsun: biraz yavaşla.", "CM-6"),
}


class Player:
    """A wire at a table: draws that table for one person, and answers what that person sends."""

    def __init__(self, hub: Hub, renderer: Renderer, hints: Hints, wire: Wire, base: str) -> None:
        self.hub, self.renderer, self.hints, self.wire = hub, renderer, hints, wire
        self.screen = Screen(renderer, wire.person.id, base)
        wire.draw, wire.revision = self.draw, lambda: self.screen.revision

    def draw(self, events: tuple[Event, ...]) -> Iterable[str]:
        """The newest picture, and what happened."""
        scene = self.hub.scene(self.wire.table_id)
        began = perf_counter()
        html = self.screen.update(scene)
        figures.render.note(perf_counter() - began)
        if events:
            html += self.renderer.news(scene, events)
        if html:
            yield html

    def run(self) -> None:
        """Answer until the socket closes."""
        rate = Bucket(self.hub.settings.messages_per_second, self.hub.settings.messages_in_reserve)
        flooding_since = dropped_at = -LULL_MS
        while True:
            raw = self.wire.socket.receive()
            if self.hub.closing:
                return  # no new commands (RL-50)
            now = door.now()
            if rate.takes(now):
                self.answer(raw)
                continue
            if now - dropped_at > LULL_MS:
                flooding_since = now
                self._refuse("too_fast", *_REFUSALS["too_fast"], {})
            dropped_at = now
            if now - flooding_since > PATIENCE_MS:
                self.wire.socket.hang_up(codes.TOO_MUCH)
                return

    def answer(self, raw: str | bytes | None) -> None:
        """Do what one message asks; a refusal goes to this person alone, and nothing has changed."""
        if not isinstance(raw, str):
            ledger.dropped(self.wire.table_id, "binary")
            return
        game = self.hub.scene(self.wire.table_id).table.game
        try:
            if not self.wire.acting:
                raise _Refusal("read_only")
            self._do(codec.read_action(game.actions + REQUESTS + MESSAGES, raw), raw)
        except MalformedAction:
            ledger.dropped(self.wire.table_id, "bad_request")
        except IllegalAction as error:
            self._refuse(str(error.reason), *game.texts.refusals[error.reason], error.facts)
        except Refused as error:
            if error.reason == No.STALE:
                self.screen.forget()
                self.wire.poke()
            self._refuse(str(error.reason), *self._said(error))
        except NotKept:
            journal.note("not_kept", logging.WARNING, table=self.wire.table_id)
            self._refuse("not_kept", *_REFUSALS["not_kept"], {})
        except _Refusal as error:
            self._refuse(error.code, error.text, error.rule, error.facts)

    def _do(self, action: Action, raw: str) -> None:
        table_id, person = self.wire.table_id, self.wire.person
        match action:
            case Nudge():
                self._nudge()
            case Hint():
                self._hint()
            case Chat(text):
                self._say("chat", text)
            case Say(phrase):
                self._say("phrase", phrase)
            case Undo():
                log = tables.log(table_id) if tables.load(table_id).undoable is not None else ()
                door.submit(table_id, TakeBack(person.id, log, codec.seen(raw)))
            case Approve(plea, yes):
                self._approve(tables.load(table_id), plea, yes=yes)
            case Arrange() | Sort():
                self._arrange(tables.load(table_id), action)
            case _ if isinstance(action, REQUESTS):
                request: Request = action  # type: ignore[assignment]
                door.submit(table_id, Ask(person.id, request))
            case _:
                began = perf_counter()
                door.submit(table_id, Act(person.id, action, codec.seen(raw)))
                figures.move_to_commit.note(perf_counter() - began)

    def _nudge(self) -> None:
        scene = self.hub.scene(self.wire.table_id)
        shown = scene.frame(self.wire.person.id)
        awake = shown.turn is not None and shown.places[shown.turn].bot is None
        sleeper = scene.table.chairs[shown.turn].user if awake and shown.turn is not None else None
        if shown.me is None:
            raise Refused(No.NOT_SEATED)
        if sleeper is None or shown.turn == shown.me:
            raise Refused(No.STALE)
        if not self.hub.nudge(scene.table.id, sleeper, self.wire.person):
            raise _Refusal("too_soon")

    def _hint(self) -> None:
        """Thought about elsewhere, from what this person sees; it comes when it comes, and for nobody else."""
        scene, person = self.hub.scene(self.wire.table_id), self.wire.person.id
        shown = scene.frame(person)
        if shown.me is None:
            raise Refused(No.NOT_SEATED)
        if not shown.practice:
            raise _Refusal("no_hints")
        if not shown.advised:
            raise _Refusal("hint_later")
        self.hints.seek(scene.table, shown.me, person, self._advise)

    def _advise(self, tip: Tip | None) -> None:
        """Where the table has gone on meanwhile, nobody needs it."""
        if tip is None:
            self._refuse("no_hint", *_REFUSALS["no_hint"], {})
        elif tables.load(self.wire.table_id).played == tip.played:
            self.wire.tell(self.renderer.tip(tip))

    def _say(self, kind: Kind, text: str) -> None:
        """For everybody at the table, seated or looking on."""
        if kind == "phrase" and text not in words.PHRASES and text not in words.FACES:
            raise MalformedAction("no such phrase")
        pace = words.paces(self.hub.settings)[kind]
        try:
            said = lines.clean(text) if kind == "chat" else text
            talk.say(self.wire.table_id, self.wire.person.id, kind, said, pace, door.now())
        except lines.BadLine as error:
            if error.code == "empty":
                raise MalformedAction("nothing said") from error
            raise _Refusal(error.code, *words.REFUSALS[kind, error.code]) from error
        except talk.Hurry as error:
            raise _Refusal(error.code, *words.REFUSALS[kind, error.code], wait=words.seconds(error.wait)) from error
        bus.ring(self.wire.table_id)

    def _approve(self, table: Table, plea: str, *, yes: bool) -> None:
        if seat_of(table, self.wire.person.id) is None:
            raise Refused(No.NOT_SEATED)
        try:
            people.answer(plea, table.id, self.wire.person.id, door.now(), yes=yes)
        except people.NoTransfer as error:
            raise _Refusal("plea_over") from error
        bus.ring(table.id)

    def _arrange(self, table: Table, wish: Arrange | Sort) -> None:
        """The rack of this person's seat; that is nobody else's business, and no move."""
        seat, assist = seat_of(table, self.wire.person.id), table.game.assist
        if table.state is None or assist is None:
            raise MalformedAction("no rack")
        if seat is None:
            raise Refused(No.NOT_SEATED)
        if isinstance(wish, Sort) and not table.terms.assist:
            raise _Refusal("no_assist")
        view = table.state.view(seat)
        kept = racks.change(table, seat, view.rack, lambda old: _arranged(old, wish, view, assist))
        self.hub.rearranged(table.id, seat, kept, self.wire.person.id)

    def _said(self, error: Refused) -> tuple[str, str, dict[str, object]]:
        """A refusal of the table: its sentence, rule and facts. A lesson's says what is wanted instead."""
        text, rule = texts.REFUSALS[error.reason]
        table = tables.load(self.wire.table_id)
        step = lessons.wanted(table) if error.reason == No.LESSON else None
        if step is None or step.action is None:
            return text, rule, error.facts
        return text, step.rule or rule, {"what": in_words(table, step.action)}

    def _refuse(self, code: str, text: str, rule: str, facts: dict[str, object]) -> None:
        scene = self.hub.scene(self.wire.table_id)
        ledger.refused(scene.table, self.wire.person.id, code)
        names, called = scene.frame(None).names, scene.table.game.texts.words
        said = filters.sentence(text, facts, names, called, okey_of(scene.table))
        self.wire.tell(self.renderer.refusal(code, said, rule, scene.table))


def _arranged(old: Arrangement, wish: Arrange | Sort, view: Any, assist: Assist) -> Arrangement:
    if isinstance(wish, Arrange):
        return rack.moved(old, wish.cols, wish.slots, wish.down, wish.n, view.rack)
    if wish.sort == "undo":
        return rack.unsorted(old, view.rack)
    return rack.sorted_by(wish.sort, old, assist.sort(view, wish.sort), wish.cols, view.rack)


class _Refusal(ValueError):
    """A refusal of the site itself; without words of its own it has those of its code."""

    def __init__(self, code: str, text: str = "", rule: str = "", **facts: object) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts
        self.text, self.rule = (text, rule) if text else _REFUSALS[code]


def attend(hub: Hub, wire: Wire, run: Callable[[], None]) -> None:
    """Keep a wire from joining to leaving. Whatever goes wrong ends this socket alone (RL-24)."""
    hub.join(wire)
    journal.note("connect", table=wire.table_id)
    if 0 < wire.page < door.now() - FRESH_MS:
        figures.reconnects.up()
    try:
        if hub.closing:
            wire.socket.hang_up(codes.RESTARTING)
            return
        hub.beat(wire)
        hub.welcome([wire])
        wire.poke()
        run()
    except ConnectionClosed:
        pass
    except (tables.NoTable, tables.Unreadable):
        wire.socket.hang_up(codes.NO_TABLE)
    except tables.Newer:
        wire.socket.hang_up(codes.TRY_AGAIN)
    except Exception as error:
        journal.fault(error, action="socket", table=wire.table_id)
        wire.socket.hang_up(codes.BROKEN)
    finally:
        hub.leave(wire)
        journal.note("close", table=wire.table_id, code=wire.socket.close_reason)
        wire.socket.finish()
