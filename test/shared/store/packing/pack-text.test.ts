import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dictionaries } from '#shared/store/packing/dictionaries.ts';
import { packText, unpackText } from '#shared/store/packing/pack-text.ts';

const numbers = [0, ...dictionaries.map(({ number }) => number)];
const sampleUrl = (name: string) => new URL(`../../../fixtures/packing/samples/${name}`, import.meta.url);

test.each(dictionaries)('dictionary $number, $name, unpacks what it packed when it was made', ({ number, name }) => {
  const folder = new URL('../../../../shared/store/packing/dictionaries/', import.meta.url);
  expect(readdirSync(folder)).toContain(`${number}-${name}.zdict`);
  const text: string = JSON.parse(readFileSync(sampleUrl(`${number}.json`), 'utf8'));
  expect(unpackText(readFileSync(sampleUrl(`${number}.packed`)))).toBe(text);
});

test('no number stands for two dictionaries', () => {
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('unpacks every text that it packed', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 2000 });
  fc.assert(
    fc.property(texts, fc.constantFrom(...numbers), (text, number) => {
      expect(unpackText(packText(text, number))).toBe(text);
    }),
  );
});

test('names the missing dictionary, and that a newer release has it', () => {
  const packed = packText('text', 0);
  packed.writeUInt16BE(60_001);
  expect(() => unpackText(packed)).toThrow(/needs dictionary 60001, .* newer release/);
});

test('refuses a value that is cut off', () => {
  const packed = packText('text of several words', 0);
  expect(() => unpackText(packed.subarray(0, 1))).toThrow('too short');
  expect(() => unpackText(packed.subarray(0, -3))).toThrow();
});
