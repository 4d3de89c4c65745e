import { LandfallError } from '#shared/domain/errors.ts';
import { undecodable } from '#shared/domain/events-in/undecodable.ts';

/** The encodings of the repertoires that UNB names (S001, element 0001; ISO 9735-1, code list). */
const encodings: Readonly<Record<string, string>> = {
  D: 'iso-8859-2',
  E: 'iso-8859-5',
  F: 'iso-8859-7',
  G: 'iso-8859-3',
  H: 'iso-8859-4',
  I: 'iso-8859-6',
  J: 'iso-8859-8',
  K: 'iso-8859-9',
  W: 'utf-8',
  X: 'iso-2022-jp',
  Y: 'utf-8',
};

/** Older senders use ISO 8859-1 (UNOC), of which this is a superset. X12 and Cargo-IMP don't name their character set. */
const latin = 'windows-1252';

/** The sets that HTTP clients state without a look at the body. */
const defaultSets = /^\s*(?:(?:us-)?ascii|iso[-_]?8859-1|latin-?1)\s*$/i;

/** The control character of ASCII for what cannot be represented. */
const substitute = 0x1a;

/** UNA, UNB and the repertoire. A line may be wrapped anywhere. */
const header = (() => {
  const wrapped = (letters: string) => [...letters].join('[\\r\\n]*');
  return new RegExp(
    `(?:${wrapped('UNA')}[^]{6,12}?)?${wrapped('UNB')}[\\r\\n]*[^A-Za-z\\d][\\r\\n]*${wrapped('UNO')}[\\r\\n]*([A-Z])`,
    'g',
  );
})();

/**
 * The text of a body. Bytes are in the request's character set if it states one and they can be; otherwise each EDIFACT
 * interchange is in the repertoire that its header names, and what names none is UTF-8 or else windows-1252. A set that
 * clients state by default doesn't count against a repertoire. Bytes that are in no such set become `undecodable`. Throws LandfallError `validation_failed`.
 */
export function decodeEdi(bytes: Uint8Array, charset: string | null): string {
  const text = decodeBody(bytes, charset);
  if (text.includes('\0'))
    throw new LandfallError('validation_failed', 'The body contains NUL bytes, so it is no text.');
  return text;
}

function decodeBody(bytes: Uint8Array, charset: string | null): string {
  const stated = charset === null ? null : decode(bytes, charset);
  if (stated !== null && !defaultSets.test(charset ?? '')) return stated;
  const wide = wideEncoding(bytes);
  if (wide !== null)
    return decode(bytes, wide) ?? new TextDecoder(wide).decode(bytes).replaceAll('\uFFFD', undecodable);
  // Headers are in ASCII, which all of these encodings share.
  const ascii = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const starts = [...ascii.matchAll(header)].map((match) => ({ at: match.index, repertoire: match[1] ?? '' }));
  if (!starts.some(({ repertoire }) => Object.hasOwn(encodings, repertoire)))
    return stated ?? decode(bytes, 'utf-8') ?? decode(bytes, latin) ?? '';
  const parts = starts.map(({ at, repertoire }, index) =>
    decodeInterchange(bytes.subarray(index === 0 ? 0 : at, starts[index + 1]?.at), repertoire),
  );
  return parts.join('');
}

function decodeInterchange(bytes: Uint8Array, repertoire: string): string {
  const encoding = Object.hasOwn(encodings, repertoire) ? (encodings[repertoire] ?? null) : null;
  if (encoding === null) return decode(bytes, 'utf-8') ?? decode(bytes, latin) ?? '';
  const isOctet = encoding.startsWith('iso-8859');
  // No repertoire has the control characters from 80 to 9F. UTF-8, into which files are converted on their way, needs them.
  const hasControls = isOctet && bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  const read = hasControls ? decode(bytes, 'utf-8') : decode(bytes, encoding);
  if (read !== null) return read;
  const known = isOctet ? bytes.map((byte) => (byte >= 0x80 && byte < 0xa0 ? substitute : byte)) : bytes;
  const text = new TextDecoder(encoding).decode(known);
  return text.replaceAll('\uFFFD', undecodable).replaceAll(String.fromCharCode(substitute), undecodable);
}

/** UTF-16, by its mark or by the zeros in its first letters. Null: another encoding. */
function wideEncoding([first, second, third]: Uint8Array): string | null {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0)) return 'utf-16be';
  return (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && third !== 0) ? 'utf-16le' : null;
}

/** Null: the encoding doesn't exist, or doesn't have these bytes. */
function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
