import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lufthansaCargo } from '#services/worker/carriers/lufthansa-cargo/lufthansa-cargo.ts';
import type { ReadEvent } from '#shared/domain/tracking/event.ts';
import { runs } from '#test/support/run-scale.ts';
import { fetchOnce, freightSubject, scriptedCarrier } from './simulated-carrier.ts';

const awb = freightSubject('air', { awb: '020-08002050' });

const flight = {
  flightCarrierCode: 'LH',
  flightNumber: '8170',
  flightDate: '2026-07-19',
  flightSegmentOrigin: 'FRA',
  flightSegmentDestination: 'JFK',
};

function milestone(type: string, station: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { type, station, plannedTime: '2026-07-19T09:35:00Z', flight, events: '', ...changes };
}

function told(
  type: string,
  station: string,
  actualTime: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return { type, station, actualTime, actualTotals: { noOfPieces: 10, weight: 100 }, category: 'S', ...changes };
}

/** A status as documented: ten pieces from Frankfurt to New York. */
function status(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    shipment: { shipmentId: { carrierNumericCode: '020', aWBNumber: '08002050' }, awbIssueStation: 'FRA' },
    status: 'MAN',
    milestonePlan: {
      version: 0,
      milestones: {
        milestone: [milestone('DEP', 'FRA'), milestone('ARR', 'JFK', { plannedTime: '2026-07-19T17:35:00Z' })],
      },
    },
    booking: { totals: { noOfPieces: '10', weight: 100 }, origin: 'FRA', destination: 'JFK' },
    events: '',
    ...changes,
  };
}

async function read(changes: Record<string, unknown> = {}) {
  const { context, asked } = scriptedCarrier([{ text: JSON.stringify({ shipmentTrackingStatus: status(changes) }) }]);
  const refresh = await fetchOnce(lufthansaCargo, context, awb);
  if (refresh.outcome !== 'found') throw new Error(JSON.stringify(refresh));
  const actual = refresh.reading.events.filter((event) => event.classifier === 'actual');
  return { ...refresh.reading, actual, asked };
}

const brief = ({ code, classifier, location, vehicle, time }: ReadEvent) => [
  classifier,
  code,
  location?.iata,
  vehicle?.flight ?? null,
  time.at.slice(0, 16),
];

it('requests by prefix and number with the key in its header', async () => {
  const { asked } = await read();
  expect(asked).toMatchObject([
    {
      method: 'GET',
      url: 'https://carrier.example/lh/handling/shipment?aWBPrefix=020&aWBNumber=08002050',
      headers: { apikey: 'key' },
    },
  ]);
});

it('reads milestones as plans, with the flight of those that concern one', async () => {
  const { events } = await read();
  expect(events.map(brief)).toEqual([
    ['planned', 'departed', 'FRA', 'LH8170', '2026-07-19T09:35'],
    ['planned', 'arrived', 'JFK', 'LH8170', '2026-07-19T17:35'],
  ]);
  expect(events.map(({ legRole }) => legRole)).toEqual(['pol', 'pod']);
  expect(events[0]).toMatchObject({
    mode: 'air',
    location: { unlocode: 'DEFRA' },
    time: { local: '2026-07-19T11:35:00', timezone: 'Europe/Berlin' },
  });
});

it('reads the same event in three places of the response once, with the flight of its milestone', async () => {
  const departed = told('DEP', 'FRA', '2026-07-19T09:40:00Z');
  const { actual, rejected } = await read({
    milestonePlan: {
      milestones: {
        milestone: [milestone('DEP', 'FRA', { actualTime: '2026-07-19T09:40:00Z', events: { event: departed } })],
      },
    },
    events: { event: [departed, told('RCS', 'FRA', '2026-07-18T10:00:00Z')] },
  });
  expect(rejected).toEqual([]);
  expect(actual.map(brief)).toEqual([
    ['actual', 'received_from_shipper', 'FRA', null, '2026-07-18T10:00'],
    ['actual', 'departed', 'FRA', 'LH8170', '2026-07-19T09:40'],
  ]);
});

it('uses a milestone’s own actual time when no event reports it', async () => {
  const { actual } = await read({
    milestonePlan: { milestones: { milestone: milestone('DEP', 'FRA', { actualTime: '2026-07-19T09:40:00Z' }) } },
  });
  expect(actual.map(brief)).toEqual([['actual', 'departed', 'FRA', 'LH8170', '2026-07-19T09:40']]);
});

it('names no flight for an event of one of two flights unless the milestone identifies it', async () => {
  const second = { ...flight, flightNumber: '8172' };
  const milestones = {
    milestone: [
      milestone('DEP', 'FRA'),
      milestone('DEP', 'FRA', { flight: second, events: { event: told('DEP', 'FRA', '2026-07-19T12:00:00Z') } }),
    ],
  };
  const events = { event: [told('DEP', 'FRA', '2026-07-19T09:40:00Z'), told('DEP', 'FRA', '2026-07-19T12:00:00Z')] };
  const { actual } = await read({ milestonePlan: { milestones }, events });
  expect(actual.map(({ vehicle }) => vehicle?.flight ?? null)).toEqual([null, 'LH8172']);
});

