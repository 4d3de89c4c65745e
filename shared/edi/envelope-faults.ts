import type { EdiFault } from '#shared/domain/events-in/edi-report.ts';
import type { EdiReading } from './edi-reading.ts';
import { part, type Segment } from './segment.ts';

export type Level = 'interchange' | 'group' | 'message';

/**
 * Segments with which a standard opens and closes its envelopes. A closing segment has the count first and then the
 * control number.
 */
export type Syntax = {
  opens: Readonly<Record<string, Level>>;
  closes: Readonly<Record<string, Level>>;
  /** Element of the control number in an opening segment. */
  controlAt: Readonly<Record<Level, number>>;
  /** True when each message must be in a group. */
  isGrouped: boolean;
  sender: (header: Segment) => { sender: string | null; receiver: string | null };
  /** Returns whether two control numbers are equal. */
  sameControl: (left: string, right: string, level: Level) => boolean;
};

/** A fault whose level decides its effect. */
export type FaultAt = Omit<EdiFault, 'effect'>;

/** Returns the fault of the first message that has one. */
export function firstReason({ interchanges }: EdiReading): string {
  for (const { messages } of interchanges)
    for (const { control, faults } of messages)
      if (faults[0] !== undefined) return `The first is in message ${control}: ${faults[0].reason}`;
  return '';
}

/** The reading of a file that is refused as a whole. */
export function excess(reason: string): EdiReading {
  return { interchanges: [], faults: [{ segment: null, tag: null, reason, effect: 'file_refused' }] };
}

/** Ends the reading at a segment outside of every interchange: nothing after it can be relied on. */
export function outside(reading: EdiReading, segment: Segment, reason: string): EdiReading {
  reading.faults.push({ ...at(segment), reason, effect: 'file_refused' });
  return { interchanges: [], faults: reading.faults };
}

/** The interchange's header is the first of the openings. */
export function startReason(segment: Segment, syntax: Syntax): string {
  const [header = ''] = Object.keys(syntax.opens);
  if (segment.tag === header) return `${header} is cut off, or its separators are unknown.`;
  return `An interchange must begin with ${header}.`;
}

/** Returns the reason why an end doesn't fit its beginning, or null. */
export function mismatch(
  end: Segment,
  open: { level: Level; control: string; count: number },
  { sameControl }: Syntax,
): FaultAt | null {
  const { level, control, count } = open;
  const place = level === 'message' ? { segment: count, tag: end.tag } : at(end);
  const [written, number] = [part(end, 1), part(end, 2)];
  if (number === null || !sameControl(control, number, level))
    return {
      ...place,
      reason: `${end.tag} has control number ${number ?? '(none)'}, but the ${level} began with ${control || '(none)'}.`,
    };
  const counted = level === 'message' ? 'segments' : level === 'group' ? 'messages' : 'groups or messages';
  if (written === null || !/^\d{1,10}$/.test(written) || Number(written) !== count)
    return { ...place, reason: `${end.tag} counts ${written ?? 'no'} ${counted}, but the ${level} has ${count}.` };
  return null;
}

/** The place of a segment in its file. */
export function at(segment: Segment): { segment: number; tag: string } {
  return { segment: segment.position, tag: segment.tag.slice(0, 20) };
}

/** The place of a segment within its message. */
export function placed(
  segment: Segment | undefined,
  first: Segment | undefined,
): { segment: number | null; tag: string | null } {
  if (segment === undefined || first === undefined) return { segment: null, tag: null };
  return { segment: segment.position - first.position + 1, tag: segment.tag.slice(0, 20) };
}

/** The type of a message by its header. */
export function typeOf(header: Segment | undefined): string {
  if (header === undefined) return '';
  return (header.tag === 'ST' ? part(header, 1) : part(header, 2)) ?? '';
}
