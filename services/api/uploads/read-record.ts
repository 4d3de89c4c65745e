import type { RowProblem } from '#shared/domain/imports/import.ts';

/** A record of CSV. `end`: the byte after it, which follows its line end. */
export type CsvRecord = {
  cells: string[];
  end: number;
  problem: Extract<RowProblem, 'open_quote' | 'invalid_quotes'> | null;
};

/** `open`: the bytes end within quotes. `cut`: they end before the record does. */
export type ReadRecord = CsvRecord | 'open' | 'cut';

export const lineFeed = 10;
export const carriageReturn = 13;
const quote = 0x22;

/**
 * Reads the record of CSV (RFC 4180) that the bytes begin with. A quote within a cell is text. Where text follows a
 * closing quote, the cell was misread: `invalid_quotes`, or `open_quote` if the quotes span lines, and then the record
 * is read no further. `isEnd`: nothing follows the bytes.
 */
export function readRecord(bytes: Buffer, delimiter: number, isEnd: boolean): ReadRecord {
  const cells: string[] = [];
  let problem: CsvRecord['problem'] = null;
  let at = 0;
  for (;;) {
    if (bytes[at] === quote) {
      const close = closingQuote(bytes, at + 1);
      if (close === -1) return 'open';
      const inner = unescaped(bytes.toString('utf8', at + 1, close));
      const next = bytes[close + 1];
      if (next === undefined && !isEnd) return 'open';
      if (next === undefined || next === delimiter || isLineEnd(next)) {
        cells.push(inner);
        at = close + 1;
      } else {
        const end = endOfText(bytes, close + 1, delimiter);
        cells.push(`"${inner}${bytes.toString('utf8', close, end)}`);
        at = end;
        if (/[\r\n]/.test(inner)) problem = 'open_quote';
        problem ??= 'invalid_quotes';
        if (problem === 'open_quote') return end === bytes.length && !isEnd ? 'open' : { cells, end, problem };
      }
    } else {
      const end = endOfText(bytes, at, delimiter);
      cells.push(end === at ? '' : bytes.toString('utf8', at, end));
      at = end;
    }
    if (at === bytes.length) return isEnd ? { cells, end: at, problem } : 'cut';
    if (bytes[at] !== delimiter) break;
    at += 1;
  }
  // A carriage return at the border may be followed by its line feed.
  if (bytes[at] === carriageReturn && at + 1 === bytes.length && !isEnd) return 'cut';
  const isPair = bytes[at] === carriageReturn && bytes[at + 1] === lineFeed;
  return { cells, end: at + (isPair ? 2 : 1), problem };
}

/** The first quote that is not doubled. -1: there is none. */
function closingQuote(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(quote, from);
  while (at !== -1 && bytes[at + 1] === quote) at = bytes.indexOf(quote, at + 2);
  return at;
}

function unescaped(text: string): string {
  return text.includes('""') ? text.replaceAll('""', '"') : text;
}

function endOfText(bytes: Buffer, from: number, delimiter: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== delimiter && !isLineEnd(bytes[at])) at += 1;
  return at;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn;
}
