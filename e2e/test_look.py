"""The phone turned in mid-turn, and movement for those who want none. Sizes and themes: ``test_gallery.py``."""

import re

from playwright.sync_api import expect

from e2e.conftest import NewPhone
from e2e.phones import seated, whose_turn
from tests.web.server import Server


def test_turning_the_phone_loses_nothing(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = new_phone(shared, "Ali Döner"), new_phone(shared, "Ece Döner")
    seated(ali, ece)
    mover = whose_turn(ali, ece)
    chosen = mover.hand[2]
    mover.card(chosen).tap()
    hand = mover.hand
    for size in ({"width": 640, "height": 360}, {"width": 360, "height": 640}):
        mover.page.set_viewport_size(size)  # type: ignore[arg-type]
        expect(mover.card(chosen)).to_have_class(re.compile("lifted"))
        assert mover.hand == hand
    before = mover.played
    mover.page.locator('[data-ui="play-lifted"]').tap()
    mover.moved_on(before)
    assert chosen not in mover.hand


COUNTING = """
  window.moved = 0
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...how) { window.moved += 1; return animate.apply(this, how) }
"""


def test_a_card_travels_unless_movement_is_unwanted(shared: Server, new_phone: NewPhone) -> None:
    lively, calm = new_phone(shared, "Ali Canlı"), new_phone(shared, "Ece Durgun", reduced_motion="reduce")
    for phone in (lively, calm):
        phone.context.add_init_script(COUNTING)
    seated(lively, calm)
    for _ in range(4):
        whose_turn(lively, calm).play()
    assert lively.page.evaluate("moved") > 0
    assert calm.page.evaluate("moved") == 0
