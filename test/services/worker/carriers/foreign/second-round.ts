import type { ForeignCarrier, ForeignRecord } from './foreign-payload.ts';

type Fields = Record<string, unknown>;

/** Payloads that were written after the readers had been mended by the first ones, each read once and then evaluated. */
const dhlNumber = '3318810025';
const dhlCase = (
  name: string,
  events: [string, string, string, string, string?][],
  expected: ForeignRecord,
  more: Fields = {},
) => ({
  name,
  from: 'DHL event texts quoted in public trackers and bug reports',
  answer: {
    body: {
      shipments: [
        {
          id: dhlNumber,
          service: 'express',
          events: events.map(([timestamp, statusCode, description, city, countryCode]) => ({
            timestamp,
            statusCode,
            description,
            location: { address: { addressLocality: city, ...(countryCode ? { countryCode } : {}) } },
          })),
          ...more,
        },
      ],
    },
  },
  expected,
});

export const laterDhlPayloads: ForeignCarrier = {
  connector: 'dhl',
  carrier: 'dhl',
  mode: 'parcel',
  identifiers: { tracking_number: dhlNumber },
  payloads: [
    dhlCase(
      'an Express journey through two hubs',
      [
        ['2026-03-05T10:12:00+01:00', 'transit', 'Shipment is out with courier for delivery', 'KASSEL - GERMANY', 'DE'],
        [
          '2026-03-05T04:10:00+01:00',
          'transit',
          'Arrived at DHL Delivery Facility  KASSEL - GERMANY',
          'KASSEL - GERMANY',
          'DE',
        ],
        [
          '2026-03-04T23:55:00+01:00',
          'transit',
          'Shipment has departed from a DHL facility LEIPZIG - GERMANY',
          'LEIPZIG - GERMANY',
          'DE',
        ],
        [
          '2026-03-04T20:31:00+01:00',
          'transit',
          'Clearance processing complete at LEIPZIG - GERMANY',
          'LEIPZIG - GERMANY',
          'DE',
        ],
        ['2026-03-03T19:00:00+08:00', 'transit', 'Processed at HONG KONG - HONG KONG SAR', 'HONG KONG', 'HK'],
        ['2026-03-03T14:00:00+08:00', 'transit', 'Shipment picked up', 'HONG KONG', 'HK'],
      ],
      {
        status: 'out_for_delivery',
        last: 'out_for_delivery 2026-03-05T10:12:00 KASSEL - GERMANY',
        codes: [
          'picked_up',
          'arrived_at_facility',
          'customs_released',
          'departed_facility',
          'arrived_at_facility',
          'out_for_delivery',
        ],
        exceptions: [],
      },
    ),
    dhlCase(
      'a shipment on hold',
      [
        ['2026-03-05T10:12:00+01:00', 'transit', 'Shipment is on hold', 'KASSEL - GERMANY', 'DE'],
        [
          '2026-03-04T20:31:00+01:00',
          'transit',
          'Arrived at DHL Sort Facility LEIPZIG - GERMANY',
          'LEIPZIG - GERMANY',
          'DE',
        ],
      ],
      { status: 'in_transit', last: 'exception 2026-03-05T10:12:00 KASSEL - GERMANY', exceptions: ['other'] },
    ),
    dhlCase(
      'a parcel that waits at a shop',
      [
        ['2026-03-05T10:12:00', 'transit', 'The shipment is ready for pick-up at the retail outlet.', 'Kassel', 'DE'],
        ['2026-03-05T07:12:00', 'transit', 'The shipment has been loaded onto the delivery vehicle', 'Kassel', 'DE'],
      ],
      { status: 'available_for_pickup', last: 'available_for_pickup 2026-03-05T10:12:00 Kassel' },
    ),
    dhlCase(
      'a parcel fetched from a shop',
      [
        [
          '2026-03-06T17:02:00',
          'delivered',
          'The recipient has picked up the shipment from the retail outlet.',
          'Kassel',
          'DE',
        ],
      ],
      { status: 'delivered', last: 'delivered 2026-03-06T17:02:00 Kassel', at: '2026-03-06T16:02:00.000Z' },
    ),
    dhlCase(
      'a parcel on its way back',
      [
        ['2026-03-06T17:02:00', 'failure', 'The shipment is being returned to the sender', 'Kassel', 'DE'],
        [
          '2026-03-05T07:12:00',
          'transit',
          'The shipment has been processed in the parcel center of origin',
          'Bonn',
          'DE',
        ],
      ],
      { status: 'returned', last: 'return_started 2026-03-06T17:02:00 Kassel' },
    ),
  ],
};

