import { describe, expect, it } from 'vitest';
import type { ColumnKey } from '#services/dashboard/screens/shipments/column-table.ts';
import {
  columnsInUse,
  columnsThatFit,
  defaultColumns,
  extrasOf,
} from '#services/dashboard/screens/shipments/columns.ts';
import { countStages } from '#services/dashboard/screens/shipments/filters/stages.ts';
import {
  ageText,
  arrivalWords,
  cardText,
  deliveryText,
  lastEventText,
  progressOf,
} from '#services/dashboard/screens/shipments/row-words.ts';
import { leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import { listRow } from './list-rows.ts';

const now = Date.parse('2026-04-06T00:00:00Z');

describe('progressOf', () => {
  it('is the share of time between departure and arrival', () => {
    expect(progressOf(listRow(), now)).toBe(0.5);
  });

  it('never reaches either end in transit, even after the estimate', () => {
    expect(progressOf(listRow(), Date.parse('2026-05-01T00:00:00Z'))).toBeLessThan(1);
    expect(progressOf(listRow(), Date.parse('2026-03-01T00:00:00Z'))).toBeGreaterThan(0);
    expect(progressOf(listRow({ arrival: null }), now)).toBe(0.5);
  });

  it('follows the status at both ends', () => {
    expect(progressOf(listRow({ status: 'pending' }), now)).toBeNull();
    expect(progressOf(listRow({ status: 'booked' }), now)).toBe(0);
    expect(progressOf(listRow({ status: 'arrived' }), now)).toBe(1);
  });
});

describe('lastEventText', () => {
  it('shows the last event and its place', () => {
    expect(lastEventText(listRow(), now)).toEqual({ text: 'Departed, Shanghai', severity: null });
    const ahead = { code: 'delivered', place: 'Essen', description: null, at: '2026-04-11T00:00:00Z', isPartial: true };
    expect(lastEventText(listRow({ event: ahead }), now).text).toBe('Delivered in part, Essen');
  });

  it('shows an open exception once', () => {
    const held = { hasException: true, exceptions: [{ code: 'customs_hold', severity: 'warning' }] };
    expect(lastEventText(listRow(held), now)).toEqual({
      text: 'Customs hold · Departed, Shanghai',
      severity: 'warning',
    });
    const at = '2026-04-05T00:00:00Z';
    const event = { code: 'customs_hold', place: 'Antwerp', description: null, at, isPartial: false };
    expect(lastEventText(listRow({ ...held, event }), now)).toEqual({
      text: 'Customs hold, Antwerp',
      severity: 'warning',
    });
  });

  it('shows the most severe of several exceptions', () => {
    const exceptions = [
      { code: 'delayed', severity: 'warning' },
      { code: 'damaged', severity: 'critical' },
    ];
    expect(lastEventText(listRow({ hasException: true, exceptions }), now)).toMatchObject({
      text: 'Damaged · Departed, Shanghai',
      severity: 'critical',
    });
  });

  it('names the loss of a piece, although the last event is about another one', () => {
    const at = '2026-04-05T00:00:00Z';
    const exceptions = [
      { code: 'delivery_attempt_failed', severity: 'warning' },
      { code: 'other', severity: 'critical' },
    ];
    const textOf = (code: string) => {
      const event = { code, place: 'Hamburg', description: null, at, isPartial: true };
      return lastEventText(listRow({ hasException: true, exceptions, event }), now);
    };
    expect(textOf('delivery_attempted')).toEqual({
      text: 'Lost or undeliverable · Delivery attempted, Hamburg',
      severity: 'critical',
    });
    expect(textOf('lost').text).toContain('Lost');
    expect(textOf('lost').text).not.toContain('undeliverable');
  });

  it('shows failed and degraded tracking before anything else', () => {
    const text = lastEventText(listRow({ state: 'degraded', seenAt: '2026-03-30T06:10:00Z' }), now).text;
    expect(text).toBe('No response since 30 Mar');
    expect(lastEventText(listRow({ state: 'failed', reason: 'invalid_identifier' }), now)).toEqual({
      text: 'Tracking failed: invalid number',
      severity: 'critical',
    });
    expect(lastEventText(listRow({ state: 'awaiting_carrier', event: null }), now).text).toBe(
      'No record at Maersk yet',
    );
  });

  it('names the obstacle in Landfall, not the silence of the carrier', () => {
    const waiting = { state: 'awaiting_carrier', event: null, needsAttention: true };
    const text = (reason: string) => lastEventText(listRow({ ...waiting, reason }), now);
    expect(text('credentials_missing')).toEqual({ text: 'Credentials missing', severity: 'critical' });
    expect(text('carrier_auth_failed')).toEqual({ text: 'Credentials rejected', severity: 'critical' });
    expect(text('carrier_rate_limited').text).toBe('Waiting: rate limited');
    expect(text('carrier_not_found_yet')).toEqual({ text: 'No record at Maersk yet', severity: 'warning' });
    expect(lastEventText(listRow({ state: 'awaiting_carrier', reason: 'credentials_missing' }), now).text).toBe(
      'Credentials missing',
    );
  });
});

describe('deliveryText', () => {
  const at = (local: string) => ({ at: `${local}:00Z`, local, timezone: 'UTC', precision: 'minute' });
  const window = { from: at('2026-04-06T14:00'), to: at('2026-04-06T16:00') };

  it('shows the window and the detail, and no window once nothing is expected', () => {
    expect(deliveryText(listRow(), now)).toBeNull();
    expect(deliveryText(listRow({ window }), now)).toBe('Today 14:00–16:00');
    expect(deliveryText(listRow({ window, detail: 'addressee_absent' }), now)).toBe(
      'Today 14:00–16:00 · Nobody was there to receive it',
    );
    expect(deliveryText(listRow({ window, detail: 'lost', status: 'failed' }), now)).toBe('Lost');
    const inLocker = { window, detail: 'awaiting_collection_at_locker', status: 'available_for_pickup' };
    expect(deliveryText(listRow(inLocker), now)).toBe('In a locker, to be collected');
  });

  it('uses the line of a card, unless tracking has a problem', () => {
    const held = { hasException: true, exceptions: [{ code: 'delivery_attempt_failed', severity: 'warning' }] };
    expect(cardText(listRow({ ...held, detail: 'refused' }), now)).toEqual({
      text: 'Refused by the addressee',
      severity: 'warning',
    });
    expect(cardText(listRow({ window, state: 'failed', reason: 'invalid_identifier' }), now).text).toBe(
      'Tracking failed: invalid number',
    );
    expect(cardText(listRow(), now)).toEqual(lastEventText(listRow(), now));
  });
});

describe('times', () => {
  it('compare dates without a clock time by day', () => {
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

  it('have a short form for narrow columns', () => {
    expect(ageText('2026-04-05T23:48:00Z', now)).toBe('12 min');
    expect(ageText(null, now)).toBe('–');
    expect(ageText('2026-04-06T00:00:05Z', now)).toBe('now');
  });
});

describe('numbers and columns', () => {
  it('prefers the transport document to the container', () => {
    expect(leadingIdentifier({ container: 'MSKU1234565', mbl: 'MAEU1', booking: null })).toEqual({
      kind: 'mbl',
      value: 'MAEU1',
    });
    expect(leadingIdentifier({ unheard_of: 'X1' })).toEqual({ kind: 'unheard_of', value: 'X1' });
  });

  it('shows the column for the delivery only if a row has a value for it', () => {
    const item = (row: ReturnType<typeof listRow>) => ({ kind: 'row' as const, key: row.id, row, isLead: false });
    expect(columnsInUse(defaultColumns, [item(listRow())])).not.toContain('delivery');
    expect(columnsInUse(defaultColumns, [item(listRow()), item(listRow({ detail: 'refused' }))])).toContain('delivery');
  });

  it('reads parts of the record for the columns that show them alone', () => {
    expect(extrasOf(defaultColumns)).toEqual([]);
    expect(extrasOf(['number', 'metadata', 'vessel', 'containerCount'])).toEqual([
      'vehicle',
      'container_status_counts',
      'metadata',
    ]);
  });

  it('keeps identifier and status at every width', () => {
    const all: readonly ColumnKey[] = defaultColumns;
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
  it('count every shipment once, and no closed one as late', () => {
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
