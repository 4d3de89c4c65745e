import { describe, expect, it } from 'vitest';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { readForeign } from '../foreign/foreign-payload.ts';

type Fields = Record<string, unknown>;

const number = '7777777770';
const identifiers = { tracking_number: number };

async function recordOf(connector: ConnectorCode, body: Fields) {
  const record = await readForeign({ connector, carrier: connector.toUpperCase(), mode: 'parcel', identifiers }, {
    answer: { body },
  } as Parameters<typeof readForeign>[1]);
  if (!('status' in record)) throw new Error(JSON.stringify(record));
  return record;
}

const ofDhl = (shipment: Fields, ...others: Fields[]) =>
  recordOf('dhl', { shipments: [{ id: number, ...shipment }, ...others.map((each) => ({ id: number, ...each }))] });
const ofUps = (...packages: Fields[]) =>
  recordOf('ups', {
    trackResponse: { shipment: packages.map((each) => ({ package: [{ trackingNumber: number, ...each }] })) },
  });
const ofUsps = (parcel: Fields) => recordOf('usps', { trackingNumber: number, ...parcel });
const ofGls = (parcel: Fields) => recordOf('gls', { parcels: [{ requested: number, unitno: number, ...parcel }] });
const ofFedex = (result: Fields) =>
  recordOf('fedex', { output: { completeTrackResults: [{ trackingNumber: number, trackResults: [result] }] } });

const berlin = { address: { addressLocality: 'Berlin', countryCode: 'DE' } };
const scanned = (timestamp: string, description: string, more: Fields = {}) => ({
  timestamp,
  description,
  location: berlin,
  ...more,
});
const activity = (date: string, time: string, status: Fields, more: Fields = {}) => ({
  date,
  time,
  gmtOffset: '-05:00',
  location: { address: { city: 'Boston', stateProvince: 'MA', countryCode: 'US' } },
  status,
  ...more,
});

describe('both ends in one town', () => {
  it('takes a pickup and the handling after it for transit at DHL', async () => {
    const steps = ['The shipment was picked up', 'Arrived at the parcel center', 'Departed from the parcel center'];
    const statuses: string[] = [];
    for (let count = 0; count <= steps.length; count += 1) {
      const events = [
        scanned('2026-04-20T08:00:00+02:00', 'Electronic data received', { statusCode: 'pre-transit' }),
        ...steps
          .slice(0, count)
          .map((words, index) => scanned(`2026-04-2${index + 1}T08:00:00+02:00`, words, { statusCode: 'transit' })),
      ];
      const ends = { origin: berlin, destination: berlin, estimatedTimeOfDelivery: '2026-05-03T12:00:00+02:00' };
      statuses.push((await ofDhl({ ...ends, events })).status);
    }
    expect(statuses).toEqual(['booked', 'in_transit', 'in_transit', 'in_transit']);
  });

  it('takes a pickup for transit at UPS and USPS', async () => {
    const boston = { address: { city: 'Boston', stateProvince: 'MA', countryCode: 'US' } };
    const ups = await ofUps({
      packageAddress: [
        { type: 'ORIGIN', ...boston },
        { type: 'DESTINATION', ...boston },
      ],
      deliveryDate: [{ type: 'SDD', date: '20260503' }],
      activity: [
        activity('20260422', '080000', { type: 'I', code: 'AR', description: 'Arrived at Facility' }),
        activity('20260421', '080000', { type: 'P', code: 'PU', description: 'Pickup Scan' }),
      ],
    });
    expect(ups).toMatchObject({ status: 'in_transit', codes: ['picked_up', 'arrived_at_facility'] });
    const place = { eventCity: 'DENVER', eventState: 'CO' };
    const usps = await ofUsps({
      destinationCity: 'DENVER',
      destinationState: 'CO',
      expectedDeliveryTimeStamp: '2026-05-03T21:00:00',
      trackingEvents: [
        { eventTimestamp: '2026-04-21T08:00:00', eventCode: '03', eventType: 'Accepted at USPS Facility', ...place },
      ],
    });
    expect(usps.status).toBe('in_transit');
  });
});

