import { z } from 'zod';
import type { LandfallError } from '#shared/domain/errors.ts';
import { refusal } from './input-mistakes.ts';
import { limitCodeOf, parseBody, unreadableBody } from './parse-body.ts';
import { endOfString, explainJsonProblem, type JsonLimits, readJson, rowLimits } from './read-json.ts';

/** A row has no more bytes than this. One with all its fields has less. */
export const maxRowBytes = 16_384;
/** Maximum size of a body without its rows. */
const maxOutlineBytes = 65_536;
/** Scanning as much takes less than a millisecond. */
const windowBytes = 262_144;

const [quote, comma] = [0x22, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const toBytes = new TextEncoder();

type Outline = { rows: readonly Uint8Array[]; bytes: Uint8Array };

/** Reason why a row could not be read: it exceeds a limit. `pointer` is that of the whole row. */
export type RowMistake = { pointer: ''; code: string; detail: string };

/**
 * A body whose one list has the rows. `name` is its field; `tooMany` says where to send more rows than `maxRows`.
 * `readRow` gets the parsed row; `failedRow` stands for one that exceeds a limit.
 */
export type RowsBody<Row> = {
  name: string;
  maxRows: number;
  tooMany: string;
  readRow: (value: unknown) => Row;
  failedRow: (mistake: RowMistake) => Row;
};

/**
 * Reads the rows of an untrusted body, each by itself: one that exceeds a limit or can't be understood fails alone.
 * Yields after each row, and between windows of the scan for their borders. Throws LandfallError `invalid_json`,
 * `validation_failed` or `unknown_field` if the body is not one of rows at all.
 */
export function* readRows<Row>(bytes: Uint8Array, body: RowsBody<Row>): Generator<void, Row[]> {
  const { name, maxRows } = body;
  // The rows stand in the outline as numbers.
  const outlineLimits: JsonLimits = { ...rowLimits, entries: maxRows + rowLimits.entries };
  const outlineBody = z.strictObject({ [name]: z.array(z.unknown()).min(1).max(maxRows) });
  const outline = yield* findRows(bytes, body);
  const read = readJson(outline.bytes, outlineLimits);
  if ('problem' in read) throw unreadableBody(read.problem, outlineLimits);
  const sent: Row[] = [];
  for (const place of parseBody(outlineBody, read.value)[name] as unknown[]) {
    const row = outline.rows[place as number];
    if (row === undefined) throw unreadableBody('not_json', outlineLimits);
    sent.push(readOne(row, body));
    yield;
  }
  return sent;
}

function readOne<Row>(bytes: Uint8Array, { readRow, failedRow }: RowsBody<Row>): Row {
  if (bytes.length > maxRowBytes)
    return failedRow({
      pointer: '',
      code: 'too_long',
      detail: `The row exceeds ${maxRowBytes / 1024} KiB. Send fewer or shorter fields.`,
    });
  const read = readJson(bytes, rowLimits);
  if ('value' in read) return readRow(read.value);
  const { problem } = read;
  if (!(problem in rowLimits)) throw unreadableBody(problem, rowLimits);
  const detail = explainJsonProblem(problem, rowLimits, 'The row');
  return failedRow({ pointer: '', code: limitCodeOf(problem), detail });
}

/**
 * Finds the entries of the lists in the outermost object, without parsing them. The outline is the body with the number
 * of each entry in its place: whatever is wrong with its syntax, `JSON.parse` finds there or in a row.
 */
function* findRows(bytes: Uint8Array, { name, maxRows, tooMany }: RowsBody<unknown>): Generator<void, Outline> {
  const rows: Uint8Array[] = [];
  const parts: Uint8Array[] = [];
  let outlineBytes = 0;
  let depth = 0;
  let isObject = false;
  let inList = false;
  /** Start of the current part of the outline, or of the row. */
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    for (const until = Math.min(bytes.length, at + windowBytes); at < until; at++) {
      switch (bytes[at]) {
        case quote:
          at = endOfString(bytes, at + 1);
          break;
        case openBrace:
        case openBracket:
          depth += 1;
          if (depth === 1) isObject = bytes[at] === openBrace;
          if (depth !== 2 || !isObject || bytes[at] !== openBracket) break;
          addPart(bytes.subarray(from, at + 1));
          inList = true;
          from = at + 1;
          break;
        case closeBrace:
        case closeBracket:
          if (depth === 2 && inList) {
            addRow(bytes.subarray(from, at));
            inList = false;
            from = at;
          }
          depth -= 1;
          break;
        case comma:
          if (depth !== 2 || !inList) break;
          addRow(bytes.subarray(from, at));
          addPart(bytes.subarray(at, at + 1));
          from = at + 1;
          break;
      }
    }
    yield;
  }
  addPart(bytes.subarray(Math.min(from, bytes.length)));
  return { rows, bytes: joined(parts, outlineBytes) };

  function addPart(part: Uint8Array): void {
    outlineBytes += part.length;
    if (outlineBytes > maxOutlineBytes) throw tooMuchBeside(name);
    parts.push(part);
  }

  function addRow(withSpace: Uint8Array): void {
    const row = trimmed(withSpace);
    if (row.length === 0) return;
    if (rows.length === maxRows) throw tooManyRows({ name, maxRows, tooMany });
    addPart(toBytes.encode(String(rows.length)));
    rows.push(row);
  }
}

function tooMuchBeside(name: string): LandfallError {
  const detail = `The body has more than ${maxOutlineBytes / 1024} KiB beside its rows. Send ${name} alone.`;
  return refusal([{ pointer: '', code: 'too_long', detail }]);
}

function tooManyRows({
  name,
  maxRows,
  tooMany,
}: Pick<RowsBody<unknown>, 'name' | 'maxRows' | 'tooMany'>): LandfallError {
  const detail = `${name} must have at most ${maxRows.toLocaleString('en')} entries. ${tooMany}`;
  return refusal([{ pointer: `/${name}`, code: 'too_long', detail }]);
}

/** Without the white space of JSON around it. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let [from, to] = [0, bytes.length];
  while (from < to && isSpace(bytes[from])) from += 1;
  while (to > from && isSpace(bytes[to - 1])) to -= 1;
  return bytes.subarray(from, to);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
