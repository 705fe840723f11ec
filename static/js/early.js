// Puts this device's settings on <html> before the first paint. A classic script: in <head>, without defer.
(function () {
  function apply() {
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem('mokali.settings')); } catch (error) { /* no storage: the defaults */ }
    const settings = kept || {};
    const classes = document.documentElement.classList;
    classes.toggle('light', settings.theme === 'light');
    classes.toggle('dark', settings.theme === 'dark');
    classes.toggle('four', settings.four === true);
    classes.toggle('large', settings.large === true);
    classes.toggle('onerow', settings.onerow === true);
    classes.toggle('numbered', settings.numbered === true);
  }
  apply();
  window.addEventListener('storage', apply);
  window.addEventListener('mokali:settings', apply);
})();
