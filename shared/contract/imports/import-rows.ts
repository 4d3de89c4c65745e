import type { RowProblem } from '#shared/domain/imports/import.ts';

/** Longer rows fail. */
export const maxRowBytes = 65_536;
/** Only the beginning of a row that is too long is kept. */
const keptBytesOfLongRow = 1024;
/**
 * Continuing after an unclosed quote reads the same bytes twice. The limit keeps a file full of them from becoming
 * quadratic.
 */
const maxRescans = 1000;

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;

export type RowBytes = { bytes: Uint8Array; problem: Extract<RowProblem, 'too_long' | 'open_quote'> | null };

/** Splits a stream of bytes into rows. Buffers one row at most. */
export type RowSplitter = { push: (bytes: Uint8Array) => RowBytes[]; end: () => RowBytes[] };

/**
 * Rows end with LF or CRLF; in CSV (`delimiter` not null) not inside a quoted cell. A byte order mark and empty rows
 * are skipped. A quote that is never closed invalidates its own line only: reading continues with the next one.
 */
export function createRowSplitter(delimiter: string | null): RowSplitter {
  const separator = delimiter?.charCodeAt(0) ?? -1;
  let held: Uint8Array = new Uint8Array();
  let at = 0;
  let place: 'start' | 'plain' | 'quoted' | 'quote' = delimiter === null ? 'plain' : 'start';
  let firstLineEnd = -1;
  let skipping = false;
  let atFileStart = true;
  let rescans = 0;

  const push = (bytes: Uint8Array): RowBytes[] => {
    held = held.length === 0 ? bytes : joined(held, bytes);
    if (atFileStart) {
      if (held.length < 3) return [];
      dropByteOrderMark();
    }
    return scan();
  };

  const end = (): RowBytes[] => {
    if (atFileStart) dropByteOrderMark();
    const rows = scan();
    // Each iteration ends one line of an open quote and continues after it.
    while (held.length > 0 && !skipping) {
      if (place === 'quoted' && firstLineEnd >= 0) {
        rows.push(...cutOpenQuote());
        rows.push(...scan());
        continue;
      }
      emit(rows, held.length, place === 'quoted' ? 'open_quote' : null);
      held = new Uint8Array();
    }
    return rows;
  };

  return { push, end };

  function dropByteOrderMark(): void {
    atFileStart = false;
    if (held[0] === 0xef && held[1] === 0xbb && held[2] === 0xbf) held = held.subarray(3);
  }

  /** Reads the buffered bytes from `at` and keeps the incomplete row. */
  function scan(): RowBytes[] {
    const rows: RowBytes[] = [];
    while (at < held.length) {
      const byte = held[at];
      if (skipping) {
        at += 1;
        if (byte === lineFeed) startRow(at, () => (skipping = false));
        else if (at >= maxRowBytes) startSkipped();
        continue;
      }
      if (byte === lineFeed && place !== 'quoted') {
        emit(rows, at, null);
        startRow(at + 1);
        continue;
      }
      if (showsOpenQuote(byte ?? 0)) {
        rows.push(...cutOpenQuote());
        continue;
      }
      step(byte ?? 0);
      at += 1;
      if (at > maxRowBytes) rows.push(...cutLongRow());
    }
    return rows;
  }

  function step(byte: number): void {
    if (separator === -1) return;
    if (place === 'quoted') {
      if (byte === quote) place = 'quote';
      else if (byte === lineFeed && firstLineEnd < 0) firstLineEnd = at;
    } else if (byte === quote && place !== 'plain') place = 'quoted';
    else place = byte === separator ? 'start' : 'plain';
  }

  /**
   * A cell over several lines that continues after its closing quote is invalid: its opening quote was never meant to
   * be closed.
   */
  function showsOpenQuote(byte: number): boolean {
    const goesOn = place === 'quote' && byte !== separator && byte !== quote && byte !== carriageReturn;
    return goesOn && firstLineEnd >= 0 && rescans < maxRescans;
  }

  function cutLongRow(): RowBytes[] {
    if (place === 'quoted' && firstLineEnd >= 0 && rescans < maxRescans) return cutOpenQuote();
    const row: RowBytes = { bytes: held.slice(0, keptBytesOfLongRow), problem: 'too_long' };
    skipping = true;
    return [row];
  }

  function cutOpenQuote(): RowBytes[] {
    const rows: RowBytes[] = [];
    rescans += 1;
    const lineEnd = firstLineEnd;
    emit(rows, lineEnd, 'open_quote');
    startRow(lineEnd + 1);
    return rows;
  }

  function startSkipped(): void {
    held = held.subarray(at);
    at = 0;
  }

  function startRow(from: number, also: () => void = () => {}): void {
    held = held.subarray(from);
    at = 0;
    firstLineEnd = -1;
    place = separator === -1 ? 'plain' : 'start';
    also();
  }

  function emit(rows: RowBytes[], to: number, problem: RowBytes['problem']): void {
    const length = to > 0 && held[to - 1] === carriageReturn ? to - 1 : to;
    if (length > 0) rows.push({ bytes: held.subarray(0, length), problem });
  }
}

/** The delimiter of a header: the most frequent one, by default a comma. */
export function detectDelimiter(header: string): ',' | ';' | '\t' {
  const count = (delimiter: string) => header.split(delimiter).length - 1;
  const others = ([';', '\t'] as const).filter((delimiter) => count(delimiter) > count(','));
  return others.toSorted((left, right) => count(right) - count(left))[0] ?? ',';
}

/** The cells of a CSV row (RFC 4180), or null if a quoted cell continues after its closing quote or is never closed. */
export function splitCells(row: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (row[at] !== '"') {
      const end = row.indexOf(delimiter, at);
      cells.push(end === -1 ? row.slice(at) : row.slice(at, end));
      if (end === -1) return cells;
      at = end + 1;
      continue;
    }
    const closing = closingQuote(row, at + 1);
    if (closing === -1) return null;
    cells.push(row.slice(at + 1, closing).replaceAll('""', '"'));
    if (closing + 1 === row.length) return cells;
    if (row[closing + 1] !== delimiter) return null;
    at = closing + 2;
  }
}

function closingQuote(row: string, from: number): number {
  for (let at = row.indexOf('"', from); at !== -1; at = row.indexOf('"', at + 2)) if (row[at + 1] !== '"') return at;
  return -1;
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
