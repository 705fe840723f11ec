// An invitation's link (data-ui=share, data-link): the phone's share sheet, else the clipboard, else selected text.

async function share(button) {
  const url = button.dataset.link;
  try {
    if (navigator.share) return await navigator.share({ title: document.title, url });
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(url);
      return say(button, 'Kopyalandı');
    }
  } catch (error) {
    if (error.name === 'AbortError') return undefined; // the person closed the share sheet
  }
  return select(button);
}

/** On plain http there is neither; the link in plain text can still be selected and mostly be copied. */
function select(button) {
  let text = button.parentElement.querySelector('.link-text');
  if (!text) {
    text = Object.assign(document.createElement('p'), { className: 'link-text', textContent: button.dataset.link });
    button.before(text);
  }
  getSelection().selectAllChildren(text);
  say(button, document.execCommand('copy') ? 'Kopyalandı' : 'Seçili bağlantıyı kopyala');
}

function say(button, words) {
  button.lastChild.textContent = words; // the words after the icon
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-ui="share"]');
  if (button) share(button);
});
