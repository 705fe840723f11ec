// The page that takes a record: what is far too large is not sent at all.

import './once.js';
import './settings.js';

const refused = document.getElementById('refused');

document.addEventListener('submit', (event) => {
  const form = event.target;
  const [file] = form.elements.file.files;
  const why = !file ? 'Dosya seçmedin: önce bir kayıt seç.' : file.size > Number(form.dataset.most) ? 'Dosya çok büyük: bir kayıt en çok 512 KB olur.' : '';
  if (!why) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  refused.textContent = why;
  refused.hidden = false;
  refused.focus();
}, true);

if (!refused.hidden) refused.focus();
