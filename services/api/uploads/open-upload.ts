import { createHash } from 'node:crypto';
import { createYield } from '#shared/async/yield-event-loop.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ImportFile, ImportFormat, RawChunk, RawRow } from '#shared/domain/registration/import.ts';
import { bytesOf, counted, gunzipped, peek } from './byte-source.ts';
import { createCsvReader, type RowReader } from './csv-rows.ts';
import { decodeText } from './decode-text.ts';
import {
  findCsvHeader,
  type Header,
  isHeaderAgain,
  isSeparatorLine,
  refuseData,
  searchedLines,
} from './find-header.ts';
import { headBytes } from './limits.ts';
import { countLines } from './line-ends.ts';
import { openMultipart } from './multipart-file.ts';
import { createNdjsonReader } from './ndjson-rows.ts';
import type { Upload, UploadRequest } from './upload.ts';
import { openTable } from './xlsx/open-table.ts';

const rowsPerChunk = 500;
const charsPerChunk = 1024 * 1024;

/**
 * Opens a CSV, NDJSON or XLSX file: the body of a request or a file in a form, packed with gzip or not. What it is and
 * how it is encoded depends on the file alone, so that the same file has the same rows. The stream is read no faster
 * than the rows are consumed; a workbook is held in memory. Throws LandfallError `validation_failed` for what cannot be
 * read, `request_timeout` if nothing arrives for `idleMs`.
 */
export async function openUpload(request: UploadRequest): Promise<Upload> {
  const { bytes, sent, mediaType, charset, name } = await openBody(request);
  let isPacked = request.contentEncoding === 'gzip';
  let opened = await peek(isPacked ? gunzipped(bytes, sent) : bytes, (held) => held.length >= 4);
  if (opened.head[0] === 0x1f && opened.head[1] === 0x8b) {
    isPacked = true;
    opened = await peek(gunzipped(opened.bytes, sent), (held) => held.length >= 4);
  }
  const compression = isPacked ? ('gzip' as const) : null;
  const kind = readKind(opened.head, { mediaType, name });
  if (kind === 'xlsx') return openTable(opened.bytes, { ...request, compression });
  const text = decodeText(opened.bytes, charset);
  const file = (headerLine: number | null): ImportFile => ({
    encoding: text.encoding(),
    compression,
    headerLine,
    sheet: null,
  });
  if (kind === 'ndjson') {
    const rows = rowsOf(text.bytes, createNdjsonReader());
    return { format: 'ndjson', delimiter: null, names: [], file: () => file(null), rows };
  }
  const { head, bytes: whole } = await peek(
    text.bytes,
    (held) => held.length >= headBytes || countLines(held) > searchedLines,
  );
  const { delimiter, header } = findCsvHeader(firstLines(head), request.headerLine);
  if (request.headerLine === null) refuseData(header);
  const rows = rowsOf(whole, createCsvReader(delimiter));
  const isDamaged = () => text.encoding() !== 'utf-8';
  return {
    format: 'csv',
    delimiter,
    names: header.names,
    file: () => file(header.line),
    rows: afterHeader(rows, header, isDamaged),
  };
}

/** The rows of an upload in chunks that depend on the rows alone, so that the same file has the same chunks. */
export async function* chunksOf(rows: AsyncGenerator<RawRow[]>): AsyncGenerator<RawChunk> {
  let waiting: RawRow[] = [];
  let waitingChars = 0;
  let number = 0;
  let firstRow = 1;
  const take = (): RawChunk => {
    const lines = waiting.map(({ content, problem }) => `${JSON.stringify([content, problem])}\n`);
    const contentHash = createHash('sha256').update(lines.join('')).digest('hex');
    const chunk = { number, firstRow, contentHash, rows: waiting };
    number += 1;
    firstRow += waiting.length;
    waiting = [];
    waitingChars = 0;
    return chunk;
  };
  for await (const some of rows) {
    for (const row of some) {
      waiting.push(row);
      waitingChars += charsOf(row);
      if (waiting.length >= rowsPerChunk || waitingChars >= charsPerChunk) yield take();
    }
  }
  if (waiting.length > 0) yield take();
}

