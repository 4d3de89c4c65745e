import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const get = async (path: string) => {
  const answer = await api.request(path);
  return { status: answer.status, body: await jsonOf(answer) };
};
const detect = async (body: unknown) => {
  const answer = await api.post('/v1/carriers/detect', body);
  return { status: answer.status, body: await jsonOf(answer) };
};

/** A shipment and its refreshes, as the worker would have stored them `agoS` seconds ago. */
async function insertRefreshes(
  refreshes: { carrier: string; outcome: string; reason?: string; agoS: number }[],
  test = false,
): Promise<void> {
  await withAccount(api.ctx.core.store, api.accountId, async (tx) => {
    for (const refresh of refreshes) {
      const shipmentId = randomUUID();
      await tx.query(
        `insert into landfall.shipments (account_id, id, test, transport_mode, carrier, carrier_name, connector, identifiers, record)
        values ($1, $2, $3, 'ocean', $4, $4, 'dcsa', '{}', '{}')`,
        [api.accountId, shipmentId, test, refresh.carrier],
      );
      await tx.query(
        `insert into landfall.refreshes (account_id, shipment_id, outcome, reason, duration_ms, last_at)
        values ($1, $2, $3, $4, 1, now() - make_interval(secs => $5))`,
        [api.accountId, shipmentId, refresh.outcome, refresh.reason ?? null, refresh.agoS],
      );
    }
  });
}

describe('the catalogue', () => {
  it('lists every carrier with its number formats', async () => {
    const { status, body } = await get('/v1/carriers');
    expect(status).toBe(200);
    expect(body.data).toHaveLength(carriers.length);
    const maersk = body.data.find((carrier: { code: string }) => carrier.code === 'MAEU');
    expect(maersk).toMatchObject({
      name: 'Maersk',
      transport_modes: ['ocean'],
      connection: 'needs_credentials',
      connection_reason: 'Set credentials for Maersk: client_id and client_secret, and optionally api_key.',
      onboarding: { portal_url: 'https://developer.maersk.com', checked_on: expect.any(String) },
      prefixes: { bill_of_lading: ['MAEU', 'SUDU'] },
    });
    expect(maersk.identifiers).toContainEqual({
      transport_mode: 'ocean',
      identifier: 'container',
      trackable: true,
      shape: '4 letters and 7 digits',
      check_digit: 'ISO 6346, mod 11',
    });
  });

  it('supports search and a filter by mode', async () => {
    const { body } = await get('/v1/carriers?q=hapag');
    expect(body.data.map((carrier: { code: string }) => carrier.code)).toEqual(['HLCU']);
    const rail = await get('/v1/carriers?transport_mode=rail');
    expect(rail.body.data.length).toBeGreaterThan(5);
    for (const carrier of rail.body.data) expect(carrier.transport_modes).toContain('rail');
    expect((await get('/v1/carriers?q=nobody-at-all')).body.data).toEqual([]);
    const unaddressed = await get('/v1/carriers?connection=needs_address&transport_mode=ocean');
    expect(unaddressed.body.data.map((carrier: { code: string }) => carrier.code)).toEqual(['EGLV', 'PCIU']);
  });

  it.each([
    '/v1/carriers?transport_mode=sea',
    '/v1/carriers?connection=supported',
    '/v1/carriers?q=',
    '/v1/carriers?mode=ocean',
    '/v1/carriers/MAEU?q=x',
  ])('rejects %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 400 });
  });

  it.each([
    ['maeu', 'MAEU'],
    ['MSK', 'MAEU'],
    ['cma%20cgm', 'CMDU'],
    ['020', 'LH'],
  ])('resolves %s to carrier %s', async (name, code) => {
    expect(await get(`/v1/carriers/${name}`)).toMatchObject({ status: 200, body: { object: 'carrier', code } });
  });

  it('names the nearest carrier for an unknown code', async () => {
    const { status, body } = await get('/v1/carriers/mearsk');
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'carrier_not_found',
      detail: 'Unknown carrier: mearsk. Did you mean MAEU (Maersk)?',
    });
    expect((await get('/v1/carriers/%E0%A4%A')).status).toBe(400);
  });

  it('requires a key with the scope', async () => {
    const { secret } = await api.createKey({ scopes: ['webhooks:manage'] });
    const answer = await api.request('/v1/carriers', { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(403);
  });
});

