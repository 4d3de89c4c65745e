import { afterEach, describe, expect, it } from 'vitest';
import { planAirJourney } from '#infra/tools/simulator/air/air-journey.ts';
import { planRoadJourney } from '#infra/tools/simulator/road/road-journey.ts';
import { isFast, virtualNow, voyageStart } from '#infra/tools/simulator/voyages/clock.ts';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { lufthansaCargo } from '#services/worker/carriers/lufthansa-cargo/lufthansa-cargo.ts';
import { nmftaDsdc } from '#services/worker/carriers/nmfta-dsdc/nmfta-dsdc.ts';
import { oneRecord } from '#services/worker/carriers/one-record/one-record.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { StatedFacts, TrackingEvent } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { mergeFacts } from '#shared/domain/journey/stated-facts.ts';
import type { Identifiers, Journey, Status } from '#shared/domain/record/shipment.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { scaled } from '#test/support/run-scale.ts';
import { fetchOnce, freightSubject, seed, voyageS } from './simulated-carrier.ts';

const steps = 40;
const hourMs = 3_600_000;
const advance: readonly Status[] = [
  'pending',
  'booked',
  'in_transit',
  'arrived',
  'available_for_pickup',
  'out_for_delivery',
  'delivered',
];

/** The simulator's truth about a journey at a moment. */
type Truth = {
  status: Status;
  origin: string;
  destination: string;
  departedAt: string | null;
  arrivedAt: string | null;
  deliveredAt: string | null;
};

let close = async (): Promise<void> => undefined;
afterEach(() => close());

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function airTruth(
  awb: string,
  at: (journey: { durationMs: number; startFraction: number }) => { startMs: number; virtualMs: number },
): Truth {
  const journey = planAirJourney(seed, awb);
  const { startMs, virtualMs } = at(journey);
  const done = journey.milestones.flatMap(({ code, station, pieces, actual }) =>
    actual !== null && startMs + actual.publishedMs <= virtualMs
      ? [{ code, station, pieces, atMs: startMs + actual.timeMs }]
      : [],
  );
  const times = (code: string, station: string) =>
    done.filter((each) => each.code === code && each.station.iata === station).map(({ atMs }) => atMs);
  const departures = times('DEP', journey.origin.iata);
  const arrivals = times('ARR', journey.destination.iata);
  const delivered = done.reduce((sum, { code, pieces }) => (code === 'DLV' ? sum + pieces : sum), 0);
  const deliveries = delivered < journey.pieces ? [] : times('DLV', journey.destination.iata);
  const notices = times('NFD', journey.destination.iata);
  const status = deliveries.length
    ? 'delivered'
    : notices.length
      ? 'available_for_pickup'
      : arrivals.length
        ? 'arrived'
        : departures.length
          ? 'in_transit'
          : done.length
            ? 'booked'
            : 'pending';
  return {
    status,
    origin: journey.origin.iata,
    destination: journey.destination.iata,
    departedAt: departures.length ? iso(Math.min(...departures)) : null,
    arrivedAt: arrivals.length ? iso(Math.max(...arrivals)) : null,
    deliveredAt: deliveries.length ? iso(Math.max(...deliveries)) : null,
  };
}

function roadTruth(
  number: string,
  at: (journey: { durationMs: number; startFraction: number }) => { startMs: number; virtualMs: number },
): Truth {
  const journey = planRoadJourney(seed, number);
  const { startMs, virtualMs } = at(journey);
  const done = journey.milestones.filter(({ reportedMs }) => startMs + reportedMs <= virtualMs);
  const has = (type: string, city?: string) =>
    done.some((each) => each.type === type && (city === undefined || each.city.city === city));
  const timeOf = (type: string) =>
    iso(done.find((each) => each.type === type)?.atMs ?? null) &&
    iso(startMs + (done.find((each) => each.type === type)?.atMs ?? 0));
  const status = has('DELIVERED')
    ? 'delivered'
    : has('OUT_FOR_DELIVERY')
      ? 'out_for_delivery'
      : has('ARRIVED_AT_TERMINAL', journey.destination.city)
        ? 'arrived'
        : has('PICKED_UP')
          ? 'in_transit'
          : done.length > 0
            ? 'booked'
            : 'pending';
  return {
    status,
    origin: `${journey.origin.city}, ${journey.origin.state}`,
    destination: `${journey.destination.city}, ${journey.destination.state}`,
    departedAt: timeOf('PICKED_UP'),
    arrivedAt: null,
    deliveredAt: timeOf('DELIVERED'),
  };
}

function shown(mode: TransportMode, journey: Journey): Truth {
  const name = (place: Journey['origin']) => (mode === 'air' ? place?.iata : place?.name) ?? '';
  return {
    status: journey.status,
    origin: name(journey.origin),
    destination: name(journey.destination),
    departedAt: journey.departure.actual?.at ?? null,
    arrivedAt: mode === 'air' ? (journey.arrival.actual?.at ?? null) : null,
    deliveredAt: journey.delivery.actual?.at ?? null,
  };
}

