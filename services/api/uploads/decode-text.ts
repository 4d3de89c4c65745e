import { LandfallError } from '#shared/domain/errors.ts';

/** Text as UTF-8. `encoding`: what was recognized so far; ASCII counts as UTF-8. */
export type DecodedText = { bytes: AsyncGenerator<Buffer>; encoding: () => string };

/**
 * Decodes a file to UTF-8. A byte order mark decides first, then `charset`, then the bytes: NUL in every other one means
 * UTF-16, and the first bytes beyond ASCII distinguish UTF-8 from windows-1252. The decision depends on the file alone, not on
 * how it is split, so that a repeated upload reads the same. Throws LandfallError `validation_failed` for a charset that
 * is not known.
 */
export function decodeText(source: AsyncGenerator<Buffer>, charset: string | null): DecodedText {
  const named = charset === null ? null : knownEncoding(charset);
  let encoding: string | null = null;

  async function* decoded(): AsyncGenerator<Buffer> {
    let held: Buffer = Buffer.alloc(0);
    let isStart = true;
    let decoder: InstanceType<typeof TextDecoder> | null = null;
    for await (const bytes of source) {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      if (isStart) {
        if (held.length < 4) continue;
        start();
      }
      yield* take(false);
    }
    if (isStart) start();
    yield* take(true);

    function start(): void {
      isStart = false;
      const mark = markOf(held);
      encoding = mark?.encoding ?? named ?? utf16Of(held);
      if (mark !== null) held = held.subarray(mark.length);
    }

    function* take(isEnd: boolean): Generator<Buffer> {
      if (encoding === null) {
        const ascii = asciiLength(held);
        const width = Math.max(1, sequenceLength(held[ascii] ?? 0));
        const isDecidable = isEnd || held.length - ascii >= width;
        if (ascii > 0) {
          yield held.subarray(0, ascii);
          held = held.subarray(ascii);
        }
        if (held.length === 0 || !isDecidable) return;
        encoding = isUtf8(held.subarray(0, width)) ? 'utf-8' : 'windows-1252';
      }
      const bytes = held;
      held = Buffer.alloc(0);
      if (encoding === 'utf-8') {
        if (bytes.length > 0) yield bytes;
        return;
      }
      decoder ??= new TextDecoder(encoding);
      const text = decoder.decode(bytes, { stream: !isEnd });
      if (text !== '') yield Buffer.from(text);
    }
  }
  return { bytes: decoded(), encoding: () => encoding ?? 'utf-8' };
}

function knownEncoding(charset: string): string {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    const shown = charset.slice(0, 40);
    const detail = `Unknown charset: ${shown}. Name one such as utf-8, utf-16le, windows-1252 or iso-8859-2.`;
    throw new LandfallError('validation_failed', detail, {
      mistakes: [{ pointer: 'Content-Type', code: 'invalid_value', detail }],
    });
  }
}

function markOf(bytes: Buffer): { encoding: string; length: number } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  return null;
}

/** A header of Latin letters has a NUL in each of its first two characters. */
function utf16Of(bytes: Buffer): string | null {
  const [first, second, third, fourth] = bytes;
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : null;
}

function asciiLength(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) >= 0x80) return at;
  return bytes.length;
}

/** Returns the length in bytes of a UTF-8 sequence with this first byte. 0: no sequence begins with it. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0) return lead < 0xf0 ? 3 : 0;
  return lead >= 0xc0 ? 2 : 0;
}

const strict = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Buffer): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
