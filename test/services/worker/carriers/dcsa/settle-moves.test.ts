import { expect, test } from 'vitest';
import { plain } from '#services/worker/carriers/dcsa/dialects/plain.ts';
import { mapDcsaEvent } from '#services/worker/carriers/dcsa/map-dcsa-event.ts';
import { settleMoves } from '#services/worker/carriers/dcsa/settle-moves.ts';
import { equipmentEvent, transportEvent } from './fake-carrier.ts';

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

const depot = { eventLocation: { UNLocationCode: 'CNSHA', facilityTypeCode: 'DEPO' } };

function moveAt(day: string, code: string, changes: Record<string, unknown> = {}) {
  return equipmentEvent(code, {
    eventDateTime: `2026-${day}T10:00:00Z`,
    emptyIndicatorCode: 'EMPTY',
    ...depot,
    ...changes,
  });
}

function arrivalAt(day: string, classifier: string, unlocode: string) {
  return transportEvent('ARRI', {
    eventDateTime: `2026-${day}T10:00:00Z`,
    eventClassifierCode: classifier,
    transportCall: { modeOfTransport: 'VESSEL', UNLocationCode: unlocode },
  });
}

function settledCodes(raws: readonly Record<string, unknown>[]): string[] {
  const mapped = raws.map((raw) => mapDcsaEvent(raw, plain));
  return settleMoves(mapped.filter((each) => 'event' in each)).map(({ code }) => code);
}

test('takes an empty gate-in at a depot before the voyage for no return', () => {
  const gateIn = moveAt('11-01', 'GTIN');
  const gateOut = moveAt('11-05', 'GTOT');
  expect(settledCodes([gateIn])).toEqual(['other']);
  expect(settledCodes([gateIn, gateOut])).toEqual(['other', 'gate_out_empty']);
  expect(settledCodes([gateIn, arrivalAt('12-20', 'EST', 'USNYC')])).toEqual(['other', 'arrived']);
  expect(settledCodes([moveAt('10-30', 'GTOT'), gateIn])).toEqual(['gate_out_empty', 'other']);
  const load = (day: string, classifier: string) =>
    moveAt(day, 'LOAD', { emptyIndicatorCode: 'LADEN', eventClassifierCode: classifier });
  expect(settledCodes([gateIn, load('11-08', 'PLN')])).toEqual(['other', 'loaded']);
  expect(settledCodes([load('10-01', 'PLN'), gateIn])).toEqual(['loaded', 'other']);
  // The vessel arrives in the port of loading, and the container comes back unused.
  expect(settledCodes([moveAt('10-28', 'GTOT'), arrivalAt('10-30', 'ACT', 'CNSHA'), gateIn]).at(-1)).toBe('other');
  // The voyage before, and a container that comes back unused.
  expect(settledCodes([load('09-01', 'ACT'), moveAt('10-28', 'GTOT'), gateIn]).at(-1)).toBe('other');
});

test('takes it for a return where the cargo was in the container or its vessel has arrived', () => {
  const gateIn = moveAt('11-01', 'GTIN');
  const laden = { emptyIndicatorCode: 'LADEN', eventLocation: { UNLocationCode: 'NLRTM' } };
  for (const code of ['LOAD', 'STUF', 'DISC', 'GTOT', 'PICK'])
    expect(settledCodes([moveAt('10-20', code, laden), gateIn]).at(-1), code).toBe('gate_in_empty');
  expect(settledCodes([arrivalAt('10-20', 'ACT', 'NLRTM'), gateIn]).at(-1)).toBe('gate_in_empty');
});

test('reads the moves of each trip of a container by those of the same trip', () => {
  const laden = (unlocode: string) => ({ emptyIndicatorCode: 'LADEN', eventLocation: { UNLocationCode: unlocode } });
  const trip = (months: [string, string], from: string, to: string) => [
    moveAt(`${months[0]}-01`, 'GTOT', { eventLocation: { UNLocationCode: from } }),
    moveAt(`${months[0]}-03`, 'GTIN', laden(from)),
    moveAt(`${months[0]}-05`, 'LOAD', laden(from)),
    moveAt(`${months[1]}-01`, 'DISC', laden(to)),
    moveAt(`${months[1]}-03`, 'GTOT', laden(to)),
    moveAt(`${months[1]}-09`, 'GTIN', { eventLocation: { UNLocationCode: to } }),
  ];
  const codes = ['gate_out_empty', 'gate_in_full', 'loaded', 'discharged', 'gate_out_full', 'gate_in_empty'];
  const both = [...trip(['05', '06'], 'CNSHA', 'NLRTM'), ...trip(['10', '11'], 'INNSA', 'USNYC')];
  expect(settledCodes(both)).toEqual([...codes, ...codes]);
  expect(settledCodes(both.toReversed())).toEqual([...codes, ...codes].toReversed());
  expect(settledCodes(both.slice(0, 8))).toEqual([...codes, ...codes.slice(0, 2)]);
});
