import { describe, expect, it } from 'vitest';
import { awbCheckDigit, failedCheckDigit, imoCheckDigit, iso6346CheckDigit, upsCheckDigit } from '#shared/domain/check-digits.ts';

describe('published numbers', () => {
  it.each([
    ['CSQU3054383', '3'],
    ['MSKU6011672', '2'],
    ['CSQU 305438-3', '3'],
  ])('container %s ends with %s', (container, digit) => {
    expect(iso6346CheckDigit(container)).toBe(digit);
    expect(failedCheckDigit('container', container)).toBeNull();
  });

  it.each(['020-08002050', '020-17363006', '057-06399886', '057 06399886'])('air waybill %s fits', (awb) => {
    expect(failedCheckDigit('awb', awb)).toBeNull();
  });

  it.each(['9321483', 'IMO 9074729'])('vessel %s fits', (imo) => {
    expect(imo.endsWith(imoCheckDigit(imo) ?? '?')).toBe(true);
  });

  it.each(['1Z5R89390357567127', '1Z12345E1512345676', '1Z879E930346834440', '1Z410E7W0392751591', '1z 999 aa1 01 2345 6784'])(
    'UPS number %s fits',
    (number) => {
      expect(failedCheckDigit('tracking_number', number)).toBeNull();
      expect(upsCheckDigit(number)).not.toBeNull();
    },
  );
});

it('numbers that carriers publish with a wrong digit name the expected one', () => {
  expect(failedCheckDigit('awb', '176-98765432')).toBe(awbCheckDigit('1769876543'));
  expect(failedCheckDigit('container', 'APNR7744962')).toBe(iso6346CheckDigit('APNR774496'));
  expect(failedCheckDigit('tracking_number', '1Z12345E0205271688')).toBe('6');
  expect(imoCheckDigit('1801323')).not.toBe('3');
});

it('one wrong digit of a container number is found', () => {
  expect(failedCheckDigit('container', 'CSQU3054373')).not.toBeNull();
});

it('other shapes have no check digit', () => {
  for (const check of [iso6346CheckDigit, awbCheckDigit, imoCheckDigit, upsCheckDigit]) expect(check('hello')).toBeNull();
  expect(failedCheckDigit('mbl', 'CSQU3054384')).toBeNull();
});

it('without a key the shape decides', () => {
  expect(failedCheckDigit(null, 'CSQU3054384')).toBe('3');
  expect(failedCheckDigit(null, 'MAEU123456789')).toBeNull();
});
