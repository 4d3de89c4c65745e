import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ups } from '#services/worker/carriers/ups/ups.ts';
import { runs } from '#test/support/run-scale.ts';
import { type CannedAnswer, cannedCarrier, fetchFor, parcelSubject, readingOf } from './canned-carrier.ts';

const number = '1Z5R89390357567127';

type Fields = Record<string, unknown>;

/** An activity in Louisville on 10 February 2026 at 07:13:56, which is 12:13:56 GMT. */
function activity(status: Fields, changes: Fields = {}): Fields {
  return {
    date: '20260210',
    time: '071356',
    gmtDate: '20260210',
    gmtTime: '121356',
    gmtOffset: '-05:00',
    location: { address: { city: 'Louisville', stateProvince: 'KY', countryCode: 'US', country: 'US' } },
    status,
    ...changes,
  };
}

function answered(activities: unknown, parcel: Fields = {}): CannedAnswer {
  return {
    body: {
      trackResponse: {
        shipment: [{ inquiryNumber: number, package: [{ trackingNumber: number, activity: activities, ...parcel }] }],
      },
    },
  };
}

async function read(activities: unknown, parcel: Fields = {}) {
  return readingOf(ups, cannedCarrier(() => answered(activities, parcel)).ctx, parcelSubject(number));
}

const numbered: [string, number[]][] = [
  ['information_received', [3, 157]],
  ['cancelled', [7, 43]],
  ['picked_up', [38, 160]],
  ['customs_inspection', [12, 92]],
  ['customs_hold', [58, 123, 124, 125, 126]],
  ['customs_released', [14, 84, 134]],
  ['available_for_pickup', [17, 40, 161]],
  ['out_for_delivery', [6, 21, 37, 89, 91, 146, 162]],
  ['delivery_attempted', [22, 23, 24, 60, 61, 62, 66, 145]],
  ['delivered', [11, 26, 143]],
  ['return_started', [33, 35, 36]],
  ['returned', [34, 67]],
  ['delayed', [32, 46, 48, 49, 50, 51, 52, 53, 86, 90]],
  ['exception', [13, 29, 30, 59, 64, 68, 69, 76, 147, 149]],
  ['in_transit', [5, 10, 72]],
];

describe('codeOfUps', () => {
  it.each(numbered)('maps to %s by number, regardless of type', async (code, numbers) => {
    for (const statusCode of numbers) {
      // 5 and 10 stand for any step in transit, which the type specifies.
      const type = code === 'in_transit' ? 'I' : 'U';
      const { events } = await read([
        activity({ type, statusCode: String(statusCode).padStart(3, '0'), description: 'words' }),
      ]);
      expect(events, String(statusCode)).toMatchObject([
        { code, classifier: 'actual', carrierDescription: 'words', mode: 'parcel' },
      ]);
    }
  });

  it.each([
    ['D', 'delivered'],
    ['I', 'in_transit'],
    ['M', 'information_received'],
    ['MV', 'cancelled'],
    ['X', 'exception'],
    ['P', 'picked_up'],
    ['O', 'out_for_delivery'],
    ['RS', 'return_started'],
    ['DO', 'other'],
    ['DD', 'other'],
    ['W', 'other'],
    ['NA', 'other'],
    ['U', 'other'],
    [undefined, 'other'],
  ])('maps type %s with an unknown number to %s', async (type, code) => {
    expect((await read([activity({ type, statusCode: '998' })])).events).toMatchObject([{ code }]);
    expect((await read([activity({ type })])).events).toMatchObject([{ code }]);
  });

  it('maps a step in transit to a departure or an arrival by its scan', async () => {
    const { events } = await read([
      activity({ type: 'I', statusCode: '010', code: 'DP', description: 'Any words' }),
      activity({ type: 'I', statusCode: '005', code: 'AR' }, { time: '081356', gmtTime: '131356' }),
      activity({ type: 'I', description: 'Departed from Facility' }, { time: '091356', gmtTime: '141356' }),
    ]);
    expect(events.map(({ code, carrierCode }) => [code, carrierCode])).toEqual([
      ['departed_facility', 'I/010/DP'],
      ['arrived_at_facility', 'I/005/AR'],
      ['departed_facility', 'I'],
    ]);
  });

  it('treats a scan at the hub where the parcel is as handling, and one after the departure as transit', async () => {
    const at = (time: string) => ({ time, gmtTime: undefined, gmtDate: undefined });
    const { events } = await read([
      activity({ type: 'I', description: 'On the way' }, at('120000')),
      activity({ type: 'I', code: 'DP' }, at('110000')),
      activity({ type: 'I', description: 'Processing at UPS facility' }, at('100000')),
      activity({ type: 'I', code: 'AR' }, at('090000')),
    ]);
    expect(events.map(({ code }) => code)).toEqual([
      'in_transit',
      'departed_facility',
      'arrived_at_facility',
      'arrived_at_facility',
    ]);
  });
});

