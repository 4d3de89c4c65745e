import type { ForeignCarrier } from './foreign-payload.ts';

type Fields = Record<string, unknown>;
function event(
  type: string,
  code: string,
  classifier: string,
  at: string,
  port: [string, string],
  role: string,
  more: Fields = {},
): Fields {
  const location = { UNLocationCode: port[0], locationName: port[1], address: { name: port[1], country: 'NIGERIA' } };
  return {
    eventType: type,
    eventID: '831513093d2c31b002a224f2f0fc9ea0a1a448cb',
    eventCreatedDateTime: '2026-03-25T12:19:04Z',
    eventClassifierCode: classifier,
    eventDateTime: at,
    ...(type === 'TRANSPORT' ? { transportEventTypeCode: code } : { equipmentEventTypeCode: code }),
    transportCall: { modeOfTransport: 'VESSEL', importVoyageNumber: '0WWPGE1MA', location },
    carrierSpecificData: { internalEventCode: 'PVA', shipmentLocationType: role },
    ...more,
  };
}
const box = { equipmentReference: 'CMAU7120043', ISOEquipmentCode: '22G1', emptyIndicatorCode: 'LADEN' };

export const cmaCgmPayloads: ForeignCarrier = {
  connector: 'cma-cgm',
  carrier: 'CMDU',
  mode: 'ocean',
  identifiers: { mbl: 'CMDUSHZ7712034' },
  payloads: [
    {
      name: 'a transshipment that the line names, and a planned arrival there',
      from: 'a Korean comparison of HMM and CMA CGM (find_string carrierSpecificData)',
      answer: {
        body: [
          event('TRANSPORT', 'ARRI', 'PLN', '2026-05-11T08:00:00+01:00', ['NGLKK', 'LEKKI, LA'], 'PTS'),
          event('TRANSPORT', 'ARRI', 'PLN', '2026-05-19T08:00:00+00:00', ['GHTEM', 'TEMA'], 'POD'),
          event('EQUIPMENT', 'LOAD', 'ACT', '2026-03-25T19:34:00+08:00', ['CNSHK', 'SHEKOU'], 'POL', box),
        ],
      },
      expected: {
        status: 'in_transit',
        last: 'loaded 2026-03-25T19:34:00 CNSHK',
        at: '2026-03-25T11:34:00.000Z',
        eta: '2026-05-19T08:00:00',
        origin: 'CNSHK',
        destination: 'GHTEM',
        events: 3,
      },
    },
    {
      name: 'wrapped events without offsets',
      from: 'a shipment ETA tracker’s tests (find_string carrierSpecificData)',
      answer: {
        body: {
          events: [
            event('TRANSPORT', 'ARRI', 'ACT', '2026-04-02T10:00:00', ['ESALG', 'ALGECIRAS (ALG)'], 'PTS'),
            event('TRANSPORT', 'DEPA', 'ACT', '2026-03-07T10:00:00', ['SGSIN', 'SINGAPORE'], 'POL'),
            event('TRANSPORT', 'ARRI', 'PLN', '2026-05-07T10:00:00', ['LRMLW', 'MONROVIA'], 'POD'),
          ],
        },
      },
      expected: {
        status: 'in_transit',
        last: 'arrived 2026-04-02T10:00:00 ESALG',
        at: '2026-04-02T08:00:00.000Z',
        eta: '2026-05-07T10:00:00',
        origin: 'SGSIN',
        destination: 'LRMLW',
      },
    },
    {
      name: 'a truck that left the customer’s yard, by an odd partner format',
      from: 'an IoT integration’s notes on CMA CGM (find_string equipmentEventTypeCode)',
      answer: {
        body: [
          {
            equipmentReference: 'CMAU7120043',
            eventCreatedDateTime: '2026-04-20T17:00:00Z',
            eventType: 'TRANSPORT',
            transportEventTypeCode: 'ARRI',
            equipmentEventTypeCode: '',
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-04-20T16:30:00Z',
            modeOfTransport: 'TRUCK',
            transportationPhase: 'IMPORT',
            eventLocation: {
              facilityTypeCode: 'CLOC',
              locationUnLocode: '',
              locationName: 'Bamako Central Depot',
              latitude: 12.6392,
              longitude: -8.0029,
              address: { city: 'BAMAKO', country: 'MALI' },
            },
          },
        ],
      },
      expected: { status: 'in_transit', last: 'arrived_at_facility 2026-04-20T16:30:00 Bamako Central Depot' },
    },
  ],
};
