import fc from 'fast-check';
import readXlsx from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { defaultColumns } from '#services/dashboard/screens/shipments/columns.ts';
import { exportColumns, fieldsOfList } from '#services/dashboard/screens/shipments/export/export-columns.ts';
import { openSink } from '#services/dashboard/screens/shipments/export/export-sink.ts';
import { createWorkbook, SheetFull } from '#services/dashboard/screens/shipments/export/xlsx-file.ts';
import { guardFormulas } from '#shared/contract/formula-guard.ts';
import { csvColumnNames, numericColumns } from '#shared/contract/lists/export-fields.ts';
import { csvCell } from '#shared/contract/lists/export-rows.ts';

const rowsOf = async (file: Blob) => {
  const [sheet, ...others] = await readXlsx(Buffer.from(await file.arrayBuffer()), { trim: false });
  expect(others).toEqual([]);
  return sheet?.data ?? [];
};

describe('a workbook', () => {
  it('has the texts and numbers of its rows for another reader', async () => {
    const workbook = createWorkbook('Shipments');
    workbook.addRow(['shipment_id', 'reference', 'weight_kg']);
    workbook.addRow(['shp_1', '=1+1', 12.5]);
    workbook.addRow(['shp_2', ' <b>"&\u00e9\u6e2f\ud83d\udea2 ', 0]);
    expect(await rowsOf(workbook.end())).toEqual([
      ['shipment_id', 'reference', 'weight_kg'],
      ['shp_1', '=1+1', 12.5],
      ['shp_2', ' <b>"&\u00e9\u6e2f\ud83d\udea2 ', 0],
    ]);
  });

  it('survives every text, without characters that XML cannot represent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), async (texts) => {
        const workbook = createWorkbook('Shipments');
        for (const text of texts) workbook.addRow(['x', text]);
        expect(await rowsOf(workbook.end())).toHaveLength(texts.length);
      }),
      { numRuns: 15 },
    );
  });

  it('refuses more rows than a sheet can have', () => {
    const workbook = createWorkbook('Shipments', 2);
    for (let row = 0; row < 2; row++) workbook.addRow([]);
    expect(() => workbook.addRow([])).toThrow(SheetFull);
  });
});

describe('an export', () => {
  it('of a workbook has numbers as numbers, and text without the guards of a CSV', async () => {
    const sink = openSink('xlsx');
    sink.write('shipment_id,reference,weight_kg,tags\r\n');
    sink.write(`shp_1,${csvCell('=cmd|"x", \ntwo')},12.5,007\r\n`);
    sink.write('shp_2,,,\r\n');
    expect(await rowsOf(sink.end())).toEqual([
      ['shipment_id', 'reference', 'weight_kg', 'tags'],
      ['shp_1', '=cmd|"x", \ntwo', 12.5, '007'],
      ['shp_2', null, null, null],
    ]);
    expect(guardFormulas('=x')).not.toBe('=x');
  });

  it('of a CSV begins with a byte order mark, and an export of JSON lines does not', async () => {
    const bytes = async (format: 'csv' | 'ndjson') => {
      const sink = openSink(format);
      sink.write('{}\n');
      return Buffer.from(await sink.end().arrayBuffer());
    };
    expect((await bytes('csv')).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect((await bytes('ndjson')).toString()).toBe('{}\n');
  });

  it('offers every column that the API has', () => {
    const offered = new Set<string>(exportColumns.map(({ field }) => field));
    const ofApi = new Set(csvColumnNames.map((column) => column.split('.', 1)[0] ?? ''));
    expect([...ofApi].filter((field) => field !== 'shipment_id' && !offered.has(field))).toEqual([]);
    expect([...offered].filter((field) => !ofApi.has(field))).toEqual([]);
    expect([...numericColumns].filter((column) => !csvColumnNames.includes(column))).toEqual([]);
  });

  it('can have the columns of the list', () => {
    expect(fieldsOfList(defaultColumns)).toContain('latest_event');
    expect(fieldsOfList(['number'])).toEqual(['identifiers']);
  });
});
