import { LandfallError } from '#shared/domain/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Older senders use ISO 8859-1 (UNOC), of which this is a superset. */
const latin = new TextDecoder('windows-1252');

/** The text of a body: UTF-8, otherwise windows-1252. Throws LandfallError `validation_failed`. */
// biome-ignore lint/correctness/useYield: a body with a reader of its own is read in steps, and this is one.
export function* readEdiText(bytes: Uint8Array): Generator<void, string> {
  if (bytes.length === 0)
    throw new LandfallError('validation_failed', 'The body is empty. Send the text of the messages.');
  const text = decode(bytes);
  if (text.includes('\0'))
    throw new LandfallError('validation_failed', 'The body contains NUL bytes, so it is no text.');
  return text;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin.decode(bytes);
  }
}
