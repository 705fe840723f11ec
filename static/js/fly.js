// Something that has moved travels from where it was, 200 ms. It shows what has happened and holds nobody up.

const LENGTH = 200;

export const box = (element) => element && element.getBoundingClientRect();

const LEAVES = 250;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Something that goes away, to where it then is: it stays gone. The running motion; nothing where the person wants none. */
export function leave(element, to) {
  if (!element.animate || !to || !to.width || still()) return null;
  const from = box(element);
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  return element.animate([{ transform: 'none' }, { transform: `translate(${x}px, ${y}px) scale(.4)`, opacity: 0 }], { duration: LEAVES, easing: 'ease-in', fill: 'forwards' });
}

/** The running motion; nothing where the person wants none, or where one of the places is not on the screen. */
export function fly(element, from) {
  if (!element || !from || !from.width || !element.animate || still()) return null;
  const to = box(element);
  if (!to.width) return null;
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  return element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: LENGTH, easing: 'ease-out' });
}
