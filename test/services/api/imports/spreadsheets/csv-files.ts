import { gzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { bl, latin1, rowsOf, type Spreadsheet, text, utf16 } from './spreadsheet.ts';
import { zip } from './zip.ts';

const header = 'transport_mode,carrier,mbl,reference';
const row = (reference: string) => `ocean,MAEU,${bl()},${reference}`;
const csv = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(''));

const microsoft = 'Microsoft support, "Import or export text (.txt or .csv) files"';

/** Files by the program that wrote them: encodings, delimiters, line ends, quotes. */
export const csvFiles: readonly Spreadsheet[] = [
  {
    name: 'Excel: CSV UTF-8 with BOM and CRLF',
    source: microsoft,
    bytes: Buffer.from(`\ufeff${text(rowsOf(['utf8-bom-ü']))}`),
    expected: {
      created: 1,
      says: { encoding: 'utf-8', delimiter: ',', header_line: 1 },
      stored: { 'utf8-bom-ü': { tags: [] } },
    },
  },
  {
    name: 'Excel in German: semicolons and windows-1252',
    source: microsoft,
    bytes: latin1(text(rowsOf(['Größe']), ';')),
    expected: { created: 1, says: { encoding: 'windows-1252', delimiter: ';' }, stored: { Größe: {} } },
  },
  {
    name: 'Excel: the first umlaut comes after 3,000 rows',
    source: microsoft,
    bytes: latin1(text(rowsOf([...Array.from({ length: 3000 }, (_, at) => `late-${at}`), 'spät']))),
    expected: { created: 3001, says: { encoding: 'windows-1252' }, stored: { spät: {} } },
  },
  {
    name: 'windows-1252: the euro sign and curly quotes',
    source: 'WHATWG encoding standard, index windows-1252',
    bytes: Buffer.concat([Buffer.from(`${header}\r\nocean,MAEU,${bl()},`), Buffer.from([0x80, 0x93, 0x0d, 0x0a])]),
    expected: { created: 1, says: { encoding: 'windows-1252' }, stored: { '€“': {} } },
  },
  {
    name: 'ISO 8859-2, named by charset',
    source: 'LibreOffice export, character set Eastern Europe (ISO-8859-2)',
    type: 'text/csv; charset=iso-8859-2',
    bytes: Buffer.concat([
      Buffer.from(`${header}\r\nocean,MAEU,${bl()},`),
      Buffer.from([0xa3, 0xf3, 0x64, 0xbc, 0x0d, 0x0a]),
    ]),
    expected: { created: 1, says: { encoding: 'iso-8859-2' }, stored: { Łódź: {} } },
  },
  {
    name: 'a charset that nobody knows',
    source: 'RFC 7111 4.2, charset parameter',
    type: 'text/csv; charset=klingon',
    bytes: csv(header, row('charset')),
    expected: { refused: ['Unknown charset: klingon'] },
  },
  {
    name: 'UTF-8 is named but the bytes are Latin-1',
    source: 'SAP GUI download with a wrong code page',
    type: 'text/csv; charset=utf-8',
    bytes: latin1(text(rowsOf(['named-ü', 'named-plain']))),
    expected: { created: 1, failed: 1, errors: [[2, 'charset=windows-1252']] },
  },
  {
    name: 'Excel: Unicode Text, UTF-16LE with BOM and tabs',
    source: microsoft,
    bytes: utf16(text(rowsOf(['utf16-ß']), '\t'), 'le'),
    expected: { created: 1, says: { encoding: 'utf-16le', delimiter: '\t' }, stored: { 'utf16-ß': {} } },
  },
  {
    name: 'UTF-16BE with BOM',
    source: 'SQL Server export, Unicode big-endian',
    bytes: utf16(text(rowsOf(['utf16be-é'])), 'be'),
    expected: { created: 1, says: { encoding: 'utf-16be' }, stored: { 'utf16be-é': {} } },
  },
  {
    name: 'UTF-16LE without BOM',
    source: 'PowerShell 5.1, Export-Csv -Encoding Unicode, BOM stripped by a mail gateway',
    bytes: utf16(text(rowsOf(['utf16-no-bom'])), 'le', false),
    expected: { created: 1, says: { encoding: 'utf-16le' } },
  },
  {
    name: 'Excel for Mac: CR alone ends lines',
    source: microsoft,
    bytes: Buffer.from(text(rowsOf(['cr-1', 'cr-2']), ',', '\r')),
    expected: { created: 2, says: { delimiter: ',' } },
  },
  {
    name: 'a sep= line with semicolons',
    source: 'Excel, "sep=" in the first line',
    bytes: csv('sep=;', 'Mode;SCAC;MBL;Reference', `ocean;MAEU;${bl()};sep-semicolon`),
    expected: { created: 1, says: { delimiter: ';', header_line: 2 } },
  },
  {
    name: 'a sep= line with commas that the delimiter itself follows',
    source: 'Excel, "sep=" re-saved by LibreOffice',
    bytes: csv('sep=,', header, row('sep-comma')),
    expected: { created: 1, says: { delimiter: ',', header_line: 2 } },
  },
  {
    name: 'pipes',
    source: 'Oracle SQL*Plus, set colsep |',
    bytes: Buffer.from(text(rowsOf(['pipes']), '|')),
    expected: { created: 1, says: { delimiter: '|' } },
  },
  {
    name: 'tabs',
    source: 'Google Sheets, download as .tsv',
    type: 'text/tab-separated-values',
    bytes: Buffer.from(text(rowsOf(['tabs']), '\t', '\n')),
    expected: { created: 1, says: { delimiter: '\t' } },
  },
  {
    name: 'Google Sheets: LF, no line end after the last row',
    source: 'Google Sheets, download as .csv',
    bytes: Buffer.from(text(rowsOf(['sheets-1', 'sheets-2']), ',', '\n').trimEnd()),
    expected: { created: 2 },
  },
  {
    name: 'every cell in quotes',
    source: 'papaparse unparse, quotes: true',
    bytes: Buffer.from(Papa.unparse(rowsOf(['quoted, with a comma', 'quoted "twice"']), { quotes: true })),
    expected: { created: 2, stored: { 'quoted, with a comma': {}, 'quoted "twice"': {} } },
  },
  {
    name: 'papaparse with semicolons and a formula guard',
    source: 'papaparse unparse, escapeFormulae',
    bytes: Buffer.from(Papa.unparse(rowsOf(['=guarded']), { delimiter: ';', escapeFormulae: true })),
    expected: { created: 1, stored: { '=guarded': {} } },
  },
  {
    name: 'line breaks in quotes, and the lines of later errors',
    source: 'RFC 4180, rule 6',
    bytes: csv(header, `ocean,MAEU,${bl()},"two\r\nlines"`, 'ocean,MAEU,,missing', row('after-break')),
    expected: { created: 2, failed: 1, errors: [[4, 'identifiers']], stored: { 'two\r\nlines': {} } },
  },
  {
    name: 'a quote that is never closed',
    source: 'hand-edited export',
    bytes: csv(header, row('open-1'), `ocean,MAEU,${bl()},"never closed`, row('open-2'), row('open-3')),
    expected: { created: 3, failed: 1, errors: [[3, 'never closed']] },
  },
  {
    name: 'text after a closing quote',
    source: 'hand-edited export',
    bytes: csv(header, `ocean,MAEU,${bl()},"5"" pipe" steel`, row('after-quote')),
    expected: { created: 1, failed: 1, errors: [[2, 'closing quote']] },
  },
  {
    name: 'an inch mark in a plain cell',
    source: 'SAP ALV list export without text qualifiers',
    bytes: csv(header, row('5" pipe')),
    expected: { created: 1, stored: { '5" pipe': {} } },
  },
  {
    name: 'LF in one half and CRLF in the other',
    source: 'two exports joined by a script',
    bytes: Buffer.from(`${header}\n${row('mixed-1')}\r\n${row('mixed-2')}\n${row('mixed-3')}\r\n`),
    expected: { created: 3 },
  },
  {
    name: 'CR CR LF',
    source: 'Python csv.writer on Windows without newline=""',
    bytes: Buffer.from(text(rowsOf(['crcrlf-1', 'crcrlf-2']), ',', '\r\r\n')),
    expected: { created: 2 },
  },
  {
    name: 'a NUL in a cell',
    source: 'IBM i CPYTOIMPF with binary columns',
    bytes: csv(header, `ocean,MAEU,${bl()},nul\u0000here`, row('no-nul')),
    expected: { created: 1, failed: 1, errors: [[2, 'control characters']] },
  },
  {
    name: 'other control bytes',
    source: 'barcode scanners, which send STX and ETX',
    bytes: csv(header, `ocean,MAEU,${bl()},\u0002scan\u0003`),
    expected: { created: 0, failed: 1, errors: [[2, 'control characters']] },
  },
  {
    name: 'an empty file',
    source: 'a download that failed',
    bytes: Buffer.from('\ufeff\r\n'),
    expected: { refused: ['empty'] },
  },
  {
    name: 'gzip, named by Content-Encoding',
    source: 'curl --compressed upload, gzip(1)',
    encoding: 'gzip',
    bytes: gzipSync(text(rowsOf(['gz-header']))),
    expected: { created: 1, says: { compression: 'gzip' } },
  },
  {
    name: 'a .csv.gz file',
    source: 'AWS Redshift unload, gzip',
    type: 'application/gzip',
    bytes: gzipSync(text(rowsOf(['gz-file']), ';')),
    expected: { created: 1, says: { compression: 'gzip', delimiter: ';', format: 'csv' } },
  },
  {
    name: 'a .csv.gz file that is cut off',
    source: 'a download that failed',
    type: 'application/gzip',
    bytes: gzipSync(text(rowsOf(['gz-cut']))).subarray(0, 40),
    expected: { refused: ['damaged or cut off'] },
  },
  {
    name: 'a ZIP named .csv',
    source: 'Info-ZIP zip',
    bytes: zip({ 'shipments.csv': text(rowsOf(['zipped'])) }),
    expected: { refused: ['ZIP archive', 'Unpack it'] },
  },
  {
    name: 'HTML named .xls',
    source: 'SAP and many web shops, "export to Excel"',
    type: 'application/vnd.ms-excel',
    bytes: Buffer.from('<html><body><table><tr><td>mbl</td></tr></table></body></html>'),
    expected: { refused: ['HTML or XML'] },
  },
  {
    name: 'an old workbook (.xls)',
    source: 'MS-CFB, header signature',
    type: 'application/vnd.ms-excel',
    bytes: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    expected: { refused: ['.xls', 'Save it as .xlsx or CSV'] },
  },
];
