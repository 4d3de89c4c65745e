import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { settlesWithin, withDeadline } from '#shared/async/deadline.ts';
import {
  createRowSplitter,
  detectDelimiter,
  maxRowBytes,
  type RowBytes,
} from '#shared/contract/imports/import-rows.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ImportFormat, ImportOptions, RawChunk, RawRow } from '#shared/domain/imports/import.ts';

const rowsPerChunk = 500;
const bytesPerChunk = 1024 * 1024;
const drainMs = 2000;

/** An upload of which only the header has been read. `header` is null for NDJSON and for an empty file. */
export type Upload = { delimiter: ImportOptions['delimiter']; header: string | null; chunks: AsyncGenerator<RawChunk> };

/**
 * Starts reading a file. Chunk boundaries depend on the rows alone, so that the same file has the same chunks. The
 * stream is read no faster than the chunks are consumed. Throws LandfallError `request_timeout` if nothing arrives for
 * `idleMs`.
 */
export async function openUpload(stream: Readable, options: { format: ImportFormat; idleMs: number }): Promise<Upload> {
  const source = bytesOf(stream, options.idleMs);
  let beginning = Buffer.alloc(0);
  while (!beginning.includes(0x0a) && beginning.length < maxRowBytes) {
    const next = await source.next();
    if (next.done === true) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  const delimiter =
    options.format === 'csv' ? detectDelimiter(beginning.toString('utf8').split('\n', 1)[0] ?? '') : null;
  const splitter = createRowSplitter(delimiter);

  async function* batches(): AsyncGenerator<RowBytes[]> {
    yield splitter.push(beginning);
    for await (const bytes of source) yield splitter.push(bytes);
    yield splitter.end();
  }
  const rows = batches();
  let first: RowBytes[] = [];
  while (first.length === 0) {
    const next = await rows.next();
    if (next.done === true) break;
    first = next.value;
  }
  const header = options.format === 'csv' ? first.shift() : undefined;
  return { delimiter, header: header === undefined ? null : readHeader(header), chunks: chunksOf(first, rows) };
}

/**
 * Keeps reading for a moment and discards what arrives, so that a client which sends its whole file before it reads
 * gets the response and not a broken connection.
 */
export async function drainUpload(stream: Readable): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  for (const event of ['end', 'error', 'close']) stream.once(event, () => resolve());
  if (stream.readableEnded || stream.destroyed) resolve();
  // The stream still has a reader, so `resume` has no effect.
  const discard = () => {
    while (stream.read() !== null);
  };
  stream.on('readable', discard);
  discard();
  await settlesWithin(ended, drainMs);
  stream.off('readable', discard);
}

async function* bytesOf(stream: Readable, idleMs: number): AsyncGenerator<Uint8Array> {
  // The connection is still needed for the response when reading stops early.
  const iterator = stream.iterator({ destroyOnReturn: false });
  const late = () =>
    new LandfallError(
      'request_timeout',
      `No data received for ${Math.round(idleMs / 1000)} s. ` +
        'With an Idempotency-Key, you can send the same file again to resume.',
    );
  for (;;) {
    const next = await withDeadline(iterator.next(), idleMs, late);
    if (next.done === true) return;
    yield next.value as Uint8Array;
  }
}

async function* chunksOf(first: readonly RowBytes[], batches: AsyncIterable<RowBytes[]>): AsyncGenerator<RawChunk> {
  let waiting: RowBytes[] = [];
  let waitingBytes = 0;
  let number = 0;
  let firstRow = 1;
  const take = (): RawChunk => {
    const chunk = toChunk(waiting, { number, firstRow });
    number += 1;
    firstRow += waiting.length;
    waiting = [];
    waitingBytes = 0;
    return chunk;
  };
  async function* all(): AsyncGenerator<readonly RowBytes[]> {
    yield first;
    yield* batches;
  }
  for await (const batch of all()) {
    for (const row of batch) {
      waiting.push(row);
      waitingBytes += row.bytes.length;
      if (waiting.length >= rowsPerChunk || waitingBytes >= bytesPerChunk) yield take();
    }
  }
  if (waiting.length > 0) yield take();
}

function toChunk(rows: readonly RowBytes[], place: { number: number; firstRow: number }): RawChunk {
  const hash = createHash('sha256');
  for (const { bytes, problem } of rows) hash.update(`${bytes.length} ${problem ?? ''}\n`).update(bytes);
  return { ...place, contentHash: hash.digest('hex'), rows: rows.map(readRow) };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function readRow({ bytes, problem }: RowBytes): RawRow {
  if (problem !== null) return { text: lenient.decode(bytes), problem };
  try {
    return { text: strict.decode(bytes), problem };
  } catch {
    return { text: lenient.decode(bytes), problem: 'invalid_utf8' };
  }
}

function readHeader(row: RowBytes): string {
  const { text, problem } = readRow(row);
  if (problem === null) return text;
  throw new LandfallError(
    'validation_failed',
    'Unreadable header. Send CSV in UTF-8 with a header of at most 64 KiB and every quote closed.',
  );
}
