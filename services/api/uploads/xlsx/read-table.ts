import { countKnownColumns } from '#shared/contract/imports/import-columns.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { RawRow } from '#shared/domain/registration/import.ts';
import { findSheetHeader, type Header, isHeaderAgain, refuseData, searchedLines } from '../find-header.ts';
import { openWorkbook, type Sheet } from './open-workbook.ts';

/** A workbook and the table that is read of it: of the named sheet, else of the first whose header has known columns. */
export type TableInput = {
  bytes: Uint8Array;
  /** The line of the header. 0: the sheet has none. Null: it is searched. */
  headerLine: number | null;
  sheet: string | null;
};

/** First the header of the table, then its rows. */
export type TablePart = { kind: 'header'; header: Header; sheet: string } | { kind: 'rows'; rows: RawRow[] };

/** `hold` takes memory for the texts of the workbook. */
export async function* readTable(input: TableInput, hold: (bytes: number) => void): AsyncGenerator<TablePart> {
  const { buffer, byteOffset, byteLength } = input.bytes;
  const { sheets, close } = await openWorkbook(Buffer.from(buffer, byteOffset, byteLength), hold);
  try {
    const { sheet, header } = await chooseSheet(sheets, input);
    yield { kind: 'header', header, sheet: sheet.name };
    for await (const some of sheet.rows()) {
      const rows = some.filter((row) => row.line > header.line && !isHeaderAgain(row, header));
      if (rows.length > 0) yield { kind: 'rows', rows };
    }
  } finally {
    close();
  }
}

type Chosen = { sheet: Sheet; header: Header };

async function chooseSheet(sheets: readonly Sheet[], request: TableInput): Promise<Chosen> {
  const named = request.sheet?.trim().toLowerCase() ?? null;
  const tried = named === null ? sheets : sheets.filter(({ name }) => name.trim().toLowerCase() === named);
  let fallback: Chosen | null = null;
  for (const sheet of tried) {
    const head = await readHead(sheet);
    if (head.length === 0) continue;
    const header = findSheetHeader(head, request.headerLine);
    if (countKnownColumns(header.names) > 0 || named !== null) return { sheet, header };
    fallback ??= { sheet, header };
  }
  if (fallback === null) throw noSheet(sheets, request.sheet);
  if (request.headerLine === null) refuseData(fallback.header);
  return fallback;
}

async function readHead(sheet: Sheet): Promise<RawRow[]> {
  const head: RawRow[] = [];
  for await (const rows of sheet.rows()) {
    head.push(...rows.filter(({ line }) => line <= searchedLines));
    // Rows that repeat their number would all be among the first lines.
    if (head.length >= searchedLines || (rows.at(-1)?.line ?? 0) > searchedLines) break;
  }
  return head;
}

function noSheet(sheets: readonly Sheet[], named: string | null): LandfallError {
  const names = sheets
    .map(({ name }) => name)
    .slice(0, 20)
    .join(', ');
  return new LandfallError(
    'validation_failed',
    named === null ? 'The workbook has no visible sheet with rows.' : `No sheet ${named} with rows. Sheets: ${names}.`,
  );
}
