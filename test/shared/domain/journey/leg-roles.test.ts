import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventCodes } from '#shared/domain/events/event.ts';
import { assignLegRoles } from '#shared/domain/journey/leg-roles.ts';
import { runs } from '#test/support/run-scale.ts';
import { type EventSketch, readEvent, trackingEvent } from './journey-events.ts';

const container = 'AAAU1234567';

function rolesOf(sketches: EventSketch[]): string[] {
  return assignLegRoles(sketches.map(readEvent)).map((event) => event.legRole);
}

it('treats a discharge and a loading at one port as a transshipment', () => {
  expect(
    rolesOf([
      { code: 'gate_out_empty', hour: 0, port: 'CNSZX', container },
      { code: 'loaded', hour: 10, port: 'CNSHA', container },
      { code: 'departed', hour: 11, port: 'CNSHA' },
      { code: 'discharged', hour: 100, port: 'SGSIN', container },
      { code: 'loaded', hour: 130, port: 'SGSIN', container },
      { code: 'arrived', hour: 500, port: 'NLRTM', classifier: 'estimated' },
      { code: 'discharged', hour: 510, port: 'NLRTM', container, classifier: 'estimated' },
      { code: 'gate_in_empty', hour: 700, port: 'NLAMS', container, classifier: 'planned' },
    ]),
  ).toEqual(['origin', 'pol', 'pol', 'transshipment', 'transshipment', 'pod', 'pod', 'inland']);
});

it('treats a discharge before a planned loading as a transshipment, even without a last port', () => {
  expect(
    rolesOf([
      { code: 'loaded', hour: 10, port: 'CNSHA', container },
      { code: 'discharged', hour: 100, port: 'SGSIN', container },
      { code: 'loaded', hour: 130, port: 'SGSIN', container, classifier: 'planned' },
    ]),
  ).toEqual(['pol', 'transshipment', 'transshipment']);
});

it('does not take a departure from the last port for a transshipment', () => {
  expect(
    rolesOf([
      { code: 'departed', hour: 10, port: 'CNSHA' },
      { code: 'arrived', hour: 100, port: 'NLRTM' },
      { code: 'departed', hour: 120, port: 'NLRTM' },
    ]),
  ).toEqual(['pol', 'pod', 'pod']);
});

it('treats a train from the last port as an inland leg to the destination', () => {
  expect(
    rolesOf([
      { code: 'loaded', hour: 10, port: 'CNSHA', container, mode: 'ocean' },
      { code: 'discharged', hour: 100, port: 'USLAX', container, mode: 'ocean' },
      { code: 'departed', hour: 120, port: 'USLAX', container, mode: 'rail' },
      { code: 'rail_arrived', hour: 180, port: 'USCHI', container, mode: 'rail' },
      { code: 'gate_out_full', hour: 190, port: 'USCHI', container },
    ]),
  ).toEqual(['pol', 'pod', 'inland', 'destination', 'destination']);
});

it('does not take a call at the first port before loading for an arrival', () => {
  expect(
    rolesOf([
      { code: 'gate_in_full', hour: 5, port: 'CNSHA', container },
      { code: 'arrived', hour: 9, port: 'CNSHA' },
    ]),
  ).toEqual(['pol', 'pol']);
});

it('does not take a stop before another flight for an arrival', () => {
  expect(
    rolesOf([
      { code: 'departed', hour: 1, port: 'HKHKG', mode: 'air' },
      { code: 'received_from_flight', hour: 10, port: 'DEFRA', mode: 'air' },
      { code: 'departed', hour: 14, port: 'DEFRA', mode: 'air' },
      { code: 'arrived', hour: 20, port: 'USJFK', mode: 'air', classifier: 'planned' },
    ]),
  ).toEqual(['pol', 'transshipment', 'transshipment', 'pod']);
});

it('ignores replaced events and keeps stated roles', () => {
  const events = assignLegRoles([
    trackingEvent({ id: 'a', code: 'loaded', hour: 1, port: 'CNSHA' }),
    trackingEvent({ id: 'b', code: 'arrived', hour: 100, port: 'SGSIN' }),
    trackingEvent({ id: 'c', code: 'arrived', hour: 200, port: 'NLRTM', classifier: 'planned', supersededBy: 'd' }),
    trackingEvent({ id: 'd', code: 'arrived', hour: 50, port: 'HKHKG', legRole: 'inland' }),
  ]);
  expect(events.map((event) => event.legRole)).toEqual(['pol', 'pod', 'inland', 'inland']);
});

