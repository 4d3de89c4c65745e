import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { maxRowBytes } from '#shared/contract/imports/import-row-body.ts';
import type { Delimiter, RawRow, RowProblem } from '#shared/domain/registration/import.ts';
import { keptOfLongRow } from './limits.ts';
import { blankLength, carriageReturn, countLines, lineEnd, lineFeed, withoutLineEnd } from './line-ends.ts';
import { type CsvRecord, readPlainRecords } from './plain-records.ts';

/** Bytes that are parsed at a time: about a millisecond of work. */
const windowBytes = 16 * 1024;
/** For a row that is longer: enough to see that it is too long. Windows in between would parse its start again. */
const longWindowBytes = maxRowBytes + 5;
/** Smaller pieces are collected, so that a client that sends single bytes doesn't have a window copied for each. */
const pieceBytes = 1024;
/**
 * Reading on after a quote that was never closed parses the same bytes again: at most this much, and as much as was
 * read before. The limit keeps a file full of them from becoming quadratic: beyond it whole records fail.
 */
const maxParsedAgainOfFile = 32 * 1024;

const quote = 0x22;

/** Parses UTF-8, wherever it is split. Holds one row and one window at most. Each step is a few milliseconds' work. */
export type RowReader = { push: (bytes: Buffer) => Iterable<RawRow[]>; end: () => Iterable<RawRow[]> };

/**
 * A reader of CSV (RFC 4180) whose rows end with LF, CRLF or CR. Blank rows are skipped. A quote that is never closed
 * fails its own line only: reading continues with the next one.
 */
