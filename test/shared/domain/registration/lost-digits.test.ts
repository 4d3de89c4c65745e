import { expect, it } from 'vitest';
import { spoiltNumber } from '#shared/contract/imports/spoilt-cells.ts';
import { identifierWarnings } from '#shared/domain/registration/identifier-warnings.ts';

const codesOf = (number: string) => identifierWarnings({ tracking_number: number }, 'dhl').map(({ code }) => code);

it.each(['123456789123456000', '340434161094021000', '12345678912345600'])('warns about the zeros of %s', (number) =>
  expect(codesOf(number)).toContain('spoilt_number'),
);

it.each(['123456789123456', '1234567891234550', '123456789123456010', '9400111899223100000003'])(
  'accepts %s',
  (number) => {
    expect(codesOf(number)).not.toContain('spoilt_number');
  },
);

it('holds a row of an import back from two lost digits on', () => {
  expect(spoiltNumber('123456789123456000', 'tracking_number')).toContain('replaced all but 15 digits');
  expect(spoiltNumber('12345678912345600', 'tracking_number')).not.toBeNull();
  expect(spoiltNumber('1234567891234550', 'tracking_number')).toBeNull();
});
