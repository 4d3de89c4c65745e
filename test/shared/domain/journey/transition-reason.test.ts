import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventCodes, type TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { foldStatus } from '#shared/domain/journey/status.ts';
import { statusRanks } from '#shared/domain/journey/status-transitions.ts';
import { type TransitionReason, transitionReason } from '#shared/domain/journey/transition-reason.ts';
import type { Journey } from '#shared/domain/record/shipment.ts';
import { runs } from '#test/support/run-scale.ts';
import { eventsOf, hourOf, laterMs, nowMs } from './event-sets.ts';
import { hourMs, startMs, trackingEvent } from './journey-events.ts';
import { publishedCell } from './transition-table.ts';

const one = 'AAAU1234567';
const two = 'BBBU1234567';
const voidedAt = '2026-04-02T00:00:00.000Z';

function compose(events: readonly TrackingEvent[], atMs = laterMs): Journey {
  return composeJourney({ events, transportMode: 'ocean' }, atMs);
}

function reasonBetween(
  before: readonly TrackingEvent[],
  after: readonly TrackingEvent[],
  times = [laterMs, laterMs],
): TransitionReason {
  const known = new Set(before.map(({ id }) => id));
  const addedIds = after.map(({ id }) => id).filter((id) => !known.has(id));
  const [was, is] = [compose(before, times[0]), compose(after, times[1])];
  expect(is.status).not.toBe(was.status);
  return transitionReason(was, is, { events: after, addedIds });
}

const loaded = trackingEvent({ id: 'a', code: 'loaded', hour: 1 });
const available = trackingEvent({ id: 'b', code: 'available_for_pickup', hour: 5, legRole: 'pod' });

describe('names why the published status changed', () => {
  it.each<[TransitionReason, string, TrackingEvent[], TrackingEvent[]]>([
    ['event', 'an event came', [], [loaded]],
    [
      'event',
      'a newer event set it back',
      [available],
      [available, trackingEvent({ id: 'c', code: 'rail_departed', hour: 9 })],
    ],
    [
      'event',
      'a delivery was reported after the cancellation',
      [trackingEvent({ id: 'c', code: 'cancelled', hour: 9 })],
      [trackingEvent({ id: 'c', code: 'cancelled', hour: 9 }), trackingEvent({ id: 'd', code: 'delivered', hour: 8 })],
    ],
    [
      'event',
      'a container fell back by its own newer event',
      [{ ...available, container: one }],
      [{ ...available, container: one }, trackingEvent({ id: 'c', code: 'rail_departed', hour: 9, container: one })],
    ],
    [
      'event',
      'the container behind the others was lost',
      [
        { ...loaded, container: one },
        { ...available, container: two },
      ],
      [
        { ...loaded, container: one },
        { ...available, container: two },
        trackingEvent({ id: 'c', code: 'lost', hour: 9, container: one }),
      ],
    ],
    ['event_voided', 'the deciding event was voided', [loaded, available], [loaded, { ...available, voidedAt }]],
    [
      'event_voided',
      'the deciding event was replaced by one that says less',
      [loaded, available],
      [loaded, { ...available, supersededBy: 'c' }, trackingEvent({ id: 'c', code: 'customs_hold', hour: 5 })],
    ],
    [
      'event_voided',
      'the loss was voided',
      [loaded, trackingEvent({ id: 'c', code: 'lost', hour: 9 })],
      [loaded, trackingEvent({ id: 'c', code: 'lost', hour: 9, voidedAt })],
    ],
    [
      'event_voided',
      'one container’s event was voided',
      [
        { ...available, container: one },
        { ...loaded, id: 'l', container: two },
        trackingEvent({ id: 'c', code: 'available_for_pickup', hour: 6, legRole: 'pod', container: two }),
      ],
      [
        { ...available, container: one },
        { ...loaded, id: 'l', container: two },
        trackingEvent({ id: 'c', code: 'available_for_pickup', hour: 6, legRole: 'pod', container: two, voidedAt }),
      ],
    ],
    [
      'container_added',
      'a container that is behind was named',
      [{ ...available, container: one }],
      [
        { ...available, container: one },
        { ...loaded, container: two },
      ],
    ],
    [
      'container_added',
      'a lost container was found',
      [{ ...available, container: one }, trackingEvent({ id: 'c', code: 'lost', hour: 2, container: two })],
      [
        { ...available, container: one },
        trackingEvent({ id: 'c', code: 'lost', hour: 2, container: two }),
        trackingEvent({ id: 'd', code: 'in_transit', hour: 9, container: two }),
      ],
    ],
    [
      'client_cancelled',
      'the client cancelled',
      [loaded],
      [loaded, trackingEvent({ id: 'c', code: 'cancelled', hour: 9, source: 'client' })],
    ],
    [
      'client_cancelled',
      'the client cancelled what was not delivered yet',
      [{ ...loaded, container: one }, trackingEvent({ id: 'd', code: 'delivered', hour: 2, container: two })],
      [
        { ...loaded, container: one },
        trackingEvent({ id: 'd', code: 'delivered', hour: 2, container: two }),
        trackingEvent({ id: 'c', code: 'cancelled', hour: 9, source: 'client' }),
      ],
    ],
    [
      'client_resumed',
      'the client resumed',
      [loaded, trackingEvent({ id: 'c', code: 'cancelled', hour: 9, source: 'client' })],
      [loaded, trackingEvent({ id: 'c', code: 'cancelled', hour: 9, source: 'client', voidedAt })],
    ],
  ])('%s: %s', (reason, _, before, after) => {
    expect(reasonBetween(before, after)).toBe(reason);
  });

  it('suspect_became_eligible: an event from the future began to count', () => {
    const events = [loaded, trackingEvent({ id: 'd', code: 'delivered', hour: 100 })];
    expect(reasonBetween(events, events, [startMs + 50 * hourMs, startMs + 76 * hourMs])).toBe(
      'suspect_became_eligible',
    );
  });

  it('event_voided: an arrival turned out to be a transshipment', () => {
    const arrived = trackingEvent({ id: 'x', code: 'discharged', hour: 5, port: 'SGSIN', container: one });
    const departed = trackingEvent({ id: 'l', code: 'loaded', hour: 1, port: 'CNSHA', container: one });
    const onward = trackingEvent({
      id: 'p',
      code: 'loaded',
      hour: 30,
      port: 'SGSIN',
      container: one,
      classifier: 'planned',
    });
    const further = trackingEvent({
      id: 'q',
      code: 'discharged',
      hour: 60,
      port: 'NLRTM',
      container: one,
      classifier: 'planned',
    });
    expect(reasonBetween([departed, arrived], [departed, arrived, onward, further])).toBe('event_voided');
  });
});

