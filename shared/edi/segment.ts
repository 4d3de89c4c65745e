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
  flaw: 'cut_off' | 'too_long' | null;
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
