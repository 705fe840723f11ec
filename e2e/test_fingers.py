"""Real fingers on cards: drag to play, let go too early, a cancelled touch, a second finger, two fast taps."""

from playwright.sync_api import expect

from e2e.conftest import NewPhone
from e2e.fingers import Finger
from e2e.phones import Phone, seated, whose_turn
from tests.web.server import Server


def _mover(server: Server, new_phone: NewPhone, *names: str) -> Phone:
    phones = [new_phone(server, name) for name in names]
    seated(*phones)
    return whose_turn(*phones)


def test_a_card_dragged_upwards_is_played_once(shared: Server, new_phone: NewPhone) -> None:
    mover = _mover(shared, new_phone, "Ali Çeken", "Ece Çeken")
    finger, card, before = Finger(mover), mover.hand[1], mover.played
    finger.drag(card, 90)
    expect(mover.page.locator("body > .ghost")).to_be_attached()
    finger.lift()
    mover.moved_on(before)
    assert mover.played == before + 1
    assert card not in mover.hand
    assert [frame["card"] for frame in mover.game_frames() if frame["do"] == "play"] == [card]


def test_a_drag_that_ends_too_early_or_is_taken_away_plays_nothing(shared: Server, new_phone: NewPhone) -> None:
    mover = _mover(shared, new_phone, "Ali Bırakan", "Ece Bırakan")
    finger, card, before = Finger(mover), mover.hand[0], mover.played
    finger.drag(card, 20)
    finger.lift()
    finger.drag(card, 90)
    finger.cancel()
    place = finger.down(card)
    finger.beside(mover.hand[1], place)
    finger.lift()
    expect(mover.page.locator("body > .ghost")).to_have_count(0)
    assert [frame for frame in mover.game_frames() if frame["do"] == "play"] == []
    mover.play(card)
    assert mover.played == before + 1


def test_two_fast_taps_on_play_send_one_card(shared: Server, new_phone: NewPhone) -> None:
    mover = _mover(shared, new_phone, "Ali Hızlı", "Ece Hızlı")
    card, before = mover.hand[0], mover.played
    mover.card(card).tap()
    mover.page.evaluate(
        "() => { for (let n = 0; n < 3; n++) document.querySelector('[data-ui=\"play-lifted\"]').click() }"
    )
    mover.moved_on(before)
    assert mover.played == before + 1
    assert len([frame for frame in mover.game_frames() if frame["do"] == "play"]) == 1
