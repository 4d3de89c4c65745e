import { afterAll, beforeAll, expect, it } from 'vitest';
import { planRailJourney } from '#infra/tools/simulator/posting/rail-journey.ts';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import { planVoyage } from '#infra/tools/simulator/voyages/voyage.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { readMap } from '#shared/core/lists/read-map.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type FaultProxy, openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { callOverHttp, detailsTool, successOf } from '#test/support/api/mcp-calls.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';

const seed = 'posting';
const voyageS = 10;
let api: TestApi;
let proxy: FaultProxy;
let pushKey: string;

beforeAll(async () => {
  api = await startTestApi();
  proxy = await openFaultProxy(api.url);
  pushKey = (await api.createKey({ scopes: ['events:write'] })).secret;
});

afterAll(async () => {
  await proxy.close();
  await api.close();
});

/** A simulator whose clock the test moves by shares of a fast journey. Its sources post through the proxy. */
function openSources(
  numbers: { rail?: string[]; trucks?: string[]; terminal?: string[] },
  startMs = Date.now() - voyageS * 1000,
) {
  let share = 0;
  const app = buildSimulator({
    seed,
    now: () => startMs + share * voyageS * 1000,
    voyageS,
    stateFile: null,
    control: true,
    deliverEveryMs: null,
    posting: {
      apiUrl: proxy.url.replace(/\/$/, ''),
      apiKey: pushKey,
      numbers: { rail: [], trucks: [], terminal: [], ...numbers },
      everyMs: null,
    },
  });
  return {
    app,
    startMs,
    /** Moves the clock and posts what is new. */
    postAt: async (at: number): Promise<Json> => {
      share = at;
      return (await app.inject({ method: 'POST', url: '/control/post' })).json();
    },
  };
}

async function register(body: object): Promise<string> {
  const answer = await api.post('/v1/shipments', body);
  expect(answer.status).toBe(201);
  return (await jsonOf(answer)).shipment_id;
}

const record = async (id: string): Promise<Json> => jsonOf(await api.request(`/v1/shipments/${id}`));
const caller = (): Caller => ({
  accountId: api.accountId,
  keyId: null,
  scopes: ['shipments:read'],
  test: false,
  requestId: 'req_test',
  idempotency: null,
});

/** The shipment's changes in the feed, over HTTP. */
async function changesOf(id: string): Promise<Json[]> {
  while ((await sequenceChanges(api.ctx.core)) !== 0);
  const { data } = await jsonOf(await api.request('/v1/events?limit=100'));
  return data.filter((change: Json) => change.data.shipment?.shipment_id === id);
}

it('runs a rail shipment from registration to delivery on posted events alone', async () => {
  const number = 'RAIL240117001';
  const id = await register({
    transport_mode: 'rail',
    carrier: 'BNSF',
    identifiers: { waybill: number },
    tracking: { mode: 'pushed' },
  });
  expect((await record(id)).tracking).toMatchObject({ mode: 'pushed', state: 'awaiting_carrier' });
  const { app, postAt } = openSources({ rail: [number] });
  await postAt(0);
  const seen: string[] = [];
  for (const share of [0.2, 0.45, 0.6, 0.8, 0.9, 1]) {
    expect(await postAt(share)).toMatchObject({ taken: expect.any(Number), dropped: 0, failures: 0 });
    seen.push((await record(id)).status);
  }
  await app.close();
  const { stops, container } = planRailJourney(seed, number);
  const shown = await record(id);
  expect(shown).toMatchObject({
    status: 'delivered',
    containers: [{ number: container }],
    current_position: null,
  });
  expect(seen[0]).toBe('in_transit');
  expect(shown.events.every(({ source }: Json) => source === 'client:demo-railway')).toBe(true);
  const happened = shown.events.filter(({ classifier }: Json) => classifier === 'actual');
  expect(happened.map(({ code }: Json) => code)).toEqual(stops.map(({ code }) => code).toReversed());
  expect(shown.eta_history.length).toBeGreaterThan(0);
  const details = await successOf(callOverHttp(api, detailsTool, { identifier: number }));
  expect(details.status).toBe('delivered');
  const statuses = (await changesOf(id)).filter(({ type }) => type === 'shipment.status_changed');
  expect(statuses.at(-1)).toMatchObject({ data: { shipment: { status: 'delivered' } } });
  expect(statuses.length).toBeGreaterThanOrEqual(3);
});

