import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dhl } from '#services/worker/carriers/dhl/dhl.ts';
import { runs } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { type CannedAnswer, cannedCarrier, fetchFor, parcelSubject, readingOf } from './canned-carrier.ts';

const number = '7777777770';

type Fields = Record<string, unknown>;

function event(statusCode: string | undefined, description: string, changes: Fields = {}): Fields {
  return {
    timestamp: '2026-03-02T07:53:47+01:00',
    location: { address: { countryCode: 'DE', postalCode: '04103', addressLocality: 'Leipzig' } },
    statusCode,
    status: statusCode?.toUpperCase(),
    description,
    ...changes,
  };
}

function answered(...shipments: Fields[]): CannedAnswer {
  return { body: { url: '/shipments?trackingNumber=7777777770?offset=0&limit=5', shipments } };
}

// Disables the pace of one call a second, which is for the real DHL.
const quick = { simulated: true };

async function read(shipment: Fields) {
  return readingOf(dhl, cannedCarrier(() => answered({ id: number, ...shipment }), quick).ctx, parcelSubject(number));
}

describe('codeOfDhl', () => {
  it.each([
    ['pre-transit', 'Shipment information received', 'information_received'],
    ['pre-transit', 'The shipment was cancelled', 'cancelled'],
    ['transit', 'Shipment is out with courier for delivery', 'out_for_delivery'],
    ['transit', 'Loaded onto the delivery vehicle', 'out_for_delivery'],
    ['transit', 'Clearance event', 'customs_inspection'],
    ['transit', 'Customs status updated', 'customs_inspection'],
    ['transit', 'Clearance processing complete at CINCINNATI', 'customs_released'],
    ['transit', 'Released by customs', 'customs_released'],
    ['transit', 'Held by customs', 'customs_hold'],
    ['transit', 'Delay due to weather', 'delayed'],
    ['transit', 'Departed Facility in LEIPZIG', 'departed_facility'],
    ['transit', 'Arrived at DHL Delivery Facility', 'arrived_at_facility'],
    ['transit', 'Processed at LEIPZIG', 'arrived_at_facility'],
    ['transit', 'Shipment picked up', 'picked_up'],
    ['transit', 'Ready for collection at the service point', 'available_for_pickup'],
    ['transit', 'Delivery attempted', 'delivery_attempted'],
    ['transit', 'The shipment is being returned to the sender', 'return_started'],
    ['delivered', 'Any words, even clearance', 'delivered'],
    ['delivered', 'Returned to shipper', 'returned'],
    ['failure', 'Any words', 'exception'],
    ['failure', 'Shipment damaged', 'exception'],
    ['failure', 'Recipient not at home', 'delivery_attempted'],
    ['failure', 'Shipment is on hold at customs', 'customs_hold'],
    ['unknown', 'Delivered', 'delivered'],
    ['lost-in-space', 'Delivered', 'delivered'],
    [undefined, 'Delivered', 'delivered'],
    [undefined, 'Text', 'other'],
    ['TRANSIT', 'Departed', 'departed_facility'],
  ])('%s "%s" is %s', async (statusCode, description, code) => {
    const { events } = await read({ events: [event(statusCode, description)] });
    expect(events).toMatchObject([
      { code, classifier: 'actual', carrierCode: statusCode ?? null, carrierDescription: description, mode: 'parcel' },
    ]);
  });

  it('takes only what says so for the pickup', async () => {
    const later = event('transit', 'In transit', { timestamp: '2026-03-02T09:00:00+01:00' });
    const codes = async (...events: Fields[]) => (await read({ events })).events.map(({ code }) => code);
    expect(await codes(later, event('transit', 'Sorting complete'))).toEqual(['in_transit', 'in_transit']);
    expect(await codes(later, event('transit', 'Shipment picked up'))).toEqual(['in_transit', 'picked_up']);
  });

  it('trusts the status over the text: the official example calls a parcel DELIVERED in pre-transit', async () => {
    const { events } = await read({
      id: 7777777770,
      events: [event('pre-transit', 'JESSICA', { status: 'DELIVERED' })],
    });
    expect(events).toMatchObject([{ code: 'information_received' }]);
  });
});

