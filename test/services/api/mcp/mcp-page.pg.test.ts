import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answersFile,
  type McpExample,
  mcpExamples,
  readableJson,
  readExampleAnswers,
} from '#services/api/docs/mcp-examples.ts';
import { mcpClients } from '#shared/contract/mcp-clients.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { registerExampleShipments } from './mcp-example-shipments.ts';

let api: TestApi;
let page: string;
beforeAll(async () => {
  api = await startTestApi();
  await registerExampleShipments(api);
  await asBeforeEta(api);
  page = await (await fetch(`${api.url}/docs/mcp`)).text();
});
afterAll(() => api.close());

/** As if it were before every ETA, so that the answers are the same on any day. */
async function asBeforeEta({ ctx }: TestApi): Promise<void> {
  await withSystem(ctx.core.store, (tx) => tx.query('update landfall.shipments set overdue_from = null'));
}

const rpc = (body: unknown, headers: Record<string, string> = {}) => api.post('/v1/mcp', body, headers);

describe('the worked questions', () => {
  it('have the answers that the page shows', async () => {
    const answers: Record<string, unknown> = {};
    for (const example of mcpExamples) answers[example.id] = await ask(example);
    await expect(`${readableJson(answers)}\n`).toMatchFileSnapshot(fileURLToPath(answersFile));
    expect(Object.keys(readExampleAnswers())).toEqual(mcpExamples.map(({ id }) => id));
  });

  it('appear on the page with calls that can be sent unchanged', async () => {
    const shown = codeBlocks(page).map(({ text }) => text);
    const calls = shown.filter((text) => text.includes('"tools/call"'));
    expect(calls).toHaveLength(mcpExamples.length);
    for (const text of calls) expect((await jsonOf(await rpc(text))).result.content[0].text.length).toBeGreaterThan(50);
    for (const answer of Object.values(readExampleAnswers())) {
      if (typeof answer === 'string') expect(textOf(page)).toContain(answer.replace(/\s+/g, ' '));
      else expect(shown.map(parsed)).toContainEqual(answer);
    }
  });
});

describe('the client configurations to copy', () => {
  it('are JSON, TOML or a command line, with the address of this page', () => {
    const blocks = codeBlocks(page);
    expect(blocks.length).toBeGreaterThan(12);
    for (const { language, text } of blocks) {
      if (language === 'json') expect(JSON.parse(text)).toBeTypeOf('object');
      else if (language === 'toml') expect(parseToml(text)).toHaveProperty('mcp_servers');
      else if (language === 'sh') expect(spawnSync('sh', ['-n', '-c', text]).status).toBe(0);
      else expect(text).toMatch(/^(?:https?:\/\/127\.0\.0\.1:\d+(?:\/v1\/mcp)?|(?:Bearer )?svc_live_…)$/);
    }
    expect(page).toContain(`<html lang="en" data-base="${api.url}">`);
    for (const { name } of mcpClients(`${api.url}/v1/mcp`)) expect(sectionOf(page, name)).toContain(api.url);
  });

  it('connect once the key is filled in', async () => {
    const servers = codeBlocks(page)
      .filter(({ language }) => language === 'json' || language === 'toml')
      .flatMap(({ language, text }) => serversOf(language === 'toml' ? parseToml(text) : JSON.parse(text)));
    expect(servers).toHaveLength(5);
    for (const { url, authorization } of servers) {
      const headers = {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    }
  });
});

it('explains every tool argument as the server lists it', async () => {
  const { tools } = (await jsonOf(await rpc({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).result;
  for (const tool of tools) {
    const start = page.indexOf(`<h3 id="${tool.name}">`);
    const article = textOf(page.slice(start, page.indexOf('<h', page.indexOf('</table>', start))));
    expect(article.replaceAll(/<\/?code>/g, '')).toContain(tool.description.replaceAll('`', ''));
    for (const [name, schema] of Object.entries<Json>(tool.inputSchema.properties)) {
      const row = article.slice(article.indexOf(`<td><code>${name}</code>`)).split('</tr>')[0];
      expect(row).toContain(schema.description?.replaceAll('`', '') ?? '');
      for (const value of schema.enum ?? schema.items?.enum ?? []) expect(row).toContain(`<code>${value}</code>`);
      if (schema.default !== undefined) expect(row).toContain(`default <code>${schema.default}</code>`);
    }
    for (const field of Object.keys(tool.outputSchema.properties)) expect(article).toContain(`<code>${field}</code>`);
  }
});

it('lists the error codes as they are returned', async () => {
  const modern = { 'mcp-protocol-version': '2026-07-28' };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const wrong: [unknown, Record<string, string>, number][] = [
    ['{nope', {}, -32_700],
    [{ id: 1 }, {}, -32_600],
    [{ ...list, method: 'prompts/list' }, {}, -32_601],
    [{ ...list, method: 'resources/read', params: { uri: 'ui://landfall/nothing' } }, {}, -32_002],
    [{ ...list, method: 'tools/call', params: { name: 'nothing' } }, {}, -32_602],
    [{ ...list, params: { _meta: meta } }, { ...modern, 'mcp-method': 'tools/call' }, -32_020],
    [list, { 'mcp-protocol-version': '2020-01-01' }, -32_022],
  ];
  for (const [body, headers, code] of wrong) {
    expect((await jsonOf(await rpc(body, headers))).error.code).toBe(code);
    expect(page).toContain(`<code>${code}</code>`);
  }
});

it('needs no inline script, and can be read without scripts', () => {
  expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script src="/docs/copy.js">']);
  expect(page).not.toContain('<button');
  expect(page).not.toMatch(/\son\w+=/);
});

it('names the address it is read at, and never an invalid host', async () => {
  const readAs = async (host: string) => (await api.app.inject({ url: '/docs/mcp', headers: { host } })).body;
  expect(await readAs('track.example:8443')).toContain('http://track.example:8443/v1/mcp');
  expect(await readAs('track.example:8443')).not.toContain(api.url);
  expect(await readAs('"><b>x')).not.toContain('<b>x');
});

/** The answer without what differs between runs: IDs, and the times of Landfall's own actions. */
async function ask({ call }: McpExample): Promise<unknown> {
  const { result } = await jsonOf(await rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }));
  return result.isError ? settled('', result.content[0].text) : settled('', result.structuredContent);
}

const settledTimes: Record<string, string> = {
  as_of: '2026-04-02T09:14Z',
  data_as_of: '2026-04-02T08:47Z',
  next_refresh_at: '2026-04-02T12:47Z',
};
const settledIds = new Map<string, string>();

function settled(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => settled(key, one));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, settled(name, one)]));
  }
  if (typeof value !== 'string') return value;
  if (settledTimes[key] !== undefined) {
    expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
    return settledTimes[key];
  }
  return value.replaceAll(/shp_[a-z0-9]{26}/g, (id) => {
    if (!settledIds.has(id)) settledIds.set(id, `shp_01kn6v5xw0e9p8q7r6s5t4v3w${settledIds.size + 1}`);
    return settledIds.get(id)!;
  });
}