it('shows an own truck on the map where it was last seen, until it is delivered', async () => {
  const number = 'TRUCK240117002';
  const id = await register({
    transport_mode: 'road',
    carrier: 'OWN',
    identifiers: { bol: number },
    tracking: { mode: 'pushed' },
  });
  const { app, postAt } = openSources({ trucks: [number] });
  await postAt(0);
  await postAt(0.5);
  const onTheWay = await record(id);
  expect(onTheWay.current_position).toMatchObject({
    source: 'client:demo-telematics',
    vehicle: { name: expect.stringContaining('TRUCK') },
  });
  const { lat, lng } = onTheWay.current_position;
  const { places } = await readMap(api.ctx.core, caller(), 'place');
  expect(places).toContainEqual(expect.objectContaining({ count: 1, from: expect.objectContaining({ lat, lng }) }));
  const details = await successOf(callOverHttp(api, detailsTool, { identifier: number }));
  expect(details.current_position.lat).toBeCloseTo(lat, 3);
  const versions = (await record(id)).version;
  await postAt(0.6);
  const further = await record(id);
  expect(further.current_position.at > onTheWay.current_position.at).toBe(true);
  expect([further.version, further.events_count]).toEqual([versions, onTheWay.events_count]);
  await postAt(1);
  expect(await record(id)).toMatchObject({ status: 'delivered', current_position: null });
  await app.close();
});

it('loses and doubles no event when the API is unreachable in between and the sources restart', async () => {
  const number = 'RAIL240117003';
  const id = await register({
    transport_mode: 'rail',
    carrier: 'CSXT',
    identifiers: { waybill: number },
    tracking: { mode: 'pushed' },
  });
  const { app, startMs, postAt } = openSources({ rail: [number] });
  await postAt(0);
  await postAt(0.3);
  await proxy.cut();
  expect(await postAt(0.7)).toMatchObject({ posted: false, failures: 1 });
  await proxy.restore();
  await postAt(1);
  await app.close();
  const whole = await record(id);
  expect(whole.status).toBe('delivered');
  const happened = whole.events.filter(({ classifier }: Json) => classifier === 'actual');
  const stops = planRailJourney(seed, number).stops.map(({ code }) => code);
  expect(happened.map(({ code }: Json) => code)).toEqual(stops.toReversed());
  // A source that restarts posts everything again.
  const again = openSources({ rail: [number] }, startMs);
  await again.postAt(0);
  expect(await again.postAt(1)).toMatchObject({ dropped: 0, failures: 0 });
  await again.app.close();
  const { events_count: events, version } = await record(id);
  expect([events, version]).toEqual([whole.events_count, whole.version]);
});

it('waits for a shipment that is not registered yet, and begins with its registration', async () => {
  const number = 'RAIL240117004';
  const { app, postAt } = openSources({ rail: [number] });
  await postAt(0);
  await postAt(0.4);
  const id = await register({
    transport_mode: 'rail',
    carrier: 'UP',
    identifiers: { waybill: number },
    tracking: { mode: 'pushed' },
  });
  await postAt(0.55);
  const happened = (await record(id)).events.filter(({ classifier }: Json) => classifier === 'actual');
  const { stops, durationMs } = planRailJourney(seed, number);
  const played = stops.filter(({ reportedMs }) => reportedMs < 0.15 * durationMs);
  expect(happened.map(({ code }: Json) => code)).toEqual(played.map(({ code }) => code).toReversed());
  expect(played.length).toBeGreaterThan(0);
  await app.close();
});