export function createCsvReader(delimiter: Delimiter, maxParsedAgain = maxParsedAgainOfFile): RowReader {
  let held: Buffer = Buffer.alloc(0);
  let piece: Buffer = Buffer.alloc(0);
  let line = 1;
  let parsedAgain = 0;
  /** Bytes of the records that were taken. */
  let taken = 0;
  const mayParseAgain = () => parsedAgain < maxParsedAgain + taken;
  let skipping = false;
  /**
   * True when the first window holds no complete record, so that a longer one is needed, however small the pieces are.
   */
  let isLong = false;

  return {
    push: function* (bytes) {
      piece = joined(piece, bytes);
      if (piece.length < pieceBytes) return;
      takePiece();
      yield* read(false);
    },
    end: function* () {
      takePiece();
      yield* read(true);
    },
  };

  function takePiece(): void {
    held = joined(held, piece);
    piece = Buffer.alloc(0);
  }

  function* read(isEnd: boolean): Generator<RawRow[]> {
    for (;;) {
      if (skipping && !skipLine(isEnd)) return;
      skipBlankLines(isEnd);
      const window = isLong ? longWindowBytes : windowBytes;
      if (held.length === 0 || (!isEnd && held.length < window)) return;
      const shown = held.subarray(0, window);
      const isWhole = isEnd && shown.length === held.length;
      const { records, isOpen } = parseRecords(shown, delimiter);
      // The next window may continue a record at the end of this one.
      const complete = records.filter(({ end }) => isWhole || end < shown.length);
      const rows = takeRecords(complete, held);
      if (complete.length === 0) {
        if (isWhole && !isOpen) return;
        if (isLong || isWhole) rows.push(failRow(shown, isOpen));
        isLong = !isLong && !isWhole;
      } else isLong = false;
      yield rows;
    }
  }

  /** Takes complete records off what is held. */
  function takeRecords(records: readonly CsvRecord[], bytes: Buffer): RawRow[] {
    const rows: RawRow[] = [];
    const whole = bytes.subarray(0, records.at(-1)?.end ?? 0);
    // Most files have no quotes, and nothing but their length to evaluate.
    const isPlain = !whole.includes(quote) && isUtf8(whole);
    let from = 0;
    for (const { cells, end } of records) {
      const length = isPlain
        ? takePlainRecord(cells, { bytes, from, end }, rows)
        : takeRecord(cells, bytes.subarray(from, end), rows);
      from += length;
      taken += length;
      if (from < end) break;
    }
    held = bytes.subarray(from);
    return rows;
  }

  /** A record without quotes is one line. */
  function takePlainRecord(
    cells: string[],
    { bytes, from, end }: { bytes: Buffer; from: number; end: number },
    rows: RawRow[],
  ): number {
    let start = from;
    while (bytes[start] === lineFeed || bytes[start] === carriageReturn) start += 1;
    if (start > from) line += countLines(bytes.subarray(from, start));
    if (end - start > maxRowBytes + 2) rows.push(failedLine(bytes.subarray(start, start + keptOfLongRow), 'too_long'));
    else if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, content: cells, problem: null });
    if (bytes[end - 1] === lineFeed || bytes[end - 1] === carriageReturn) line += 1;
    return end - from;
  }

  /** Returns the bytes that it took: the whole record, or only a line whose quote was never closed. */
  function takeRecord(cells: string[], withBlankLines: Buffer, rows: RawRow[]): number {
    const blank = blankLength(withBlankLines);
    const bytes = withBlankLines.subarray(blank);
    line += countLines(withBlankLines.subarray(0, blank));
    const problem = problemOf(cells, bytes);
    const first = problem === 'open_quote' && mayParseAgain() ? lineEnd(bytes) : null;
    if (first !== null) {
      rows.push(failedLine(bytes.subarray(0, first.at), 'open_quote'));
      line += 1;
      // A parse of a few bytes has its cost, too.
      parsedAgain += Math.max(bytes.length, windowBytes);
      return blank + first.next;
    }
    if (problem === 'too_long') rows.push(failedLine(bytes.subarray(0, keptOfLongRow), problem));
    else if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, content: cells, problem });
    line += countLines(bytes);
    return withBlankLines.length;
  }

  function problemOf(cells: readonly string[], bytes: Buffer): RowProblem | null {
    if (bytes.length > maxRowBytes + 2) return 'too_long';
    const text = bytes.toString('utf8');
    let from = 0;
    let isMisread = false;
    for (const cell of cells) {
      const isOpen = /[\r\n]/.test(cell);
      if (!cell.startsWith('"') || (isMisread && !isOpen)) continue;
      const written = quoted(cell);
      // Cells come in the order of their bytes: searching on takes linear time.
      const at = text.indexOf(written, from);
      if (at !== -1) from = at + written.length;
      else if (isOpen) return 'open_quote';
      else isMisread = true;
    }
    if (isMisread) return 'invalid_quotes';
    return isUtf8(bytes) ? null : 'invalid_utf8';
  }

  /** Fails the row that what is held, and shown of it, begins with: its quote is never closed, or it is too long. */
  function failRow(shown: Buffer, isOpen: boolean): RawRow {
    const first = isOpen && mayParseAgain() ? lineEnd(held) : null;
    const isShort = held.length <= maxRowBytes + 2;
    if (isShort || (isOpen && first !== null && first.at <= maxRowBytes)) {
      const failed = failedLine(held.subarray(0, first?.at ?? held.length), 'open_quote');
      // The same however the file is split.
      parsedAgain += Math.min(held.length, maxRowBytes + 2);
      line += first === null ? countLines(held) : 1;
      held = held.subarray(first?.next ?? held.length);
      return failed;
    }
    const failed = failedLine(held.subarray(0, keptOfLongRow), 'too_long');
    skipping = true;
    // Outside quotes, and where nothing more is parsed again, the row ends with the line that the shown part ends in.
    const dropped = first === null ? withoutLineEnd(shown) : shown.subarray(0, 0);
    line += countLines(dropped);
    held = held.subarray(dropped.length);
    return failed;
  }

  function failedLine(bytes: Buffer, problem: RowProblem): RawRow {
    return { line, content: [bytes.toString('utf8')], problem };
  }

  /** Drops the rest of a line that is too long. False: its end has not arrived. */
  function skipLine(isEnd: boolean): boolean {
    const end = lineEnd(held);
    // A carriage return at the border may be followed by its line feed.
    if (end === null || (!isEnd && end.next === held.length && held[end.at] === carriageReturn)) {
      held = end === null || isEnd ? Buffer.alloc(0) : held.subarray(end.at);
      return false;
    }
    held = held.subarray(end.next);
    line += 1;
    skipping = false;
    return true;
  }

  function skipBlankLines(isEnd: boolean): void {
    const length = blankLength(held);
    // A carriage return at the border may be followed by its line feed.
    const isSplit = !isEnd && length === held.length && held[length - 1] === carriageReturn;
    const skipped = held.subarray(0, isSplit ? length - 1 : length);
    held = held.subarray(skipped.length);
    line += countLines(skipped);
  }
}

/** The records of a text, and whether it ends within a quoted cell. */
function parseRecords(bytes: Buffer, delimiter: Delimiter): { records: CsvRecord[]; isOpen: boolean } {
  if (!bytes.includes(quote)) return { records: readPlainRecords(bytes, delimiter), isOpen: false };
  const records: CsvRecord[] = [];
  // The parser makes an error, with its stack, of every record of another width, and discards it.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    parse(bytes, {
      delimiter,
      // Each one is sought at every byte.
      record_delimiter: bytes.includes(carriageReturn) ? ['\r\n', '\n', '\r'] : ['\n'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { bytes: end }) => {
        records.push({ cells, end });
        return null;
      },
    });
    return { records, isOpen: false };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED')) throw error;
    return { records, isOpen: true };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function joined(left: Buffer, right: Buffer): Buffer {
  return left.length === 0 ? right : Buffer.concat([left, right]);
}

/** Quotes a cell that begins with a quote: one that is followed by text was never meant to close. */
function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
