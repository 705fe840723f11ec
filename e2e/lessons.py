"""A lesson on a phone: opened by its button, and followed to any of its steps."""

import json
from typing import Final

from playwright.sync_api import expect

from e2e.phones import Phone
from mokali.engine import codec
from mokali.games import BY_KEY
from mokali.tables import lessons

SEND: Final = """(values) => {
  const sender = document.querySelector('#sheet-leave [data-do=leave]'), own = sender.getAttribute('hx-vals')
  sender.setAttribute('hx-vals', values)
  sender.click()
  sender.setAttribute('hx-vals', own)
}"""
"""A button that is out of sight says another thing for once."""


def begin(phone: Phone, key: str) -> None:
    """Open a game's lesson from its rule page."""
    phone.page.goto(f"{phone.base}/kurallar/{key}")
    phone.page.get_by_role("button", name="Öğren").tap()
    phone.page.locator('#table[data-stage="playing"]').wait_for()
    phone.connected()


def follow(phone: Phone, key: str, until: int) -> None:
    """Go on to a step: what is to be read is read, moves are sent as the page would send them."""
    steps, page = lessons.of(BY_KEY[key]).steps, phone.page
    guide = page.locator("#lesson .guide")
    since = int(guide.get_attribute("data-step") or 0)
    for at, step in enumerate(steps[:until]):
        if at < since or (step.action is not None and step.seat != lessons.PUPIL):
            continue
        expect(guide).to_have_attribute("data-step", str(at))
        if step.action is None:
            page.locator("#lesson [data-do=read]").dispatch_event("click")
        else:
            page.evaluate(SEND, json.dumps(codec.plain(step.action) | {"do": codec.kind_of(step.action)}))
    expect(guide).to_have_attribute("data-step", str(until))
