import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fedex } from '#services/worker/carriers/fedex/fedex.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { runs } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import {
  type CannedAnswer,
  type CannedRequest,
  cannedCarrier,
  fetchFor,
  parcelSubject,
  readingOf,
} from './canned-carrier.ts';

const number = '794643569140';

type Fields = Record<string, unknown>;

function scan(eventType: string | undefined, changes: Fields = {}): Fields {
  return {
    date: '2026-02-02T12:01:00-07:00',
    eventType,
    eventDescription: 'Words',
    exceptionCode: '',
    exceptionDescription: '',
    scanLocation: { city: 'SEATTLE', stateOrProvinceCode: 'WA', countryCode: 'US', postalCode: '98101' },
    locationType: 'SORT_FACILITY',
    derivedStatusCode: 'IT',
    ...changes,
  };
}

function result(scanEvents: unknown, changes: Fields = {}): Fields {
  return {
    trackingNumberInfo: { trackingNumber: number, trackingNumberUniqueId: '2460001000~1~FX' },
    scanEvents,
    ...changes,
  };
}

function complete(trackingNumber: string, ...trackResults: unknown[]): Fields {
  return { trackingNumber, trackResults };
}

function answered(...completeTrackResults: unknown[]): CannedAnswer {
  return { body: { transactionId: 't', output: { completeTrackResults } } };
}

async function read(scanEvents: unknown, changes: Fields = {}) {
  return readingOf(
    fedex,
    cannedCarrier(() => answered(complete(number, result(scanEvents, changes)))).ctx,
    parcelSubject(number),
  );
}

const codes: [string, string[]][] = [
  ['information_received', ['OC', 'OX', 'EP']],
  ['cancelled', ['CA']],
  ['picked_up', ['PU', 'PX']],
  ['gate_in_full', ['OF']],
  ['departed_facility', ['DP', 'LO', 'PF']],
  ['in_transit', ['IT', 'IX', 'EA', 'EO', 'TR', 'SF']],
  ['arrived_at_facility', ['AR', 'AF', 'AX', 'AC', 'PL', 'AA', 'FD']],
  ['customs_inspection', ['CP', 'CU']],
  ['customs_hold', ['CD']],
  ['customs_released', ['CC']],
  ['available_for_pickup', ['HL', 'HP']],
  ['out_for_delivery', ['OD', 'ED', 'AD']],
  ['delivery_attempted', ['DE']],
  ['delivered', ['DL']],
  ['return_started', ['RS']],
  ['delayed', ['DY', 'DD', 'PD']],
  ['exception', ['SE']],
  ['other', ['AP', 'ZZ', 'constructor']],
];

describe('codeOfFedex', () => {
  it.each(codes)('%s: %j', async (code, eventTypes) => {
    for (const eventType of eventTypes) {
      const { events } = await read([scan(eventType)]);
      expect(events, eventType).toMatchObject([
        { code, classifier: 'actual', carrierCode: eventType.toUpperCase(), mode: 'parcel' },
      ]);
    }
  });

  it('reads a delivery exception as a redirection by its exception code alone', async () => {
    const { events } = await read(['A13', 'a47', '07'].map((exceptionCode) => scan('DE', { exceptionCode })));
    expect(events.map(({ code, delayReason }) => [delayReason, code]).sort()).toEqual([
      ['07', 'delivery_attempted'],
      ['A13', 'other'],
      ['a47', 'other'],
    ]);
  });

  it('uses the derived code when the code is missing, and keeps a scan without both as other', async () => {
    const { events } = await read([
      scan(undefined, { derivedStatusCode: 'DL' }),
      scan(undefined, { derivedStatusCode: undefined }),
    ]);
    expect(events.map(({ code }) => code)).toEqual(['delivered', 'other']);
  });

  it('keeps the reason of an exception with its number', async () => {
    const { events } = await read([
      scan('SE', {
        eventDescription: 'Shipment exception',
        exceptionCode: '03',
        exceptionDescription: 'Incorrect recipient address',
      }),
    ]);
    expect(events).toMatchObject([
      { delayReason: '03', carrierDescription: 'Shipment exception: Incorrect recipient address' },
    ]);
  });

  it.each([
    [scan('AA', { locationType: 'DESTINATION_FEDEX_FACILITY' }), 'destination'],
    [scan('FD'), 'destination'],
    [scan('AA'), 'unknown'],
    [scan('FD', { scanLocation: {} }), 'unknown'],
  ])('treats the facility that FedEx calls the destination as one', async (one, legRole) => {
    expect((await read([one])).events).toMatchObject([{ legRole }]);
  });
});