describe("the carrier's summary", () => {
  it('gives the scan of its time its meaning at DHL', async () => {
    const events = [
      scanned('2026-04-22T12:00:00+02:00', 'Delivered - Signed for by: A'),
      scanned('2026-04-22T08:00:00+02:00', 'Out with courier for delivery'),
    ];
    const status = { statusCode: 'delivered', timestamp: '2026-04-22T12:00:00+02:00' };
    expect(await ofDhl({ status, events })).toMatchObject({
      status: 'delivered',
      codes: ['out_for_delivery', 'delivered'],
    });
    const silent = [scanned('2026-04-22T12:00:00+02:00', 'Text'), events[1] as Fields];
    expect(await ofDhl({ status, events: silent })).toMatchObject({ status: 'delivered', events: 2 });
    const lagging = events.slice(1);
    expect(await ofDhl({ status, events: lagging })).toMatchObject({ status: 'delivered', events: 2 });
  });

  it('does not win against a newer list at DHL', async () => {
    const events = [scanned('2026-04-22T12:00:00+02:00', 'Delivered', { statusCode: 'delivered' })];
    const status = { statusCode: 'transit', timestamp: '2026-04-21T12:00:00+02:00', description: 'In transit' };
    expect(await ofDhl({ status, events })).toMatchObject({ status: 'delivered', events: 1 });
  });

  it('delivers at UPS what the activities do not', async () => {
    const stated = {
      currentStatus: { type: 'D', code: '011', description: 'Delivered' },
      deliveryDate: [{ type: 'DEL', date: '20260422' }],
      deliveryTime: { type: 'DEL', endTime: '143000' },
    };
    const activities = [
      activity('20260422', '080000', { type: 'I', statusCode: '021', description: 'Out For Delivery Today' }),
    ];
    expect((await ofUps({ ...stated, activity: activities })).status).toBe('delivered');
    expect((await ofUps(stated)).status).toBe('delivered');
    const { deliveryDate, ...dateless } = stated;
    expect(deliveryDate).toHaveLength(1);
    expect((await ofUps({ ...dateless, activity: activities })).status).toBe('delivered');
  });

  it('delivers at USPS, GLS and FedEx what the list does not', async () => {
    const usps = await ofUsps({
      statusCategory: 'Delivered',
      statusSummary: 'Your item was delivered in or at the mailbox at 12:56 pm on April 22, 2026 in DENVER, CO 80204.',
      destinationCity: 'DENVER',
      destinationState: 'CO',
      trackingEvents: [
        { eventTimestamp: '2026-04-22T08:00:00', eventCode: 'OF', eventCity: 'DENVER', eventState: 'CO' },
      ],
    });
    expect(usps).toMatchObject({ status: 'delivered', at: '2026-04-22T18:56:00.000Z' });
    const gls = await ofGls({
      status: 'DELIVERED',
      statusDateTime: '2026-04-22T12:56:00+02:00',
      events: [{ code: 'OUTDEL.NORMAL', eventDateTime: '2026-04-22T08:00:00+02:00', city: 'Berlin', country: 'DE' }],
    });
    expect(gls).toMatchObject({ status: 'delivered', at: '2026-04-22T10:56:00.000Z' });
    const fedex = await ofFedex({
      latestStatusDetail: { code: 'DL', description: 'Delivered' },
      dateAndTimes: [{ type: 'ACTUAL_DELIVERY', dateTime: '2026-04-22T12:56:00-05:00' }],
      scanEvents: [{ date: '2026-04-22T08:00:00-05:00', eventType: 'OD', eventDescription: 'On FedEx vehicle' }],
    });
    expect(fedex).toMatchObject({ status: 'delivered', at: '2026-04-22T17:56:00.000Z' });
  });
});

