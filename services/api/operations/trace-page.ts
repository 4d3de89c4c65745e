import { escapeHtml } from '../docs/page-frame.ts';

export const traceStyle = `
:root { color-scheme: light dark; --text: #1d2125; --quiet: #5c6670; --line: #d9dee3; --ground: #fff; --raised: #f4f6f8; --accent: #0b5cad; --bar: #4c8dd0; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ec; --quiet: #a0aab4; --line: #343b42; --ground: #15181b; --raised: #1f2428; --accent: #7ab7f5; --bar: #4f86bd; --bad: #f2837b; }
}
body { margin: 0; padding: 16px 20px 48px; background: var(--ground); color: var(--text); font: 15px/1.45 ui-sans-serif, system-ui, sans-serif; }
a { color: var(--accent); }
h1 { font-size: 1.25rem; margin: 8px 0; overflow-wrap: anywhere; }
nav { color: var(--quiet); }
.quiet { color: var(--quiet); }
.bad { color: var(--bad); font-weight: 600; }
.mono { font-family: ui-monospace, monospace; font-size: 0.85rem; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin: 12px 0; }
label { display: flex; flex-direction: column; gap: 2px; color: var(--quiet); font-size: 0.85rem; }
input, select, button { font: inherit; color: var(--text); background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 4px 8px; max-width: 100%; box-sizing: border-box; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 500; font-size: 0.85rem; }
td.number { text-align: right; white-space: nowrap; }
ol { list-style: none; margin: 12px 0; padding: 0; }
li { border-bottom: 1px solid var(--line); padding: 4px 0; }
summary { display: grid; grid-template-columns: minmax(12rem, 2fr) 3fr 6rem; gap: 12px; align-items: center; cursor: pointer; }
summary > span { overflow-wrap: anywhere; }
summary > span:last-child { text-align: right; white-space: nowrap; }
svg { width: 100%; height: 12px; display: block; background: var(--raised); }
rect { fill: var(--bar); }
rect.error { fill: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; margin: 6px 0 10px 16px; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.depth { white-space: pre; color: var(--line); }
@media (max-width: 40rem) { body { padding: 12px; } summary { grid-template-columns: 1fr auto; } summary svg { grid-column: 1 / -1; grid-row: 2; } dl { grid-template-columns: 1fr; } dd { margin-bottom: 4px; }
  thead { display: none; } tr { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 8px 0; border-bottom: 1px solid var(--line); } td { border: 0; padding: 0; } td.moment { flex-basis: 100%; } td:empty { display: none; } }
`;

/** A page of the traces; the title is text, the body HTML. */
export function tracePage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${traceStyle}</style>
</head>
<body>
<nav><a href="/operations">Operations</a> · <a href="/operations/traces">Traces</a></nav>
${body}
</body>
</html>
`;
}

/** Microseconds as a person reads them. */
export function duration(us: number): string {
  if (us < 1000) return `${us} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(us < 10_000_000 ? 2 : 1)} s`;
}

/** UTC, to the millisecond. */
export function moment(us: number): string {
  return new Date(us / 1000).toISOString().replace('T', ' ');
}
