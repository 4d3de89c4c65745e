import type { ForeignCarrier } from './foreign-payload.ts';

const number = 'GM7F21C8AA0493E1B6';
type Fields = Record<string, unknown>;

const at = (addressLocality: string, countryCode?: string, postalCode?: string): Fields => ({
  address: {
    ...(countryCode === undefined ? {} : { countryCode }),
    ...(postalCode ? { postalCode } : {}),
    addressLocality,
  },
});

const answer = (...shipments: Fields[]) => ({
  body: { url: `/shipments?trackingNumber=${number}?offset=0`, shipments },
});

function shipment(events: unknown, more: Fields = {}): Fields {
  const first = Array.isArray(events) ? events[0] : events;
  return { id: number, service: 'ecommerce', status: first, events, ...more };
}

export const dhlPayloads: ForeignCarrier = {
  connector: 'dhl',
  carrier: 'dhl',
  mode: 'parcel',
  identifiers: { tracking_number: number },
  payloads: [
    {
      name: 'an eCommerce parcel that has arrived at customs, with places written as city, state, country',
      from: 'a .NET DHL client’s sample (find_string statusCode pre-transit)',
      answer: answer(
        shipment(
          [
            {
              timestamp: '2026-01-29T16:02:00',
              location: at('HEATHROW, GB', 'GB', 'HEATHROW'),
              statusCode: 'transit',
              status: 'ARRIVED AT CUSTOMS',
            },
            {
              timestamp: '2026-01-23T08:52:15',
              location: at('Whittier, CA, US', 'US', '90601'),
              statusCode: 'unknown',
              status: 'SCANNED INTO SACK/CONTAINER',
            },
            {
              timestamp: '2026-01-20T14:04:18',
              location: at('Whittier, CA, US', 'US', '90601'),
              statusCode: 'transit',
              status: 'PROCESSED',
            },
            {
              timestamp: '2026-01-18T09:39:28',
              location: at('Whittier, CA, US', 'US', '90601'),
              statusCode: 'transit',
              status: 'PACKAGE RECEIVED AT DHL ECOMMERCE DISTRIBUTION CENTER',
            },
            { timestamp: '2026-01-11T11:58:34', statusCode: 'unknown', status: 'LABEL CREATED' },
          ],
          { origin: at('PROVO', 'US', '84601'), destination: at('LEEDS', 'GB', 'LS12AB') },
        ),
      ),
      expected: {
        status: 'in_transit',
        last: 'customs_inspection 2026-01-29T16:02:00 HEATHROW',
        at: '2026-01-29T16:02:00.000Z',
        origin: 'PROVO',
        destination: 'LEEDS',
        events: 5,
        exceptions: [],
      },
    },
    {
      name: 'only a label',
      from: 'the same family of samples',
      answer: answer(shipment([{ timestamp: '2026-04-01T10:02:48', statusCode: 'unknown', status: 'LABEL CREATED' }])),
      expected: { status: 'booked', last: 'information_received 2026-04-01T10:02:48 -' },
    },
    {
      name: 'a departure from the first facility',
      from: 'a React DHL tracker’s demonstration data (find_string DEPARTURE ORIGIN)',
      answer: answer(
        shipment([
          {
            timestamp: '2026-04-03T05:31:41',
            location: at('Fontana, CA, US', 'US', '92335'),
            statusCode: 'transit',
            status: 'DEPARTURE ORIGIN DHL ECOMMERCE FACILITY',
          },
          {
            timestamp: '2026-04-03T01:10:21',
            location: at('Fontana, CA, US', 'US', '92335'),
            statusCode: 'transit',
            status: 'PROCESSED',
          },
          {
            timestamp: '2026-04-01T14:11:21',
            statusCode: 'pre-transit',
            status: 'EN ROUTE TO DHL ECOMMERCE OR AWAITING PROCESSING',
          },
        ]),
      ),
      expected: {
        status: 'in_transit',
        last: 'departed_facility 2026-04-03T05:31:41 Fontana, CA',
        at: '2026-04-03T12:31:41.000Z',
      },
    },
    {
      name: 'the official example: a number as id, “pre-transit” beside DELIVERED, a day as the estimate',
      from: 'karrioapi/karrio modules/connectors/dhl_universal',
      identifiers: { tracking_number: '7333310245' },
      answer: answer({
        id: 7333310245,
        service: 'express',
        origin: at('Havenweg 12, ROTTERDAM', 'NL', '3011 AA'),
        destination: at('Oosterweg 9, UTRECHT', 'NL', '3511 BB'),
        status: {
          timestamp: '2026-03-02T07:53:47Z',
          location: at('Havenweg 12, ROTTERDAM', 'NL'),
          statusCode: 'pre-transit',
          status: 'DELIVERED',
          description: 'JESSICA',
        },
        estimatedTimeOfDelivery: '2026-04-03T00:00:00Z',
        estimatedDeliveryTimeFrame: { estimatedFrom: '2026-04-03T00:00:00Z', estimatedThrough: '2026-04-03T22:00:00Z' },
        events: [
          {
            timestamp: '2026-03-02T07:53:47',
            location: at('Havenweg 12, ROTTERDAM', 'NL'),
            statusCode: 'pre-transit',
            status: 'DELIVERED',
            description: 'JESSICA',
            remark: 'The shipment is pending completion of customs inspection.',
          },
        ],
      }),
      expected: {
        status: 'booked',
        last: 'information_received 2026-03-02T07:53:47 Havenweg 12, ROTTERDAM',
        at: '2026-03-02T06:53:47.000Z',
        eta: '2026-04-03',
        origin: 'Havenweg 12, ROTTERDAM',
        destination: 'Oosterweg 9, UTRECHT',
      },
    },
    {
      name: 'a Polish text and a place without a country',
      from: 'a Polish shipment tracker’s tests (find_string statusCode transit)',
      answer: answer(
        shipment(
          [
            {
              timestamp: '2026-04-15T14:44:17',
              location: at('Rzeszów'),
              statusCode: 'transit',
              description: 'przesyłka przyjęta w terminalu nadawczym DHL',
            },
          ],
          { service: 'parcel-pl' },
        ),
      ),
      expected: { status: 'in_transit', last: 'arrived_at_facility 2026-04-15T14:44:17 Rzeszów' },
    },
    {
      name: 'loaded onto the delivery vehicle, with a link in the text',
      from: 'a Dutch parcel tracker’s tests',
      answer: answer(
        shipment([
          {
            timestamp: '2026-04-14T10:11:00',
            statusCode: 'transit',
            description: 'The shipment has been loaded onto the delivery vehicle',
            location: at('Netherlands'),
          },
          {
            timestamp: '2026-04-13T16:05:00',
            statusCode: 'transit',
            description: "The shipment has arrived in the destination country (<a href='https://example.com'>link</a>)",
            location: at('Netherlands'),
          },
          {
            timestamp: '2026-04-10T18:23:00',
            statusCode: 'pre-transit',
            description: 'Instruction data provided by sender',
          },
        ]),
      ),
      expected: {
        status: 'out_for_delivery',
        last: 'out_for_delivery 2026-04-14T10:11:00 Netherlands',
        codes: ['information_received', 'arrived_at_facility', 'out_for_delivery'],
      },
    },
    {
      name: 'an Express delivery with offsets and an estimate that is over',
      from: 'a Norwegian freight client’s tests',
      identifiers: { tracking_number: '9507712335' },
      answer: answer({
        id: '9507712335',
        service: 'express',
        origin: at('GOTHENBURG - SWEDEN', 'SE'),
        destination: at('TROMSO - NORWAY', 'NO'),
        status: { timestamp: '2026-04-21T12:49:00+02:00', statusCode: 'delivered', description: 'Delivered' },
        estimatedTimeOfDelivery: '2026-04-21',
        events: [
          {
            timestamp: '2026-04-21T12:49:00+02:00',
            location: at('TROMSO - NORWAY', 'NO'),
            statusCode: 'delivered',
            description: 'Delivered - Signed by A LARSEN',
          },
          {
            timestamp: '2026-04-21T11:42:00+02:00',
            location: at('TROMSO - NORWAY', 'NO'),
            statusCode: 'transit',
            description: 'Shipment is out with courier for delivery',
          },
        ],
      }),
      expected: {
        status: 'delivered',
        last: 'delivered 2026-04-21T12:49:00 TROMSO - NORWAY',
        at: '2026-04-21T10:49:00.000Z',
        eta: null,
        origin: 'GOTHENBURG - SWEDEN',
        destination: 'TROMSO - NORWAY',
        codes: ['out_for_delivery', 'delivered'],
      },
    },
    {
      name: 'a forwarding shipment whose events have no places',
      from: 'a description of DHL’s dgf service (find_string statusCode transit)',
      answer: answer(
        shipment(
          [
            { timestamp: '2026-02-08T11:56:00+01:00', statusCode: 'delivered', description: 'Shipment Delivered' },
            { timestamp: '2026-02-07T08:36:00+01:00', statusCode: 'transit', description: 'Import Customs Cleared' },
            { timestamp: '2026-01-02T08:00:00+08:00', statusCode: 'transit', description: 'Departed' },
          ],
          { service: 'dgf', origin: at('Ningbo', 'CN'), destination: at('Gijon', 'ES') },
        ),
      ),
      expected: {
        status: 'delivered',
        last: 'delivered 2026-02-08T11:56:00 -',
        origin: 'Ningbo',
        destination: 'Gijon',
        codes: ['departed_facility', 'customs_released', 'delivered'],
      },
    },
    {
      name: 'no list of events, a place in plain text, and an estimate without a zone',
      from: 'a courier comparison’s notes (find_string statusCode transit)',
      answer: answer({
        id: number,
        status: {
          timestamp: '2026-04-19T10:30:00',
          location: 'Malmo',
          statusCode: 'transit',
          status: 'In Transit',
          description: 'Shipment picked up',
        },
        estimatedTimeOfDelivery: '2026-04-22T14:00:00',
      }),
      expected: { status: 'in_transit', last: 'picked_up 2026-04-19T10:30:00 Malmo', eta: '2026-04-22T14:00:00' },
    },
    {
      name: 'a failed attempt, as a single event and not a list',
      from: 'developer.dhl.com status examples in karrio issues',
      answer: answer(
        shipment({
          timestamp: '2026-04-08T13:20:00+02:00',
          location: at('Graz', 'at'),
          statusCode: 'failure',
          description: 'Delivery attempted; consignee premises closed',
        }),
      ),
      expected: {
        status: 'out_for_delivery',
        last: 'delivery_attempted 2026-04-08T13:20:00 Graz',
        exceptions: ['delivery_attempt_failed'],
      },
    },
    {
      name: 'an estimate written as midnight without a zone',
      from: 'DHL Parcel answers in public trackers',
      answer: answer(
        shipment(
          [
            {
              timestamp: '2026-04-18T06:40:00',
              location: at('Aachen', 'DE'),
              statusCode: 'transit',
              description: 'The shipment has been processed in the parcel center',
            },
          ],
          { estimatedTimeOfDelivery: '2026-04-20T00:00:00', destination: at('Bremen', 'DE', '28195') },
        ),
      ),
      expected: {
        status: 'in_transit',
        last: 'in_transit 2026-04-18T06:40:00 Aachen',
        at: '2026-04-18T04:40:00.000Z',
        eta: '2026-04-20',
        destination: 'Bremen',
      },
    },
    {
      name: 'a number that is not found',
      from: 'karrioapi/karrio modules/connectors/dhl_universal',
      answer: {
        status: 404,
        body: { title: 'No result found', detail: 'No shipment with given tracking number found.', status: 404 },
      },
      expected: { outcome: 'not_found' },
    },
  ],
};
