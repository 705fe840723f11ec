"""A seal in the hand, and what opens it once the match is over: shown, and checked without the house."""

import subprocess

from playwright.sync_api import expect

from e2e.conftest import House, NewPhone
from e2e.gallery_shuffle import WHOLE
from e2e.phones import Phone
from e2e.staging import SETTINGS, now, phone_of
from mokali.games import BY_KEY
from tests.web.prepared import database_in, written

GAME = BY_KEY["batak"]


def _seal(phone: Phone) -> str:
    """The seal of the running hand as its sheet has it, its ends standing in the menu."""
    page = phone.page
    page.locator('[data-ui="menu"]').first.tap()
    expect(page.locator(".when-ended")).to_be_hidden()
    row = page.get_by_role("button", name="Karıştırmanın mührü")
    told = row.inner_text()
    row.tap()
    seal = page.locator("#sheet-seal .seal").inner_text()
    assert len(seal) == 64
    assert f"{seal[:4]}…{seal[-4:]}" in told
    page.keyboard.press("Escape")
    return seal


def test_rl_36_a_seal_is_seen_in_the_hand_and_checked_after_the_match(serve: House, new_phone: NewPhone) -> None:
    server = serve(**SETTINGS)
    with database_in(server.data):
        running = written(GAME, 4, 1, 3, now())
        over = written(GAME, 4, 2, WHOLE, now())
    assert running.table.luck is not None
    assert _seal(phone_of(server, running, running.tokens[0], new_phone)) == running.table.luck.sha256

    phone = phone_of(server, over, over.tokens[0], new_phone)
    page = phone.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator('[data-ui="menu"]').first.tap()
    page.get_by_role("link", name="Karıştırmayı doğrula").tap()
    page.wait_for_url("**/karistirma/*")
    last = page.locator("details").last
    last.locator("summary").focus()
    page.keyboard.press("Enter")
    seal = last.locator(".seal").first.inner_text()
    button = last.get_by_role("button", name="Komutu kopyala")
    button.tap()
    expect(last.get_by_role("button", name="Kopyalandı")).to_be_visible()
    command = page.evaluate("navigator.clipboard.readText()")
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, text=True)
    assert done.stdout.split()[0] == seal