/** A step as the service takes it: some events are added, some existing ones voided or replaced. */
const steps = fc.tuple(
  eventsOf(eventCodes, [one, two, null], 8),
  eventsOf(eventCodes, [one, two, 'CCCU1234567', null], 3),
  fc.array(fc.nat(7), { maxLength: 2 }),
);

describe('the status of several containers', () => {
  it('regresses only for an added container, a voided event, or an allowed step of a container', () => {
    fc.assert(
      fc.property(steps, ([present, news, retracted]) => {
        const added = news.map((event) => ({
          ...event,
          id: `n${event.id}`,
          dedupeKey: `n${event.id}`,
          supersededBy: null,
          voidedAt: null,
        }));
        const left = present.map((event, index) => (retracted.includes(index) ? { ...event, voidedAt } : event));
        const after = [...left, ...added];
        const [was, is] = [compose(present, nowMs), compose(after, nowMs)];
        if (
          is.containers.length < 2 ||
          statusRanks[is.status] >= Math.min(statusRanks[was.status], statusRanks.delivered)
        )
          return;
        const reason = transitionReason(was, is, { events: after, addedIds: added.map(({ id }) => id) });
        if (reason === 'container_added' || reason === 'event_voided') return;
        expect(['event', 'suspect_became_eligible']).toContain(reason);
        const stepping = is.containers.filter((container) => {
          const old =
            was.containers.find(({ number }) => number === container.number) ??
            (was.containers.length === 0 ? was : null);
          return container.status === is.status && old !== null && publishedCell(old.status, is.status) === 'n';
        });
        expect(stepping.map(({ decidingEventId }) => decidingEventId?.startsWith('n'))).toContain(true);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('never regresses without a new event, a new container or a retraction', () => {
    fc.assert(
      fc.property(eventsOf(eventCodes, [one, two, null]), fc.integer({ min: 0, max: 80 }), (events, hour) => {
        const earlier = foldStatus(events, startMs + hour * hourMs);
        const later = foldStatus(events, laterMs);
        const counted = events.filter((event) => hourOf(event) <= hour + 24);
        if (counted.length === events.length) expect(later.status).toBe(earlier.status);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