describe('health', () => {
  const health = async (code: string) => (await get(`/v1/carriers/${code}`)).body.health;

  it('counts the account’s own refreshes of the last days per carrier', async () => {
    expect(await health('ZIMU')).toEqual({
      state: 'unknown',
      last_success_at: null,
      last_error_at: null,
      answered: 0,
      failed: 0,
      waiting: 0,
    });
    await insertRefreshes([
      ...[1, 2, 3].map((minute) => ({
        carrier: 'ZIMU',
        outcome: 'error',
        reason: 'carrier_unreachable',
        agoS: minute * 60,
      })),
      { carrier: 'ZIMU', outcome: 'changed', agoS: 3600 },
      { carrier: 'ONEY', outcome: 'unchanged', agoS: 60 },
      { carrier: 'ONEY', outcome: 'not_found', agoS: 30 },
      { carrier: 'YMLU', outcome: 'error', reason: 'credentials_missing', agoS: 30 },
      { carrier: 'EGLV', outcome: 'changed', agoS: 3 * 86_400 },
      { carrier: 'HDMU', outcome: 'error', reason: 'carrier_rate_limited', agoS: 60 },
    ]);
    const down = await health('ZIMU');
    expect(down).toMatchObject({ state: 'down', answered: 1, failed: 3, waiting: 3 });
    expect(Date.parse(down.last_error_at)).toBeGreaterThan(Date.parse(down.last_success_at));
    expect(await health('ONEY')).toMatchObject({ state: 'healthy', answered: 2, failed: 0, waiting: 1 });
    expect(await health('YMLU')).toMatchObject({ state: 'unknown' });
    expect(await health('EGLV')).toMatchObject({ state: 'unknown' });
    expect(await health('HDMU')).toMatchObject({ state: 'degraded', failed: 1 });
  });

  it('knows a polled carrier whose unchanged refreshes began before the newest 2,000 of the account', async () => {
    await withAccount(api.ctx.core.store, api.accountId, async (tx) => {
      const shipmentId = randomUUID();
      await tx.query(
        `insert into landfall.shipments (account_id, id, test, transport_mode, carrier, carrier_name, connector, identifiers, record)
        values ($1, $2, false, 'ocean', 'CMDU', 'CMA CGM', 'cma-cgm', '{}', '{}')`,
        [api.accountId, shipmentId],
      );
      await tx.query(
        `insert into landfall.polling (account_id, shipment_id, connector, last_refreshed_at) values ($1, $2, 'cma-cgm', now())`,
        [api.accountId, shipmentId],
      );
      await tx.query(
        `insert into landfall.refreshes (account_id, id, shipment_id, outcome, duration_ms, first_at, last_at, count)
        values ($1, uuidv7(interval '-1 hour'), $2, 'unchanged', 1, now() - interval '1 hour', now(), 1800)`,
        [api.accountId, shipmentId],
      );
    });
    await insertRefreshes([{ carrier: 'ONEY', outcome: 'changed', agoS: 5 }]);
    await withAccount(api.ctx.core.store, api.accountId, (tx) =>
      tx.query(
        `insert into landfall.refreshes (account_id, shipment_id, outcome, duration_ms)
        select account_id, id, 'changed', 1
        from landfall.shipments, generate_series(1, 2000)
        where account_id = $1 and carrier = 'ONEY'`,
        [api.accountId],
      ),
    );
    const { body } = await get('/v1/carriers/CMDU');
    expect(body.health).toMatchObject({ state: 'healthy', answered: 1, failed: 0, waiting: 0 });
    expect(Date.now() - Date.parse(body.health.last_success_at)).toBeLessThan(600_000);
  });

  it('excludes test shipments and other accounts', async () => {
    await insertRefreshes([{ carrier: 'OOLU', outcome: 'changed', agoS: 5 }], true);
    expect(await health('OOLU')).toMatchObject({ state: 'unknown' });
    const { secret } = await api.createKey({ test: true });
    const asTest = await api.request('/v1/carriers/OOLU', { headers: { authorization: `Bearer ${secret}` } });
    expect((await jsonOf(asTest)).health).toMatchObject({ state: 'healthy', answered: 1 });
  });
});

describe('detecting the carrier of a number', () => {
  it('returns candidates in order', async () => {
    const { status, body } = await detect({ number: ' MAEU123456789 ' });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      number: 'MAEU123456789',
      candidates: [
        {
          carrier: 'MAEU',
          identifier: 'mbl',
          transport_mode: 'ocean',
          confidence: 'high',
          check_digit: 'none',
          connection: 'needs_credentials',
        },
        { carrier: 'MAEU', identifier: 'booking' },
      ],
    });
  });

  it('accepts many numbers, keeps their order, and filters by mode', async () => {
    const { body } = await detect({
      numbers: ['020-08002050', 'what is this', '1Z5R89390357567127'],
      transport_mode: 'air',
    });
    expect(body.data.map((entry: { candidates: unknown[] }) => entry.candidates.length)).toEqual([1, 0, 0]);
  });

  it.each([
    [{}, 'validation_failed'],
    [{ number: 'A', numbers: ['B'] }, 'validation_failed'],
    [{ numbers: [] }, 'validation_failed'],
    [{ numbers: Array.from({ length: 101 }, () => '1') }, 'validation_failed'],
    [{ number: 5 }, 'validation_failed'],
    [{ number: 'x'.repeat(121) }, 'validation_failed'],
    [{ number: 'A', transport_mode: 'sea' }, 'validation_failed'],
    [{ nummber: 'A', number: 'B' }, 'unknown_field'],
  ])('rejects %j', async (sent, code) => {
    expect(await detect(sent)).toMatchObject({ status: 400, body: { code } });
  });
});
