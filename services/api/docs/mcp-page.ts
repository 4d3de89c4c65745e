import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { type McpClient, mcpClients, type Snippet } from '#shared/contract/mcp-clients.ts';
import type { ErrorCode } from '#shared/domain/errors.ts';
import { defaultLimits } from '#shared/domain/keys/limits.ts';
import { toolDefinitions } from '../mcp/call-tool.ts';
import { protocolVersions } from '../mcp/protocol-versions.ts';
import { statusByCode } from '../plugins/errors.ts';
import { type McpExample, mcpExamples, readableJson, readExampleAnswers } from './mcp-examples.ts';
import { mcpPageStyle } from './mcp-page-assets.ts';
import { escapeHtml, framePage, inlineCode } from './page-frame.ts';

/** HTTP errors of the MCP endpoint, in the order in which a request is checked. */
const httpRefusals: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'host_not_allowed',
  'origin_not_allowed',
  'rate_limited',
  'payload_too_large',
  'unsupported_media_type',
  'unavailable',
];

const rpcErrors = [
  ['-32700', 'The body is not valid JSON.'],
  ['-32600', 'The body is not a JSON-RPC 2.0 message, or is a batch in a revision without batches.'],
  ['-32601', 'Unknown method. Only tools are available, no resources and no prompts.'],
  ['-32602', 'Unknown tool or invalid `params`.'],
  ['-32020', 'Revision 2026-07-28 only: a header contradicts the body.'],
  ['-32022', 'Unsupported revision. The error lists the supported ones.'],
] as const;

/**
 * How to connect MCP clients to this installation, and what its tools do. `baseUrl` is the one that the reader used.
 */
export function mcpPage(baseUrl: string): string {
  const endpoint = `${baseUrl}/v1/mcp`;
  const clients = mcpClients(endpoint);
  return framePage({
    title: 'MCP · Landfall',
    path: '/docs/mcp',
    baseUrl,
    style: mcpPageStyle,
    body: `<main>
      <h1>MCP</h1>
      <p>Assistants and code editors can read your shipments over the Model Context Protocol. The server is a single
      read-only endpoint that uses the same API keys as the REST API.</p>
      ${codeBlock({ name: 'Endpoint', language: 'sh', text: endpoint })}
      <p>Create a separate key for each client, with only the scopes it needs. A client passes everything it receives
      to its model.</p>
      ${codeBlock({
        name: 'On the server',
        language: 'sh',
        text: 'npm run keys -- create --name assistant --scopes shipments:read',
      })}
      <nav class="ways" aria-label="On this page">
        ${[
          ...clients,
          { id: 'oauth', name: 'Clients with OAuth only' },
          { id: 'tools', name: 'Tools' },
          { id: 'questions', name: 'Examples' },
          { id: 'limits', name: 'Limits and errors' },
        ]
          .map(({ id, name }) => `<a href="#${id}">${name}</a>`)
          .join(' ')}
      </nav>
      ${clients.map(clientSection).join('\n      ')}
      ${oauthSection}
      <section id="tools">
        <h2>Tools</h2>
        ${toolDefinitions.map(toolArticle).join('\n        ')}
      </section>
      <section id="questions">
        <h2>Examples</h2>
        <p>Calls that an agent sends, and their results.</p>
        ${exampleArticles()}
      </section>
      ${limitsSection}
    </main>
    <script src="/docs/copy.js"></script>`,
  });
}

function clientSection({ id, name, before, snippets, after }: McpClient): string {
  return `<section id="${id}">
        <h2>${name}</h2>
        <p>${inlineCode(before)}</p>
        ${snippets.map(codeBlock).join('\n        ')}
        ${after === undefined ? '' : `<p>${inlineCode(after)}</p>`}
      </section>`;
}

const oauthSection = `<section id="oauth">
        <h2>Clients with OAuth only</h2>
        <p>Custom connectors of claude.ai, Claude Desktop and their mobile apps, and apps and connectors of ChatGPT,
        use OAuth and, for most accounts, have no field for an API key. Landfall does not support OAuth and does not
        advertise it, because clients that see it advertised ignore a configured key. These clients cannot connect
        directly. They also connect from their vendor's servers, so they cannot reach an address such as
        <code>127.0.0.1</code>. Alternatives:</p>
        <ul>
          <li>For people: <a href="#claude-desktop">Claude Desktop</a> with <code>mcp-remote</code>, <a
          href="#claude-code">Claude Code</a>, <a href="#codex">Codex</a> or an editor.</li>
          <li>If your account offers a request header, bearer token or API key: set the header
          <code>Authorization</code> to <code>Bearer svc_live_…</code>. The address must be public and use HTTPS.</li>
          <li>For programs: the vendors' APIs can send a key to a public address. Use <code>authorization_token</code>
          of an entry in <code>mcp_servers</code> in Anthropic's Messages API, or <code>authorization</code> of an
          <code>mcp</code> tool in OpenAI's Responses API. The value is the key without <code>Bearer</code>.</li>
          <li>For companies: your own MCP gateway that signs people in with OAuth and sends a key to Landfall.</li>
        </ul>
      </section>`;

type Definition = (typeof toolDefinitions)[number];
type Argument = {
  type?: string;
  enum?: string[];
  items?: { type?: string; enum?: string[] };
  default?: unknown;
  minimum?: number;
} & {
  maximum?: number;
  minLength?: number;
  description?: string;
};

