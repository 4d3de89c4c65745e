import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import { entryOf } from '#shared/domain/entry-of.ts';

/** `Accept-Encoding` of every call. Gateways ignore it and send others. */
export const acceptedCodings = 'gzip, deflate, br, zstd';

/** A response that arrived and can't be read. The message says why and is safe to show. */
export class BodyUnreadable extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'BodyUnreadable';
  }

  static tooLarge(maxBytes: number): BodyUnreadable {
    return new BodyUnreadable(`the response of the carrier is larger than ${Math.round(maxBytes / 1024)} KiB`);
  }
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>;

const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);
const zstd = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);

/** RFC 9659 limits the window of a zstd response to 8 MiB. */
const maxWindowLog = 23;

/** The low half of the first byte of a zlib stream (RFC 1950). Some servers send the bare deflate stream. */
const zlibMethod = 8;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (bytes, options) => ((bytes[0] ?? 0) % 16 === zlibMethod ? inflate : inflateRaw)(bytes, options),
  br: brotli,
  zstd: (bytes, options) => zstd(bytes, { ...options, params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog } }),
};

/** Some servers name the charset here. */
const noCodings = ['', 'identity', 'utf-8', 'utf8'];
/** More than any gateway stacks; each costs a pass over the body. */
const maxCodings = 3;
const chunkSize = 65_536;

/**
 * Undoes the codings of a `Content-Encoding`, the last one first. The limit applies to the result of each. Throws
 * `BodyUnreadable`. Decodes whole bodies in zlib's thread pool, so that no stream is left behind when one breaks off.
 */
export async function decodeBody(body: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !noCodings.includes(name));
  // A response to HEAD states the coding of a body that it doesn't have.
  if (body.length === 0) return body;
  if (codings.length > maxCodings)
    throw new BodyUnreadable(`the response of the carrier has more than ${maxCodings} content encodings`);
  let bytes = body;
  for (const name of codings.reverse()) bytes = await decodeOne(bytes, name, maxBytes);
  return bytes;
}

async function decodeOne(bytes: Buffer, name: string, maxBytes: number): Promise<Buffer> {
  const decode = entryOf(decoders, name);
  if (decode === undefined)
    throw new BodyUnreadable(`the response of the carrier has an unknown content encoding (${shown(name)})`);
  try {
    return await decode(bytes, { maxOutputLength: maxBytes, chunkSize });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) throw BodyUnreadable.tooLarge(maxBytes);
    throw new BodyUnreadable(`the response of the carrier is not valid ${name}`);
  }
}

function shown(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 40);
}
