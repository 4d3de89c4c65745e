/**
 * Limits on the parts of a JSON text. Values cost a hundred times as much as their bytes: a text of braces is the
 * worst.
 */
export type JsonLimits = {
  /** Keys of all objects together. */
  keys: number;
  /** Entries of all lists together, and empty objects and lists. */
  entries: number;
  /** Objects and lists inside each other. */
  depth: number;
};

/** The largest body has some 70 keys. Messages of MCP clients bring their own, such as capabilities. */
export const bodyLimits: JsonLimits = { keys: 1000, entries: 1000, depth: 32 };
/** A registration has at most 8 fields, 20 identifiers, 20 keys of metadata and 20 tags. */
export const rowLimits: JsonLimits = { keys: 100, entries: 100, depth: 6 };

export type JsonProblem = 'not_utf8' | 'not_json' | 'prototype_key' | keyof JsonLimits;

/** Parsed JSON, or why it was refused: a limit is named as in `JsonLimits`. */
export type ReadJson = { value: unknown } | { problem: JsonProblem };

const [quote, backslash, underscore, colon, comma] = [0x22, 0x5c, 0x5f, 0x3a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** `"__proto__"` with every character as an escape. */
const maxPrototypeKeyBytes = 2 + 9 * 6;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const toBytes = new TextEncoder();

/**
 * Parses untrusted JSON, which is counted first: parsing and checking cost what the values are worth, not the bytes. A
 * key `__proto__` at any depth is refused, because objects would silently drop it.
 */
export function readJson(sent: string | Uint8Array, limits: JsonLimits): ReadJson {
  const problem = findJsonProblem(typeof sent === 'string' ? toBytes.encode(sent) : sent, limits);
  if (problem !== null) return { problem };
  let text: string;
  try {
    text = typeof sent === 'string' ? sent : utf8.decode(sent);
  } catch {
    return { problem: 'not_utf8' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'not_json' };
  }
}

/** Explains why a body can't be read, and the remedy. `what` is the beginning of the sentence: `The body`. */
export function explainJsonProblem(problem: JsonProblem, limits: JsonLimits, what: string): string {
  switch (problem) {
    case 'not_utf8':
      return `${what} is not valid UTF-8.`;
    case 'not_json':
      return `${what} is not valid JSON.`;
    case 'prototype_key':
      return `${what} contains the key __proto__, which is not allowed.`;
    case 'keys':
      return `${what} has more than ${limits.keys} keys. Send fewer fields.`;
    case 'entries':
      return `${what} has more than ${limits.entries} list entries. Send fewer.`;
    case 'depth':
      return `${what} is nested more than ${limits.depth} levels deep. Send it flatter.`;
  }
}

/** One pass over the bytes. It recognizes no syntax errors: `JSON.parse` does. */
function findJsonProblem(bytes: Uint8Array, limits: JsonLimits): JsonProblem | null {
  let depth = 0;
  let keys = 0;
  /** Each key and each list entry follows one of these: `{`, `[`, `,`. */
  let separators = 0;
  /** The last string: before a colon it is a key. */
  let [from, to] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote:
        from = at;
        to = endOfString(bytes, at + 1);
        at = to;
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        if (depth > limits.depth) return 'depth';
        separators += 1;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      case comma:
        separators += 1;
        break;
      case colon:
        keys += 1;
        if (keys > limits.keys) return 'keys';
        if (isPrototypeKey(bytes, from, to + 1)) return 'prototype_key';
        break;
      default:
        continue;
    }
    if (separators > limits.keys + limits.entries) return 'entries';
  }
  return separators - keys > limits.entries ? 'entries' : null;
}

/** The index of the quote that ends the string which begins at `from`, or that of the last byte. */
export function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** True when a string is `__proto__`, with or without escapes. */
function isPrototypeKey(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from < '"__proto__"'.length || to - from > maxPrototypeKeyBytes) return false;
  if (bytes[from + 1] !== backslash && bytes[from + 1] !== underscore) return false;
  try {
    return JSON.parse(utf8.decode(bytes.subarray(from, to))) === '__proto__';
  } catch {
    return false;
  }
}