it('refuses an impossible pushed position with the reason, and keeps the one before', async () => {
  const id = await register({
    transport_mode: 'road',
    carrier: 'OWN',
    identifiers: { bol: 'TRUCK-REFUSED-9' },
    tracking: { mode: 'pushed' },
  });
  const push = async (position: object): Promise<Json> => {
    const answer = await fetch(`${api.url}/v1/shipments/${id}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pushKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: [{ source_name: 'driver', vehicle: { name: 'T1', position } }] }),
    });
    return (await jsonOf(answer)).results[0];
  };
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  expect((await push({ lat: 52.1, lng: 4.9, at: ago(1) })).outcome).toBe('position_updated');
  for (const position of [
    { lat: 0, lng: 0, at: ago(0.5) },
    { lat: 52.2, lng: 4.9, at: ago(-2) },
    { lat: 52.2, lng: 4.9, at: '1970-01-01T00:00:00Z' },
    { lat: 91, lng: 4.9, at: ago(0.5) },
  ]) {
    const { outcome, error } = await push(position);
    expect(outcome).toBe('failed');
    expect(error.errors[0].pointer).toContain('/vehicle/position');
  }
  await push({ lat: 51, lng: 4, at: ago(3) });
  expect((await record(id)).current_position).toMatchObject({ lat: 52.1, source: 'client:driver' });
});

it('plays a terminal whose containers are held, released, available and collected, with their clocks', async () => {
  const number = 'MAEU240117001';
  const voyage = planVoyage(seed, 'MAEU', 'bl', number);
  const { app, startMs, postAt } = openSources({ terminal: [number] });
  await app.inject(`/sim/dcsa/v2/events?transportDocumentReference=${number}`);
  const id = await register({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: number } });
  const terms = { kind: 'demurrage', free_days: 1, start_event: 'discharged', first_day: 'next_day' };
  const rates = {
    counting: 'calendar',
    charged_days: 'calendar',
    rates: [{ from_day: 1, amount: 100 }],
    currency: 'USD',
  };
  const put = await fetch(`${api.url}/v1/free-time-terms`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ terms: [{ ...terms, ...rates }] }),
  });
  expect(put.status).toBe(200);
  const [box] = voyage.identifiers.containers;
  const virtualStartMs = Math.floor((startMs - voyage.durationMs) / 60_000) * 60_000;
  const discharge = voyage.milestones.filter(({ id: one }) => one.startsWith('DISC-') && one.endsWith(box)).at(-1)!;
  const gateOut = voyage.milestones.find(({ id: one }) => one === `GTOT-LADEN-${box}`)!;
  const place = discharge.subject.transportCall!.location;
  const location = {
    name: place.locationName ?? null,
    unlocode: place.UNLocationCode ?? null,
    iata: null,
    country: place.UNLocationCode?.slice(0, 2) ?? null,
    lat: Number(place.latitude),
    lng: Number(place.longitude),
    timezone: discharge.zone,
    facility: null,
  };
  const local = new Date(virtualStartMs + discharge.actualMs).toISOString().slice(0, 16);
  const discharged = { code: 'discharged', local, location, legRole: 'pod', container: box } as const;
  const subject = { accountId: api.accountId, shipmentId: decodeTypeId('shp', id) as string };
  await refresh(api.ctx.core, subject, found(discharged));
  const container = async () => (await record(id)).containers.find(({ number: one }: Json) => one === box);
  const stayMs = gateOut.actualMs - discharge.actualMs;
  const shareAt = (part: number) => (discharge.actualMs + part * stayMs) / voyage.durationMs;
  const holdsOf = ({ holds }: Json) => Object.fromEntries(holds.map(({ type, status }: Json) => [type, status]));

  await postAt(shareAt(0.15));
  const held = await container();
  expect(holdsOf(held)).toEqual({ customs: 'active', freight: 'active' });
  expect(held.availability).toMatchObject({ known: true, available: false });
  expect(held.last_free_day).toMatchObject({ source: 'terminal', terminal: expect.any(String) });
  expect((await record(id)).has_exception).toBe(true);
  await postAt(shareAt(0.62));
  expect(holdsOf(await container())).toEqual({ customs: 'released', freight: 'released' });
  await postAt(shareAt(0.8));
  const available = await container();
  expect(available.availability).toMatchObject({ known: true, available: true });
  expect(available.clocks.find(({ kind }: Json) => kind === 'demurrage').state).not.toBe('stopped');
  await postAt(shareAt(1) + 600_000 / voyage.durationMs);
  const collected = await container();
  expect(collected.milestones.full_out).not.toBe(null);
  expect(collected.clocks.find(({ kind }: Json) => kind === 'demurrage').state).toBe('stopped');
  await app.close();
});

it('plays a source of ships’ positions, between the ports of voyages that were requested', async () => {
  const { app, postAt } = openSources({});
  await app.inject('/sim/dcsa/v2/events?transportDocumentReference=MAEU240117002');
  const voyage = planVoyage(seed, 'MAEU', 'bl', 'MAEU240117002');
  const departure = voyage.milestones.find(({ id }) => id === 'DEPA-1')!;
  const arrival = voyage.milestones.find(({ id }) => id === 'ARRI-2')!;
  const imo = departure.subject.transportCall!.vessel!.vesselIMONumber;
  const ask = async () =>
    (await app.inject({ method: 'POST', url: '/sim/ais/positions', payload: { vessels: [{ imo }] } })).json();
  await postAt((departure.actualMs + arrival.actualMs) / 2 / voyage.durationMs);
  expect(await ask()).toMatchObject({ positions: [{ imo, source: 'simulator', lat: expect.any(Number) }] });
  await postAt(1);
  expect(await ask()).toEqual({ positions: [] });
  await app.close();
});
