import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cosco } from '#services/worker/carriers/cosco/cosco.ts';
import { meaningOfMove, modeOfMove } from '#services/worker/carriers/cosco/cosco-moves.ts';
import { coscoPlace, coscoTerminal } from '#services/worker/carriers/cosco/cosco-place.ts';
import type { Identifiers } from '#shared/domain/record/shipment.ts';
import { type CannedAnswer, cannedCarrier, cannedNow, fetchFor, readingOf } from './canned-carrier.ts';
import { subject } from './dcsa/fake-carrier.ts';

type Fields = Record<string, unknown>;

const found = (content: Fields, type = 'bl'): CannedAnswer => ({
  body: { code: 0, message: 'success', data: { type, numberType: 'both', content } },
});
const nothing: CannedAnswer = { body: { code: 0, message: 'success', data: { type: 'none', content: null } } };

const leg = (changes: Fields = {}): Fields => ({
  sequenceNumber: '1',
  vesselName: 'COSCO PHILIPPINES',
  voyageNo: '039E',
  portOfLoading: 'Qingdao',
  portOfDischarge: 'Long Beach',
  expectedDateOfDeparture: '2026-01-02 17:00',
  estimatedDateOfArrival: '2026-01-27 06:00',
  ...changes,
});

const container = (changes: Fields = {}): Fields => ({
  containerNumber: 'CBHU4398928',
  containerType: '20GP',
  grossWeight: '12000.5KG',
  piecesNumber: 20,
  label: 'Gate-out from Last POD',
  sealNumber: 'K31436',
  location: 'Pacific Container Terminal,Long Beach,California,United States',
  locationDateTime: '2026-01-31 12:00',
  transportation: 'Truck',
  ...changes,
});

const trackingPath = {
  fromCity: 'Qingdao ,Shandong ,China',
  toCity: 'Dallas ,Texas ,United States',
  pol: 'Qingdao - QQCTU Qingdao Qianwan United Ctn',
  pod: 'Long Beach - Pacific Container Terminal',
};

const bill = (content: Fields = {}): CannedAnswer =>
  found({ actualShipment: [leg()], trackingPath, containerStatus: [{ containers: [container()] }], ...content });

const mbl: Identifiers = { mbl: 'COSU6103622780' };

const read = (answer: CannedAnswer, identifiers: Identifiers = mbl) =>
  readingOf(cosco, cannedCarrier(() => answer).ctx, subject(identifiers, 'COSU'));

describe('the request', () => {
  it('is signed as the documentation prescribes', async () => {
    const { ctx, asked } = cannedCarrier(() => nothing);
    await fetchFor(cosco, ctx, subject(mbl, 'COSU'));
    const headers = asked[0]?.headers ?? new Headers();
    const id = headers.get('x-coscon-content-md5') ?? '';
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('x-coscon-hmac')).toBe(id);
    expect(headers.get('x-coscon-date')).toBe('Fri, 01 May 2026 00:00:00 GMT');
    expect(cannedNow.toISOString()).toBe('2026-05-01T00:00:00.000Z');
    // The digest of an empty body.
    expect(headers.get('x-coscon-digest')).toBe('SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
    const signed =
      'X-Coscon-Date: Fri, 01 May 2026 00:00:00 GMT\n' +
      'X-Coscon-Digest: SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n' +
      `X-Coscon-Content-Md5: ${id}\n` +
      'GET /info/tracking/6103622780?numberType=bl HTTP/1.1';
    const signature = createHmac('sha1', 'the secret').update(signed).digest('base64');
    expect(headers.get('x-coscon-authorization')).toBe(
      `hmac username="the key",algorithm="hmac-sha1",headers="X-Coscon-Date X-Coscon-Digest X-Coscon-Content-Md5 request-line",signature="${signature}"`,
    );
  });

  it.each<[Identifiers, string[]]>([
    [{ mbl: 'cosu 6103622780', booking: '6103622781', container: 'CBHU4398928' }, ['6103622780 bl', '6103622781 bkg']],
    [{ booking: 'COSU6103622781', container: 'CBHU4398928' }, ['6103622781 bkg']],
    [{ container: 'CBHU4398928' }, ['CBHU4398928 cntr']],
  ])('asks for %j as %j', async (identifiers, expected) => {
    const { ctx, asked } = cannedCarrier(() => nothing);
    expect(await fetchFor(cosco, ctx, subject(identifiers, 'COSU'))).toMatchObject({ outcome: 'not_found' });
    expect(asked.map(({ url }) => `${url.pathname.split('/').at(-1)} ${url.searchParams.get('numberType')}`)).toEqual(
      expected,
    );
  });

  it('asks for the booking when the B/L is rejected', async () => {
    const unreadable: CannedAnswer = { body: { code: 5400, message: 'bad number' } };
    const { ctx, asked } = cannedCarrier((_asked, count) =>
      count === 1 ? unreadable : found({ trackingPath, actualShipment: [leg()] }, 'bkg'),
    );
    const both = subject({ mbl: 'BAD123', booking: '6123456789' }, 'cosco');
    expect(await fetchFor(cosco, ctx, both)).toMatchObject({ outcome: 'found' });
    expect(asked.map(({ url }) => url.searchParams.get('numberType'))).toEqual(['bl', 'bkg']);
  });

  it.each<[Fields, Fields]>([
    [
      { code: 5400, message: 'bad number' },
      { reason: 'invalid_identifier', permanent: true },
    ],
    [
      { code: 5500, message: 'try later' },
      { reason: 'carrier_unreachable', permanent: false },
    ],
    [{ code: 0, message: 'success' }, { reason: 'unrecognized_response' }],
  ])('reads %j as an error', async (body, expected) => {
    const { ctx } = cannedCarrier(() => ({ body }));
    expect(await fetchFor(cosco, ctx, subject(mbl, 'COSU'))).toMatchObject({ outcome: 'error', ...expected });
  });
});

