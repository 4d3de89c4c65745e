import { isUtf8 } from 'node:buffer';
import { maxRowBytes } from '#shared/contract/imports/import-row-body.ts';
import type { Delimiter, RawRow, RowProblem } from '#shared/domain/imports/import.ts';
import { keptOfLongRow } from './limits.ts';
import { type CsvRecord, carriageReturn, lineFeed, readRecord } from './read-record.ts';

/** How many bytes are read in a step: about a millisecond's work. */
const stepBytes = 16 * 1024;
/**
 * Reading on after a quote that was never closed reads the same bytes again. The limit keeps a file full of them from
 * becoming quadratic: afterwards what was read fails as a whole.
 */
const maxReadAgainOfFile = 512 * 1024;
/** The longest row and its line end. */
const maxRecordBytes = maxRowBytes + 2;

/** Reads UTF-8, wherever it is split. Holds one row and one step at most. Each step is a few milliseconds' work. */
export type RowReader = { push: (bytes: Buffer) => Iterable<RawRow[]>; end: () => Iterable<RawRow[]> };

/**
 * A reader of CSV (RFC 4180) whose rows end with LF, CRLF or CR. Blank rows are skipped. A quote that is never closed
 * fails its own line only: reading continues with the next one.
 */
export function createCsvReader(delimiter: Delimiter, maxReadAgain = maxReadAgainOfFile): RowReader {
  const delimiterByte = delimiter.charCodeAt(0);
  let held: Buffer = Buffer.alloc(0);
  let line = 1;
  let readAgain = 0;
  let skipping = false;
  /** A record that is still open is read again only with a step more of it, however small the pieces are. */
  let enoughBytes = stepBytes;

  return {
    push: function* (bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      if (held.length < enoughBytes) return;
      yield* read(false);
      enoughBytes = held.length + stepBytes;
    },
    end: () => read(true),
  };

  function* read(isEnd: boolean): Generator<RawRow[]> {
    for (let isDone = false; !isDone; ) {
      const rows: RawRow[] = [];
      for (let bytes = 0; !isDone && bytes < stepBytes; ) {
        const [heldBefore, againBefore] = [held.length, readAgain];
        isDone = !readOne(isEnd, rows);
        bytes += heldBefore - held.length + readAgain - againBefore;
      }
      yield rows;
    }
  }

  /** Adds the next row, if there is one. False: its end has not arrived, or there is none. */
  function readOne(isEnd: boolean, rows: RawRow[]): boolean {
    if (skipping && !skipLine(isEnd)) return false;
    skipBlankLines(isEnd);
    if (held.length === 0) return false;
    const shown = held.subarray(0, maxRecordBytes + 1);
    const isWhole = isEnd && shown.length === held.length;
    const record = readRecord(shown, delimiterByte, isWhole);
    if (typeof record !== 'string') takeRecord(record, rows);
    else if (isWhole || shown.length > maxRecordBytes) rows.push(failRow(shown, record === 'open'));
    else return false;
    return true;
  }

  /** Takes a record off what is held, or only its first line if it has a quote that was never closed. */
  function takeRecord({ cells, end, problem }: CsvRecord, rows: RawRow[]): void {
    const bytes = held.subarray(0, end);
    const isLong = end > maxRecordBytes;
    const first = !isLong && problem === 'open_quote' && readAgain < maxReadAgain ? lineEnd(bytes) : null;
    if (first !== null) {
      rows.push(failedLine(bytes.subarray(0, first.at), 'open_quote'));
      line += 1;
      readAgain += end;
      held = held.subarray(first.next);
      return;
    }
    // Its end was not searched.
    skipping = problem === 'open_quote';
    if (skipping) rows.push(failedLine(bytes.subarray(0, keptOfLongRow), 'open_quote'));
    else if (isLong) rows.push(failedLine(bytes.subarray(0, keptOfLongRow), 'too_long'));
    else if (cells.some((cell) => cell.trim() !== ''))
      rows.push({ line, content: cells, problem: problem ?? (isUtf8(bytes) ? null : 'invalid_utf8') });
    line += countLines(bytes);
    held = held.subarray(end);
  }

  /** Fails the row that what is held begins with: its quote is never closed, or it is too long. */
  function failRow(shown: Buffer, isOpen: boolean): RawRow {
    const first = isOpen && readAgain < maxReadAgain ? lineEnd(shown) : null;
    if (shown.length <= maxRecordBytes || (first !== null && first.at <= maxRowBytes)) {
      const failed = failedLine(shown.subarray(0, first?.at ?? shown.length), 'open_quote');
      readAgain += shown.length;
      line += first === null ? countLines(shown) : 1;
      held = held.subarray(first?.next ?? shown.length);
      return failed;
    }
    const failed = failedLine(shown.subarray(0, keptOfLongRow), 'too_long');
    skipping = true;
    if (first === null) {
      // The last byte may be a carriage return whose line feed follows.
      line += countLines(shown.subarray(0, -1));
      held = held.subarray(shown.length - 1);
    }
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
    const { length, lines } = leadingLines(held);
    // A carriage return at the border may be followed by its line feed.
    const kept = !isEnd && length === held.length && held[length - 1] === carriageReturn ? 1 : 0;
    if (length === kept) return;
    held = held.subarray(length - kept);
    line += lines - kept;
  }
}

/** The first line end: where it begins, and where the next line does. */
function lineEnd(bytes: Buffer): { at: number; next: number } | null {
  const feed = bytes.indexOf(lineFeed);
  const carriage = bytes.subarray(0, feed === -1 ? bytes.length : feed).indexOf(carriageReturn);
  if (carriage === -1) return feed === -1 ? null : { at: feed, next: feed + 1 };
  return { at: carriage, next: carriage + 1 === feed ? feed + 1 : carriage + 1 };
}

function leadingLines(bytes: Buffer): { length: number; lines: number } {
  let length = 0;
  while (bytes[length] === lineFeed || bytes[length] === carriageReturn) length += 1;
  return { length, lines: countLines(bytes.subarray(0, length)) };
}

/** A carriage return and a line feed together end one line. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) lines += 1;
  }
  return lines;
}
