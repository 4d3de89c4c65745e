import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventCodes, type LegRole, type TrackingEvent } from '#shared/domain/event.ts';
import { statuses } from '#shared/domain/shipment.ts';
import { foldStatus, statusOf } from '#shared/domain/status.ts';
import { leastAdvancedStatus, statusRanks, transitionRule } from '#shared/domain/status-transitions.ts';
import { hourMs, startMs, trackingEvent } from './journey-events.ts';

const roles: LegRole[] = ['origin', 'pol', 'transshipment', 'pod', 'destination', 'inland', 'unknown'];
const nowMs = startMs + 40 * hourMs;
const openCodes = eventCodes.filter((code) => statusRanks[statusOf(code, 'unknown') ?? 'pending'] <= statusRanks.delivered);

function eventsOf(codes: readonly (typeof eventCodes)[number][], containers: (string | null)[]) {
  return fc
    .array(
      fc.record({
        code: fc.constantFrom(...codes),
        legRole: fc.constantFrom(...roles),
        hour: fc.integer({ min: 0, max: 80 }),
        container: fc.constantFrom(...containers),
        classifier: fc.constantFrom('actual' as const, 'actual' as const, 'actual' as const, 'estimated' as const),
        voidedAt: fc.constantFrom(null, null, null, '2026-04-02T00:00:00.000Z'),
        supersededBy: fc.constantFrom(null, null, null, 'other'),
      }),
      { maxLength: 12 },
    )
    .map((sketches) => sketches.map((sketch, index) => trackingEvent({ ...sketch, id: `e${index}` })));
}

const anyEvents = eventsOf(eventCodes, ['AAAU1234567', 'BBBU1234567', null]);

describe('the fold', () => {
  it('gives one status for any order and any doubling', () => {
    const shuffled = anyEvents.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2, maxLength: events.length * 2 }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([events, doubled]) => {
        expect(foldStatus(doubled, nowMs)).toEqual(foldStatus(events, nowMs));
      }),
      { numRuns: 10_000 },
    );
  });

  it('is never lowered by an older event that arrives late', () => {
    const late = fc.tuple(
      eventsOf(openCodes, [null]),
      fc.constantFrom(...openCodes),
      fc.constantFrom(...roles),
      fc.integer({ min: 1, max: 500 }),
    );
    fc.assert(
      fc.property(late, ([events, code, legRole, olderByHours]) => {
        const before = foldStatus(events, nowMs);
        if (before.decidedBy === null) return;
        const hour = (Date.parse(before.decidedBy.time.at) - startMs) / hourMs - olderByHours;
        const after = foldStatus([...events, trackingEvent({ id: 'late', code, legRole, hour })], nowMs);
        expect(statusRanks[after.status]).toBeGreaterThanOrEqual(statusRanks[before.status]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes no step that the table forbids, whatever comes next', () => {
    const next = fc.tuple(
      eventsOf(eventCodes, [null]),
      fc.constantFrom(...eventCodes),
      fc.constantFrom(...roles),
      fc.integer({ min: 0, max: 3 }),
    );
    fc.assert(
      fc.property(next, ([events, code, legRole, laterByHours]) => {
        const before = foldStatus(events, nowMs + 80 * hourMs);
        const lastHour = Math.max(0, ...events.map((event) => (Date.parse(event.time.at) - startMs) / hourMs));
        const event = trackingEvent({ id: 'next', code, legRole, hour: lastHour + 1 + laterByHours });
        const after = foldStatus([...events, event], nowMs + 80 * hourMs);
        const rule = transitionRule(before.status, after.status);
        expect(['same', 'always', 'newer', 'cancellation']).toContain(rule);
        if (rule === 'cancellation') expect(code).toBe('cancelled');
      }),
      { numRuns: 5_000 },
    );
  });

  it('is moved by live actual events only, and by none later than a day from now', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const counting = events.filter(
          (event) =>
            event.classifier === 'actual' &&
            event.voidedAt === null &&
            event.supersededBy === null &&
            Date.parse(event.time.at) <= nowMs + 24 * hourMs,
        );
        const containers = foldStatus(events, nowMs).containers.map((container) => container.number);
        expect(foldStatus(events, nowMs).status).toBe(foldStatus(counting, nowMs, containers).status);
      }),
      { numRuns: 2_000 },
    );
  });

  it('says when an event from the future starts to count', () => {
    const events = [trackingEvent({ id: 'a', code: 'loaded', hour: 1 }), trackingEvent({ id: 'b', code: 'delivered', hour: 100 })];
    const fold = foldStatus(events, nowMs);
    expect(fold.status).toBe('in_transit');
    expect(fold.nextEligibleAt).toBe(new Date(startMs + 76 * hourMs).toISOString());
    expect(foldStatus(events, startMs + 76 * hourMs).status).toBe('delivered');
  });

  it('falls back when the deciding event is voided', () => {
    const loaded = trackingEvent({ id: 'a', code: 'loaded', hour: 1 });
    const delivered = trackingEvent({ id: 'b', code: 'delivered', hour: 2 });
    expect(foldStatus([loaded, delivered], nowMs).status).toBe('delivered');
    expect(foldStatus([loaded, { ...delivered, voidedAt: '2026-04-02T00:00:00.000Z' }], nowMs).status).toBe('in_transit');
  });
});

