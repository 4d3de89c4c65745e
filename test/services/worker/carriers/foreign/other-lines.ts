import type { ForeignCarrier } from './foreign-payload.ts';

type Fields = Record<string, unknown>;
const at = (UNLocationCode: string, locationName: string): Fields => ({ UNLocationCode, locationName });
const box = { equipmentReference: 'TESU7120048', ISOEquipmentCode: '22G1', emptyIndicatorCode: 'LADEN' };
const lines = { mode: 'ocean' } as const;

export const onePayloads: ForeignCarrier = {
  ...lines,
  connector: 'one',
  carrier: 'ONEY',
  identifiers: { mbl: 'ONEYSELF77120' },
  payloads: [
    {
      name: 'a feeder without an IMO number, wrapped as payload',
      from: 'buyco/go-one-sdk examples',
      answer: {
        body: {
          payload: [
            {
              eventType: 'TRANSPORT',
              eventClassifierCode: 'ACT',
              transportEventTypeCode: 'DEPA',
              eventDateTime: '2026-04-12T18:00:00+09:00',
              eventCreatedDateTime: '2026-04-12T18:30:00+09:00',
              transportCall: {
                modeOfTransport: 'FEEDER',
                exportVoyageNumber: '010S',
                location: at('KRPUS', 'BUSAN'),
                vessel: { vesselName: 'EXAMPLE FEEDER' },
              },
            },
            {
              eventType: 'TRANSPORT',
              eventClassifierCode: 'EST',
              transportEventTypeCode: 'ARRI',
              eventDateTime: '2026-05-14T06:00:00+08:00',
              eventCreatedDateTime: '2026-04-12T18:30:00+09:00',
              transportCall: {
                modeOfTransport: 'FEEDER',
                importVoyageNumber: '010S',
                location: at('SGSIN', 'SINGAPORE'),
              },
            },
          ],
        },
      },
      expected: {
        status: 'in_transit',
        last: 'departed 2026-04-12T18:00:00 KRPUS',
        eta: '2026-05-14T06:00:00',
        origin: 'KRPUS',
        destination: 'SGSIN',
      },
    },
    {
      name: 'events that are each in metadata and payload',
      from: 'dcsaorg/DCSA-OpenAPI tnt/v3 (ONE sorts by payload.eventDateTime)',
      answer: {
        body: [
          {
            metadata: { eventID: 'a1', eventType: 'EQUIPMENT', eventCreatedDateTime: '2026-04-02T00:00:00Z' },
            payload: {
              eventType: 'EQUIPMENT',
              eventClassifierCode: 'ACT',
              eventDateTime: '2026-04-01T10:00:00+09:00',
              equipmentEventTypeCode: 'LOAD',
              ...box,
              transportCall: {
                modeOfTransport: 'VESSEL',
                carrierExportVoyageNumber: '2103S',
                location: at('JPTYO', 'TOKYO'),
                vessel: { vesselIMONumber: '9321483', name: 'EXAMPLE SEAS' },
              },
            },
          },
        ],
      },
      expected: { status: 'in_transit', last: 'loaded 2026-04-01T10:00:00 JPTYO', origin: 'JPTYO', unreadable: 0 },
    },
  ],
};

