import type { CannedAnswer, CannedRequest } from '../canned-carrier.ts';
import type { ForeignCarrier } from './foreign-payload.ts';

type Fields = Record<string, unknown>;
const ns = 'https://onerecord.iata.org/ns/cargo#';
const place = (code: string) => `https://carrier.test/logistics-objects/${code}`;
const dateTime = (value: string) => ({ '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': value });

const located: Readonly<Record<string, Fields>> = {
  '/logistics-objects/loc-vie': { '@type': 'Location', locationName: 'Vienna', locationCode: 'VIE' },
  '/logistics-objects/loc-nrt': {
    '@type': `${ns}Location`,
    [`${ns}locationCodes`]: [{ '@type': `${ns}CodeListElement`, [`${ns}code`]: 'NRT' }],
  },
  '/logistics-objects/waybill-157-20881146': {
    '@type': 'Waybill',
    departureLocation: { '@type': 'Location', locationCode: 'VIE' },
    arrivalLocation: { '@type': 'Location', locationCode: 'NRT' },
  },
};

/** The events of the waybill, and what its links lead to. */
function served(collection: unknown, { linked = true }: { linked?: boolean } = {}) {
  return ({ url }: CannedRequest): CannedAnswer => {
    if (url.pathname.endsWith('/logistics-events'))
      return { body: Number(url.searchParams.get('skip') ?? 0) > 0 ? { hasTotalItems: 0 } : collection };
    const found = linked ? located[url.pathname] : undefined;
    return found === undefined ? { status: 404, body: {} } : { body: found };
  };
}

const collection = (...events: Fields[]): Fields => ({
  '@context': { '@vocab': ns, api: 'https://onerecord.iata.org/ns/api#' },
  '@type': 'api:Collection',
  'api:hasTotalItems': events.length,
  'api:hasItem': events.length === 1 ? events[0] : events,
});

const released = (code: string, at: string, recordedAtLocation: Fields, more: Fields = {}): Fields => ({
  '@type': 'LogisticsEvent',
  '@id': `https://carrier.test/logistics-objects/8a76/logistics-events/${code}-${at}`,
  eventTimeType: { '@id': `${ns}ACTUAL` },
  eventCode: { '@id': `https://onerecord.iata.org/ns/coreCodeLists#StatusCode_${code}` },
  eventDate: dateTime(at),
  recordedAtLocation,
  ...more,
});

export const oneRecordPayloads: ForeignCarrier = {
  connector: 'one-record',
  carrier: 'QR',
  mode: 'air',
  identifiers: { awb: '157-20881146' },
  payloads: [
    {
      name: 'a departure of the released standard, whose place is a link',
      from: 'IATA Open Tracking playbook (find_string #StatusCode_DEP)',
      answer: served(collection(released('DEP', '2026-04-01T10:38:01.000Z', { '@id': place('loc-vie') }))),
      expected: {
        status: 'in_transit',
        last: 'departed 2026-04-01T12:38:01 VIE',
        at: '2026-04-01T10:38:01.000Z',
        origin: 'VIE',
        destination: 'NRT',
        unreadable: 0,
      },
    },
    {
      name: 'a place that is described in the event',
      from: 'an earlier draft of the same playbook',
      answer: served(
        collection(
          released('RCF', '2026-04-02T03:10:00.000Z', {
            '@type': 'Location',
            '@id': place('NRT'),
            locationCode: 'NRT',
            locationName: 'Tokyo Narita Airport',
            locationType: 'Airport',
          }),
          released('DEP', '2026-04-01T10:38:01.000Z', { '@id': place('loc-vie') }),
        ),
      ),
      expected: {
        status: 'arrived',
        last: 'received_from_flight 2026-04-02T12:10:00 NRT',
        origin: 'VIE',
        destination: 'NRT',
        codes: ['departed', 'received_from_flight'],
      },
    },
    {
      name: 'links that nobody answers, named by the airport’s code',
      from: 'the playbook’s example, served without its locations',
      answer: served(collection(released('DEP', '2026-04-01T10:38:01.000Z', { '@id': place('FRA') })), {
        linked: false,
      }),
      expected: { status: 'in_transit', last: 'departed 2026-04-01T12:38:01 FRA', origin: 'FRA' },
    },
    {
      name: 'whole IRIs as keys, codes as text, “Predicted” times',
      from: 'a Lufthansa Industry Solutions notebook (find_string recordedAtLocation)',
      answer: served(
        collection(
          ...(
            [
              ['FOH', '2026-04-18T16:03:00Z', 'Freight On Hand', 'Actual', 'loc-vie'],
              ['DEP', '2026-04-19T16:15:00Z', 'Departed', 'Actual', 'loc-vie'],
              ['ARR', '2026-04-20T06:55:00Z', 'Arrived', 'Predicted', 'loc-nrt'],
            ] as const
          ).map(([code, at, name, type, where]) => ({
            '@type': `${ns}LogisticsEvent`,
            [`${ns}eventCode`]: code,
            [`${ns}eventDate`]: dateTime(at),
            [`${ns}eventName`]: name,
            [`${ns}eventTimeType`]: type,
            [`${ns}linkedObject`]: { '@id': place('waybill-157-20881146') },
            [`${ns}recordedAtLocation`]: { '@id': place(where) },
          })),
        ),
      ),
      expected: {
        status: 'in_transit',
        last: 'departed 2026-04-19T18:15:00 VIE',
        eta: '2026-04-20T15:55:00',
        codes: ['received_from_shipper', 'departed'],
        unreadable: 0,
      },
    },
    {
      name: 'a plain list instead of a collection, and an unknown code',
      from: 'ONE Record servers of the 2.0 time (ne-one issues)',
      answer: served([
        released('DEP', '2026-04-01T10:38:01.000Z', { '@id': place('loc-vie') }),
        released('QQQ', '2026-04-01T11:00:00.000Z', { '@id': place('loc-vie') }),
      ]),
      expected: { status: 'in_transit', last: 'other 2026-04-01T13:00:00 VIE', codes: ['departed', 'other'] },
    },
    {
      name: 'a code as an element of a code list, delivered in part',
      from: 'IATA-Cargo/ONE-Record 2026-07 ontology',
      answer: served(
        collection(
          {
            '@type': 'cargo:LogisticsEvent',
            'cargo:eventCode': {
              '@type': 'cargo:CodeListElement',
              'cargo:code': 'DLV',
              'cargo:codeListName': 'StatusCode',
            },
            'cargo:eventDate': '2026-04-03T01:00:00Z',
            'cargo:eventTimeType': 'cargo:ACTUAL',
            'cargo:partialEventIndicator': { '@type': 'xsd:boolean', '@value': 'true' },
            'cargo:eventLocation': { '@id': place('loc-nrt') },
          },
          released('RCF', '2026-04-02T03:10:00.000Z', { '@id': place('loc-nrt') }),
        ),
      ),
      expected: { status: 'arrived', last: 'other 2026-04-03T10:00:00 NRT', codes: ['received_from_flight', 'other'] },
    },
    {
      name: 'nothing yet',
      from: 'IATA-Cargo/ONE-Record LogisticsEvents_empty_list',
      answer: served({ '@type': 'api:Collection', 'api:hasTotalItems': 0 }),
      expected: { outcome: 'not_found' },
    },
  ],
};