describe('words and codes', () => {
  it('lets the words decide about a number of UPS with two meanings', async () => {
    const doubtful = activity('20260422', '080000', {
      type: 'I',
      code: 'DA',
      statusCode: '014',
      description: 'Your package is on the way',
    });
    expect((await ofUps({ activity: [doubtful] })).codes).toEqual(['in_transit']);
    const cleared = activity('20260422', '080000', {
      type: 'I',
      code: 'CC',
      statusCode: '014',
      description: 'Your package has cleared customs.',
    });
    expect((await ofUps({ activity: [cleared] })).codes).toEqual(['customs_released']);
  });

  it.each([
    ['The shipment has been loaded to the van', undefined, 'out_for_delivery'],
    ['SHIPPER INSTRUCTED TO RTO THE SHIPMENT', undefined, 'return_started'],
    ['Sorting complete', undefined, 'in_transit'],
    ['Returned to the sender', 'EXPECTED_RETURN_DELIVERED_AT_SHIPPER_CALCULATED', 'return_started'],
    [undefined, 'EXPECTED_RETURN_DELIVERED_AT_SHIPPER_CALCULATED', 'return_started'],
    [undefined, 'DELIVERED_AT_PARCELSTATION', 'available_for_pickup'],
    [undefined, 'PARCEL_HELD_FOR_COLLECTION_AT_LOCAL_DEPOT', 'available_for_pickup'],
    ['Die Sendung wurde in das Zustellfahrzeug geladen.', undefined, 'out_for_delivery'],
  ])('reads a step of DHL: %s %s is %s', async (description, status, code) => {
    const events = [{ ...scanned('2026-04-22T08:00:00+02:00', ''), statusCode: 'transit', description, status }];
    expect((await ofDhl({ events })).codes).toEqual([code]);
  });

  it('takes back a delivery that the words call waiting for its recipient, at every carrier', async () => {
    const dhl = scanned('2026-04-22T08:00:00+02:00', 'Handed over to the Parcelshop', { statusCode: 'delivered' });
    expect((await ofDhl({ events: [dhl] })).status).toBe('available_for_pickup');
    const ups = activity('20260422', '080000', { type: 'D', description: 'Ready for customer pickup' });
    expect((await ofUps({ activity: [ups] })).status).toBe('available_for_pickup');
    const usps = { eventTimestamp: '2026-04-22T08:00:00', eventCode: '01', eventType: 'Awaiting collection' };
    expect((await ofUsps({ trackingEvents: [usps] })).status).toBe('available_for_pickup');
    const gls = { code: 'DELIVD.X', eventDateTime: '2026-04-22T08:00:00', description: 'Ready for collection' };
    expect((await ofGls({ events: [gls] })).status).toBe('available_for_pickup');
    const fedex = { date: '2026-04-22T08:00:00-05:00', eventType: 'DL', eventDescription: 'Ready for pickup' };
    expect((await ofFedex({ scanEvents: [fedex] })).status).toBe('available_for_pickup');
  });

  it('reads the words of a code that is unknown, at every carrier', async () => {
    const words = 'Das Paket wurde erfolgreich zugestellt.';
    const ups = activity('20260422', '080000', { type: 'ZZ', description: words });
    const usps = { eventTimestamp: '2026-04-22T08:00:00', eventCode: 'ZZ', eventType: words };
    const gls = { code: 'NEW.CODE', eventDateTime: '2026-04-22T08:00:00', description: words };
    const fedex = { date: '2026-04-22T08:00:00-05:00', eventType: 'ZZ', eventDescription: words };
    const records = [
      await ofDhl({ events: [scanned('2026-04-22T08:00:00+02:00', words)] }),
      await ofUps({ activity: [ups] }),
      await ofUsps({ trackingEvents: [usps] }),
      await ofGls({ events: [gls] }),
      await ofFedex({ scanEvents: [fedex] }),
    ];
    expect(records.map(({ status }) => status)).toEqual(Array(5).fill('delivered'));
  });
});

