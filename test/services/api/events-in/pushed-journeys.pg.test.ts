import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { callOverHttp, detailsTool, successOf } from '#test/support/api/mcp-calls.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { scaled } from '#test/support/run-scale.ts';

let api: TestApi;
let pusher: { authorization: string };

beforeAll(async () => {
  api = await startTestApi();
  pusher = { authorization: `Bearer ${(await api.createKey({ scopes: ['events:write'] })).secret}` };
});
afterAll(() => api.close());

const startMs = Date.now() - 40 * 86_400_000;
const hour = (hours: number) => new Date(startMs + hours * 3_600_000).toISOString();
const container = 'CSQU3054383';

/** An event of a source at an hour of the journey. A source states it a little later, and again after the journey. */
const by = (source_name: string, code: string, hours: number, unlocode: string, more: object = {}) => ({
  source_name,
  external_id: `${code} ${hours}`,
  created_at: hour(hours + 0.1),
  code,
  time: { at: hour(hours) },
  location: { unlocode },
  ...more,
});
const eta = (source_name: string, hours: number, unlocode: string, made: number) => ({
  ...by(source_name, 'rail_arrived', hours, unlocode),
  external_id: `eta ${made}`,
  created_at: hour(made),
  classifier: 'estimated',
});

type Scenario = {
  registration: object;
  rows: object[];
  /** Indexes of the events that are voided at the end. */
  voided: number[];
  /** Readings of the carrier's polls, in their order. */
  polls: Parameters<typeof found>[];
};

let numbers = 0;
const number = () => String(100_000 + numbers++);
const local = (hours: number) => hour(hours).slice(0, 16);

