// Sends what no button's own hx-vals can say: the element #post has htmx send it like any other message.

import { refuseFor, trouble } from './wire.js';

/** True where it went out; else the reason is shown. */
export function post(values) {
  const reason = trouble();
  if (reason) {
    refuseFor(reason);
    return false;
  }
  const sender = document.getElementById('post');
  const own = sender.getAttribute('hx-vals');
  sender.setAttribute('hx-vals', JSON.stringify(values));
  sender.dispatchEvent(new CustomEvent('post'));
  sender.setAttribute('hx-vals', own);
  return true;
}