function toolArticle({ name, description, inputSchema, outputSchema }: Definition): string {
  const rows = Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) =>
    argumentRow(argument, schema as Argument),
  );
  const needed = name === 'get_shipment_details' ? ', but one must contain the number' : '';
  const fields = Object.keys(outputSchema.properties ?? {}).map((field) => `<code>${field}</code>`);
  return `<article>
          <h3><code>${name}</code></h3>
          <p>${inlineCode(description)}</p>
          <table>
            <thead><tr><th scope="col">Argument</th><th scope="col">Value</th></tr></thead>
            <tbody>
              ${rows.join('\n              ')}
            </tbody>
          </table>
          <p class="facts">All arguments are optional${needed}. Unknown arguments are refused by name.
          The result contains ${fields.join(', ')}. Unknown values are omitted.</p>
        </article>`;
}

function argumentRow(name: string, schema: Argument): string {
  const one = schema.items ?? schema;
  const facts = [
    schema.type === 'array'
      ? `list of ${one.enum === undefined ? `${one.type}s` : ''}`
      : one.enum === undefined
        ? schema.type
        : '',
    one.enum?.map((value) => `<code>${value}</code>`).join(' '),
    schema.minimum === undefined || schema.maximum === undefined ? '' : `${schema.minimum} to ${schema.maximum}`,
    schema.minLength === undefined ? '' : `at least ${schema.minLength} characters`,
    schema.default === undefined ? '' : `default <code>${escapeHtml(String(schema.default))}</code>`,
  ];
  const text = schema.description === undefined ? '' : `${inlineCode(schema.description.replace(/[^.…]$/, '$&.'))} `;
  const shown = facts.filter(Boolean).join('; ').replace('list of ; ', 'list of ');
  return `<tr><th scope="row"><code>${name}</code></th><td>${text}<span class="facts">${shown}</span></td></tr>`;
}

function exampleArticles(): string {
  const answers = readExampleAnswers();
  return mcpExamples
    .map((example, index) => exampleArticle(example, index + 1, answers[example.id]))
    .join('\n        ');
}

function exampleArticle({ id, question, call, reading }: McpExample, number: number, answer: unknown): string {
  const request = { jsonrpc: '2.0', id: number, method: 'tools/call', params: call };
  return `<article id="question-${id}">
          <h3>“${escapeHtml(question)}”</h3>
          ${codeBlock({ name: `Call ${number}`, language: 'json', text: readableJson(request) })}
          ${
            typeof answer === 'string'
              ? `<blockquote>${escapeHtml(answer)}</blockquote>`
              : codeBlock({
                  name: `Result ${number}: structuredContent, and the same as text`,
                  language: 'json',
                  text: readableJson(answer),
                })
          }
          <p>${inlineCode(reading)}</p>
        </article>`;
}

const revisions = protocolVersions.map((version) => `<code>${version}</code>`).join(', ');

const limitsSection = `<section id="limits">
        <h2>Limits and errors</h2>
        <p>By default, a key can send ${defaultLimits.mcp} messages per minute. Each message of a batch counts, and a
        batch has at most 10 messages. A page of <code>list_shipments_summary</code> has at most 50 shipments.
        <code>get_shipment_details</code> returns the newest events, or all of them with <code>response_format:
        "detailed"</code>; if the result would be too long, it states where to find the rest. Texts written by carriers
        are truncated to 200 characters. Treat them as data, not as instructions.</p>
        <p>Supported revisions of MCP: ${revisions}. There are no sessions: <code>initialize</code> is supported but not
        required. Responses are sent as one server-sent event if <code>Accept</code> includes
        <code>text/event-stream</code>, otherwise as JSON. <code>GET</code> and <code>DELETE</code> return 405.</p>
        <p>A failed tool call returns <code>isError</code> and a text that says what to do next. An invalid message
        returns a JSON-RPC error:</p>
        <table>
          <thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
          <tbody>
            ${rpcErrors.map(rpcErrorRow).join('\n            ')}
          </tbody>
        </table>
        <p>Requests that are refused before the message is read return an HTTP error, as everywhere in this API:</p>
        <table>
          <thead><tr><th scope="col">HTTP</th><th scope="col">Meaning</th></tr></thead>
          <tbody>
            ${httpRefusals.map(refusalRow).join('\n            ')}
          </tbody>
        </table>
      </section>`;

function rpcErrorRow([code, meaning]: (typeof rpcErrors)[number]): string {
  return `<tr><th scope="row"><code>${code}</code></th><td>${inlineCode(meaning)}</td></tr>`;
}

function refusalRow(code: ErrorCode): string {
  const { title } = errorCatalogue[code];
  const link = `<a href="/docs/errors#${code}"><code>${code}</code></a>`;
  return `<tr><th scope="row">${statusByCode[code]}</th><td>${escapeHtml(title)}: ${link}</td></tr>`;
}

function codeBlock({ name, language, text }: Snippet): string {
  return `<figure class="code" data-language="${language}">
          <figcaption><span>${escapeHtml(name)}</span></figcaption>
          <pre tabindex="0"><code>${escapeHtml(text)}</code></pre>
        </figure>`;
}
