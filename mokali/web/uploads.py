"""Somebody's own record, to be watched like any other match: read in bounds, kept for an hour and nowhere else.

An honest record is played by the rules from its first line to its last. One whose seals do not fit has been changed:
it is shown as far as it is legal, and called broken.
"""

from functools import partial
from hashlib import sha256
from typing import Final

import gevent
from flask import Flask, Response, render_template, request
from msgspec import Struct
from werkzeug.exceptions import RequestEntityTooLarge

from mokali import journal
from mokali.engine import fairness, record
from mokali.engine.protocol import Action, BadSetup, Game, IllegalAction, MalformedAction, Rules, Seat, State
from mokali.games import BY_KEY
from mokali.live import door
from mokali.people import names
from mokali.tables.past import Past
from mokali.tables.table import Chair, Ended, Why
from mokali.web import filters, pages
from mokali.web.house import Closing, house
from mokali.web.replay import LOANED, Fault, Reel, own_lines, shelf

MOST: Final = 512 * 1024
"""Bytes of a record."""
AROUND: Final = 4096
"""Bytes that a form puts around a file."""
LINES: Final = 20_000
WIDEST: Final = 16_384
"""Characters of a line: a deck has a thousand."""
BRACKETS: Final = 400
"""In one line: no record nests deeply, and its longest position has fewer."""

TOO_BIG: Final = "Dosya çok büyük: bir kayıt en çok 512 KB olur."
NO_TEXT: Final = "Bu bir metin dosyası değil. Mokali'nin kaydı .jsonl ile biter."
NO_RECORD: Final = "Bu bir Mokali kaydı değil."


class Refusal(ValueError):
    """Why a file is not watched: a sentence, and the game and the rule where it is one of a game's."""

    def __init__(self, text: str, code: int = 400, game: str = "", rule: str = "") -> None:
        super().__init__(text)
        self.text, self.code, self.game, self.rule = text, code, game, rule


class Script(Struct, frozen=True):
    """A record that can be read: who does what, and in which line of the file."""

    game: Game
    rules: Rules
    first: State
    names: tuple[str, ...]
    log: record.Log
    lines: tuple[int, ...]
    garbled: int | None
    """The line at which reading ended, where one is no action."""


def register(app: Flask) -> None:
    """The form, and where it is sent to."""
    app.add_url_rule("/kayit", "record_page", form)
    app.add_url_rule("/kayit", "upload", upload, methods=["POST"])


def form() -> str:
    """A field for a file."""
    return render_template("replay/upload.html", refusal=None, most=MOST)


def upload() -> Response | tuple[str, int]:
    """Read the file and show it, or say why not."""
    try:
        data = _file()
        with shelf().turn:
            reel = reel_of(data)
    except Refusal as refusal:
        journal.noise("record_refused", code=refusal.code)
        return render_template("replay/upload.html", refusal=refusal, most=MOST), refusal.code
    shelf().lend(reel, door.now())
    return pages.to("replay", code=reel.code)


def _file() -> bytes:
    """What is sent, cut off where it is too long or takes too long (RL-19). Raises Refusal."""
    sender = gevent.getcurrent()
    house().uploads.add(sender)
    request.max_content_length = MOST + AROUND
    try:
        with gevent.Timeout(house().settings.upload_seconds, Refusal("Dosya gelirken bağlantı koptu: yeniden dene.")):
            sent = request.files.get("file")
            data = b"" if sent is None or not sent.filename else sent.stream.read(MOST + 1)
            if sent is not None:
                sent.close()
    except RequestEntityTooLarge as error:
        raise Refusal(TOO_BIG, 413) from error
    except Closing as error:
        raise Refusal("Mokali yenileniyor, birkaç saniye sürer: sonra yeniden yükle.", 503) from error
    finally:
        house().uploads.discard(sender)
    if sent is None or not sent.filename:
        raise Refusal("Dosya seçmedin: önce bir kayıt seç.")
    if len(data) > MOST:
        raise Refusal(TOO_BIG, 413)
    return data


def reel_of(data: bytes) -> Reel:
    """The match in a file. Raises Refusal."""
    script = _script(_record(_text(data)))
    past = Past(script.game, script.rules, script.first, own_lines(script.log), partial(gevent.sleep, 0))
    broken = fairness.broken(script.log, script.game.lots)
    sealed = any(isinstance(action, fairness.Seal) for _, action in script.log)
    whole = past.stopped is None and script.garbled is None
    shut = broken is not None and sealed and _only_shut(script)
    fault = None if broken is None or not sealed or shut else _tampered(script, past)
    if fault is None and not whole:
        raise _illegal(script, past)
    if not past.steps:
        raise Refusal("Kayıtta izlenecek bir hamle yok.")
    note = "Bu kayıtta mühür yok: kartların, taşların ya da zarların önceden belirlendiği gösterilemez."
    unopened = "Bu maç yarıda kalmış: son elin mührü açılmamış."
    chairs = tuple(Chair(user=seat + 1) for seat in range(len(script.names)))
    return Reel(
        code=LOANED + sha256(data).hexdigest()[:32],
        past=past,
        chairs=chairs,
        names=dict(enumerate(script.names, 1)),
        ended=Ended(Why.FINISHED, 0) if past.at(past.last)[0].turn is None else None,
        fault=fault,
        note=unopened if shut else "" if sealed else note,
    )


