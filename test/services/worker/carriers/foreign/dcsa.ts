import type { ForeignCarrier } from './foreign-payload.ts';

type Fields = Record<string, unknown>;
const container = 'APZU4812090';
const routing = { originatingParties: [{ partyCode: 'EXCO', codeListProvider: 'SMDG', partyFunction: 'CA' }] };

/** An event of Track & Trace 3.0 (2026-05 beta: whole words). */
function word(id: string, at: string, classification: Fields, more: Fields = {}): Fields {
  return {
    eventRouting: routing,
    eventID: id,
    eventDateTime: at,
    eventUpdatedDateTime: '2026-04-20T01:23:45Z',
    eventClassification: { eventClassifier: 'ACTUAL', ...classification },
    ...more,
  };
}
const port = (UNLocationCode: string, locationName: string, more: Fields = {}): Fields => ({
  eventLocation: { locationName, UNLocationCode, facilityType: 'PORT_TERMINAL', ...more },
});
const voyage = {
  transportDetails: {
    transportCall: {
      transportCallReference: 'tc-1',
      modeOfTransport: 'VESSEL',
      exportVoyageNumberOrReference: { carrierVoyageNumber: '2103S' },
      importVoyageNumberOrReference: { carrierVoyageNumber: '2103N' },
      vesselTransport: { vesselIMONumber: '9321483', vesselName: 'Example of the Seas' },
    },
  },
};
const laden = (transportPhase = 'EXPORT'): Fields => ({
  equipmentDetails: {
    equipmentReference: container,
    ISOEquipmentCode: '22GP',
    emptyIndicator: 'LADEN',
    transportPhase,
    seals: [{ number: 'VET123', source: 'CUSTOMER', type: 'BOLT' }],
  },
});

function beta(type: string, payload: Fields, metadata: Fields = {}): Fields {
  return {
    metadata: {
      eventID: `beta-${type}-${String(payload.eventDateTime ?? '')}`,
      eventCreatedDateTime: '2026-04-02T02:55:00+03:00',
      eventType: type,
      publisher: { partyName: 'A line', carrierCode: 'MSK', carrierCodeListProvider: 'SMDG' },
      publisherRole: 'CA',
      ...metadata,
    },
    payload,
  };
}
const betaCall = (UNLocationCode: string, locationName: string): Fields => ({
  transportCallReference: '987e4567',
  modeOfTransport: 'VESSEL',
  location: { locationType: 'UNLO', locationName, UNLocationCode },
  carrierExportVoyageNumber: '2103S',
  carrierImportVoyageNumber: '2103N',
  facilityTypeCode: 'POTE',
  vessel: { vesselIMONumber: '9321483', name: 'Example of the Seas', flag: 'NL' },
});

