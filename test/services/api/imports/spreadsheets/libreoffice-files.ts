import { readFileSync } from 'node:fs';
import type { Spreadsheet } from './spreadsheet.ts';

/** Three rows that LibreOffice Calc 7.4 exported in each of its formats, byte by byte, by the name of the file. */
const read = [
  'comma.csv',
  'semicolon.csv',
  'tab.csv',
  'pipe.csv',
  'windows-1252.csv',
  'latin-1.csv',
  'utf-16.csv',
  'all-quoted.csv',
  'with-mark.csv',
  'single-quotes-off.csv',
  'workbook.xlsx',
];
const refused: Record<string, string[]> = {
  'sheet.ods': ['.ods', 'Save it as .xlsx or CSV'],
  'flat.fods': ['HTML or XML', 'CSV or .xlsx'],
  'old.xls': ['.xls', 'Save it as .xlsx or CSV'],
  'page.html': ['HTML or XML', 'CSV or .xlsx'],
  'print.pdf': ['PDF', 'CSV or .xlsx'],
  'exchange.dif': ['.dif', 'Save it as .xlsx or CSV'],
  'link.slk': ['.slk', 'Save it as .xlsx or CSV'],
};

export const libreOfficeFiles: Spreadsheet[] = [
  ...read.map((file) => {
    const name = file.split('.')[0];
    return {
      ...exported(file),
      expected: {
        created: 3,
        stored: {
          [`lo-${name}-Zürich`]: { tags: ['acme', 'rush'] },
          [`lo-${name}-Göteborg`]: { tags: [] },
        },
      },
    };
  }),
  ...Object.entries(refused).map(([file, parts]) => ({ ...exported(file), expected: { refused: parts } })),
];

function exported(file: string): Omit<Spreadsheet, 'expected'> {
  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return {
    name: `LibreOffice: ${file}`,
    source: 'LibreOffice Calc 7.4.7, soffice --convert-to',
    bytes: readFileSync(new URL(`libreoffice/${file}`, import.meta.url)),
    type: file.endsWith('.xlsx') ? xlsx : 'text/csv',
  };
}
