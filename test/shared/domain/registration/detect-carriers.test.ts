import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { confidences, detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { parseIdentifiers } from '#shared/domain/registration/identifiers.ts';

const first = (number: string) => {
  const [candidate] = detectCarriers(number, null);
  return candidate === undefined
    ? null
    : `${candidate.carrier} ${candidate.transportMode} ${candidate.identifier} ${candidate.confidence} ${candidate.checkDigit}`;
};

describe('the likeliest candidate', () => {
  it.each([
    ['MAEU123456789', 'MAEU ocean mbl high none'],
    ['maeu 123456789', 'MAEU ocean mbl high none'],
    ['HLCUSHA2504ABCD9', 'HLCU ocean mbl high none'],
    ['EISU140500000000', 'EGLV ocean mbl high none'],
    // The same shape is a bill of lading and a container: the check digit decides.
    ['MSCU1234566', 'MSCU ocean container medium valid'],
    ['MEDU1234567', 'MSCU ocean mbl high none'],
    ['MSKU6011672', 'MAEU ocean container medium valid'],
    ['CSQU3054383', 'null ocean container low valid'],
    ['020-08002050', 'LH air awb high valid'],
    ['176-98765432', 'EK air awb low invalid'],
    ['1Z5R89390357567127', 'ups parcel tracking_number high valid'],
    ['1Z5R89390357567128', 'ups parcel tracking_number medium invalid'],
    ['RB123456785GB', 'royal-mail parcel tracking_number high valid'],
    ['RB123456785CV', 'null parcel tracking_number low valid'],
    ['9400111201080805483016', 'usps parcel tracking_number high valid'],
    ['986578788855', 'fedex parcel tracking_number medium valid'],
    ['568283610012734', 'fedex parcel tracking_number medium valid'],
    ['9611020987654312345672', 'fedex parcel tracking_number medium none'],
    ['3318810025', 'dhl parcel tracking_number medium valid'],
    ['JJD0099999999', 'dhl parcel tracking_number medium none'],
    ['GM2951173225174494', 'dhl-ecommerce parcel tracking_number medium none'],
    ['GM7F21C8AA0493E1B6D2', 'dhl-ecommerce parcel tracking_number medium none'],
    ['K1506235620', 'ups parcel tracking_number low none'],
    ['123456789012345678', 'ups parcel tracking_number low none'],
    ['12345678901234567890123456', 'ups parcel tracking_number low none'],
    ['00340434161094021507', 'dhl parcel tracking_number medium valid'],
    ['00340434161094021508', 'dhl parcel tracking_number low invalid'],
    ['12345678901234', 'dhl-ecommerce parcel tracking_number low none'],
    ['7035114477138472', 'canada-post parcel tracking_number medium valid'],
    ['BNSF 123456', 'BNSF rail railcar medium none'],
    ['hello', null],
    ['', null],
    ['TEST-DELIVERED', null],
  ])('%s: %s', (number, expected) => {
    expect(first(number)).toBe(expected);
  });
});

it('leaves other modes out', () => {
  expect(detectCarriers('CSQU3054383', 'rail').map((candidate) => candidate.transportMode)).toEqual(['rail']);
  expect(detectCarriers('020-08002050', 'ocean')).toEqual([]);
});

it('names the carrier', () => {
  expect(detectCarriers('MAEU123456789', null)[0]).toMatchObject({ carrierName: 'Maersk' });
  expect(detectCarriers('1Z5R89390357567127', null)[0]).toMatchObject({ carrierName: 'UPS' });
});

const numberLike = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[A-Z]{2,4}\d{6,11}[A-Z]{0,2}$/),
  fc.stringMatching(/^\d{8,24}$/),
  fc.stringMatching(/^(MAEU|MSCU|HLCU|1Z|JD|GM|92|96)[A-Z0-9 -]{5,20}$/),
);

it('never throws, and returns ordered, known candidates with valid numbers of their mode', () => {
  fc.assert(
    fc.property(numberLike, fc.option(fc.constantFrom(...transportModes)), (text, mode) => {
      const found = detectCarriers(text, mode);
      const ranks = found.map((candidate) => confidences.indexOf(candidate.confidence));
      expect(ranks).toEqual(ranks.toSorted());
      for (const { carrier, transportMode, identifier } of found) {
        if (carrier !== null) expect(findCarrier(carrier)?.modes).toContain(transportMode);
        if (mode !== null) expect(transportMode).toBe(mode);
        const sent = text.normalize().trim();
        expect(
          parseIdentifiers(transportMode, { [identifier]: sent }, { serviceType: null, test: false }).mistakes,
          sent,
        ).toEqual([]);
      }
    }),
  );
});