export const yangMingPayloads: ForeignCarrier = {
  ...lines,
  connector: 'yang-ming',
  carrier: 'YMLU',
  identifiers: { mbl: 'YMJAI228771203' },
  payloads: [
    {
      name: 'a gate-in before loading, with seals as text',
      from: 'buyco/go-yangming-sdk examples',
      answer: {
        body: [
          {
            eventType: 'EQUIPMENT',
            eventClassifierCode: 'ACT',
            equipmentEventTypeCode: 'GTIN',
            eventDateTime: '2026-04-03T09:30:00+08:00',
            eventCreatedDateTime: '2026-04-03T09:31:00+08:00',
            ...box,
            seals: ['YM771'],
            eventLocation: at('TWKHH', 'KAOHSIUNG'),
            transportCall: { modeOfTransport: 'TRUCK', location: at('TWKHH', 'KAOHSIUNG') },
          },
          {
            eventType: 'EQUIPMENT',
            eventClassifierCode: 'PLN',
            equipmentEventTypeCode: 'LOAD',
            eventDateTime: '2026-05-05T09:30:00+08:00',
            eventCreatedDateTime: '2026-04-03T09:31:00+08:00',
            ...box,
            eventLocation: at('TWKHH', 'KAOHSIUNG'),
            transportCall: { modeOfTransport: 'VESSEL', location: at('TWKHH', 'KAOHSIUNG') },
          },
        ],
      },
      expected: { status: 'booked', last: 'gate_in_full 2026-04-03T09:30:00 TWKHH', origin: 'TWKHH' },
    },
    {
      name: 'a delivery to the customer and the empty return',
      from: 'buyco/go-yangming-sdk examples',
      answer: {
        body: (
          [
            ['DISC', '2026-04-01T04:00:00-07:00', 'LADEN', 'VESSEL', 'USLAX', 'LOS ANGELES'],
            ['GTOT', '2026-04-03T10:00:00-07:00', 'LADEN', 'TRUCK', 'USLAX', 'LOS ANGELES'],
            ['GTIN', '2026-04-06T15:00:00-07:00', 'EMPTY', 'TRUCK', 'USLAX', 'LOS ANGELES'],
          ] as const
        ).map(([code, time, emptyIndicatorCode, modeOfTransport, port, name]) => ({
          eventType: 'EQUIPMENT',
          eventClassifierCode: 'ACT',
          equipmentEventTypeCode: code,
          eventDateTime: time,
          eventCreatedDateTime: time,
          ...box,
          emptyIndicatorCode,
          eventLocation: at(port, name),
          transportCall: { modeOfTransport, location: at(port, name) },
        })),
      },
      expected: {
        status: 'delivered',
        last: 'gate_in_empty 2026-04-06T15:00:00 USLAX',
        destination: 'USLAX',
        codes: ['discharged', 'gate_out_full', 'gate_in_empty'],
      },
    },
  ],
};

export const zimPayloads: ForeignCarrier = {
  ...lines,
  connector: 'zim',
  carrier: 'ZIMU',
  identifiers: { mbl: 'ZIMUHFA77120' },
  payloads: [
    {
      name: 'transport events without a call, and a loading with one',
      from: 'ZIM events quoted in samjhecht/steamship-integrations',
      answer: {
        body: [
          {
            eventType: 'TRANSPORT',
            eventClassifierCode: 'ACT',
            transportEventTypeCode: 'ARRI',
            eventDateTime: '2026-04-22T06:00:00',
            eventCreatedDateTime: '2026-04-22T06:00:00',
          },
          {
            eventType: 'EQUIPMENT',
            eventClassifierCode: 'ACT',
            equipmentEventTypeCode: 'LOAD',
            eventDateTime: '2026-04-02T06:00:00',
            eventCreatedDateTime: '2026-04-02T06:00:00',
            ...box,
            eventLocation: at('ILHFA', 'Haifa'),
            transportCall: { modeOfTransport: 'vessel', carrierVoyageNumber: '21W' },
          },
        ],
      },
      expected: { status: 'in_transit', last: 'other 2026-04-22T06:00:00 -', origin: 'ILHFA' },
    },
    {
      name: 'a customs hold on a container, in the newer codes',
      from: 'dcsaorg reference data (equipment events)',
      answer: {
        body: [
          {
            eventType: 'EQUIPMENT',
            eventClassifierCode: 'ACT',
            equipmentEventTypeCode: 'CUSI',
            eventDateTime: '2026-04-25T06:00:00+03:00',
            eventCreatedDateTime: '2026-04-25T06:00:00+03:00',
            ...box,
            eventLocation: at('TRMER', 'Mersin'),
          },
          {
            eventType: 'EQUIPMENT',
            eventClassifierCode: 'ACT',
            equipmentEventTypeCode: 'DISC',
            eventDateTime: '2026-04-24T06:00:00+03:00',
            eventCreatedDateTime: '2026-04-24T06:00:00+03:00',
            ...box,
            eventLocation: at('TRMER', 'Mersin'),
          },
        ],
      },
      expected: { status: 'arrived', last: 'customs_hold 2026-04-25T06:00:00 TRMER', exceptions: ['customs_hold'] },
    },
  ],
};

