import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countQuiet,
  eventsOfUnit,
  foldIndex,
  nowIndex,
  timelineRows,
} from '#services/dashboard/screens/shipment/timeline/timeline-rows.ts';
import { eventOf, noDetails } from './shipment-parts.ts';

const now = Date.parse('2026-04-21T06:00:00Z');
const anyEvent = fc
  .record({
    code: fc.constantFrom('departed', 'arrived', 'loaded'),
    classifier: fc.constantFrom('planned', 'estimated', 'actual'),
    container: fc.constantFrom(null, 'A', 'B', 'C'),
    hour: fc.integer({ min: 0, max: 600 }),
    flags: fc.constantFrom<string[]>([], [], [], ['superseded'], ['voided'], ['suspect_future']),
  })
  .map(({ hour, flags, ...rest }) =>
    eventOf({
      ...rest,
      flags,
      local: new Date(Date.parse('2026-04-10T00:00Z') + hour * 3_600_000).toISOString().slice(0, 16),
    }),
  );
const anyEvents = fc.uniqueArray(anyEvent, { selector: ({ event_id }) => event_id, maxLength: 40 });

describe('timelineRows', () => {
  it('puts every event into exactly one row with `withQuiet`', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const ids = timelineRows(events, { now, withQuiet: true }).flatMap((row) =>
          row.events.map(({ event_id }) => event_id),
        );
        expect(ids.toSorted()).toEqual(events.map(({ event_id }) => event_id).toSorted());
      }),
    );
  });

  it('counts hidden events, and never hides actual ones', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const shown = timelineRows(events, { now }).flatMap((row) => row.events);
        expect(shown.length + countQuiet(events, now)).toBe(events.length);
        const happened = events.filter(({ classifier, flags }) => classifier === 'actual' && flags.length === 0);
        expect(shown).toEqual(expect.arrayContaining(happened));
      }),
    );
  });

  it('sorts rows newest first, with "Now" between future and past', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const rows = timelineRows(events, { now, withQuiet: true });
        const times = rows.map(({ event }) => Date.parse(event.time.at));
        expect(times).toEqual(times.toSorted((left, right) => right - left));
        const at = nowIndex(rows, now);
        expect(times.slice(0, at).every((time) => time > now)).toBe(true);
        expect(times.slice(at).every((time) => time <= now)).toBe(true);
      }),
    );
  });

  it('merges the same event of 40 containers on one day', () => {
    const events = Array.from({ length: 40 }, (_, index) =>
      eventOf({ code: 'loaded', container: `BOX${index}`, local: `2026-04-14T0${index % 10}:30` }),
    );
    const rows = timelineRows(events, { now });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.events).toHaveLength(40);
    expect(rows[0]?.event.time.local).toBe('2026-04-14T09:30');
  });

  it('hides plans that have happened or were replaced by an estimate', () => {
    const rows = timelineRows(
      [
        eventOf({ classifier: 'planned', local: '2026-04-13T00:00' }),
        eventOf({ local: '2026-04-14T04:30' }),
        eventOf({ code: 'arrived', classifier: 'planned', local: '2026-04-24T00:00' }),
        eventOf({ code: 'arrived', classifier: 'estimated', local: '2026-04-25T00:00' }),
      ],
      { now },
    );
    expect(rows.map(({ event, standing }) => [event.code, event.classifier, standing])).toEqual([
      ['arrived', 'estimated', 'ahead'],
      ['departed', 'actual', 'happened'],
    ]);
  });

  it('keeps unconfirmed expectations as overdue', () => {
    expect(
      timelineRows([eventOf({ code: 'arrived', classifier: 'estimated', local: '2026-04-20T00:00' })], { now })[0]
        ?.standing,
    ).toBe('overdue');
  });

  it('shows replaced and retracted events on request, marked as such', () => {
    const events = [
      eventOf({ flags: ['superseded'] }),
      eventOf({ code: 'loaded', flags: ['voided'] }),
      eventOf({ code: 'arrived', flags: ['suspect_future'] }),
    ];
    expect(timelineRows(events, { now }).map(({ standing }) => standing)).toEqual(['doubted']);
    expect(
      timelineRows(events, { now, withQuiet: true })
        .map(({ standing }) => standing)
        .toSorted(),
    ).toEqual(['doubted', 'replaced', 'retracted']);
  });
});

it('treats pieces as containers', () => {
  const pieceEvent = (piece: string, local: string) =>
    eventOf({ event_id: `${piece} ${local}`, code: 'delivered', local, details: { ...noDetails, piece } });
  const events = [pieceEvent('P1', '2026-04-14T09:30'), pieceEvent('P2', '2026-04-14T10:30'), eventOf()];
  const rows = timelineRows(events, { now });
  expect(rows.map((row) => row.events.length)).toEqual([2, 1]);
  expect(eventsOfUnit(events, 'P1').map(({ event_id }) => event_id)).toEqual([
    events[0]?.event_id,
    events[2]?.event_id,
  ]);
});

it('filters by container, and keeps events of the whole shipment', () => {
  const events = [eventOf({ container: 'A' }), eventOf({ container: 'B' }), eventOf({ container: null })];
  expect(eventsOfUnit(events, 'A').map(({ container }) => container)).toEqual(['A', null]);
  expect(eventsOfUnit(events, null)).toHaveLength(3);
});

describe('foldIndex', () => {
  const rowsOf = (ahead: number, past: number) =>
    timelineRows(
      Array.from({ length: ahead + past }, (_, index) => {
        const local = new Date(now + (ahead - index - 0.5) * 3_600_000).toISOString().slice(0, 16);
        return eventOf({ local, classifier: index < ahead ? 'planned' : 'actual', code: `code${index}` });
      }),
      { now },
    );

  it('keeps everything ahead and twelve past rows, and folds no less than three', () => {
    expect(foldIndex(rowsOf(4, 40), now)).toBe(16);
    expect(foldIndex(rowsOf(0, 15), now)).toBe(12);
    expect(foldIndex(rowsOf(0, 14), now)).toBe(14);
    expect(foldIndex(rowsOf(30, 0), now)).toBe(30);
    expect(foldIndex([], now)).toBe(0);
  });
});
