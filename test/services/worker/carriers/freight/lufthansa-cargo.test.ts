import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lufthansaCargo } from '#services/worker/carriers/lufthansa-cargo/lufthansa-cargo.ts';
import type { ReadEvent } from '#shared/domain/events/event.ts';
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

function reported(
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
  const departed = reported('DEP', 'FRA', '2026-07-19T09:40:00Z');
  const { actual, unreadable } = await read({
    milestonePlan: {
      milestones: {
        milestone: [milestone('DEP', 'FRA', { actualTime: '2026-07-19T09:40:00Z', events: { event: departed } })],
      },
    },
    events: { event: [departed, reported('RCS', 'FRA', '2026-07-18T10:00:00Z')] },
  });
  expect(unreadable).toEqual([]);
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
      milestone('DEP', 'FRA', { flight: second, events: { event: reported('DEP', 'FRA', '2026-07-19T12:00:00Z') } }),
    ],
  };
  const events = {
    event: [reported('DEP', 'FRA', '2026-07-19T09:40:00Z'), reported('DEP', 'FRA', '2026-07-19T12:00:00Z')],
  };
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
  const { actual } = await read({ events: { event: reported(type, 'FRA', '2026-07-18T10:00:00Z') } });
  expect(actual).toMatchObject([{ code, carrierCode: type }]);
});

