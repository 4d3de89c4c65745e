import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;
let pusher: { authorization: string };

beforeAll(async () => {
  api = await startTestApi();
  pusher = { authorization: `Bearer ${(await api.createKey({ scopes: ['events:write'] })).secret}` };
});
afterAll(() => api.close());

let counted = 0;
const nextNumber = () => `RW${String(100000 + counted++)}`;

async function registerPushed(more: object = {}): Promise<Json> {
  const answer = await api.post('/v1/shipments', {
    transport_mode: 'rail',
    carrier: 'BNSF',
    identifiers: { waybill: nextNumber() },
    tracking: { mode: 'pushed' },
    ...more,
  });
  expect(answer.status).toBe(201);
  return answer.json();
}

const push = (shipmentId: string, ...events: object[]) =>
  api.post(`/v1/shipments/${shipmentId}/events`, { events }, pusher);
const pushBatch = (events: object[], headers: Record<string, string> = {}) =>
  api.post('/v1/events/batch', { events }, { ...pusher, ...headers });
const read = async (shipmentId: string) => jsonOf(await api.request(`/v1/shipments/${shipmentId}`));
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const row = (more: object = {}) => ({
  source_name: 'acme-rail',
  code: 'rail_departed',
  time: { at: hoursAgo(5) },
  location: { unlocode: 'USCHI' },
  ...more,
});

it('registers a shipment that nobody polls, and follows it by what is pushed', async () => {
  const shipment = await registerPushed({ tracking: { mode: 'pushed', stale_after_hours: 24 } });
  expect(shipment.tracking).toMatchObject({
    mode: 'pushed',
    stale_after_hours: 24,
    state: 'awaiting_carrier',
    reason: 'awaiting_events',
    freshness: 'never',
    next_refresh_at: null,
  });
  const answer = await jsonOf(await push(shipment.shipment_id, row({ external_id: 'e1' })));
  expect(answer.results).toMatchObject([{ index: 0, outcome: 'added', shipments: [{ outcome: 'added' }] }]);
  const after = await read(shipment.shipment_id);
  expect(after.tracking).toMatchObject({
    state: 'active',
    reason: null,
    freshness: 'fresh',
    source: 'client:acme-rail',
    next_refresh_at: null,
  });
  expect(after.status).toBe('in_transit');
  expect(after.status_evidence.source).toBe('client:acme-rail');
  expect(after.events).toMatchObject([
    { code: 'rail_departed', source: 'client:acme-rail', location: { name: 'Chicago' } },
  ]);
  const refreshes = await jsonOf(await api.request(`/v1/shipments/${shipment.shipment_id}/refreshes`));
  expect(refreshes.data).toMatchObject([{ outcome: 'changed', source: 'client:acme-rail', events_added: 1 }]);
});

it('takes known rows and positions also where a shipment is full', async () => {
  const { shipment_id: id } = await registerPushed();
  const rows = Array.from({ length: 2000 }, (_, place) =>
    row({ external_id: `e${place}`, time: { at: hoursAgo(5 + place / 60) }, shipment: { id } }),
  );
  for (const part of [rows.slice(0, 1000), rows.slice(1000)])
    expect((await jsonOf(await pushBatch(part))).summary.added).toBe(1000);
  expect((await push(id, row({ external_id: 'one more' }))).status).toBe(409);
  expect((await jsonOf(await pushBatch(rows.slice(1000)))).summary.unchanged).toBe(1000);
  const position = { lat: 41.9, lng: -87.6, at: hoursAgo(1) };
  const answer = await push(id, { source_name: 'acme-rail', vehicle: { position } });
  expect((await jsonOf(answer)).summary.position_updated).toBe(1);
});

it('refuses a container or piece without letters and digits', async () => {
  const { shipment_id: id } = await registerPushed();
  const { results } = await jsonOf(await push(id, row({ container: '--' }), row({ piece: '-' }), row()));
  expect(results).toMatchObject([
    { outcome: 'failed', error: { errors: [{ pointer: '/events/0/container' }] } },
    { outcome: 'failed', error: { errors: [{ pointer: '/events/1/piece' }] } },
    { outcome: 'added' },
  ]);
  expect((await read(id)).containers).toEqual([]);
});

it('shows as of a moment what the record showed then, after estimates of estimates and a void', async () => {
  const { shipment_id: id } = await registerPushed();
  const shown: { at: string; record: Json }[] = [];
  const note = async () => shown.push({ at: new Date().toISOString(), record: await read(id) });
  let last = '';
  for (const hour of ['10', '12', '11']) {
    const estimate = row({ code: 'rail_arrived', classifier: 'estimated', time: { at: `2027-01-05T${hour}:00:00Z` } });
    const answer = await jsonOf(await push(id, estimate));
    last = answer.results[0].shipments[0].event_id;
    await note();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await api.request(`/v1/shipments/${id}/events/${last}`, { method: 'DELETE', headers: pusher });
  await note();
  for (const { at, record } of shown) {
    const then = jsonOf(await api.request(`/v1/shipments/${id}?as_of=${at}`));
    expect(await then).toMatchObject({ eta: record.eta, events: record.events, eta_history: record.eta_history });
  }
});

it('tracks on once a source takes back its cancellation, and never what the client cancelled', async () => {
  const cancelled = { code: 'cancelled', time: { at: hoursAgo(2) } };
  const [own, stated] = [(await registerPushed()).shipment_id, (await registerPushed()).shipment_id];
  await push(own, row());
  expect((await api.post(`/v1/shipments/${own}/cancel`, {})).status).toBe(200);
  for (const id of [own, stated]) {
    const answer = await jsonOf(await push(id, row(), row(cancelled)));
    const event = answer.results[1].shipments[0].event_id;
    expect((await read(id)).tracking).toMatchObject({ state: 'stopped', reason: 'booking_cancelled' });
    await api.request(`/v1/shipments/${id}/events/${event}`, { method: 'DELETE', headers: pusher });
  }
  expect((await read(own)).tracking.state).toBe('stopped');
  expect(await read(stated)).toMatchObject({ status: 'in_transit', tracking: { state: 'active', reason: null } });
});
