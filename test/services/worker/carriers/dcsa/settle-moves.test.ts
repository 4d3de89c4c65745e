import { expect, test } from 'vitest';
import { settleMoves } from '#services/worker/carriers/dcsa/dcsa-codes.ts';
import { plain } from '#services/worker/carriers/dcsa/dialects/plain.ts';
import { mapDcsaEvent } from '#services/worker/carriers/dcsa/map-dcsa-event.ts';
import { equipmentEvent } from './fake-carrier.ts';

type Step = [
  day: number,
  code: string,
  empty: boolean,
  place: string,
  expected: string,
  changes?: Record<string, unknown>,
];

const voyage: Step[] = [
  [1, 'GTOT', true, 'CNSHA', 'gate_out_empty'],
  [2, 'STUF', false, 'CNSHA', 'stuffed'],
  [3, 'GTIN', false, 'CNSHA', 'gate_in_full'],
  [4, 'LOAD', false, 'CNSHA', 'loaded'],
  [10, 'DISC', false, 'SGSIN', 'discharged'],
  [11, 'GTOT', false, 'SGSIN', 'other'],
  [12, 'GTIN', false, 'SGSIN', 'other'],
  [13, 'LOAD', false, 'SGSIN', 'loaded'],
  [20, 'DISC', false, 'NLRTM', 'discharged'],
  [21, 'GTOT', false, 'NLRTM', 'gate_out_full'],
  [22, 'STRP', false, 'NLRTM', 'delivered', { transportCall: { modeOfTransport: 'TRUCK', facilityTypeCode: 'CLOC' } }],
  [22, 'STRP', false, 'NLRTM', 'other'],
  [22, 'DROP', false, 'NLRTM', 'delivered'],
  [23, 'PICK', true, 'NLRTM', 'other'],
  [24, 'GTIN', true, 'NLRTM', 'gate_in_empty'],
];

function codesOf(steps: Step[]): string[] {
  const mapped = steps.map(([day, code, empty, place, , changes]) => {
    const result = mapDcsaEvent(
      equipmentEvent(code, {
        eventDateTime: `2026-04-${String(day).padStart(2, '0')}T10:00:00Z`,
        emptyIndicatorCode: empty ? 'EMPTY' : 'LADEN',
        eventLocation: { UNLocationCode: place },
        ...changes,
      }),
      plain,
    );
    if ('reason' in result) throw new Error(result.reason);
    return result;
  });
  return settleMoves(mapped).map(({ code }) => code);
}

test('derives gate moves from the container’s other events, never ends at a transshipment, and ignores event order', () => {
  expect(codesOf(voyage)).toEqual(voyage.map(([, , , , expected]) => expected));
  const backwards = voyage.toReversed();
  expect(codesOf(backwards)).toEqual(backwards.map(([, , , , expected]) => expected));
});

test('does not treat a single gate move as a return or a release', () => {
  expect(codesOf([[1, 'GTIN', true, 'NLRTM', '']])).toEqual(['other']);
  expect(codesOf([[1, 'GTOT', false, 'NLRTM', '']])).toEqual(['other']);
  expect(codesOf([[1, 'GTOT', true, 'CNSHA', '']])).toEqual(['gate_out_empty']);
});
