import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireChangeList } from '#shared/contract/feed/change-wire.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { ReadEvent } from '#shared/domain/events/event.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { carrierEvent, shanghai } from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const ocean = (mbl: string) => ({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });

describe('the change feed', () => {
  it('lists a registration with the summary of the list and the changed fields', async () => {
    const start = await end();
    const record = await register('MAEU400000001');
    const { body, page } = await read(`after=${start}`);
    expect(wireChangeList.parse(body)).toEqual(body);
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^chg_[0-9a-z]{26}$/),
        position: start + 1,
        type: 'shipment.created',
        created_at: record.created_at,
        data: {
          shipment: expect.objectContaining({ shipment_id: record.shipment_id, version: 1 }),
          changes: { status: [null, 'pending'] },
        },
        traceparent: null,
      },
    ]);
    expect(page).toEqual({
      limit: 100,
      has_more: false,
      next_after: start + 1,
      oldest_position: 1,
      latest_position: start + 1,
      gap: false,
    });
    const [row] = (await jsonOf(await api.request('/v1/shipments?mbl=MAEU400000001'))).data;
    expect(body.data[0].data.shipment).toEqual(row);
  });

  it('returns changed identifiers and times in the form of the record', async () => {
    const start = await end();
    const record = await register('MAEU400000002');
    await api.post('/v1/shipments', {
      ...ocean('MAEU400000002'),
      identifiers: { mbl: 'MAEU400000002', booking: 'BK4002' },
    });
    await refresh(record.shipment_id, [
      event('loaded', 'actual', '2026-04-01T08:00'),
      { ...event('arrived', 'estimated', '2026-05-01T08:00'), location: rotterdam },
    ]);
    const { body } = await read(`after=${start}`);
    expect(wireChangeList.parse(body)).toEqual(body);
    const changes = Object.fromEntries(body.data.map((change: Json) => [change.type, change.data.changes]));
    expect(changes['shipment.updated'].identifiers).toEqual([
      expect.objectContaining({ mbl: 'MAEU400000002', booking: null, hbl: null }),
      expect.objectContaining({ mbl: 'MAEU400000002', booking: 'BK4002', hbl: null }),
    ]);
    expect(changes['shipment.event_added']).toEqual({ events_count: [0, 2] });
    const eta = {
      at: '2026-05-01T08:00:00.000Z',
      local: '2026-05-01T08:00',
      timezone: 'UTC',
      zone_source: 'assumed_utc',
      precision: 'minute',
    };
    expect(changes['shipment.eta_changed']).toEqual({ eta: [null, eta] });
    expect(changes['shipment.tracking_state_changed']).toEqual({
      tracking_state: ['queued', 'active'],
      tracking_reason: [null, null],
    });
    const versions = body.data.map((change: Json) => change.data.shipment.version);
    expect(versions).toEqual(versions.toSorted((left: number, right: number) => left - right));
    expect(body.data.at(-1).data.shipment.arrival.estimated).toEqual(eta);
  });

  it('returns every change exactly once across pages', async () => {
    const start = await end();
    for (let turn = 0; turn < 7; turn++) await register(`MAEU41000000${turn}`);
    const positions: number[] = [];
    for (let after = start, more = true; more; ) {
      const { body, page } = await read(`after=${after}&limit=3`);
      expect(body.data.length).toBeLessThanOrEqual(3);
      positions.push(...body.data.map((change: Json) => change.position));
      after = page.next_after;
      more = page.has_more;
    }
    expect(positions).toEqual(Array.from({ length: 7 }, (_, index) => start + 1 + index));
  });

  it('filters by type and by shipment', async () => {
    const start = await end();
    const record = await register('MAEU420000001');
    await register('MAEU420000002');
    await refresh(record.shipment_id, [event('loaded', 'actual', '2026-04-01T08:00')]);
    const types = async (query: string) =>
      (await read(`after=${start}&${query}`)).body.data.map((change: Json) => change.type);
    expect(await types('type=shipment.status_changed,shipment.event_added')).toEqual([
      'shipment.event_added',
      'shipment.status_changed',
    ]);
    expect(await types('type=shipment.status_changed&type=shipment.event_added')).toHaveLength(2);
    expect(await types('type=shipment.stale')).toEqual([]);
    expect(
      (await types(`shipment_id=${record.shipment_id}`)).filter((type: string) => type === 'shipment.created'),
    ).toHaveLength(1);
    expect(await types(`shipment_id=${record.shipment_id}&type=shipment.created`)).toEqual(['shipment.created']);
  });

  it('hides changes of other accounts and of the other mode', async () => {
    const record = await register('MAEU430000001');
    const { accountId } = await withSystem(api.ctx.core.store, (tx) =>
      ensureAccount(tx, `another account ${randomUUID()}`),
    );
    const stranger = await createApiKey(api.ctx.core, accountId, { name: 'stranger', test: false });
    const tester = await api.createKey({ test: true });
    for (const { secret } of [stranger, tester]) {
      for (const query of ['', `?shipment_id=${record.shipment_id}`, '?type=shipment.created']) {
        const answer = await api.request(`/v1/events${query}`, { headers: { authorization: `Bearer ${secret}` } });
        expect([answer.status, (await jsonOf(answer)).data]).toEqual([200, []]);
      }
    }
  });

  it('requires shipments:read', async () => {
    const { secret } = await api.createKey({ scopes: ['shipments:write'] });
    const answer = await api.request('/v1/events', { headers: { authorization: `Bearer ${secret}` } });
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([403, 'insufficient_scope']);
  });

  it.each([
    ['after=soon', 'validation_failed', '?after'],
    ['after=-1', 'validation_failed', '?after'],
    ['after=1.5', 'validation_failed', '?after'],
    ['after=99999999999999999999', 'validation_failed', '?after'],
    ['after=900000000000000', 'validation_failed', '?after'],
    ['after=1&after=2', 'validation_failed', '?after'],
    ['limit=0', 'validation_failed', '?limit'],
    ['limit=501', 'validation_failed', '?limit'],
    ['limit=latest', 'validation_failed', '?limit'],
    ['type=', 'validation_failed', '?type'],
    ['type=shipment.exploded', 'validation_failed', '?type/0'],
    ['shipment_id=shp_1', 'validation_failed', '?shipment_id'],
    ['afte=1', 'unknown_parameter', '?afte'],
  ])('rejects %s', async (query, code, pointer) => {
    const answer = await api.request(`/v1/events?${query}`);
    const problem = await jsonOf(answer);
    expect([answer.status, problem.code]).toEqual([400, code]);
    expect(problem.errors.map((mistake: Json) => mistake.pointer)).toContain(pointer.replace('/0', ''));
  });
});

