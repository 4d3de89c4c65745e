import { expect, test } from 'vitest';
import { readEventRow } from '#shared/core/events-in/read-event-row.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { partDeliveries } from '#shared/domain/journey/delivery-events.ts';
import { readCargoImp } from '#shared/edi/cargo-imp/read-cargo-imp.ts';
import { onlyMessage, readAll } from './read-all.ts';

const nowMs = Date.UTC(2026, 10, 27);

/** The statuses of an air waybill, and which of its deliveries leave pieces behind. */
function read(consignment: string, ...lines: string[]) {
  const { events } = onlyMessage(
    readAll(readCargoImp(`FSU/14\n020-12345675FRAJFK${consignment}\n${lines.join('\n')}\n`, nowMs)),
  );
  const happened = events.map(({ row }, index) => {
    const result = readEventRow({ ...row, sourceName: 'a' }, nowMs);
    if (!('event' in result) || result.event === null) throw new Error('not read');
    return { ...result.event, id: String(index) } as unknown as TrackingEvent;
  });
  const parts = partDeliveries(happened, undefined);
  return happened.map(({ id, code, details }) => [code, details?.piecesCount ?? null, !parts.has(id)]);
}

test.each(['P', 'S', 'D'])('parts of a consignment (%s) add up to its delivery', (part) => {
  expect(read('/T10K500.0', `DLV/21NOV1500/FRA/${part}4K200.0/NAME`)).toEqual([['delivered', 4, false]]);
  expect(read('/T10K500.0', `DLV/21NOV1500/FRA/${part}4K200.0/NAME`, `DLV/22NOV1500/FRA/${part}6K300.0/NAME`)).toEqual([
    ['delivered', 4, false],
    ['delivered', 6, true],
  ]);
});

test('the total may stand behind the part', () => {
  expect(read('/P4K200T10', 'DLV/21NOV1500/FRA/P4K200.0T10/NAME')).toEqual([['delivered', 4, false]]);
});

test('the delivery of all pieces is that of the consignment', () => {
  expect(read('/T10K500.0', 'DLV/21NOV1500/FRA/T10K500.0/NAME')).toEqual([['delivered', 10, true]]);
  expect(read('/T10K500.0', 'DLV/21NOV1500/FRA')).toEqual([['delivered', null, true]]);
});

test('the delivery of a part of an unknown number of pieces is information', () => {
  expect(read('', 'DLV/21NOV1500/FRA/P4K200.0/NAME')).toEqual([['other', 4, true]]);
});

test('the warehouse is neither a gate nor the shipper', () => {
  expect(
    read('/T10K500', 'FOW/20NOV1500/FRA/P4K200', 'FIW/21NOV1500/JFK/P4K200').map(([code, pieces]) => [code, pieces]),
  ).toEqual([
    ['departed_facility', 4],
    ['arrived_at_facility', 4],
  ]);
});
