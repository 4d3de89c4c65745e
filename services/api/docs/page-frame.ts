import { escapeHtml } from '#shared/domain/words/safe-text.ts';

const links = [
  ['/docs', 'Reference'],
  ['/docs/mcp', 'MCP'],
  ['/docs/errors', 'Errors'],
  ['/docs/openapi.json', 'openapi.json'],
] as const;

const style = `
:root { color-scheme: light dark; --text: #1d2125; --quiet: #5c6670; --line: #d9dee3; --ground: #fff;
  --raised: #f4f6f8; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ec; --quiet: #a0aab4; --line: #343b42; --ground: #15181b; --raised: #1f2428; --accent: #7ab7f5; }
}
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 ui-sans-serif, system-ui, sans-serif; }
a { color: var(--accent); }
.bar { position: sticky; top: 0; z-index: 20; display: flex; gap: 20px; align-items: center; box-sizing: border-box;
  height: 48px;
  padding: 0 20px; background: var(--ground); border-bottom: 1px solid var(--line); overflow-x: auto;
  scrollbar-width: none; white-space: nowrap; }
.bar strong { margin-right: 4px; }
.bar a { color: var(--quiet); text-decoration: none; }
.bar a:hover, .bar a:focus-visible, .bar a[aria-current] { color: var(--text); text-decoration: underline;
  text-underline-offset: 4px; }
@media (max-width: 40rem) { .bar { gap: 14px; padding: 0 14px; font-size: 0.9rem; } }
`;

/** Facts about the installation that its pages state. `oauth`: `MCP_OAUTH` is on. */
export type Installation = { oauth: boolean };

export type Page = {
  title: string;
  path: string;
  style?: string;
  body: string;
  /** The base URL in the page's code blocks. */
  baseUrl?: string;
};

/** A page under /docs: a bar with links to the other pages, then its own content. */
export function framePage(page: Page): string {
  const ways = links
    .map(([href, name]) => `<a href="${href}"${href === page.path ? ' aria-current="page"' : ''}>${name}</a>`)
    .join('\n      ');
  return `<!doctype html>
<html lang="en"${page.baseUrl === undefined ? '' : ` data-base="${escapeHtml(page.baseUrl)}"`}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(page.title)}</title>
    <link rel="icon" href="data:,">
    <link rel="alternate" type="text/markdown" href="${page.path}.md">
    <style>${style}${page.style ?? ''}</style>
  </head>
  <body>
    <nav class="bar" aria-label="Documentation">
      <strong>Landfall</strong>
      ${ways}
    </nav>
    ${page.body}
  </body>
</html>
`;
}
