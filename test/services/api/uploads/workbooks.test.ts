import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openWorkbook } from '#services/api/uploads/xlsx/open-workbook.ts';
import { readWhole } from '#services/api/uploads/xlsx/read-xml.ts';
import type { RawRow } from '#shared/domain/registration/import.ts';
import { workbook } from '../imports/spreadsheets/zip.ts';

type Parts = Parameters<typeof workbook>[1];

async function rowsOf(rows: string, parts: Parts = {}): Promise<RawRow[]> {
  const { sheets } = await openWorkbook(workbook([{ name: 'Sheet1', rows }], parts), () => undefined);
  const read: RawRow[] = [];
  for await (const some of sheets[0]?.rows() ?? []) read.push(...some);
  return read;
}

test('fails a row with text far to the right without filling the cells before it', async () => {
  const row = (at: number) => `<row r="${at}"><c r="A${at}"><v>1</v></c><c r="XFD${at}"><v>2</v></c></row>`;
  const rows = await rowsOf(`${row(1)}<row r="2"><c r="A2"><v>3</v></c></row>`);
  expect(rows).toEqual([
    { line: 1, content: ['1'], problem: 'too_wide' },
    { line: 2, content: ['3'], problem: null },
  ]);
});

test('keeps little of a row whose cells all refer to one long text', async () => {
  const cells = '<c t="s"><v>0</v></c>'.repeat(50);
  const strings = (text: string) => ({ strings: `<si><t>${text}</t></si>` });
  const long = await rowsOf(`<row>${cells}</row>`, strings('x'.repeat(900_000)));
  expect(long).toEqual([{ line: 1, content: ['x'.repeat(1024)], problem: 'too_long' }]);
  expect(await rowsOf(`<row>${cells}</row>`, strings(' '.repeat(900_000)))).toEqual([]);
});

test('reads text in CDATA', async () => {
  const [row] = await rowsOf('<row><c t="inlineStr"><is><t><![CDATA[R&D]]> 1</t></is></c></row>');
  expect(row?.content).toEqual(['R&D 1']);
});

test('refuses a text of more than 1 MiB, too many styles, relationships or empty shared texts', async () => {
  const refused = (rows: string, parts: Parts = {}) => expect(rowsOf(rows, parts)).rejects.toThrow();
  const noise = Array.from({ length: 400_000 }, (_, at) => at.toString(36)).join(' ');
  await refused(`<row><c t="str"><v>${noise}</v></c></row>`);
  await refused('', { styles: `<cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs>` });
  await refused('', { strings: '<si/>'.repeat(4_200_000) });
});

test('takes a number format that is longer than any of Excel for none', async () => {
  const styles = (code: string) => ({
    styles: `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`,
  });
  const row = '<row><c s="0"><v>7</v></c></row>';
  expect((await rowsOf(row, styles('000')))[0]?.content).toEqual(['007']);
  expect((await rowsOf(row, styles('['.repeat(200_000))))[0]?.content).toEqual(['7']);
});

test('lets other work run while it parses a part that arrives without a pause', async () => {
  let hasRun = false;
  const piece = Buffer.from('<c></c>'.repeat(9000));
  const part = Readable.from([Buffer.from('<r>'), ...Array<Buffer>(60).fill(piece), Buffer.from('</r>')]);
  setImmediate(() => {
    hasRun = true;
  });
  await readWhole(part, {});
  expect(hasRun).toBe(true);
});
