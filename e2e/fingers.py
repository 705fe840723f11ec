"""A finger on a phone's glass, by the browser's own touch events."""

import time

from playwright.sync_api import CDPSession, Locator

from e2e.phones import Phone


class Finger:
    """One finger on a phone's glass, by the browser's own touch events."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.glass: CDPSession = phone.context.new_cdp_session(phone.page)

    def down(self, card: str) -> tuple[float, float]:
        """Touch a card in its middle; the place."""
        box = self.phone.card(card).bounding_box()
        assert box is not None
        place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self._touch("touchStart", place)
        return place

    def drag(self, card: str, up: int) -> None:
        """Touch a card and move it up so many pixels, without letting go."""
        x, y = self.down(card)
        for step in range(1, 13):
            self._touch("touchMove", (x, y - up * step / 12))

    def carry(self, source: Locator, target: Locator, steps: int = 8) -> None:
        """Touch the middle of one thing and move to the middle of another, without letting go."""
        start, end = middle(source), middle(target)
        self._touch("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            self._touch("touchMove", (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))

    def press(self, place: Locator) -> None:
        """Touch the middle of something, without letting go."""
        self._touch("touchStart", middle(place))

    def slide(self, place: Locator) -> None:
        """Move to the middle of something, without letting go."""
        self._touch("touchMove", middle(place))

    def tap(self, place: tuple[float, float], at: float) -> None:
        """Tap there; ``at`` is the finger's own time, however late the page hears of it."""
        self._touch("touchStart", place, at=at)
        self._touch("touchEnd", at=at + 0.03)

    def double_tap(self, place: Locator) -> None:
        """Tap twice within a fifth of a second."""
        spot, now = middle(place), time.time()
        for at in (now, now + 0.2):
            self.tap(spot, at)

    def lift(self) -> None:
        """Let go."""
        self._touch("touchEnd")

    def cancel(self) -> None:
        """The phone takes the touch away, as a call would."""
        self._touch("touchCancel")

    def beside(self, card: str, place: tuple[float, float]) -> None:
        """A second finger comes down while the first rests."""
        box = self.phone.card(card).bounding_box()
        assert box is not None
        self._touch("touchStart", place, (box["x"] + 20, box["y"] + 20))

    def _touch(self, kind: str, *places: tuple[float, float], at: float | None = None) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        when = {} if at is None else {"timestamp": at}
        self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, **when})


def middle(place: Locator) -> tuple[float, float]:
    """The middle of something on the screen."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
