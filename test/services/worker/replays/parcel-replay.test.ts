import { afterEach, describe, expect, it } from 'vitest';
import type { ParcelCarrier } from '#infra/tools/simulator/parcels/networks.ts';
import { type Parcel, planParcel } from '#infra/tools/simulator/parcels/parcel.ts';
import { parcelAt } from '#infra/tools/simulator/parcels/parcel-at.ts';
import type { ScanKind } from '#infra/tools/simulator/parcels/scans.ts';
import type { Variant } from '#infra/tools/simulator/parcels/variants.ts';
import { isFast, virtualNow, voyageStart } from '#infra/tools/simulator/voyages/clock.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import { type EventCode, eventCodes, type StatedRoute, type TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { ExceptionCode, Journey, Status } from '#shared/domain/record/shipment.ts';
import { canonicalReading } from '#shared/domain/refresh/reading.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from '../carriers/dcsa/fake-carrier.ts';

const seed = 'parcel-replay';
const voyageS = 50;
const steps = scaled({ short: 15, full: 30 });
const parcels = scaled({ short: 6, full: 40 });

/** The status that each scan leads to; null if it does not state where the parcel is. */
const meant: Record<ScanKind, Status | null> = {
  label: 'booked',
  pickup: 'in_transit',
  departed: 'in_transit',
  arrived: 'in_transit',
  customs: null,
  customs_hold: null,
  customs_payment: null,
  customs_released: null,
  delay: null,
  damage: null,
  address_problem: null,
  out_for_delivery: 'out_for_delivery',
  attempted: 'out_for_delivery',
  closed: 'out_for_delivery',
  refused: 'out_for_delivery',
  ready: 'available_for_pickup',
  collected: 'delivered',
  delivered: 'delivered',
  delivered_neighbour: 'delivered',
  left_at_door: 'delivered',
  return_started: 'returned',
  returned: 'returned',
};
const trouble: Record<Variant, ExceptionCode | null> = {
  smooth: null,
  attempted: 'delivery_attempt_failed',
  customs_hold: 'customs_hold',
  returned: 'delivery_attempt_failed',
  damaged: 'damaged',
  address_problem: 'address_problem',
  delayed: 'weather',
  moved_window: null,
  several_pieces: null,
  neighbour: null,
  left_at_door: null,
  locker: null,
  closed: 'delivery_attempt_failed',
  refused: 'delivery_attempt_failed',
  customs_payment: 'customs_hold',
};
const progress: readonly Status[] = [
  'pending',
  'booked',
  'in_transit',
  'arrived',
  'available_for_pickup',
  'out_for_delivery',
  'delivered',
];

let close = async (): Promise<void> => undefined;
afterEach(() => close());

function openReplay(connector: ParcelCarrier) {
  const opened = openSimulatedCarrier(connectors[connector], { seed, voyageS });
  close = opened.close;
  return opened;
}

type Step = { journey: Journey; nowMs: number };

async function replay(
  connector: ParcelCarrier,
  number: string,
  stepMs: number,
): Promise<{ steps: Step[]; firstSeenMs: number }> {
  const { clock, carrier } = openReplay(connector);
  const firstSeenMs = clock.ms;
  let stored: TrackingEvent[] = [];
  let statedRoute: StatedRoute | undefined;
  const compose = () => composeJourney({ events: stored, transportMode: 'parcel', statedRoute }, clock.ms);
  const seen: Step[] = [];
  for (let step = 0; step <= steps; step++) {
    const journey = compose();
    const one = {
      ...subject({ tracking_number: number }, connector),
      createdAt: new Date(firstSeenMs).toISOString(),
      journey,
    };
    const refresh = (await connectors[connector].fetch(carrier, [one], AbortSignal.timeout(patienceMs))).get(
      one.shipmentId,
    );
    if (refresh?.outcome !== 'found') throw new Error(`step ${step} of ${number}: ${JSON.stringify(refresh)}`);
    expect(refresh.reading.unreadable).toEqual([]);
    stored = mergeReading(stored, refresh.reading, clock.ms).events;
    expect(mergeReading(stored, refresh.reading, clock.ms)).toMatchObject({ inserts: [], superseded: [] });
    statedRoute = refresh.reading.route ?? statedRoute;
    seen.push({ journey: compose(), nowMs: clock.ms });
    clock.ms += stepMs;
  }
  await close();
  return { steps: seen, firstSeenMs };
}

