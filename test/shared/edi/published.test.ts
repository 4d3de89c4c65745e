import { expect, test } from 'vitest';
import { readCargoImp } from '#shared/edi/cargo-imp/read-cargo-imp.ts';
import type { EdiMessage } from '#shared/edi/edi-reading.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import {
  airReceipt,
  airStatuses,
  mismatchedEnvelope,
  oceanStatus,
  ownList,
  parcelStatus,
  railDeparture,
  rampArrival,
  rampFreeTime,
} from './published-messages.ts';
import { onlyMessage, readAll } from './read-all.ts';

const autumn2023 = Date.UTC(2023, 9, 20);

/** Describes each event in one line: code, classifier, time, place, container, vehicle. */
function lines({ events }: Pick<EdiMessage, 'events'>): string[] {
  return events.map(({ tag, row }) => {
    const { code, classifier, time, location, container, vehicle } = row;
    const when = time === null ? '' : 'at' in time ? time.at : `${time.local} ${time.timezone ?? 'there'}`;
    const where = location?.unlocode ?? location?.iata ?? location?.name;
    const what = vehicle === null ? '' : ` ${vehicle.flight ?? `${vehicle.imo} ${vehicle.name} ${vehicle.voyage}`}`;
    return `${tag}: ${classifier} ${code} ${when} ${where} ${container ?? '-'}${what}`;
  });
}

const numbersOf = ({ events }: EdiMessage) =>
  events[0]?.row.targets.map((target) =>
    'numbers' in target
      ? `${target.numbers[0]?.key} ${target.numbers[0]?.value}`
      : 'reference' in target
        ? `reference ${target.reference}`
        : '',
  );

test('reads the 322 of a train at a ramp, with its expected arrival and delivery', () => {
  const message = onlyMessage(readAll(readX12(rampArrival)));
  expect(lines(message)).toEqual([
    'Q5: actual rail_arrived 2016-05-26T21:45:20 there USSTP HASU4316170',
    'DTM: estimated rail_arrived 2016-05-28T09:12:00 there USCHI HASU4316170',
    'DTM: estimated delivered 2016-05-29T08:00:00 there USCHI HASU4316170',
  ]);
  expect(numbersOf(message)).toEqual(['mbl A5GEMEN1976X', 'booking 6PHLSA1234', 'container HASU4316170']);
  expect(message.faults).toEqual([]);
});

test('reads the last day of free time from a 322', () => {
  const { events, faults } = onlyMessage(readAll(readX12(rampFreeTime)));
  expect(events.map(({ row }) => [row.code, row.freeDays])).toEqual([
    [null, [{ by: 'terminal', kind: 'demurrage', day: '2016-06-25' }]],
  ]);
  expect(faults).toEqual([]);
});

test('refuses a published sample whose envelope does not match', () => {
  const { interchanges } = readAll(readX12(mismatchedEnvelope));
  expect(interchanges[0]?.faults).toEqual([
    {
      segment: 10,
      tag: 'IEA',
      reason: 'IEA has control number 0000000012, but the interchange began with 000003438.',
      effect: 'interchange_refused',
    },
  ]);
  expect(interchanges[0]?.messages.map(({ events }) => events)).toEqual([[]]);
});

test('reads the 315 of an ocean line, with the expected arrival', () => {
  const message = onlyMessage(readAll(readX12(oceanStatus)));
  expect(lines(message)).toEqual([
    'B4: actual departed 2018-10-12T12:42 there HKHKG CMAU5127498 9450612 CMA CGM LA SCALA 0PG23E1MA',
    'DTM: estimated arrived 2018-11-10T12:00 there USHOU CMAU5127498 9450612 CMA CGM LA SCALA 0PG23E1MA',
  ]);
  expect(numbersOf(message)).toEqual(['mbl CMDUTHD0479278', 'booking THD0479278', 'container CMAU5127498']);
});

test('reads the 214 of a parcel carrier, whose segments end with line breaks', () => {
  const { interchanges } = readAll(readX12(parcelStatus));
  expect(interchanges[0]?.messages.flatMap(lines)).toEqual([
    'AT7: actual delivery_attempted 2019-11-02T16:25 America/Los_Angeles DRILL, BC -',
    'AT7: actual delivered 2019-11-02T16:48 America/Denver SWITCH, AB -',
  ]);
  expect(interchanges[0]?.messages[0]?.events[0]?.row.sourceWords).toBe('Attempted delivery: Consignee related');
  expect(interchanges[0]?.messages.flatMap(({ faults }) => faults)).toEqual([]);
});

test('reads the IFTSTA of an ocean line about a train', () => {
  const message = onlyMessage(readAll(readEdifact(railDeparture)));
  expect(lines(message)).toEqual([
    'STS: actual rail_departed 2022-11-19T07:10 there USSYR TRHU4561222 null CSX TRANSPORTATION null',
  ]);
  expect(numbersOf(message)).toEqual(['mbl ABCD224O4023815X', 'booking 24O4023815', 'container TRHU4561222']);
  expect(message.faults).toEqual([]);
});

test('keeps the words of a carrier’s own code, and guesses nothing', () => {
  const message = onlyMessage(readAll(readEdifact(ownList)));
  expect(message.events.map(({ row }) => [row.code, row.sourceCode, row.sourceWords])).toEqual([
    ['other', 'I', 'DELIVERED'],
  ]);
});

test('reads the FSU messages of an air shipment', () => {
  const { interchanges } = readAll(readCargoImp(airStatuses, autumn2023));
  expect(interchanges[0]?.messages.flatMap(lines)).toEqual([
    'BKD: actual booking_confirmed 2023-10-16T13:17 there FRA -',
    'FOH: actual received_from_shipper 2023-10-16T13:17 there FRA -',
    'RCS: actual received_from_shipper 2023-10-16T13:17 there FRA -',
    'MAN: actual manifested 2023-10-16 there FRA - LH400',
    'DEP: actual departed 2023-10-16 there FRA - LH400',
  ]);
});

test('reads an FSU in the envelope of Cargo Fact', () => {
  const message = onlyMessage(readAll(readCargoImp(airReceipt, autumn2023)));
  expect(lines(message)).toEqual(['RCF: actual received_from_flight 2022-11-20T13:00 there MRU - MK59']);
  expect(message.control).toBe('239-12345675');
});
