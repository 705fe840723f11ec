// Puts this device's settings on <html> before the first paint. A classic script: in <head>, without defer.
(function () {
  function apply() {
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem('mokali.settings')); } catch (error) { /* no storage: the defaults */ }
    const settings = kept || {};
    const classes = document.documentElement.classList;
    for (const name of ['four', 'large', 'onerow', 'numbered']) classes.toggle(name, settings[name] === true);
    ['dark', 'light'].forEach((theme, n, themes) => {
      classes.toggle(theme, settings.theme === theme);
      // the phone's own bars wear it too; base.html names the dark one's colour first
      const chosen = themes.includes(settings.theme);
      document.querySelectorAll('[name=theme-color]')[n].media = chosen ? (settings.theme === theme ? 'all' : 'not all') : `(prefers-color-scheme: ${theme})`;
    });
  }
  apply();
  window.addEventListener('storage', apply);
  window.addEventListener('mokali:settings', apply);
})();
