import { gzipSync } from 'node:zlib';
import writeXlsxFile from 'write-excel-file/node';
import { bl, rowsOf, type Spreadsheet, text } from './spreadsheet.ts';
import { inlineRows, workbook, zip } from './zip.ts';

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ecma = 'ECMA-376 part 1, 18.3 (worksheets)';

async function written(rows: readonly (readonly unknown[])[]): Promise<Buffer> {
  const cells = rows.map((row) => row.map((value) => (value === null ? null : { value })));
  return await writeXlsxFile(cells as never).toBuffer();
}

/** A form with one file (RFC 7578), as curl -F sends it. */
export function form(name: string, bytes: Buffer, mediaType = 'text/csv'): { type: string; bytes: Buffer } {
  const border = '----landfall-form';
  const head =
    `--${border}\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n` +
    `--${border}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
    `Content-Type: ${mediaType}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${border}`,
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${border}--\r\n`)]),
  };
}

/** Workbooks, and forms with a file. */
export async function workbookFiles(): Promise<Spreadsheet[]> {
  const table = rowsOf(['xlsx-1', 'xlsx-2']);
  const multipart = form('shipments.csv', Buffer.from(text(rowsOf(['form']), ';')));
  const cutForm = form('shipments.csv', Buffer.from(text(rowsOf(['form-cut']))));
  const formXlsx = form('shipments.xlsx', await written(rowsOf(['form-xlsx'])), type);
  const formNdjson = form(
    'shipments.ndjson',
    Buffer.from(`{"transport_mode":"ocean","carrier":"MAEU","identifiers":{"mbl":"${bl()}"}}\n`),
    'application/octet-stream',
  );
  return [
    {
      name: 'a workbook of text',
      source: 'write-excel-file (npm)',
      type,
      bytes: await written(table),
      expected: {
        created: 2,
        says: { format: 'xlsx', encoding: null, delimiter: null, header_line: 1 },
        stored: { 'xlsx-1': {}, 'xlsx-2': {} },
      },
    },
    {
      name: 'a workbook named .csv',
      source: 'write-excel-file (npm)',
      bytes: await written(rowsOf(['xlsx-csv'])),
      expected: { created: 1, says: { format: 'xlsx' } },
    },
    {
      name: 'a workbook of numbers and dates',
      source: 'write-excel-file (npm), typed cells',
      type,
      bytes: await writeXlsxFile([
        ['mode', 'carrier', 'awb', 'reference', 'metadata.etd'].map((value) => ({ value })),
        [
          { value: 'air' },
          { value: 'LH' },
          { value: 2_012_345_701 },
          { value: 'xlsx-stripped' },
          { value: new Date('2026-04-15T00:00:00Z'), format: 'dd.mm.yyyy' },
        ],
        [
          { value: 'air' },
          { value: 'LH' },
          { value: '020-12345712' },
          { value: 4711, type: Number },
          { value: new Date('2026-04-15T00:00:00Z'), format: 'dd.mm.yyyy' },
        ],
      ] as never).toBuffer(),
      expected: {
        created: 1,
        failed: 1,
        errors: [[2, '020-12345701']],
        stored: { 4711: { metadata: { etd: '2026-04-15' } } },
      },
    },
    {
      name: 'numbers that are too long for a cell of numbers',
      source: 'Excel specifications and limits; ECMA-376 18.3.1.4 (cell)',
      type,
      query: '?transport_mode=parcel&carrier=fedex',
      bytes: workbook([
        {
          name: 'Sheet1',
          rows:
            `${inlineRows([['Tracking Number', 'Reference']])}<row r="2"><c r="A2"><v>9.4055118995600003E+21</v></c></row>` +
            '<row r="3"><c r="A3"><v>7.94624555466E11</v></c><c r="B3" t="str"><v>exact</v></c></row>',
        },
      ]),
      expected: { created: 1, failed: 1, errors: [[2, '9.40551E+21']], stored: { exact: {} } },
    },
    {
      name: 'leading zeros by a number format',
      source: 'ECMA-376 18.8.30 (numFmt)',
      type,
      bytes: workbook(
        [
          {
            name: 'Sheet1',
            rows:
              `${inlineRows([['mode', 'carrier', 'awb', 'reference']])}<row r="2"><c r="A2" t="inlineStr"><is><t>air</t></is></c>` +
              '<c r="B2" t="inlineStr"><is><t>LH</t></is></c><c r="C2" s="1"><v>2012345723</v></c>' +
              '<c r="D2" t="inlineStr"><is><t>zeros</t></is></c></row>',
          },
        ],
        {
          styles:
            '<numFmts count="1"><numFmt numFmtId="164" formatCode="00000000000"/></numFmts><cellXfs count="2">' +
            '<xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>',
        },
      ),
      expected: { created: 1, stored: { zeros: {} } },
    },
    {
      name: 'prefixed names, rows and cells without references, a title, shared rich text',
      source: `${ecma}, as Open XML SDK writers do`,
      type,
      bytes: workbook(
        [
          {
            name: 'Export',
            rows:
              '<x:row><x:c t="s"><x:v>0</x:v></x:c></x:row><x:row/>' +
              '<x:row><x:c t="inlineStr"><x:is><x:t>mode</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>carrier</x:t></x:is></x:c>' +
              '<x:c t="inlineStr"><x:is><x:t>mbl</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>ref</x:t></x:is></x:c></x:row>' +
              '<x:row><x:c t="inlineStr"><x:is><x:t>ocean</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>MAEU</x:t></x:is></x:c>' +
              `<x:c t="str"><x:v>${bl()}</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row>`,
          },
        ],
        {
          prefix: 'x',
          strings: '<si><t>Open shipments</t></si><si><r><t>rich-</t></r><r><t>text</t></r><rPh><t>x</t></rPh></si>',
        },
      ),
      expected: { created: 1, says: { header_line: 3, sheet: 'Export' }, stored: { 'rich-text': {} } },
    },
    {
      name: 'the second sheet has the table; a hidden one is left out',
      source: 'Excel template with instructions',
      type,
      bytes: workbook([
        { name: 'Lists', rows: inlineRows(rowsOf(['hidden'])), state: 'hidden' },
        { name: 'Read me', rows: inlineRows([['How to fill in this template']]) },
        { name: 'Shipments', rows: inlineRows(rowsOf(['second-sheet'])) },
      ]),
      expected: { created: 1, says: { sheet: 'Shipments' }, stored: { 'second-sheet': {} } },
    },
    {
      name: 'a sheet that the request names',
      source: ecma,
      type,
      query: '?sheet=may',
      bytes: workbook([
        { name: 'April', rows: inlineRows(rowsOf(['april'])) },
        { name: 'May', rows: inlineRows(rowsOf(['may'])) },
      ]),
      expected: { created: 1, says: { sheet: 'May' }, stored: { may: {} } },
    },
    {
      name: 'a sheet that is not there',
      source: ecma,
      type,
      query: '?sheet=June',
      bytes: workbook([{ name: 'April', rows: inlineRows(rowsOf(['june'])) }]),
      expected: { refused: ['No sheet June', 'April'] },
    },
    {
      name: 'a workbook cut off',
      source: 'a download that failed',
      type,
      bytes: (await written(rowsOf(['xlsx-cut']))).subarray(0, 900),
      expected: { refused: ['damaged'] },
    },
    {
      name: 'a workbook with XML that is not well-formed',
      source: ecma,
      type,
      bytes: workbook([{ name: 'Sheet1', rows: '<row><c></row>' }]),
      expected: { refused: ['damaged'] },
    },
    {
      name: 'a ZIP bomb',
      source: 'deflate reaches 1,032 to 1',
      type,
      bytes: workbook([{ name: 'Sheet1', rows: ' '.repeat(20 * 1024 * 1024) }]),
      expected: { refused: ['unpacks to more than'] },
    },
    {
      name: 'a ZIP that unpacks to more than its directory says',
      source: 'APPNOTE 4.4.9',
      type,
      bytes: workbook([{ name: 'Sheet1', rows: inlineRows(rowsOf(['lying'])) }], { claimed: 10 }),
      expected: { refused: ['damaged'] },
    },
    {
      name: 'an OpenDocument file',
      source: 'OpenDocument 1.3 part 2',
      bytes: zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<office/>' }),
      expected: { refused: ['.ods', 'Save it as .xlsx or CSV'] },
    },
    {
      name: 'a workbook packed with gzip',
      source: 'gzip(1)',
      type: 'application/gzip',
      bytes: gzipSync(await written(rowsOf(['xlsx-gz']))),
      expected: { created: 1, says: { format: 'xlsx', compression: 'gzip' } },
    },
    { name: 'a form with a CSV', source: 'curl -F', ...multipart, expected: { created: 1, says: { delimiter: ';' } } },
    {
      name: 'a form with a workbook',
      source: 'a browser',
      ...formXlsx,
      expected: { created: 1, says: { format: 'xlsx' } },
    },
    {
      name: 'a form with NDJSON',
      source: 'curl -F',
      ...formNdjson,
      expected: { created: 1, says: { format: 'ndjson' } },
    },
    {
      name: 'a form that is cut off',
      source: 'RFC 7578',
      type: cutForm.type,
      bytes: cutForm.bytes.subarray(0, -30),
      expected: { refused: ['damaged or cut off'] },
    },
    {
      name: 'a form without a file',
      source: 'RFC 7578',
      type: 'multipart/form-data; boundary=x',
      bytes: Buffer.from('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'),
      expected: { refused: ['no file'] },
    },
  ];
}
