import type { ForeignCarrier } from './foreign-payload.ts';

type Fields = Record<string, unknown>;
const call = (facilityCode: string, locationName: string, more: Fields = {}): Fields => ({
  transportCallId: '41b8',
  carrierServiceCode: null,
  exportVoyageNumber: 'UNIF  54',
  importVoyageNumber: 'UNIF  54',
  modeOfTransport: 'VESSEL',
  facilityCode,
  facilityCodeListProvider: 'BIC',
  location: { locationName, address: null, latitude: null, longitude: null },
  vessel: { vesselIMONumber: null, vesselName: 'EXAMPLE EXPRESS' },
  ...more,
});

export const hapagLloydPayloads: ForeignCarrier = {
  connector: 'hapag-lloyd',
  carrier: 'HLCU',
  mode: 'ocean',
  identifiers: { mbl: 'HLCUHAM260300771' },
  payloads: [
    {
      name: 'BIC facility codes for places, null IMO numbers, UTC with milliseconds',
      from: 'Hapag-Lloyd events quoted in samjhecht/steamship-integrations',
      answer: {
        body: [
          {
            eventType: 'EQUIPMENT',
            eventCreatedDateTime: '2026-03-04T10:31:22.512Z',
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-03-04T09:30:00.000Z',
            equipmentEventTypeCode: 'LOAD',
            equipmentReference: 'HLBU2310446',
            ISOEquipmentCode: '45RT',
            emptyIndicatorCode: 'LADEN',
            eventLocation: null,
            transportCall: call('DEHAMCTAG', 'HAMBURG'),
          },
          {
            eventType: 'TRANSPORT',
            eventCreatedDateTime: '2026-03-04T10:31:22.512Z',
            eventClassifierCode: 'PLN',
            eventDateTime: '2026-05-22T22:00:00.000Z',
            transportEventTypeCode: 'ARRI',
            transportCall: call('USNYCPNCT', 'NEW YORK, NY'),
          },
        ],
      },
      expected: {
        status: 'in_transit',
        last: 'loaded 2026-03-04T10:30:00 DEHAM',
        at: '2026-03-04T09:30:00.000Z',
        eta: '2026-05-22T18:00:00',
        origin: 'DEHAM',
        destination: 'USNYC',
      },
    },
    {
      name: 'documents only, without document references',
      from: 'Hapag-Lloyd’s API description of shipment events',
      answer: {
        body: [
          {
            eventType: 'SHIPMENT',
            eventCreatedDateTime: '2026-03-01T08:00:00.000Z',
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-03-01T08:00:00.000Z',
            shipmentEventTypeCode: 'CONF',
            documentTypeCode: 'BKG',
            documentID: '71200345',
          },
          {
            eventType: 'SHIPMENT',
            eventCreatedDateTime: '2026-03-06T08:00:00.000Z',
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-03-06T08:00:00.000Z',
            shipmentEventTypeCode: 'ISSU',
            documentTypeCode: 'TRD',
            documentID: 'HLCUHAM260300771',
          },
        ],
      },
      expected: {
        status: 'booked',
        last: 'document_issued 2026-03-06T08:00:00 -',
        codes: ['booking_confirmed', 'document_issued'],
      },
    },
    {
      name: 'an empty container for the shipper, by truck',
      from: 'Hapag-Lloyd events quoted in samjhecht/steamship-integrations',
      answer: {
        body: [
          {
            eventType: 'EQUIPMENT',
            eventCreatedDateTime: '2026-02-20T07:00:00.000Z',
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-02-20T06:10:00.000Z',
            equipmentEventTypeCode: 'GTOT',
            equipmentReference: 'HLBU2310446',
            emptyIndicatorCode: 'EMPTY',
            eventLocation: { locationName: 'HAMBURG', UNLocationCode: 'DEHAM' },
            transportCall: call('DEHAMABCD', 'HAMBURG', { modeOfTransport: 'TRUCK', vessel: null }),
          },
        ],
      },
      expected: { status: 'booked', last: 'gate_out_empty 2026-02-20T07:10:00 DEHAM' },
    },
  ],
};