# --- reading ---


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal(NO_TEXT) from error
    if not text.strip():
        raise Refusal("Dosya boş.")
    if "\0" in text:
        raise Refusal(NO_TEXT)
    if text.lstrip().startswith("<"):
        raise Refusal("Bu bir web sayfası, kayıt değil. Kaydı maçın sonunda “Kaydı indir” verir.")
    return text


def _record(text: str) -> record.Record:
    lines = text.split("\n")
    if len(lines) > LINES:
        raise Refusal("Kayıt çok uzun: en çok 20.000 satır olabilir.")
    for number, line in enumerate(lines, 1):
        if len(line) > WIDEST:
            raise Refusal(f"{number}. satır çok uzun. {NO_RECORD}")
        if line.count("[") + line.count("{") > BRACKETS:
            raise Refusal(f"{number}. satırda çok fazla iç içe parantez var. {NO_RECORD}")
    try:
        return record.read(text)
    except record.Unreadable as error:
        if "record version" in str(error):
            raise Refusal("Bu kayıt başka bir sürümün: burada okunamıyor.") from error
        raise Refusal(f"{str(error).partition(':')[0]}. satır okunamadı. {NO_RECORD}") from error


def _script(read: record.Record) -> Script:
    header = read.header
    game = BY_KEY.get(header.game)
    if game is None:
        raise Refusal("Kayıttaki oyun Mokali'de yok.")
    if header.seats not in game.seats:
        raise Refusal(f"{game.name} bu kadar kişiyle oynanmaz: kayıtta {header.seats} koltuk var.")
    if header.setup_refused:
        raise Refusal("Kayıtta izlenecek bir hamle yok.")
    try:
        rules = record.rules_of(header, game)
        first = record.start(game, rules, header.seats, header.setup)
    except record.Unreadable as error:
        raise Refusal("Kayıttaki oyun kuralları geçersiz.") from error
    except BadSetup as error:
        raise Refusal("Kayıttaki başlangıç konumu geçersiz.") from error
    log, lines, garbled = _steps(read, game)
    return Script(game, rules, first, _named(header), log, lines, garbled)


def _steps(read: record.Record, game: Game) -> tuple[record.Log, tuple[int, ...], int | None]:
    """What is done; what a rule test expects, or wants refused, is passed over."""
    found: list[tuple[Seat, Action]] = []
    numbers: list[int] = []
    for line in read.lines:
        if "expect" in line.step or line.step.get("illegal"):
            continue
        try:
            found.append(record.action_of(line, game, read.header.seats))
        except MalformedAction:
            return tuple(found), tuple(numbers), line.number
        numbers.append(line.number)
        if len(numbers) % 100 == 0:
            gevent.sleep(0)
    return tuple(found), tuple(numbers), None


def _named(header: record.Header) -> tuple[str, ...]:
    """The names by seat; what is no name here is none there, so that nobody is deceived (RL-10, RL-11)."""
    return tuple(
        (_name(header.names[seat]) if seat < len(header.names) else "") or f"Oyuncu {seat + 1}"
        for seat in range(header.seats)
    )


def _name(given: str) -> str:
    try:
        return names.clean(given[: 4 * names.LONGEST])
    except names.BadName:
        return ""


# --- what does not fit ---


def _only_shut(script: Script) -> bool:
    """Whether all that is wrong is that the last seal is still shut: the match was not played to its end."""
    last = max(n for n, (_, action) in enumerate(script.log) if isinstance(action, fairness.Seal))
    opened = any(isinstance(action, fairness.Reveal) for _, action in script.log[last:])
    return not opened and fairness.broken(script.log[:last], script.game.lots) is None


def _tampered(script: Script, past: Past) -> Fault:
    text = "Kayıttaki mühürlerden biri tutmuyor: bu dosya sonradan değiştirilmiş, ya da eksik."
    if past.stopped is not None or script.garbled is not None:
        text += f" {_illegal(script, past).text} Oraya kadar izleyebilirsin."
    return Fault("Kayıt bozuk: mühür tutmuyor", text)


def _illegal(script: Script, past: Past) -> Refusal:
    """Which line can't be played, and what the rules say to it."""
    if past.stopped is None:
        return Refusal(f"{script.garbled}. satır bu oyunun bir hamlesi değil.")
    own = [n for n, (_, action) in enumerate(script.log) if not isinstance(action, fairness.NOTES)]
    text, rule = _reason(script, past.stopped)
    return Refusal(f"{script.lines[own[past.last]]}. satır kurallara uymuyor: {text}", 400, script.game.key, rule)


def _reason(script: Script, error: IllegalAction) -> tuple[str, str]:
    words = script.game.texts
    text, rule = words.refusals[error.reason]
    return filters.sentence(text, error.facts, script.names, words.words), rule
