import { describe, expect, it } from 'vitest';
import { countStages } from '#services/dashboard/screens/shipments/filters/stages.ts';
import { type ColumnKey, columnsThatFit, usualColumns } from '#services/dashboard/screens/shipments/list/columns.ts';
import { etaSteps } from '#services/dashboard/screens/shipments/preview/eta-path.ts';
import { arrivalWords, lastWords, progressOf, seenWords } from '#services/dashboard/screens/shipments/row-words.ts';
import { mainNumber } from '#services/dashboard/screens/shipments/shipment-row.ts';
import { listRow } from './list-rows.ts';

const now = Date.parse('2026-04-06T00:00:00Z');

describe('how far a shipment is', () => {
  it('goes by the time between departure and arrival', () => {
    expect(progressOf(listRow(), now)).toBe(0.5);
  });

  it('is short of both ends while it is under way, also when the estimate has passed', () => {
    expect(progressOf(listRow(), Date.parse('2026-05-01T00:00:00Z'))).toBeLessThan(1);
    expect(progressOf(listRow(), Date.parse('2026-03-01T00:00:00Z'))).toBeGreaterThan(0);
    expect(progressOf(listRow({ arrival: null }), now)).toBe(0.5);
  });

  it('goes by the status at the ends', () => {
    expect(progressOf(listRow({ status: 'pending' }), now)).toBeNull();
    expect(progressOf(listRow({ status: 'booked' }), now)).toBe(0);
    expect(progressOf(listRow({ status: 'arrived' }), now)).toBe(1);
  });
});

describe('the last words on a shipment', () => {
  it('are what happened, and where', () => {
    expect(lastWords(listRow(), now)).toEqual({ words: 'Departed, Shanghai', severity: null });
  });

  it('are the exception where one is open, said once', () => {
    const held = { hasException: true, exceptions: [{ code: 'customs_hold', severity: 'warning' }] };
    expect(lastWords(listRow(held), now)).toEqual({ words: 'Customs hold · Departed, Shanghai', severity: 'warning' });
    const event = { code: 'customs_hold', place: 'Antwerp', description: null, at: '2026-04-05T00:00:00Z' };
    expect(lastWords(listRow({ ...held, event }), now)).toEqual({
      words: 'Customs hold, Antwerp',
      severity: 'warning',
    });
  });

  it('are the worst exception of several', () => {
    const exceptions = [
      { code: 'delayed', severity: 'warning' },
      { code: 'damaged', severity: 'critical' },
    ];
    expect(lastWords(listRow({ hasException: true, exceptions }), now)).toMatchObject({
      words: 'Damaged · Departed, Shanghai',
      severity: 'critical',
    });
  });

  it('say that nobody answers before anything else', () => {
    const words = lastWords(listRow({ state: 'degraded', seenAt: '2026-03-30T06:10:00Z' }), now).words;
    expect(words).toBe('No answer since 30 Mar');
    expect(lastWords(listRow({ state: 'failed', reason: 'invalid_identifier' }), now)).toEqual({
      words: 'Not followed: invalid identifier',
      severity: 'critical',
    });
    expect(lastWords(listRow({ state: 'awaiting_carrier', event: null }), now).words).toBe('No record at Maersk yet');
  });
});

describe('times', () => {
  it('of a date alone are told by its day', () => {
    const on = (local: string) =>
      arrivalWords(
        { at: `${local}T12:00:00Z`, local, timezone: null, precision: 'date', isActual: false },
        Date.parse('2026-04-06T10:00:00'),
      );
    expect([on('2026-04-06'), on('2026-04-07'), on('2026-04-05'), on('2026-04-10'), on('2026-04-01')]).toEqual([
      'today',
      'tomorrow',
      'yesterday',
      'in 4 d',
      '5 d ago',
    ]);
  });

  it('of the last refresh are as short as their column', () => {
    expect(seenWords('2026-04-05T23:48:00Z', now)).toBe('12 m');
    expect(seenWords(null, now)).toBe('–');
    expect(seenWords('2026-04-06T00:00:05Z', now)).toBe('0 m');
  });
});

describe('numbers and columns', () => {
  it('calls a shipment by its transport document before its container', () => {
    expect(mainNumber({ container: 'MSKU1234565', mbl: 'MAEU1', booking: null })).toEqual({
      kind: 'mbl',
      value: 'MAEU1',
    });
    expect(mainNumber({ unheard_of: 'X1' })).toEqual({ kind: 'unheard_of', value: 'X1' });
  });

  it('keeps the identifier and the status, however narrow', () => {
    const all: readonly ColumnKey[] = usualColumns;
    expect(columnsThatFit(all, 1400)).toEqual(all);
    for (let width = 1400; width > 300; width -= 50) {
      const shown = columnsThatFit(all, width);
      expect(shown).toContain('number');
      expect(shown).toContain('status');
      expect(columnsThatFit(all, width - 50).length).toBeLessThanOrEqual(shown.length);
    }
  });
});

describe('the stages', () => {
  it('count every shipment once, and call none late that is over', () => {
    const counts = [
      'pending',
      'booked',
      'in_transit',
      'arrived',
      'available_for_pickup',
      'out_for_delivery',
      'delivered',
      'returned',
      'failed',
      'cancelled',
    ].map((status) => ({ status, count: 2, late: 1 }));
    const stages = countStages(counts);
    expect(stages.reduce((sum, { count }) => sum + count, 0)).toBe(20);
    expect(stages.filter(({ isClosed }) => isClosed).every(({ late }) => late === 0)).toBe(true);
  });
});

describe('how the ETA moved', () => {
  it('is a step at each revision, later ones higher, in the order they were seen', () => {
    const { points, path, planned } = etaSteps(
      [
        { eta: 200, seenAt: 10 },
        { eta: 100, seenAt: 0 },
      ],
      { width: 100, height: 40 },
    );
    expect(points).toEqual([
      { x: 0, y: 40 },
      { x: 88, y: 0 },
    ]);
    expect([path, planned]).toEqual(['M0 40H88V0H100', 40]);
  });
});
