import fastify from 'fastify';
import { expect, it } from 'vitest';
import { registerOperationsGuard } from '#services/api/operations/guard.ts';
import { readEnv, requireOperationsToken } from '#shared/config/env.ts';

const token = 'a-token-of-sixteen-and-more';

function guarded(given: string | null) {
  const app = fastify();
  registerOperationsGuard(app, { token: given, hosts: ['localhost', '127.0.0.1'] });
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

it('answers only to the host names of this machine without a token, so that no website can read the port through a browser', async () => {
  const app = guarded(null);
  expect((await app.inject({ url: '/operations', headers: { host: 'localhost:8090' } })).body).toBe('the page');
  expect((await app.inject({ url: '/operations', headers: { host: 'evil.example' } })).statusCode).toBe(403);
  expect((await app.inject({ url: '/metrics', headers: { host: 'api:8090' } })).body).toBe('the metrics');
});

it('refuses to start with the port open to other machines and no token', () => {
  expect(() => requireOperationsToken(readEnv({ OPERATIONS_HOST: '0.0.0.0' }))).toThrow('OPERATIONS_TOKEN');
  expect(() => requireOperationsToken(readEnv({ OPERATIONS_HOST: '0.0.0.0', OPERATIONS_TOKEN: token }))).not.toThrow();
  expect(() => requireOperationsToken(readEnv({}))).not.toThrow();
  expect(() => readEnv({ OPERATIONS_TOKEN: 'short' })).toThrow('at least 16 characters');
});
