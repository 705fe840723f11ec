"""Every page and state at every size and in both themes: nothing sticks out, nothing is too small, axe is content."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe

from e2e.conftest import NewPhone
from e2e.gallery import Scene
from e2e.shows import SHOWS
from tests.web.server import Server
from tests.web.wire import hang_up_all

SIZES: Final = ((320, 568), (360, 640), (390, 844), (430, 932), (568, 320), (640, 360), (844, 390), (1280, 800))
USUAL: Final = ((320, 568), (640, 360), (1280, 800))
"""What every change is looked at in; before a release all of them (``--every-size``)."""
FEW: Final = ((320, 568), (640, 360))
"""Where most things go wrong: for scenes that are much like another."""

DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Whatever follows the size of the window has followed it."""

MEASURE: Final = """table => {
  const found = []
  const root = document.scrollingElement
  if (root.scrollWidth > innerWidth) found.push(`scrolls sideways: ${root.scrollWidth}`)
  if (table && root.scrollHeight > innerHeight) found.push(`scrolls down: ${root.scrollHeight}`)
  const named = element => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 90)
  const clipped = element => {
    let {left, top, right, bottom} = element.getBoundingClientRect()
    left = Math.max(left, 0); top = Math.max(top, 0)
    right = Math.min(right, innerWidth); bottom = Math.min(bottom, innerHeight)
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up)
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const box = up.getBoundingClientRect()
      left = Math.max(left, box.left); top = Math.max(top, box.top)
      right = Math.min(right, box.right); bottom = Math.min(bottom, box.bottom)
    }
    return {left, top, right, bottom, width: right - left, height: bottom - top}
  }
  const scrolls = element => {
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (up === document.body) return !table
      if (['auto', 'scroll'].includes(getComputedStyle(up).overflowY) && up.scrollHeight > up.clientHeight) return true
    }
  }
  const free = (element, x, y) => {
    const top = document.elementFromPoint(x, y)
    return top && (element.contains(top) || top.contains(element) && top.matches('label'))
  }
  const dialog = document.querySelector('[role=dialog]:not([hidden])')
  const near = [-11.5, 0, 11.5]
  const square = (element, x, y) => near.every(dx => near.every(dy => free(element, x + dx, y + dy)))
  const inner = (from, size, at) => from + Math.max(12, Math.min(size - 12, size * at))
  for (let element of document.querySelectorAll('button:enabled, a[href], input, select, summary')) {
    if (element.getAttribute('aria-disabled') === 'true') continue
    if (dialog && !dialog.contains(element)) continue
    element = element.closest('label') || element
    const whole = element.getBoundingClientRect()
    if (!whole.width || !whole.height || getComputedStyle(element).visibility === 'hidden') continue
    const seen = clipped(element)
    if (seen.width < 1 || seen.height < 1) {
      if (!scrolls(element)) found.push(`out of sight: ${named(element)}`)
      continue
    }
    if (!table && root.scrollHeight > innerHeight) continue // the foot stands over what can be scrolled
    const partly = seen.width < whole.width - 1 || seen.height < whole.height - 1
    if (partly && scrolls(element)) continue
    const out = Math.max(-whole.left, -whole.top, whole.right - innerWidth, whole.bottom - innerHeight)
    if (table && out > 0.5) found.push(`sticks out: ${named(element)}`)
    const points = []
    for (const at of [0.5, 0.25, 0.75, 0.1, 0.9]) for (const by of [0.5, 0.25, 0.75])
      points.push([inner(seen.left, seen.width, at), inner(seen.top, seen.height, by)])
    if (seen.width >= 23.5 && seen.height >= 23.5 && points.some(([x, y]) => square(element, x, y))) continue
    if (seen.width >= 23.5 && seen.height >= 23.5 && !points.some(([x, y]) => free(element, x, y))) {
      const over = document.elementFromPoint(...points[0])
      const lying = '.sheet, .refusal, .tip, .plea, .tile, .recorder, .bubble'
      if (document.querySelector('main.okey') && !over.closest(lying))
        found.push(`behind something: ${named(element)}`)
      continue
    }
    found.push(`too small: ${Math.round(seen.width)}x${Math.round(seen.height)} ${named(element)}`)
  }
  for (const element of document.querySelectorAll('.num, b, small, h1, h2, p, span, td, th')) {
    const style = getComputedStyle(element)
    if (!element.clientWidth || style.overflowX === 'visible' || style.textOverflow === 'ellipsis') continue
    if (element.closest('.unseen')) continue
    if (element.scrollWidth > element.clientWidth + 1) found.push(`cut: ${named(element)}`)
  }
  for (const element of document.querySelectorAll('button, .button, .pick label, .okey th, .okey td, .trick td')) {
    if (!element.clientWidth || element.matches('.tile, .laid, .unseen, .unseen *')) continue
    if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
      found.push(`text sticks out: ${named(element)}`)
  }
  for (const tile of document.querySelectorAll('.tile, .mini')) {
    const box = tile.getBoundingClientRect()
    const texts = Array.from((tile.querySelector('.face') || tile).childNodes).filter(node => node.nodeType === 3)
    for (const text of box.width ? texts : []) {
      const range = document.createRange()
      range.selectNodeContents(text)
      const {left, top, right, bottom, width} = range.getBoundingClientRect()
      const middle = (top + bottom) / 2, half = parseFloat(getComputedStyle(tile).fontSize) * 0.37 // of a figure
      const room = Math.min(left - box.left, box.right - right, middle - half - box.top, box.bottom - middle - half)
      if (width && room < (tile.matches('.wild') ? 2.5 : 1)) found.push(`a number at its tile's edge: ${named(tile)}`)
    }
  }
  if (document.querySelector('main.okey') && innerWidth >= 360 && innerHeight >= 360) {
    for (const button of document.querySelectorAll('button:enabled')) {
      if (button.matches('.laid, #rack *, .slot') || dialog && !dialog.contains(button)) continue
      const {width, height} = button.getBoundingClientRect()
      if (width && Math.min(width, height) < 43.5)
        found.push(`below 44: ${Math.round(width)}x${Math.round(height)} ${named(button)}`)
    }
    const corners = [[-17, -20.5], [17, -20.5], [-17, 20.5], [17, 20.5]] // a pixel is left to rounding
    for (const tile of dialog ? [] : document.querySelectorAll('#rack .tile:not(.lifted)')) {
      const slot = tile.dataset[innerHeight > innerWidth ? 'tall' : 'wide'].split('-').map(Number)
      const box = document.getElementById(`slot-${slot[0] * (innerHeight > innerWidth ? 10 : 15) + slot[1]}`)
        .getBoundingClientRect()
      const x = box.left + box.width / 2, y = box.top + box.height / 2
      const free = ([dx, dy]) => {
        const top = document.elementFromPoint(x + dx, y + dy)
        return top && (tile.contains(top) || top.closest('.tile.lifted'))
      }
      if (box.width && !corners.every(free)) found.push(`below 36x44: ${named(tile)}`)
    }
  }
  const hand = document.querySelector('#rack, #hand')?.getBoundingClientRect()
  for (const bubble of document.querySelectorAll('.bubble')) {
    const {left, top, right, bottom} = bubble.getBoundingClientRect()
    if (getComputedStyle(bubble).visibility === 'hidden') continue
    if (Math.min(left, top, innerWidth - right, innerHeight - bottom) < -0.5)
      found.push(`a bubble beyond the window: ${named(bubble)}`)
    if (hand?.width && bottom > hand.top + 1 && top < hand.bottom && right > hand.left && left < hand.right)
      found.push(`a bubble over the own hand: ${named(bubble)}`)
  }
  if (Math.min(innerWidth, innerHeight) >= 360) {
    const talk = ['.tools', '.recorder', '.talk-head', '.faces', '.phrases', '.line-form', '.seat-card', '.bubble']
    for (const button of document.querySelectorAll(talk.map(part => `${part} button:enabled:not(.sounding)`).join())) {
      const {width, height} = button.getBoundingClientRect()
      if (width && Math.min(width, height) < 43.5)
        found.push(`below 44: ${Math.round(width)}x${Math.round(height)} ${named(button)}`)
    }
  }
  const lying = dialog || !document.querySelector('main.trick') ? [] : Array.from(document.querySelectorAll(
    '.talk h2, .talk p, .talk li, .call button, .ask p, .swap, .nudge button, .absent .panel, .cross .card:not(.spot),'
    + '.cross small'
  )).filter(element => element.offsetWidth && getComputedStyle(element).visibility !== 'hidden')
  const felt = document.getElementById('pile')?.getBoundingClientRect()
  lying.forEach((one, n) => {
    const a = one.getBoundingClientRect()
    const out = Math.max(felt.left - a.left, felt.top - a.top, a.right - felt.right, a.bottom - felt.bottom)
    if (out > 0.5 && one.closest('.cross, .talk')) found.push(`beyond the felt: ${named(one)}`)
    for (const other of lying.slice(n + 1)) {
      const b = other.getBoundingClientRect()
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (width > 1 && height > 1) found.push(`lies over another: ${named(one)} and ${named(other)}`)
    }
  })
  for (const number of document.querySelectorAll('.num')) {
    const box = number.getBoundingClientRect()
    if (!box.width || number.closest('.unseen') || scrolls(number)) continue
    const seen = clipped(number)
    if (seen.width > 0 && seen.width < box.width - 1) found.push(`a number is cut: ${named(number.parentElement)}`)
  }
  return found
}"""
"""What is wrong on a page, in words. On the felt of a trick game nothing lies over anything else. A target counts by a
square of 24 that is visible, uncovered and its own; at an okey table that is no smaller than 360 either way, a button
by 44 x 44 and a tile of the own rack by 36 x 44."""

