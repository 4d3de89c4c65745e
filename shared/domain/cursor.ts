import { crc32 } from './crc32.ts';

const maxCursorLength = 2000;

/**
 * Encodes a position (plain JSON) as opaque text, bound to the text of its filter and sort. It is neither secret nor
 * signed: treat a decoded position as input, never as permission.
 */
export function encodeCursor(position: unknown, boundTo: string): string {
  const text = JSON.stringify(position);
  return toBase64Url(JSON.stringify([binding(text, boundTo), text]));
}

/** Decodes a position. Null: the text isn't a cursor, was altered, or belongs to another filter or sort. */
export function decodeCursor(cursor: string, boundTo: string): unknown {
  if (cursor.length > maxCursorLength || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  try {
    const parts: unknown = JSON.parse(fromBase64Url(cursor));
    if (!Array.isArray(parts) || parts.length !== 2) return null;
    const [bound, text]: unknown[] = parts;
    if (typeof text !== 'string' || bound !== binding(text, boundTo)) return null;
    // The last base64 character has spare bits: only the one spelling that `encodeCursor` writes is valid.
    return toBase64Url(JSON.stringify(parts)) === cursor ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function binding(text: string, boundTo: string): number {
  return crc32(JSON.stringify([boundTo, text]));
}

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function fromBase64Url(encoded: string): string {
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(binary, (character) => character.charCodeAt(0)),
  );
}
