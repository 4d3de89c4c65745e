import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutGuards } from '#shared/contract/formula-guard.ts';
import { csvColumnNames } from '#shared/contract/lists/export-fields.ts';
import { csvCell, csvColumnsOf, csvHeader } from '#shared/contract/lists/export-rows.ts';
import { listFieldNames } from '#shared/contract/lists/list-wire.ts';

/** Any text, and text of the characters that matter. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...['=', '-', '＝', "'", '"', ',', ';', '\t', '\r', '\n', ' ', 'a']) }),
);

describe('a csv cell', () => {
  it('returns any text unchanged, except for the apostrophes before possible formulas', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 5 }), (texts) => {
        const [row] = parse(`${csvHeader(texts.map((text) => csvCell(text)))}`, {
          record_delimiter: '\r\n',
          relax_column_count: true,
        });
        expect((row ?? ['']).map(withoutGuards)).toEqual(texts);
      }),
    );
  });

  it.each([
    ['=1+1', `'=1+1`],
    ['+49 40', `'+49 40`],
    ['-x', `'-x`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\tx', `'\tx`],
    ['\r=x', `"'\r'=x"`],
    ['＝1+1', `'＝1+1`],
    ['＋1', `'＋1`],
    ['－1', `'－1`],
    ['＠SUM(A1)', `'＠SUM(A1)`],
    [' =1', `" '=1"`],
    ['a;=1', `a;'=1`],
    ['a\t@b', `a\t'@b`],
    ['a\n-1', `"a\n'-1"`],
    ['12-07, 5+3', '"12-07, 5+3"'],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['two\nlines', '"two\nlines"'],
    [`'=x`, `''=x`],
    [-5, '-5'],
    [true, 'true'],
    [null, ''],
    ['', ''],
  ])('writes %j as %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});

it('begins no field with a formula, whatever separator it is read with', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(',', ';', '\t'), (text, delimiter) => {
      for (const field of csvCell(text).split(new RegExp(`[${delimiter}\r\n]`)))
        expect(field.replace(/^[ "]+/, '')).not.toMatch(/^[=+\-@＝＋－＠]/);
    }),
  );
});

describe('columns', () => {
  it('cover every field of a summary and the fields that an import can change, and name no others', () => {
    const covered = new Set(csvColumnNames.map((column) => column.split('.')[0]));
    expect([...covered].sort()).toEqual([...listFieldNames, 'destination_postal_code', 'metadata'].sort());
  });

  it('expand a field to its columns once, after the id', () => {
    expect(csvColumnsOf(['version', 'arrival.delay_hours', 'arrival', 'shipment_id'])).toEqual([
      'shipment_id',
      'version',
      'arrival.delay_hours',
      ...csvColumnNames.filter((column) => column.startsWith('arrival.') && column !== 'arrival.delay_hours'),
    ]);
    expect(csvColumnsOf(null)).toEqual(csvColumnNames);
  });
});
