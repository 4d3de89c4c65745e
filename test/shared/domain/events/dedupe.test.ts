import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dedupeText, revisionText } from '#shared/domain/events/dedupe.ts';
import type { ReadEvent, TrackingEvent } from '#shared/domain/events/event.ts';
import { planRevisions } from '#shared/domain/refresh/revisions.ts';
import { runs } from '#test/support/run-scale.ts';
import { readEvent } from '../journey/journey-events.ts';

const settings = { connectorFamily: 'dcsa' };
const vehicle = { name: null, imo: null, voyage: '012W', flight: null };

/** Applies a plan as the store does: adds rows, and marks the replaced ones. */
function record(existing: readonly TrackingEvent[], incoming: readonly ReadEvent[], complete = true): TrackingEvent[] {
  const plan = planRevisions(existing, incoming, { ...settings, complete });
  const rows = existing.map((row) => ({ ...row }));
  const idOf = new Map(plan.inserts.map((insert, index) => [insert.dedupeText, `r${existing.length + index}`]));
  const resolve = (by: { id: string } | { dedupeText: string }) =>
    'id' in by ? by.id : (idOf.get(by.dedupeText) ?? 'missing');
  for (const { id, by } of plan.superseded) {
    const row = rows.find((each) => each.id === id);
    if (row !== undefined) row.supersededBy = resolve(by);
  }
  for (const { event, dedupeText: dedupeKey, supersededBy } of plan.inserts) {
    const { raw: _raw, ...body } = event;
    rows.push({
      ...body,
      id: idOf.get(dedupeKey) ?? 'missing',
      dedupeKey,
      receivedAt: '2026-04-01T00:00:00.000Z',
      voidedAt: null,
      supersededBy: supersededBy === null ? null : resolve(supersededBy),
    });
  }
  return rows;
}

function liveTimes(rows: readonly TrackingEvent[]): string[] {
  return rows
    .filter((row) => row.supersededBy === null)
    .map((row) => row.time.local.slice(8, 13))
    .sort();
}

const estimate = (hour: number, sourceCreatedAt: string | null = null) =>
  readEvent({ code: 'arrived', classifier: 'estimated', hour, port: 'NLRTM', vehicle, sourceCreatedAt });
const arrival = (hour: number) => readEvent({ code: 'arrived', hour, port: 'NLRTM', vehicle });

describe('the dedupe text', () => {
  it('ignores fields that are enriched later and distinguishes other events', () => {
    const event = arrival(8);
    const enriched = {
      ...event,
      vehicle: { ...vehicle, name: 'EVER GIVEN', imo: '9811000' },
      description: 'Vessel arrived',
    };
    expect(dedupeText(enriched, 'dcsa')).toBe(dedupeText(event, 'dcsa'));
    expect(dedupeText(arrival(9), 'dcsa')).not.toBe(dedupeText(event, 'dcsa'));
    expect(revisionText(arrival(9), 'dcsa')).toBe(revisionText(event, 'dcsa'));
    expect(dedupeText({ ...event, container: 'AAAU1234567' }, 'dcsa')).not.toBe(dedupeText(event, 'dcsa'));
    expect(dedupeText(event, 'maersk')).not.toBe(dedupeText(event, 'dcsa'));
  });

  it('distinguishes seconds, codes and words, and cannot be forged by a separator in a name', () => {
    const event = arrival(8);
    const others: Partial<ReadEvent>[] = [
      { time: { ...event.time, zoneSource: 'location', local: `${event.time.local}:31` } },
      { time: { ...event.time, zoneSource: 'carrier', at: event.time.at.replace('00.000Z', '31.000Z') } },
      { carrierCode: 'AR' },
      { carrierDescription: 'At the pier' },
      { delayReason: 'WEA' },
      { empty: true },
    ];
    const texts = [event, ...others.map((other) => ({ ...event, ...other }))].map((each) => dedupeText(each, 'dcsa'));
    expect(new Set(texts).size).toBe(texts.length);
    expect(dedupeText({ ...event, container: 'A|B' }, 'dcsa').split('|')).toHaveLength(
      dedupeText(event, 'dcsa').split('|').length,
    );
  });

  it('names pieces, counts and windows if there are any, and is unchanged without them', () => {
    const event = arrival(8);
    const text = dedupeText(event, 'dcsa');
    expect(text).toBe(`dcsa|arrived|actual||NLRTM|012W|${event.time.at}||||`);
    expect(dedupeText({ ...event, details: { statusDetail: 'weather', weightKg: 2, uld: 'AKE1LH' } }, 'dcsa')).toBe(
      text,
    );
    const window = { from: null, to: event.time };
    const others = [{ piece: 'A' }, { piece: 'B' }, { piecesCount: 2 }, { piecesCount: 3 }, { window }].map((details) =>
      dedupeText({ ...event, details }, 'dcsa'),
    );
    expect(new Set([text, ...others]).size).toBe(others.length + 1);
    const abouts = [{ piece: 'A' }, { piecesCount: 2 }, { window }].map(
      (details) => revisionText({ ...event, details }, 'dcsa') === revisionText(event, 'dcsa'),
    );
    expect(abouts).toEqual([false, true, true]);
    expect(dedupeText({ ...event, details: { piece: 'a 1' } }, 'dcsa')).toBe(
      dedupeText({ ...event, details: { piece: 'A1' } }, 'dcsa'),
    );
  });
});

