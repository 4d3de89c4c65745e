import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { createCsvReader } from '#services/api/uploads/csv-rows.ts';
import { countLines } from '#services/api/uploads/line-ends.ts';
import { maxRowBytes } from '#shared/contract/imports/import-row-body.ts';
import type { Delimiter, RawRow } from '#shared/domain/registration/import.ts';

function read(file: string | Uint8Array, { delimiter = ',' as Delimiter, cuts = [] as number[] } = {}): RawRow[] {
  const bytes = Buffer.from(file as string);
  const reader = createCsvReader(delimiter);
  const sorted = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((left, right) => left - right);
  const borders = [0, ...sorted, bytes.length];
  const pushed = borders.slice(1).flatMap((border, at) => [...reader.push(bytes.subarray(borders[at], border))].flat());
  return [...pushed, ...[...reader.end()].flat()];
}

const cells = (file: string, options = {}) => read(file, options).map((row) => row.content);

test('ends rows at LF, CRLF or CR, skips blank rows, and counts the lines of the file', () => {
  expect(read('a,b\r\n\r\n\n , \n1,2\n3,4')).toEqual([
    { line: 1, content: ['a', 'b'], problem: null },
    { line: 5, content: ['1', '2'], problem: null },
    { line: 6, content: ['3', '4'], problem: null },
  ]);
  expect(read('a\rb\r\rc\r').map(({ line }) => line)).toEqual([1, 2, 4]);
  expect(read('"a\r\nb",1\nc,2').map(({ line }) => line)).toEqual([1, 3]);
  expect(cells('')).toEqual([]);
});

test('an unclosed quote makes only its own line fail', () => {
  expect(read('a,b\n"1,2\n3,4\n5,6\n').map(({ line, problem }) => [line, problem])).toEqual([
    [1, null],
    [2, 'open_quote'],
    [3, null],
    [4, null],
  ]);
  expect(cells('1,"2,3\n4,"5, 6",7\n8\n')).toEqual([['1,"2,3'], ['4', '5, 6', '7'], ['8']]);
  const many = Array.from({ length: 20_000 }, (_, at) => [String(at), 'x']);
  const rows = read(`"open,x\n${many.map((row) => row.join(',')).join('\n')}\n`);
  expect(rows[0]).toEqual({ line: 1, content: ['"open,x'], problem: 'open_quote' });
  expect(rows.slice(1).map((row) => row.content)).toEqual(many);
});

test('a row that is too long fails alone', () => {
  const fits = 'y'.repeat(maxRowBytes);
  for (const bad of ['x'.repeat(maxRowBytes + 100), `"${'x'.repeat(maxRowBytes)}"`, 'x'.repeat(maxRowBytes * 5)]) {
    const rows = read(`1,2\n${bad}\n${fits}\n3,4\n`, { cuts: [100, 70_000, 140_000] });
    expect(rows.map((row) => [row.line, row.problem])).toEqual([
      [1, null],
      [2, 'too_long'],
      [3, null],
      [4, null],
    ]);
  }
});

test('distinguishes intended quotes from others', () => {
  expect(cells('"""a"" b",5" pipe\n')).toEqual([['"a" b', '5" pipe']]);
  expect(read('"a"b,c').map((row) => row.problem)).toEqual(['invalid_quotes']);
  expect(read('"a"b,"""c","d"\n').map((row) => row.problem)).toEqual(['invalid_quotes']);
  const many = Array.from({ length: 7000 }, (_, at) => `"${at}`);
  expect(read(many.map((text) => `"${text.replaceAll('"', '""')}"`).join(','))).toEqual([
    { line: 1, content: many, problem: null },
  ]);
});

const cell = fc.string({ unit: fc.constantFrom('a', 'ü', ',', ';', '"', '\n', '\r\n', ' ', "'", '='), maxLength: 6 });

test('parses the output of papaparse, wherever the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(cell, { minLength: 2, maxLength: 4 }).filter((row) => row.some((text) => text.trim() !== '')),
        { maxLength: 8 },
      ),
      fc.constantFrom(',' as const, ';' as const, '\t' as const, '|' as const),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(200)),
      (rows, delimiter, newline, cuts) => {
        const file = Papa.unparse(rows, { delimiter, newline, quotes: true });
        expect(read(file, { delimiter, cuts }).map((row) => row.content)).toEqual(rows);
      },
    ),
  );
});

test('any bytes, split anywhere, yield the same rows', () => {
  const byte = fc.oneof(fc.constantFrom(10, 13, 34, 44, 97, 0xef, 0xbb, 0xbf), fc.nat(255));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 120 }), fc.array(fc.nat(200)), (bytes, cuts) => {
      const file = Uint8Array.from(bytes);
      expect(read(file, { cuts })).toEqual(read(file));
    }),
  );
});

test('a row that is too long fails alone, whatever its cells, however the file is split', () => {
  const kib = 1024;
  for (const cell of ['x', '"a",', '"a"b,', '"a\r\nb",x']) {
    for (const length of [64, 65, 80, 96, 128, 144, 160, 200].map((size) => size * kib)) {
      for (const over of cell === 'x' ? [-1, 0, 1] : [1]) {
        const row = cell.endsWith('x') ? cell : cell.repeat(length / cell.length - 1);
        const file = `${row.padEnd(length + over - 1, 'x')}\ngood,1\nbetter,2\n`;
        for (const cuts of [[], [length], [64 * kib], [64 * kib, length], [16 * kib, 80 * kib, 128 * kib]]) {
          const rows = read(file, { cuts });
          expect(rows.slice(-2), `${cell}: ${length + over} bytes, cut at ${cuts}`).toMatchObject([
            { content: ['good', '1'], problem: null },
            { content: ['better', '2'], problem: null },
          ]);
          expect(rows.length === 3 && rows[2]?.line).toBe(countLines(Buffer.from(file)));
        }
      }
    }
  }
});

test('skips any number of blank lines, however the file is split', () => {
  for (const newline of ['\n', '\r\n', '\r']) {
    const file = `${newline.repeat(70_000)}good,1${newline}`;
    for (const cuts of [[], [20_000], [69_999, 70_000, 70_001], [65_536, 131_072]])
      expect(read(file, { cuts })).toEqual([{ line: 70_001, content: ['good', '1'], problem: null }]);
  }
});

test('loses no row behind thousands of open quotes, however the file is split', () => {
  const good = Array.from({ length: 2000 }, (_, at) => ['good', String(at)]);
  const file = `${'"a","b\n'.repeat(20_000)}"c"\n${good.map((row) => row.join(',')).join('\n')}\n`;
  const whole = read(file);
  expect(whole.slice(-good.length).map(({ content }) => content)).toEqual(good);
  expect(whole.at(-1)?.line).toBe(22_001);
  for (const piece of [1000, 16_384, 65_536]) {
    const cuts = Array.from({ length: Math.floor(file.length / piece) }, (_, at) => (at + 1) * piece);
    expect(read(file, { cuts })).toEqual(whole);
  }
});

test('takes small steps through a file full of open quotes', () => {
  const reader = createCsvReader(',');
  const file = Buffer.from('"a","b\n'.repeat(60_000));
  let rows = 0;
  for (let at = 0; at < file.length; at += 65_536)
    for (const some of reader.push(file.subarray(at, at + 65_536))) rows += some.length;
  for (const some of reader.end()) rows += some.length;
  // Without a limit every line would be parsed again with 64 KiB behind it.
  expect(rows).toBeLessThan(1000);
});