describe('time and place of a UPS activity', () => {
  const status = { type: 'I', statusCode: '005' };

  it.each([
    ['the stated offset', {}, '2026-02-10T12:13:56.000Z', '2026-02-10T07:13:56', 'carrier'],
    [
      'the difference to GMT, without leading zeros',
      { gmtOffset: undefined, time: '000107', gmtTime: '50107' },
      '2026-02-10T05:01:07.000Z',
      '2026-02-10T00:01:07',
      'carrier',
    ],
    [
      'the difference to GMT over midnight',
      { gmtOffset: undefined, time: '230000', gmtDate: '20260211', gmtTime: '040000' },
      '2026-02-11T04:00:00.000Z',
      '2026-02-10T23:00:00',
      'carrier',
    ],
    [
      'no offset, in a state with two zones',
      { gmtOffset: undefined, gmtTime: undefined },
      '2026-02-10T12:13:56.000Z',
      '2026-02-10T07:13:56',
      'state',
    ],
    [
      'a difference that no zone has',
      { gmtOffset: undefined, gmtTime: '121300' },
      '2026-02-10T12:13:56.000Z',
      '2026-02-10T07:13:56',
      'state',
    ],
    ['colons', { time: '07:13:56' }, '2026-02-10T12:13:56.000Z', '2026-02-10T07:13:56', 'carrier'],
  ])('by %s', async (_name, changes, at, local, zoneSource) => {
    const { events } = await read([activity(status, changes)]);
    expect(events).toMatchObject([
      { time: { at, local, zoneSource, precision: 'second' }, location: { name: 'Louisville, KY', country: 'US' } },
    ]);
  });

  it('uses the timezone of a state with a single one, and the day when there is no time', async () => {
    const location = { address: { city: 'Newark', stateProvince: 'NJ', countryCode: 'US' } };
    const bare = { gmtOffset: undefined, gmtTime: undefined, location };
    const { events } = await read([activity(status, bare), activity(status, { ...bare, time: undefined })]);
    expect(events.map(({ time }) => [time.at, time.zoneSource, time.precision])).toEqual([
      ['2026-02-10T12:13:56.000Z', 'city', 'second'],
      ['2026-02-10T12:00:00.000Z', 'assumed_utc', 'date'],
    ]);
  });

  it('gives a country no name, and an empty address no place', async () => {
    const places = [{ address: { countryCode: 'US' } }, { address: {} }, undefined];
    const { events } = await read(
      places.map((location, index) => activity(status, { location, time: `0${index}0000` })),
    );
    expect(events.map(({ location }) => location)).toMatchObject([
      { name: null, country: 'US', timezone: null },
      null,
      null,
    ]);
  });

  it('rejects an invalid activity individually', async () => {
    const good = activity(status);
    const { events, unreadable } = await read([
      null,
      'text',
      activity(status, { date: undefined, gmtDate: undefined }),
      activity(status, { date: '20260231' }),
      good,
    ]);
    expect(events).toHaveLength(1);
    expect(unreadable.map(({ reason }) => reason)).toEqual([
      'the activity is not an object',
      'the activity is not an object',
      'date is missing',
      'date and time are not a time',
    ]);
    expect(events[0]?.raw).toEqual(good);
  });
});

