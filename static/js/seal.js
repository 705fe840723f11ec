// The first and last characters of the running hand's seal, in the menu's row: the sheet behind it has all of it.

document.addEventListener('click', ({ target }) => {
  if (!target.closest('[data-ui="menu"]')) return;
  const seal = document.querySelector('#sheet-seal .seal');
  const text = seal ? seal.textContent.trim() : '';
  document.querySelector('[data-seal]').textContent = text && `${text.slice(0, 4)}…${text.slice(-4)}`;
}, true);