/** As stored in JSON: an empty cell takes three characters, and a row may have 65,536 of them. */
function charsOf({ content }: RawRow): number {
  return typeof content === 'string' ? content.length : content.reduce((sum, cell) => sum + cell.length + 3, 0);
}

type Body = {
  bytes: AsyncGenerator<Buffer>;
  sent: () => number;
  mediaType: string;
  charset: string | null;
  name: string;
};

async function openBody({ stream, contentType = '', contentEncoding, idleMs }: UploadRequest): Promise<Body> {
  const { bytes, passed: sent } = counted(bytesOf(stream, idleMs));
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? null;
  if (mediaType !== 'multipart/form-data') return { bytes, sent, mediaType, charset, name: '' };
  const form = contentEncoding === 'gzip' ? gunzipped(bytes, sent) : bytes;
  return { ...(await openMultipart(form, contentType)), sent, charset: null };
}

/** The rows after the header. `isDamaged`: U+FFFD stands for bytes that the encoding of the file does not know. */
async function* afterHeader(
  rows: AsyncGenerator<RawRow[]>,
  header: Header,
  isDamaged: () => boolean,
): AsyncGenerator<RawRow[]> {
  for await (const some of rows) {
    yield some
      .filter((row) => row.line > header.line && !isSeparatorLine(row) && !isHeaderAgain(row, header))
      .map((row) =>
        row.problem === null && isDamaged() && hasReplacement(row) ? { ...row, problem: 'invalid_utf8' } : row,
      );
  }
}

function hasReplacement({ content }: RawRow): boolean {
  return typeof content !== 'string' && content.some((cell) => cell.includes('\ufffd'));
}

async function* rowsOf(bytes: AsyncGenerator<Buffer>, reader: RowReader): AsyncGenerator<RawRow[]> {
  const yieldIfDue = createYield();
  async function* steps(found: Iterable<RawRow[]>): AsyncGenerator<RawRow[]> {
    for (const rows of found) {
      if (rows.length > 0) yield rows;
      await yieldIfDue();
    }
  }
  for await (const some of bytes) yield* steps(reader.push(some));
  yield* steps(reader.end());
}

/** The lines that are searched for the header, wherever the stream was split. */
function firstLines(head: Buffer): Buffer {
  let lines = 0;
  for (let at = 0; at < Math.min(head.length, headBytes); at++) {
    if (head[at] === 10 || (head[at] === 13 && head[at + 1] !== 10)) lines += 1;
    if (lines === searchedLines) return head.subarray(0, at + 1);
  }
  return head.subarray(0, headBytes);
}

/** Recognizes the kind of a file by its first bytes. Its media type and name decide only between CSV and NDJSON. */
function readKind(head: Buffer, { mediaType, name }: { mediaType: string; name: string }): ImportFormat {
  const start = head.toString('latin1', 0, 16);
  if (start.startsWith('PK')) return 'xlsx';
  if (start.startsWith('\xd0\xcf\x11\xe0'))
    throw refused('an old workbook (.xls), or one with a password. Save it as .xlsx or CSV');
  if (/^ID;P/.test(start)) throw refused('a symbolic link file (.slk). Save it as .xlsx or CSV');
  if (/^TABLE\r?\n0,1\r?\n/.test(start)) throw refused('a data interchange file (.dif). Save it as .xlsx or CSV');
  if (start.startsWith('%PDF')) throw refused('a PDF. Save the table as CSV or .xlsx');
  if (/^(\xef\xbb\xbf)?\s*</.test(start))
    throw refused('HTML or XML. Open it in a spreadsheet and save it as CSV or .xlsx');
  if (mediaType.endsWith('ndjson') || /\.(ndjson|jsonl)(\.gz)?$/i.test(name)) return 'ndjson';
  const mayBeNdjson = !mediaType.startsWith('text/') && !mediaType.includes('excel') && !/\.(csv|tsv|txt)/i.test(name);
  return mayBeNdjson && /^(\xef\xbb\xbf)?\s*\{/.test(start) ? 'ndjson' : 'csv';
}

function refused(kind: string): LandfallError {
  return new LandfallError('validation_failed', `The file is ${kind}.`);
}
