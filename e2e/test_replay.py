"""Matches watched again on a phone, by tap, swipe, key and by themselves, to the end; a record taken home and back."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import NewPhone
from e2e.gallery_replay import over
from mokali.cli import replay as replayed
from mokali.web import filters
from tests.web.prepared import Prepared
from tests.web.server import Server


def _at(page: Page, step: int) -> None:
    expect(page.locator("#place")).to_have_attribute("data-step", str(step))


def _last(page: Page) -> int:
    return int(page.locator("#place").get_attribute("data-last") or 0)


def _swipe(page: Page, way: int) -> None:
    """A finger across the table, to the left for a step on."""
    box = page.locator("#table").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.45
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - way * 90, y + 5, steps=3)
    page.mouse.up()


def _scores(page: Page, match: Prepared) -> None:
    """The counting that lies there at the end is that of the match."""
    assert match.table.state is not None
    totals = match.table.state.view(None).totals
    sheet = page.locator("#sheet-scores")
    expect(sheet).to_be_visible()
    cells = sheet.locator(".total td").all_inner_texts()
    assert cells == [filters.num(total) for total in totals][: len(cells)]
    assert len(cells) >= 2


def test_pisti_is_watched_to_the_end_step_by_step_and_back(shared: Server, new_phone: NewPhone) -> None:
    match = over(shared, "pisti", 2, seed=11)
    page = new_phone(shared, reduced_motion="reduce").page
    page.goto(f"{shared.base}/tekrar/{match.table.code}?an=0&koltuk=0")
    _at(page, 0)
    for _ in range(6):
        page.locator("#on").tap()
    _at(page, 6)
    held = page.locator("#hand [data-card]").count()
    assert held in (2, 3, 4)
    _swipe(page, 1)
    _at(page, 7)
    _swipe(page, -1)
    _at(page, 6)
    page.locator("#pile").tap(position={"x": 250, "y": 60})
    _at(page, 7)
    page.keyboard.press("ArrowLeft")
    _at(page, 6)
    page.locator("#hand [data-card]").first.tap(force=True)
    assert page.locator("#hand [data-card]").count() <= held, "a card is a picture here"
    page.keyboard.press("Home")
    _at(page, 0)
    hands = 0
    while int(page.locator("#place").get_attribute("data-step") or 0) < _last(page):
        step = page.locator("#hand-on").get_attribute("data-step")
        page.locator("#hand-on").tap()
        _at(page, int(step or 0))
        hands += 1
    assert match.table.state is not None
    assert hands == match.table.state.view(None).hand + 1
    _scores(page, match)
    page.go_back()
    expect(page.locator("#place")).not_to_have_attribute("data-step", str(_last(page)))
    page.go_forward()
    _at(page, _last(page))


def test_101_plays_by_itself_with_all_hands_open(shared: Server, new_phone: NewPhone) -> None:
    match = over(shared, "okey101", 4, seed=1)
    phone = new_phone(shared, size={"width": 640, "height": 360}, reduced_motion="reduce")
    page = phone.page
    page.goto(f"{shared.base}/tekrar/{match.table.code}?koltuk=1")
    expect(page.locator("#rack .tile")).to_have_count(22)
    page.get_by_role("button", name="Bakış").tap()
    page.locator('[data-eyes="hepsi"]').tap()
    expect(page.locator("#hands .mini")).to_have_count(4 * 21 + 1)
    page.locator("[data-pace]").last.tap()
    page.locator('#sheet-view [data-ui="close"]').tap()
    end = _last(page)
    page.goto(f"{shared.base}/tekrar/{match.table.code}?an={end - 3}&koltuk=hepsi")
    page.locator("#run").tap()
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "true")
    _at(page, end)
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "false")
    _scores(page, match)
    page.keyboard.press("Home")
    _at(page, 0)
    for _ in range(end):
        page.keyboard.press("ArrowRight")
    _at(page, end)
    _scores(page, match)


def test_tavla_comes_home_as_a_record_and_is_watched_from_there(
    shared: Server, new_phone: NewPhone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = over(shared, "tavla", 2, seed=13)
    page = new_phone(shared, reduced_motion="reduce").page
    page.goto(f"{shared.base}/tekrar/{match.table.code}")
    page.get_by_role("button", name="Bakış").tap()
    with page.expect_download() as download:
        page.get_by_role("link", name="Kaydı indir").tap()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert replayed([str(file)], summary=False, verify=True) == 0, capsys.readouterr()
    page.goto(f"{shared.base}/kayit")
    page.locator("#file").set_input_files(file)
    page.get_by_role("button", name="İzle").tap()
    page.wait_for_url("**/tekrar/kayit-*")
    expect(page.locator(".fault")).to_have_count(0)
    page.locator("#seek").evaluate(
        "(slider) => { slider.value = slider.max - 2; slider.dispatchEvent(new Event('change')) }"
    )
    end = _last(page)
    _at(page, end - 2)
    page.locator("#on").tap()
    page.locator("#on").tap()
    _at(page, end)
    _scores(page, match)