AXE: Final = Axe().axe_script
JUDGE: Final = """async options => {
  const weighs = ({impact}) => ['serious', 'critical'].includes(impact)
  const mild = axe._audit.rules.filter(rule => !weighs(rule)).map(({id}) => [id, {enabled: false}])
  const asked = {resultTypes: ['violations'], preload: false, selectors: false, rules: Object.fromEntries(mild)}
  const {violations} = await axe.run(document, {...asked, ...options})
  return violations.filter(weighs)
    .map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(({html}) => html.slice(0, 90))}`)
}"""
"""What is serious or critical, in words: a rule weighs as much as all it finds, so those that weigh less are not
asked; and where in the page an element is need not be told, which is half the work."""
HUSHED: Final = "*,*::before,*::after{transition:none!important;animation:none!important}"
"""Colours that are on their way are no colours to measure."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Opens a house for a gallery."""
    opened: list[Server] = []

    def open_it(**settings: Any) -> Server:
        opened.append(Server(tmp_path, **settings))
        opened[-1].start()
        return opened[-1]

    yield open_it
    hang_up_all()
    for server in opened:
        server.kill()
        server.no_fault()


@pytest.mark.parametrize("name", SHOWS)
def test_a_gallery(house: Callable[..., Server], new_phone: NewPhone, name: str, every_size: bool) -> None:
    show, settings, judged = SHOWS[name]
    sizes, judged = SIZES if every_size else USUAL, judged or every_size
    wrong: list[str] = []
    for scene in show(house(**settings), new_phone):
        print(scene.name)  # which one it was, where a page goes away under the measuring
        faults = [*_measured(scene, FEW if scene.kin else sizes), *(_judged(scene) if judged and not scene.kin else ())]
        wrong.extend(f"{scene.name}: {fault}" for fault in faults)
    assert not wrong, "\n".join(wrong)


def _measured(scene: Scene, sizes: Iterable[tuple[int, int]]) -> Iterator[str]:
    before = scene.page.viewport_size
    for width, height in sizes:
        scene.page.set_viewport_size({"width": width, "height": height})
        scene.page.evaluate(DRAWN)
        for fault in scene.page.evaluate(MEASURE, scene.table):
            yield f"{width}x{height}: {fault}"
    assert before is not None
    scene.page.set_viewport_size(before)


def _judged(scene: Scene) -> Iterator[str]:
    """What axe finds serious or critical."""
    scene.page.evaluate(
        """css => {
          const sheet = new CSSStyleSheet()
          sheet.replaceSync(css)
          document.adoptedStyleSheets = [sheet]
        }""",
        HUSHED,
    )
    for theme, options in (("dark", {}), ("light", {"runOnly": ["color-contrast"]})):  # nothing else has a theme
        scene.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        if not scene.page.evaluate("'axe' in window"):
            scene.page.evaluate(AXE)
        for fault in scene.page.evaluate(JUDGE, options):
            yield f"{theme}: {fault}"
    scene.page.emulate_media(color_scheme=None)
    scene.page.evaluate("document.adoptedStyleSheets = []")
