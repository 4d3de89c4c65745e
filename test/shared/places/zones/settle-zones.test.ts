import process from 'node:process';
import { expect, it } from 'vitest';
import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import { parcelPlace, scanTime } from '#services/worker/carriers/reading/parcel-reading.ts';
import type { Place, ReadEvent } from '#shared/domain/events/event.ts';
import { settleZones } from '#shared/places/zones/settle-zones.ts';

function eventAt(written: string, location: Place | null): ReadEvent {
  const time = scanTime(written, location);
  if (time === null) throw new Error(written);
  const words = { carrierCode: null, carrierDescription: null, raw: null };
  return bareEvent({ code: 'in_transit', classifier: 'actual', time, location, mode: 'parcel', ...words });
}

const unknownTown = parcelPlace({ city: 'SPRINGFIELD', state: null, country: 'US' });
const texan = parcelPlace({ city: 'VAN HORN', state: 'TX', country: 'US' });

it('reads a time without an offset by the other scans at its place, in their zone across a change of the clock', () => {
  const scans = [
    eventAt('2026-10-30T12:30:00-05:00', unknownTown),
    eventAt('2026-11-03T12:30:00-06:00', unknownTown),
    eventAt('2026-11-04T10:15:00', unknownTown),
    eventAt('2026-10-29T10:15:00', unknownTown),
  ];
  const times = settleZones(scans).map(({ time }) => [time.at, time.zoneSource]);
  expect(times.slice(2)).toEqual([
    ['2026-11-04T16:15:00.000Z', 'scans'],
    ['2026-10-29T15:15:00.000Z', 'scans'],
  ]);
  expect(times.slice(0, 2).map(([, source]) => source)).toEqual(['carrier', 'carrier']);
});

it('prefers them to the zone in which most people of the state live', () => {
  const [, settled] = settleZones([eventAt('2026-11-03T12:30:00-07:00', texan), eventAt('2026-11-03T13:00', texan)]);
  expect(settled?.time).toMatchObject({ at: '2026-11-03T20:00:00.000Z', zoneSource: 'scans' });
});

it('reads both ends of a window by them', () => {
  const [from, to] = ['2026-11-04T10:15', '2026-11-04T14:15'].map((written) => scanTime(written, unknownTown));
  const expected = eventAt('2026-11-04T14:15', unknownTown);
  const window = { from: from ?? null, to: to ?? null };
  const [, settled] = settleZones([
    eventAt('2026-11-03T12:30:00-06:00', unknownTown),
    { ...expected, details: { window } },
  ]);
  expect(settled?.details?.window).toMatchObject({
    from: { at: '2026-11-04T16:15:00.000Z', local: '2026-11-04T10:15' },
    to: { at: '2026-11-04T20:15:00.000Z' },
  });
});

it('leaves dates, other places and instants in UTC alone', () => {
  const events = [
    eventAt('2026-11-03T12:30:00Z', unknownTown),
    eventAt('2026-11-03', unknownTown),
    eventAt('2026-11-03T10:00:00-07:00', texan),
    eventAt('2026-11-04T10:15', unknownTown),
  ];
  expect(settleZones(events)).toEqual(events);
});

it('names no zone where several of the country fit, and keeps the instant', () => {
  const [, settled] = settleZones([
    eventAt('2026-11-03T12:30:00-06:00', unknownTown),
    eventAt('2026-11-03T13:00', unknownTown),
  ]);
  expect(settled?.time).toMatchObject({ at: '2026-11-03T19:00:00.000Z', timezone: null, zoneSource: 'scans' });
});

it('takes time that grows with the number of scans, not with their pairs', () => {
  /** CPU time for 1,600 scans, settled in lists of this length. */
  const costOf = (count: number) => {
    const events = Array.from({ length: count }, (_, index) => {
      const local = new Date(Date.UTC(2025, 10, 6) + index * 3_600_000).toISOString().slice(0, 16);
      return [eventAt(`${local}:00-06:00`, unknownTown), eventAt(local, unknownTown)];
    }).flat();
    const times = Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage();
      for (let settled = 0; settled < 1600; settled += count) settleZones(events);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    });
    return Math.min(...times);
  };
  costOf(100);
  // Pairs would take 16 times as long.
  expect(costOf(1600) / costOf(100)).toBeLessThan(6);
});
