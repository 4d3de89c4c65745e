import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { apiKeyBody, formatApiKey } from '#shared/domain/keys/api-key.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '#test/support/api/api.ts';
import { request } from '#test/support/api/http.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

type Answer = Awaited<ReturnType<typeof request>>;

/** Guarantees for every counter store. `environment` selects the store. */
export function testRateLimits(environment: Record<string, string>): void {
  const opened: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  /** Two processes of one installation with a reachable counter store. */
  async function openTwo(options: TestApiOptions, more: Record<string, string> = {}): Promise<[TestApi, TestApi]> {
    const database = await ownDatabase();
    opened.push({ close: database.drop });
    const open = async () => {
      const api = await startTestApi(
        { DATABASE_URL: database.serviceUrl, REDIS_URL: '', ...environment, ...more },
        { limitTimeoutMs: 20_000, ...options },
      );
      opened.push(api);
      await expect.poll(async () => reachCounts(api)).toBe(true);
      return api;
    };
    return [await open(), await open()];
  }

  async function reachCounts(api: TestApi): Promise<boolean> {
    await api.ctx.limiter.admit(`probe:${randomUUID()}`, 10);
    return api.ctx.limiter.stats().takes > 0 && !api.ctx.limiter.stats().unavailable;
  }

  const read = (api: TestApi, key: string, headers: Record<string, string> = {}) =>
    request(`${api.url}/v1/shipments`, { key, headers });

  it('shares a key’s quota between two processes and reports its state', async () => {
    const quota = 100;
    // Long enough for all requests of the test to be in one window.
    const windowS = 3600;
    const [one, two] = await openTwo({ limits: { read: quota, write: 5 }, limitWindowS: windowS });
    const { secret } = await one.createKey();
    const first = await read(one, secret);
    expect(first.headers.get('ratelimit-policy')).toBe(`"read";q=${quota};w=${windowS}`);
    expect(first.headers.get('ratelimit')).toMatch(/^"read";r=99;t=[1-9]\d{0,3}$/);

    const answers: Answer[] = [first];
    for (let round = 0; round < 13; round++) {
      answers.push(
        ...(await Promise.all(Array.from({ length: 10 }, (_, index) => read(index % 2 ? one : two, secret)))),
      );
    }
    const admitted = answers.filter((answer) => answer.status === 200).length;
    const refused = answers.filter((answer) => answer.status === 429);
    expect(admitted + refused.length).toBe(answers.length);
    // Never more than the quota; less by what the other process may hold of its block, 5 % of the quota.
    expect(admitted).toBeLessThanOrEqual(quota);
    expect(admitted).toBeGreaterThanOrEqual(quota - 10);
    for (const answer of refused) {
      const retryAfterS = Number(answer.headers.get('retry-after'));
      expect(retryAfterS).toBeGreaterThanOrEqual(1);
      expect(retryAfterS).toBeLessThanOrEqual(windowS);
      expect(answer.headers.get('ratelimit')).toBe(`"read";r=0;t=${retryAfterS}`);
      expect(answer.body).toMatchObject({ status: 429, code: 'rate_limited', retryable: true });
      expect(answer.body.detail).toContain('100 read requests per minute');
    }
    // Other classes and other keys have their own quotas.
    const write = await request(`${one.url}/v1/shipments`, { key: secret, body: {} });
    expect(write.status).toBe(400);
    expect(write.headers.get('ratelimit-policy')).toBe(`"write";q=5;w=${windowS}`);
    expect((await read(two, (await one.createKey()).secret)).status).toBe(200);
  });

  it('shows an owner their own usage and that of each key, and a viewer only their own', async () => {
    const [api, other] = await openTwo({ limits: { read: 6000 }, limitWindowS: 3600 });
    const [owner, viewer] = [
      await signedIn(api, 'owner', api.accountName),
      await signedIn(api, 'viewer', api.accountName),
    ];
    await api.createKey();
    const { id, secret } = await api.createKey();
    for (let sent = 0; sent < 7; sent++) await read(api, secret);
    const nothing = { used: 0, ends_in_s: null };
    const used = (count: number) => ({ used: count, ends_in_s: expect.any(Number) });
    const usage = async (who: typeof owner) => (await who.ask('/dashboard/api/limits')).body.usage;
    await expect.poll(async () => (await usage(owner)).length).toBe(2);
    const [you, key] = await usage(owner);
    expect(you).toMatchObject({ id: owner.userId, write: nothing });
    expect(you.read.used).toBeGreaterThan(1);
    expect(key).toEqual({
      id: encodeTypeId('key', id),
      name: 'test',
      read: used(7),
      write: nothing,
      batch: nothing,
      mcp: nothing,
    });
    expect(await usage(viewer)).toMatchObject([{ id: viewer.userId, read: used(1) }]);
    // Includes what the other process admitted.
    await read(other, secret);
    expect((await usage(owner))[1].read.used).toBeGreaterThan(7);
  });

  it('starts a new window when the store does', async () => {
    const [one, two] = await openTwo({ limits: { read: 2 }, limitWindowS: 1 });
    const { secret } = await one.createKey();
    // Sent at once: a busy machine must not need a window for each.
    const refusing = async (): Promise<boolean[]> => {
      const burst = [one, two].map((api) => Promise.all(Array.from({ length: 4 }, () => read(api, secret))));
      return (await Promise.all(burst)).map((answers) => answers.some(({ status }) => status === 429));
    };
    await expect.poll(refusing, { interval: 1 }).toEqual([true, true]);
    for (const api of [one, two]) await expect.poll(async () => (await read(api, secret)).status).toBe(200);
  });

  it('names the applicable limit in every answer under /v1', async () => {
    const [api] = await openTwo({});
    const { secret } = await api.createKey();
    const policyOf = async (path: string, options: Parameters<typeof request>[1]) => {
      const { status, headers } = await request(api.url + path, options);
      expect(headers.get('ratelimit'), path).toMatch(/^"[a-z-]+";r=\d+;t=\d+$/);
      return `${status} ${/^"([a-z-]+)";q=\d+;w=60$/.exec(headers.get('ratelimit-policy') ?? '')?.[1]}`;
    };
    expect(await policyOf('/v1/shipments', { key: secret })).toBe('200 read');
    expect(await policyOf('/v1/nothing', { key: secret })).toBe('404 read');
    expect(await policyOf('/v1/shipments', { key: secret, method: 'DELETE' })).toBe('405 read');
    expect(await policyOf('/v1/%zz', { key: secret })).toBe('400 read');
    expect(await policyOf('/v1/api-keys', { key: secret })).toBe('403 read');
    expect(await policyOf('/v1/mcp', { key: secret, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).toBe('200 mcp');
    expect(await policyOf('/v1/shipments', {})).toBe('401 sign-in');
    expect(await policyOf('/v1/shipments', { key: 'svc_live_wrong' })).toBe('401 sign-in');
    const outside = await request(`${api.url}/livez`);
    expect(outside.headers.get('ratelimit')).toBeNull();
  });

  it('rejects wrong keys of an address beyond 4 a minute in every process, and never a good key', async () => {
    const [one, two] = await openTwo({ failedSignInsPerMinute: 4, limitWindowS: 3600 });
    const { secret } = await one.createKey();
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`;
    // A request without a key is not an attempt.
    for (let sent = 0; sent < 10; sent++) expect((await request(`${one.url}/v1/shipments`)).status).toBe(401);
    const failed: number[] = [];
    for (let sent = 0; sent < 4; sent++) failed.push((await read(sent % 2 ? one : two, wrong)).status);
    expect(failed).toEqual([401, 401, 401, 401]);
    const refused = await read(one, wrong);
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers.get('ratelimit')).toMatch(/^"sign-in";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await read(two, wrong)).status).toBe(429);
    // Also one that this process has not seen yet.
    for (const api of [one, two]) {
      const { secret: unseen } = await api.createKey();
      expect((await read(api, unseen)).status).toBe(200);
      expect((await read(api, secret)).status).toBe(200);
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      expect((await request(`${api.url}/v1/mcp`, { key: secret, body: ping })).status).toBe(200);
    }
  });

  it('rejects wrong keys with the first characters of a key from any address, but not the key itself', async () => {
    const [api] = await openTwo({ failedSignInsPerMinute: 3, limitWindowS: 3600 }, { TRUST_PROXY: '127.0.0.1' });
    const { secret } = await api.createKey();
    const similar = () => formatApiKey(`${secret.slice(9, 13)}${apiKeyBody(randomBytes).slice(4)}`, false);
    const from = (last: number) => ({ 'x-forwarded-for': `203.0.113.${last}` });
    for (let sent = 0; sent < 3; sent++) expect((await read(api, similar(), from(sent))).status).toBe(401);
    const refused = await read(api, similar(), from(9));
    expect(refused.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining(secret.slice(0, 13)) });
    expect((await read(api, secret, from(9))).status).toBe(200);
    expect((await read(api, formatApiKey(apiKeyBody(randomBytes), false), from(9))).status).toBe(401);
  });

  it('distinguishes clients behind a trusted proxy, and warns once of another one that forwards them', async () => {
    const [trusting] = await openTwo({ failedSignInsPerMinute: 1, limitWindowS: 3600 }, { TRUST_PROXY: '127.0.0.1' });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    expect((await read(trusting, 'svc_live_wrong', from('203.0.113.1'))).status).toBe(401);
    expect((await read(trusting, 'svc_live_wrong', from('203.0.113.1'))).status).toBe(429);
    expect((await read(trusting, 'svc_live_wrong', from('203.0.113.2'))).status).toBe(401);
    const warnings = (api: TestApi) => api.logLines.filter((line) => line.includes('X-Forwarded-For ignored'));
    expect(warnings(trusting)).toEqual([]);
    const [plain] = await openTwo({ failedSignInsPerMinute: 1, limitWindowS: 3600 });
    await read(plain, 'svc_live_wrong');
    expect(warnings(plain)).toEqual([]);
    expect((await read(plain, 'svc_live_wrong', from('203.0.113.4'))).status).toBe(429);
    await read(plain, 'svc_live_wrong', from('203.0.113.5'));
    expect(warnings(plain)).toHaveLength(1);
    expect(warnings(plain)[0]).toContain('127.0.0.1');
  });
}