describe('expected delivery of UPS', () => {
  const address = { city: 'Boston', stateProvince: 'MA', countryCode: 'US' };
  const packageAddress = [
    { type: 'ORIGIN', address: { city: 'X' } },
    { type: 'DESTINATION', address },
  ];

  it.each([
    [
      [{ type: 'SDD', date: '20260212' }],
      { type: 'EDW', startTime: '100000', endTime: '140000' },
      '2026-02-12T19:00:00.000Z',
      'second',
    ],
    [[{ type: 'SDD', date: '20260212' }], { type: 'EOD' }, '2026-02-12T12:00:00.000Z', 'date'],
    [[{ type: 'SDD', date: '20260212' }], undefined, '2026-02-12T12:00:00.000Z', 'date'],
    [
      [
        { type: 'SDD', date: '20260212' },
        { type: 'RDD', date: '20260213' },
      ],
      { type: 'CMT', endTime: '103000' },
      '2026-02-13T15:30:00.000Z',
      'second',
    ],
  ])('%j %j', async (deliveryDate, deliveryTime, at, precision) => {
    const { events } = await read([], { deliveryDate, deliveryTime, packageAddress });
    expect(events.filter(({ classifier }) => classifier === 'estimated')).toMatchObject([
      { code: 'delivered', time: { at, precision }, location: { name: 'Boston, MA' } },
    ]);
  });

  it('is absent after delivery, and DEL is the delivery itself', async () => {
    const delivered = activity({ type: 'D', statusCode: '011' });
    expect((await read([delivered], { deliveryDate: [{ type: 'SDD', date: '20260212' }] })).events).toHaveLength(1);
    expect((await read([], { deliveryDate: [{ type: 'DEL', date: '20260212' }] })).events).toMatchObject([
      { code: 'delivered', classifier: 'actual', time: { local: '2026-02-12' } },
    ]);
  });
});

