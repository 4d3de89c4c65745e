/**
 * The script of pages with something to copy: puts a button on every block, and the address at which the reader is into what was written for
 * another one (a proxy may hide it from the server). Without it the text can still be selected.
 */
export function copyScript(): string {
  return `'use strict';
const base = document.documentElement.dataset.base;
if (base && /^https?:$/.test(location.protocol) && base !== location.origin) {
  for (const code of document.querySelectorAll('code')) code.textContent = code.textContent.replaceAll(base, location.origin);
}

for (const block of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + block.querySelector('figcaption span').textContent);
  const say = document.createElement('span');
  say.className = 'spoken';
  say.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    const done = await copy(block.querySelector('code'));
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    say.textContent = done ? 'Copied' : 'Selected: press Control C to copy';
    setTimeout(() => { button.textContent = 'Copy'; say.textContent = ''; }, 2500);
  });
  block.querySelector('figcaption').append(button, say);
}

// The clipboard is there on https and localhost only; elsewhere the text is selected, and the old command tried.
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand('copy');
  }
}
`;
}
