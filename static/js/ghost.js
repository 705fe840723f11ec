// The picture of what a finger drags: a copy outside all that is swapped.

/** The copy on the page, where the original stands or where ``place`` says; without its marks. */
export function ghostOf(original, place = original.getBoundingClientRect()) {
  const ghost = original.cloneNode(true);
  Array.from(ghost.attributes).forEach(({ name }) => { if (name !== 'class') ghost.removeAttribute(name); });
  ghost.classList.remove('lifted', 'sending', 'meld', 'pair', 'new');
  ghost.classList.add('ghost');
  ghost.setAttribute('aria-hidden', 'true');
  ghost.tabIndex = -1;
  Object.assign(ghost.style, { position: 'fixed', zIndex: 12, margin: 0, pointerEvents: 'none' });
  for (const side of ['left', 'top', 'width', 'height']) if (side in place) ghost.style[side] = `${place[side]}px`;
  document.body.append(ghost);
  return ghost;
}

/** All that follows of this pointer is the source's; it may just have gone. */
export function capture(source, pointer) {
  try { source.setPointerCapture(pointer); } catch (error) { /* then there is nothing to capture */ }
}
