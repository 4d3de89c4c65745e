import { expect, test } from 'vitest';
import { fedex } from '#services/worker/carriers/fedex/fedex.ts';
import { readGlsParcels } from '#services/worker/carriers/gls/read-gls-parcel.ts';
import { readObject } from '#services/worker/carriers/lenient-object.ts';
import { readStatusWords } from '#services/worker/carriers/reading/status-words/read-status-words.ts';
import { ups } from '#services/worker/carriers/ups/ups.ts';
import { cannedCarrier, parcelSubject, readingOf } from './canned-carrier.ts';

const number = '1Z0000000000000001';
type Activity = { type: string; statusCode: string; date: string };

const upsAnswer = (activities: readonly Activity[], more: object = {}) => ({
  trackResponse: {
    shipment: [
      {
        package: [
          {
            trackingNumber: number,
            activity: activities.map(({ date, ...status }) => ({ date, time: '120000', status })),
            ...more,
          },
        ],
      },
    ],
  },
});
const readUps = (body: object) => readingOf(ups, cannedCarrier(() => ({ body })).ctx, parcelSubject(number));

test('a delivery half a year after another one is that of another parcel', async () => {
  const delivery = (date: string) => ({ type: 'D', statusCode: '011', date });
  const codesOf = async (earlier: string) =>
    (await readUps(upsAnswer([delivery('20260310'), delivery(earlier)]))).events.map(({ time }) => time.local);
  expect(await codesOf('20250801')).toEqual(['2026-03-10T12:00:00']);
  expect(await codesOf('20260201')).toEqual(['2026-03-10T12:00:00', '2026-02-01T12:00:00']);
});

test('the newest activity waits for a payment, in any order of the list', async () => {
  const activities = [
    { type: 'X', statusCode: '013', date: '20260310' },
    { type: 'I', statusCode: '005', date: '20260308' },
  ];
  for (const some of [activities, activities.toReversed()]) {
    const { events } = await readUps(upsAnswer(some, { paymentInformation: [{ paid: false }] }));
    const waiting = events.filter(({ details }) => details?.statusDetail === 'payment_due');
    expect(waiting.map(({ time }) => time.local)).toEqual(['2026-03-10T12:00:00']);
  }
});

test('a FedEx parcel that has no scan yet, or an offset after a space, counts before one of another year', async () => {
  const result = (more: object) => ({ trackingNumberInfo: { trackingNumber: '123456789012' }, ...more });
  const scan = (date: string, eventType: string) => ({ date, eventType, eventDescription: eventType });
  const old = result({ scanEvents: [scan('2025-01-10T12:00:00-05:00', 'DL')] });
  const announced = result({ dateAndTimes: [{ type: 'ESTIMATED_DELIVERY', dateTime: '2026-05-10T12:00:00' }] });
  const moving = result({ scanEvents: [scan('2026-04-20T12:00:00 -0500', 'DP')] });
  for (const present of [announced, moving])
    for (const trackResults of [
      [old, present],
      [present, old],
    ]) {
      const body = { output: { completeTrackResults: [{ trackingNumber: '123456789012', trackResults }] } };
      const { events } = await readingOf(fedex, cannedCarrier(() => ({ body })).ctx, parcelSubject('123456789012'));
      expect(events.map(({ time }) => time.local.slice(0, 4))).toEqual(['2026']);
    }
});

test('of two GLS parcels with one number, the newer one counts, and they are no pieces', () => {
  const parcel = (year: number, code: string) =>
    readObject({
      unitno: '93000000001',
      status: code.startsWith('DELIVD') ? 'DELIVERED' : 'INTRANSIT',
      statusDateTime: `${year}-04-10T12:00:00+0200`,
      events: [{ code, eventDateTime: `${year}-04-10T12:00:00+0200`, description: code }],
    });
  const [old, present] = [parcel(2025, 'DELIVD.NORMAL'), parcel(2026, 'OUTBOD.NORMAL')];
  for (const parcels of [
    [old, present],
    [present, old],
  ]) {
    const { events, facts } = readGlsParcels(
      parcels.filter((each) => each !== null),
      'gls',
    );
    expect(events.map(({ code }) => code)).toEqual(['departed_facility']);
    expect(facts).toBeUndefined();
  }
});

test.each(['The recipient has picked up the shipment from the retail outlet.', 'Recipient has collected the parcel'])(
  'reads “%s” as a delivery',
  (words) => {
    expect(readStatusWords(words)?.code).toBe('delivered');
  },
);
