import type { ForeignCarrier } from './foreign-payload.ts';

const number = '771450229318';
type Fields = Record<string, unknown>;

const us = (city: string, stateOrProvinceCode: string): Fields => ({
  streetLines: [''],
  city,
  stateOrProvinceCode,
  postalCode: '56001',
  countryCode: 'US',
  residential: false,
  countryName: 'United States',
});

function scan(
  date: string,
  eventType: string,
  eventDescription: string,
  scanLocation: Fields,
  more: Fields = {},
): Fields {
  return {
    date,
    eventType,
    eventDescription,
    exceptionCode: '',
    exceptionDescription: '',
    scanLocation,
    locationId: 'MKTA',
    locationType: 'FEDEX_FACILITY',
    derivedStatusCode: 'IT',
    derivedStatus: 'In transit',
    ...more,
  };
}

function result(id: string, fields: Fields): Fields {
  return {
    trackingNumberInfo: { trackingNumber: number, trackingNumberUniqueId: id, carrierCode: 'FDXE' },
    shipperInformation: { address: { residential: false } },
    recipientInformation: { address: { residential: false } },
    ...fields,
  };
}

const answer = (...trackResults: Fields[]) => ({
  body: {
    transactionId: '5d6f',
    output: { completeTrackResults: [{ trackingNumber: number, trackResults }] },
  },
});

