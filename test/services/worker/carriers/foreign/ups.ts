import type { ForeignCarrier } from './foreign-payload.ts';

const number = '1Z88F5310391447206';
type Fields = Record<string, unknown>;

function activity(
  at: string,
  [type, code, statusCode, description]: (string | null)[],
  address: Fields | null,
): Fields {
  const [date, time] = at.split(' ');
  return {
    ...(address === null ? {} : { location: { address, slic: '4911' } }),
    status: {
      type,
      description,
      ...(code === null ? {} : { code }),
      ...(statusCode === null ? {} : { statusCode }),
    },
    date,
    time,
  };
}

const us = (city: string, stateProvince: string): Fields => ({ city, stateProvince, countryCode: 'US', country: 'US' });
const answer = (...packages: Fields[]) => ({
  body: {
    trackResponse: {
      shipment: [{ inquiryNumber: number, package: packages.map((each) => ({ trackingNumber: number, ...each })) }],
    },
  },
});

export const upsPayloads: ForeignCarrier = {
  connector: 'ups',
  carrier: 'ups',
  mode: 'parcel',
  identifiers: { tracking_number: number },
  payloads: [
    {
      name: 'in transit, with the addresses of the package and an empty list of delivery dates',
      from: 'a web shop’s tracking API documentation (find_string simplifiedTextDescription)',
      answer: answer({
        deliveryDate: [],
        activity: [activity('20260415 143000', ['I', 'AR', '005', 'Arrived at Facility'], us('Harrisburg', 'PA'))],
        currentStatus: { description: 'In Transit', code: '005' },
        packageAddress: [
          { type: 'ORIGIN', address: us('Camden', 'NJ') },
          { type: 'DESTINATION', address: us('Reno', 'NV') },
        ],
      }),
      expected: {
        status: 'in_transit',
        last: 'arrived_at_facility 2026-04-15T14:30:00 Harrisburg, PA',
        at: '2026-04-15T18:30:00.000Z',
        eta: null,
        origin: 'Camden, NJ',
        destination: 'Reno, NV',
        exceptions: [],
      },
    },
    {
      name: 'a release by customs with the number of a label and the type of an exception, and placeholder dates',
      from: 'karrioapi/karrio modules/connectors/ups',
      answer: answer({
        accessPointInformation: { pickupByDate: 'string' },
        activity: [
          activity(
            '20260210 071356',
            ['X', 'SR', '003', 'Your package was released by the customs agency.'],
            us('Newark', 'NJ'),
          ),
        ],
        deliveryDate: [{ date: 'string', type: 'string' }],
        deliveryTime: { endTime: 'string', startTime: 'string', type: 'string' },
        packageAddress: [{ type: 'ORIGIN/DESTINATION', name: 'Sears', address: us('Newark', 'NJ') }],
      }),
      expected: {
        status: 'pending',
        last: 'customs_released 2026-02-10T07:13:56 Newark, NJ',
        eta: null,
        exceptions: [],
        unreadable: 0,
      },
    },
    {
      name: 'a government hold and, later, only the papers for the clearance',
      from: 'a Canadian reseller’s tracking page (find_string “received the information needed”)',
      answer: answer({
        activity: [
          activity(
            '20260302 102114',
            ['I', 'FI', '014', 'UPS has received the information needed to submit your package for clearance.'],
            { city: 'Mumbai', countryCode: 'IN' },
          ),
          activity(
            '20260302 091300',
            [
              'X',
              'RK',
              '058',
              'Your package is pending release from a Government Agency. Once they release it, your package will be on its way.',
            ],
            { city: 'Mumbai', countryCode: 'IN' },
          ),
          activity('20260227 180000', ['P', 'PU', '038', 'Pickup Scan'], { city: 'Dubai', countryCode: 'AE' }),
        ],
      }),
      expected: {
        status: 'in_transit',
        last: 'customs_inspection 2026-03-02T10:21:14 Mumbai',
        exceptions: ['customs_hold'],
      },
    },
    {
      name: 'the same hold and papers in one second',
      from: 'the same page',
      answer: answer({
        activity: [
          activity(
            '20260302 091300',
            ['X', 'FI', '014', 'UPS has received the information needed to submit your package for clearance.'],
            { city: 'Mumbai', countryCode: 'IN' },
          ),
          activity(
            '20260302 091300',
            ['X', 'RK', '058', 'Clearance information is required. We are working to obtain it.'],
            { city: 'Mumbai', countryCode: 'IN' },
          ),
          activity('20260227 180000', ['P', 'PU', '038', 'Pickup Scan'], { city: 'Dubai', countryCode: 'AE' }),
        ],
      }),
      expected: {
        status: 'in_transit',
        last: 'customs_inspection 2026-03-02T09:13:00 Mumbai',
        events: 3,
        exceptions: ['customs_hold'],
      },
    },
    {
      name: 'a package that waits for its final release',
      from: 'ladenit/ups-iftsta messages (find_string “awaiting final release”)',
      answer: answer({
        activity: [
          activity(
            '20260123 023727',
            ['X', 'SR', '012', 'Your package is at the clearing agency awaiting final release.'],
            { city: 'BERN', countryCode: 'CH', country: 'CH' },
          ),
          activity('20260122 214000', ['I', 'DP', '010', 'Departed from Facility'], {
            city: 'KOELN',
            countryCode: 'DE',
          }),
        ],
      }),
      expected: {
        status: 'in_transit',
        last: 'customs_hold 2026-01-23T02:37:27 BERN',
        at: '2026-01-23T01:37:27.000Z',
        exceptions: ['customs_hold'],
      },
    },
    {
      name: 'a hold that the agency ended, with import and warehouse scans',
      from: 'the Canadian reseller’s tracking page',
      answer: answer({
        activity: [
          activity('20260302 183000', ['I', 'DP', '005', 'Departed from Facility'], {
            city: 'Pune',
            countryCode: 'IN',
          }),
          activity('20260302 164000', ['I', 'RS', '014', 'Your package has been released by the government agency.'], {
            city: 'Mumbai',
            countryCode: 'IN',
          }),
          activity('20260302 040946', ['I', 'WH', '005', 'Warehouse Scan'], { city: 'Mumbai', countryCode: 'IN' }),
          activity('20260302 040945', ['I', 'IP', '005', 'Import Scan'], { city: 'Mumbai', countryCode: 'IN' }),
          activity(
            '20260301 141221',
            [
              'X',
              'NB',
              '058',
              'UPS initiated contact with the sender to obtain clearance information. Once received, UPS will submit for clearance.',
            ],
            { city: 'Mumbai', countryCode: 'IN' },
          ),
        ],
      }),
      expected: {
        status: 'in_transit',
        last: 'departed_facility 2026-03-02T18:30:00 Pune',
        codes: ['customs_hold', 'in_transit', 'in_transit', 'customs_released', 'departed_facility'],
        exceptions: [],
      },
    },
    {
      name: 'delivered, without numbers, with a delivery date of type DEL',
      from: 'a Dutch parcel tracker’s tests (find_string type I description)',
      answer: answer({
        deliveryDate: [{ type: 'DEL', date: '20260411' }],
        deliveryTime: { type: 'DEL', endTime: '103000' },
        activity: [
          activity('20260411 103045', ['D', 'FS', null, 'DELIVERED'], { city: 'ALMERE', countryCode: 'NL' }),
          activity('20260410 221500', ['I', 'DP', null, 'Departed from Facility'], {
            city: 'BREDA',
            countryCode: 'NL',
          }),
        ],
        currentStatus: { code: '011', description: 'Delivered' },
      }),
      expected: {
        status: 'delivered',
        last: 'delivered 2026-04-11T10:30:45 ALMERE',
        at: '2026-04-11T08:30:45.000Z',
        eta: null,
        codes: ['departed_facility', 'delivered'],
      },
    },
    {
      name: 'out for delivery said in words alone',
      from: 'a Java multi-carrier connector’s tests (find_string type I description)',
      answer: answer({
        activity: [
          activity('20260116 083000', ['I', 'OFD', null, 'Out for Delivery'], {
            city: 'Albany',
            stateProvince: 'NY',
            country: 'US',
          }),
          activity('20260115 220000', ['I', 'DP', null, 'Departed from Facility'], {
            city: 'Erie',
            stateProvince: 'PA',
            country: 'US',
          }),
        ],
      }),
      expected: {
        status: 'out_for_delivery',
        last: 'out_for_delivery 2026-01-16T08:30:00 Albany, NY',
        at: '2026-01-16T13:30:00.000Z',
      },
    },
    {
      name: 'a label with a scheduled date and no place',
      from: 'UPS-API/api-documentation Tracking.yaml',
      answer: answer({
        deliveryDate: [{ type: 'SDD', date: '20260422' }],
        deliveryTime: { type: 'EOD', startTime: '', endTime: '' },
        activity: [
          activity(
            '20260417 124819',
            ['M', 'MP', '003', 'Shipper created a label, UPS has not received the package yet.'],
            { countryCode: 'CA' },
          ),
        ],
        packageAddress: [
          { type: 'ORIGIN', address: { city: 'REGINA', stateProvince: 'SK', countryCode: 'CA' } },
          { type: 'DESTINATION', address: { city: 'HALIFAX', stateProvince: 'NS', countryCode: 'CA' } },
        ],
      }),
      expected: {
        status: 'booked',
        last: 'information_received 2026-04-17T12:48:19 CA',
        eta: '2026-04-22',
        origin: 'REGINA, SK',
        destination: 'HALIFAX, NS',
      },
    },
    {
      name: 'one of several packages, whose only activity is not in a list',
      from: 'UPS-API/api-documentation Tracking.yaml',
      answer: {
        body: {
          trackResponse: {
            shipment: {
              inquiryNumber: number,
              package: [
                {
                  trackingNumber: '1Z88F5310391447215',
                  activity: [activity('20260401 090000', ['D', 'KB', '011', 'DELIVERED'], us('Boise', 'ID'))],
                },
                {
                  trackingNumber: number.toLowerCase(),
                  activity: activity(
                    '20260401 055500',
                    ['i', 'ot', '021', 'Out For Delivery Today'],
                    us('Provo', 'UT'),
                  ),
                },
              ],
            },
          },
        },
      },
      expected: {
        status: 'out_for_delivery',
        last: 'delivered 2026-04-01T09:00:00 Boise, ID',
        at: '2026-04-01T15:00:00.000Z',
        events: 2,
      },
    },
    {
      name: 'facility scans with two letters, in GMT too',
      from: 'jeffrey-io/wall-e-like parcel trackers; UPS scan codes AF and OR',
      answer: answer({
        activity: [
          {
            ...activity('20260406 231200', ['I', 'AF', '005', 'Arrived at Facility'], us('Dallas', 'TX')),
            gmtDate: '20260407',
            gmtTime: '041200',
            gmtOffset: '-05:00',
          },
          activity('20260406 201500', ['I', 'DP', '005', 'Departed from Facility'], us('Tulsa', 'OK')),
          activity('20260406 190211', ['I', 'OR', '005', 'Origin Scan'], us('Tulsa', 'OK')),
        ],
      }),
      expected: {
        status: 'in_transit',
        last: 'arrived_at_facility 2026-04-06T23:12:00 Dallas, TX',
        at: '2026-04-07T04:12:00.000Z',
        codes: ['arrived_at_facility', 'departed_facility', 'arrived_at_facility'],
      },
    },
    {
      name: 'a receiver who was not there, without a number',
      from: 'UPS web tracking texts quoted in bug reports',
      answer: answer({
        activity: [
          activity(
            '20260409 112000',
            [
              'X',
              null,
              null,
              "The receiver was not available for delivery. We'll make a second attempt the next business day.",
            ],
            us('Fargo', 'ND'),
          ),
        ],
      }),
      expected: {
        status: 'out_for_delivery',
        last: 'delivery_attempted 2026-04-09T11:20:00 Fargo, ND',
        exceptions: ['delivery_attempt_failed'],
      },
    },
    {
      name: 'a delay that only the words report',
      from: 'the Canadian reseller’s tracking page',
      answer: answer({
        activity: [
          activity(
            '20260403 031035',
            ['I', 'ZZ', '998', 'Your package may be delayed due to a required x-ray inspection.'],
            { city: 'SHENZHEN', countryCode: 'CN' },
          ),
        ],
      }),
      expected: { status: 'pending', last: 'delayed 2026-04-03T03:10:35 SHENZHEN', exceptions: ['delayed'] },
    },
    {
      name: 'an unknown number, reported by a warning',
      from: 'karrioapi/karrio modules/connectors/ups',
      answer: {
        body: {
          trackResponse: {
            shipment: [{ warnings: [{ code: 'TW0001', message: 'Tracking Information Not Found' }] }],
          },
        },
      },
      expected: { outcome: 'not_found' },
    },
  ],
};