describe('time and place of a DHL event', () => {
  it.each([
    ['2026-03-02T07:53:47Z', '2026-03-02T07:53:47.000Z', '2026-03-02T08:53:47', 'carrier'],
    ['2026-03-02T07:53:47+01:00', '2026-03-02T06:53:47.000Z', '2026-03-02T07:53:47', 'carrier'],
    ['2026-03-02T07:53:47', '2026-03-02T06:53:47.000Z', '2026-03-02T07:53:47', 'location'],
    ['2026-03-02', '2026-03-02T12:00:00.000Z', '2026-03-02', 'assumed_utc'],
  ])('%s', async (timestamp, at, local, zoneSource) => {
    const { events } = await read({ events: [event('transit', 'x', { timestamp })] });
    expect(events).toMatchObject([
      { time: { at, local, zoneSource }, location: { name: 'Leipzig', country: 'DE', timezone: 'Europe/Berlin' } },
    ]);
  });

  it('rejects an invalid event individually', async () => {
    const { events, unreadable } = await read({
      events: [
        'text',
        event('transit', 'x', { timestamp: undefined }),
        event('transit', 'x', { timestamp: 'noon' }),
        event('delivered', 'x'),
      ],
    });
    expect(events).toMatchObject([{ code: 'delivered' }]);
    expect(unreadable.map(({ reason }) => reason)).toEqual([
      'the event is not an object',
      'timestamp is missing',
      'timestamp is not a time',
    ]);
  });

  it('uses the status as the only event when there are none, if it has a time', async () => {
    expect((await read({ status: event('delivered', 'Delivered') })).events).toMatchObject([{ code: 'delivered' }]);
    expect(await read({ status: { statusCode: 'unknown' } })).toMatchObject({ events: [], unreadable: [] });
    expect((await read({ status: event('delivered', 'x'), events: [event('transit', 'y')] })).events).toHaveLength(1);
  });
});

describe('expected delivery of DHL', () => {
  const destination = { address: { countryCode: 'FR', addressLocality: 'Lyon' } };

  it.each([
    [{ estimatedTimeOfDelivery: '2026-03-05T18:00:00' }, '2026-03-05T17:00:00.000Z'],
    [{ estimatedTimeOfDelivery: '2026-03-05T18:00:00Z' }, '2026-03-05T18:00:00.000Z'],
    [{ estimatedTimeOfDelivery: '2026-03-05' }, '2026-03-05T12:00:00.000Z'],
    [
      {
        estimatedDeliveryTimeFrame: {
          estimatedFrom: '2026-03-05T10:00:00+01:00',
          estimatedThrough: '2026-03-05T14:00:00+01:00',
        },
      },
      '2026-03-05T13:00:00.000Z',
    ],
  ])('%j', async (estimate, at) => {
    const { events } = await read({ destination, events: [], ...estimate });
    expect(events).toMatchObject([
      { code: 'delivered', classifier: 'estimated', time: { at }, location: { name: 'Lyon', country: 'FR' } },
    ]);
    const delivered = await read({ destination, events: [event('delivered', 'x')], ...estimate });
    expect(delivered.events.map(({ classifier }) => classifier)).toEqual(['actual']);
  });
});