/** The simulator's own state of the parcel at that moment, read without HTTP. */
function known(parcel: Parcel, firstSeenMs: number, nowMs: number) {
  const fast = isFast(parcel.number);
  const startMs = voyageStart(parcel, fast, firstSeenMs);
  const view = parcelAt(parcel, startMs, virtualNow(parcel, fast, firstSeenMs, voyageS, nowMs));
  let status: Status = 'pending';
  for (const scan of view.scans)
    status = scan.kind === 'arrived' && scan.final ? 'arrived' : (meant[scan.kind] ?? status);
  if (view.scans.some((scan) => scan.kind === 'return_started')) status = 'returned';
  return { ...view, status };
}

function faultsOf(parcel: Parcel, played: { steps: readonly Step[]; firstSeenMs: number }): string[] {
  const faults: string[] = [];
  let before: Status = 'pending';
  for (const [index, { journey, nowMs }] of played.steps.entries()) {
    const fault = (text: string) => faults.push(`step ${index} (${parcel.variant}, ${journey.status}): ${text}`);
    const truth = known(parcel, played.firstSeenMs, nowMs);
    if (journey.status !== truth.status) fault(`the simulator's parcel is ${truth.status}`);
    const goesToLocker = before === 'out_for_delivery' && journey.status === 'available_for_pickup';
    if (journey.status !== 'returned' && progress.indexOf(journey.status) < progress.indexOf(before) && !goesToLocker)
      fault(`came after ${before}`);
    before = journey.status;
    const actual = journey.events.filter((event) => event.classifier === 'actual');
    if (actual.length !== truth.scans.length) fault(`${actual.length} events of ${truth.scans.length} scans`);
    for (const event of actual) {
      const scan = truth.scans.find(({ atMs }) => atMs === Date.parse(event.time.at));
      if (scan === undefined) fault(`no scan at ${event.time.at} (${event.code}, ${event.time.zoneSource})`);
      else if (event.code === 'other' && scan.kind !== 'returned') fault(`${scan.kind} is not recognized`);
    }
    const expected = truth.expectedMs === null ? null : new Date(truth.expectedMs).toISOString();
    if (expected !== null && truth.scans.length > 0 && journey.delivery.estimated?.at !== expected)
      fault(`delivery is expected ${journey.delivery.estimated?.at}, not ${expected}`);
    const name = parcel.destination.name.toUpperCase();
    if (
      truth.scans.length > 0 &&
      truth.status !== 'returned' &&
      journey.destination?.name?.toUpperCase().startsWith(name) !== true
    )
      fault(`the destination is ${journey.destination?.name}, not ${name}`);
  }
  const last = played.steps.at(-1)?.journey;
  const wanted = trouble[parcel.variant];
  const exceptions = last?.exceptions ?? [];
  if (wanted === null && exceptions.length > 0)
    faults.push(`${exceptions[0]?.code} (${exceptions[0]?.message}) without a cause`);
  if (wanted !== null && !exceptions.some(({ code }) => code === wanted))
    faults.push(`${parcel.variant} gave no ${wanted}`);
  if (last?.status === 'delivered' && exceptions.some(({ resolvedAt }) => resolvedAt === null))
    faults.push('an exception is still open after the delivery');
  return faults;
}

const shapes: Record<ParcelCarrier, (index: number, lastDigit: number) => string> = {
  ups: (index, lastDigit) => `1Z5R8939035${String(7_000_003 + index * 7919).slice(0, 6)}${lastDigit}`,
  fedex: (index, lastDigit) => `7946${String(7_000_003 + index * 7919)}${lastDigit}`,
  dhl: (index, lastDigit) => `12${String(7_000_003 + index * 7919)}${lastDigit}`,
  usps: (index, lastDigit) => `94001118992235${String(7_000_003 + index * 7919)}${lastDigit}`,
  gls: (index, lastDigit) => `935${String(7_000_003 + index * 7919)}${lastDigit}`,
};