describe('the transition table', () => {
  it.each([
    ['delivered', 'cancelled', 'never'],
    ['delivered', 'returned', 'newer'],
    ['delivered', 'failed', 'void'],
    ['arrived', 'in_transit', 'newer'],
    ['in_transit', 'booked', 'void'],
    ['pending', 'cancelled', 'always'],
    ['booked', 'cancelled', 'always'],
    ['in_transit', 'cancelled', 'cancellation'],
    ['failed', 'in_transit', 'newer'],
    ['failed', 'booked', 'void'],
    ['failed', 'cancelled', 'cancellation'],
    ['returned', 'delivered', 'void'],
    ['cancelled', 'in_transit', 'void'],
    ['out_for_delivery', 'arrived', 'newer'],
    ['arrived', 'arrived', 'same'],
  ] as const)('%s → %s: %s', (from, to, rule) => {
    expect(transitionRule(from, to)).toBe(rule);
  });

  it('has a cell for every pair, and stays only on its diagonal', () => {
    for (const from of statuses) for (const to of statuses) expect(transitionRule(from, to) === 'same').toBe(from === to);
  });
});

describe('what an event means', () => {
  it.each([
    ['manifested', 'pol', 'booked'],
    ['gate_in_full', 'pol', 'booked'],
    ['loaded', 'pol', 'in_transit'],
    ['departed', 'inland', 'in_transit'],
    ['departed', 'pod', null],
    ['arrived', 'transshipment', 'in_transit'],
    ['discharged', 'transshipment', 'in_transit'],
    ['arrived', 'pol', null],
    ['arrived', 'pod', 'arrived'],
    ['arrived', 'unknown', 'arrived'],
    ['arrived', 'inland', 'in_transit'],
    ['discharged', 'pod', 'arrived'],
    ['available_for_pickup', 'pod', 'available_for_pickup'],
    ['gate_out_full', 'pod', 'out_for_delivery'],
    ['gate_in_empty', 'unknown', 'delivered'],
    ['gate_in_empty', 'pol', null],
    ['delivered', 'destination', 'delivered'],
    ['lost', 'unknown', 'failed'],
    ['cancelled', 'unknown', 'cancelled'],
    ['return_started', 'unknown', 'returned'],
    ['customs_hold', 'pod', null],
    ['delayed', 'unknown', null],
    ['other', 'unknown', null],
  ] as const)('%s at %s: %s', (code, role, status) => {
    expect(statusOf(code, role)).toBe(status);
  });
});

describe('several containers', () => {
  const one = 'AAAU1234567';
  const two = 'BBBU1234567';

  it('the least advanced active one decides', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 6 }), (each) => {
        const active = each.filter((status) => statusRanks[status] <= statusRanks.delivered);
        const shipment = leastAdvancedStatus(each);
        if (active.length > 0) expect(statusRanks[shipment]).toBe(Math.min(...active.map((status) => statusRanks[status])));
        else expect(shipment).toBe((['failed', 'returned', 'cancelled'] as const).find((status) => each.includes(status)));
      }),
    );
  });

  it('the shipment is where its last container is, since that one came there', () => {
    const events: TrackingEvent[] = [
      trackingEvent({ id: 'a', code: 'loaded', hour: 1, container: one }),
      trackingEvent({ id: 'b', code: 'loaded', hour: 5, container: two }),
      trackingEvent({ id: 'c', code: 'delivered', hour: 9, container: one }),
    ];
    const fold = foldStatus(events, nowMs);
    expect(fold.status).toBe('in_transit');
    expect(fold.decidedBy?.id).toBe('b');
    expect(fold.containers.map(({ number, status }) => [number, status])).toEqual([
      [one, 'delivered'],
      [two, 'in_transit'],
    ]);
  });

  it('an event without a container moves all, and a container without events follows it', () => {
    const fold = foldStatus([trackingEvent({ id: 'a', code: 'departed', hour: 1 })], nowMs, [one, two]);
    expect(fold.containers.map((container) => container.status)).toEqual(['in_transit', 'in_transit']);
  });

  it('a lost one does not hold back the rest', () => {
    const events = [
      trackingEvent({ id: 'a', code: 'lost', hour: 1, container: one }),
      trackingEvent({ id: 'b', code: 'delivered', hour: 2, container: two }),
    ];
    expect(foldStatus(events, nowMs).status).toBe('delivered');
    expect(foldStatus(events.slice(0, 1), nowMs).status).toBe('failed');
  });
});
