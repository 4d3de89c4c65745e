import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { LandfallError } from '#shared/domain/errors.ts';

export type MultipartFile = { name: string; mediaType: string; bytes: AsyncGenerator<Buffer> };

/** Bytes that the parser gets at a time, so that it can be stopped in between. */
const pieceBytes = 16 * 1024;
/** Other fields of a form are not read. */
const maxParts = 20;

/**
 * The first file of a form (RFC 7578), as it arrives. Throws LandfallError `validation_failed` for a form without a file
 * and for one that is damaged.
 */
export async function openMultipart(source: AsyncGenerator<Buffer>, contentType: string): Promise<MultipartFile> {
  const parser = openParser(contentType);
  const { promise: opened, resolve, reject } = Promise.withResolvers<MultipartFile>();
  let file: Readable | null = null;
  let failure: unknown = null;
  parser.on(
    'file',
    (_field: string, stream: Readable, name: string | undefined, _encoding: string, mediaType: string) => {
      // A form that is cut off destroys its files before anybody reads them, or without that.
      stream.on('error', () => {});
      if (file !== null) return void stream.resume();
      file = stream;
      resolve({ name: name ?? '', mediaType, bytes: bytesOf(stream) });
    },
  );
  // Otherwise it would search the rest for borders, which takes half a microsecond for a byte.
  parser.on('partsLimit', () => parser.destroy(damaged(`has more than ${maxParts} parts`)));
  const done = pipeline(Readable.from(inPieces(source), { objectMode: false }), parser).then(
    () => reject(damaged('has no file')),
    (error: unknown) => {
      failure = error instanceof LandfallError ? error : damaged('is damaged or cut off', error);
      reject(failure);
      file?.destroy(failure as Error);
    },
  );
  return await opened;

  async function* bytesOf(stream: Readable): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of stream) yield bytes as Buffer;
    } catch (error) {
      throw error instanceof LandfallError ? error : damaged('is damaged or cut off', error);
    }
    // A form that ends without its last border was cut off.
    await done;
    if (failure !== null) throw failure;
  }
}

function openParser(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      limits: { parts: maxParts, fileSize: Number.POSITIVE_INFINITY, fieldSize: 1024 },
    });
  } catch (error) {
    throw damaged('names no boundary in its Content-Type', error);
  }
}

function damaged(what: string, cause?: unknown): LandfallError {
  const detail = `The form ${what}. Send the file as a part of multipart/form-data, as curl -F file=@shipments.csv does.`;
  return new LandfallError('validation_failed', detail, { cause });
}

async function* inPieces(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of source)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