async function read(query: string): Promise<{ body: Json; page: Json }> {
  await positionAll();
  const answer = await api.request(`/v1/events?${query}`);
  const body = await jsonOf(answer);
  expect([answer.status, body.detail]).toEqual([200, undefined]);
  return { body, page: body.page };
}

async function end(): Promise<number> {
  return (await read('after=latest')).page.next_after;
}

async function register(mbl: string): Promise<Json> {
  const answer = await api.post('/v1/shipments', ocean(mbl));
  expect(answer.status).toBe(201);
  return jsonOf(answer);
}

async function positionAll(): Promise<void> {
  while ((await sequenceChanges(api.ctx.core)) !== 0);
}

async function refresh(publicId: string, events: ReadEvent[]): Promise<void> {
  const { core } = api.ctx;
  const shipmentId = decodeTypeId('shp', publicId) ?? '';
  const { rows } = await withSystem(core.store, (tx) =>
    tx.query<{ epoch: number }>(
      `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1 returning epoch`,
      [shipmentId],
    ),
  );
  const [subject] = await beginRefreshes(core, [{ accountId: api.accountId, shipmentId, epoch: rows[0]?.epoch ?? -1 }]);
  if (subject === undefined) throw new Error('the claim is not live');
  const reading = { events, unreadable: [], source: 'simulator:dcsa:maersk' };
  await recordRefresh(core, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 5 }, null);
}

const rotterdam = {
  name: 'Rotterdam',
  unlocode: 'NLRTM',
  iata: null,
  country: 'NL',
  lat: 51.9,
  lng: 4.5,
  timezone: 'UTC',
  facility: null,
};

function event(code: ReadEvent['code'], classifier: ReadEvent['classifier'], local: string): ReadEvent {
  const location = { ...shanghai, timezone: 'UTC' };
  return { ...carrierEvent(code, local), classifier, location, vehicle: null, carrierCode: 'X', raw: {} };
}