describe('a number that was given out again', () => {
  const before = activity('20250210', '120000', { type: 'D', statusCode: '011', description: 'Delivered' });
  const now = activity('20260420', '120000', { type: 'I', code: 'DP', description: 'Departed from Facility' });

  it('is the newest parcel at UPS, in any order and in one list', async () => {
    for (const packages of [
      [{ activity: [before] }, { activity: [now] }],
      [{ activity: [now] }, { activity: [before] }],
      [{ activity: [now, before] }],
      [{ activity: [before, now] }],
    ])
      expect(await ofUps(...packages)).toMatchObject({ status: 'in_transit', events: 1 });
  });

  it('is the newest parcel at DHL, USPS, GLS and FedEx', async () => {
    const old = scanned('2025-02-10T12:00:00+01:00', 'Delivered', { statusCode: 'delivered' });
    const young = scanned('2026-04-20T12:00:00+02:00', 'Departed', { statusCode: 'transit' });
    expect(await ofDhl({ events: [old] }, { events: [young] })).toMatchObject({ status: 'in_transit', events: 1 });
    expect(await ofDhl({ events: [young, old] })).toMatchObject({ status: 'in_transit', events: 1 });
    const usps = [
      { eventTimestamp: '2026-04-20T12:00:00', eventCode: '82', eventType: 'Departed' },
      { eventTimestamp: '2025-02-10T12:00:00', eventCode: '01', eventType: 'Delivered' },
    ];
    expect(await ofUsps({ trackingEvents: usps })).toMatchObject({ status: 'in_transit', events: 1 });
    const gls = [
      { code: 'OUTBOD.NORMAL', eventDateTime: '2026-04-20T12:00:00' },
      { code: 'DELIVD.NORMAL', eventDateTime: '2025-02-10T12:00:00' },
    ];
    expect(await ofGls({ events: gls })).toMatchObject({ status: 'in_transit', events: 1 });
    const fedex = [
      { date: '2026-04-20T12:00:00-05:00', eventType: 'DP' },
      { date: '2025-02-10T12:00:00-05:00', eventType: 'DL' },
    ];
    expect(await ofFedex({ scanEvents: fedex })).toMatchObject({ status: 'in_transit', events: 1 });
  });

  it('is one parcel still if a proof or a return follows its delivery', async () => {
    const back = activity('20250301', '120000', { type: 'RS', description: 'Returning to Sender' });
    expect(await ofUps({ activity: [before, back] })).toMatchObject({ events: 2 });
  });
});

describe('times and places of parcels', () => {
  it('reads a clock of USPS without a date from the GMT fields', async () => {
    const event = {
      eventTimestamp: '12:56 pm',
      GMTTimestamp: '2026-04-22T18:56:00Z',
      GMTOffset: '-06:00',
      eventCode: '01',
      eventType: 'Delivered',
    };
    expect(await ofUsps({ trackingEvents: [event] })).toMatchObject({
      status: 'delivered',
      last: 'delivered 2026-04-22T12:56:00 -',
      at: '2026-04-22T18:56:00.000Z',
      unreadable: 0,
    });
  });

  it('reads an activity of UPS that has only its time in GMT', async () => {
    const { date, time, ...rest } = activity('20260422', '080000', { type: 'D', statusCode: '011' });
    expect([date, time]).toEqual(['20260422', '080000']);
    const record = await ofUps({ activity: [{ ...rest, gmtDate: '20260422', gmtTime: '130000' }] });
    expect(record).toMatchObject({ status: 'delivered', at: '2026-04-22T13:00:00.000Z' });
  });

  it('takes midnight without GMT for a day at USPS', async () => {
    const event = { eventTimestamp: '2026-04-20T00:00:00', eventCode: 'MA', eventType: 'Pre-Shipment' };
    expect((await ofUsps({ trackingEvents: [event] })).last).toBe('information_received 2026-04-20 -');
  });

  it('takes a deadline at midnight for the day before at DHL', async () => {
    const record = await ofDhl({
      destination: berlin,
      estimatedTimeOfDelivery: '2026-05-03T22:00:00Z',
      estimatedTimeOfDeliveryRemark: 'By end of day',
      estimatedDeliveryTimeFrame: { estimatedThrough: '2026-05-03T22:00:00Z' },
      events: [scanned('2026-04-22T08:00:00+02:00', 'In transit', { statusCode: 'transit' })],
    });
    expect(record.eta).toBe('2026-05-03');
  });

  it.each(['TOKYO - JAPAN', 'TOKYO, JAPAN'])('reads place and country of "%s"', async (written) => {
    const events = [
      {
        timestamp: '2026-04-22T08:00:00',
        description: 'Processed',
        statusCode: 'transit',
        location: { address: { addressLocality: written } },
      },
    ];
    expect(await ofDhl({ events })).toMatchObject({ at: '2026-04-21T23:00:00.000Z' });
  });
});
