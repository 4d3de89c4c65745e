// Runs before the first paint, so that a page never flashes in the other theme. Not a module, and not inline: the page's policy forbids that.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('landfall.theme');
  } catch {
    // Storage may be switched off; then the system decides.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
