import { undecodable } from '#shared/domain/events-in/undecodable.ts';

/**
 * One segment of a file. `elements` without the tag, each as its components. `position` counts the segments of the
 * file from 1, `from` and `to` are the offsets of its text without the terminator. `flaw`: it could not be read.
 */
export type Segment = {
  tag: string;
  elements: readonly (readonly string[])[];
  position: number;
  from: number;
  to: number;
  flaw: 'cut_off' | 'too_long' | 'undecodable' | null;
};

/** Characters of one segment. The longest that the standards allow (an FTX of EDIFACT) has about 2,600. */
export const maxSegmentLength = 8192;
/** Elements of one segment and components of one element: more are not looked at. No segment that is read has 30. */
export const maxElements = 100;

/** The component of an element, both from 1, without blanks around it. Null: it is empty or missing. */
export function part(segment: Segment, element: number, component = 1): string | null {
  const text = segment.elements[element - 1]?.[component - 1]?.trim() ?? '';
  return text === '' ? null : text;
}

/** The text without line breaks. They are in no repertoire of X12 or of ISO 9735 levels A to C: transports wrap lines. */
export function withoutBreaks(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
}

/** The first offset from here that is not a line break. */
export function afterBreaks(text: string, offset: number): number {
  let next = offset;
  while (text.charAt(next) === '\n' || text.charAt(next) === '\r') next += 1;
  return next;
}

/** True when these letters are at the offset, also if a line break divides them. */
export function standsAt(text: string, offset: number, letters: string): boolean {
  let next = offset;
  for (const letter of letters) {
    next = afterBreaks(text, next);
    if (text.charAt(next) !== letter) return false;
    next += 1;
  }
  return true;
}

/** Returns the mistake in the text of a segment. `isOpen`: its terminator is missing. */
export function flawOf(written: string, length: number, isOpen: boolean): Segment['flaw'] {
  if (length > maxSegmentLength) return 'too_long';
  if (isOpen) return 'cut_off';
  return written.includes(undecodable) ? 'undecodable' : null;
}
