import type { ForeignCarrier } from './foreign-payload.ts';

const container = 'MSKU4417720';

export const maerskPayloads: ForeignCarrier = {
  connector: 'maersk',
  carrier: 'MAEU',
  mode: 'ocean',
  identifiers: { mbl: 'MAEU773410226' },
  payloads: [
    {
      name: 'flat events: place, vessel and voyage beside the codes',
      from: 'a Django supply-chain app’s tests (find_string equipmentEventTypeCode)',
      answer: {
        body: {
          events: [
            {
              eventID: 'E-1',
              eventType: 'EQUIPMENT',
              eventClassifierCode: 'ACT',
              equipmentEventTypeCode: 'LOAD',
              eventDateTime: '2026-03-10T08:00:00Z',
              equipmentReference: container,
              location: { locationName: 'Port of Southampton', UNLocationCode: 'GBSOU' },
              vessel: { vesselName: 'MAERSK EXAMPLE', vesselIMONumber: 9778791 },
              exportVoyageNumber: '213E',
              modeOfTransport: 'VESSEL',
            },
            {
              eventID: 'E-2',
              eventType: 'TRANSPORT',
              eventClassifierCode: 'EST',
              transportEventTypeCode: 'ARRI',
              eventDateTime: '2026-05-25T14:00:00Z',
              equipmentReference: container,
              location: { locationName: 'Port of Antwerp', UNLocationCode: 'BEANR' },
            },
          ],
        },
      },
      expected: {
        status: 'in_transit',
        last: 'loaded 2026-03-10T08:00:00 GBSOU',
        eta: '2026-05-25T16:00:00',
        origin: 'GBSOU',
        destination: 'BEANR',
        unreadable: 0,
      },
    },
    {
      name: 'a discharge without any place',
      from: 'Maersk events quoted in samjhecht/steamship-integrations',
      answer: {
        body: {
          events: [
            {
              eventID: '1',
              eventType: 'EQUIPMENT',
              eventClassifierCode: 'ACT',
              equipmentEventTypeCode: 'DISC',
              emptyIndicatorCode: 'LADEN',
              eventDateTime: '2026-04-02T09:00:00',
              eventCreatedDateTime: '2026-04-02T10:00:00Z',
              equipmentReference: container,
            },
          ],
        },
      },
      expected: { status: 'in_transit', last: 'discharged 2026-04-02T09:00:00 -' },
    },
    {
      name: 'times without an offset, an id shared by events, a null vessel',
      from: 'Maersk events quoted in samjhecht/steamship-integrations',
      answer: {
        body: {
          events: [
            {
              eventID: 6571832275,
              eventType: 'TRANSPORT',
              transportEventTypeCode: 'DEPA',
              eventClassifierCode: 'ACT',
              eventDateTime: '2026-03-01T22:15:00',
              eventCreatedDateTime: '2026-03-02T00:00:00Z',
              transportCall: {
                modeOfTransport: 'VESSEL',
                exportVoyageNumber: '608W',
                UNLocationCode: 'CNNGB',
                vessel: { vesselIMONumber: 9619919, vesselName: 'EXAMPLE MAERSK' },
              },
            },
            {
              eventID: 6571832275,
              eventType: 'EQUIPMENT',
              equipmentEventTypeCode: 'LOAD',
              eventClassifierCode: 'ACT',
              emptyIndicatorCode: 'LADEN',
              eventDateTime: '2026-03-01T11:00:00',
              eventCreatedDateTime: '2026-03-02T00:00:00Z',
              equipmentReference: 'MSKU 441772-0',
              ISOEquipmentCode: 'null',
              eventLocation: { UNLocationCode: 'CNNGB', locationName: 'Ningbo' },
              transportCall: {
                modeOfTransport: 'VESSEL',
                exportVoyageNumber: '608W',
                UNLocationCode: 'CNNGB',
                vessel: null,
              },
            },
          ],
        },
      },
      expected: {
        status: 'in_transit',
        last: 'departed 2026-03-01T22:15:00 CNNGB',
        at: '2026-03-01T14:15:00.000Z',
        origin: 'CNNGB',
        codes: ['loaded', 'departed'],
      },
    },
    {
      name: 'two drafts of one minute',
      from: 'the DCSA sample of shipment events, as Maersk sends them',
      answer: {
        body: {
          events: ['SHI', 'TRD'].map((documentTypeCode) => ({
            eventType: 'SHIPMENT',
            eventClassifierCode: 'ACT',
            shipmentEventTypeCode: 'DRFT',
            documentTypeCode,
            documentID: '773410226',
            eventDateTime: '2026-03-01T10:00:00Z',
            eventCreatedDateTime: '2026-03-01T10:00:00Z',
          })),
        },
      },
      expected: { status: 'pending', last: 'other 2026-03-01T10:00:00 -', events: 2 },
    },
  ],
};