/** From the heading to the next one of its level. */
function sectionOf(html: string, heading: string): string {
  const start = html.indexOf(`>${heading}</h2>`);
  expect(start, heading).toBeGreaterThan(0);
  return html.slice(start, html.indexOf('<h2', start));
}

type Block = { language: string; text: string };

function codeBlocks(html: string): Block[] {
  const pattern = /<figure class="code" data-language="(\w+)">.*?<code>(.*?)<\/code>/gs;
  return [...html.matchAll(pattern)].map(([, language = '', text = '']) => ({ language, text: textOf(text) }));
}

function textOf(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function parsed(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : null;
}

/**
 * Parses the subset of TOML on this page: tables, and keys with a basic string, which JSON writes alike. Throws on
 * anything else.
 */
function parseToml(text: string): Json {
  const root: Json = {};
  let table = root;
  for (const line of text.split('\n')) {
    const heading = /^\[([\w.-]+)\]$/.exec(line)?.[1];
    const [, key, value] = /^(\w+) = (".*")$/.exec(line) ?? [];
    if (heading !== undefined) {
      table = root;
      for (const part of heading.split('.')) {
        table[part] ??= {};
        table = table[part];
      }
    } else if (key !== undefined && value !== undefined) table[key] = JSON.parse(value);
    else throw new Error(`not TOML: ${line}`);
  }
  return root;
}

/** The address and headers of each client configuration. */
function serversOf(setup: Json): { url: string; authorization: string }[] {
  const servers: Json[] = Object.values(setup.mcpServers ?? setup.servers ?? setup.mcp_servers ?? {});
  return servers.map((server) => {
    const url = server.url ?? server.args.find((argument: string) => argument.startsWith('http'));
    const header =
      server.headers?.Authorization ??
      (server.bearer_token_env_var ? `Bearer \${${server.bearer_token_env_var}}` : server.env.AUTHORIZATION);
    return { url, authorization: header.replace(/\$\{[^}]+\}|svc_live_…/, api.key) };
  });
}

it('depends on the Host alone and is not for shared caches, so that no client puts another host before other readers', async () => {
  const proxied = await startTestApi({
    REDIS_URL: '',
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_BASE_URL: 'https://track.example',
  });
  try {
    const ask = (headers: Record<string, string>) => proxied.app.inject({ url: '/docs/mcp', headers });
    const forwarded = await ask({ host: 'track.example', 'x-forwarded-host': 'evil.example' });
    expect(forwarded.body).not.toContain('evil.example');
    expect(forwarded.body).toContain('https://track.example/v1/mcp');
    expect(forwarded.headers['cache-control']).toBe('private, max-age=300');
    expect((await ask({ host: 'other.example' })).body).toContain('http://other.example/v1/mcp');
    expect((await proxied.app.inject({ url: '/docs/errors' })).headers['cache-control']).toBe('public, max-age=300');
  } finally {
    await proxied.close();
  }
});
