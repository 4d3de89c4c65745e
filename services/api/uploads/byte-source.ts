import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { settlesWithin, withDeadline } from '#shared/async/deadline.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { freeBuffers } from './free-buffers.ts';

/** Time for which the unneeded rest of a file is read: longer if it is no larger than a workbook. */
const drainMs = 2000;
const patientMs = 20_000;
const maxPatientBytes = 24 * 1024 * 1024;
/**
 * Tables pack to a fifth or a twentieth. A file that unpacks to 50 times its size and to more than this is a bomb: what
 * it unpacks to costs as much as if it had been sent.
 */
const maxGzipRatio = 50;
const ratioFromBytes = 1024 * 1024;

/** An upload that is slower holds its connection and its database row for nothing. */
const minBytesPerS = 1024;

/**
 * The bytes of a request. Throws LandfallError `request_timeout` if nothing arrives for `idleMs`, or less than 1 KB/s
 * over as long. Only the time that is spent waiting for the client counts.
 */
export async function* bytesOf(stream: Readable, idleMs: number): AsyncGenerator<Buffer> {
  // The connection is still needed for the response when reading stops early.
  const iterator = stream.iterator({ destroyOnReturn: false });
  const ended = (what: string) =>
    new LandfallError(
      'request_timeout',
      `${what} ${Math.round(idleMs / 1000)} s. With an Idempotency-Key, you can send the same file again to resume.`,
    );
  const late = () => ended('No data received for');
  const slow = () => ended(`Less than ${minBytesPerS / 1024} KB/s received over`);
  let waitedMs = 0;
  let received = 0;
  for (;;) {
    const since = performance.now();
    const next = await withDeadline(iterator.next(), idleMs, late);
    if (next.done === true) return;
    const bytes = next.value as Buffer;
    waitedMs += performance.now() - since;
    received += bytes.length;
    freeBuffers(bytes.length);
    if (waitedMs >= idleMs) {
      if (received * 1000 < minBytesPerS * waitedMs) throw slow();
      [waitedMs, received] = [0, 0];
    }
    yield bytes;
  }
}

/**
 * Keeps reading for a while and discards what arrives, so that a client which sends its whole file before it reads gets
 * the response and not a broken connection. In each turn of the event loop one piece of one file is read: thirty refused
 * files at full speed would hold up every other client.
 */
export async function drainUpload(stream: Readable): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let isOver = stream.readableEnded || stream.destroyed;
  for (const event of ['end', 'error', 'close'])
    stream.once(event, () => {
      isOver = true;
      resolve();
    });
  const startedAt = performance.now();
  for (let drained = 0; !isOver; ) {
    const leftMs = startedAt + (drained < maxPatientBytes ? patientMs : drainMs) - performance.now();
    if (leftMs <= 0) return;
    const bytes = stream.read() as Buffer | null;
    drained += bytes?.length ?? 0;
    if (bytes !== null) {
      freeBuffers(bytes.length);
      await nextDrain();
    } else await settlesWithin(Promise.race([ended, once(stream, 'readable')]), leftMs);
  }
}

let lastDrain: Promise<void> = Promise.resolve();

function nextDrain(): Promise<void> {
  lastDrain = lastDrain.then(() => nextTurn());
  return lastDrain;
}

/** The first `length` bytes, fewer at the end of the source, and a source that begins with them again. */
export async function peek(
  source: AsyncGenerator<Buffer>,
  isEnough: (held: Buffer) => boolean,
): Promise<{ head: Buffer; isWhole: boolean; bytes: AsyncGenerator<Buffer> }> {
  let head: Buffer = Buffer.alloc(0);
  let isWhole = false;
  while (!isEnough(head)) {
    const next = await source.next();
    if (next.done === true) {
      isWhole = true;
      break;
    }
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  async function* again(): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head;
    yield* source;
  }
  return { head, isWhole, bytes: again() };
}

/** The same bytes, and how many have passed. */
export function counted(source: AsyncGenerator<Buffer>): { bytes: AsyncGenerator<Buffer>; passed: () => number } {
  let passed = 0;
  async function* counting(): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      passed += bytes.length;
      yield bytes;
    }
  }
  return { bytes: counting(), passed: () => passed };
}

/**
 * Unpacks gzip as it arrives. `sent`: the bytes of the request so far, also if the file was packed twice. Throws
 * LandfallError `validation_failed` for a damaged or cut-off file and for a bomb.
 */
export async function* gunzipped(source: AsyncGenerator<Buffer>, sent: () => number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let unpacked = 0;
  // An error of the source must reach `out`, too.
  const out = new PassThrough();
  pipeline(Readable.from(source, { objectMode: false }), gunzip, out).catch((error: unknown) =>
    out.destroy(toProblem(error)),
  );
  try {
    for await (const bytes of out) {
      unpacked += (bytes as Buffer).length;
      if (unpacked > ratioFromBytes && unpacked > sent() * maxGzipRatio)
        throw new LandfallError(
          'validation_failed',
          `The gzip file unpacks to more than ${maxGzipRatio} times its size. Send the file unpacked.`,
        );
      yield bytes as Buffer;
    }
  } catch (error) {
    throw toProblem(error);
  }
}

function toProblem(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!code.startsWith('Z_')) return error instanceof Error ? error : new Error('the upload failed');
  const detail = 'The gzip file is damaged or cut off. Pack it again.';
  return new LandfallError('validation_failed', detail, { cause: error });
}