describe('requests to DHL', () => {
  it.each([
    ['1234567890', 'express'],
    ['0034 0434 1616 0400 0001', 'parcel-de'],
    ['JD014600003828392837', null],
    ['GM60511234500000001', null],
  ])('%s: sends the key in the header and the service %s', async (asked, service) => {
    const carrier = cannedCarrier(() => answered({ id: asked, events: [] }), quick);
    const one = parcelSubject(asked);
    expect(await fetchFor(dhl, carrier.ctx, one)).toMatchObject({
      outcome: 'found',
      reading: { source: 'simulator:dhl' },
    });
    const [request] = carrier.asked;
    expect(request?.url.pathname).toBe('/track/shipments');
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      trackingNumber: asked.replaceAll(' ', ''),
      ...(service === null ? {} : { service }),
      language: 'en',
      limit: '5',
    });
    expect(request?.headers.get('dhl-api-key')).toBe('the key');
    expect(carrier.tokensAsked).toEqual([]);
    expect(JSON.stringify([request?.url.href, ...(request?.headers ?? [])])).not.toContain(one.accountId);
  });

  it('keeps a second between two calls with the same credentials', async () => {
    const at: number[] = [];
    const { ctx } = cannedCarrier(() => {
      at.push(performance.now());
      return answered({ id: number, events: [] });
    });
    const two = [parcelSubject(number), parcelSubject(number, { shipmentId: 'another' })];
    expect(
      [...(await dhl.fetch(ctx, two, AbortSignal.timeout(patienceMs))).values()].map(({ outcome }) => outcome),
    ).toEqual(['found', 'found']);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(1000);
  });

  it('keeps a second between two refreshes, each of which has its own budget', async () => {
    const at: number[] = [];
    const { ctx } = cannedCarrier(() => {
      at.push(performance.now());
      return answered({ id: number, events: [] });
    });
    await Promise.all([1, 2].map(() => fetchFor(dhl, { ...ctx, budget: { ...ctx.budget } }, parcelSubject(number))));
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(1000);
  });

  it('makes no call for a refresh that ends while it waits for its turn', async () => {
    const { ctx, asked } = cannedCarrier(() => answered({ id: number, events: [] }));
    await fetchFor(dhl, ctx, parcelSubject(number));
    const late = await dhl.fetch(ctx, [parcelSubject(number)], AbortSignal.abort());
    expect([...late.values()]).toMatchObject([{ outcome: 'error', reason: 'carrier_rate_limited' }]);
    expect(asked).toHaveLength(1);
  });

  it.each([
    [{ id: '0012345678' }, { id: 12_345_678 }],
    [{ id: 'JD01-4600 0038' }, { id: 'jd0146000038' }],
  ])('selects the shipment of the requested number, even if its id lost leading zeros: %j', async ({ id }, own) => {
    const other = { id: '999', status: { timestamp: '2030-01-01T00:00:00Z' }, events: [event('delivered', 'x')] };
    const { ctx } = cannedCarrier(() => answered(other, { ...own, events: [event('failure', 'x')] }), quick);
    expect((await readingOf(dhl, ctx, parcelSubject(id))).events).toMatchObject([{ code: 'exception' }]);
  });

  it('selects the newest of several shipments with other numbers', async () => {
    const old = { id: 'a', status: { timestamp: '2026-01-01T00:00:00Z' }, events: [event('delivered', 'x')] };
    const young = { id: 'b', status: { timestamp: '2026-02-01T00:00:00Z' }, events: [event('failure', 'x')] };
    const { ctx } = cannedCarrier(() => answered(old, young), quick);
    expect((await readingOf(dhl, ctx, parcelSubject(number))).events).toMatchObject([{ code: 'exception' }]);
  });

  it.each([
    [
      {
        status: 404,
        body: {
          title: 'No result found',
          status: 404,
          detail: 'No shipment with given tracking number found.',
          instance: '/shipment/8',
        },
      },
      { outcome: 'not_found', httpStatus: 404 },
    ],
    [answered(), { outcome: 'not_found', httpStatus: 200 }],
    [
      { status: 400, body: { title: 'Bad Request', detail: 'trackingNumber is too long' } },
      { reason: 'invalid_identifier', permanent: false, detail: expect.stringContaining('too long') },
    ],
    [
      { status: 401, body: { title: 'Unauthorized', detail: 'Unauthorized for given resource.' } },
      { reason: 'carrier_auth_failed' },
    ],
    [
      { status: 429, body: '', headers: { 'retry-after': 'Fri, 01 May 2026 00:00:30 GMT' } },
      { reason: 'carrier_rate_limited', retryAfterMs: 30_000 },
    ],
    [{ status: 500, body: '' }, { reason: 'carrier_unreachable' }],
    [{ body: '<!doctype html>' }, { reason: 'unrecognized_response' }],
    [{ body: '' }, { reason: 'unrecognized_response' }],
    [{ body: [] }, { reason: 'unrecognized_response' }],
    [{ body: { shipments: {} } }, { reason: 'unrecognized_response' }],
  ])('%j', async (answer, expected) => {
    expect(await fetchFor(dhl, cannedCarrier(() => answer, quick).ctx, parcelSubject(number))).toMatchObject(expected);
  });

  it('makes no call without a number or a key', async () => {
    const keyless = cannedCarrier(() => answered(), { apiKey: null });
    expect(await fetchFor(dhl, keyless.ctx, parcelSubject(number))).toMatchObject({ reason: 'credentials_missing' });
    expect(await fetchFor(dhl, keyless.ctx, parcelSubject(null))).toMatchObject({
      reason: 'wrong_identifier_type',
      permanent: true,
    });
    expect(keyless.asked).toEqual([]);
  });
});

it('returns a reading or a named error for any JSON', async () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const shipment = fc.dictionary(
    fc.constantFrom('id', 'events', 'status', 'destination', 'estimatedTimeOfDelivery'),
    json,
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, fc.record({ shipments: fc.array(shipment) })), async (body) => {
      const result = await fetchFor(
        dhl,
        cannedCarrier(() => ({ body: JSON.stringify(body) }), quick).ctx,
        parcelSubject(number),
      );
      if (result.outcome === 'error') expect(result.reason).toBe('unrecognized_response');
    }),
    { numRuns: runs(200) },
  );
});
