import { describe, expect, it } from 'vitest';
import { gls } from '#services/worker/carriers/gls/gls.ts';
import { codeOfGlsEvent } from '#services/worker/carriers/gls/gls-codes.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { patienceMs } from '#test/support/until.ts';
import { type CannedRequest, cannedCarrier, fetchFor, parcelSubject, readingOf } from './canned-carrier.ts';

const number = '50123456789';

type Fields = Record<string, unknown>;

const event = (code: string, description = '', hour = 10): Fields => ({
  code,
  description,
  eventDateTime: `2026-02-12T${hour}:00:00+01:00`,
  city: 'Neuenstein',
  country: 'DE',
});

const parcel = (changes: Fields = {}): Fields => ({
  requested: number,
  unitno: '5012345678',
  status: 'INTRANSIT',
  events: [event('INBOUD.NORMAL')],
  ...changes,
});

function read(...parcels: Fields[]) {
  return readingOf(gls, cannedCarrier(() => ({ body: { parcels } })).ctx, parcelSubject(number));
}

function subjects(numbers: readonly string[]): RefreshSubject[] {
  return numbers.map((each, index) =>
    parcelSubject(each, { shipmentId: `018f0000-0000-7000-8000-${String(index).padStart(12, '0')}` }),
  );
}

const numbersIn = ({ url }: CannedRequest) => url.pathname.split('/').at(-1)?.split(',') ?? [];

describe('the request', () => {
  it('asks for 10 numbers at once, in English, and for a shared number once', async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => `501234567${String(index).padStart(2, '0')}`);
    const { ctx, asked } = cannedCarrier((one) => ({
      body: { parcels: numbersIn(one).map((requested) => parcel({ requested })) },
    }));
    const all = subjects([...numbers, number, number]);
    const results = await gls.fetch(ctx, all, AbortSignal.timeout(patienceMs));
    expect(asked.map((one) => numbersIn(one).length).sort()).toEqual([10, 3].sort());
    expect(asked.map(({ url }) => [url.pathname.replace(/[^/]+$/, ''), url.search])).toContainEqual([
      '/track-and-trace-v1/tracking/simple/trackids/',
      '?showEvents=true',
    ]);
    expect(asked[0]?.headers.get('accept-language')).toBe('EN');
    expect([...results.values()].map(({ outcome }) => outcome)).toEqual(all.map(() => 'found'));
  });

  it('requests numbers one by one when a batch is rejected, so that one number spoils no other', async () => {
    const { ctx, asked } = cannedCarrier((one) =>
      numbersIn(one).includes('BAD123') ? { status: 400, body: {} } : { body: { parcels: [parcel()] } },
    );
    const results = await gls.fetch(ctx, subjects([number, 'BAD123']), AbortSignal.timeout(patienceMs));
    expect(asked).toHaveLength(3);
    expect([...results.values()].map(({ outcome }) => outcome)).toEqual(['found', 'error']);
  });

  it('sends no number that would spoil the call', async () => {
    const { ctx, asked } = cannedCarrier(() => ({ body: { parcels: [parcel()] } }));
    const results = await gls.fetch(ctx, subjects([number, 'ÄÖ1234567']), AbortSignal.timeout(patienceMs));
    expect(asked.map(numbersIn)).toEqual([[number]]);
    expect([...results.values()]).toMatchObject([
      { outcome: 'found' },
      { outcome: 'error', reason: 'invalid_identifier' },
    ]);
  });

  it.each([
    [{ errorCode: 'E_404_01', errorMessage: 'Parcel not found' }, { outcome: 'not_found' }],
    [{ errorCode: 'E_400_01', errorMessage: 'Not a number' }, { reason: 'invalid_identifier' }],
    [{ errorCode: 'E_500_01', errorMessage: 'Try later' }, { reason: 'carrier_unreachable' }],
  ])('reads the error of a number inside a 200: %j', async (error, expected) => {
    const { ctx } = cannedCarrier(() => ({ body: { parcels: [{ requested: number, ...error }] } }));
    expect(await fetchFor(gls, ctx, parcelSubject(number))).toMatchObject(expected);
  });

  it('does not use another number’s parcel as its own', async () => {
    const { ctx } = cannedCarrier(() => ({ body: { parcels: [parcel(), parcel({ requested: '50999999999' })] } }));
    const [first, second] = subjects([number, '50888888888']);
    if (first === undefined || second === undefined) throw new Error('two subjects');
    const results = await gls.fetch(ctx, [first, second], AbortSignal.timeout(patienceMs));
    expect(results.get(first.shipmentId)).toMatchObject({ outcome: 'found' });
    expect(results.get(second.shipmentId)).toMatchObject({ outcome: 'error', reason: 'unrecognized_response' });
  });
});

