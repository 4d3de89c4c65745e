import { countKnownColumns } from '#shared/contract/imports/import-columns.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type Delimiter, delimiters, type RawRow, type RowProblem } from '#shared/domain/registration/import.ts';
import { createCsvReader } from './csv-rows.ts';
import { carriageReturn, lineFeed } from './line-ends.ts';

/** The header of a table. `line` counts the lines of the file from 1. */
export type Header = { names: string[]; line: number };

/** The first lines are read once for each delimiter, without a pause: as `maxParsedAgain` of a file, in bytes. */
const maxParsedAgain = 32 * 1024;

/** Number of lines that are searched for the header. */
export const searchedLines = 40;

/**
 * The delimiter and header of the first lines of a CSV: those by which most names of columns are known, after a line
 * `sep=;` the one that it names. Of unknown names, the first row that is as wide as the table. `headerLine` is the line
 * that the request names; 0: there is none, and every column lacks a name.
 */
export function findCsvHeader(head: Buffer, headerLine: number | null): { delimiter: Delimiter; header: Header } {
  const named = /^sep=([,;\t|])(?:\r|\n|$)/i.exec(head.toString('utf8', 0, 8))?.[1];
  const start = firstLines(head);
  const isTried = (delimiter: Delimiter) => (named === undefined ? start.includes(delimiter) : delimiter === named);
  const best = bestHeader(start, delimiters.filter(isTried), headerLine);
  if (best !== null) return best;
  // Without a delimiter that it has, a file is a single column.
  const other = named === undefined ? delimiters.filter((delimiter) => !isTried(delimiter)).slice(0, 1) : [];
  const single = bestHeader(start, other, headerLine);
  if (single === null) throw noHeader(headerLine);
  return single;
}

/** Null: by none of the delimiters is there one. */
function bestHeader(
  start: Buffer,
  tried: readonly Delimiter[],
  headerLine: number | null,
): { delimiter: Delimiter; header: Header } | null {
  const found = tried.flatMap((delimiter) => {
    const reader = createCsvReader(delimiter, maxParsedAgain);
    const rows = [...reader.push(start), ...reader.end()].flat();
    const { header, ...rank } = findHeader(
      rows.filter((row) => !isSeparatorLine(row)),
      headerLine,
    );
    return header === null ? [] : [{ delimiter, header, ...rank }];
  });
  const [best] = found.toSorted((left, right) => right.known - left.known || right.width - left.width);
  return best === undefined ? null : { delimiter: best.delimiter, header: best.header };
}

/** Enough for the lines that are searched, with line breaks in their cells: each delimiter costs as much as it is long. */
function firstLines(head: Buffer): Buffer {
  let ends = 0;
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== lineFeed && head[at] !== carriageReturn) continue;
    ends += 1;
    if (ends === searchedLines * 5) return head.subarray(0, at + 1);
  }
  return head;
}

/** The header of the first rows of a sheet. */
export function findSheetHeader(rows: readonly RawRow[], headerLine: number | null): Header {
  const { header } = findHeader(rows, headerLine);
  if (header === null) throw noHeader(headerLine);
  return header;
}

/** Excel reads the delimiter from this line. */
export function isSeparatorLine({ line, content }: RawRow): boolean {
  if (line !== 1) return false;
  return /^sep=[,;\t|]?$/i.test(typeof content === 'string' ? content : content.join(''));
}

/** Excel and Sheets repeat the header when a sheet is pasted twice. Such a row is not data. */
export function isHeaderAgain({ content }: RawRow, { names }: Header): boolean {
  return (
    typeof content !== 'string' &&
    content.length === names.length &&
    content.every((cell, index) => cell.trim() === names[index]?.trim())
  );
}

/** Rows with these problems still show all their cells. */
const evaluatedProblems: readonly RowProblem[] = ['invalid_quotes', 'invalid_utf8'];

type Found = { header: Header | null; known: number; width: number };

function findHeader(rows: readonly RawRow[], headerLine: number | null): Found {
  const tables = rows.flatMap(({ line, content, problem }) =>
    typeof content === 'string' || (problem !== null && !evaluatedProblems.includes(problem))
      ? []
      : [{ line, names: content }],
  );
  const evaluated = tables.map((header) => ({
    header,
    known: countKnownColumns(header.names),
    width: header.names.filter((name) => name.trim() !== '').length,
  }));
  if (headerLine === 0) {
    const width = Math.max(0, ...tables.map(({ names }) => names.findLastIndex((cell) => cell.trim() !== '') + 1));
    return { header: width === 0 ? null : { names: Array<string>(width).fill(''), line: 0 }, known: 0, width };
  }
  const chosen = headerLine === null ? evaluated : evaluated.filter(({ header }) => header.line === headerLine);
  const maxKnown = Math.max(0, ...chosen.map(({ known }) => known));
  const width = Math.max(0, ...chosen.map((row) => row.width));
  const best =
    maxKnown > 0
      ? chosen.find(({ known }) => known === maxKnown)
      : chosen.find((row) => row.width >= Math.max(1, width * 0.6));
  return { header: best?.header ?? null, known: maxKnown, width };
}

function noHeader(headerLine: number | null): LandfallError {
  return new LandfallError(
    'validation_failed',
    headerLine === null || headerLine === 0
      ? 'The file is empty or its header cannot be read. A table begins with a row of column names of at most 64 KiB.'
      : `Line ${headerLine} is empty, or not among the first ${searchedLines} lines.`,
  );
}

/** Refuses a first row that holds data: a number in it names no column. */
export function refuseData({ names }: Header): void {
  if (countKnownColumns(names) > 0 || !names.some((name) => /\d{6}/.test(name))) return;
  const detail =
    'The file has no header: its first row holds data. Add a first row with the names of the columns, such as ' +
    'transport_mode,carrier,mbl,reference, or name them with ?columns=.';
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/header', code: 'required', detail }],
  });
}