describe('requests to UPS', () => {
  it('sends the number, a new id for each call, and no account data', async () => {
    const { ctx, asked, tokensAsked } = cannedCarrier(() => answered([]));
    const one = parcelSubject('1z 5R8-939 0357567127');
    await fetchFor(ups, ctx, one);
    await fetchFor(ups, ctx, one);
    expect(asked.map(({ url }) => url.pathname)).toEqual(Array(2).fill(`/api/track/v1/details/${number}`));
    expect(asked[0]?.url.searchParams.get('locale')).toBe('en_US');
    expect(new Set(asked.map(({ headers }) => headers.get('transId'))).size).toBe(2);
    expect(asked[0]?.headers.get('transactionSrc')).toBe('landfall');
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer token 1');
    const sent = JSON.stringify(asked.map(({ url, headers, body }) => [url.href, [...headers], body]));
    for (const secret of [one.accountId, one.shipmentId, 'the secret']) expect(sent).not.toContain(secret);
    expect(tokensAsked).toHaveLength(1);
    expect(tokensAsked[0]?.headers.get('authorization')).toBe(
      `Basic ${Buffer.from('the%20id:the%20secret').toString('base64')}`,
    );
    expect(tokensAsked[0]?.body).toBe('grant_type=client_credentials');
  });

  it('requests a new token once when the token is rejected, and then gives up', async () => {
    const refusal = {
      status: 401,
      body: { response: { errors: [{ code: '250002', message: 'Invalid Authentication Information.' }] } },
    };
    const once = cannedCarrier((_asked, count) => (count === 1 ? refusal : answered([])));
    expect(await fetchFor(ups, once.ctx, parcelSubject(number))).toMatchObject({ outcome: 'found' });
    expect(once.asked.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token 1', 'Bearer token 2']);
    expect(once.budget.free()).toBe(98);
    const always = cannedCarrier(() => refusal);
    expect(await fetchFor(ups, always.ctx, parcelSubject(number))).toMatchObject({
      outcome: 'error',
      reason: 'carrier_auth_failed',
      httpStatus: 401,
    });
    expect(always.asked).toHaveLength(2);
  });

  it.each([
    [
      { status: 404, body: { response: { errors: [{ code: 'TW0001', message: 'Tracking Information Not Found' }] } } },
      404,
    ],
    [
      {
        body: {
          trackResponse: {
            shipment: [
              { inquiryNumber: number, warnings: [{ code: 'TW0001', message: 'Tracking Information Not Found' }] },
            ],
          },
        },
      },
      200,
    ],
    [
      { body: { trackResponse: { shipment: [{ warnings: { code: 'XX', message: 'tracking number not found' } }] } } },
      200,
    ],
  ])('maps an unknown number to not found: %j', async (answer, httpStatus) => {
    expect(await fetchFor(ups, cannedCarrier(() => answer).ctx, parcelSubject(number))).toMatchObject({
      outcome: 'not_found',
      httpStatus,
      reason: 'carrier_not_found_yet',
      source: 'ups',
    });
  });

  it.each([
    [
      { status: 400, body: { response: { errors: [{ code: 'TV1002', message: 'Invalid inquiry number' }] } } },
      { reason: 'invalid_identifier', permanent: true, detail: expect.stringContaining('Invalid inquiry number') },
    ],
    [
      { status: 403, body: { response: { errors: [{ code: '250007', message: 'Blocked Merchant' }] } } },
      { reason: 'carrier_auth_failed' },
    ],
    [
      { status: 429, body: '', headers: { 'retry-after': '7' } },
      { reason: 'carrier_rate_limited', retryAfterMs: 7000 },
    ],
    [
      { status: 403, body: { response: { errors: [{ code: '10429', message: 'Too Many Requests' }] } } },
      { reason: 'carrier_rate_limited', retryAfterMs: 60_000 },
    ],
    [
      { status: 503, body: '<html>' },
      { reason: 'carrier_unreachable', httpStatus: 503 },
    ],
    [{ body: '<html>' }, { reason: 'unrecognized_response' }],
    [{ body: '' }, { reason: 'unrecognized_response' }],
    [{ body: {} }, { reason: 'unrecognized_response' }],
    [
      { body: { trackResponse: { shipment: [{ warnings: [{ code: 'TW0002', message: 'Something else' }] }] } } },
      { reason: 'unrecognized_response', detail: expect.stringContaining('Something else') },
    ],
  ])('%j', async (answer, error) => {
    const { ctx, budget } = cannedCarrier(() => answer);
    expect(await fetchFor(ups, ctx, parcelSubject(number))).toMatchObject({ outcome: 'error', ...error });
    if ('retryAfterMs' in error) expect(budget.take()).toBe(error.retryAfterMs);
  });

  it('makes no call without a number, credentials or budget', async () => {
    const empty = cannedCarrier(() => answered([]));
    expect(await fetchFor(ups, empty.ctx, parcelSubject(null))).toMatchObject({
      reason: 'wrong_identifier_type',
      permanent: true,
    });
    empty.budget.close(5000);
    expect(await fetchFor(ups, empty.ctx, parcelSubject(number))).toMatchObject({
      reason: 'carrier_rate_limited',
      retryAfterMs: 5000,
    });
    const keyless = cannedCarrier(() => answered([]), { clientSecret: null });
    expect(await fetchFor(ups, keyless.ctx, parcelSubject(number))).toMatchObject({ reason: 'credentials_missing' });
    expect([...empty.asked, ...keyless.asked, ...keyless.tokensAsked]).toEqual([]);
  });

  it('reads the packages of the requested shipment alone, as pieces, the requested package first', async () => {
    const other = {
      trackingNumber: '1Z0000000000000000',
      activity: [activity({ type: 'D' }), activity({ type: 'X' })],
    };
    const own = { trackingNumber: number.toLowerCase(), activity: [activity({ type: 'I' })] };
    const foreign = { package: [{ trackingNumber: '1Z9', activity: [activity({ type: 'P' })] }] };
    const shipment = [foreign, { package: [other, own] }];
    const { ctx } = cannedCarrier(() => ({ body: { trackResponse: { shipment } } }));
    const { events } = await readingOf(ups, ctx, parcelSubject(number));
    expect(events.map(({ code, details }) => [code, details?.piece])).toEqual([
      ['in_transit', number],
      ['delivered', '1Z0000000000000000'],
      ['exception', '1Z0000000000000000'],
    ]);
  });
});

describe('any response of UPS', () => {
  it('gives a reading or a named error', async () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const shaped = fc.record({
      trackResponse: fc.record({
        shipment: fc.array(
          fc.record(
            {
              package: fc.array(
                fc.dictionary(fc.constantFrom('activity', 'deliveryDate', 'packageAddress', 'trackingNumber'), json),
              ),
            },
            { requiredKeys: [] },
          ),
        ),
      }),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, shaped), fc.constantFrom(200, 200, 400, 404, 500), async (body, status) => {
        const result = await fetchFor(
          ups,
          cannedCarrier(() => ({ status, body: JSON.stringify(body) })).ctx,
          parcelSubject(number),
        );
        if (result.outcome === 'error') expect(result.reason).not.toBe('internal_error');
      }),
      { numRuns: runs(200) },
    );
  });

  it('is unrecognized when truncated anywhere', async () => {
    const whole = JSON.stringify(answered([activity({ type: 'I' })]).body);
    for (let length = 0; length < whole.length; length += 7) {
      const result = await fetchFor(
        ups,
        cannedCarrier(() => ({ body: whole.slice(0, length) })).ctx,
        parcelSubject(number),
      );
      expect(result).toMatchObject({ outcome: 'error', reason: 'unrecognized_response' });
    }
  });
});
