import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowSplitter, detectDelimiter, maxRowBytes, splitCells } from '#shared/contract/imports/import-rows.ts';

type Row = { text: string; problem: string | null };

function split(file: string | Uint8Array, options: { delimiter?: string | null; cuts?: number[] } = {}): Row[] {
  const { delimiter = ',', cuts = [] } = options;
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const splitter = createRowSplitter(delimiter);
  const borders = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((left, right) => left - right),
    bytes.length,
  ];
  const rows = borders.slice(1).flatMap((border, index) => splitter.push(bytes.subarray(borders[index], border)));
  return [...rows, ...splitter.end()].map((row) => ({
    text: new TextDecoder().decode(row.bytes),
    problem: row.problem,
  }));
}

const texts = (file: string, options = {}) => split(file, options).map((row) => row.text);

test('splits rows at LF or CRLF and skips empty rows and a byte order mark', () => {
  expect(texts('\ufeffa,b\r\n\r\n\n1,2\n3,4')).toEqual(['a,b', '1,2', '3,4']);
  expect(texts('')).toEqual([]);
  expect(texts('\ufeff')).toEqual([]);
  expect(texts('x')).toEqual(['x']);
});

test('allows line ends and delimiters in quoted cells, and quotes inside plain cells', () => {
  expect(texts('"a\nb",2\n3,"x ""y""\r\n"\n')).toEqual(['"a\nb",2', '3,"x ""y""\r\n"']);
  expect(texts('5" pipe,1\n2,3\n')).toEqual(['5" pipe,1', '2,3']);
  expect(texts('{"a":"x"}\n{"b":1}', { delimiter: null })).toEqual(['{"a":"x"}', '{"b":1}']);
});

test('an unclosed quote invalidates its own line only', () => {
  expect(split('a,b\n"1,2\n3,4\n5,6\n')).toEqual([
    { text: 'a,b', problem: null },
    { text: '"1,2', problem: 'open_quote' },
    { text: '3,4', problem: null },
    { text: '5,6', problem: null },
  ]);
  expect(texts('1,"2,3\n4,"5, 6",7\n8\n')).toEqual(['1,"2,3', '4,"5, 6",7', '8']);
  const many = Array.from({ length: 20_000 }, (_, index) => `${index},x`);
  const rows = split(`"open,x\n${many.join('\n')}\n`);
  expect(rows[0]).toEqual({ text: '"open,x', problem: 'open_quote' });
  expect(rows.slice(1).map((row) => row.text)).toEqual(many);
});

test('a row that is too long fails alone', () => {
  const long = 'x'.repeat(maxRowBytes + 1);
  const fits = 'y'.repeat(maxRowBytes);
  for (const bad of [long, `"${long}"`, 'x'.repeat(maxRowBytes * 5)]) {
    const rows = split(`1,2\n${bad}\n${fits}\n3,4\n`, { cuts: [100, 70_000, 140_000] });
    expect(rows.map((row) => row.problem)).toEqual([null, 'too_long', null, null]);
    expect(rows.map((row) => row.text.length)).toEqual([3, 1024, maxRowBytes, 3]);
  }
});

const cell = fc.string({ unit: fc.constantFrom('a', 'ü', ',', ';', '"', '\n', '\r\n', ' ', "'", '='), maxLength: 6 });

test('reads back any CSV, wherever the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(200)),
      (rows, delimiter, lineEnd, cuts) => {
        const quoted = (text: string) => (/["\r\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const file = rows.map((row) => row.map(quoted).join(delimiter) + lineEnd).join('');
        const read = split(file, { delimiter, cuts });
        expect(read.map((row) => splitCells(row.text, delimiter))).toEqual(rows);
        expect(parse(file, { delimiter, record_delimiter: lineEnd, relax_column_count: true })).toEqual(rows);
      },
    ),
  );
});

test('any bytes, split anywhere, yield the same rows', () => {
  const byte = fc.oneof(fc.constantFrom(10, 13, 34, 44, 97, 0xef, 0xbb, 0xbf), fc.nat(255));
  fc.assert(
    fc.property(
      fc
        .uint8Array({ maxLength: 60 })
        .chain((random) => fc.array(byte, { maxLength: 60 }).map((some) => Uint8Array.from([...some, ...random]))),
      fc.array(fc.nat(200)),
      (bytes, cuts) => {
        expect(split(bytes, { cuts })).toEqual(split(bytes));
      },
    ),
  );
});

test('refuses text after a closing quote', () => {
  expect(splitCells('"a"b,c', ',')).toBeNull();
  expect(splitCells('"a', ',')).toBeNull();
  expect(splitCells('"",a,', ',')).toEqual(['', 'a', '']);
});

test('detects the most frequent delimiter', () => {
  expect([detectDelimiter('a,b;c,d'), detectDelimiter('a;b;c'), detectDelimiter('a\tb'), detectDelimiter('a')]).toEqual(
    [',', ';', '\t', ','],
  );
});
