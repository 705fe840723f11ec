"""A person's hand by touch, at every game: whatever the screen offers is tapped, and no rule is known here."""

from typing import Final, NamedTuple

from e2e.phones import Phone

UNDONE: Final = 1_000
"""Milliseconds in which Tavla's last die may be taken back; the phone's clock jumps over them."""


class Way(NamedTuple):
    """What is tapped, the first that is there. ``deeds`` are moves, ``aims`` lift or open something for one."""

    deeds: tuple[str, ...]
    aims: tuple[str, ...]


TRICKS: Final = Way(
    deeds=("[data-do=trump]", "#pass:not(:disabled)", "#play:not(:disabled)"),
    aims=("#hand [data-do]:not([aria-disabled]):not(.lifted)",),
)
DRAW: Final = "#stock[data-do=draw]:not(:disabled)"
THROW: Final = "#drop:not(:disabled)"
TILES: Final = "#rack .tile:not(.lifted)"
WAYS: Final = {
    "okey101": Way(
        deeds=("#sheet-open-melds [data-do=open]:not(:disabled)", DRAW, THROW),
        aims=("#open-melds.able:not([aria-disabled])", "#sort [data-sort=runs]", TILES),
    ),
    "klasik": Way(deeds=(DRAW, "#finish.primary", THROW), aims=(TILES,)),
    "tavla": Way(deeds=("#roll:not(:disabled)", ".goal"), aims=(".can",)),
    "batak": TRICKS,
    "ucbessekiz": TRICKS,
    "pisti": Way(deeds=("#hand .lifted",), aims=("#hand [data-do]",)),
}
"""By the games' keys."""

OFFERED: Final = """({ deeds, aims, aimed, done }) => {
  const { seat, turn, phase, played } = document.getElementById('table').dataset
  if (document.querySelector('.coming')) return { coming: true }
  if (played === done) return null
  if (phase === 'hand_over' || phase === 'over') return { over: true }
  if (turn !== seat) return null
  const place = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const places = [[x + width / 2, y + height / 2], [x + 12, y + 12]] // in a fan a card is seen at its edge
    return places.find((spot) => element.contains(document.elementFromPoint(...spot)))
  }
  for (const selector of [...deeds, ...aims]) {
    for (const element of document.querySelectorAll(selector)) {
      const [at, name] = [place(element), `${selector} ${element.id}`]
      if (at) return name === aimed ? null : { at, name, played, deed: deeds.includes(selector) }
    }
  }
  return null
}"""
"""What to tap next, and where: once it is one's turn and what was tapped last has shown. Nothing is tapped twice."""


def play_a_hand(phone: Phone, key: str) -> int:
    """Tap whatever is offered until the hand is over; in how many moves. Nothing may travel: a finger would miss it."""
    page, told, moves = phone.page, {**WAYS[key]._asdict(), "aimed": "", "done": ""}, 0
    while "over" not in (offered := page.wait_for_function(OFFERED, arg=told).json_value()):
        if "coming" in offered:
            page.clock.fast_forward(UNDONE)
            continue
        page.touchscreen.tap(*offered["at"])
        moves += offered["deed"]
        told |= {"aimed": "", "done": offered["played"]} if offered["deed"] else {"aimed": offered["name"]}
    return moves
