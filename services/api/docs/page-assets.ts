/** In addition to the style of the page frame, for pages written in Markdown. */
export const textPageStyle = `
main { max-width: 54rem; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 1.9rem; line-height: 1.2; }
h2 { font-size: 1.3rem; margin: 36px 0 8px; padding-top: 28px; border-top: 1px solid var(--line);
  overflow-wrap: anywhere; scroll-margin-top: 48px; }
h3 { font-size: 1.05rem; margin: 28px 0 8px; overflow-wrap: anywhere; scroll-margin-top: 56px; }
h2:target { color: var(--accent); }
.wide { overflow-x: auto; margin: 16px 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 600; overflow-wrap: normal; }
td:first-child { min-width: 3rem; }
td:last-child { min-width: 10rem; }
td code { white-space: nowrap; }
code { font: 0.88em ui-monospace, monospace; overflow-wrap: anywhere; }
:is(h2, h3) code { font: 600 1em ui-monospace, monospace; }
blockquote { margin: 12px 0; padding: 2px 14px; background: var(--raised); border-left: 3px solid var(--accent);
  border-radius: 0 8px 8px 0; overflow-wrap: anywhere; }
.install { display: inline-block; min-height: 24px; padding: 4px 14px; border-radius: 6px; font-weight: 600;
  color: var(--ground); background: var(--accent); text-decoration: none; }
.install:hover, .install:focus-visible { text-decoration: underline; }
.install:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
figure.code { margin: 12px 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
figcaption { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 32px;
  padding: 4px 6px 4px 14px;
  color: var(--quiet); font-size: 0.85rem; border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: 12px 14px; background: var(--raised); overflow-x: auto; }
pre code { overflow-wrap: normal; }
figure:is([data-language='sh'], [data-language='text']) pre { white-space: pre-wrap; overflow-wrap: anywhere; }
pre:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
figcaption button { flex: none; min-width: 5.5rem; min-height: 28px; padding: 2px 10px; font: inherit;
  color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
figcaption button:hover, figcaption button:focus-visible { border-color: var(--accent); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  main { padding: 16px 14px 64px; }
  th, td { padding-right: 10px; }
}
`;

/**
 * The script of pages with code blocks: adds a copy button to each block, and replaces the base URL in code and install
 * links with the one in the browser, which a proxy may hide from the server. Without the script, text can still be
 * selected.
 */
export function copyScript(): string {
  return `'use strict';
const base = document.documentElement.dataset.base;
if (base && /^https?:$/.test(location.protocol) && base !== location.origin) {
  for (const code of document.querySelectorAll('code')) {
    code.textContent = code.textContent.replaceAll(base, location.origin);
  }
  for (const link of document.querySelectorAll('a.install')) {
    const [, start, config] = /^(cursor:.*[?&]config=)([^&]+)/.exec(link.href) || [];
    if (config) link.href = start + encodeURIComponent(btoa(rebased(atob(decodeURIComponent(config)))));
    else if (link.protocol === 'vscode:') {
      const [way, query] = link.href.split('?');
      link.href = way + '?' + encodeURIComponent(rebased(decodeURIComponent(query)));
    }
  }
}

function rebased(text) {
  return text.replaceAll(base, location.origin);
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
    say.textContent = done ? 'Copied' : 'Selected. Press Control C to copy.';
    setTimeout(() => { button.textContent = 'Copy'; say.textContent = ''; }, 2500);
  });
  block.querySelector('figcaption').append(button, say);
}

// The clipboard API needs https or localhost. Elsewhere the text is selected and the old command tried.
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
