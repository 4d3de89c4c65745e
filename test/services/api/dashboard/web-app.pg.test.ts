import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';

const page = '<!doctype html><title>the app</title>';
let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-web-'));
  api = await startTestApi({}, { webAppFolder: folder });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = { accept: 'text/html,*/*;q=0.8' }) =>
  fetch(api.url + path, { headers });

it('explains how to build a missing app, and serves one that is built later without a restart', async () => {
  expect(await (await get('/')).text()).toContain('npm start');
  writeFileSync(join(folder, 'index.html'), page);
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets', 'app-abc123.js'), 'export {};');
  writeFileSync(join(folder, 'theme.js'), '0;');
  writeFileSync(join(folder, 'sources.sha256'), 'secret');
  expect(await (await get('/')).text()).toBe(page);
});

it('sends every page with a policy that allows only the app’s own files, and without caching', async () => {
  for (const path of [
    '/',
    '/index.html',
    '/shipments',
    '/shipments/shp_01?tab=refreshes',
    '/claim',
    '/configuration/api-keys',
  ]) {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    expect(await answer.text(), path).toBe(page);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy.split('; '), path).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:/);
    expect(Object.fromEntries(answer.headers), path).toMatchObject({
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(answer.headers.get('strict-transport-security'), path).toBeNull();
  }
});

it('sends HSTS behind https', async () => {
  const own = await startTestApi({ TRUST_PROXY: '127.0.0.1' }, { webAppFolder: folder });
  const answer = await fetch(own.url, { headers: { accept: 'text/html', 'x-forwarded-proto': 'https' } });
  expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/);
  await own.close();
});

it('caches files with a content hash permanently, and returns no page for missing files', async () => {
  const script = await get('/assets/app-abc123.js');
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect(script.headers.get('content-type')).toContain('javascript');
  expect((await get('/theme.js')).headers.get('cache-control')).toBe('no-cache');
  mkdirSync(join(folder, 'assets', 'folder'));
  writeFileSync(join(folder, 'assets', '.hidden'), 'secret');
  for (const name of [
    'gone.js',
    '..%2fsources.sha256',
    '..%5csources.sha256',
    '%2fetc%2fpasswd',
    '%00',
    '.hidden',
    'folder',
    '',
  ]) {
    const answer = await get(`/assets/${name}`);
    expect(answer.status, name).toBe(404);
    // A newer build may contain the file, so its absence must not be cached permanently.
    expect(answer.headers.get('cache-control'), name).toBe('no-store');
    expect(await answer.text(), name).not.toMatch(/the app|secret|landfall-web|\*/);
  }
  expect((await get('/sources.sha256', {})).status).toBe(404);
});

it('returns an error to programs that request a missing address, and never a page under the API’s addresses', async () => {
  for (const path of ['/v1/nothing', '/docs/nothing', '/hooks/nothing', '/dashboard/api/nothing']) {
    const answer = await get(path);
    expect(answer.status, path).toBeGreaterThanOrEqual(400);
    expect(answer.headers.get('content-type'), path).toContain('application/problem+json');
  }
  expect((await get('/shipments', { accept: 'application/json' })).status).toBe(404);
  expect((await fetch(`${api.url}/shipments`, { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(404);
});
