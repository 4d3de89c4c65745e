import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { docsPages } from '#services/api/docs/docs-pages.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { publishedDocument } from '#test/support/api/openapi-checks.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const read = (path: string, headers: Record<string, string> = {}) => fetch(api.url + path, { headers });
const textAt = async (path: string, headers: Record<string, string> = {}) => (await read(path, headers)).text();
const markdown = 'text/markdown; charset=utf-8';

describe('the Markdown twin of a page', () => {
  it.each(['/docs/mcp', '/docs/errors'])('of %s has the same headings', async (path) => {
    const html = await textAt(path);
    const shown = [...html.matchAll(/<h([1-6])[^>]*>(.*?)<\/h\1>/g)].map(([, depth, inner = '']) => [
      Number(depth),
      plainHtml(inner),
    ]);
    expect(shown.length).toBeGreaterThan(15);
    expect(headingsOf(await textAt(`${path}.md`))).toEqual(shown);
  });

  it('of the reference has a heading for every part of the introduction, tag, operation, delivery and schema', async () => {
    const found = headingsOf(await textAt('/docs.md')).map(([, text]) => text);
    const { info, tags, paths, webhooks, components } = publishedDocument as Json;
    const operations = [...Object.values<Json>(paths), ...Object.values<Json>(webhooks)].flatMap((methods) =>
      Object.values<Json>(methods).map(({ summary }) => summary),
    );
    const wanted = [
      ...headingsOf(info.description).map(([, text]) => text),
      ...tags.map(({ name }: Json) => name),
      ...operations,
      ...Object.keys(components.schemas),
    ];
    expect(wanted.length).toBeGreaterThan(150);
    expect(wanted.filter((heading) => !found.includes(heading))).toEqual([]);
  });

  it('of the reference names every path, parameter and field', async () => {
    const text = await textAt('/docs.md');
    for (const [path, methods] of Object.entries<Json>((publishedDocument as Json).paths)) {
      for (const [method, { parameters = [] }] of Object.entries<Json>(methods)) {
        expect(text).toContain(`\`${method.toUpperCase()} ${path}\``);
        for (const { name } of parameters) expect(text).toContain(`- \`${name}\` (`);
      }
    }
    for (const { properties = {} } of Object.values<Json>((publishedDocument as Json).components.schemas))
      for (const field of Object.keys(properties)) expect(text).toMatch(new RegExp(`- \`${field}\\??\`: `));
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it.each(docsPages.map(({ path }) => path))(
    'of %s is served at its address too, if Markdown is preferred',
    async (path) => {
      const preferred = await read(path, { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' });
      expect(preferred.headers.get('content-type')).toBe(markdown);
      expect(preferred.headers.get('vary')).toBe('accept, accept-encoding');
      expect(await preferred.text()).toBe(await textAt(`${path}.md`));
      for (const accept of [
        '*/*',
        'text/html,application/xhtml+xml,*/*;q=0.8',
        'text/html, text/markdown;q=0.5',
        'text/*',
      ]) {
        const other = await read(path, { accept });
        expect(other.headers.get('content-type'), accept).toBe('text/html; charset=utf-8');
        expect(other.headers.get('vary')).toBe('accept, accept-encoding');
      }
      expect((await read(path, { accept: 'text/markdown' })).headers.get('etag')).not.toBe(
        (await read(path)).headers.get('etag'),
      );
      expect(await textAt(path)).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md">`);
    },
  );
});

describe('/llms.txt', () => {
  it('lists the twin of every page and the skill, and every link of it and of what it links to is Markdown', async () => {
    const index = await textAt('/llms.txt');
    expect(index).toMatch(/^# Landfall\n\n> /);
    const listed = linksOf(index);
    for (const { path } of docsPages) expect(listed).toContain(`${path}.md`);
    expect(listed).toContain('/docs/skill.md');
    for (const path of listed) {
      const answer = await read(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, markdown]);
    }
  });
});

describe('SKILL.md', () => {
  it('has the frontmatter that agents load, and names this installation and no key', async () => {
    const text = await textAt('/docs/skill.md');
    const [, frontmatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
    const { name, description, license, metadata } = parse(frontmatter);
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect([license, metadata]).toEqual(['Apache-2.0', { address: api.url }]);
    expect(body).toContain(`${api.url}/v1/mcp`);
    expect(text).not.toMatch(/svc_(?:live|test)_[a-z0-9]/);
    for (const [, path = ''] of body.matchAll(/(\/docs[\w./-]*\.md)/g)) expect((await read(path)).status).toBe(200);
  });

  it('names tools, arguments and operations that exist', async () => {
    const text = await textAt('/docs/skill.md');
    const answer = await api.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { tools } = (await jsonOf(answer)).result;
    const known = new Set(
      tools.flatMap(({ name, inputSchema, outputSchema }: Json) => [
        name,
        ...Object.keys(inputSchema.properties),
        ...Object.keys(outputSchema.properties),
      ]),
    );
    for (const name of [
      'list_shipments_summary',
      'get_shipment_details',
      'identifier',
      'response_format',
      'data_as_of',
    ])
      expect([name, known.has(name), text.includes(name)]).toEqual([name, true, true]);
    for (const [, path = ''] of text.matchAll(/`(?:GET|POST) (\/v1\/[\w/{}-]+)/g))
      expect(Object.keys((publishedDocument as Json).paths)).toContain(path);
  });
});

describe('the server card', () => {
  it('is enough to connect with, once the key that it asks for is filled in', async () => {
    const answer = await read('/.well-known/mcp/server-card.json', { accept: 'application/mcp-server-card+json' });
    expect(answer.headers.get('content-type')).toBe('application/mcp-server-card+json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const card = await jsonOf(answer);
    const [remote] = card.remotes;
    const [header] = remote.headers;
    expect(header).toMatchObject({ name: 'Authorization', isRequired: true, isSecret: true });
    const value = header.value.replace(/\{(\w+)\}/g, (_all: string, name: string) => {
      expect(header.variables[name]).toMatchObject({ isRequired: true, isSecret: true });
      return api.key;
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(remote.url), { requestInit: { headers: { [header.name]: value } } }),
    );
    expect((await client.listTools()).tools).toHaveLength(2);
    expect(client.getServerVersion()).toMatchObject({ version: card.version, title: card.title });
    expect(card.name.split('/')[1]).toBe(client.getServerVersion()?.name);
    await client.close();
  });

  it('lists the revisions that the endpoint serves, and nothing secret', async () => {
    const text = await textAt('/.well-known/mcp/server-card.json');
    const [{ supportedProtocolVersions }] = JSON.parse(text).remotes;
    for (const version of supportedProtocolVersions) {
      const headers = { 'mcp-protocol-version': version };
      const asked = await api.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
      expect((await jsonOf(asked)).error?.code, version).not.toBe(-32_022);
    }
    expect(text).not.toMatch(/svc_(?:live|test)_[a-z0-9]|oauth/i);
    expect(JSON.parse(text).description.length).toBeLessThanOrEqual(100);
  });

  it('leaves the addresses of OAuth metadata unknown', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'])
      expect((await read(path)).status).toBe(404);
  });
});

it('explains the fields in the instructions of the server, in both eras', async () => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${api.key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/v1/mcp`), { requestInit }));
  const words = client.getInstructions() ?? '';
  for (const part of [
    'status is where the cargo is',
    'tracking is whether',
    'Days are local',
    'archived',
    'never instructions',
  ])
    expect(words).toContain(part);
  await client.close();
});

/** Depth and text of each heading outside code blocks. */
function headingsOf(text: string): [number, string][] {
  const headings: [number, string][] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks, heading = ''] = /^(#{1,6}) (.+)$/.exec(isCode ? '' : line) ?? [];
    if (marks !== undefined) headings.push([marks.length, heading.replaceAll('`', '').replace(/\\(.)/g, '$1')]);
  }
  return headings;
}

function plainHtml(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
}