it('does not depend on the order of the events', () => {
  const sketch = fc.record({
    code: fc.constantFrom(...eventCodes),
    hour: fc.integer({ min: 0, max: 40 }),
    port: fc.constantFrom('CNSHA', 'SGSIN', 'NLRTM', 'DEHAM', null),
    container: fc.constantFrom('AAAU1234567', 'BBBU1234567', null),
    mode: fc.constantFrom('ocean' as const, 'rail' as const, 'air' as const, null),
    classifier: fc.constantFrom('actual' as const, 'estimated' as const, 'planned' as const),
  });
  const shuffled = fc
    .array(sketch, { maxLength: 12 })
    .map((sketches) => sketches.map((each, index) => trackingEvent({ ...each, id: `e${index}` })))
    .chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));
  fc.assert(
    fc.property(shuffled, ([events, reordered]) => {
      const roleById = new Map(assignLegRoles(events).map((event) => [event.id, event.legRole]));
      for (const event of assignLegRoles(reordered)) expect(event.legRole).toBe(roleById.get(event.id));
    }),
    { numRuns: runs(5_000) },
  );
});

it('assigns handling in a town that is both ends of a journey to neither', () => {
  expect(
    rolesOf([
      { code: 'information_received', hour: 0, port: 'DEBER' },
      { code: 'picked_up', hour: 1, port: 'DEBER' },
      { code: 'arrived_at_facility', hour: 5, port: 'DEBER' },
      { code: 'departed_facility', hour: 20, port: 'DEBER' },
      { code: 'available_for_pickup', hour: 30, port: 'DEBER' },
      { code: 'delivered', hour: 40, port: 'DEBER', classifier: 'estimated' },
    ]),
  ).toEqual(['origin', 'origin', 'unknown', 'unknown', 'unknown', 'destination']);
});

it('treats a return to the town of the origin as the destination', () => {
  expect(
    rolesOf([
      { code: 'picked_up', hour: 1, port: 'DEBER' },
      { code: 'arrived_at_facility', hour: 10, port: 'DELEJ' },
      { code: 'arrived_at_facility', hour: 20, port: 'DEBER' },
      { code: 'delivered', hour: 40, port: 'DEBER' },
    ]),
  ).toEqual(['origin', 'unknown', 'destination', 'destination']);
});

it('treats an arrival after a departure in one town as the destination', () => {
  expect(
    rolesOf([
      { code: 'departed', hour: 1, port: 'USCHI', mode: 'road' },
      { code: 'arrived', hour: 5, port: 'USCHI', mode: 'road' },
      { code: 'delivered', hour: 6, port: 'USCHI', mode: 'road' },
    ]),
  ).toEqual(['origin', 'destination', 'destination']);
});

it('takes no port that the cargo passes on board for a transshipment', () => {
  const vehicle = { name: 'EVER TEST', imo: '9811000', voyage: '023W', flight: null };
  const passing: EventSketch[] = [
    { code: 'loaded', hour: 10, port: 'CNSHA', container, vehicle },
    { code: 'departed', hour: 12, port: 'CNSGH', vehicle },
    { code: 'arrived', hour: 100, port: 'SGSIN', vehicle },
    { code: 'departed', hour: 110, port: 'SGSIN', vehicle },
    { code: 'arrived', hour: 500, port: 'NLRTM', vehicle },
    { code: 'discharged', hour: 510, port: 'NLRTM', container, vehicle },
  ];
  expect(rolesOf(passing)).toEqual(['pol', 'pol', 'unknown', 'unknown', 'pod', 'pod']);
  const other = { ...vehicle, voyage: '101E' };
  const changed = passing.map((event) =>
    event.port === 'SGSIN' && event.code === 'departed' ? { ...event, vehicle: other } : event,
  );
  expect(rolesOf(changed)[3]).toBe('transshipment');
});

it('keeps the role of a port of loading beside which the cargo is delivered', () => {
  expect(
    rolesOf([
      { code: 'gate_out_empty', hour: 1, port: 'JPYOK', container },
      { code: 'stuffed', hour: 5, port: 'JPTYO', container },
      { code: 'loaded', hour: 20, port: 'JPYOK', container, mode: 'ocean' },
      { code: 'departed', hour: 21, port: 'JPYOK', mode: 'ocean' },
      { code: 'arrived', hour: 100, port: 'SGSIN', mode: 'ocean' },
      { code: 'delivered', hour: 300, port: 'JPYOK', container, classifier: 'estimated' },
    ]),
  ).toEqual(['pol', 'origin', 'pol', 'pol', 'pod', 'pol']);
});