export const fedexPayloads: ForeignCarrier = {
  connector: 'fedex',
  carrier: 'fedex',
  mode: 'parcel',
  identifiers: { tracking_number: number },
  payloads: [
    {
      name: 'a reused number, a missed customer, a redirection, and a delivery without a place',
      from: 'karrioapi/karrio modules/connectors/fedex (duplicate tracking response)',
      answer: answer(
        result('2459426000~771450229318~FX', {
          dateAndTimes: [{ type: 'SHIP', dateTime: '2025-02-01T00:00:00-06:00' }],
          scanEvents: [scan('2025-02-04T09:00:00-08:00', 'DL', 'Delivered', us('YUMA', 'AZ'))],
        }),
        result('2460426000~771450229318~FX', {
          originLocation: { locationContactAndAddress: { address: us('VISALIA', 'CA') }, locationId: 'FATA' },
          destinationLocation: { locationContactAndAddress: { address: { residential: false } }, locationType: '' },
          lastUpdatedDestinationAddress: us('MERCED', 'CA'),
          dateAndTimes: [
            { type: 'ACTUAL_DELIVERY', dateTime: '2026-04-16T09:26:00-07:00' },
            { type: 'SHIP', dateTime: '2026-04-15T00:00:00-06:00' },
          ],
          scanEvents: [
            scan(
              '2026-04-16T09:26:00-07:00',
              'DL',
              'Delivered',
              { streetLines: [''], residential: false },
              {
                locationType: 'DELIVERY_LOCATION',
              },
            ),
            scan('2026-04-16T08:52:00-07:00', 'OD', 'On FedEx vehicle for delivery', us('VISALIA', 'CA')),
            scan('2026-04-15T14:29:00-07:00', 'AO', 'Shipment arriving On-Time', us('VISALIA', 'CA')),
            scan('2026-04-15T14:25:00-07:00', 'PU', 'Picked up', us('VISALIA', 'CA')),
            scan('2026-04-15T13:26:00-07:00', 'AF', 'At local FedEx facility', us('VISALIA', 'CA'), {
              exceptionCode: 'A3',
              exceptionDescription: 'Tendered at FedEx Facility',
            }),
            scan('2026-04-15T11:28:00-07:00', 'DE', 'Delivery exception', us('VISALIA', 'CA'), {
              exceptionCode: 'A47',
              exceptionDescription: 'FedEx redirected your package to a nearby FedEx location',
              derivedStatusCode: 'DE',
            }),
            scan('2026-04-15T11:26:00-07:00', 'DE', 'Delivery exception', us('VISALIA', 'CA'), {
              exceptionCode: '08',
              exceptionDescription: 'Customer not available or business closed',
              derivedStatusCode: 'DE',
            }),
          ],
        }),
      ),
      expected: {
        status: 'delivered',
        last: 'delivered 2026-04-16T09:26:00 -',
        at: '2026-04-16T16:26:00.000Z',
        eta: null,
        origin: 'VISALIA, CA',
        destination: 'MERCED, CA',
        codes: [
          'delivery_attempted',
          'other',
          'arrived_at_facility',
          'picked_up',
          'other',
          'out_for_delivery',
          'delivered',
        ],
        exceptions: [],
      },
    },
    {
      name: 'a pickup dated at midnight, on the day of the label',
      from: 'karrioapi/karrio modules/connectors/fedex (inconsistent date-times)',
      answer: answer(
        result('2460626000~771450229318~FDEG', {
          scanEvents: [
            scan('2026-03-15T00:00:00', 'PU', 'Picked up', us('ROCHESTER', 'MN')),
            scan('2026-03-15T10:36:00-05:00', 'OC', 'Shipment information sent to FedEx', {
              postalCode: '55901',
              countryCode: 'US',
            }),
          ],
        }),
      ),
      expected: {
        status: 'in_transit',
        last: 'picked_up 2026-03-15 ROCHESTER, MN',
        origin: 'ROCHESTER, MN',
        codes: ['information_received', 'picked_up'],
      },
    },
    {
      name: 'two scans of one minute',
      from: 'FedEx scans quoted in karrioapi/karrio issues',
      answer: answer(
        result('2460726000~771450229318~FDEG', {
          scanEvents: [
            scan('2026-03-16T10:00:40-05:00', 'IT', 'On the way', us('MADISON', 'WI')),
            scan('2026-03-16T10:00:10-05:00', 'AR', 'Arrived at FedEx location', us('MADISON', 'WI')),
            scan('2026-03-15T16:02:00-05:00', 'OC', 'Shipment information sent to FedEx', { countryCode: 'US' }),
          ],
        }),
      ),
      expected: {
        status: 'in_transit',
        last: 'arrived_at_facility 2026-03-16T10:00:40 MADISON, WI',
        events: 3,
      },
    },
    {
      name: 'an empty error beside good data, and an estimated day',
      from: 'karrioapi/karrio and hotwax FedEx samples (find_string exceptionCode A25)',
      answer: answer(
        result('2460826000~771450229318~FX', {
          error: {},
          estimatedDeliveryTimeWindow: { window: {} },
          dateAndTimes: [{ type: 'ESTIMATED_DELIVERY', dateTime: '2026-04-20T00:00:00-06:00' }],
          lastUpdatedDestinationAddress: us('TAMPA', 'FL'),
          shipperInformation: { address: us('MACON', 'GA') },
          scanEvents: [scan('2026-04-17T21:05:00-04:00', 'DP', 'Departed FedEx location', us('MACON', 'GA'))],
        }),
      ),
      expected: {
        status: 'in_transit',
        last: 'departed_facility 2026-04-17T21:05:00 MACON, GA',
        eta: '2026-04-20',
        origin: 'MACON, GA',
        destination: 'TAMPA, FL',
      },
    },
    {
      name: 'scans that have a derived code only',
      from: 'a Python multi-carrier batch parser’s tests (find_string derivedStatusCode)',
      answer: answer({
        dateAndTimes: [
          { type: 'ACTUAL_DELIVERY', dateTime: '2026-04-03T10:15:00-05:00' },
          { type: 'SHIP', dateTime: '2026-04-01T00:00:00-06:00' },
        ],
        shipperInformation: { address: { city: 'BOULDER', stateOrProvinceCode: 'CO', countryCode: 'US' } },
        recipientInformation: { address: { city: 'JACKSON', stateOrProvinceCode: 'TN', countryCode: 'US' } },
        scanEvents: [
          {
            date: '2026-04-03T10:15:00-05:00',
            eventDescription: 'Delivered',
            derivedStatusCode: 'DL',
            scanLocation: { city: 'JACKSON', stateOrProvinceCode: 'TN', countryCode: 'US' },
          },
          {
            date: '2026-04-03T08:00:00-05:00',
            eventDescription: 'On FedEx vehicle for delivery',
            derivedStatusCode: 'OD',
            scanLocation: { city: 'JACKSON', stateOrProvinceCode: 'TN' },
          },
        ],
      }),
      expected: {
        status: 'delivered',
        last: 'delivered 2026-04-03T10:15:00 JACKSON, TN',
        origin: 'BOULDER, CO',
        destination: 'JACKSON, TN',
        codes: ['out_for_delivery', 'delivered'],
      },
    },
    {
      name: 'a hold at a location that the customer asked for',
      from: 'a FedEx fixture of a returns tool (find_string exceptionCode A13)',
      answer: answer(
        result('2460926000~771450229318~FX', {
          scanEvents: [
            scan('2026-04-19T19:03:00-04:00', 'HP', 'Ready for recipient pickup', us('MUNCIE', 'IN'), {
              exceptionCode: '015A',
              exceptionDescription: 'Package available for pickup at FedEx Office: 331 S STATE RD',
              locationType: 'DESTINATION_FEDEX_FACILITY',
            }),
            scan('2026-04-19T08:25:00-04:00', 'OD', 'On FedEx vehicle for delivery', us('MUNCIE', 'IN'), {
              locationType: 'VEHICLE',
            }),
            scan('2026-04-19T07:31:24-04:00', 'HA', 'Hold at location request accepted', us('MUNCIE', 'IN'), {
              exceptionCode: 'A13',
              exceptionDescription: 'Shipment is being redirected as requested to FedEx Office',
            }),
            scan('2026-04-19T07:31:00-04:00', 'AR', 'Arrived at FedEx location', us('MUNCIE', 'IN')),
          ],
        }),
      ),
      expected: {
        status: 'available_for_pickup',
        last: 'available_for_pickup 2026-04-19T19:03:00 MUNCIE, IN',
        codes: ['arrived_at_facility', 'other', 'out_for_delivery', 'available_for_pickup'],
        exceptions: [],
      },
    },
    {
      name: 'a delivery exception that is a redirection asked for by the customer',
      from: 'the same fixture',
      answer: answer(
        result('2460926000~771450229318~FX', {
          scanEvents: [
            scan('2026-04-19T07:31:24-04:00', 'DE', 'Delivery exception', us('MUNCIE', 'IN'), {
              exceptionCode: 'A13',
              exceptionDescription: 'Shipment is being redirected as requested to FedEx Office',
              derivedStatusCode: 'DE',
            }),
            scan('2026-04-19T07:31:00-04:00', 'AR', 'At local FedEx facility', us('MUNCIE', 'IN')),
          ],
        }),
      ),
      expected: { status: 'in_transit', last: 'other 2026-04-19T07:31:24 MUNCIE, IN', exceptions: [] },
    },
    {
      name: 'no scans, only the days of pickup and delivery',
      from: 'FedEx virtual responses (portal example)',
      answer: answer(
        result('2461026000~771450229318~FX', {
          scanEvents: [],
          dateAndTimes: [
            { type: 'ACTUAL_PICKUP', dateTime: '2026-02-05T00:00:00' },
            { type: 'ACTUAL_DELIVERY', dateTime: '2026-02-07T00:00:00' },
          ],
          originLocation: { locationContactAndAddress: { address: us('SALEM', 'OR') } },
          destinationLocation: { locationContactAndAddress: { address: us('TACOMA', 'WA') } },
        }),
      ),
      expected: {
        status: 'delivered',
        last: 'delivered 2026-02-07 TACOMA, WA',
        origin: 'SALEM, OR',
        destination: 'TACOMA, WA',
      },
    },
    {
      name: 'an offset after a space, and a plane that has landed',
      from: 'a FedEx fixture of a returns tool (2024, date with “ -0500”)',
      answer: answer(
        result('2461126000~771450229318~FX', {
          error: { code: '', message: '' },
          scanEvents: [
            scan('2026-04-12T15:18:10 -0500', 'PL', 'Plane landed', us('FORT WORTH', 'TX')),
            scan('2026-04-12T12:03:00 -0500', 'PF', 'Plane in flight', us('MEMPHIS', 'TN')),
          ],
        }),
      ),
      expected: {
        status: 'in_transit',
        last: 'arrived_at_facility 2026-04-12T15:18:10 FORT WORTH, TX',
        at: '2026-04-12T20:18:10.000Z',
        unreadable: 0,
      },
    },
    {
      name: 'a weather delay',
      from: 'FedEx virtual responses (delayDetail)',
      answer: answer(
        result('2461226000~771450229318~FX', {
          scanEvents: [
            scan('2026-02-02T12:01:00-07:00', 'DY', 'Delay', us('DURANGO', 'CO'), {
              exceptionCode: '71',
              exceptionDescription: 'Weather delay',
              delayDetail: { type: 'WEATHER', subType: 'SNOW', status: 'DELAYED' },
            }),
            scan('2026-02-01T18:00:00-07:00', 'PU', 'Picked up', us('PUEBLO', 'CO')),
          ],
        }),
      ),
      expected: {
        status: 'in_transit',
        last: 'delayed 2026-02-02T12:01:00 DURANGO, CO',
        exceptions: ['weather'],
      },
    },
    {
      name: 'a clearance delay and its end',
      from: 'FedEx tracking codes in public package libraries',
      answer: answer(
        result('2461326000~771450229318~FX', {
          scanEvents: [
            scan('2026-03-09T19:40:00+01:00', 'CC', 'International shipment release - Import', {
              city: 'LIEGE',
              countryCode: 'BE',
            }),
            scan('2026-03-09T07:12:00+01:00', 'CD', 'Clearance delay - Import', { city: 'LIEGE', countryCode: 'BE' }),
            scan('2026-03-08T22:00:00-04:00', 'IT', 'In transit', us('NEWARK', 'NJ')),
          ],
        }),
      ),
      expected: {
        status: 'in_transit',
        last: 'customs_released 2026-03-09T19:40:00 LIEGE',
        codes: ['in_transit', 'customs_hold', 'customs_released'],
        exceptions: [],
      },
    },
    {
      name: 'a number that is not found',
      from: 'karrioapi/karrio modules/connectors/fedex',
      answer: answer({
        trackingNumberInfo: { trackingNumber: number },
        error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND', message: 'Tracking number cannot be found.' },
      }),
      expected: { outcome: 'not_found' },
    },
  ],
};
