import { expect, test } from 'vitest';
import { iso6346CheckDigit } from '#shared/domain/registration/check-digits.ts';
import { unitOf, unitOfNumber } from '#shared/edi/x12/x12-references.ts';

test.each(['A', 'B', 'C', 'D', 'E', 'K'])(
  'a loading unit by its ILU code (owner key in %s) is found as a container',
  (letter) => {
    const bare = `ATB${letter}100309`;
    const digit = iso6346CheckDigit(bare);
    const number = `${bare}${digit}`;
    expect(unitOfNumber(number)).toEqual({ kind: 'container', number });
    expect(unitOfNumber(`ATB${letter} 100309-${digit}`)).toEqual({ kind: 'container', number });
    expect(unitOf(`ATB${letter}`, '100309', digit)).toEqual({ kind: 'container', number });
    expect(unitOf(`ATB${letter}`, `100309${digit}`, null)).toEqual({ kind: 'container', number });
  },
);

test('a railcar stays one, whatever letter its mark ends with', () => {
  expect(unitOf('NATK', '100309', null)).toEqual({ kind: 'railcar', number: 'NATK100309' });
  expect(unitOfNumber('TTAX354321')).toEqual({ kind: 'railcar', number: 'TTAX354321' });
  expect(unitOf('MSCU', '473000', null)?.kind).toBe('container');
});
