export const operationsStyle = `
:root { color-scheme: light dark; --text: #1d2125; --quiet: #5c6670; --line: #d9dee3; --ground: #fff; --raised: #f4f6f8; --accent: #0b5cad;
  --bad: #b3261e; --bad-ground: #fdeceb; --warn: #8a5300; --warn-ground: #fff4de; --fine: #1e6b34; --fine-ground: #e9f6ec; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ec; --quiet: #a0aab4; --line: #343b42; --ground: #15181b; --raised: #1f2428; --accent: #7ab7f5;
    --bad: #f2837b; --bad-ground: #3a1d1b; --warn: #f0b760; --warn-ground: #35280f; --fine: #7fd196; --fine-ground: #16301d; }
}
body { margin: 0; padding: 16px 20px 48px; background: var(--ground); color: var(--text); font: 15px/1.45 ui-sans-serif, system-ui, sans-serif; }
main { max-width: 1280px; margin: 0 auto; }
nav { max-width: 1280px; margin: 0 auto 12px; display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: baseline; }
nav #live { margin-left: auto; }
a { color: var(--accent); }
h2 { font-size: 1.05rem; margin: 24px 0 6px; }
.quiet { color: var(--quiet); font-size: 0.87rem; }
.bad { color: var(--bad); }
.mono { font-family: ui-monospace, monospace; font-size: 0.85rem; overflow-wrap: anywhere; }
.verdict { border: 1px solid var(--line); border-left: 6px solid var(--line); border-radius: 6px; padding: 10px 16px; }
.verdict h2 { margin: 0 0 6px; color: var(--text); }
.verdict p { margin: 0; }
.verdict ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 6px; color: var(--text); }
.verdict.bad { background: var(--bad-ground); border-left-color: var(--bad); }
.verdict.warn { background: var(--warn-ground); border-left-color: var(--warn); }
.verdict.fine { background: var(--fine-ground); border-left-color: var(--fine); }
.mark { display: inline-block; font-size: 0.75rem; font-weight: 600; border: 1px solid currentColor; border-radius: 4px; padding: 0 6px; }
.mark.bad { color: var(--bad); }
.mark.warn { color: var(--warn); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 10px; margin: 14px 0 0; }
.tiles div { background: var(--raised); border-radius: 6px; padding: 8px 12px; }
.tiles dt { color: var(--quiet); font-size: 0.87rem; }
.tiles dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.tiles dd.quiet { font-size: 0.87rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 500; font-size: 0.87rem; white-space: nowrap; }
@media (max-width: 48rem) {
  body { padding: 12px; }
  .cards thead { display: none; }
  .cards tr { display: block; border-bottom: 1px solid var(--line); padding: 8px 0; }
  .cards td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 8px; align-items: baseline; border: 0; padding: 1px 0; }
  .cards td::before { content: attr(data-head); color: var(--quiet); font-size: 0.87rem; }
  .cards td.none { display: none; }
}
`;

/** Asks for the middle of the page every five seconds while somebody can see it. */
export const operationsScript = `
const now = document.getElementById('now');
const live = document.getElementById('live');
let failures = 0;
async function refresh() {
  try {
    const answer = await fetch('/operations/now', { signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error(String(answer.status));
    const scroll = window.scrollY;
    now.innerHTML = await answer.text();
    window.scrollTo(0, scroll);
    failures = 0;
    live.textContent = 'live';
  } catch {
    failures += 1;
    live.textContent = 'not live: the API does not answer';
  }
}
(async () => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(5000 * 2 ** failures, 30000)));
    if (!document.hidden) await refresh();
  }
})();
`;