it.each([
  ['BKD', 'booking_confirmed'],
  ['RCS', 'received_from_shipper'],
  ['MAN', 'manifested'],
  ['DEP', 'departed'],
  ['ARR', 'arrived'],
  ['RCF', 'received_from_flight'],
  ['NFD', 'consignee_notified'],
  ['DLV', 'delivered'],
  ['DDL', 'delivered'],
  ['RCT', 'in_transit'],
  ['TFD', 'in_transit'],
  ['DIS', 'exception'],
])('%s means %s', async (type, code) => {
  const { actual } = await read({ events: { event: told(type, 'FRA', '2026-07-18T10:00:00Z') } });
  expect(actual).toMatchObject([{ code, carrierCode: type }]);
});

it('reads a discrepancy with its classifier', async () => {
  const event = told('DIS', 'FRA', '2026-07-18T10:00:00Z', { classifier: 'OFLD' });
  const { actual } = await read({ events: { event } });
  expect(actual[0]?.raw).toEqual(event);
  expect(actual).toMatchObject([
    { code: 'exception', carrierCode: 'DIS_OFLD', description: 'Offloaded: left behind for a later flight' },
  ]);
});

it('estimates the arrival from the flight’s movement, in UTC', async () => {
  const flightMovementDetails = { ...flight, eta: '2026-07-19T14:00:00', etaUTC: '2026-07-19T18:00:00Z' };
  const { events } = await read({ flightMovementDetails });
  expect(events.filter(({ classifier }) => classifier === 'estimated').map(brief)).toEqual([
    ['estimated', 'arrived', 'JFK', 'LH8170', '2026-07-19T18:00'],
  ]);
  const local = await read({ flightMovementDetails: { ...flight, eta: '2026-07-19T14:00:00' } });
  expect(local.events.at(-1)?.time).toMatchObject({ at: '2026-07-19T18:00:00.000Z', zoneSource: 'location' });
});

it('is delivered with the last piece', async () => {
  const part = (noOfPieces: number, time: string) =>
    told('DLV', 'JFK', time, { actualTotals: [{ noOfPieces: String(noOfPieces) }] });
  const both = { event: [part(4, '2026-07-20T10:00:00Z'), part(6, '2026-07-20T15:00:00Z')] };
  expect((await read({ events: both })).actual).toMatchObject([
    { code: 'other', description: '4 of 10 pieces' },
    { code: 'delivered', description: '6 of 10 pieces' },
  ]);
  expect((await read({ events: { event: part(4, '2026-07-20T10:00:00Z') } })).actual).toMatchObject([
    { code: 'other' },
  ]);
});

it('rejects invalid events individually', async () => {
  const events = {
    event: [
      told('RCS', 'FRA', 'soon'),
      { station: 'FRA', actualTime: '2026-07-18T10:00:00Z' },
      { type: 'MAN', station: 'FRA' },
      told('BKD', 'FRA', '2026-07-17T09:10:00Z'),
    ],
  };
  const { actual, rejected } = await read({ events });
  expect(rejected.map(({ reason }) => reason).sort()).toEqual([
    'actualTime is missing',
    'actualTime is not a time',
    'type is missing',
  ]);
  expect(actual).toMatchObject([{ code: 'booking_confirmed' }]);
});

describe('other responses', () => {
  it('reads a response without the wrapper of newer releases', async () => {
    const { context } = scriptedCarrier([{ text: JSON.stringify(status()) }]);
    expect(await fetchOnce(lufthansaCargo, context, awb)).toMatchObject({ outcome: 'found' });
  });

  it.each([
    ['404', { status: 404 }, { outcome: 'not_found' }],
    [
      'a known number without events',
      { text: JSON.stringify({ shipmentTrackingStatus: { shipment: {}, milestonePlan: {}, events: '' } }) },
      { outcome: 'not_found' },
    ],
    ['400', { status: 400 }, { reason: 'invalid_identifier', permanent: true }],
    ['401', { status: 401 }, { reason: 'carrier_auth_failed' }],
    ['429', { status: 429 }, { reason: 'carrier_rate_limited' }],
    ['500', { status: 500 }, { reason: 'carrier_unreachable' }],
    ['HTML with 200', { text: '<html></html>' }, { reason: 'unrecognized_response' }],
    ['nothing with 200', { text: '' }, { reason: 'unrecognized_response' }],
    ['a list', { text: '[]' }, { reason: 'unrecognized_response' }],
    ['another JSON', { text: '{"message":"ok"}' }, { reason: 'unrecognized_response' }],
  ])('%s', async (_name, answer, expected) => {
    expect(await fetchOnce(lufthansaCargo, scriptedCarrier([answer]).context, awb)).toMatchObject(expected);
  });

  it('names a missing key and a missing waybill', async () => {
    expect(await fetchOnce(lufthansaCargo, scriptedCarrier([], { apiKey: null }).context, awb)).toMatchObject({
      reason: 'credentials_missing',
    });
    expect(
      await fetchOnce(lufthansaCargo, scriptedCarrier([]).context, freightSubject('air', { hawb: 'H1' })),
    ).toMatchObject({
      reason: 'wrong_identifier_type',
    });
  });

  it('returns a reading or a named error for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
        const body = {
          ...status(),
          milestonePlan: {
            milestones: { milestone: [one, milestone('DEP', 'FRA', { actualTotals: other, flight: one })] },
          },
          events: { event: [other] },
          booking: one,
        };
        for (const each of [one, { shipmentTrackingStatus: one }, body]) {
          const refresh = await fetchOnce(
            lufthansaCargo,
            scriptedCarrier([{ text: JSON.stringify(each) }]).context,
            awb,
          );
          expect(refresh.outcome === 'error' ? refresh.reason : null).not.toBe('internal_error');
        }
      }),
      { numRuns: runs(150) },
    );
  });
});
