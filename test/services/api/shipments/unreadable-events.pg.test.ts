import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { wireUnreadableEventList } from '#shared/contract/shipments/record-wire.ts';
import { readOperations } from '#shared/core/installation/read-operations.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { withSystem } from '#shared/store/with-account.ts';
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
const noTime: UnreadableEvent = { raw: { eventType: 'TRANSPORT', vessel: 'A' }, reason: 'eventDateTime is missing' };
const alsoNoTime: UnreadableEvent = {
  raw: { eventType: 'TRANSPORT', vessel: 'B' },
  reason: 'eventDateTime is missing',
};
const noType: UnreadableEvent = { raw: 7, reason: 'the event is not an object' };
const retracted: UnreadableEvent = { raw: { gone: 1 }, reason: 'the carrier retracted this event', retracted: true };
const stated = { count: 3, reasons: ['eventDateTime is missing', 'the event is not an object'] };

type FoundResult = FetchResult & { outcome: 'found' };

function reading(events: Parameters<typeof found>, changes: Partial<FoundResult['reading']> = {}): FoundResult {
  const result = found(...events);
  if (result.outcome !== 'found') throw new Error('not found');
  return { ...result, reading: { ...result.reading, ...changes } };
}

const sameAgain: FetchResult = {
  outcome: 'unchanged',
  httpStatus: 200,
  durationMs: 3,
  source: 'simulator:dcsa:maersk',
};

async function registered() {
  const answer = await api.post('/v1/shipments', {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
  });
  const { shipment_id } = await jsonOf(answer);
  const path = `/v1/shipments/${shipment_id}`;
  const subject = { accountId: api.accountId, shipmentId: readShipmentId(shipment_id) ?? '' };
  return {
    subject,
    record: (result: FetchResult) => refresh(api.ctx.core, subject, result),
    shipment: async (): Promise<Json> => jsonOf(await api.request(path)),
    refreshes: async (): Promise<Json[]> => (await jsonOf(await api.request(`${path}/refreshes`))).data,
    unreadable: async (): Promise<Json> => jsonOf(await api.request(`${path}/unreadable-events`)),
  };
}

describe('events that cannot be read', () => {
  it('are counted on every refresh that saw them, with the reasons, and no longer once everything is readable', async () => {
    const one = await registered();
    const some = reading([loaded], { unreadable: [noTime, alsoNoTime, noType] });
    for (const result of [some, some, sameAgain, carrierDown, sameAgain, reading([loaded, departed])])
      await one.record(result);
    const rows = await one.refreshes();
    expect(rows.map((row) => [row.outcome, row.count, row.unreadable])).toEqual([
      ['changed', 1, null],
      ['unchanged', 1, stated],
      ['error', 1, null],
      ['unchanged', 2, stated],
      ['changed', 1, stated],
    ]);
    expect((await one.shipment()).tracking).toMatchObject({ state: 'active', reason: null });
  });

  it('are listed with their original data, newest first, each once', async () => {
    const one = await registered();
    const long = { note: 'x'.repeat(20_000) };
    await one.record(reading([loaded], { unreadable: [noTime, noType] }));
    await one.record(reading([loaded], { unreadable: [noTime, noType, { raw: long, reason: 'too odd' }] }));
    const answer = await one.unreadable();
    expect(wireUnreadableEventList.parse(answer)).toEqual(answer);
    expect(answer.data.map((event: Json) => [event.reason, event.raw_truncated])).toEqual([
      ['too odd', true],
      ['the event is not an object', false],
      ['eventDateTime is missing', false],
    ]);
    expect(answer.data.map((event: Json) => event.raw)).toEqual([
      expect.stringContaining('{"note": "xxx'),
      7,
      noTime.raw,
    ]);
    expect(answer.data[0].raw).toHaveLength(16_384);
  });

  it('degrade tracking at once if nothing else was in the response, and are kept and counted', async () => {
    const one = await registered();
    await one.record(reading([loaded]));
    const before = await one.shipment();
    await one.record(reading([], { unreadable: [noTime, noType] }));
    const after = await one.shipment();
    expect(after.tracking).toMatchObject({
      state: 'degraded',
      reason: 'unrecognized_response',
      consecutive_failures: 1,
    });
    expect(after.tracking.last_succeeded_at).toBe(before.tracking.last_succeeded_at);
    expect([after.status, after.events.length]).toEqual([before.status, before.events.length]);
    const [row] = await one.refreshes();
    expect(row).toMatchObject({
      outcome: 'error',
      reason: 'unrecognized_response',
      detail: 'None of the 2 events could be read: eventDateTime is missing.',
      unreadable: { count: 2 },
    });
    expect((await one.unreadable()).data).toHaveLength(2);
    await one.record(reading([loaded]));
    expect((await one.shipment()).tracking).toMatchObject({ state: 'active', reason: null });
    expect((await one.refreshes())[0]?.unreadable).toBeNull();
  });

  it('exclude events that the carrier retracted', async () => {
    const one = await registered();
    await one.record(reading([], { unreadable: [retracted] }));
    expect((await one.shipment()).tracking.state).toBe('active');
    expect((await one.refreshes())[0]?.unreadable).toBeNull();
  });

  it('are kept up to 200 of one response, and all are counted', async () => {
    const one = await registered();
    const unreadable = Array.from(
      { length: 1500 },
      (_, raw): UnreadableEvent => ({ raw, reason: 'the event is not an object' }),
    );
    await one.record(reading([loaded], { unreadable }));
    expect((await one.refreshes())[0]?.unreadable.count).toBe(1500);
    const { rows } = await withSystem(api.ctx.core.store, (tx) =>
      tx.query<{ kept: number }>(
        'select count(*)::integer as kept from landfall.unreadable_events where shipment_id = $1',
        [one.subject.shipmentId],
      ),
    );
    expect(rows).toEqual([{ kept: 200 }]);
  });

  it('are shown to the operator by connector', async () => {
    const one = await registered();
    await one.record(reading([loaded], { unreadable: [noTime] }));
    const { connectors } = await readOperations(api.ctx.core, { countQueues: async () => [], apiLoopDelayMs: 0 });
    expect(connectors.find(({ connector }) => connector === 'maersk')?.unreadableEvents).toBeGreaterThan(0);
  });
});

describe('a part of a list', () => {
  it('is reported as such and replaces nothing that is missing from it', async () => {
    const one = await registered();
    await one.record(reading([loaded, { ...departed, local: '2026-10-02T20:00' }]));
    const partial = reading([{ ...departed, local: '2026-10-02T22:00' }], {
      partial: "the next page of the list is not at the carrier's own address",
    });
    await one.record(partial);
    await one.record(partial);
    const shipment = await one.shipment();
    expect(shipment.tracking).toMatchObject({ state: 'degraded', reason: 'partial_response', consecutive_failures: 0 });
    expect(shipment.events.map((event: Json) => event.code)).toContain('loaded');
    expect(shipment.events.filter((event: Json) => event.flags.includes('superseded'))).toEqual([]);
    const rows = await one.refreshes();
    expect(rows.slice(0, 2).map((row) => [row.outcome, row.reason, row.detail])).toEqual([
      ['unchanged', 'partial_response', "The next page of the list is not at the carrier's own address."],
      ['changed', 'partial_response', "The next page of the list is not at the carrier's own address."],
    ]);
    await one.record(reading([{ ...departed, local: '2026-10-02T22:00' }]));
    const whole = await one.shipment();
    expect(whole.tracking).toMatchObject({ state: 'active', reason: null });
  });
});