export const dcsaPayloads: ForeignCarrier = {
  connector: 'dcsa',
  carrier: 'OOLU',
  mode: 'ocean',
  identifiers: { mbl: 'OOLU2771203440' },
  payloads: [
    {
      name: 'arrival and discharge with references of another shape',
      from: 'a track-and-trace app’s webhook tests (find_string equipmentEventTypeCode)',
      answer: {
        body: ['ARRI', 'DISC'].map((code) => ({
          eventType: code === 'ARRI' ? 'TRANSPORT' : 'EQUIPMENT',
          eventClassifierCode: 'ACT',
          eventDateTime: code === 'ARRI' ? '2026-04-17T15:30:00-07:00' : '2026-04-18T09:10:00-07:00',
          ...(code === 'ARRI'
            ? { transportEventTypeCode: code }
            : { equipmentEventTypeCode: code, equipmentReference: 'CSNU7712038' }),
          transportCall: {
            carrierVoyageNumber: '047E',
            location: { locationName: 'Long Beach', UNLocationCode: 'USLGB' },
            vessel: { vesselName: 'EXAMPLE ARIES' },
          },
          documentReferences: [{ documentTypeCode: 'TRD', documentReference: 'OOLU2771203440' }],
        })),
      },
      expected: {
        status: 'arrived',
        last: 'discharged 2026-04-18T09:10:00 USLGB',
        at: '2026-04-18T16:10:00.000Z',
        destination: 'USLGB',
        codes: ['arrived', 'discharged'],
      },
    },
    {
      name: '3.0 in whole words, with a sensor event',
      from: 'dcsaorg/DCSA-Information-Model tnt 3.0.0-20260525-beta',
      answer: {
        body: {
          events: [
            word(
              'e-conf',
              '2026-04-01T09:00:00Z',
              { eventType: 'SHIPMENT', shipmentEventType: 'CONFIRMED' },
              {
                shipmentDetails: { documentReference: { type: 'BOOKING', reference: 'ABC709951' } },
              },
            ),
            word(
              'e-load',
              '2026-04-10T11:30:00+01:00',
              { eventType: 'EQUIPMENT', equipmentEventType: 'LOADED' },
              {
                ...port('GBSOU', 'Southampton'),
                ...voyage,
                ...laden(),
              },
            ),
            word(
              'e-eta',
              '2026-05-20T07:00:00+02:00',
              { eventType: 'TRANSPORT', eventClassifier: 'ESTIMATED', transportEventType: 'ARRIVED' },
              {
                ...port('NLRTM', 'Rotterdam'),
                ...voyage,
              },
            ),
            word(
              'e-iot',
              '2026-04-11T15:20:00Z',
              { eventType: 'IOT', iotEventType: 'DOOR_OPENED' },
              {
                eventLocation: { locationName: 'At sea', geoCoordinate: { latitude: '50.5', longitude: '-0.1' } },
                ...laden(),
              },
            ),
          ],
          feedbackElements: [],
        },
      },
      expected: {
        status: 'in_transit',
        last: 'other 2026-04-11T16:20:00 At sea',
        eta: '2026-05-20T07:00:00',
        origin: 'GBSOU',
        destination: 'NLRTM',
        events: 4,
        codes: ['booking_confirmed', 'loaded', 'other'],
        unreadable: 0,
      },
    },
    {
      name: '3.0 with the four-letter codes of the conformance samples',
      from: 'dcsaorg/Conformance-Gateway tnt-300-response',
      answer: {
        body: {
          events: [
            {
              eventRouting: { originatingParty: { partyCode: 'EXCO', partyFunction: 'CA' } },
              eventID: 'evt-1',
              eventDateTime: '2026-04-16T11:30:00Z',
              eventUpdatedDateTime: '2026-04-16T12:00:00Z',
              eventLocation: { locationName: 'Example Terminal', UNLocationCode: 'GBSOU', facilityTypeCode: 'POTE' },
              eventClassification: {
                eventTypeCode: 'TRANSPORT',
                eventClassifierCode: 'ACT',
                transportEventTypeCode: 'DEPA',
              },
              ...voyage,
            },
            {
              eventID: 'evt-2',
              eventDateTime: '2026-04-15T13:45:00Z',
              eventUpdatedDateTime: '2026-04-16T12:00:00Z',
              eventLocation: { locationName: 'Yard', UNLocationCode: 'GBSOU', facilityTypeCode: 'DEPO' },
              eventClassification: {
                eventTypeCode: 'EQUIPMENT',
                eventClassifierCode: 'ACT',
                equipmentEventTypeCode: 'GTIN',
              },
              equipmentDetails: { equipmentReference: container, emptyIndicatorCode: 'LADEN', movementType: 'EXPORT' },
            },
          ],
        },
      },
      expected: {
        status: 'in_transit',
        last: 'departed 2026-04-16T12:30:00 GBSOU',
        at: '2026-04-16T11:30:00.000Z',
        origin: 'GBSOU',
        unreadable: 0,
      },
    },
    {
      name: '3.0: the same event updated, and one taken back',
      from: 'dcsaorg/DCSA-Information-Model tnt 3.0.0-20260525-beta (eventID, isRetracted)',
      answer: {
        body: {
          events: [
            word(
              'e-1',
              '2026-04-10T11:30:00+01:00',
              { eventType: 'EQUIPMENT', equipmentEventType: 'LOADED' },
              {
                ...port('GBSOU', 'Southampton'),
                ...laden(),
              },
            ),
            word(
              'e-1',
              '2026-04-10T14:00:00+01:00',
              { eventType: 'EQUIPMENT', equipmentEventType: 'LOADED' },
              {
                ...port('GBSOU', 'Southampton'),
                ...laden(),
                eventUpdatedDateTime: '2026-04-21T01:00:00Z',
              },
            ),
            word(
              'e-2',
              '2026-04-12T14:00:00+02:00',
              { eventType: 'EQUIPMENT', equipmentEventType: 'DISCHARGED' },
              {
                ...port('NLRTM', 'Rotterdam'),
                ...laden('IMPORT'),
              },
            ),
            { eventID: 'e-2', isRetracted: true, eventUpdatedDateTime: '2026-04-22T01:00:00Z' },
          ],
        },
      },
      expected: { status: 'in_transit', last: 'loaded 2026-04-10T14:00:00 GBSOU', codes: ['loaded'] },
    },
    {
      name: '3.0: nothing known',
      from: 'dcsaorg/DCSA-Information-Model tnt 3.0.0-20260525-beta',
      answer: { body: { events: [], feedbackElements: [] } },
      expected: { outcome: 'not_found' },
    },
    {
      name: '3.0.0-Beta-1: metadata and payload',
      from: 'dcsaorg/DCSA-OpenAPI tnt/v3 examples',
      answer: {
        body: [
          beta('SHIPMENT', {
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-03-19T06:31:00+01:00',
            shipmentEventTypeCode: 'ISSU',
            documentTypeCode: 'TRD',
            documentReference: '84db923d',
            reason: 'All good',
          }),
          beta('EQUIPMENT', {
            eventType: 'EQUIPMENT',
            eventClassifierCode: 'ACT',
            eventDateTime: '2026-04-01T07:41:00+02:00',
            equipmentEventTypeCode: 'LOAD',
            equipmentReference: container,
            ISOEquipmentCode: '22GP',
            emptyIndicatorCode: 'LADEN',
            isTransshipmentMove: false,
            transportCall: betaCall('NLAMS', 'Port of Amsterdam'),
            seals: [{ number: '133534', source: 'CUS', type: 'WIR' }],
          }),
          beta('TRANSPORT', {
            eventType: 'TRANSPORT',
            eventClassifierCode: 'EST',
            eventDateTime: '2026-05-12T07:41:00-03:00',
            transportEventTypeCode: 'ARRI',
            transportCall: betaCall('BRSSZ', 'Santos'),
          }),
        ],
      },
      expected: {
        status: 'in_transit',
        last: 'loaded 2026-04-01T07:41:00 NLAMS',
        eta: '2026-05-12T07:41:00',
        origin: 'NLAMS',
        destination: 'BRSSZ',
        codes: ['document_issued', 'loaded'],
        unreadable: 0,
      },
    },
    {
      name: '3.0.0-Beta-1: an event that retracts another one, and a transshipment move',
      from: 'dcsaorg/DCSA-OpenAPI tnt/v3 examples',
      answer: {
        body: [
          beta(
            'EQUIPMENT',
            {
              eventClassifierCode: 'ACT',
              eventDateTime: '2026-04-09T07:41:00+08:00',
              equipmentEventTypeCode: 'DISC',
              equipmentReference: container,
              emptyIndicatorCode: 'LADEN',
              isTransshipmentMove: true,
              transportCall: betaCall('SGSIN', 'Singapore'),
            },
            { eventID: 'disc-1' },
          ),
          beta(
            'TRANSPORT',
            {
              eventClassifierCode: 'ACT',
              eventDateTime: '2026-04-12T07:41:00+08:00',
              transportEventTypeCode: 'DEPA',
              transportCall: betaCall('SGSIN', 'Singapore'),
            },
            { eventID: 'depa-1' },
          ),
          { metadata: { eventID: 'r-1', eventType: 'TRANSPORT', retractedEventID: 'depa-1' } },
        ],
      },
      expected: { status: 'in_transit', last: 'discharged 2026-04-09T07:41:00 SGSIN', codes: ['discharged'] },
    },
    {
      name: 'one event that is not in a list',
      from: 'plain DCSA servers in public demonstrations',
      answer: {
        body: {
          eventType: 'TRANSPORT',
          eventClassifierCode: 'ACT',
          eventDateTime: '2026-04-12T07:41:00+08:00',
          eventCreatedDateTime: '2026-04-12T08:00:00+08:00',
          transportEventTypeCode: 'DEPA',
          transportCall: { modeOfTransport: 'VESSEL', UNLocationCode: 'SGSIN' },
        },
      },
      expected: { status: 'in_transit', last: 'departed 2026-04-12T07:41:00 SGSIN' },
    },
  ],
};