const lines: {
  connector: Connector;
  mode: TransportMode;
  numbers: (index: number, digit: number) => string;
  identifiers: (number: string) => Identifiers;
}[] = [
  {
    connector: oneRecord,
    mode: 'air',
    numbers: (index, digit) => `${['157', '176', '057'][index % 3]}${1_000_003 + index * 7919}${digit}`,
    identifiers: (awb) => ({ awb }),
  },
  {
    connector: lufthansaCargo,
    mode: 'air',
    numbers: (index, digit) => `020${1_000_003 + index * 7919}${digit}`,
    identifiers: (awb) => ({ awb }),
  },
  {
    connector: nmftaDsdc,
    mode: 'road',
    numbers: (index, digit) => `${50_003 + index * 7919}${digit}`,
    identifiers: (pro) => ({ pro }),
  },
];

describe.each(lines)(
  'journeys of $connector.code under repeated refreshes',
  ({ connector, mode, numbers, identifiers }) => {
    it.each([
      { speed: 'fast', digit: 2, stepMs: (voyageS * 1000 * 1.1) / steps },
      { speed: 'real-time', digit: 7, stepMs: 6 * hourMs },
    ])('match the simulator and only ever advance, $speed ones', async ({ digit, stepMs }) => {
      const faults: string[] = [];
      for (let index = 0; index < scaled({ short: 2, full: 20 }); index += 1) {
        const number = numbers(index, digit);
        if (number.includes('404')) continue;
        const { clock, carrier, close: end } = openSimulatedCarrier(connector, { seed, voyageS });
        close = end;
        const firstSeenMs = clock.ms;
        let stored: TrackingEvent[] = [];
        let facts: StatedFacts | undefined;
        let before: Status = 'pending';
        for (let step = 0; step <= steps; step += 1) {
          const refresh = await fetchOnce(connector, carrier, freightSubject(mode, identifiers(number)));
          const fault = (text: string) => faults.push(`${number} step ${step}: ${text}`);
          if (refresh.outcome === 'found') {
            if (refresh.reading.unreadable.length > 0) fault(`rejected ${JSON.stringify(refresh.reading.unreadable)}`);
            facts = mergeFacts(facts, refresh.reading.facts, { partial: false });
            stored = mergeReading(stored, refresh.reading, clock.ms).events;
            const again = mergeReading(stored, refresh.reading, clock.ms);
            if (again.inserts.length + again.superseded.length > 0) fault('the same reading is a change');
          } else if (refresh.outcome !== 'not_found') fault(JSON.stringify(refresh));
          const journey = composeJourney({ events: stored, transportMode: mode, facts }, clock.ms);
          if (advance.indexOf(journey.status) < advance.indexOf(before))
            fault(`${journey.status} came after ${before}`);
          before = journey.status;
          const at = (played: { durationMs: number; startFraction: number }) => {
            const fast = isFast(number);
            return {
              startMs: voyageStart(played, fast, firstSeenMs),
              virtualMs: virtualNow(played, fast, firstSeenMs, voyageS, clock.ms),
            };
          };
          const truth = mode === 'air' ? airTruth(number, at) : roadTruth(number, at);
          // Before anything is planned, the destination is unknown.
          if (stored.length > 3) {
            const seen = shown(mode, journey);
            for (const key of Object.keys(truth) as (keyof Truth)[])
              if (seen[key] !== truth[key]) fault(`${key} is ${seen[key]}, not ${truth[key]}`);
          }
          clock.ms += stepMs;
        }
        if (digit === 2 && before !== 'delivered') faults.push(`${number} ended ${before}`);
        await close();
      }
      expect(faults.slice(0, 10)).toEqual([]);
    });
  },
);

it('reads the same events when HEAD reports no change, which is the usual case', async () => {
  const { clock, carrier, close: end } = openSimulatedCarrier(oneRecord, { seed, voyageS });
  close = end;
  const identifiers = { awb: '15712345677' };
  const outcomes: string[] = [];
  let last: string | null = null;
  let lastSucceededAt: string | null = null;
  for (let step = 1; step <= 60; step += 1) {
    const polling = {
      state: 'active',
      reason: null,
      consecutiveFailures: 0,
      readingHash: last,
      lastSucceededAt,
      lastChangedAt: null,
    } as const;
    const refresh = await fetchOnce(oneRecord, carrier, freightSubject('air', identifiers, { polling, epoch: step }));
    const whole = await fetchOnce(oneRecord, carrier, freightSubject('air', identifiers));
    if (whole.outcome !== 'found') throw new Error(JSON.stringify(whole));
    const reading = JSON.stringify(whole.reading.events);
    if (refresh.outcome === 'unchanged') expect(reading).toBe(last);
    outcomes.push(refresh.outcome);
    last = reading;
    lastSucceededAt = new Date(clock.ms).toISOString();
    clock.ms += hourMs;
  }
  expect(new Set(outcomes)).toEqual(new Set(['found', 'unchanged']));
  expect(outcomes.filter((outcome) => outcome === 'unchanged').length).toBeGreaterThan(20);
});
