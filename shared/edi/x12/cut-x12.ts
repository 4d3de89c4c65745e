import { maxElements, maxSegmentLength, type Segment } from '../segment.ts';

/** Elements of the interchange header. The last one is the component separator; the terminator follows it. */
const headerElements = 16;
/** A padded header has 106 characters. */
const maxHeaderLength = 400;

/**
 * Cuts X12 text into segments. Each interchange header (ISA) states its own separators: its fourth character, and the
 * one after its last element. Line breaks between segments are ignored. A header that states none ends the text.
 */
export function* cutX12(text: string): Generator<Segment> {
  let offset = afterBlanks(text, text.startsWith('\uFEFF') ? 1 : 0);
  let separators: { element: string; terminator: string } | null = null;
  let position = 0;
  while (offset < text.length) {
    position += 1;
    if (text.startsWith('ISA', offset)) separators = separatorsOf(text, offset);
    if (separators === null) {
      const to = Math.min(text.length, offset + maxHeaderLength);
      const tag = /^[A-Z][A-Z\d]{1,2}/.exec(text.slice(offset, offset + 3))?.[0] ?? '';
      yield { tag, elements: [], position, from: offset, to, flaw: 'cut_off' };
      return;
    }
    const { element, terminator } = separators;
    const end = text.indexOf(terminator, offset);
    const to = end < 0 ? trimmedEnd(text, offset) : end;
    const flaw = to - offset > maxSegmentLength ? 'too_long' : end < 0 ? 'cut_off' : null;
    const [tag = '', ...elements] = text
      .slice(offset, Math.min(to, offset + maxSegmentLength))
      .split(element, maxElements);
    yield { tag: tag.trim(), elements: elements.map((each) => [each]), position, from: offset, to, flaw };
    // Two terminators in a row are a habit of some senders, and no segment.
    offset = afterBlanks(text, end < 0 ? text.length : end + 1, terminator);
  }
}

function separatorsOf(text: string, offset: number): { element: string; terminator: string } | null {
  const element = text.charAt(offset + 3);
  if (!/^[^A-Za-z\d\s]$/.test(element)) return null;
  let last = offset + 2;
  for (let count = 0; count < headerElements; count++) {
    last = text.indexOf(element, last + 1);
    if (last < 0 || last - offset > maxHeaderLength) return null;
  }
  const terminator = text.charAt(last + 2);
  return /^[^A-Za-z\d ]$/.test(terminator) && terminator !== element ? { element, terminator } : null;
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
