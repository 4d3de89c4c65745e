import { describe, expect, it } from 'vitest';
import { htmlText } from '#services/worker/carriers/usps/html-text.ts';
import { usps } from '#services/worker/carriers/usps/usps.ts';
import { codeOfUsps, detailOfUsps } from '#services/worker/carriers/usps/usps-codes.ts';
import { cannedCarrier, fetchFor, parcelSubject, readingOf } from './canned-carrier.ts';

const number = '9400109104250532908587';

type Fields = Record<string, unknown>;

function scan(eventCode: string, eventType: string, changes: Fields = {}): Fields {
  return {
    eventType,
    eventTimestamp: '2026-02-12T06:16:00',
    GMTTimestamp: '2026-02-12T11:16:41Z',
    GMTOffset: '-5:00',
    eventCity: 'QUEENS',
    eventState: 'NY',
    eventCode,
    ...changes,
  };
}

function read(events: unknown, parcel: Fields = {}) {
  const body = { trackingNumber: number, statusCategory: 'In Transit', trackingEvents: events, ...parcel };
  return readingOf(usps, cannedCarrier(() => ({ body })).ctx, parcelSubject(number, { carrier: 'usps' }));
}

describe('the request', () => {
  it('asks for one number with its details, with a token for the client credentials in a form', async () => {
    const { ctx, asked, tokensAsked } = cannedCarrier(() => ({ body: { trackingEvents: [] } }));
    await fetchFor(usps, ctx, parcelSubject(number));
    expect(asked.map(({ url }) => url.href)).toEqual([
      `https://carrier.test/tracking/v3/tracking/${number}?expand=DETAIL`,
    ]);
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer token 1');
    expect(Object.fromEntries(new URLSearchParams(tokensAsked[0]?.body))).toMatchObject({
      grant_type: 'client_credentials',
      client_id: 'the id',
      client_secret: 'the secret',
    });
  });

  it.each([
    [404, {}, { outcome: 'not_found', httpStatus: 404 }],
    [429, {}, { outcome: 'error', reason: 'carrier_rate_limited' }],
    [200, { anything: 'else' }, { outcome: 'error', reason: 'unrecognized_response' }],
  ])('reads %i %j', async (status, body, expected) => {
    const { ctx } = cannedCarrier(() => ({ status, body }));
    expect(await fetchFor(usps, ctx, parcelSubject(number))).toMatchObject(expected);
  });
});

const meanings: [string, string, string, string | null][] = [
  ['MA', 'Shipping Label Created, USPS Awaiting Item', 'information_received', null],
  ['03', 'Accepted at USPS Origin Facility', 'picked_up', null],
  ['10', 'Departed USPS Regional Facility', 'departed_facility', null],
  ['10', 'Processed', 'arrived_at_facility', null],
  ['OF', 'Out for Delivery', 'out_for_delivery', null],
  ['01', 'Delivered, Front Door/Porch', 'delivered', 'left_at_door'],
  ['01', 'Delivered, In/At Mailbox', 'delivered', 'left_in_mailbox'],
  ['01', 'Delivered, Parcel Locker', 'delivered', 'delivered_to_locker'],
  ['01', 'Delivered, To Original Sender', 'returned', null],
  ['14', 'Arrived at USPS Facility', 'arrived_at_facility', null],
  ['16', 'Available for Pickup', 'available_for_pickup', 'awaiting_collection_at_pickup_point'],
  ['55', 'Delivery Attempted - No Access to Delivery Location', 'delivery_attempted', 'no_access'],
  ['21', 'No Such Number', 'return_started', 'address_incomplete'],
  ['ZZ', 'Held at Post Office, At Customer Request', 'available_for_pickup', 'held_at_request'],
  ['ZZ', 'Delivered, Left with Individual', 'delivered', null],
  ['ZZ', 'Processing Exception, Weather Delay', 'delayed', 'weather'],
  ['ZZ', 'Inbound Out of Customs', 'customs_released', null],
  ['ZZ', 'Anything else', 'other', null],
];

it.each(meanings)('reads %s `%s` as %s (%s)', (eventCode, words, code, detail) => {
  expect(codeOfUsps(eventCode, words).code).toBe(code);
  expect(detailOfUsps(eventCode, words)).toBe(detail);
});

describe('times', () => {
  it('are local with their offset, which may have one digit', async () => {
    const { events } = await read([scan('14', 'Arrived', { GMTOffset: '-7:00' })]);
    expect(events[0]?.time).toMatchObject({ at: '2026-02-12T13:16:00.000Z', local: '2026-02-12T06:16:00' });
  });

  it('are those in GMT without an offset, and local at the place without either', async () => {
    const [gmt] = (await read([scan('14', 'Arrived', { GMTOffset: null })])).events;
    expect(gmt?.time.at).toBe('2026-02-12T11:16:41.000Z');
    const [local] = (await read([scan('14', 'Arrived', { GMTOffset: null, GMTTimestamp: null })])).events;
    expect(local?.time.local).toBe('2026-02-12T06:16:00');
  });

  it('set one event aside, not the response', async () => {
    const reading = await read([
      scan('14', 'Arrived', { eventTimestamp: 'soon', GMTTimestamp: null }),
      scan('OF', 'x'),
    ]);
    expect(reading.events.map(({ code }) => code)).toEqual(['out_for_delivery']);
    expect(reading.unreadable).toHaveLength(1);
  });
});

