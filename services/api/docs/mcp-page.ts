import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { type McpClient, mcpClients, type Snippet } from '#shared/contract/mcp-clients.ts';
import type { ErrorCode } from '#shared/domain/errors.ts';
import { defaultLimits } from '#shared/domain/keys/limits.ts';
import { toolDefinitions } from '../mcp/call-tool.ts';
import { protocolVersions } from '../mcp/protocol-versions.ts';
import { statusByCode } from '../plugins/errors.ts';
import { type McpExample, mcpExamples, readableJson, readExampleAnswers } from './mcp-examples.ts';
import { mcpPageStyle } from './mcp-page-style.ts';
import { escapeHtml, framePage, inlineCode } from './page-frame.ts';

/** The refusals of the MCP endpoint that are HTTP answers, in the order in which a request meets them. */
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
  ['-32700', 'The body is not JSON.'],
  ['-32600', 'The body is no JSON-RPC 2.0 message, or a batch where the revision has none.'],
  ['-32601', 'There is no such method. Tools are all there is: no resources, no prompts.'],
  ['-32602', 'There is no such tool, or `params` has not the form of a call.'],
  ['-32020', '2026-07-28 only: a header does not say what the body says.'],
  ['-32022', 'The revision is not served; the error names those that are.'],
] as const;

/** How to connect an MCP client to this installation, and what it then can ask. `baseUrl` is where the reader reached it. */
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
      <p>Assistants and code editors read your shipments over the Model Context Protocol. The server is one address, with the same API keys
      as the REST API; it can only read.</p>
      ${codeBlock({ name: 'Address', language: 'sh', text: endpoint })}
      <p>Give each client a key of its own that may do no more than it needs. Whatever a client is told, it passes on to its model.</p>
      ${codeBlock({ name: 'On the machine of the server', language: 'sh', text: 'npm run keys -- create --name assistant --scopes shipments:read' })}
      <nav class="ways" aria-label="On this page">
        ${[
          ...clients,
          { id: 'oauth', name: 'Clients with OAuth only' },
          { id: 'tools', name: 'The tools' },
          { id: 'questions', name: 'Three questions' },
          { id: 'limits', name: 'Limits and errors' },
        ]
          .map(({ id, name }) => `<a href="#${id}">${name}</a>`)
          .join(' ')}
      </nav>
      ${clients.map(clientSection).join('\n      ')}
      ${oauthSection}
      <section id="tools">
        <h2>The tools</h2>
        ${toolDefinitions.map(toolArticle).join('\n        ')}
      </section>
      <section id="questions">
        <h2>Three questions</h2>
        <p>Calls as an agent sends them, and what they answered.</p>
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
        <p>Custom connectors of claude.ai, of Claude Desktop and of their mobile apps, and apps and connectors of ChatGPT, sign in with OAuth and
        have, for most accounts, no field for a key. Landfall has no OAuth: it does not advertise it either, because clients that see it
        advertised drop the key that they were given. These clients cannot connect by themselves, and as they call from their maker's
        machines, they never reach an address like <code>127.0.0.1</code>. Instead:</p>
        <ul>
          <li>For a person: <a href="#claude-desktop">Claude Desktop</a> with <code>mcp-remote</code>, <a href="#claude-code">Claude Code</a>,
          <a href="#codex">Codex</a>, or an editor.</li>
          <li>Where the dialogue does offer a request header, a bearer token or an API key, as some accounts have it: the header is
          <code>Authorization</code>, its value <code>Bearer svc_live_…</code>, and the address must be public, with HTTPS.</li>
          <li>For a program: the makers' APIs send a key, to a public address. <code>authorization_token</code> of an entry of
          <code>mcp_servers</code> in Anthropic's Messages API, <code>authorization</code> of an <code>mcp</code> tool in OpenAI's Responses
          API; the value is the key without <code>Bearer</code>.</li>
          <li>For a company: an MCP gateway of yours that signs people in with OAuth and sends a key on.</li>
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
          <p class="facts">All are optional${name === 'get_shipment_details' ? ', but one must be the number' : ''}; an unknown one is refused by
          name. The answer has ${fields.join(', ')}; what is not known is left out.</p>
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
  return `<tr><th scope="row"><code>${name}</code></th><td>${text}<span class="facts">${facts.filter(Boolean).join('; ').replace('list of ; ', 'list of ')}</span></td></tr>`;
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
                  name: `Answer ${number}: structuredContent, and the same as text`,
                  language: 'json',
                  text: readableJson(answer),
                })
          }
          <p>${inlineCode(reading)}</p>
        </article>`;
}

const limitsSection = `<section id="limits">
        <h2>Limits and errors</h2>
        <p>A key may send ${defaultLimits.mcp} messages a minute unless the operator changed that; each message of a batch counts, and a batch has
        at most 10. A page of <code>list_shipments_summary</code> has at most 50 shipments; <code>get_shipment_details</code> gives the newest events;
        with <code>response_format: "detailed"</code> all of them, and it says where the rest is when that would be too long. Texts that carriers wrote are cut at 200 characters: they are data, not
        instructions.</p>
        <p>Revisions of MCP: ${protocolVersions.map((version) => `<code>${version}</code>`).join(', ')}. There is no session: <code>initialize</code>
        is answered but not needed. Answers come as one server-sent event to clients whose <code>Accept</code> names
        <code>text/event-stream</code>, as JSON to all others. <code>GET</code> and <code>DELETE</code> are answered with 405.</p>
        <p>A tool that cannot do what it was asked answers with <code>isError</code> and a text that says what to do next. What is wrong with the
        message is an error of JSON-RPC:</p>
        <table>
          <thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
          <tbody>
            ${rpcErrors.map(([code, meaning]) => `<tr><th scope="row"><code>${code}</code></th><td>${inlineCode(meaning)}</td></tr>`).join('\n            ')}
          </tbody>
        </table>
        <p>What stops a request before it is read is an HTTP answer, as everywhere in this API:</p>
        <table>
          <thead><tr><th scope="col">HTTP</th><th scope="col">Meaning</th></tr></thead>
          <tbody>
            ${httpRefusals.map(refusalRow).join('\n            ')}
          </tbody>
        </table>
      </section>`;

function refusalRow(code: ErrorCode): string {
  const { title } = errorCatalogue[code];
  return `<tr><th scope="row">${statusByCode[code]}</th><td>${escapeHtml(title)}: <a href="/docs/errors#${code}"><code>${code}</code></a></td></tr>`;
}

function codeBlock({ name, language, text }: Snippet): string {
  return `<figure class="code" data-language="${language}">
          <figcaption><span>${escapeHtml(name)}</span></figcaption>
          <pre tabindex="0"><code>${escapeHtml(text)}</code></pre>
        </figure>`;
}
