"""Every byte that anybody at a table hears, searched for cards he may not know (CM-9, RL-34)."""

import re
from collections.abc import Callable

from mokali.engine import codec
from mokali.engine.cards import DECK, Card
from mokali.games import BY_KEY
from mokali.web.filters import card_name
from tests.web.seat import Seat, deal, on_turn
from tests.web.server import Server
from tests.web.wire import Visitor


def _known(house: Server, code: str, seat: int | None) -> set[Card]:
    """The cards whose faces this viewer may have met by now."""
    state = house.kept(code).state
    assert state is not None
    view = codec.decode(BY_KEY["pisti"].state, state).view(seat)
    return {*view.cards, *view.seen_pile, *view.hidden_cards}.union(*view.seen_captured)


def _named(text: str) -> set[Card]:
    """The cards that stand in a text: as codes, as ids, or in words."""
    codes = {card for card in DECK if re.search(rf"\b{card}\b", text)}
    return codes | {card for card in DECK if card_name(card) in text}


def test_rl_34_nobody_is_sent_a_card_that_he_may_not_know(serve: Callable[..., Server]) -> None:
    """Four seats and a watcher through a whole hand: pages, pictures, news, refusals, reloads, another device."""
    house = serve()
    seats = deal(house, "Ayşe", "Can", "Ece", "Muhammet")
    code = seats[0].code
    everybody = [*seats, Seat(Visitor(house.base, "İzleyen"), code)]
    searched = 0
    heard = dict.fromkeys(range(len(everybody)), 0)
    while seats[0].facts["phase"] == "play":
        moved = on_turn(seats)
        before, card = moved.played, moved.cards[0]
        for seat in everybody:
            if seat is not moved:
                seat.refused("play", card=card)
        moved.do("play", card=card)
        for n, seat in enumerate(everybody):
            seat.until(lambda some, before=before: some.played > before)  # type: ignore[misc]
            seat.settle()
            news = seat.wire.heard[heard[n] :]
            heard[n] = len(seat.wire.heard)
            news.append(seat.visitor.get(f"/masa/{code}").text if before % 5 == 0 else "")
            news.append(seat.visitor.get(f"/kurallar/pisti?masa={code}").text if before % 13 == 0 else "")
            allowed = _known(house, code, seat.number) | {Card(card)}
            for text in news:
                faces = _without_decoration(text)
                assert _named(faces) <= allowed, (seat.number, _named(faces) - allowed, text)
                searched += len(text)
    assert searched > 500_000


def _without_decoration(text: str) -> str:
    """Without the rules' own words, and without the refusals, which repeat what their receiver has sent."""
    text = re.sub(
        r'<section id="refusal".*?</section>|<section id="sheet-rules".*?</section>\s*</div>', "", text, flags=re.S
    )
    return re.sub(
        r'<main class="page rules">.*?</main>|<section hx-swap-oob="outerMorph" id="refusal".*?</section>',
        "",
        text,
        flags=re.S,
    )


def test_rl_36_the_seal_is_shown_and_nothing_of_what_it_seals(serve: Callable[..., Server]) -> None:
    house = serve()
    seats = deal(house, "Ayşe", "Can")
    with house.rows() as rows:
        body = rows.execute("SELECT body FROM game_table WHERE code = ?", (seats[0].code,)).fetchone()[0]
    page = seats[0].visitor.get(f"/masa/{seats[0].code}").text
    salt = re.search(r'"salt":"(\w+)"', body)
    sealed = re.search(r'"sha256":"(\w+)"', body)
    if sealed is not None and salt is not None:
        assert sealed[1] in page
        assert salt[1] not in page
    assert re.search(r"[0-9a-f]{64}", page), "the seal is public while the hand is played"
