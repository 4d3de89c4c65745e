export const lineFeed = 10;
export const carriageReturn = 13;

/** Returns the bytes without the line end that closes them, if there is one. */
export function withoutLineEnd(bytes: Buffer): Buffer {
  const feeds = bytes.at(-1) === lineFeed ? 1 : 0;
  return bytes.subarray(0, bytes.length - feeds - (bytes.at(-1 - feeds) === carriageReturn ? 1 : 0));
}

/** The first line end: where it begins, and where the next line does. */
export function lineEnd(bytes: Buffer): { at: number; next: number } | null {
  const feed = bytes.indexOf(lineFeed);
  const carriage = bytes.subarray(0, feed === -1 ? bytes.length : feed).indexOf(carriageReturn);
  if (carriage === -1) return feed === -1 ? null : { at: feed, next: feed + 1 };
  return { at: carriage, next: carriage + 1 === feed ? feed + 1 : carriage + 1 };
}

/** The bytes of the blank lines at the start. */
export function blankLength(bytes: Buffer): number {
  let length = 0;
  while (bytes[length] === lineFeed || bytes[length] === carriageReturn) length += 1;
  return length;
}

/** A carriage return and a line feed together end one line. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) lines += 1;
  }
  return lines;
}
