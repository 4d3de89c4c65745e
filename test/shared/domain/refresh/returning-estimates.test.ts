import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { ReadEvent, TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { runs } from '#test/support/run-scale.ts';
import { hourMs, readEvent, startMs } from '../journey/journey-events.ts';

/** The hours of the estimated arrival, in the order in which the carrier publishes them. */
const publications = fc
  .array(fc.constantFrom(500, 510, 520), { minLength: 1, maxLength: 7 })
  .map((hours) => hours.filter((hour, index) => hour !== hours[index - 1]));

/**
 * Arrivals in their order. `upTo` publications exist at the time of the response. A late response arrives after newer
 * ones. A push holds the last publication alone.
 */
const arrivals = fc.array(fc.record({ upTo: fc.nat(7), isLate: fc.boolean(), isPush: fc.boolean() }), { maxLength: 7 });

function published(hours: readonly number[], withTime: boolean): ReadEvent[] {
  return hours.map((hour, index) =>
    readEvent({
      code: 'arrived',
      classifier: 'estimated',
      hour,
      port: 'NLRTM',
      vehicle: { name: 'Ever Given', imo: '9811000', voyage: '1W', flight: null },
      carrierCode: 'ARRI',
      sourceCreatedAt: withTime ? new Date(startMs + index * hourMs).toISOString() : null,
    }),
  );
}

const hourOf = ({ at }: { at: string }) => (Date.parse(at) - startMs) / hourMs;

describe('an estimated arrival that moves and comes back', () => {
  it.each([
    { carrier: 'shows every publication', isWhole: true, withTime: true },
    { carrier: 'shows the last publication', isWhole: false, withTime: true },
    { carrier: 'shows the last publication, without its time', isWhole: false, withTime: false },
  ])(
    'is stored once for each publication and ends as the last one, with missed or late responses: $carrier',
    ({ isWhole, withTime }) => {
      fc.assert(
        fc.property(publications, arrivals, (hours, given) => {
          let events: TrackingEvent[] = [];
          let made = 0;
          for (const [turn, { upTo, isLate, isPush }] of [
            ...given,
            { upTo: hours.length, isLate: false, isPush: false },
          ].entries()) {
            made = Math.max(made, Math.min(hours.length, upTo + 1));
            // A response without times cannot be distinguished from a newer one.
            const known = published(hours.slice(0, isLate && withTime ? Math.min(made, upTo + 1) : made), withTime);
            const reading = { events: isWhole && !isPush ? known : known.slice(-1), source: 'maersk' };
            const nowMs = startMs + (turn + 20) * hourMs;
            events = mergeReading(events, reading, nowMs, { partial: isPush }).events;
            expect(mergeReading(events, reading, nowMs, { partial: isPush }).inserts).toEqual([]);
          }
          expect(events.filter(({ supersededBy }) => supersededBy === null).map(({ time }) => hourOf(time))).toEqual(
            hours.slice(-1),
          );
          for (const hour of hours) {
            const rows = events.filter(({ time }) => hourOf(time) === hour).length;
            expect(rows).toBeLessThanOrEqual(hours.filter((each) => each === hour).length);
          }
          const { etaHistory } = composeJourney({ events, transportMode: 'ocean' }, startMs + 100 * hourMs);
          expect(etaHistory.at(-1) && hourOf(etaHistory.at(-1)?.eta ?? { at: '' })).toBe(hours.at(-1));
        }),
        { numRuns: runs(2000) },
      );
    },
  );

  it('is not stored twice by an older response after responses were missed', () => {
    const all = published([520, 510, 500, 510], true);
    let events: TrackingEvent[] = [];
    for (const [turn, count] of [2, 4, 3, 4].entries()) {
      const reading = { events: all.slice(0, count), source: 'maersk' };
      events = mergeReading(events, reading, startMs + (turn + 20) * hourMs).events;
    }
    const stated = events.map(({ time, sourceCreatedAt }) => `${hourOf(time)} ${sourceCreatedAt}`);
    expect(stated).toEqual([...new Set(stated)]);
    const { etaHistory } = composeJourney({ events, transportMode: 'ocean' }, startMs + 100 * hourMs);
    expect(etaHistory.map(({ eta }) => hourOf(eta))).toEqual([520, 510, 500, 510]);
  });

  it('is one row while the carrier only restates it with a new time of publication', () => {
    const [event] = published([500], true);
    if (event === undefined) throw new Error('nothing was published');
    const { events } = mergeReading([], { events: [event], source: 'maersk' }, startMs);
    const restated = { ...event, sourceCreatedAt: new Date(startMs + 9 * hourMs).toISOString() };
    expect(mergeReading(events, { events: [restated], source: 'maersk' }, startMs + hourMs).inserts).toEqual([]);
  });
});
