import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readerConfiguration } from '#services/api/docs/reader-page.ts';
import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { errorCodes } from '#shared/domain/errors.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { publishedDocument } from '#test/support/api/openapi-checks.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const read = (path: string, headers: Record<string, string> = {}) => fetch(api.url + path, { headers });
const personal = ['/docs/mcp', '/docs/mcp.md', '/docs/skill.md', '/.well-known/mcp/server-card.json'];
const pages = [
  ...personal,
  '/docs',
  '/docs/',
  '/docs.md',
  '/docs/errors.md',
  '/llms.txt',
  '/docs/copy.js',
  '/docs/errors',
  '/docs/openapi.json',
  '/docs/reader.js',
  '/docs/scalar.js',
];

describe('every page of the documentation', () => {
  it.each(pages)('%s requires no key, is cached, and loads nothing from other hosts', async (path) => {
    const answer = await read(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe(`${personal.includes(path) ? 'private' : 'public'}, max-age=300`);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect((await answer.text()).length).toBeGreaterThan(100);

    const again = await read(path, { 'if-none-match': `W/"other", ${answer.headers.get('etag')}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await read(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each(['/docs', '/docs/mcp', '/docs/errors', '/docs/reader.js', '/docs/copy.js'])(
    '%s links to no other host',
    async (path) => {
      expect(await (await read(path)).text()).not.toMatch(
        /(?:src|href|action|url)["']?\s*[=:(]\s*["']?(?:https?:)?\/\//i,
      );
    },
  );

  it.each(['/docs', '/docs/mcp', '/docs/errors'])(
    '%s links to the reader, MCP, the errors and the document',
    async (path) => {
      const page = await (await read(path)).text();
      for (const way of ['/docs', '/docs/mcp', '/docs/errors', '/docs/openapi.json'])
        expect(page).toContain(`href="${way}"`);
    },
  );

  it.each([
    ['identity', null],
    ['gzip;q=0', null],
    ['gzip', 'gzip'],
    ['br, gzip', 'br'],
  ])('is sent to a client that accepts %s as %s', async (accepted, coding) => {
    const { headers } = await read('/docs/openapi.json', { 'accept-encoding': accepted });
    expect(headers.get('content-encoding')).toBe(coding);
  });
});

it('serves the document as published', async () => {
  const answer = await read('/docs/openapi.json', { accept: 'application/json' });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await jsonOf(answer)).toEqual(publishedDocument);
});

it('serves the reader without inline scripts, with requests only to this host', async () => {
  const page = await (await read('/docs')).text();
  expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
    '<script src="/docs/scalar.js">',
    '<script src="/docs/reader.js">',
  ]);
  expect(await (await read('/docs/reader.js')).text()).toContain(JSON.stringify(readerConfiguration));
  expect(readerConfiguration).toMatchObject({
    url: '/docs/openapi.json',
    telemetry: false,
    withDefaultFonts: false,
    proxyUrl: '',
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
  });
  expect(new Set(Object.values(readerConfiguration.externalUrls))).toEqual(new Set(['']));
});

describe('the page of errors', () => {
  it('explains every code at the anchor that error answers link to, without scripts', async () => {
    const page = await (await read('/docs/errors')).text();
    expect(page).not.toContain('<script');
    for (const code of errorCodes) {
      const start = page.indexOf(`<h2 id="${code}">`);
      const section = page.slice(start, page.indexOf('</figure>', start));
      expect(section).toContain('Cause');
      expect(section).toContain('Remedy');
      expect(section).toContain(errorCatalogue[code].title);
      expect(section).toContain(`&quot;type&quot;: &quot;/docs/errors#${code}&quot;`);
    }
    expect(page.match(/<h2 id=/g)).toHaveLength(errorCodes.length);
  });

  it('gives a cause and a remedy in full sentences for each code', () => {
    for (const code of errorCodes) {
      const { title, cause, remedy, detail } = errorCatalogue[code];
      for (const sentence of [cause, remedy]) expect(sentence).toMatch(/^[A-Z`].{10,}\.$/s);
      for (const text of [title, detail]) expect(text.length).toBeGreaterThan(10);
    }
  });
});
