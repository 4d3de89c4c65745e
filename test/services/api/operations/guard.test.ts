import { createHash } from 'node:crypto';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerOperationsGuard } from '#services/api/operations/guard.ts';
import { readEnv, requireOperationsToken } from '#shared/config/env.ts';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import { openBlockLimiter } from '#shared/limits/block-limiter.ts';

const token = 'a-token-of-sixteen-and-more';

function guarded(given: string | null) {
  const app = fastify();
  const points = new Map<string, number>();
  const limiter = openBlockLimiter({
    windowS: 60,
    timeoutMs: 1000,
    onUnavailable: () => undefined,
    takePoints: async (key, count) => {
      points.set(key, (points.get(key) ?? 0) + count);
      return { consumed: points.get(key) ?? 0, msLeft: 60_000 };
    },
    readCounts: async () => [],
  });
  const isAllowedHost = hostCheck(['operations.internal']);
  registerOperationsGuard(app, { token: given, isAllowedHost, triesPerMinute: 6 }, limiter);
  app.get('/operations', async () => 'the page');
  app.get('/assets/*', async () => 'a file');
  app.get('/metrics', async () => 'the metrics');
  return app;
}

it('refuses a missing or wrong token and a forged cookie, except for the files of the screens', async () => {
  const app = guarded(token);
  expect((await app.inject({ url: '/operations' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/operations/../operations' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/operations?token=wrong' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/operations', headers: { authorization: 'Bearer wrong' } })).statusCode).toBe(401);
  expect(
    (await app.inject({ url: '/operations', headers: { cookie: `landfall_operations=${token}` } })).statusCode,
  ).toBe(401);
  expect((await app.inject({ url: '/nothing' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/assets/app.js' })).body).toBe('a file');
});

it('accepts the token as a bearer token, or once in the address, and then sets a cookie that does not contain it', async () => {
  const app = guarded(token);
  expect((await app.inject({ url: '/operations', headers: { authorization: `Bearer ${token}` } })).body).toBe(
    'the page',
  );
  const opened = await app.inject({ url: `/operations?since=1&token=${token}` });
  expect([opened.statusCode, opened.headers.location]).toEqual([303, '/operations?since=1']);
  const cookie = String(opened.headers['set-cookie']);
  expect(cookie).toContain('HttpOnly');
  expect(cookie).not.toContain(token);
  expect((await app.inject({ url: '/operations', headers: { cookie: cookie.split(';')[0] ?? '' } })).body).toBe(
    'the page',
  );
});

it('opens a session with a random cookie that reveals nothing of the token and is worth nothing at another process', async () => {
  const app = guarded(token);
  const open = async () => {
    const { headers } = await app.inject({ url: `/operations?token=${token}` });
    return String(headers['set-cookie']).split(';')[0] ?? '';
  };
  const [first, second] = [await open(), await open()];
  expect(first).not.toBe(second);
  for (const derived of ['hex', 'base64', 'base64url'] as const)
    expect(first).not.toContain(createHash('sha256').update(token).digest(derived));
  for (const cookie of [first, second])
    expect((await app.inject({ url: '/operations', headers: { cookie } })).statusCode).toBe(200);
  expect((await guarded(token).inject({ url: '/operations', headers: { cookie: first } })).statusCode).toBe(401);
});

it('limits wrong tokens by address, not right ones, and keeps open sessions', async () => {
  const app = guarded(token);
  const ask = async (given: string, remoteAddress = '198.51.100.1') =>
    (await app.inject({ url: '/operations', headers: { authorization: `Bearer ${given}` }, remoteAddress })).statusCode;
  const { headers } = await app.inject({ url: `/operations?token=${token}`, remoteAddress: '198.51.100.1' });
  for (let sent = 0; sent < 10; sent++) expect(await ask(token)).toBe(200);
  const wrong: number[] = [];
  for (let sent = 0; sent < 7; sent++) wrong.push(await ask(`wrong ${sent}`));
  expect(wrong).toEqual([401, 401, 401, 401, 401, 401, 429]);
  // A guess is not even compared.
  expect(await ask(token)).toBe(429);
  expect(await ask(token, '198.51.100.2')).toBe(200);
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  const page = await app.inject({ url: '/operations', headers: { cookie }, remoteAddress: '198.51.100.1' });
  expect(page.statusCode).toBe(200);
});

it('answers only to configured host names and IP addresses without a token, so that no website can read the port through a browser', async () => {
  for (const url of ['/operations', '/metrics']) {
    const statusOf = async (host: string) => (await guarded(null).inject({ url, headers: { host } })).statusCode;
    for (const host of ['localhost:8090', '127.0.0.1:8090', '[::1]:8090', '10.1.2.3:8090', 'Operations.Internal'])
      expect(await statusOf(host), host).toBe(200);
    for (const host of ['evil.example', 'localhost.evil.example', 'localhost@evil.example', 'evil.example:8090'])
      expect(await statusOf(host), host).toBe(403);
  }
  const app = guarded(token);
  const scrape = (headers: Record<string, string>) => app.inject({ url: '/metrics', headers });
  expect((await scrape({ host: '10.1.2.3:8090' })).statusCode).toBe(200);
  expect((await scrape({ host: 'evil.example' })).statusCode).toBe(401);
  expect((await scrape({ host: 'api:8090', authorization: `Bearer ${token}` })).statusCode).toBe(200);
});

it('refuses to start with the port open to other machines and no token', () => {
  expect(() => requireOperationsToken(readEnv({ OPERATIONS_HOST: '0.0.0.0' }))).toThrow('OPERATIONS_TOKEN');
  expect(() => requireOperationsToken(readEnv({ OPERATIONS_HOST: '0.0.0.0', OPERATIONS_TOKEN: token }))).not.toThrow();
  expect(() => requireOperationsToken(readEnv({}))).not.toThrow();
  expect(() => readEnv({ OPERATIONS_TOKEN: 'short' })).toThrow('at least 16 characters');
});
