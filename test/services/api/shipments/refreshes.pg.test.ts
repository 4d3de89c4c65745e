import { afterAll, beforeAll, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { wireRefreshList } from '#shared/contract/shipments/record-wire.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { carrierDown, found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const loaded = { code: 'loaded', local: '2026-10-02T08:00' } as const;
const departed = { code: 'departed', local: '2026-10-02T20:00' } as const;

it('returns the refreshes newest first, with a run of unchanged ones as one row with its count', async () => {
  const { path, subject } = await registered();
  await refresh(api.ctx.core, subject, found(loaded, departed), 'a'.repeat(32));
  for (const trace of ['b', 'c', 'd']) await refresh(api.ctx.core, subject, found(loaded, departed), trace.repeat(32));
  await refresh(api.ctx.core, subject, carrierDown, null);
  const answer = await jsonOf(await api.request(path));
  expect(wireRefreshList.parse(answer)).toEqual(answer);
  expect(answer.data).toEqual([
    {
      at: expect.any(String),
      first_at: expect.any(String),
      count: 1,
      outcome: 'error',
      reason: 'carrier_unreachable',
      detail: '503.',
      unreadable: null,
      http_status: 503,
      duration_ms: 31,
      events_added: 0,
      source: 'simulator:dcsa:maersk',
      trace_id: null,
      trace_kept: false,
    },
    expect.objectContaining({
      outcome: 'unchanged',
      count: 3,
      reason: null,
      http_status: 200,
      trace_id: 'd'.repeat(32),
      events_added: 0,
    }),
    expect.objectContaining({
      outcome: 'changed',
      count: 1,
      events_added: 2,
      duration_ms: 12,
      trace_id: 'a'.repeat(32),
    }),
  ]);
  const [error, run, first] = answer.data;
  expect([run.first_at > first.at, run.at > run.first_at, error.at > run.at]).toEqual([true, true, true]);
});

it('starts another run for another source', async () => {
  const { path, subject } = await registered();
  const answers = found(loaded);
  if (answers.outcome !== 'found') throw new Error('not found');
  const pushed: FetchResult = { ...answers, reading: { ...answers.reading, source: 'dcsa:maersk' } };
  for (const result of [answers, answers, pushed, pushed, answers]) await refresh(api.ctx.core, subject, result);
  const { data } = await jsonOf(await api.request(path));
  expect(data.map((row: Json) => [row.source, row.outcome, row.count])).toEqual([
    ['simulator:dcsa:maersk', 'unchanged', 1],
    ['dcsa:maersk', 'unchanged', 2],
    ['simulator:dcsa:maersk', 'unchanged', 1],
    ['simulator:dcsa:maersk', 'changed', 1],
  ]);
});

it('keeps the last 20', async () => {
  const { path, subject } = await registered();
  for (let turn = 1; turn <= 23; turn++) await refresh(api.ctx.core, subject, { ...carrierDown, durationMs: turn });
  const { data } = await jsonOf(await api.request(path));
  expect(data.map((row: Json) => row.duration_ms)).toEqual(Array.from({ length: 20 }, (_, index) => 23 - index));
});

it('is empty before the first refresh, accepts no parameters, and returns 404 for a missing shipment', async () => {
  const { path } = await registered();
  expect(await jsonOf(await api.request(path))).toEqual({ data: [] });
  expect(await jsonOf(await api.request(`${path}?limit=5`))).toMatchObject({ status: 400, code: 'unknown_parameter' });
  const testKey = await api.createKey({ test: true });
  const answer = await api.request(path, { headers: { authorization: `Bearer ${testKey.secret}` } });
  expect([answer.status, (await jsonOf(answer)).code]).toEqual([404, 'shipment_not_found']);
  expect((await api.request('/v1/shipments/nonsense/refreshes')).status).toBe(404);
});

async function registered(): Promise<{ path: string; subject: { accountId: string; shipmentId: string } }> {
  const answer = await api.post('/v1/shipments', {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
  });
  const { shipment_id } = await jsonOf(answer);
  return {
    path: `/v1/shipments/${shipment_id}/refreshes`,
    subject: { accountId: api.accountId, shipmentId: readShipmentId(shipment_id) ?? '' },
  };
}
