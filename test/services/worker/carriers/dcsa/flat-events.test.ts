import { expect, it } from 'vitest';
import { plain } from '#services/worker/carriers/dcsa/dialects/plain.ts';
import { mapDcsaEvent } from '#services/worker/carriers/dcsa/map-dcsa-event.ts';
import { settleMoves } from '#services/worker/carriers/dcsa/settle-moves.ts';
import { equipmentEvent } from './fake-carrier.ts';

it('reads an event whose transport call lies flat beside its own fields', () => {
  const mapped = mapDcsaEvent(
    {
      eventType: 'TRANSPORT',
      transportEventTypeCode: 'ARRI',
      eventClassifierCode: 'EST',
      eventDateTime: '2026-11-20T10:00:00+01:00',
      UNLocationCode: 'NLRTM',
      vesselName: 'EVER TEST',
      vesselIMONumber: '9811000',
      carrierVoyageNumber: '023W',
    },
    plain,
  );
  expect(mapped).toMatchObject({
    event: {
      code: 'arrived',
      classifier: 'estimated',
      location: { unlocode: 'NLRTM' },
      vehicle: { name: 'EVER TEST', imo: '9811000', voyage: '023W' },
    },
  });
});

it('places a terminal that only its code of the SMDG list names', () => {
  const call = { modeOfTransport: 'VESSEL', facilityCode: 'DPWJA' };
  const placed = (provider: string) =>
    mapDcsaEvent(
      equipmentEvent('DISC', { eventLocation: null, transportCall: { ...call, facilityCodeListProvider: provider } }),
      plain,
    );
  expect(placed('SMDG')).toMatchObject({ event: { location: { unlocode: 'AEJEA', facility: 'DPWJA' } } });
  expect(placed('BIC')).toMatchObject({ event: { location: { unlocode: null, facility: 'DPWJA' } } });
});

it.each([
  ['DEPO', 'gate_in_empty'],
  ['OFFD', 'gate_in_empty'],
  ['CLOC', 'other'],
])('takes an empty gate-in at a %s without a discharge for %s', (facilityTypeCode, code) => {
  const steps = [
    equipmentEvent('LOAD', { eventDateTime: '2026-04-04T10:00:00Z', emptyIndicatorCode: 'LADEN' }),
    equipmentEvent('GTIN', {
      eventDateTime: '2026-04-24T10:00:00Z',
      emptyIndicatorCode: 'EMPTY',
      eventLocation: { UNLocationCode: 'NLRTM', facilityTypeCode },
    }),
  ].map((raw) => mapDcsaEvent(raw, plain));
  const events = settleMoves(steps.filter((step) => 'event' in step));
  expect(events.map((event) => event.code)).toEqual(['loaded', code]);
});
