// Something that has moved travels from where it was, 200 ms. It shows what has happened and holds nobody up.

const LENGTH = 200;

export const box = (element) => element && element.getBoundingClientRect();

/** The running motion; nothing where the person wants none, or where one of the places is not on the screen. */
export function fly(element, from) {
  if (!element || !from || !from.width || !element.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return null;
  const to = box(element);
  if (!to.width) return null;
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  return element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: LENGTH, easing: 'ease-out' });
}
