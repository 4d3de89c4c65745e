import { errorsMarkdown } from './errors-page.ts';
import { markdownHtml } from './markdown-html.ts';
import { mcpMarkdown } from './mcp-page.ts';
import { textPageStyle } from './page-assets.ts';
import { framePage, type Installation } from './page-frame.ts';
import { readerPage } from './reader-page.ts';
import { referenceMarkdown } from './reference-markdown.ts';
import { skillMarkdown } from './skill.ts';

/** A page of the documentation: for people, and as Markdown for programs. Both have the same headings. */
export type DocsPage = {
  path: string;
  title: string;
  /** Summary of the page, for lists of pages. */
  holds: string;
  /** True for a page that contains the base URL of its reader. */
  isPersonal: boolean;
  html: (baseUrl: string, installation: Installation) => string;
  /** Served at the path with `.md`. */
  markdown: (baseUrl: string, installation: Installation) => string;
};

export const docsPages: readonly DocsPage[] = [
  {
    path: '/docs',
    title: 'API reference',
    holds: 'Every REST operation with its parameters, bodies and responses, and every schema.',
    isPersonal: false,
    html: readerPage,
    markdown: referenceMarkdown,
  },
  {
    path: '/docs/mcp',
    title: 'MCP',
    holds: 'Setup for each client, both tools with their arguments, worked examples, limits and errors.',
    isPersonal: true,
    html: (baseUrl, installation) =>
      framePage({
        title: 'MCP · Landfall',
        path: '/docs/mcp',
        baseUrl,
        style: textPageStyle,
        body: `<main>\n${markdownHtml(mcpMarkdown(baseUrl, installation))}</main>\n    <script src="/docs/copy.js"></script>`,
      }),
    markdown: mcpMarkdown,
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    holds: 'Every error code with its status, cause and remedy.',
    isPersonal: false,
    html: () =>
      framePage({
        title: 'Errors · Landfall',
        path: '/docs/errors',
        style: textPageStyle,
        body: `<main>\n${markdownHtml(errorsMarkdown())}</main>`,
      }),
    markdown: errorsMarkdown,
  },
];

/** A skill for agents; it has no page for people. */
export const skill = { path: '/docs/skill.md', markdown: skillMarkdown } as const;

/** The index for language models, in the format of llmstxt.org. Its links are paths, so it is the same for everyone. */
export function llmsIndex(): string {
  const pages = docsPages.map(({ path, title, holds }) => `- [${title}](${path}.md): ${holds}`);
  return `# Landfall

> Landfall tracks shipments of every transport mode: it polls carriers, normalizes their events, and serves each shipment
> over REST and MCP. This installation answers with the API key of one of its accounts.

Programs read REST under \`/v1\`; agents read MCP at \`POST /v1/mcp\`, two read-only tools. The status of a shipment is
where the cargo is; \`tracking\` is whether Landfall receives data. The machine-readable forms are \`/docs/openapi.json\`
(OpenAPI 3.1), \`/docs/asyncapi.json\` (webhooks) and \`/.well-known/mcp/server-card.json\` (MCP server card).

## Docs

${pages.join('\n')}

## Agents

- [SKILL.md](${skill.path}): Teaches an agent which tool to use and how to read the answers.
`;
}
