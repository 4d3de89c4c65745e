import fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerOperationsGuard } from '#services/api/operations/guard.ts';
import { readEnv, requireOperationsToken } from '#shared/config/env.ts';

const token = 'a-token-of-sixteen-and-more';

function guarded(given: string | null) {
  const app = fastify();
  registerOperationsGuard(app, { token: given, hosts: ['localhost', '127.0.0.1'] });
  app.get('/operations', async () => 'the page');
  app.get('/metrics', async () => 'the metrics');
  return app;
}

it('nobody reads the pages without the token, and a wrong one or a made-up cookie is none', async () => {
  const app = guarded(token);
  expect((await app.inject({ url: '/operations' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/operations/../operations' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/operations?token=wrong' })).statusCode).toBe(401);
  expect((await app.inject({ url: '/operations', headers: { authorization: 'Bearer wrong' } })).statusCode).toBe(401);
  expect(
    (await app.inject({ url: '/operations', headers: { cookie: `landfall_operations=${token}` } })).statusCode,
  ).toBe(401);
  expect((await app.inject({ url: '/nothing' })).statusCode).toBe(401);
});

it('the token opens them as a bearer, or once in the address, which becomes a cookie that does not hold it', async () => {
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

it('without a token the pages answer to the names of this machine only, so that no other site can read them through a browser', async () => {
  const app = guarded(null);
  expect((await app.inject({ url: '/operations', headers: { host: 'localhost:8090' } })).body).toBe('the page');
  expect((await app.inject({ url: '/operations', headers: { host: 'evil.example' } })).statusCode).toBe(403);
  expect((await app.inject({ url: '/metrics', headers: { host: 'api:8090' } })).body).toBe('the metrics');
});

it('a start that would open the pages to other machines without a token is refused', () => {
  expect(() => requireOperationsToken(readEnv({ OPERATIONS_HOST: '0.0.0.0' }))).toThrow('OPERATIONS_TOKEN');
  expect(() => requireOperationsToken(readEnv({ OPERATIONS_HOST: '0.0.0.0', OPERATIONS_TOKEN: token }))).not.toThrow();
  expect(() => requireOperationsToken(readEnv({}))).not.toThrow();
  expect(() => readEnv({ OPERATIONS_TOKEN: 'short' })).toThrow('at least 16 characters');
});