const upsNumber = '1Z12345E0205271688';
const upsCase = (
  name: string,
  steps: [string, string, string, string | null, string, string][],
  expected: ForeignRecord,
) => ({
  name,
  from: 'UPS activities quoted in public questions and trackers',
  answer: {
    body: {
      trackResponse: {
        shipment: [
          {
            package: [
              {
                trackingNumber: upsNumber,
                activity: steps.map(([at, type, code, statusCode, description, city]) => ({
                  date: at.slice(0, 8),
                  time: at.slice(9),
                  status: { type, code, ...(statusCode === null ? {} : { statusCode }), description },
                  location: { address: { city, stateProvince: 'GA', countryCode: 'US' } },
                })),
              },
            ],
          },
        ],
      },
    },
  },
  expected,
});

export const laterUpsPayloads: ForeignCarrier = {
  connector: 'ups',
  carrier: 'ups',
  mode: 'parcel',
  identifiers: { tracking_number: upsNumber },
  payloads: [
    upsCase(
      'a day of ground scans',
      [
        ['20260309 172600', 'D', 'KB', '011', 'DELIVERED', 'Macon'],
        ['20260309 091000', 'I', 'OT', '021', 'Out For Delivery Today', 'Macon'],
        ['20260309 043000', 'I', 'DS', '071', 'Processing at UPS Facility', 'Macon'],
        ['20260309 020000', 'I', 'AR', '005', 'Arrived at Facility', 'Macon'],
      ],
      {
        status: 'delivered',
        last: 'delivered 2026-03-09T17:26:00 Macon, GA',
        codes: ['arrived_at_facility', 'arrived_at_facility', 'out_for_delivery', 'delivered'],
      },
    ),
    upsCase('a second attempt in numbers', [['20260309 172600', 'X', 'NA', '023', 'Second attempt made.', 'Macon']], {
      status: 'out_for_delivery',
      last: 'delivery_attempted 2026-03-09T17:26:00 Macon, GA',
      exceptions: ['delivery_attempt_failed'],
    }),
    upsCase(
      'a severe storm',
      [['20260309 172600', 'X', 'DJ', '052', 'Severe weather conditions have delayed delivery.', 'Macon']],
      { status: 'pending', last: 'delayed 2026-03-09T17:26:00 Macon, GA', exceptions: ['weather'] },
    ),
    upsCase(
      'a changed delivery, at the Access Point',
      [
        ['20260310 101500', 'I', '2Q', '040', 'Delivered to UPS Access Point', 'Macon'],
        ['20260309 172600', 'X', 'ZP', '028', 'The delivery address was changed upon request.', 'Macon'],
      ],
      { status: 'available_for_pickup', last: 'available_for_pickup 2026-03-10T10:15:00 Macon, GA', exceptions: [] },
    ),
    upsCase(
      'damage',
      [
        [
          '20260309 172600',
          'X',
          'DM',
          '059',
          'The package was damaged in transit. We will notify the sender.',
          'Macon',
        ],
      ],
      { status: 'pending', last: 'exception 2026-03-09T17:26:00 Macon, GA', exceptions: ['damaged'] },
    ),
    upsCase(
      'handed to the post office',
      [['20260309 172600', 'I', 'UY', '025', 'Transferred to local post office for delivery', 'Macon']],
      { status: 'in_transit', last: 'in_transit 2026-03-09T17:26:00 Macon, GA', exceptions: [] },
    ),
  ],
};

const fedexNumber = '986578788855';
const fedexCase = (
  name: string,
  scans: [string, string, string, string?, string?][],
  expected: ForeignRecord,
  more: Fields = {},
) => ({
  name,
  from: 'FedEx scans quoted in public questions and trackers',
  answer: {
    body: {
      output: {
        completeTrackResults: [
          {
            trackingNumber: fedexNumber,
            trackResults: [
              {
                scanEvents: scans.map(([date, eventType, eventDescription, exceptionCode, exceptionDescription]) => ({
                  date,
                  eventType,
                  eventDescription,
                  exceptionCode: exceptionCode ?? '',
                  exceptionDescription: exceptionDescription ?? '',
                  scanLocation: { city: 'OMAHA', stateOrProvinceCode: 'NE', countryCode: 'US' },
                })),
                ...more,
              },
            ],
          },
        ],
      },
    },
  },
  expected,
});

