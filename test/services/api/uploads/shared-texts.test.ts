import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSharedTexts } from '#services/api/uploads/xlsx/shared-texts.ts';
import { runs } from '#test/support/run-scale.ts';

const free = () => undefined;

test('gives back each text by its number, and nothing for other numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 3000 }), (given) => {
      const texts = openSharedTexts(free);
      for (const text of given) texts.add(text);
      expect(given.map((_, index) => texts.at(index))).toEqual(given);
      for (const index of [-1, given.length, 0.5, Number.NaN]) expect(texts.at(index)).toBe('');
    }),
    { numRuns: runs(200) },
  );
});

test('keeps texts apart across the borders of its blocks', () => {
  const texts = openSharedTexts(free);
  const given = Array.from({ length: 200 }, (_, index) => `${index}${'é'.repeat(20_000 + index)}`);
  for (const text of given) texts.add(text);
  expect(given.every((text, index) => texts.at(index) === text)).toBe(true);
});

test('takes memory before it holds more, and holds millions of short texts in a few bytes each', () => {
  let held = 0;
  const texts = openSharedTexts((bytes) => {
    held += bytes;
  });
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 2_000_000; index++) texts.add('abc');
  expect(held).toBeGreaterThan(2_000_000 * 8);
  expect(held).toBeLessThan(20 * 1024 ** 2);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 1024 ** 2);
  expect(texts.at(1_999_999)).toBe('abc');
});

test('passes on the refusal of the memory', () => {
  const texts = openSharedTexts(() => {
    throw new Error('not free');
  });
  expect(() => texts.add('a')).toThrow('not free');
});

test('refuses more text than a workbook may have', () => {
  const texts = openSharedTexts(free);
  const long = 'x'.repeat(60_000);
  expect(() => {
    for (let index = 0; index < 1000; index++) texts.add(long);
  }).toThrow('The workbook has more than 48 MiB of text. Save the sheet as CSV.');
});
