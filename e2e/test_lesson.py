"""A whole lesson on a phone: read, tap what has a ring, be put right once, reload, and go on to practice."""

from playwright.sync_api import Page, expect

from e2e.conftest import House, NewPhone
from e2e.lessons import begin
from e2e.phones import Phone
from mokali.games import BY_KEY
from mokali.tables import lessons
from tests.web.seat import fresh


def tap_the_marked(page: Page) -> None:
    """The card with the ring, then the button that plays it."""
    marked = page.locator("#hand .hinted")
    expect(marked).to_have_count(1)
    marked.tap()
    page.locator("#play:not(:disabled)").tap()


def test_pisti_from_the_first_word_to_practice(serve: House, new_phone: NewPhone) -> None:
    phone: Phone = new_phone(serve(bot_seconds=0), fresh(), reduced_motion="reduce")
    page, guide = phone.page, phone.page.locator("#lesson .guide")
    begin(phone, "pisti")
    steps = lessons.of(BY_KEY["pisti"]).steps
    for at, step in enumerate(steps[:-1]):
        if step.action is not None and step.seat != lessons.PUPIL:
            continue
        expect(guide).to_have_attribute("data-step", str(at))
        expect(page.locator("#lesson .comment")).to_contain_text(step.note)
        if step.action is None:
            page.get_by_role("button", name="Devam").tap()
        elif at == 2:
            page.locator("#card-6C").tap()
            page.locator("#play:not(:disabled)").tap()
            expect(page.locator("#refusal")).to_contain_text("Şimdilik şunu dene: Karo 4 at.")
            expect(page.locator("#hand [data-card]")).to_have_count(4)
            phone.reload()
            expect(guide).to_have_attribute("data-step", "2")
            tap_the_marked(page)
        else:
            tap_the_marked(page)
    expect(guide).to_have_attribute("data-asks", "end")
    expect(page.locator("#sheet-scores.shown")).to_be_visible()
    page.get_by_role("button", name="Alıştırma yap").tap()
    page.locator('#table[data-phase="play"]').wait_for()
    phone.connected()
    expect(guide).to_have_count(0)