describe('revisions', () => {
  it.each([
    ['actual', arrival(8)],
    ['estimated', estimate(8)],
  ])('replaces an %s time whose local time is read in a corrected zone, once', (_, stated) => {
    const before: ReadEvent = { ...stated, time: { ...stated.time, zoneSource: 'location' } };
    const at = new Date(Date.parse(before.time.at) + 2 * 3_600_000).toISOString();
    const after: ReadEvent = { ...before, time: { ...before.time, at, timezone: 'America/Los_Angeles' } };
    for (const complete of [true, false]) {
      const rows = record(record([], [before]), [after], complete);
      expect(rows.map(({ time, supersededBy }) => [time.at, supersededBy])).toEqual([
        [before.time.at, 'r1'],
        [at, null],
      ]);
      expect(planRevisions(rows, [after], { ...settings, complete })).toEqual({ inserts: [], superseded: [] });
    }
  });

  it('replaces the old estimate with a new one and makes a returning time current again', () => {
    let rows = record([], [estimate(8)]);
    rows = record(rows, [estimate(9)]);
    expect(liveTimes(rows)).toEqual(['01T09']);
    rows = record(rows, [estimate(8)]);
    expect(liveTimes(rows)).toEqual(['01T08']);
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((row) => row.dedupeKey)).size).toBe(3);
    expect(record(rows, [estimate(8)])).toEqual(rows);
  });

  it('adds an estimate that the carrier created earlier to the history only', () => {
    const rows = record(record([], [estimate(9, '2026-03-02T00:00:00Z')]), [estimate(8, '2026-03-01T00:00:00Z')]);
    expect(rows).toHaveLength(2);
    expect(liveTimes(rows)).toEqual(['01T09']);
  });

  it('makes the last created of several estimates in one refresh current', () => {
    expect(liveTimes(record([], [estimate(9, '2026-03-01T00:00:00Z'), estimate(8, '2026-03-02T00:00:00Z')]))).toEqual([
      '01T08',
    ]);
  });

  it('replaces an actual time that moved, and retracts nothing for absence alone', () => {
    const rows = record([], [arrival(8)]);
    expect(liveTimes(record(rows, [arrival(9)]))).toEqual(['01T09']);
    expect(liveTimes(record(rows, []))).toEqual(['01T08']);
    expect(liveTimes(record(rows, [arrival(8), arrival(9)]))).toEqual(['01T08', '01T09']);
    expect(liveTimes(record(rows, [arrival(9)], false))).toEqual(['01T08', '01T09']);
  });

  it('keeps two scans of one minute apart, and counts a repeated one once', () => {
    const scan = (carrierCode: string, second: number): ReadEvent => {
      const event = readEvent({ code: 'in_transit', hour: 10, port: 'USMEM' });
      const at = event.time.at.replace('00.000Z', `${second}.000Z`);
      return { ...event, carrierCode, time: { ...event.time, at, local: at.slice(0, 19) } };
    };
    const said = [scan('AR', 10), scan('IT', 40), scan('AR', 10), scan('XX', 10)];
    const rows = record([], said);
    expect(rows.map(({ carrierCode }) => carrierCode).sort()).toEqual(['AR', 'IT', 'XX']);
    expect(record(rows, said)).toEqual(rows);
  });

  it('replaces an event that the same words now put at another place or time of day', () => {
    const before = { ...readEvent({ code: 'discharged', hour: 9, port: 'NLRTM' }), carrierCode: 'DISC' };
    const rows = record([], [before]);
    const moved = { ...before, location: readEvent({ code: 'discharged', hour: 9, port: 'BEANR' }).location };
    expect(record(rows, [moved]).map(({ supersededBy }) => supersededBy)).toEqual(['r1', null]);
    expect(record(rows, [moved], false).map(({ supersededBy }) => supersededBy)).toEqual([null, null]);
    const local: ReadEvent = { ...before, time: { ...before.time, zoneSource: 'location' } };
    const zoned = { ...local, time: { ...local.time, at: '2026-04-01T16:00:00.000Z' } };
    const again = record(record([], [local]), [zoned]);
    expect(again.map(({ supersededBy }) => supersededBy)).toEqual(['r1', null]);
    expect(record(again, [zoned])).toEqual(again);
  });

  it('does not bring back a voided event that is reported again', () => {
    const voided = record([], [arrival(8)]).map((row) => ({ ...row, voidedAt: '2026-04-03T00:00:00.000Z' }));
    expect(record(voided, [arrival(8)])).toEqual(voided);
  });

  const anyEvent = fc
    .record({
      code: fc.constantFrom('arrived' as const, 'departed' as const),
      classifier: fc.constantFrom('planned' as const, 'estimated' as const, 'actual' as const),
      hour: fc.integer({ min: 0, max: 5 }),
      port: fc.constantFrom('NLRTM', 'CNSHA'),
      container: fc.constantFrom('AAAU1234567', null),
      sourceCreatedAt: fc.constantFrom(null, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'),
      said: fc.record({
        carrierCode: fc.constantFrom(null, 'AR', 'IT'),
        carrierDescription: fc.constantFrom(null, 'On the way'),
      }),
    })
    .map(({ said, ...event }) => ({ ...readEvent(event), ...said }));
  const refreshes = fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 4 });

  it('adds and replaces nothing for the same refresh, duplicated or shuffled', () => {
    fc.assert(
      fc.property(
        refreshes,
        fc.array(anyEvent, { maxLength: 6 }),
        fc.integer({ min: 0, max: 11 }),
        (before, refresh, turn) => {
          const rows = record(
            before.reduce<TrackingEvent[]>((all, each) => record(all, each), []),
            refresh,
          );
          const doubled = [
            ...refresh.slice(turn % (refresh.length + 1)),
            ...refresh,
            ...refresh.slice(0, turn % (refresh.length + 1)),
          ].reverse();
          expect(planRevisions(rows, doubled, settings)).toEqual({ inserts: [], superseded: [] });
        },
      ),
      { numRuns: runs(3_000) },
    );
  });

  it('keeps keys unique, one current row per expected time, and every successor existing', () => {
    fc.assert(
      fc.property(refreshes, (all) => {
        const rows = all.reduce<TrackingEvent[]>((before, each) => record(before, each), []);
        expect(new Set(rows.map((row) => row.dedupeKey)).size).toBe(rows.length);
        const expected = rows.filter((row) => row.classifier !== 'actual' && row.supersededBy === null);
        expect(new Set(expected.map((row) => revisionText(row, 'dcsa'))).size).toBe(expected.length);
        const ids = new Set(rows.map((row) => row.id));
        for (const row of rows)
          expect(row.supersededBy === null || (ids.has(row.supersededBy) && row.supersededBy !== row.id)).toBe(true);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('keeps every actual time of the last refresh', () => {
    fc.assert(
      fc.property(refreshes, fc.array(anyEvent, { maxLength: 6 }), (before, refresh) => {
        const rows = record(
          before.reduce<TrackingEvent[]>((all, each) => record(all, each), []),
          refresh,
        );
        const live = new Set(rows.filter((row) => row.supersededBy === null).map((row) => dedupeText(row, 'dcsa')));
        for (const event of refresh)
          if (event.classifier === 'actual') expect(live).toContain(dedupeText(event, 'dcsa'));
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('stable event ids of a carrier', () => {
  const at = (port: string, changes: Partial<ReadEvent> = {}): ReadEvent => {
    return { ...readEvent({ code: 'discharged', hour: 9, port }), vehicle, sourceEventId: 'id-1', ...changes };
  };
  const revise = (rows: TrackingEvent[], incoming: ReadEvent[], stableEventIds: boolean) =>
    planRevisions(rows, incoming, { ...settings, stableEventIds }).superseded;

  it('replace the previous event; both stay for other carriers', () => {
    const rows = record([], [at('NLRTM')]);
    const [row] = rows;
    expect(revise(rows, [at('BEANR')], true)).toEqual([
      { id: row?.id, by: { dedupeText: dedupeText(at('BEANR'), 'dcsa') } },
    ]);
    expect(revise(rows, [at('BEANR'), at('BEANR')], true)).toHaveLength(1);
    expect(revise(rows, [at('BEANR')], false)).toEqual([]);
  });

  it('replace nothing when the id is shared, the event is unchanged, or it is older', () => {
    const stamp = (sourceCreatedAt: string) => ({ sourceCreatedAt });
    const rows = record([], [at('NLRTM', stamp('2026-04-10T00:00:00.000Z'))]);
    expect(revise(rows, [at('BEANR'), at('DEHAM')], true)).toEqual([]);
    expect(revise(record([], [at('NLRTM'), at('DEHAM')]), [at('BEANR')], true)).toEqual([]);
    expect(revise(rows, [at('NLRTM')], true)).toEqual([]);
    expect(revise(rows, [at('BEANR', stamp('2026-04-09T00:00:00.000Z'))], true)).toEqual([]);
  });

  it('retract nothing for absence alone', () => {
    expect(planRevisions(record([], [at('NLRTM')]), [], { ...settings, stableEventIds: true })).toEqual({
      inserts: [],
      superseded: [],
    });
  });
});
