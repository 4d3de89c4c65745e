/** Text of a carrier that is not JSON, or JSON that costs too much to parse. The message says which. */
export class JsonUnreadable extends Error {
  readonly isExcessive: boolean;

  constructor(detail: string, { isExcessive = false } = {}) {
    super(detail);
    this.name = 'JsonUnreadable';
    this.isExcessive = isExcessive;
  }
}

/** Published payloads nest at most 11 levels deep. Each further level costs stack in everything that walks a value. */
const maxDepth = 64;
/**
 * A DCSA event of 1 KB has about 80 of these. The worst text of so many, objects that each have another key, parses in
 * 50 ms, and 3 MiB of DCSA events in 10 ms.
 */
const maxTokens = 250_000;

/** `JSON.parse` for text from a carrier, in bounded time. Throws `JsonUnreadable`. */
export function readJson(text: string): unknown {
  const excess = findExcess(text);
  if (excess !== null) throw new JsonUnreadable(excess, { isExcessive: true });
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonUnreadable(
      /^\s*</.test(text)
        ? 'the carrier returned a web page instead of JSON'
        : 'the carrier returned something that is not JSON',
    );
  }
}

/** The same, or null where a text that can't be read says nothing. */
export function readJsonOrNull(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** One pass over the text without allocating: 3 MiB take 10 ms. Null: it is cheap to parse. */
function findExcess(text: string): string | null {
  let depth = 0;
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        tokens += 1;
        if (depth > maxDepth) return `the carrier returned JSON that is nested more than ${maxDepth} levels deep`;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        tokens += 1;
        break;
    }
    if (tokens > maxTokens) return `the carrier returned JSON with more than ${maxTokens} values`;
  }
  return null;
}

/** The closing quote of the string that starts here. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}
