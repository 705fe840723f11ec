// A button that copies a text (data-copy, the id of what holds it): the clipboard, else the text is selected.

async function copy(button) {
  const place = document.getElementById(button.dataset.copy);
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(place.textContent);
      return say(button, 'Kopyalandı');
    }
  } catch {
    // not allowed: as on plain http
  }
  getSelection().selectAllChildren(place);
  return say(button, document.execCommand('copy') ? 'Kopyalandı' : 'Seçili metni kopyala');
}

function say(button, words) {
  button.lastElementChild.textContent = words;
  button.nextElementSibling.textContent = words; // the same for ears
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button) copy(button);
});
