"""Opening a table of 101 Okey on a phone: what is chosen is said, what can't go together can't be chosen."""

import re

from playwright.sync_api import Page, expect

from e2e.conftest import NewPhone
from tests.web.server import Server

USUAL = "Mokali · 5 el · tekli"


def choose(page: Page, name: str, value: str) -> None:
    """Tap one of the choices."""
    page.locator(f'label:has(input[name="{name}"][value="{value}"])').tap()


def test_the_footer_says_what_will_be_played(shared: Server, new_phone: NewPhone) -> None:
    page = new_phone(shared, "Form Dolduran").page
    page.goto(f"{shared.base}/masa-ac")
    said, differences = page.locator("#said"), page.locator("#differences")
    expect(said).to_have_text(USUAL)
    expect(differences).to_be_hidden()
    choose(page, "hands", "11")
    choose(page, "partnered", "true")
    expect(said).to_have_text("Mokali · 11 el · eşli")
    page.get_by_text("Gelişmiş").tap()
    choose(page, "penalty_playable_discard", "0")
    choose(page, "threshold", "81")
    expect(differences).to_have_text("2 fark: Baraj: 81 · İşlek taş atma: Ceza yok")
    page.get_by_role("button", name="varsayılana dön: Baraj").tap()
    expect(differences).to_have_text("1 fark: İşlek taş atma: Ceza yok")
    expect(page.locator('input[name="threshold"][value="101"]')).to_be_focused()
    expect(page.get_by_role("button", name="varsayılana dön: Baraj")).to_be_hidden()
    page.get_by_role("button", name="Masayı aç").tap()
    expect(page.locator("#facts")).to_contain_text("Mokali, 1 fark")
    expect(page.locator("#facts")).to_contain_text("Eşli, 11 el · İşlek taş atma: Ceza yok")


def test_partners_cannot_be_chosen_with_fewer_than_four(shared: Server, new_phone: NewPhone) -> None:
    page = new_phone(shared, "Az Kişi").page
    page.goto(f"{shared.base}/masa-ac")
    choose(page, "partnered", "true")
    choose(page, "seats", "3")
    expect(page.locator('input[name="partnered"][value="true"]')).to_be_disabled()
    expect(page.locator("#said")).to_have_text("Mokali · 3 kişi, kayıtsız · 5 el · tekli")
    choose(page, "seats", "4")
    expect(page.locator('input[name="partnered"][value="true"]')).to_be_enabled()
    choose(page, "seats", "2")
    page.get_by_role("button", name="Masayı aç").tap()
    expect(page.locator("#bar")).to_contain_text("2 kişi, 5 el, kayıtsız")
    expect(page.locator("#facts")).to_contain_text(re.compile("2-3 kişilik, kayıtsız"))


def test_going_back_the_footer_says_what_is_chosen(shared: Server, new_phone: NewPhone) -> None:
    page = new_phone(shared, "Geri Dönen").page
    page.goto(f"{shared.base}/masa-ac")
    choose(page, "hands", "2")
    choose(page, "assist", "false")
    page.get_by_role("link", name=re.compile("^Kural .*El sayısı")).tap()
    page.wait_for_url("**/kurallar/**")
    page.go_back()
    expect(page.locator('input[name="hands"]:checked')).to_have_value("2")
    expect(page.locator("#said")).to_have_text("Mokali · 2 el · tekli · dizme yardımı kapalı")