describe.each(['ups', 'fedex', 'dhl', 'usps'] as const)('parcels of %s, refreshed step by step', (connector) => {
  it.each([
    { speed: 'fast', lastDigit: 2, stepMs: (voyageS * 1000 * 1.1) / steps },
    { speed: 'real-time', lastDigit: 7, stepMs: 9 * 3_600_000 },
  ])('match the simulator at every step: $speed', async ({ lastDigit, stepMs }) => {
    const found: Record<string, string[]> = {};
    const variants = new Set<Variant>();
    const codes = new Set<EventCode>();
    for (let index = 0; index < parcels; index++) {
      const number = shapes[connector](index, lastDigit);
      if (number.includes('404')) continue;
      const parcel = planParcel(seed, connector, number);
      // Its events are about pieces: parcel-facts.test.ts follows it.
      if (parcel.variant === 'several_pieces') continue;
      const played = await replay(connector, number, stepMs);
      const faults = faultsOf(parcel, played);
      variants.add(parcel.variant);
      for (const event of played.steps.at(-1)?.journey.events ?? []) codes.add(event.code);
      if (faults.length > 0) found[number] = faults;
    }
    expect(found).toEqual({});
    expect(variants.size).toBeGreaterThan(3);
    expect(eventCodes.filter((code) => codes.has(code)).length).toBeGreaterThan(7);
  });
});

describe.each(['ups', 'fedex', 'dhl', 'usps', 'gls'] as const)('when %s fails', (connector) => {
  const number = shapes[connector](3, 7);
  const one = {
    ...subject({ tracking_number: number }, connector),
    createdAt: '2026-03-20T12:00:00Z',
    journey: composeJourney({ events: [], transportMode: 'parcel' }, 0),
  };

  async function fetchAfter(fault: object | null) {
    const { clock, carrier, control } = openReplay(connector);
    const refresh = () => connectors[connector].fetch(carrier, [one], AbortSignal.timeout(patienceMs));
    await refresh();
    clock.ms += 86_400_000;
    if (fault !== null) await control('faults', { reference: number, faults: [fault] });
    const result = (await refresh()).get(one.shipmentId);
    await close();
    return result;
  }

  it('ignores order and duplicates, and keeps an unknown scan beside the others', async () => {
    const plain = await fetchAfter(null);
    if (plain?.outcome !== 'found') throw new Error('not found');
    for (const kind of ['duplicates', 'shuffled']) {
      const refresh = await fetchAfter({ kind });
      if (refresh?.outcome !== 'found') throw new Error(kind);
      expect(canonicalReading(refresh.reading), kind).toBe(canonicalReading(plain.reading));
    }
    const strange = await fetchAfter({ kind: 'unknown_event_type' });
    if (strange?.outcome !== 'found') throw new Error('not found');
    const known = new Set(plain.reading.events.map(({ carrierCode }) => carrierCode));
    expect(strange.reading.events.filter(({ carrierCode }) => !known.has(carrierCode))).toHaveLength(1);
    expect(strange.reading.events).toHaveLength(plain.reading.events.length + 1);
  });

  it.each([
    [{ kind: 'too_many_requests', seconds: 20 }, 'carrier_rate_limited'],
    [{ kind: 'too_many_requests', retryAfter: 'none' }, 'carrier_rate_limited'],
    [{ kind: 'status', status: 503 }, 'carrier_unreachable'],
    [{ kind: 'html' }, 'unrecognized_response'],
    [{ kind: 'invalid_json' }, 'unrecognized_response'],
    [{ kind: 'empty_body' }, 'unrecognized_response'],
    [{ kind: 'wrapper_object' }, 'unrecognized_response'],
  ])('reports %j as %s', async (fault, reason) => {
    expect(await fetchAfter(fault)).toMatchObject({ outcome: 'error', reason });
  });

  it('renews a token that is rejected once', async () => {
    const refresh = await fetchAfter({ kind: 'status', status: 401 });
    expect(refresh).toMatchObject(connector === 'dhl' ? { reason: 'carrier_auth_failed' } : { outcome: 'found' });
  });
});
