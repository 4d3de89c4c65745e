import {
  afterBreaks,
  flawOf,
  maxElements,
  maxSegmentLength,
  type Segment,
  standsAt,
  withoutBreaks,
} from '../segment.ts';

/** Elements of the interchange header. The last one is the component separator; the terminator follows it. */
const headerElements = 16;
/** A padded header has 106 characters. */
const maxHeaderLength = 400;

/**
 * Cuts X12 text into segments. Each interchange header (ISA) states its own separators: its fourth character, and the
 * one after its last element. Line breaks are ignored anywhere unless they are the terminator. A header that states no
 * separators ends the text.
 */
export function* cutX12(text: string): Generator<Segment> {
  let offset = afterBlanks(text, text.startsWith('\uFEFF') ? 1 : 0);
  let separators: { element: string; terminator: string } | null = null;
  let position = 0;
  while (offset < text.length) {
    position += 1;
    if (standsAt(text, offset, 'ISA')) separators = separatorsOf(text, offset);
    if (separators === null) {
      const to = Math.min(text.length, offset + maxHeaderLength);
      const tag = /^[A-Z][A-Z\d]{1,2}/.exec(text.slice(offset, offset + 3))?.[0] ?? '';
      yield { tag, elements: [], position, from: offset, to, flaw: 'cut_off' };
      return;
    }
    const { element, terminator } = separators;
    const end = text.indexOf(terminator, offset);
    const to = end < 0 ? trimmedEnd(text, offset) : end;
    const written = withoutBreaks(text.slice(offset, Math.min(to, offset + maxSegmentLength)));
    const [tag = '', ...elements] = written.split(element, maxElements);
    const flaw = flawOf(written, to - offset, end < 0);
    yield { tag: tag.trim(), elements: elements.map((each) => [each]), position, from: offset, to, flaw };
    // Two terminators in a row are a habit of some senders, and no segment.
    offset = afterBlanks(text, end < 0 ? text.length : end + 1, terminator);
  }
}

function separatorsOf(text: string, offset: number): { element: string; terminator: string } | null {
  let last = offset;
  for (let count = 0; count < 'ISA'.length; count++) last = afterBreaks(text, last) + 1;
  last = afterBreaks(text, last);
  const element = text.charAt(last);
  if (!/^[^A-Za-z\d\s]$/.test(element)) return null;
  for (let count = 1; count < headerElements; count++) {
    last = text.indexOf(element, last + 1);
    if (last < 0 || last - offset > maxHeaderLength) return null;
  }
  const terminator = terminatorAfter(text, afterBreaks(text, last + 1) + 1);
  return /^[^A-Za-z\d ]$/.test(terminator) && terminator !== element ? { element, terminator } : null;
}

/** A line break here is the terminator where the next segment follows it; before another character it wraps the line. */
function terminatorAfter(text: string, offset: number): string {
  const next = text.charAt(afterBreaks(text, offset));
  return /^[A-Za-z\d\s]?$/.test(next) ? text.charAt(offset) : next;
}

/** The next offset that is neither a line break nor a blank, nor this terminator. */
export function afterBlanks(text: string, offset: number, terminator = ' '): number {
  const code = terminator.charCodeAt(0);
  let next = offset;
  while (next < text.length && (text.charCodeAt(next) <= 32 || text.charCodeAt(next) === code)) next += 1;
  return next;
}

function trimmedEnd(text: string, from: number): number {
  let end = text.length;
  while (end > from && text.charCodeAt(end - 1) <= 32) end -= 1;
  return end;
}
