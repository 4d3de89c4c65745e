import { expect, test } from 'vitest';
import { fedex } from '#services/worker/carriers/fedex/fedex.ts';
import { ups } from '#services/worker/carriers/ups/ups.ts';
import { codeOfUps } from '#services/worker/carriers/ups/ups-codes.ts';
import { cannedCarrier, parcelSubject, readingOf } from './canned-carrier.ts';

const number = '123456789012';
const readFedex = (result: object) => {
  const body = { output: { completeTrackResults: [{ trackingNumber: number, trackResults: [result] }] } };
  return readingOf(fedex, cannedCarrier(() => ({ body })).ctx, parcelSubject(number));
};
const readUps = (parcel: object) => {
  const body = { trackResponse: { shipment: [{ package: [{ trackingNumber: '1Z0000000000000001', ...parcel }] }] } };
  return readingOf(ups, cannedCarrier(() => ({ body })).ctx, parcelSubject('1Z0000000000000001'));
};
const activity = (address: object) => ({
  date: '20260310',
  time: '120000',
  location: { address },
  status: { type: 'I', description: 'In transit' },
});
const pickup = { date: '2026-03-10T12:00:00', eventType: 'PU', eventDescription: 'Picked up' };

test.each([
  [{ city: 'Columbus', stateProvince: 'OH' }, '2026-03-10T16:00:00.000Z'],
  [{ city: 'Atlanta', stateOrProvinceCode: 'GA' }, '2026-03-10T16:00:00.000Z'],
  [{ city: 'Toronto', stateProvince: 'ON' }, '2026-03-10T16:00:00.000Z'],
  // A state of the United States and of Australia: the city decides.
  [{ city: 'Perth', stateProvince: 'WA' }, '2026-03-10T04:00:00.000Z'],
  // Provinces of Italy and Mexico.
  [{ city: 'Milano', stateProvince: 'MI' }, '2026-03-10T12:00:00.000Z'],
  [{ city: 'Monterrey', stateProvince: 'NL' }, '2026-03-10T12:00:00.000Z'],
])('a known city in a state gives the country of %o', async (address, at) => {
  const { events } = await readUps({ activity: [activity(address)] });
  expect(events.map(({ time }) => time.at)).toEqual([at]);
  const scan = { ...pickup, scanLocation: { ...address, stateOrProvinceCode: Object.values(address)[1] } };
  expect((await readFedex({ scanEvents: [scan] })).events.map(({ time }) => time.at)).toEqual([at]);
});

test('a status without a time and without a scan is reported', async () => {
  const { events, unreadable } = await readUps({ currentStatus: { type: 'D', code: '011', description: 'Delivered' } });
  expect(events).toEqual([]);
  expect(unreadable.map(({ reason }) => reason)).toEqual(['the status has no time']);
});

test('a label without a time and without a scan is no unreadable status', async () => {
  const label = { type: 'M', code: 'MP', statusCode: '003', description: 'Shipper created a label.' };
  expect(await readUps({ currentStatus: label })).toMatchObject({ events: [], unreadable: [] });
});

test('a label that UPS calls void is not cancelled where the words say that UPS has the parcel', () => {
  const code = (description: string) => codeOfUps({ type: 'MV', statusCode: null, code: null, description });
  expect(code('We Have Your Package')).toEqual({ code: 'picked_up', isConflict: true });
  expect(code('Billing Information Voided').code).toBe('cancelled');
  expect(code('Voided Information Received').code).toBe('cancelled');
});

test('a shipment that the latest status cancels is cancelled, unless it was delivered', async () => {
  const latestStatusDetail = { code: 'CA', description: 'Shipment cancelled by sender' };
  const codesOf = async (eventType: string) =>
    (await readFedex({ latestStatusDetail, scanEvents: [{ ...pickup, eventType }] })).events.map(({ code }) => code);
  expect(await codesOf('PU')).toEqual(['picked_up', 'cancelled']);
  expect(await codesOf('DL')).toEqual(['delivered']);
});

test('a date of delivery without a type is the one that UPS expects', async () => {
  const { events } = await readUps({ activity: [activity({})], deliveryDate: [{ date: '20260312' }] });
  expect(events.map(({ classifier, time }) => `${classifier} ${time.local}`)).toEqual([
    'actual 2026-03-10T12:00:00',
    'estimated 2026-03-12',
  ]);
});
