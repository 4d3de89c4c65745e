import { expect, it } from 'vitest';
import { matchValue, matchValues, parseIdentifiers } from '#shared/domain/registration/identifiers.ts';
import { scannedNumber } from '#shared/domain/registration/scanned-number.ts';

it.each([
  ['420773169261290283641500004181', 'usps', '9261290283641500004181'],
  ['4207731612349261290283641500004181', 'usps', '9261290283641500004181'],
  ['1071804952390002087800925989385163', 'fedex', '925989385163'],
  ['420773169261290283641500004181', 'fedex', '9261290283641500004181'],
  ['4207731692612902836415000046', 'fedex', '92612902836415000046'],
  ['4207731612349261290283641500004181', 'fedex', '9261290283641500004181'],
])('reads %s of %s as %s', (barcode, carrier, number) => {
  expect(scannedNumber(barcode, carrier)).toBe(number);
  const read = parseIdentifiers('parcel', { tracking_number: barcode }, { serviceType: null, test: false, carrier });
  expect(read.identifiers).toEqual({ tracking_number: number });
  expect(matchValues(null, barcode, null).candidates).toContainEqual({
    value: number,
    carrier,
    keys: ['tracking_number'],
  });
});

it.each([
  ['9261290283641500004181', 'usps', 'has no routing code'],
  ['420773169261290283641500004182', 'usps', 'has a wrong check digit'],
  ['1071804952390002087800925989385164', 'fedex', 'has a wrong check digit'],
  ['420773169161290283641500004181', 'fedex', 'is the barcode of another carrier'],
  ['9622001900000000000056776632517510', 'fedex', 'has a field of 14 digits'],
  ['2071804952390002087800925989385163', 'fedex', 'begins otherwise'],
  ['1071804952390002087801925989385163', 'fedex', 'has no zeros before the number'],
])('leaves %s of %s, which %s', (number, carrier, _why) => {
  expect(scannedNumber(number, carrier)).toBeNull();
});

it.each([
  ['9261\u200b290283641500004181', '9261290283641500004181'],
  ['９２６１２９０２８３６４１５００００４１８１', '9261290283641500004181'],
  ['\ufeff1Z12345E0205271688', '1Z12345E0205271688'],
])('folds %j', (sent, kept) => {
  const options = { serviceType: null, test: false, carrier: 'usps' };
  expect(parseIdentifiers('parcel', { tracking_number: sent }, options).identifiers).toEqual({ tracking_number: kept });
  expect(matchValue(sent)).toBe(kept);
  expect(matchValues(null, sent, null)).toEqual(matchValues(null, kept, null));
});

it.each(['½ inch № 5 ™', '①②③', 'می\u200cخواهم 5'])('keeps the text %s of a client as sent, and finds it', (po) => {
  const { identifiers, mistakes } = parseIdentifiers('road', { po }, { serviceType: null, test: false });
  expect([identifiers, mistakes]).toEqual([{ po }, []]);
  expect(matchValues('po', po, null).stored).toBe(matchValue(po));
});