describe('a bill of lading', () => {
  it('has the times of each leg at its ports, and the last move of each container', async () => {
    const reading = await read(bill({ actualShipment: [leg({ actualDepartureDate: '2026-01-02 11:00' })] }));
    const moves = reading.events.map(({ code, classifier, legRole, time, location, vehicle }) => [
      ...[code, classifier, legRole, time.local, location?.unlocode],
      vehicle?.voyage,
    ]);
    expect(moves).toEqual([
      ['departed', 'estimated', 'pol', '2026-01-02T17:00', null, '039E'],
      ['departed', 'actual', 'pol', '2026-01-02T11:00', null, '039E'],
      ['arrived', 'estimated', 'pod', '2026-01-27T06:00', 'USLGB', '039E'],
      ['gate_out_full', 'actual', 'pod', '2026-01-31T12:00', 'USLGB', undefined],
    ]);
    expect(reading.route).toMatchObject({ origin: { name: 'Qingdao' }, destination: { name: 'Dallas' } });
    expect(reading.facts).toEqual({ weightKg: 12000.5, piecesCount: 20 });
  });

  it('orders the legs by their number, and has its ports between them as transshipments', async () => {
    const second = leg({ sequenceNumber: '10', portOfLoading: 'Singapore' });
    const first = leg({ sequenceNumber: '9', portOfDischarge: 'Singapore' });
    const { events } = await read(bill({ actualShipment: [second, first], containerStatus: [] }));
    expect(events.map(({ code, legRole, location }) => `${code} ${location?.name} ${legRole}`)).toEqual([
      'departed Qingdao pol',
      'arrived Singapore transshipment',
      'departed Singapore transshipment',
      'arrived Long Beach pod',
    ]);
  });

  it.each(['12,345KG', '-5KG', 'heavy'])('sets the weight %s aside, and sums no others', async (grossWeight) => {
    const containers = [container(), container({ containerNumber: 'CBHU4398907', grossWeight })];
    const reading = await read(bill({ containerStatus: [{ containers }] }));
    expect(reading.facts?.weightKg).toBeUndefined();
    expect(reading.facts?.piecesCount).toBe(40);
    expect(reading.unreadable).toHaveLength(1);
    expect(reading.events.filter(({ container }) => container !== null)).toHaveLength(2);
  });

  it('sets one unreadable time aside', async () => {
    const reading = await read(bill({ actualShipment: [leg({ estimatedDateOfArrival: 'soon' })] }));
    expect(reading.unreadable).toHaveLength(1);
    expect(reading.events.map(({ code }) => code)).toEqual(['departed', 'gate_out_full']);
  });
});

it('reads the moves of a container, without those of its earlier journeys', async () => {
  const move = (containerNumberStatus: string, changes: Fields = {}) => ({
    containerNumberStatus,
    location: 'Pasir Panjang Terminal,Singapore,,Singapore',
    timeOfIssue: '2025-10-04 08:26',
    transportation: 'Vessel',
    ...changes,
  });
  const one = {
    container: container({ containerNumber: null }),
    containerCircleStatus: [move('Discharged at T/S POD'), move('Loaded at T/S POL'), move('Something new')],
    containerHistorys: [move('Loaded at First POL')],
  };
  const { events } = await read(found({ containers: [one] }, 'cntr'), { container: 'CBHU4398928' });
  expect(events.map(({ code }) => code)).toEqual(['discharged', 'loaded', 'other']);
  expect(events[0]).toMatchObject({
    container: 'CBHU4398928',
    isoType: '20GP',
    seals: ['K31436'],
    time: { at: '2025-10-04T00:26:00.000Z' },
    location: { name: 'Singapore', country: 'SG', facility: 'Pasir Panjang Terminal' },
    details: { weightKg: 12000.5, piecesCount: 20 },
  });
});

it('treats a departure from the last port by train as a step on the way', () => {
  expect(meaningOfMove('Gate-out from Last POD', 'rail')).toMatchObject({ code: 'departed_facility' });
  expect(meaningOfMove('Gate-out from Last POD', 'road')).toMatchObject({ code: 'gate_out_full', legRole: 'pod' });
  expect(meaningOfMove('gate-out  from last POD', null)).toMatchObject({ code: 'gate_out_full' });
});

it('reads a place as far as COSCO states it', () => {
  // Qingdao is known under two codes, CNQDG and CNTAO.
  const qingdao = coscoPlace('Qingdao ,Shandong ,China');
  expect(qingdao).toMatchObject({ name: 'Qingdao', country: 'CN', unlocode: null, facility: null });
  expect(coscoPlace('Long Beach,United States')).toMatchObject({ country: 'US', unlocode: 'USLGB' });
  expect(coscoPlace('Qingdao', [qingdao])).toMatchObject({ country: 'CN', timezone: 'Asia/Shanghai' });
  expect(coscoPlace('Somewhere, Nowhere')).toMatchObject({ name: 'Somewhere, Nowhere', country: null, unlocode: null });
  expect(coscoPlace(' , ,')).toBeNull();
  expect(coscoPlace(null)).toBeNull();
  expect(coscoTerminal('Long Beach - Pier J - East', [])).toMatchObject({
    name: 'Long Beach',
    facility: 'Pier J - East',
  });
});

it('a word that every object inherits is no move and no mode', () => {
  expect([meaningOfMove('constructor', null).code, modeOfMove('constructor')]).toEqual(['other', null]);
});
