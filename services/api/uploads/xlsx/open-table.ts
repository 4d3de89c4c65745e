import { countKnownColumns } from '#shared/contract/imports/import-columns.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ImportFile, RawRow } from '#shared/domain/registration/import.ts';
import { findSheetHeader, type Header, isHeaderAgain, refuseData, searchedLines } from '../find-header.ts';
import { maxSharedBytes, maxWorkbookBytes } from '../limits.ts';
import type { Upload } from '../upload.ts';
import { openWorkbook, type Sheet } from './open-workbook.ts';

export type TableRequest = {
  headerLine: number | null;
  sheet: string | null;
  compression: ImportFile['compression'];
  /** In bytes, as the request states it. Null: it doesn't. */
  length: number | null;
  /** Takes memory, in bytes. Throws LandfallError if it is not free. */
  holdMemory: (bytes: number) => void;
};

/**
 * A file is held twice: in the parts that arrive, and as a whole. For its texts, four times its size is taken in advance;
 * more is taken as it is found.
 */
const heldPerByte = 6;
const maxArrivalMs = 60_000;
const maxHeldBytes = 2 * maxWorkbookBytes + maxSharedBytes;

/** The table of a workbook: the sheet that the request names, else the first whose header has known columns. */
export async function openTable(source: AsyncGenerator<Buffer>, request: TableRequest): Promise<Upload> {
  const hold = reserved(request);
  const { sheets, close } = await openWorkbook(await readWorkbook(source, hold), hold);
  const { sheet, header } = await chooseSheet(sheets, request);
  const file = { encoding: null, compression: request.compression, headerLine: header.line, sheet: sheet.name };
  async function* rows(): AsyncGenerator<RawRow[]> {
    try {
      for await (const some of sheet.rows())
        yield some.filter((row) => row.line > header.line && !isHeaderAgain(row, header));
    } finally {
      close();
    }
  }
  return { format: 'xlsx', delimiter: null, names: header.names, file: () => file, rows: rows() };
}

/**
 * Takes what a file of this length may need before it is read. Otherwise many that are read at once would take the
 * memory in small steps, and none of them would get enough.
 */
function reserved({ length, holdMemory }: TableRequest): (bytes: number) => void {
  let free = Math.min((length ?? 0) * heldPerByte, maxHeldBytes);
  holdMemory(free);
  return (bytes) => {
    if (bytes > free) holdMemory(bytes - free);
    free = Math.max(0, free - bytes);
  };
}

async function readWorkbook(source: AsyncGenerator<Buffer>, holdMemory: (bytes: number) => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const startedAt = performance.now();
  for await (const bytes of source) {
    // It holds memory that other files need.
    if (performance.now() - startedAt > maxArrivalMs) {
      const detail = `The workbook did not arrive within ${maxArrivalMs / 1000} s. Save the sheet as CSV, which may take longer.`;
      throw new LandfallError('request_timeout', detail);
    }
    // Twice: the parts, and then the whole.
    holdMemory(2 * bytes.length);
    parts.push(bytes);
    length += bytes.length;
    if (length <= maxWorkbookBytes) continue;
    const detail = `A workbook may have at most ${maxWorkbookBytes / 1024 ** 2} MiB. Save the sheet as CSV, which has no limit.`;
    throw new LandfallError('validation_failed', detail);
  }
  return Buffer.concat(parts);
}

type Chosen = { sheet: Sheet; header: Header };

async function chooseSheet(sheets: readonly Sheet[], request: TableRequest): Promise<Chosen> {
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