it('reads a discrepancy with its classifier', async () => {
  const event = reported('DIS', 'FRA', '2026-07-18T10:00:00Z', { classifier: 'OFLD' });
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

it('reads a delivery of some of the pieces as one, with its pieces and weight', async () => {
  const part = (noOfPieces: number, weight: number, time: string) =>
    reported('DLV', 'JFK', time, { actualTotals: [{ noOfPieces: String(noOfPieces), weight }] });
  const both = { event: [part(4, 40, '2026-07-20T10:00:00Z'), part(6, 60.5, '2026-07-20T15:00:00Z')] };
  const { actual, facts } = await read({ events: both });
  expect(actual).toMatchObject([
    { code: 'delivered', details: { piecesCount: 4, weightKg: 40 } },
    { code: 'delivered', details: { piecesCount: 6, weightKg: 60.5 } },
  ]);
  expect(facts).toEqual({ piecesCount: 10, weightKg: 100 });
});

it('reads two parts at one time as two, and one part in two places once', async () => {
  const part = (noOfPieces: number, changes = {}) =>
    reported('ARR', 'JFK', '2026-07-20T10:00:00Z', { actualTotals: { noOfPieces }, ...changes });
  const events = { event: [part(4), part(6), part(4), part(6, { actualTotals: undefined })] };
  const { actual } = await read({ events });
  expect(actual.map(({ details }) => details?.piecesCount)).toEqual([4, 6]);
});

it.each([
  ['OFLD', 'offloaded'],
  ['SSPD', 'short_shipped'],
  ['OVCD', 'overcarried'],
  ['MSCA', 'missing_pieces'],
  ['MSAW', undefined],
  ['FDCA', undefined],
])('explains the discrepancy %s as %s', async (classifier, statusDetail) => {
  const event = reported('DIS', 'FRA', '2026-07-18T10:00:00Z', { classifier });
  expect((await read({ events: { event } })).actual[0]?.details?.statusDetail).toBe(statusDetail);
});

it('reads latest acceptance and time of availability only where the plan has no milestone for them', async () => {
  const booking = {
    origin: 'FRA',
    destination: 'JFK',
    originalTimeFrame: { lAT: '2026-07-18T18:35:00Z', tOA: '2026-07-20T01:00:00Z' },
  };
  const planned = async (milestones: unknown[]) => {
    const { events } = await read({ booking, milestonePlan: { milestones: { milestone: milestones } } });
    return events.map(({ code, location, time }) => `${code} ${location?.iata} ${time.at.slice(5, 16)}`);
  };
  expect(await planned([])).toEqual(['received_from_shipper FRA 07-18T18:35', 'consignee_notified JFK 07-20T01:00']);
  expect(await planned([milestone('NFD', 'JFK')])).toEqual([
    'consignee_notified JFK 07-19T09:35',
    'received_from_shipper FRA 07-18T18:35',
  ]);
});

describe('measures that make no sense', () => {
  it.each([
    ['negative pieces', { noOfPieces: -1, weight: 100 }, { weightKg: 100 }, 'noOfPieces is out of range'],
    ['too many pieces', { noOfPieces: 1_000_000_000, weight: 100 }, { weightKg: 100 }, 'noOfPieces is out of range'],
    ['half a piece', { noOfPieces: '2.5', weight: 100 }, { weightKg: 100 }, 'noOfPieces is out of range'],
    ['pieces as an object', { noOfPieces: { a: 1 }, weight: 1 }, { weightKg: 1 }, 'noOfPieces is not a number'],
    ['pieces as a list', { noOfPieces: [4], weight: 1 }, { weightKg: 1 }, 'noOfPieces is not a number'],
    ['a negative weight', { noOfPieces: 4, weight: -1 }, { piecesCount: 4 }, 'the weight is negative'],
    ['an enormous weight', { noOfPieces: 4, weight: 1e9 }, { piecesCount: 4 }, 'the weight is out of range'],
    ['a weight in stones', { noOfPieces: 4, weight: '12 STN' }, { piecesCount: 4 }, 'the weight unit is unknown'],
  ])('%s are set aside once, and the event stays', async (_name, totals, details, reason) => {
    const event = reported('RCS', 'FRA', '2026-07-18T10:00:00Z', { actualTotals: totals });
    const { actual, unreadable } = await read({
      events: { event: [event, event] },
      milestonePlan: { milestones: { milestone: milestone('RCS', 'FRA', { plannedTime: null, events: { event } }) } },
    });
    expect(unreadable).toMatchObject([{ reason }]);
    expect(actual).toMatchObject([{ code: 'received_from_shipper', details }]);
    expect(actual[0]?.details).toEqual(details);
  });

  it.each([
    ['zero, which fills what nobody entered', { noOfPieces: 0, weight: 0 }, undefined],
    ['a decimal comma with a unit', { noOfPieces: '3', weight: '12,5 KGM' }, { piecesCount: 3, weightKg: 12.5 }],
    ['pounds', { weight: { amount: '100', unit: 'LB' } }, { weightKg: 45.359 }],
    ['text where an object is expected', '3 pieces', undefined],
  ])('%s', async (_name, totals, details) => {
    const { actual, unreadable } = await read({
      events: { event: reported('RCS', 'FRA', '2026-07-18T10:00:00Z', { actualTotals: totals }) },
    });
    expect(unreadable).toEqual([]);
    expect(actual[0]?.details).toEqual(details);
  });

  it('states none of the shipment, without losing it', async () => {
    const booking = { origin: 'FRA', destination: 'JFK', totals: { noOfPieces: '-5', weight: 'heavy' }, product: [1] };
    const { events, facts, unreadable } = await read({ booking });
    expect(events).toHaveLength(2);
    expect(facts).toBeUndefined();
    expect(unreadable).toHaveLength(2);
  });
});

it('rejects invalid events individually', async () => {
  const events = {
    event: [
      reported('RCS', 'FRA', 'soon'),
      { station: 'FRA', actualTime: '2026-07-18T10:00:00Z' },
      { type: 'MAN', station: 'FRA' },
      reported('BKD', 'FRA', '2026-07-17T09:10:00Z'),
    ],
  };
  const { actual, unreadable } = await read({ events });
  expect(unreadable.map(({ reason }) => reason).sort()).toEqual([
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
    ['400', { status: 400 }, { reason: 'invalid_identifier', permanent: false }],
    [
      '400 about the number',
      { status: 400, text: '{"message":"Invalid AWB number format"}' },
      { reason: 'invalid_identifier', permanent: false },
    ],
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
