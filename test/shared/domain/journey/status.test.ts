import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventCode, eventCodes, type TrackingEvent } from '#shared/domain/events/event.ts';
import { foldStatus, statusOf } from '#shared/domain/journey/status.ts';
import { leastAdvancedStatus, statusRanks } from '#shared/domain/journey/status-transitions.ts';
import { statuses } from '#shared/domain/record/shipment.ts';
import { runs } from '#test/support/run-scale.ts';
import { anyEvents, eventsOf, hourOf, legRoles, nowMs } from './event-sets.ts';
import { hourMs, startMs, trackingEvent } from './journey-events.ts';

const openCodes = eventCodes.filter(
  (code) => statusRanks[statusOf(code, 'unknown') ?? 'pending'] <= statusRanks.delivered,
);

describe('the fold', () => {
  it('gives one status for any order and any duplicates', () => {
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
      { numRuns: runs(10_000) },
    );
  });

  it('takes no step back on a day of which only the date of one event is known', () => {
    const dated = (code: EventCode, day: string): TrackingEvent => ({
      ...trackingEvent({ id: code, code, legRole: 'pod', hour: 0 }),
      time: { at: `${day}T12:00:00.000Z`, local: day, timezone: 'UTC', zoneSource: 'carrier', precision: 'date' },
    });
    const atHour = (code: EventCode, hour: number) => trackingEvent({ id: code, code, legRole: 'pod', hour });
    const statusAfter = (...events: TrackingEvent[]) => foldStatus(events, nowMs).status;
    expect(statusAfter(dated('discharged', '2026-04-01'), atHour('gate_out_full', 6))).toBe('out_for_delivery');
    expect(statusAfter(dated('gate_out_full', '2026-04-01'), atHour('discharged', 18))).toBe('out_for_delivery');
    expect(statusAfter(dated('gate_out_full', '2026-04-01'), atHour('discharged', 30))).toBe('arrived');
    expect(statusAfter(dated('discharged', '2026-04-02'), atHour('gate_out_full', 6))).toBe('arrived');
  });

  it('is never lowered by an older event that arrives late', () => {
    const late = fc.tuple(
      eventsOf(openCodes, [null]),
      fc.constantFrom(...openCodes),
      fc.constantFrom(...legRoles),
      fc.integer({ min: 1, max: 500 }),
    );
    fc.assert(
      fc.property(late, ([events, code, legRole, olderByHours]) => {
        const before = foldStatus(events, nowMs);
        if (before.decidedBy === null) return;
        const hour = hourOf(before.decidedBy) - olderByHours;
        const after = foldStatus([...events, trackingEvent({ id: 'late', code, legRole, hour })], nowMs);
        expect(statusRanks[after.status]).toBeGreaterThanOrEqual(statusRanks[before.status]);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('changes a late ending only to another ending: past events never reopen a closed shipment', () => {
    const late = fc.tuple(
      eventsOf(eventCodes, [null]),
      fc.constantFrom(...eventCodes),
      fc.constantFrom(...legRoles),
      fc.integer({ min: 1, max: 500 }),
    );
    fc.assert(
      fc.property(late, ([events, code, legRole, olderByHours]) => {
        const before = foldStatus(events, nowMs);
        if (before.decidedBy === null) return;
        const hour = hourOf(before.decidedBy) - olderByHours;
        const after = foldStatus([...events, trackingEvent({ id: 'late', code, legRole, hour })], nowMs);
        expect(statusRanks[after.status]).toBeGreaterThanOrEqual(
          Math.min(statusRanks[before.status], statusRanks.delivered),
        );
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('changes by live actual events only, and by none more than a day ahead', () => {
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
        expect(foldStatus(events, nowMs).status).toBe(foldStatus(counting, nowMs, { containers }).status);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('reports when a future event starts to count', () => {
    const events = [
      trackingEvent({ id: 'a', code: 'loaded', hour: 1 }),
      trackingEvent({ id: 'b', code: 'delivered', hour: 100 }),
    ];
    const fold = foldStatus(events, nowMs);
    expect(fold.status).toBe('in_transit');
    expect(fold.nextEligibleAt).toBe(new Date(startMs + 76 * hourMs).toISOString());
    expect(foldStatus(events, startMs + 76 * hourMs).status).toBe('delivered');
  });

  it('regresses when the deciding event is voided', () => {
    const loaded = trackingEvent({ id: 'a', code: 'loaded', hour: 1 });
    const delivered = trackingEvent({ id: 'b', code: 'delivered', hour: 2 });
    expect(foldStatus([loaded, delivered], nowMs).status).toBe('delivered');
    expect(foldStatus([loaded, { ...delivered, voidedAt: '2026-04-02T00:00:00.000Z' }], nowMs).status).toBe(
      'in_transit',
    );
  });
});

describe('several containers', () => {
  const one = 'AAAU1234567';
  const two = 'BBBU1234567';

  it('take the status of the least advanced active one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 6 }), (each) => {
        const active = each.filter((status) => statusRanks[status] <= statusRanks.delivered);
        const shipment = leastAdvancedStatus(each);
        if (active.length > 0)
          expect(statusRanks[shipment]).toBe(Math.min(...active.map((status) => statusRanks[status])));
        else
          expect(shipment).toBe((['failed', 'returned', 'cancelled'] as const).find((status) => each.includes(status)));
      }),
    );
  });

  it('changes with its last container, at the time of that one', () => {
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

  it('applies an event without a container to all, including containers without events', () => {
    const fold = foldStatus([trackingEvent({ id: 'a', code: 'departed', hour: 1 })], nowMs, { containers: [one, two] });
    expect(fold.containers.map((container) => container.status)).toEqual(['in_transit', 'in_transit']);
  });

  it('does not wait for one that only a future event names before that event counts', () => {
    const events = [
      trackingEvent({ id: 'a', code: 'departed', hour: 1, container: one }),
      trackingEvent({ id: 'b', code: 'gate_in_full', hour: 100, container: two }),
    ];
    const fold = foldStatus(events, nowMs);
    expect([fold.status, fold.containers.map(({ number }) => number)]).toEqual(['in_transit', [one]]);
    expect(foldStatus(events, nowMs + 100 * hourMs).status).toBe('booked');
  });

  it('does not wait for a lost one', () => {
    const events = [
      trackingEvent({ id: 'a', code: 'lost', hour: 1, container: one }),
      trackingEvent({ id: 'b', code: 'delivered', hour: 2, container: two }),
    ];
    expect(foldStatus(events, nowMs).status).toBe('delivered');
    expect(foldStatus(events.slice(0, 1), nowMs).status).toBe('failed');
  });
});
