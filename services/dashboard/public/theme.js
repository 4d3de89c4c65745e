// Runs before the first paint to avoid a flash of the other theme. Neither a module (deferred) nor inline (forbidden by
// the content security policy).
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('landfall.theme');
  } catch {
    // Storage can be disabled. The system theme applies then.
  }
  // Pages without a session have no shell.
  if (/^\/(?:sign-in|claim|invite|reset|connect)(?:\/|$)/.test(location.pathname)) {
    document.documentElement.dataset.entry = '';
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