const scenarios: Record<string, () => Scenario> = {
  'a rail shipment': () => ({
    registration: { transport_mode: 'rail', carrier: 'BNSF', identifiers: { container }, tracking: { mode: 'pushed' } },
    rows: [
      by('acme-rail', 'gate_in_full', 1, 'USLAX', { container }),
      by('acme-rail', 'rail_departed', 10, 'USLAX', { container }),
      by('acme-rail', 'rail_arrived', 90, 'USCHI', { container }),
      by('acme-rail', 'rail_arrived', 80, 'USCHI', { container, description: 'Another train' }),
      eta('acme-rail', 95, 'USCHI', 11),
      eta('acme-rail', 92, 'USCHI', 40),
      by('acme-ramp', 'available_for_pickup', 95, 'USCHI', { container, available: true }),
      by('acme-ramp', 'gate_out_full', 100, 'USCHI', { container }),
      by('acme-ramp', 'delivered', 110, 'USCHI', { container }),
      by('acme-ramp', 'gate_in_empty', 130, 'USCHI', { container }),
    ],
    voided: [3],
    polls: [],
  }),
  'a container that a ship hands over to a train and a truck': () => {
    const ship = [
      { code: 'loaded', local: local(1), location: shanghai },
      { code: 'departed', local: local(5), location: shanghai },
      { code: 'arrived', local: local(300), location: losAngeles },
      { code: 'discharged', local: local(310), location: losAngeles },
    ] as const;
    return {
      registration: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${number()}`, container } },
      rows: [
        by('acme-terminal', 'notice', 311, 'USLAX', { container, holds: [{ type: 'customs', status: 'active' }] }),
        by('acme-terminal', 'notice', 320, 'USLAX', { container, holds: [{ type: 'customs', status: 'released' }] }),
        by('acme-rail', 'rail_loaded', 330, 'USLAX', { container, transport_mode: 'rail' }),
        by('acme-rail', 'rail_departed', 335, 'USLAX', { container, transport_mode: 'rail' }),
        by('acme-rail', 'rail_arrived', 400, 'USCHI', { container, transport_mode: 'rail' }),
        by('acme-trucks', 'gate_out_full', 410, 'USCHI', { container, transport_mode: 'road' }),
        by('acme-trucks', 'delivered', 420, 'USCHI', { container, transport_mode: 'road' }),
        by('acme-trucks', 'gate_in_empty', 440, 'USCHI', { container, transport_mode: 'road' }),
        by('acme-trucks', 'delivery_attempted', 415, 'USCHI', { container }),
      ],
      voided: [8],
      polls: [[...ship.slice(0, 2)], [...ship]],
    };
  },
  'an own truck': () => ({
    registration: {
      transport_mode: 'road',
      carrier: 'OWN',
      identifiers: { bol: `B${number()}` },
      tracking: { mode: 'pushed' },
    },
    rows: [
      by('acme-trucks', 'picked_up', 1, 'DEHAM'),
      by('acme-trucks', 'in_transit', 3, 'DEHAJ', { vehicle: { name: 'Truck 7', position: { lat: 52.4, lng: 9.7 } } }),
      by('acme-trucks', 'out_for_delivery', 6, 'DEMUC'),
      by('acme-trucks', 'delivery_attempted', 7, 'DEMUC'),
      by('acme-trucks', 'delivered', 9, 'DEMUC'),
    ],
    voided: [3],
    polls: [],
  }),
};

describe.each(Object.entries(scenarios))('%s', (_, scenarioOf) => {
  it('runs from registration to delivery, the same on every surface', async () => {
    const { id, record } = await play(scenarioOf(), { order: [], doubled: [], size: 3 });
    expect(record.status).toBe('delivered');
    const isPolled = record.tracking.mode === 'polled';
    expect(record.tracking.state).toBe(isPolled ? 'active' : 'completed');

    const details = await successOf(callOverHttp(api, detailsTool, { identifier: id }));
    expect(JSON.stringify(details)).toContain('"delivered"');
    const [row] = (await jsonOf(await api.request(`/v1/shipments?limit=100`))).data.filter(
      ({ shipment_id }: Json) => shipment_id === id,
    );
    while ((await sequenceChanges(api.ctx.core)) !== 0);
    const { data: changes } = await jsonOf(await api.request(`/v1/events?shipment_id=${id}&limit=500`));
    expect(changes.at(-1).data.shipment).toEqual(row);
    const added = changes.flatMap(({ data }: Json) => data.events ?? []);
    const { data: history } = await jsonOf(await api.request(`/v1/shipments/${id}/events?limit=100`));
    // Of one recording, what is superseded at once is history and no news.
    expect(new Set(added.map(({ event_id }: Json) => event_id)).size).toBe(added.length);
    for (const { event_id } of history.filter(({ flags }: Json) => flags.length === 0))
      expect(added.map((one: Json) => one.event_id)).toContain(event_id);

    const asOf = await jsonOf(await api.request(`/v1/shipments/${id}?as_of=${new Date().toISOString()}`));
    for (const name of ['status', 'status_evidence', 'events', 'legs', 'containers', 'arrival', 'eta'])
      expect([name, asOf[name]]).toEqual([name, record[name]]);
  });

  it('ends the same for any order, doubled posts and voids', async () => {
    const scenario = scenarioOf();
    const { record } = await play(scenario, { order: [], doubled: [], size: 100 });
    const straight = essence(record);
    const way = fc.record({
      order: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
      doubled: fc.array(fc.nat(), { maxLength: 5 }),
      size: fc.integer({ min: 1, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(way, async (chosen) => {
        expect(essence((await play(scenarioOf(), chosen)).record)).toEqual(straight);
      }),
      { numRuns: scaled({ short: 4, full: 200 }) },
    );
  });
});

type Way = { order: readonly number[]; doubled: readonly number[]; size: number };
type Step = { row: object } | { poll: Parameters<typeof found> } | { voids: object };

/** Registers the shipment and plays the scenario: polls in their order, rows in any, voids after what they void. */
async function play(scenario: Scenario, { order, doubled, size }: Way): Promise<{ id: string; record: Json }> {
  const { registration, rows, voided, polls } = scenario;
  const registered = await jsonOf(await api.post('/v1/shipments', registration));
  const id = registered.shipment_id as string;
  const steps: Step[] = rows.map((row) => ({ row }));
  for (const place of doubled) steps.push({ row: rows[place % rows.length] as object });
  const keyed = steps.map((step, place) => ({ step, key: order[place % (order.length || 1)] ?? place }));
  const shuffled = (order.length === 0 ? keyed : keyed.sort((left, right) => left.key - right.key)).map(
    ({ step }) => step,
  );
  for (const [place, poll] of polls.entries())
    shuffled.splice(Math.floor((shuffled.length * (place + 1)) / (polls.length + 1)), 0, { poll });
  for (const place of voided) {
    const row = rows[place] as object;
    const first = shuffled.findIndex((step) => 'row' in step && step.row === row);
    shuffled.splice(first + 1 + ((order[place] ?? 0) % (shuffled.length - first)), 0, { voids: row });
  }
  let waiting: object[] = [];
  const idOf = new Map<object, string>();
  const send = async () => {
    if (waiting.length === 0) return;
    const answer = await api.post(`/v1/shipments/${id}/events`, { events: waiting }, pusher);
    const { results } = await jsonOf(answer);
    for (const [place, { outcome, shipments }] of results.entries()) {
      expect(outcome).not.toBe('failed');
      idOf.set(waiting[place] as object, shipments[0].event_id);
    }
    waiting = [];
  };
  for (const step of shuffled) {
    if ('row' in step) waiting.push(step.row);
    if (waiting.length >= size || !('row' in step)) await send();
    if ('poll' in step) {
      const subject = { accountId: api.accountId, shipmentId: readShipmentId(id) ?? '' };
      await refresh(api.ctx.core, subject, found(...step.poll));
    }
    if ('voids' in step) {
      const answer = await api.request(`/v1/shipments/${id}/events/${idOf.get(step.voids)}`, {
        method: 'DELETE',
        headers: pusher,
      });
      expect(answer.status).toBe(204);
    }
  }
  await send();
  const record = await jsonOf(await api.request(`/v1/shipments/${id}`));
  // Frees its container for the next run.
  if (order.length > 0 || size === 100) await api.request(`/v1/shipments/${id}`, { method: 'DELETE' });
  return { id, record };
}

/**
 * Returns a record without receipt times and ids, and without the delay against the first estimate received: those
 * depend on the order.
 */
function essence(record: Json): Json {
  const apart = new Set([
    'shipment_id',
    'event_id',
    'received_at',
    'identifiers',
    'tracking',
    'version',
    'created_at',
    'updated_at',
    'last_changed_at',
    'superseded_by',
    'fulfilled_by',
    'eta_history',
    'original_estimated',
    'promised',
    'delay_hours',
    'delay_basis',
    'start_event_id',
  ]);
  const plain = JSON.parse(JSON.stringify(record, (name, value) => (apart.has(name) ? undefined : value)));
  const live = plain.events.filter(({ flags }: Json) => flags.length === 0);
  // When a poll saw the end decides about polled tracking.
  const state = record.tracking.mode === 'pushed' ? record.tracking.state : null;
  return { ...plain, events: live, events_count: undefined, state };
}

const shanghai = {
  name: 'Shanghai',
  unlocode: 'CNSHA',
  iata: null,
  country: 'CN',
  lat: 31.23,
  lng: 121.47,
  timezone: 'Asia/Shanghai',
  facility: null,
};
const losAngeles = {
  name: 'Los Angeles',
  unlocode: 'USLAX',
  iata: null,
  country: 'US',
  lat: 33.73,
  lng: -118.26,
  timezone: 'America/Los_Angeles',
  facility: null,
};
