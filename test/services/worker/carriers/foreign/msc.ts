import type { ForeignCarrier } from './foreign-payload.ts';

type Fields = Record<string, unknown>;
const container = 'MSCU7719342';
const vessel = (vesselName: string): Fields => ({
  vesselIMONumber: '9400289',
  vesselName,
  vesselFlag: null,
  vesselCallSignNumber: null,
  vesselOperatorCarrierCode: null,
  vesselOperatorCarrierCodeList: null,
});
function call(unLocationCode: string, more: Fields = {}): Fields {
  return {
    transportCallID: `${unLocationCode}UK244A`,
    carrierServiceCode: null,
    exportVoyageNumber: null,
    importVoyageNumber: null,
    unLocationCode,
    facilityCode: null,
    facilityCodeListProvider: null,
    facilityTypeCode: 'POTE',
    otherFacility: null,
    modeOfTransport: 'VESSEL',
    vessel: vessel('EXAMPLE NAVARINO'),
    ...more,
  };
}
function equipment(code: string, at: string, port: [string, string], description: string, more: Fields = {}): Fields {
  return {
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: code,
    equipmentReference: container,
    ISOEquipmentCode: '4310',
    emptyIndicatorCode: 'LADEN',
    transportCall: call(port[0]),
    eventLocation: {
      locationName: port[1],
      unLocationCode: port[0],
      facilityCode: null,
      facilityCodeListProvider: null,
    },
    seals: [{ sealNumber: 'FJ1664', sealSource: 'CAR' }],
    description,
    eventId: '1078740398',
    eventDateTime: at,
    eventClassifierCode: 'ACT',
    eventCreatedDateTime: at,
    references: [],
    ...more,
  };
}
function transport(code: string, classifier: string, at: string, port: string, description: string): Fields {
  return {
    eventType: 'TRANSPORT',
    transportEventTypeCode: code,
    transportCall: call(port),
    description,
    eventId: `${classifier}${at}`,
    eventDateTime: at,
    eventClassifierCode: classifier,
    eventCreatedDateTime: at,
    references: [],
  };
}

export const mscPayloads: ForeignCarrier = {
  connector: 'msc',
  carrier: 'MSCU',
  mode: 'ocean',
  identifiers: { mbl: 'MEDUOL771036' },
  payloads: [
    {
      name: 'local times stamped Z, a transshipment, an estimate',
      from: 'a Chilean importer’s test data (find_string vesselOperatorCarrierCodeList)',
      answer: {
        body: [
          transport('ARRI', 'EST', '2026-05-26T04:00:00Z', 'CLVAP', 'Estimated Time of Arrival'),
          equipment('DISC', '2026-04-17T08:50:00Z', ['KRPUS', 'BUSAN'], 'Full Transshipment Discharged'),
          transport('ARRI', 'ACT', '2026-04-17T04:00:00Z', 'KRPUS', 'Vessel Arrival'),
          transport('DEPA', 'ACT', '2026-04-10T12:00:00Z', 'CNSHA', 'Vessel Departure'),
          equipment('LOAD', '2026-04-10T10:04:00Z', ['CNSHA', 'SHANGHAI'], 'Export Loaded on Vessel'),
        ],
      },
      expected: {
        status: 'in_transit',
        last: 'discharged 2026-04-17T08:50:00 KRPUS',
        at: '2026-04-16T23:50:00.000Z',
        eta: '2026-05-26T04:00:00',
        origin: 'CNSHA',
        destination: 'CLVAP',
        events: 5,
      },
    },
    {
      name: 'an event whose type is its code',
      from: 'the same test data',
      answer: {
        body: [
          equipment('EMPTY', '2026-03-28T01:38:00Z', ['CNSHA', 'SHANGHAI'], 'Empty to Shipper', {
            eventType: 'GTOT',
            emptyIndicatorCode: 'EMPTY',
            transportCall: call('CNSHA', { modeOfTransport: 'TRUCK', vessel: null }),
          }),
        ],
      },
      expected: { status: 'booked', last: 'gate_out_empty 2026-03-28T01:38:00 CNSHA', unreadable: 0 },
    },
    {
      name: 'no id, no classifier, no creation time, but a description of what was done',
      from: 'a FileMaker guide to MSC’s API (find_string equipmentEventTypeCode)',
      answer: {
        body: [
          {
            eventType: 'EQUIPMENT',
            equipmentEventTypeCode: 'DISC',
            equipmentReference: container,
            ISOEquipmentCode: '4510',
            emptyIndicatorCode: 'LADEN',
            description: 'Import Discharged from Vessel',
            eventDateTime: '2026-03-29T01:35:00-06:00',
            transportCall: {
              unLocationCode: 'CRCAL',
              facilityCode: 'SPCAD',
              modeOfTransport: 'VESSEL',
              vessel: { vesselIMONumber: '9337597', vesselName: 'EXAMPLE GALANI', vesselFlag: 'MT' },
            },
            eventLocation: { locationName: 'CALDERA', unLocationCode: 'CRCAL' },
          },
        ],
      },
      expected: {
        status: 'arrived',
        last: 'discharged 2026-03-29T01:35:00 CRCAL',
        destination: 'CRCAL',
        unreadable: 0,
      },
    },
    {
      name: 'the same event three times, out of order',
      from: 'MSC events quoted in samjhecht/steamship-integrations',
      answer: {
        body: [
          equipment('LOAD', '2026-04-10T10:04:00Z', ['CNSHA', 'SHANGHAI'], 'Export Loaded on Vessel', { eventId: '1' }),
          equipment('GTIN', '2026-04-06T11:59:00Z', ['CNSHA', 'SHANGHAI'], 'Export received at CY'),
          equipment('LOAD', '2026-04-10T10:04:00Z', ['CNSHA', 'SHANGHAI'], 'Export Loaded on Vessel', { eventId: '2' }),
          equipment('LOAD', '2026-04-10T10:04:00Z', ['CNSHA', 'SHANGHAI'], 'Export Loaded on Vessel', { eventId: '2' }),
        ],
      },
      expected: {
        status: 'in_transit',
        last: 'loaded 2026-04-10T10:04:00 CNSHA',
        events: 2,
        codes: ['gate_in_full', 'loaded'],
      },
    },
  ],
};
