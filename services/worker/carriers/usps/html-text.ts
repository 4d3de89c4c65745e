import { plainText } from '../lenient-object.ts';

/** Windows-1252, in which HTML reads the references &#128; to &#159;. */
const windows = new TextDecoder('windows-1252');

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  reg: '®',
  trade: '™',
  copy: '©',
};

/**
 * Text with HTML in it (`USPS Ground Advantage<SUP>&#153;</SUP>`) as plain text. References are resolved once, and tags
 * are removed. Null when nothing is left.
 */
export function htmlText(written: string | null): string | null {
  if (written === null) return null;
  const resolved = written.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) =>
    name === undefined
      ? characterOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : (named[String(name).toLowerCase()] ?? whole),
  );
  return plainText(resolved.replace(/<\/?[a-z][^<>]{0,100}>/gi, '').replace(/\s+/g, ' ')) || null;
}

function characterOf(code: number): string {
  if (code >= 128 && code <= 159) return windows.decode(Uint8Array.of(code));
  const isCharacter = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : ' ';
}