it.each([
  ['INTIAL.PREADVICE', '', 'information_received'],
  ['INTIAL.NORMAL', '', 'picked_up'],
  ['INBOUD.NORMAL', '', 'arrived_at_facility'],
  ['OUTBOD.NORMAL', '', 'departed_facility'],
  ['OUTDEL.NORMAL', '', 'out_for_delivery'],
  ['DELIVD.NORMAL', '', 'delivered'],
  ['DELIVD.PARCELSHOP', '', 'available_for_pickup'],
  ['UNKNWN.NORMAL', 'The parcel could not be delivered as the consignee was absent.', 'delivery_attempted'],
  ['UNKNWN.NORMAL', 'The parcel has left the parcel center.', 'departed_facility'],
  ['UNKNWN.NORMAL', 'Anything', 'other'],
])('reads %s `%s` as %s', (code, description, expected) => {
  expect(codeOfGlsEvent(code, description).code).toBe(expected);
});

it('takes a fact that no event states from the status, on the newest event', async () => {
  const newest = event('NEW.CODE', 'New', 12);
  const reported = await read(parcel({ status: 'DELIVERED', events: [newest, event('INBOUD.NORMAL')] }));
  expect(reported.events.map(({ code, carrierCode }) => [code, carrierCode])).toEqual([
    ['delivered', 'NEW.CODE'],
    ['arrived_at_facility', 'INBOUD.NORMAL'],
  ]);
  const known = await read(parcel({ status: 'DELIVERED' }));
  expect(known.events.map(({ code }) => code)).toEqual(['arrived_at_facility', 'delivered']);
  const none = await read(parcel({ status: 'PREADVICE', statusDateTime: '2026-02-12T10:00:00+01:00', events: [] }));
  expect(none.events).toMatchObject([{ code: 'information_received', carrierCode: 'PREADVICE' }]);
});

it('reads several parcels of one number as its pieces', async () => {
  const { facts, events } = await read(parcel(), parcel({ unitno: '50123456780' }));
  expect(facts).toMatchObject({
    piecesCount: 2,
    pieces: [{ trackingNumber: '5012345678' }, { trackingNumber: '50123456780' }],
  });
  expect(events.map(({ details }) => details?.piece)).toEqual(['5012345678', '50123456780']);
  expect((await read(parcel())).facts).toBeUndefined();
});

it('reads each piece on its own, and none without a number', async () => {
  const first = parcel({ events: [event('INBOUD.NORMAL', '', 10), event('OTHER', 'The parcel is in transit.', 12)] });
  const second = parcel({ unitno: '50123456780', events: [event('OUTBOD.NORMAL', '', 11)] });
  const unnumbered = parcel({ unitno: null, events: [event('DELIVD.NORMAL', '', 13)] });
  const { facts, events } = await read(first, second, unnumbered);
  expect(facts?.piecesCount).toBe(3);
  expect(events.every(({ details }) => details?.piece !== undefined)).toBe(true);
  expect(events.some(({ code }) => code === 'delivered')).toBe(false);
  const alone = await read(first);
  expect(events.slice(0, 2).map(({ code }) => code)).toEqual(alone.events.map(({ code }) => code));
});

it('waits in a ParcelShop only while that is the last event', async () => {
  const shop = event('DELIVD.PARCELSHOP', '', 11);
  expect((await read(parcel({ events: [shop] }))).facts?.pickupPoint).toMatchObject({ kind: 'shop' });
  const fetched = await read(parcel({ events: [event('DELIVD.NORMAL', '', 12), shop] }));
  expect(fetched.facts?.pickupPoint).toBeUndefined();
});
