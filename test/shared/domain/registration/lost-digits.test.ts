import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readSheetRows } from '#services/api/uploads/xlsx/sheet-rows.ts';
import { readImportRows } from '#shared/contract/imports/import-row-body.ts';
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
  expect(spoiltNumber('123456789123456000', { key: 'tracking_number' })).toContain('replaced all but 15 digits');
  expect(spoiltNumber('12345678912345600', { key: 'tracking_number' })).not.toBeNull();
  expect(spoiltNumber('1234567891234550', { key: 'tracking_number' })).toBeNull();
});

function readCells(content: string[]) {
  const options = { columns: ['mode', 'carrier', 'tracking_number'], carrier: null, transportMode: null };
  return readImportRows({ format: 'csv', options } as never, [{ content, problem: null } as never])[0];
}

it.each(["'123456789123456000", '="123456789123456000"'])('takes the zeros of %s as confirmed', (cell) => {
  expect(readCells(['parcel', 'dhl', cell])).toMatchObject({ identifiers: { tracking_number: '123456789123456000' } });
  expect(readCells(['parcel', 'dhl', '123456789123456000'])).toMatchObject({
    mistakes: [{ code: 'spoilt_number', detail: expect.stringContaining("as '123456789123456000") }],
  });
});

it('takes the zeros of a cell that a workbook keeps as text as its own', async () => {
  const number = '123456789123456000';
  const sheet =
    `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${number}</t></is></c><c r="B1"><v>${number}</v></c>` +
    '<c r="C1" t="inlineStr"><is><t>1600</t></is></c></row></sheetData></worksheet>';
  const shared = { texts: { at: () => '' }, formats: [], is1904: false };
  const rows: unknown[] = [];
  for await (const some of readSheetRows(Readable.from([Buffer.from(sheet)]), shared)) rows.push(...some);
  expect(rows).toMatchObject([{ content: [`="${number}"`, number, '1600'] }]);
});