describe('the status category', () => {
  it('reports a delivery that no known scan states', async () => {
    const events = [scan('Q1', 'Something new'), scan('14', 'Arrived', { eventTimestamp: '2026-02-11T06:16:00' })];
    const reading = await read(events, { statusCategory: 'Delivered' });
    expect(reading.events.filter(({ carrierCode }) => carrierCode === 'Q1')).toMatchObject([{ code: 'delivered' }]);
  });

  it('changes no scan that is known, adds the delivery that the list lacks, and no second one', async () => {
    const known = await read([scan('14', 'Arrived')], { statusCategory: 'Delivered' });
    expect(known.events.map(({ code }) => code)).toEqual(['arrived_at_facility', 'delivered']);
    const lagging = await read([scan('01', 'Delivered')], { statusCategory: 'Out for Delivery' });
    expect(lagging.events.map(({ code }) => code)).toEqual(['delivered']);
    const reported = await read([scan('Q1', 'Something new'), scan('01', 'Delivered')], {
      statusCategory: 'Delivered',
    });
    expect(reported.events.filter(({ code }) => code === 'delivered')).toHaveLength(1);
  });
});

describe('expected deliveries', () => {
  const expected = (reading: Awaited<ReturnType<typeof read>>) =>
    reading.events
      .filter(({ classifier }) => classifier !== 'actual')
      .map(({ classifier, time, details }) => [classifier, time.local, details?.window]);

  it('keep the predicted window, whose end is the time, and the guarantee as the plan', async () => {
    const reading = await read([scan('14', 'Arrived')], {
      destinationCity: 'HERNANDO',
      destinationState: 'FL',
      predictedDeliveryDate: '2026-02-14',
      predictedDeliveryWindowStartTime: '1:15pm',
      predictedDeliveryWindowEndTime: '17:15',
      expectedDeliveryTimeStamp: '2026-02-20T21:00:00Z',
      guaranteedDeliveryTimeStamp: '2026-02-13T00:00:00Z',
    });
    const window = { from: { local: '2026-02-14T13:15' }, to: { local: '2026-02-14T17:15' } };
    expect(expected(reading)).toMatchObject([
      ['planned', '2026-02-13', undefined],
      ['estimated', '2026-02-14T17:15', window],
    ]);
  });

  it('set aside a window that ends before it begins', async () => {
    const reading = await read([], {
      predictedDeliveryDate: '2026-02-14',
      predictedDeliveryWindowStartTime: '17:15',
      predictedDeliveryWindowEndTime: '13:15',
    });
    expect(expected(reading)).toEqual([['estimated', '2026-02-14', undefined]]);
    expect(reading.unreadable).toHaveLength(1);
  });
});

it('reads text with HTML in it as plain text', async () => {
  expect(htmlText('USPS Ground Advantage<SUP>&#153;</SUP>')).toBe('USPS Ground Advantage™');
  expect(htmlText('Priority Mail<SUP>&reg;</SUP> &amp;lt;')).toBe('Priority Mail® &lt;');
  expect(htmlText('&#xD800;&#0;<b></b>')).toBeNull();
  expect(htmlText('a < b and &nothing;')).toBe('a < b and &nothing;');
  const { facts } = await read([], { mailClass: 'PRIORITY_MAIL', serviceTypeCode: '055' });
  expect(facts?.service).toEqual({ code: '055', name: 'Priority Mail' });
});

it('states who received it, where it was left, where it waits and why it goes back', async () => {
  const left = await read([scan('01', 'Delivered, Front Door/Porch', { name: 'J. MILLER' })]);
  expect(left.facts).toMatchObject({ receivedBy: 'J. MILLER', leftAt: 'Front Door/Porch' });
  const handed = await read([scan('01', 'Delivered, Left with Individual', { firm: 'MILLER &amp; SONS' })]);
  expect(handed.facts).toMatchObject({ receivedBy: 'MILLER & SONS' });
  expect(handed.facts?.leftAt).toBeUndefined();
  const waiting = await read([scan('16', 'Available for Pickup')], { returnDateNotice: '2026-03-01' });
  expect(waiting.facts?.pickupPoint).toMatchObject({ kind: 'post_office', keptUntil: { local: '2026-03-01' } });
  const returning = await read([scan('09', 'Unclaimed/Being Returned to Sender')], {
    originCity: 'JAMAICA',
    originState: 'NY',
  });
  expect(returning.facts?.returned).toMatchObject({
    reason: 'Unclaimed/Being Returned to Sender',
    to: { name: 'JAMAICA, NY' },
  });
});

it('reads the country of a place by its name, and a sorting facility by its text', async () => {
  const { events } = await read([
    scan('ZX', 'Origin Post is Preparing Shipment', { eventCity: 'TOKYO', eventState: null, eventCountry: 'JAPAN' }),
    scan('T1', 'Departed', { eventCity: 'QUEENS NY DISTRIBUTION CENTER', eventState: null }),
  ]);
  const at = (code: string) => events.find(({ carrierCode }) => carrierCode === code)?.location;
  expect(at('ZX')).toMatchObject({ country: 'JP' });
  expect(at('T1')).toMatchObject({ name: 'QUEENS, NY', country: 'US', facility: 'QUEENS NY DISTRIBUTION CENTER' });
});
