"""From the leaderboard to a profile and to matches, on a small phone and with the keyboard alone."""

from playwright.sync_api import expect

from e2e import staging
from e2e.conftest import House, NewPhone
from mokali.store import people
from tests.finished import finished
from tests.web.near import ROOMY
from tests.web.prepared import database_in
from tests.web.server import Server


def _house(server: Server) -> tuple[list[str], str]:
    """Twenty-five people, each of whom has beaten the last one; tokens, and the code of the first's match."""
    now = staging.now()
    with database_in(server.data):
        entered = [people.enter(f"Kişi {n}", ROOMY, now) for n in range(25)]
        ids = [person.id for person, _ in entered]
        codes = [finished((one, ids[-1]), {one}, now - 60_000 * n, points=(51, 20)) for n, one in enumerate(ids[:-1])]
    return [token for _, token in entered], codes[0]


def test_from_the_leaderboard_to_a_profile_and_its_matches(serve: House, new_phone: NewPhone) -> None:
    server = serve()
    tokens, code = _house(server)
    phone = new_phone(server, size={"width": 320, "height": 568})
    phone.wear(tokens[-1])
    page = phone.page
    page.goto(f"{server.base}/siralama?oyun=pisti")
    mine = page.locator("tr.mine")
    expect(mine).to_contain_text("25")
    expect(mine.get_by_role("cell").first).to_be_in_viewport(ratio=1)  # the cells stay, not their row
    page.get_by_role("link", name="Kişi 0", exact=True).tap()
    expect(page.get_by_role("heading", name="Kişi 0")).to_be_visible()
    expect(page.get_by_role("img", name="Son 1 maç").first).to_be_visible()
    page.locator("summary", has_text="Pişti").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Pişti maçları")).to_be_hidden()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Pişti maçları").focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name="Tekrar izle: Pişti")
    expect(link).to_have_attribute("href", f"/tekrar/{code}")
    page.get_by_role("link", name="Profile dön").tap()
    page.get_by_role("link", name="Sıralamaya dön").tap()
    page.get_by_role("link", name="maç: Kişi 24").tap()
    expect(page.get_by_role("link", name="Tekrar izle")).to_have_count(20)
    page.get_by_role("link", name="Daha eski").tap()
    expect(page.get_by_role("link", name="Tekrar izle")).to_have_count(4)
    page.get_by_role("link", name="Profile dön").tap()
    expect(page.get_by_role("heading", name="Adını değiştir")).to_be_attached()
