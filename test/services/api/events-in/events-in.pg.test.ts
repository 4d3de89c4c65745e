import { afterAll, beforeAll, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';

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

it('registers a shipment without polling, and follows it by pushed events', async () => {
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

it('reports the outcome of each row', async () => {
  const { shipment_id: id } = await registerPushed();
  const outcomes = async (...rows: object[]) =>
    (await jsonOf(await push(id, ...rows))).results.map(({ outcome }: Json) => outcome);
  const first = row({ external_id: 'e1' });
  const second = row({ external_id: 'e1', time: { at: hoursAgo(4) } });
  expect(await outcomes(first)).toEqual(['added']);
  expect(await outcomes(first)).toEqual(['unchanged']);
  expect(await outcomes(second)).toEqual(['replaced']);
  expect(await outcomes(first)).toEqual(['outdated']);
  expect(await outcomes({ ...second, description: 'Left the ramp' })).toEqual(['replaced']);
  const nothingButPosition = {
    source_name: 'acme-rail',
    vehicle: { position: { lat: 41, lng: -88, at: hoursAgo(1) } },
  };
  expect(await outcomes(nothingButPosition)).toEqual(['position_updated']);
  const notice = {
    source_name: 'acme-rail',
    time: { local: '2026-03-01T08:00' },
    location: { unlocode: 'USCHI' },
    container: 'CSQU3054383',
    holds: [{ type: 'customs', status: 'active' }],
  };
  expect(await outcomes(notice, { ...notice, holds: [{ type: 'customs', status: 'released' }] })).toEqual([
    'added',
    'added',
  ]);
  const { data } = await jsonOf(await api.request(`/v1/shipments/${id}/events?include=raw&sort=received_at`));
  expect(data[0]).toMatchObject({ raw: first });
  expect(data.at(-1)).toMatchObject({
    code: 'notice',
    source: 'client:acme-rail',
    time: { at: '2026-03-01T14:00:00.000Z' },
  });
  expect(data.map(({ flags }: Json) => flags.join())).toEqual(['superseded', 'superseded', '', '', '']);
});

const unknownShipment = 'shp_01h455vb4pex5vsknk084sn02q';

it('refuses each bad row for itself, with the position of the mistake, and accepts the others', async () => {
  const { shipment_id: id } = await registerPushed();
  const shipment = { id };
  const bad: [more: object, pointer: string, code: string][] = [
    [{ time: { at: '1970-01-01T00:00:00Z' } }, '/time/at', 'too_early'],
    [{ time: { at: '2090-01-01T00:00:00Z' } }, '/time/at', 'too_late'],
    [{ time: { at: hoursAgo(-30) } }, '/time/at', 'too_late'],
    [{ classifier: 'planned', time: { at: hoursAgo(-24 * 400) } }, '/time/at', 'too_late'],
    [{ time: { at: '2026-04-15T08:00:00' } }, '/time/at', 'invalid_format'],
    [{ time: { local: '2026-04-15T08:00' }, location: { name: 'Somewhere' } }, '/time/timezone', 'required'],
    [{ time: { local: '2026-04-15T08:00', timezone: 'Mars/Base' } }, '/time/timezone', 'unknown_value'],
    [{ time: { local: '2026-02-30T08:00', timezone: 'UTC' } }, '/time/local', 'invalid_format'],
    [{ time: undefined }, '/time', 'required'],
    [{ created_at: '2090-01-01T00:00:00Z' }, '/created_at', 'too_late'],
    [{ location: { unlocode: 'USXQZ' } }, '/location/unlocode', 'unknown_value'],
    [{ location: { iata: 'QQQ' } }, '/location/iata', 'unknown_value'],
    [{ location: { name: 'Chicago', country: 'XX' } }, '/location/country', 'unknown_value'],
    [{ location: { unlocode: 'USCHI', country: 'DE' } }, '/location/country', 'conflict'],
    [{ location: { lat: 91, lng: 0 } }, '/location/lat', 'too_big'],
    [{ location: { lat: 10 } }, '/location', 'required'],
    [{ location: {} }, '/location', 'required'],
    [{ code: 'teleported' }, '/code', 'invalid_value'],
    [{ code: undefined }, '', 'required'],
    [{ colour: 'red' }, '/colour', 'unknown_field'],
    [{ source_name: 'a b' }, '/source_name', 'invalid_format'],
    [{ description: 'NUL \u0000' }, '/description', 'invalid_text'],
    [{ description: 'x'.repeat(2000) }, '/description', 'too_long'],
    [{ description: 'x'.repeat(65_536) }, '', 'too_long'],
    [{ vehicle: { imo: '12' } }, '/vehicle/imo', 'invalid_format'],
    [{ shipment: undefined }, '/shipment', 'required'],
    [{ shipment: { id, waybill: 'RW1' } }, '/shipment', 'conflict'],
    [{ shipment: { id: unknownShipment } }, '', ''],
    [{ shipment: { container: 'CSQU0000000' } }, '/shipment', 'shipment_not_found'],
    [{ shipment: undefined, reference: 'nobody has it' }, '/shipment', 'shipment_not_found'],
  ];
  const [notRow] = (await jsonOf(await pushBatch([7 as never]))).results;
  expect(notRow.error.detail).toBe('The row must be an object.');
  const rows = bad.map(([more]) => row({ shipment, ...more }));
  const answer = await pushBatch([row({ shipment, external_id: 'good' }), ...rows]);
  expect(answer.status).toBe(200);
  const { results, summary } = await jsonOf(answer);
  expect(summary).toEqual({
    received: bad.length + 1,
    added: 1,
    unchanged: 0,
    position_updated: 0,
    failed: bad.length,
  });
  const mistakes = results.slice(1).map(({ index, error }: Json) => {
    const [first = { pointer: `/events/${index}`, code: '' }] = error.errors;
    return [first.pointer.replace(`/events/${index}`, ''), first.code];
  });
  expect(mistakes).toEqual(bad.map(([, pointer, code]) => [pointer, code]));
  for (const { error } of results.slice(1)) expect(error.detail).toMatch(/[.?]$/);
  expect((await read(id)).events_count).toBe(1);
});

it('refuses 1,001 rows and a body of more than 8 MiB as a whole', async () => {
  const rows = Array.from({ length: 1001 }, () => row({ shipment: { id: unknownShipment } }));
  const tooMany = await pushBatch(rows);
  expect(tooMany.status).toBe(400);
  expect((await jsonOf(tooMany)).detail).toContain('at most 1,000');
  const tooLarge = await api.post('/v1/events/batch', `{"events":[${' '.repeat(8 * 1024 * 1024)}]}`, pusher);
  expect(tooLarge.status).toBe(413);
  const tooManyOfOne = await push((await registerPushed()).shipment_id, ...rows.slice(0, 101).map(() => row()));
  expect(tooManyOfOne.status).toBe(400);
});

it('applies to every open shipment with a number, and finds one by reference', async () => {
  const container = 'CSQU3054391';
  const tracking = { mode: 'pushed' };
  const boxOf = (more: object) =>
    registerPushed({ identifiers: { container, waybill: nextNumber() }, tracking, ...more });
  const [rail, other] = [await boxOf({}), await boxOf({ carrier: 'UP' })];
  const truck = await registerPushed({
    transport_mode: 'road',
    carrier: 'OWN',
    identifiers: { bol: nextNumber() },
    reference: 'DRAY-1',
    references: ['DRAY-1', 'DRAY-2'],
  });
  const to = async (named: object) => {
    const { results } = await jsonOf(await pushBatch([row({ ...named, time: { at: hoursAgo(2 + counted / 100) } })]));
    counted += 1;
    return results[0].shipments.map(({ shipment_id }: Json) => shipment_id).sort();
  };
  expect(await to({ shipment: { container } })).toEqual([rail.shipment_id, other.shipment_id].sort());
  expect(await to({ shipment: { container: 'csqu 305439-1', carrier: 'Union Pacific' } })).toEqual([other.shipment_id]);
  expect(await to({ shipment: { container, waybill: rail.identifiers.waybill } })).toEqual([rail.shipment_id]);
  expect(await to({ reference: 'DRAY-1' })).toEqual([truck.shipment_id]);
  expect(await to({ reference: 'DRAY-2' })).toEqual([truck.shipment_id]);
  expect(await to({ shipment: { container, transport_mode: 'ocean' } })).toEqual([]);
  await api.request(`/v1/shipments/${other.shipment_id}`, { method: 'DELETE' });
  expect(await to({ shipment: { container } })).toEqual([rail.shipment_id]);
});

it('accepts an empty return of a delivered container, and nothing once tracking has ended', async () => {
  const container = 'CSQU3054399';
  const { shipment_id: id } = await registerPushed({ identifiers: { container } });
  const of = (code: string, hours: number) =>
    row({ shipment: { container }, container, code, time: { at: hoursAgo(hours) } });
  const outcomes = async (...rows: object[]) =>
    (await jsonOf(await pushBatch(rows))).results.map(({ outcome }: Json) => outcome);
  expect(await outcomes(of('rail_departed', 90), of('delivered', 30))).toEqual(['added', 'added']);
  expect((await read(id)).tracking.state).toBe('active');
  expect(await outcomes(of('gate_in_empty', 20))).toEqual(['added']);
  expect((await read(id)).tracking.state).toBe('completed');
  expect(await outcomes(of('gate_out_empty', 1))).toEqual(['failed']);
  // Named by its id, it still takes what is reported late.
  expect(
    (await jsonOf(await push(id, row({ code: 'rail_arrived', time: { at: hoursAgo(40) } })))).results[0].outcome,
  ).toBe('added');
  expect(await read(id)).toMatchObject({ status: 'delivered', tracking: { state: 'completed' } });
});

it('keeps the events of one account, mode and scope from the others', async () => {
  const { shipment_id: id, identifiers } = await registerPushed();
  const test = `Bearer ${(await api.createKey({ scopes: ['events:write', 'shipments:write'], test: true })).secret}`;
  const other = await startTestApi();
  try {
    const stranger = `Bearer ${(await other.createKey({ scopes: ['events:write'] })).secret}`;
    expect(
      (await other.post(`/v1/shipments/${id}/events`, { events: [row()] }, { authorization: stranger })).status,
    ).toBe(404);
  } finally {
    await other.close();
  }
  expect((await api.post(`/v1/shipments/${id}/events`, { events: [row()] }, { authorization: test })).status).toBe(404);
  const named = [row({ shipment: { waybill: identifiers.waybill } }), row({ shipment: { id } })];
  const { results } = await jsonOf(await api.post('/v1/events/batch', { events: named }, { authorization: test }));
  expect(results.map(({ error }: Json) => error.code)).toEqual(['shipment_not_found', 'shipment_not_found']);
  const refused = await api.post(`/v1/shipments/${id}/events`, { events: [row()] });
  expect(refused.status).toBe(403);
  expect((await jsonOf(refused)).detail).toContain('events:write');
  expect((await read(id)).events_count).toBe(0);
});

it('refuses an archived shipment, and refreshes on request of one that nobody polls', async () => {
  const { shipment_id: id } = await registerPushed();
  const refreshed = await api.post(`/v1/shipments/${id}/refresh`, {});
  expect(refreshed.status).toBe(409);
  expect((await jsonOf(refreshed)).detail).toContain('are pushed');
  await api.request(`/v1/shipments/${id}`, { method: 'DELETE' });
  expect((await push(id, row())).status).toBe(409);
  const { results } = await jsonOf(await pushBatch([row({ shipment: { id } })]));
  expect(results).toMatchObject([{ outcome: 'failed', shipments: [], error: { code: 'invalid_state' } }]);
});

const voidEvent = (id: string, eventId: string) =>
  api.request(`/v1/shipments/${id}/events/${eventId}`, { method: 'DELETE', headers: pusher });

it('voids the pushed events of a source, and keeps those of a carrier and the client', async () => {
  const polled = await jsonOf(
    await api.post('/v1/shipments', {
      transport_mode: 'ocean',
      carrier: 'MAEU',
      identifiers: { mbl: `MAEU${nextNumber()}` },
    }),
  );
  const id = polled.shipment_id;
  const subject = { accountId: api.accountId, shipmentId: readShipmentId(id) ?? '' };
  await refresh(api.ctx.core, subject, found({ code: 'loaded', local: '2026-03-02T08:00' }));
  const before = await read(id);
  const cancelled = row({
    source_name: 'acme-desk',
    code: 'cancelled',
    time: { at: hoursAgo(3) },
    location: undefined,
  });
  const { results } = await jsonOf(await push(id, cancelled));
  const after = await read(id);
  expect(after).toMatchObject({ status: 'cancelled', status_evidence: { source: 'client:acme-desk' } });
  // Polling goes on as it was.
  for (const name of ['mode', 'state', 'next_refresh_at', 'last_succeeded_at', 'source'])
    expect(after.tracking[name]).toEqual(before.tracking[name]);
  await api.post(`/v1/shipments/${id}/stop`, {});
  await api.post(`/v1/shipments/${id}/resume`, {});
  expect((await read(id)).status).toBe('cancelled');

  const eventId = results[0].shipments[0].event_id;
  expect((await voidEvent(id, eventId)).status).toBe(204);
  const voided = await read(id);
  expect(voided.status).toBe(before.status);
  expect((await voidEvent(id, eventId)).status).toBe(204);
  expect((await read(id)).version).toBe(voided.version);
  expect((await jsonOf(await push(id, cancelled))).results[0].outcome).toBe('voided');
  const { data: events } = await jsonOf(await api.request(`/v1/shipments/${id}/events`));
  expect(events.find(({ event_id }: Json) => event_id === eventId).flags).toEqual(['voided']);

  const ofCarrier = events.find(({ code }: Json) => code === 'loaded').event_id;
  expect((await voidEvent(id, ofCarrier)).status).toBe(409);
  expect((await voidEvent(id, 'evt_01h455vb4pex5vsknk084sn02q')).status).toBe(404);
  while (((await sequenceChanges(api.ctx.core)) ?? 0) > 0);
  const { data: changes } = await jsonOf(await api.request('/v1/events?type=shipment.status_changed&limit=500'));
  const statuses = changes
    .filter(({ data }: Json) => data.shipment.shipment_id === id)
    .map(({ data }: Json) => data.changes.status[1]);
  expect(statuses).toEqual([before.status, 'cancelled', before.status]);
});

it('returns the stored outcomes to a repeated request', async () => {
  const { shipment_id: id } = await registerPushed();
  const headers = { 'idempotency-key': 'once' };
  const events = [row({ shipment: { id } }), row({ shipment: { id: unknownShipment } })];
  const first = await pushBatch(events, headers);
  const again = await pushBatch(events, headers);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await jsonOf(again)).toEqual(await jsonOf(first));
  const alone = [row({ shipment: { id: unknownShipment } })];
  await pushBatch(alone, { 'idempotency-key': 'none found' });
  expect((await pushBatch(alone, { 'idempotency-key': 'none found' })).headers.get('idempotent-replayed')).toBe('true');
});

it('lists the source of pushed events, and shows OWN as a carrier that only its owner sees', async () => {
  const { shipment_id: id } = await registerPushed({
    transport_mode: 'road',
    carrier: 'Own fleet',
    identifiers: { bol: nextNumber() },
  });
  const ids = async (query: string) =>
    (await jsonOf(await api.request(`/v1/shipments?limit=100&${query}`))).data.map(
      ({ shipment_id }: Json) => shipment_id,
    );
  expect(await ids('tracking_mode=pushed')).toContain(id);
  expect(await ids('tracking_mode=polled')).not.toContain(id);
  const own = (await jsonOf(await api.request('/v1/carriers?q=own%20fleet'))).data.find(
    ({ code }: Json) => code === 'OWN',
  );
  expect(own).toMatchObject({ transport_modes: ['road', 'rail'], connection: 'pushed_only' });
  const refused = await api.post('/v1/shipments', {
    transport_mode: 'rail',
    carrier: 'OWN',
    identifiers: { waybill: nextNumber() },
  });
  expect(refused.status).toBe(422);
  expect((await jsonOf(refused)).detail).toContain('"mode": "pushed"');
  for (const tracking of [
    { mode: 'pushed', stale_after_hours: 721 },
    { mode: 'polled', stale_after_hours: 4 },
    { mode: 'guessed' },
  ])
    expect(
      (
        await api.post('/v1/shipments', {
          transport_mode: 'rail',
          carrier: 'OWN',
          identifiers: { waybill: 'RW9' },
          tracking,
        })
      ).status,
    ).toBe(400);
  const batch = await jsonOf(
    await api.post('/v1/shipments/batch', {
      shipments: [
        { transport_mode: 'rail', carrier: 'NS', identifiers: { waybill: nextNumber() }, tracking: { mode: 'pushed' } },
      ],
    }),
  );
  expect((await read(batch.results[0].shipment_id)).tracking).toMatchObject({ mode: 'pushed', stale_after_hours: 48 });
});

it('accepts known rows and positions also for a shipment with the maximum number of events', async () => {
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

it('resumes tracking once a source withdraws its cancellation, but never after the client’s own', async () => {
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
