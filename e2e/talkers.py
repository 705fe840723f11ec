"""What phones need to talk: an ear at the audio element, a voice that lies ready, the microphone under a finger."""

import math
import time
from array import array
from fractions import Fraction
from functools import cache
from io import BytesIO
from secrets import token_urlsafe
from typing import Any, Final

import av
from playwright.sync_api import CDPSession, Locator

from e2e.conftest import NewPhone
from e2e.phones import Phone
from e2e.staging import now
from mokali.store import tables, talk
from mokali.store.database import run, transaction
from mokali.store.talk import Pace
from tests.web.prepared import database_in
from tests.web.server import Server

RATE: Final = 24_000
SPOKEN: Final = 700
"""Milliseconds somebody speaks: more than the half second that is the least."""
EAR: Final = """(() => {
  const play = HTMLMediaElement.prototype.play
  const ear = window.ear = { steps: [], ran: {}, asked: 0 }
  const listen = (audio) => {
    let name // of what began last: once it has ended, the page may already have put in the next
    audio.addEventListener('playing', () => {
      name = audio.src.split('/ses/')[1]
      const step = 'playing ' + name // again after a gap, on a slow machine
      if (name && ear.steps[ear.steps.length - 1] !== step) ear.steps.push(step)
    })
    audio.addEventListener('timeupdate', () => {
      const { played, src } = audio
      if (name && src.endsWith(name) && played.length) ear.ran[name] = Math.max(ear.ran[name] || 0, played.end(0))
    })
    audio.addEventListener('ended', () => { if (name) ear.steps.push('ended ' + name) })
  }
  const known = new Set()
  HTMLMediaElement.prototype.play = function () {
    if (!known.has(this)) listen(this)
    known.add(this)
    return play.call(this)
  }
  const devices = navigator.mediaDevices
  const ask = devices && devices.getUserMedia.bind(devices)
  if (ask) devices.getUserMedia = (wish) => { ear.asked += 1; return ask(wish) }
})()"""
"""Writes down what the browser's own audio element played, and how often the microphone was asked for."""


def talker(new_phone: NewPhone, server: Server, name: str | None = None, *, microphone: bool = True) -> Phone:
    """A phone with an ear, whose browser grants the microphone or refuses it."""
    phone = new_phone(server, name, permissions=["microphone"] if microphone else [])
    phone.context.add_init_script(EAR)
    return phone


def mic(phone: Phone) -> Locator:
    """The microphone."""
    return phone.page.locator("#mic")


def recording(phone: Phone) -> None:
    """Wait until it records."""
    phone.page.locator('#mic[aria-pressed="true"]').wait_for()
    phone.page.locator("#recorder").wait_for()


def idle(phone: Phone) -> None:
    """Wait until nothing is recorded or waits to be sent again."""
    phone.page.locator('#mic[aria-pressed="false"]').wait_for()
    phone.page.locator("#recorder").wait_for(state="hidden")


def speak(phone: Phone) -> None:
    """Tap, speak; the next tap sends."""
    mic(phone).tap()
    recording(phone)
    phone.page.wait_for_timeout(SPOKEN)


def told(phone: Phone, words: str) -> None:
    """Wait until this was read aloud."""
    phone.page.locator("#live p", has_text=words).first.wait_for(state="attached")


def tapped(*phones: Phone) -> None:
    """A tap on bare ground, as everybody has made who sits or looks on."""
    for phone in phones:
        phone.page.locator("#step").tap()


def send(phone: Phone, seconds: float = 0.6) -> None:
    """Send a voice message without the screen, and see it taken."""
    phone.page.wait_for_timeout(100)  # the least that a house can ask for
    address = f"{phone.base}/masa/{phone.fact('table')}/ses"
    answer = phone.context.request.post(
        address, data=tone(seconds), headers={"Origin": phone.base, "Content-Type": "audio/mp4"}
    )
    assert answer.status == 204, answer.text()


def spoken(server: Server, phone: Phone, count: int) -> None:
    """So many messages of this person lie at the table, three seconds apart; the last is as old."""
    pace = Pace(2_000, count)
    with database_in(server.data):
        table = tables.load(tables.find(phone.fact("table")))
        person = table.chairs[int(phone.fact("seat"))].user
        assert person is not None
        for n in range(count):
            at = now() - 3_000 * (count - n)
            talk.speak(table.id, person, token_urlsafe(16), tone(0.6), 0.6, pace, at, 10_000_000)


def addresses(phone: Phone) -> list[str]:
    """The messages that this page holds, in order."""
    found: list[str] = phone.page.locator("#messages li").evaluate_all("all => all.map(item => item.dataset.src)")
    return found


def has(phone: Phone, count: int) -> list[str]:
    """Wait until the page holds so many messages; their addresses."""
    phone.page.wait_for_function("n => document.querySelectorAll('#messages li').length === n", arg=count)
    return addresses(phone)


def name(address: str) -> str:
    """A message's own part of its address."""
    return address.rpartition("/")[2]


def hears(phone: Phone, *messages: str) -> None:
    """Wait until these were played to their ends, one after the other and nothing else; sound did run."""
    wanted = [f"{step} {name(one)}" for one in messages for step in ("playing", "ended")]
    phone.page.wait_for_function("wanted => window.ear.steps.length >= wanted.length", arg=wanted)
    steps = phone.page.evaluate("window.ear.steps")
    assert steps == wanted, (steps, wanted)
    ran = phone.page.evaluate("window.ear.ran")
    assert all(ran[name(one)] > 0.3 for one in messages), ran


def heard_nothing(phone: Phone) -> None:
    """Nothing was ever played here."""
    assert phone.page.evaluate("[window.ear.steps, document.body.dataset.hearing || '']") == [[], ""]


def hearing(phone: Phone) -> None:
    """Wait until somebody's message is being played."""
    phone.page.locator("body[data-hearing]").wait_for()


class Onlooker:
    """Sees a page without touching it: what Playwright asks a page counts as a tap of its person."""

    def __init__(self, phone: Phone) -> None:
        self.glass: CDPSession = phone.context.new_cdp_session(phone.page)

    def sees(self, expression: str) -> Any:
        """What a script would find there."""
        answer = self.glass.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """Wait until that is so; what it is."""
        end = time.monotonic() + 10
        while not (value := self.sees(expression)):
            assert time.monotonic() < end, expression
            time.sleep(0.02)
        return value

    def tap(self, selector: str) -> None:
        """A finger there."""
        box = f"document.querySelector('{selector}').getBoundingClientRect()"
        x, y = self.sees(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({box})")
        self.glass.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self.glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def bubbles(phone: Phone) -> Locator:
    """What is shown at the seats."""
    return phone.page.locator("#bubbles .bubble")


def later(server: Server, seconds: float) -> None:
    """Whatever was said is so much longer ago."""
    with database_in(server.data), transaction():
        run("UPDATE talk SET said_at = said_at - ?", int(seconds * 1000))


@cache
def tone(seconds: float) -> bytes:
    """A voice message: a hum, as a phone would send it."""
    out = BytesIO()
    with av.open(out, "w", format="mp4") as file:
        stream = file.add_stream("aac", rate=RATE, layout="mono")
        for start in range(0, int(seconds * RATE), 1024):
            frame = av.AudioFrame(format="fltp", layout="mono", samples=1024)
            wave = array("f", (0.3 * math.sin(n * 2 * math.pi * 220 / RATE) for n in range(start, start + 1024)))
            frame.planes[0].update(wave.tobytes())
            frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return out.getvalue()