describe('time and place of a FedEx scan', () => {
  it.each([
    ['2026-02-02T12:01:00-07:00', '2026-02-02T19:01:00.000Z', 'carrier', null],
    ['2026-02-02T12:01:00-08:00', '2026-02-02T20:01:00.000Z', 'carrier', 'America/Los_Angeles'],
    ['2026-02-02T12:01:00', '2026-02-02T20:01:00.000Z', 'city', 'America/Los_Angeles'],
  ])('%s', async (date, at, zoneSource, timezone) => {
    const { events } = await read([scan('IT', { date })]);
    expect(events).toMatchObject([
      {
        time: { at, local: '2026-02-02T12:01:00', zoneSource, timezone },
        location: { name: 'SEATTLE, WA', country: 'US' },
      },
    ]);
  });

  it('rejects an invalid scan individually', async () => {
    const { events, unreadable } = await read([
      7,
      scan('IT', { date: '' }),
      scan('IT', { date: 'yesterday' }),
      scan('DL'),
    ]);
    expect(events).toMatchObject([{ code: 'delivered' }]);
    expect(unreadable.map(({ reason }) => reason)).toEqual([
      'the scan is not an object',
      'date is missing',
      'date is not a time',
    ]);
  });

  it('uses the dates of pickup and delivery when there are no scans', async () => {
    const dateAndTimes = [
      { type: 'ACTUAL_PICKUP', dateTime: '2026-02-01T00:00:00-07:00' },
      { type: 'ACTUAL_DELIVERY', dateTime: '2026-02-03T09:30:00-05:00' },
      { type: 'SHIP', dateTime: '2026-02-01T00:00:00-07:00' },
    ];
    const recipientInformation = { address: { city: 'BOSTON', stateOrProvinceCode: 'MA', countryCode: 'US' } };
    expect((await read([], { dateAndTimes, recipientInformation })).events).toMatchObject([
      { code: 'picked_up', time: { local: '2026-02-01', precision: 'date' }, location: null },
      { code: 'delivered', time: { at: '2026-02-03T14:30:00.000Z' }, location: { name: 'BOSTON, MA' } },
    ]);
    expect((await read([scan('IT')], { dateAndTimes })).events).toHaveLength(1);
  });
});

describe('expected delivery of FedEx', () => {
  const recipientInformation = { address: { city: 'BOSTON', stateOrProvinceCode: 'MA', countryCode: 'US' } };
  const dates = (...pairs: [string, string][]) => ({
    dateAndTimes: pairs.map(([type, dateTime]) => ({ type, dateTime })),
  });

  it.each([
    [
      {
        estimatedDeliveryTimeWindow: {
          window: { begins: '2026-02-04T10:00:00-05:00', ends: '2026-02-04T14:00:00-05:00' },
        },
      },
      'estimated',
      '2026-02-04T19:00:00.000Z',
    ],
    [
      { estimatedDeliveryTimeWindow: { window: { ends: '2026-02-04T14:00:00' } } },
      'estimated',
      '2026-02-04T19:00:00.000Z',
    ],
    [dates(['ESTIMATED_DELIVERY', '2026-02-04T00:00:00-06:00']), 'estimated', '2026-02-04T12:00:00.000Z'],
    [dates(['SCHEDULED_DELIVERY', '2026-02-05T17:00:00-05:00']), 'estimated', '2026-02-05T22:00:00.000Z'],
    [dates(['COMMITMENT', '2026-02-06T00:00:00']), 'planned', '2026-02-06T12:00:00.000Z'],
  ])('%j', async (changes, classifier, at) => {
    const { events } = await read([], { recipientInformation, ...changes });
    expect(events).toMatchObject([{ code: 'delivered', classifier, time: { at }, location: { name: 'BOSTON, MA' } }]);
    expect((await read([scan('DL')], { recipientInformation, ...changes })).events).toHaveLength(1);
  });

  it('is at the last destination of the parcel', async () => {
    const lastUpdatedDestinationAddress = { city: 'SALEM', stateOrProvinceCode: 'MA', countryCode: 'US' };
    const { events } = await read([], {
      recipientInformation,
      lastUpdatedDestinationAddress,
      ...dates(['ESTIMATED_DELIVERY', '2026-02-04T00:00:00']),
    });
    expect(events).toMatchObject([{ location: { name: 'SALEM, MA' } }]);
  });
});

