import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinList, splitList } from '#shared/contract/input/comma-list.ts';

it.each([
  ['acme,urgent', ['acme', 'urgent']],
  [' acme , ,urgent,', ['acme', 'urgent']],
  ['"Smith, Jones",urgent', ['Smith, Jones', 'urgent']],
  ['urgent, "Smith, Jones" ', ['urgent', 'Smith, Jones']],
  ['"12"" pipe, black"', ['12" pipe, black']],
  ['12" pipe', ['12" pipe']],
  ['"open, quote', ['"open', 'quote']],
  ['"a"b,c', ['"a"b', 'c']],
  ['"",x', ['x']],
  ['', []],
])('splits %s', (text, values) => {
  expect(splitList(text)).toEqual(values);
});

it('reads every list of texts that it writes', () => {
  const value = fc
    .array(fc.constantFrom('a', ',', '"', ' ', 'é', '\\'), { minLength: 1 })
    .map((characters) => characters.join('').trim())
    .filter((text) => text !== '');
  fc.assert(
    fc.property(fc.array(value), (values) => {
      expect(splitList(joinList(values))).toEqual(values);
    }),
  );
});

it('reads a text of 64 KiB in linear time, with any quotes', () => {
  for (const unit of ['"', '",', ',"', ',""', ',"""', ',"""x', ',"a""', ' "', '" ,', 'a"', ',', ' ']) {
    const text = unit.repeat(65_536 / unit.length);
    expect(splitList(text).join('').length).toBeLessThanOrEqual(text.length);
  }
});
