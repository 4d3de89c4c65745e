import { expect, it } from 'vitest';
import { carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { identifierWarnings } from '#shared/domain/registration/identifier-warnings.ts';

const found = (identifiers: object, carrier: string | null) =>
  identifierWarnings(identifiers, carrier).map(({ code, field, expected }) => [code, field, expected]);

it('warns of an air waybill with the prefix of another airline, and names that airline', () => {
  expect(found({ awb: '160-12345675' }, 'LH')).toEqual([['carrier_prefix_mismatch', 'identifiers.awb', 'CX']]);
  expect(found({ awb: '020-12345675' }, 'LH')).toEqual([]);
  // An unknown prefix is not a certain mistake.
  expect(found({ awb: '998-12345675' }, 'LH')).toEqual([]);
  expect(found({ awb: '160-12345675' }, null)).toEqual([]);
});

it('warns of a bill of lading or booking with the prefix of another line', () => {
  expect(found({ mbl: 'MAEU123456789' }, 'HLCU')).toEqual([['carrier_prefix_mismatch', 'identifiers.mbl', 'MAEU']]);
  expect(found({ booking: 'medu-1234567' }, 'MAEU')).toEqual([
    ['carrier_prefix_mismatch', 'identifiers.booking', 'MSCU'],
  ]);
});

it.each<[object, string, string]>([
  [{ mbl: 'SUDU123456789' }, 'MAEU', 'a prefix that the line has taken over'],
  [{ mbl: '123456789' }, 'MAEU', 'a number without a prefix'],
  [{ mbl: 'MAEU12' }, 'HLCU', 'too few characters behind it'],
  [{ mbl: 'APLU123456789' }, 'CMDU', 'a line that is polled through the same connector'],
  [{ hbl: 'MAEU123456789' }, 'HLCU', "a forwarder's own number"],
  [{ container: 'MSKU1234565' }, 'HLCU', 'a container, which lines lend each other'],
  [{ mbl: 'TEST-DELIVERED' }, 'HLCU', 'a test number'],
])('does not warn about %j with %s: %s', (identifiers, carrier, _why) => {
  expect(found(identifiers, carrier)).toEqual([]);
});

it("never warns about a carrier's own prefixes", () => {
  for (const { code, blPrefixes, awbPrefixes } of carriers) {
    for (const prefix of blPrefixes) expect(found({ mbl: `${prefix}1234567` }, code)).toEqual([]);
    for (const prefix of awbPrefixes) expect(found({ awb: `${prefix}-12345675` }, code)).toEqual([]);
  }
});