describe('a reused tracking number', () => {
  const shipped = (id: string, day: string, code: string) =>
    result([scan(code, { date: `${day}T12:00:00Z` })], {
      trackingNumberInfo: { trackingNumberUniqueId: id },
      dateAndTimes: [{ type: 'SHIP', dateTime: `${day}T00:00:00Z` }],
    });
  const old = shipped('old', '2025-04-10', 'DL');
  const young = shipped('young', '2026-04-10', 'PU');
  const following = (id: string, createdAt: string): Partial<RefreshSubject> => ({
    createdAt,
    journey: { events: [{ sourceEventId: null }, { sourceEventId: id }] } as unknown as RefreshSubject['journey'],
  });
  const chosen = async (results: Fields[], changes: Partial<RefreshSubject> = {}) => {
    const { ctx } = cannedCarrier(() => answered(complete(number, ...results)));
    return (await readingOf(fedex, ctx, parcelSubject(number, changes))).events.map(
      ({ sourceEventId }) => sourceEventId,
    );
  };

  it('selects the parcel shipped last, regardless of their order', async () => {
    expect(await chosen([old, young])).toEqual(['young']);
    expect(await chosen([young, old])).toEqual(['young']);
  });

  it('selects the parcel with the newest scan when there is no ship date', async () => {
    const undated = (one: Fields) => ({ ...one, dateAndTimes: undefined });
    expect(await chosen([undated(old), undated(young)])).toEqual(['young']);
  });

  it('selects the parcel that the record tracks while it moves after the registration', async () => {
    expect(await chosen([old, young], following('old', '2025-04-01T00:00:00Z'))).toEqual(['old']);
    expect(await chosen([old, young], following('old', '2026-04-01T00:00:00Z'))).toEqual(['young']);
    expect(await chosen([old, young], following('gone', '2025-04-01T00:00:00Z'))).toEqual(['young']);
  });

  it('ignores an error next to a parcel', async () => {
    expect(await chosen([{ error: { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND' } }, young])).toEqual(['young']);
  });
});

const numbersAsked = ({ body }: CannedRequest): string[] =>
  JSON.parse(body).trackingInfo.map(
    (info: { trackingNumberInfo: { trackingNumber: string } }) => info.trackingNumberInfo.trackingNumber,
  );
const manySubjects = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    parcelSubject(`79464356${1000 + index}`, { shipmentId: `shipment ${index}` }),
  );
const echo = (asked: CannedRequest) =>
  answered(...numbersAsked(asked).map((each) => complete(each, result([scan('PU')]))));

describe('requests to FedEx', () => {
  it('sends up to 30 numbers per call and returns a result for each subject', async () => {
    const { ctx, asked, tokensAsked, budget } = cannedCarrier(echo);
    const subjects = manySubjects(31);
    const refreshes = await fedex.fetch(ctx, subjects, AbortSignal.timeout(patienceMs));
    expect([...refreshes.values()].map(({ outcome }) => outcome)).toEqual(Array(31).fill('found'));
    expect([...refreshes.keys()].sort()).toEqual(subjects.map(({ shipmentId }) => shipmentId).sort());
    expect(asked.map((one) => numbersAsked(one).length).sort()).toEqual([1, 30]);
    expect(tokensAsked).toHaveLength(1);
    expect(budget.free()).toBe(98);
  });

  it('sends a number shared by several shipments once', async () => {
    const { ctx, asked } = cannedCarrier(echo);
    const two = [parcelSubject('7946 4356 9140', { shipmentId: 'one' }), parcelSubject(number, { shipmentId: 'two' })];
    const refreshes = await fedex.fetch(ctx, two, AbortSignal.timeout(patienceMs));
    expect([...refreshes].map(([id, { outcome }]) => [id, outcome])).toEqual([
      ['one', 'found'],
      ['two', 'found'],
    ]);
    expect(asked.map(numbersAsked)).toEqual([[number]]);
  });

  it('sends the form to the token endpoint, a bearer token and a new id, and no account data', async () => {
    const { ctx, asked, tokensAsked } = cannedCarrier(echo);
    const one = parcelSubject(number);
    await fetchFor(fedex, ctx, one);
    await fetchFor(fedex, ctx, one);
    expect(tokensAsked.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      { grant_type: 'client_credentials', client_id: 'the id', client_secret: 'the secret' },
    ]);
    expect(asked[0]?.method).toBe('POST');
    expect(asked[0]?.url.pathname).toBe('/track/v1/trackingnumbers');
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      includeDetailedScans: true,
      trackingInfo: [{ trackingNumberInfo: { trackingNumber: number } }],
    });
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer token 1');
    expect(new Set(asked.map(({ headers }) => headers.get('x-customer-transaction-id'))).size).toBe(2);
    expect(JSON.stringify(asked.map(({ headers, body }) => [[...headers], body]))).not.toContain(one.accountId);
  });

  it('applies an error inside a 200 only to its own number', async () => {
    const error = (code: string) => ({ trackingNumberInfo: {}, error: { code, message: 'Words.' } });
    const says: Record<string, unknown[]> = {
      'shipment 0': [result([scan('DL')])],
      'shipment 1': [error('TRACKING.TRACKINGNUMBER.NOTFOUND')],
      'shipment 2': [error('TRACKING.TRACKINGNUMBER.INVALID')],
      'shipment 3': [error('SYSTEM.UNAVAILABLE.EXCEPTION')],
      'shipment 4': [],
    };
    const subjects = manySubjects(6);
    const { ctx } = cannedCarrier(() =>
      answered(
        ...Object.values(says).map((results, index) =>
          complete(subjects[index]?.identifiers.tracking_number ?? '', ...results),
        ),
        null,
        'text',
        {},
      ),
    );
    const refreshes = await fedex.fetch(
      ctx,
      [...subjects, parcelSubject(null, { shipmentId: 'numberless' })],
      AbortSignal.timeout(patienceMs),
    );
    expect(
      Object.fromEntries(
        [...refreshes].map(([id, refresh]) => [id, refresh.outcome === 'error' ? refresh.reason : refresh.outcome]),
      ),
    ).toEqual({
      'shipment 0': 'found',
      'shipment 1': 'not_found',
      'shipment 2': 'invalid_identifier',
      'shipment 3': 'carrier_unreachable',
      'shipment 4': 'unrecognized_response',
      'shipment 5': 'unrecognized_response',
      numberless: 'wrong_identifier_type',
    });
    expect(refreshes.get('shipment 2')).toMatchObject({ permanent: true, detail: expect.stringContaining('Words.') });
  });

  it('isolates a number that makes FedEx reject the whole list, without failing the others', async () => {
    const bad = '794643561007';
    const { ctx, asked } = cannedCarrier((one) =>
      numbersAsked(one).includes(bad)
        ? { status: 400, body: { errors: [{ code: 'X', message: 'Bad number' }] } }
        : echo(one),
    );
    const subjects = manySubjects(30);
    const refreshes = await fedex.fetch(ctx, subjects, AbortSignal.timeout(patienceMs));
    const failed = subjects.filter(({ shipmentId }) => refreshes.get(shipmentId)?.outcome !== 'found');
    expect(failed.map(({ identifiers }) => identifiers.tracking_number)).toEqual([bad]);
    expect(refreshes.get(failed[0]?.shipmentId ?? '')).toMatchObject({
      reason: 'invalid_identifier',
      permanent: false,
    });
    expect(asked.length).toBeLessThan(13);
  });

  it('requests a new token once when the token is rejected', async () => {
    const { ctx, asked } = cannedCarrier((one, count) =>
      count === 1 ? { status: 401, body: { errors: [{ code: 'NOT.AUTHORIZED.ERROR' }] } } : echo(one),
    );
    expect(await fetchFor(fedex, ctx, parcelSubject(number))).toMatchObject({
      outcome: 'found',
      reading: { source: 'fedex' },
    });
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token 1', 'Bearer token 2']);
  });

  it.each([
    [
      { status: 404, body: { errors: [{ code: 'NOT.FOUND.ERROR' }] } },
      { outcome: 'not_found', httpStatus: 404 },
    ],
    [
      { status: 400, body: { errors: [{ code: 'X', message: 'Bad number' }] } },
      { reason: 'invalid_identifier', detail: expect.stringContaining('Bad number') },
    ],
    [{ status: 403, body: '' }, { reason: 'carrier_auth_failed' }],
    [
      { status: 429, body: '', headers: { 'retry-after': '10' } },
      { reason: 'carrier_rate_limited', retryAfterMs: 10_000 },
    ],
    [{ status: 503, body: '' }, { reason: 'carrier_unreachable' }],
    [{ body: '<html>' }, { reason: 'unrecognized_response' }],
    [{ body: '' }, { reason: 'unrecognized_response' }],
    [{ body: { output: {} } }, { reason: 'unrecognized_response' }],
  ])('%j', async (answer, expected) => {
    expect(await fetchFor(fedex, cannedCarrier(() => answer).ctx, parcelSubject(number))).toMatchObject(expected);
  });

  it('makes no call without credentials', async () => {
    const { ctx, asked, tokensAsked } = cannedCarrier(echo, { clientId: null });
    expect(await fetchFor(fedex, ctx, parcelSubject(number))).toMatchObject({ reason: 'credentials_missing' });
    expect([...asked, ...tokensAsked]).toEqual([]);
  });
});

it('returns a reading or a named error for any JSON', async () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const keys = fc.constantFrom(
    'scanEvents',
    'dateAndTimes',
    'trackingNumberInfo',
    'error',
    'estimatedDeliveryTimeWindow',
    'recipientInformation',
  );
  const one = fc.record({ trackingNumber: fc.constant(number), trackResults: fc.array(fc.dictionary(keys, json)) });
  const shaped = fc.record({ output: fc.record({ completeTrackResults: fc.array(one) }) });
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, shaped), async (body) => {
      const refresh = await fetchFor(
        fedex,
        cannedCarrier(() => ({ body: JSON.stringify(body) })).ctx,
        parcelSubject(number),
      );
      if (refresh.outcome === 'error') expect(refresh.reason).not.toBe('internal_error');
    }),
    { numRuns: runs(200) },
  );
});
