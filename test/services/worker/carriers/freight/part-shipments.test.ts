import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type AirJourney, planAirJourney } from '#infra/tools/simulator/air/air-journey.ts';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { lufthansaCargo } from '#services/worker/carriers/lufthansa-cargo/lufthansa-cargo.ts';
import { nmftaDsdc } from '#services/worker/carriers/nmfta-dsdc/nmfta-dsdc.ts';
import { oneRecord } from '#services/worker/carriers/one-record/one-record.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { StatedFacts, TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { mergeFacts } from '#shared/domain/journey/stated-facts.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { runs } from '#test/support/run-scale.ts';
import { fetchOnce, freightSubject, seed, voyageS } from './simulated-carrier.ts';

const ended = 1.05;

let close = async (): Promise<void> => undefined;
afterEach(() => close());

/** A fast number of this prefix whose journey has this. */
function findNumber(prefix: string, has: (journey: AirJourney) => boolean): string {
  for (let serial = 1_000_000; serial < 1_010_000; serial += 1) {
    const number = `${prefix}${serial}2`;
    if (!number.includes('404') && has(planAirJourney(seed, number))) return number;
  }
  throw new Error('no journey of this seed has it');
}

type Played = { events: TrackingEvent[]; facts: StatedFacts | undefined; nowMs: number };

/** Refreshes a fast journey at these shares of its duration. `see` gets what is stored after each refresh. */
async function play(connector: Connector, number: string, shares: readonly number[], see = (_: Played) => {}) {
  const { clock, carrier, close: end } = openSimulatedCarrier(connector, { seed, voyageS });
  close = end;
  const isRoad = connector.code === 'nmfta-dsdc';
  const subject = freightSubject(isRoad ? 'road' : 'air', isRoad ? { pro: number } : { awb: number });
  const played: Played = { events: [], facts: undefined, nowMs: clock.ms };
  const firstSeenMs = clock.ms;
  await fetchOnce(connector, carrier, subject);
  for (const share of shares) {
    clock.ms = firstSeenMs + share * voyageS * 1000;
    const refresh = await fetchOnce(connector, carrier, subject);
    if (refresh.outcome !== 'found') throw new Error(JSON.stringify(refresh));
    expect(refresh.reading.unreadable).toEqual([]);
    played.facts = mergeFacts(played.facts, refresh.reading.facts, { partial: false });
    played.events = mergeReading(played.events, refresh.reading, clock.ms).events;
    played.nowMs = clock.ms;
    see(played);
  }
  return played;
}

/** Shares of the duration just after the milestones with this code are published. */
function sharesAfter({ milestones, durationMs }: AirJourney, code: string): number[] {
  return milestones.flatMap(({ code: own, actual }) =>
    own === code && actual ? [actual.publishedMs / durationMs + 0.0005] : [],
  );
}

const journeyOf = ({ events, facts, nowMs }: Played) => composeJourney({ events, transportMode: 'air', facts }, nowMs);

function piecesDelivered(events: readonly TrackingEvent[]): number {
  const counts = events.map(({ code, classifier, details }) =>
    code === 'delivered' && classifier === 'actual' ? (details?.piecesCount ?? 0) : 0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

describe.each([
  { connector: lufthansaCargo, prefix: '020' },
  { connector: oneRecord, prefix: '157' },
])('$connector.code', ({ connector, prefix }) => {
  it('delivers a shipment that is collected in two parts with the second, in any order of its events', async () => {
    const number = findNumber(
      prefix,
      ({ milestones, pieces }) => milestones.filter(({ code }) => code === 'DLV').length === 2 && pieces > 2,
    );
    const journey = planAirJourney(seed, number);
    const { pieces, pieceKg } = journey;
    const seen: [number, boolean][] = [];
    const played = await play(connector, number, [0.8, ...sharesAfter(journey, 'DLV'), ended], (now) =>
      seen.push([piecesDelivered(now.events), journeyOf(now).status === 'delivered']),
    );
    expect(seen).toEqual([
      [0, false],
      [Math.ceil(pieces / 2), false],
      [pieces, true],
      [pieces, true],
    ]);
    expect(journeyOf(played)).toMatchObject({
      status: 'delivered',
      piecesCount: pieces,
      weightKg: Math.round(pieces * pieceKg * 10) / 10,
    });
    fc.assert(
      fc.property(fc.shuffledSubarray([...played.events, ...played.events]), (events) => {
        const known = new Set(events.map(({ id }) => id));
        const delivered = piecesDelivered(played.events.filter(({ id }) => known.has(id)));
        expect(journeyOf({ ...played, events }).status === 'delivered').toBe(delivered === pieces);
      }),
      { numRuns: runs(100) },
    );
  });

  it('shows the two flights of a split shipment, each with its pieces and weight', async () => {
    const number = findNumber(prefix, ({ isSplit }) => isSplit);
    const { pieces, pieceKg } = planAirJourney(seed, number);
    const { events } = await play(connector, number, [ended]);
    const parts = events.filter(
      ({ code, details }) => code === 'received_from_flight' && (details?.piecesCount ?? pieces) < pieces,
    );
    expect(new Set(parts.map(({ vehicle }) => vehicle?.flight)).size).toBe(2);
    expect(parts.map(({ details }) => details?.piecesCount).sort()).toEqual(
      [Math.ceil(pieces / 2), Math.floor(pieces / 2)].sort(),
    );
    for (const { details } of parts)
      expect(details?.weightKg).toBe(Math.round((details?.piecesCount ?? 0) * pieceKg * 10) / 10);
  });

  it('shows that cargo was offloaded until a later flight takes it', async () => {
    const number = findNumber(prefix, ({ milestones }) => milestones.some(({ code }) => code === 'DIS_OFLD'));
    const journey = planAirJourney(seed, number);
    const [departed = 0] = sharesAfter(journey, 'DEP');
    const seen: unknown[] = [];
    await play(connector, number, [...sharesAfter(journey, 'DIS_OFLD'), departed], (now) => {
      const { status, statusDetail, hasException } = journeyOf(now);
      seen.push([status, statusDetail, hasException]);
    });
    expect(seen).toEqual([
      ['booked', 'offloaded', true],
      ['in_transit', null, false],
    ]);
  });
});

it('reads pieces, weight, appointment and proof of a road shipment', async () => {
  const windows = new Set<string>();
  let facts: StatedFacts | undefined;
  for (const number of ['710000012', '710000022', '710000032', '710000042']) {
    const played = await play(nmftaDsdc, number, [ended]);
    const { delivery, status } = journeyOf(played);
    expect(status).toBe('delivered');
    facts = played.facts;
    expect(facts).toMatchObject({
      piecesCount: expect.any(Number),
      weightKg: expect.any(Number),
      proof: [{ kind: 'document', handle: expect.stringContaining(`/sim/nmfta-dsdc/v1/documents/${number}`) }],
    });
    expect(delivery.proof).toMatchObject([{ id: 'document', kind: 'document', available: true }]);
    const { from, to } = delivery.window ?? {};
    if (from && to && delivery.actual) {
      windows.add(number);
      expect(delivery.actual.at >= from.at && delivery.actual.at <= to.at).toBe(true);
    }
    await close();
  }
  expect(windows.size).toBeGreaterThan(0);
});