export const laterFedexPayloads: ForeignCarrier = {
  connector: 'fedex',
  carrier: 'fedex',
  mode: 'parcel',
  identifiers: { tracking_number: fedexNumber },
  payloads: [
    fedexCase(
      'a future delivery that was asked for',
      [
        ['2026-03-09T09:00:00-05:00', 'DE', 'Delivery exception', '17', 'Customer requested future delivery'],
        ['2026-03-09T07:00:00-05:00', 'AR', 'At local FedEx facility'],
      ],
      { status: 'in_transit', last: 'other 2026-03-09T09:00:00 OMAHA, NE', exceptions: [] },
    ),
    fedexCase(
      'a wrong address',
      [['2026-03-09T09:00:00-05:00', 'DE', 'Delivery exception', '03', 'Incorrect recipient address']],
      {
        status: 'out_for_delivery',
        last: 'delivery_attempted 2026-03-09T09:00:00 OMAHA, NE',
        exceptions: ['address_problem'],
      },
    ),
    fedexCase(
      'a commitment and an estimated window',
      [['2026-03-09T09:00:00-05:00', 'PU', 'Picked up']],
      { status: 'in_transit', last: 'picked_up 2026-03-09T09:00:00 OMAHA, NE', eta: '2026-05-12T17:00:00' },
      {
        dateAndTimes: [{ type: 'COMMITMENT', dateTime: '2026-05-11T00:00:00-06:00' }],
        estimatedDeliveryTimeWindow: {
          window: { begins: '2026-05-12T13:00:00-05:00', ends: '2026-05-12T17:00:00-05:00' },
        },
      },
    ),
    fedexCase(
      'a parcel that goes back, and lost papers',
      [
        ['2026-03-12T09:00:00-05:00', 'RS', 'Returning package to shipper'],
        ['2026-03-11T09:00:00-05:00', 'SE', 'Shipment exception', '29', 'Reattempt to be made'],
      ],
      { status: 'returned', last: 'return_started 2026-03-12T09:00:00 OMAHA, NE' },
    ),
  ],
};

const box = { equipmentReference: 'TESU4471126', ISOEquipmentCode: '45G1', emptyIndicatorCode: 'LADEN' };
const move = (code: string, at: string, unlocode: string, more: Fields = {}): Fields => ({
  eventType: 'EQUIPMENT',
  eventClassifierCode: 'ACT',
  equipmentEventTypeCode: code,
  eventDateTime: at,
  eventCreatedDateTime: at,
  ...box,
  eventLocation: { UNLocationCode: unlocode },
  ...more,
});

export const laterLinePayloads: ForeignCarrier = {
  connector: 'zim',
  carrier: 'ZIMU',
  mode: 'ocean',
  identifiers: { mbl: 'ZIMUHFA99120' },
  payloads: [
    {
      name: 'a train after the ship',
      from: 'inland moves in public DCSA samples',
      answer: {
        body: [
          move('LOAD', '2026-03-01T10:00:00+08:00', 'CNSHA', { transportCall: { modeOfTransport: 'VESSEL' } }),
          move('DISC', '2026-03-20T10:00:00-07:00', 'USLAX', { transportCall: { modeOfTransport: 'VESSEL' } }),
          move('LOAD', '2026-03-22T10:00:00-07:00', 'USLAX', { transportCall: { modeOfTransport: 'RAIL' } }),
          {
            eventType: 'TRANSPORT',
            eventClassifierCode: 'EST',
            transportEventTypeCode: 'ARRI',
            eventDateTime: '2026-05-27T10:00:00-05:00',
            eventCreatedDateTime: '2026-03-22T10:00:00-07:00',
            transportCall: { modeOfTransport: 'RAIL', UNLocationCode: 'USCHI' },
          },
        ],
      },
      expected: { status: 'in_transit', last: 'rail_loaded 2026-03-22T10:00:00 USLAX', origin: 'CNSHA' },
    },
    {
      name: 'a customer’s delivery and stripping',
      from: 'inland moves in public DCSA samples',
      answer: {
        body: [
          move('DISC', '2026-03-20T10:00:00+01:00', 'NLRTM', { transportCall: { modeOfTransport: 'VESSEL' } }),
          move('DROP', '2026-03-22T10:00:00+01:00', 'NLVEN', { transportCall: { modeOfTransport: 'TRUCK' } }),
        ],
      },
      expected: { status: 'delivered', last: 'delivered 2026-03-22T10:00:00 NLVEN' },
    },
  ],
};