export const evergreenPayloads: ForeignCarrier = {
  ...lines,
  connector: 'evergreen',
  carrier: 'EGLV',
  identifiers: { mbl: 'EGLV149600771203' },
  payloads: [
    {
      name: 'PLAN, empty strings, and a voyage in mixed case',
      from: 'Evergreen events quoted in samjhecht/steamship-integrations',
      answer: {
        body: [
          {
            eventID: '',
            eventType: 'Transport',
            eventClassifierCode: 'PLAN',
            transportEventTypeCode: 'Arri',
            eventDateTime: '2026-05-20T08:00:00+02:00',
            eventCreatedDateTime: '2026-04-01T08:00:00Z',
            transportCall: {
              modeOfTransport: 'Vessel',
              importVoyageNumber: '0771-042W',
              UNLocationCode: 'GRPIR',
              location: { locationName: 'PIRAEUS', UNLocationCode: '' },
              vessel: { vesselIMONumber: '', vesselName: '' },
            },
          },
          {
            eventType: 'Equipment',
            eventClassifierCode: 'ACT',
            equipmentEventTypeCode: 'LOAD',
            eventDateTime: '2026-04-01T08:00:00+08:00',
            eventCreatedDateTime: '2026-04-01T08:00:00Z',
            ...box,
            emptyIndicatorCode: 'Laden',
            transportCall: { modeOfTransport: 'Vessel', exportVoyageNumber: '0771-042W', UNLocationCode: 'TWTPE' },
          },
        ],
      },
      expected: {
        status: 'in_transit',
        last: 'loaded 2026-04-01T08:00:00 TWTPE',
        eta: '2026-05-20T08:00:00',
        origin: 'TWTPE',
        destination: 'GRPIR',
      },
    },
  ],
};

export const hmmPayloads: ForeignCarrier = {
  ...lines,
  connector: 'hmm',
  carrier: 'HDMU',
  identifiers: { mbl: 'HDMUSELM77120345' },
  payloads: [
    {
      name: 'groups of events in mixed case, a truck at the terminal, places as text',
      from: 'a Korean comparison of HMM and CMA CGM (find_string carrierSpecificData)',
      answer: {
        body: {
          shipment: {
            carrierBookingReference: 'SELM77120345',
            deliveryDateTime: '2026-05-25T00:47:00-07:00',
            carrierID: 'HDMU',
          },
          transport: {
            transportName: 'EXAMPLE CELEBRATION',
            modeOfTransportCode: 'Vessel',
            vesselImoNumber: '9321251',
          },
          equipment: { ISOEquipmentCode: '45G1' },
          shipmentEvent: [
            {
              eventID: 'WEB1',
              eventCreatedDateTime: '2026-03-13T18:07:22+09:00',
              eventType: 'Shipment',
              eventClassifierCode: 'ACT',
              eventDateTime: '2026-03-13T18:07:22+09:00',
              shipmentEventTypeCode: 'RECE',
              documentId: 'SELM77120345',
              documentTypeCode: 'CBR',
            },
          ],
          transportEvent: {
            eventID: 'CTP1',
            eventCreatedDateTime: '2026-03-16T11:26:31+09:00',
            eventType: 'Transport',
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-03-15T16:43:00+09:00',
            transportEventTypeCode: 'ARRI',
            transportCall: {
              facilityTypeCode: 'KRPUSPNC',
              modeOfTransport: 'Truck',
              UNLocationCode: 'KRPUS',
              location: 'KRPUS',
            },
          },
          equipmentEvent: [
            {
              eventID: 'CTP1',
              eventType: 'Equipment',
              eventCreatedDateTime: '2026-03-16T11:26:31+09:00',
              eventDateTime: '2026-03-15T16:43:00+09:00',
              eventClassifierCode: 'ACT',
              equipmentEventTypeCode: 'GTIN',
              emptyIndicatorCode: 'Laden',
              eventLocation: 'KRPUS',
              transportCall: {
                UNLocationCode: 'KRPUS',
                facilityTypeCode: 'POTE',
                modeOfTransport: 'Truck',
                location: 'KRPUS',
              },
            },
            {
              eventID: 'CTP2',
              eventType: 'Equipment',
              eventCreatedDateTime: '2026-03-18T11:26:31+09:00',
              eventDateTime: '2026-03-18T06:00:00+09:00',
              eventClassifierCode: 'ACT',
              equipmentEventTypeCode: 'LOAD',
              emptyIndicatorCode: 'Laden',
              eventLocation: 'KRPUS',
              transportCall: {
                transportCallID: 'M1KRPUS',
                modeOfTransport: 'Vessel',
                UNLocationCode: 'KRPUS',
                location: 'KRPUS',
              },
            },
          ],
          transportCall: [
            {
              transportCallID: 'M1KRPUS',
              exportVoyageNumber: '0080E',
              UNLocationCode: 'KRPUS',
              modeOfTransport: 'VESSEL',
              location: 'KRPUS',
              vessel: { vesselIMONumber: '9321251', vesselName: 'EXAMPLE CELEBRATION' },
            },
          ],
        },
      },
      expected: {
        status: 'in_transit',
        last: 'loaded 2026-03-18T06:00:00 KRPUS',
        at: '2026-03-17T21:00:00.000Z',
        origin: 'KRPUS',
        codes: ['information_received', 'arrived_at_facility', 'gate_in_full', 'loaded'],
        unreadable: 0,
      },
    },
  ],
};
