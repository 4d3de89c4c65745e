import { z } from 'zod';
import type { InputMistake, LandfallError } from '#shared/domain/errors.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { refusal } from '../input-mistakes.ts';
import { limitCodeOf, parseBody, unreadableBody } from '../parse-body.ts';
import { endOfString, explainJsonProblem, type JsonLimits, readJson, rowLimits } from '../read-json.ts';
import { maxBatchRows } from './batch-body.ts';
import { parseRegisterShipmentBody } from './register-shipment-body.ts';

/** A registration with all its fields has less than 12 KiB. */
export const maxBatchRowBytes = 16_384;
/** What a batch may have beside its rows. */
const maxOutlineBytes = 65_536;
/** Scanning as much takes less than a millisecond. */
const windowBytes = 262_144;

/** The rows stand in the outline as numbers. */
const outlineLimits: JsonLimits = { ...rowLimits, entries: maxBatchRows + rowLimits.entries };
const outlineBody = z.strictObject({ shipments: z.array(z.unknown()).min(1).max(maxBatchRows) });

const [quote, comma] = [0x22, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const toBytes = new TextEncoder();

type Outline = { rows: readonly Uint8Array[]; bytes: Uint8Array };

/**
 * Reads the rows of an untrusted batch, each by itself: one that exceeds a limit or can't be understood fails alone.
 * Yields after each row, and between windows of the scan for their borders. Throws LandfallError `invalid_json`,
 * `validation_failed` or `unknown_field` if the body is not a batch at all.
 */
export function* readBatch(bytes: Uint8Array): Generator<void, SentRegistration[]> {
  const outline = yield* findRows(bytes);
  const read = readJson(outline.bytes, outlineLimits);
  if ('problem' in read) throw unreadableBody(read.problem, outlineLimits);
  const sent: SentRegistration[] = [];
  for (const place of parseBody(outlineBody, read.value).shipments) {
    const row = outline.rows[place as number];
    if (row === undefined) throw unreadableBody('not_json', outlineLimits);
    sent.push(readRow(row));
    yield;
  }
  return sent;
}

function readRow(bytes: Uint8Array): SentRegistration {
  if (bytes.length > maxBatchRowBytes)
    return failedRow({
      pointer: '',
      code: 'too_long',
      detail: `The row exceeds ${maxBatchRowBytes / 1024} KiB. Send fewer or shorter fields.`,
    });
  const read = readJson(bytes, rowLimits);
  if ('value' in read) return parseRegisterShipmentBody(read.value);
  const { problem } = read;
  if (!(problem in rowLimits)) throw unreadableBody(problem, rowLimits);
  const detail = explainJsonProblem(problem, rowLimits, 'The row');
  return failedRow({ pointer: '', code: limitCodeOf(problem), detail });
}

function failedRow(mistake: InputMistake): SentRegistration {
  return {
    transportMode: null,
    carrier: null,
    identifiers: null,
    serviceType: null,
    reference: null,
    tags: [],
    metadata: {},
    destinationPostalCode: null,
    mistakes: [mistake],
  };
}

/**
 * Finds the entries of the lists in the outermost object, without parsing them. The outline is the body with the number
 * of each entry in its place: whatever is wrong with its syntax, `JSON.parse` finds there or in a row.
 */
function* findRows(bytes: Uint8Array): Generator<void, Outline> {
  const rows: Uint8Array[] = [];
  const parts: Uint8Array[] = [];
  let outlineBytes = 0;
  let depth = 0;
  let isObject = false;
  let inList = false;
  /** Where the part of the outline, or the row, begins. */
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
    if (outlineBytes > maxOutlineBytes) throw tooMuchBeside();
    parts.push(part);
  }

  function addRow(withSpace: Uint8Array): void {
    const row = trimmed(withSpace);
    if (row.length === 0) return;
    if (rows.length === maxBatchRows) throw tooManyRows();
    addPart(toBytes.encode(String(rows.length)));
    rows.push(row);
  }
}

function tooMuchBeside(): LandfallError {
  const detail = `The body has more than ${maxOutlineBytes / 1024} KiB beside its rows. Send shipments alone.`;
  return refusal([{ pointer: '', code: 'too_long', detail }]);
}

function tooManyRows(): LandfallError {
  const detail =
    `shipments must have at most ${maxBatchRows.toLocaleString('en')} entries. ` +
    'Send more rows as an import: POST /v1/imports.';
  return refusal([{ pointer: '/shipments', code: 'too_long', detail }]);
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
