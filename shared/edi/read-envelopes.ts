import type { EdiFault, FaultEffect } from '#shared/domain/events-in/edi-report.ts';
import {
  type EdiInterchange,
  type EdiMessage,
  type EdiReading,
  maxEvents,
  maxFaults,
  maxMessages,
  maxSegmentsOfMessage,
} from './edi-reading.ts';
import { part, type Segment } from './segment.ts';

export type Level = 'interchange' | 'group' | 'message';

/** How a standard opens and closes its envelopes. A closing segment has the count first and then the control number. */
export type Syntax = {
  opens: Readonly<Record<string, Level>>;
  closes: Readonly<Record<string, Level>>;
  /** Element of the control number in an opening segment. */
  controlAt: Readonly<Record<Level, number>>;
  /** Whether each message must stand in a group. */
  isGrouped: boolean;
  sender: (header: Segment) => { sender: string | null; receiver: string | null };
  /** Whether two control numbers are the same one. */
  sameControl: (left: string, right: string, level: Level) => boolean;
};

/** What encloses a message. `group` is the segment that opened its group. */
export type Envelopes = { interchange: Segment; group: Segment | null };

export type ReadMessage = (segments: readonly Segment[], within: Envelopes) => Omit<EdiMessage, 'group' | 'control'>;

type Open = { header: Segment; control: string; count: number; messages: EdiMessage[] };
type OpenMessage = {
  control: string;
  segments: Segment[];
  flaw: { segment: Segment; reason: string } | null;
  count: number;
};

const effects: Readonly<Record<Level, FaultEffect>> = {
  interchange: 'interchange_refused',
  group: 'group_refused',
  message: 'message_refused',
};

/** Characters between two chances for others to run. */
const stride = 32_768;

/**
 * Reads a file's interchanges, groups and messages. What has no matching end, a wrong count or another control number is
 * refused with everything in it. Yields now and then.
 */
export function* readEnvelopes(
  segments: Iterable<Segment>,
  syntax: Syntax,
  readMessage: ReadMessage,
): Generator<void, EdiReading> {
  const reading: EdiReading = { interchanges: [], faults: [] };
  let interchange: (Open & { to: EdiInterchange }) | null = null;
  let group: Open | null = null;
  let message: OpenMessage | null = null;
  let messages = 0;
  let events = 0;
  let faults = 0;
  let last: Segment | null = null;

  const refuse = (open: Open, level: Level, fault: Omit<EdiFault, 'effect'>): void => {
    const effect = effects[level];
    interchange?.to.faults.push({ ...fault, effect });
    for (const each of open.messages) {
      each.events = [];
      each.faults.push({ segment: null, tag: null, reason: `Its ${level} ${open.control} was refused.`, effect });
    }
  };
  const endMessage = (fault: Omit<EdiFault, 'effect'> | null): void => {
    if (message === null || interchange === null) return;
    const { control, segments: own, flaw } = message;
    const type = typeOf(own[0]);
    const found = flaw === null ? fault : { ...placed(flaw.segment, own[0]), reason: flaw.reason };
    const read: EdiMessage = {
      group: group?.control ?? null,
      control,
      ...(found === null
        ? readMessage(own, { interchange: interchange.header, group: group?.header ?? null })
        : { type, events: [], faults: [{ ...found, effect: 'message_refused' as const }] }),
    };
    events += read.events.length;
    faults += read.faults.length;
    interchange.to.messages.push(read);
    interchange.messages.push(read);
    group?.messages.push(read);
    message = null;
  };
  const endGroup = (fault: Omit<EdiFault, 'effect'> | null): void => {
    if (group !== null && fault !== null) refuse(group, 'group', fault);
    group = null;
  };
  const endInterchange = (fault: Omit<EdiFault, 'effect'> | null): void => {
    if (interchange !== null && fault !== null) refuse(interchange, 'interchange', fault);
    interchange = null;
  };
  /** Ends what is still open below a level. `by`: the segment that came instead of the end. */
  const cutOff = (level: Level, by: Segment | null): void => {
    const instead = by === null ? 'the file ends' : `${by.tag} follows`;
    if (message !== null) {
      const first = message.segments[0];
      const end = last ?? first;
      endMessage({ ...placed(end, first), reason: `The message is cut off: ${instead} before its end.` });
    }
    if (level === 'message') return;
    const place = { segment: by?.position ?? last?.position ?? null, tag: by?.tag ?? last?.tag ?? null };
    if (group !== null) endGroup({ ...place, reason: `Group ${group.control} is cut off: ${instead} before its end.` });
    if (level === 'group') return;
    if (interchange !== null)
      endInterchange({ ...place, reason: `Interchange ${interchange.control} is cut off: ${instead} before its end.` });
  };

  let paused = 0;
  for (const segment of segments) {
    if (segment.to - paused > stride) {
      paused = segment.to;
      yield;
    }
    const opened = syntax.opens[segment.tag];
    const closed = syntax.closes[segment.tag];
    if (opened !== undefined && segment.flaw === null) {
      cutOff(opened, segment);
      const control = part(segment, syntax.controlAt[opened]) ?? '';
      const fresh: Open = { header: segment, control, count: 0, messages: [] };
      if (opened === 'interchange') {
        const to: EdiInterchange = { control, ...syntax.sender(segment), messages: [], faults: [] };
        reading.interchanges.push(to);
        interchange = { ...fresh, to };
      } else if (interchange === null) {
        return outside(reading, segment, `${segment.tag} stands outside of an interchange.`);
      } else if (opened === 'group') {
        interchange.count += 1;
        group = fresh;
      } else {
        messages += 1;
        if (messages > maxMessages)
          return excess(`The file has more than ${maxMessages.toLocaleString('en')} messages. Send it in parts.`);
        if (group !== null) group.count += 1;
        else if (syntax.isGrouped) return outside(reading, segment, `${segment.tag} stands outside of a group.`);
        else interchange.count += 1;
        message = { control, segments: [segment], flaw: null, count: 1 };
      }
    } else if (interchange === null) {
      return outside(reading, segment, startReason(segment, syntax));
    } else if (closed === undefined || segment.flaw !== null) {
      if (message !== null) addTo(message, segment);
      else if (segment.flaw === null)
        refuse(interchange, 'interchange', { ...at(segment), reason: `${segment.tag} stands outside of a message.` });
    } else if (closed === 'message') {
      if (message === null) {
        refuse(interchange, 'interchange', {
          ...at(segment),
          reason: `${segment.tag} ends a message that none began.`,
        });
      } else {
        addTo(message, segment);
        endMessage(mismatch(segment, { level: 'message', control: message.control, count: message.count }, syntax));
      }
    } else {
      cutOff(closed === 'group' ? 'message' : 'group', segment);
      const open: Open | null = closed === 'group' ? group : interchange;
      const fault = open === null ? null : mismatch(segment, { level: closed, ...open }, syntax);
      if (closed === 'group') endGroup(fault);
      else endInterchange(fault);
    }
    if (events > maxEvents)
      return excess(`The file states more than ${maxEvents.toLocaleString('en')} events. Send it in parts.`);
    if (faults > maxFaults)
      return excess(`The file has more than ${maxFaults.toLocaleString('en')} mistakes. ${firstReason(reading)}`);
    last = segment;
  }
  cutOff('interchange', null);
  if (reading.interchanges.length === 0 && reading.faults.length === 0) return excess('The file has no segments.');
  return reading;
}

/** What is wrong with the first message that has a fault. */
function firstReason({ interchanges }: EdiReading): string {
  for (const { messages } of interchanges)
    for (const { control, faults } of messages)
      if (faults[0] !== undefined) return `The first is in message ${control}: ${faults[0].reason}`;
  return '';
}

function excess(reason: string): EdiReading {
  return { interchanges: [], faults: [{ segment: null, tag: null, reason, effect: 'file_refused' }] };
}

/** What stands outside of every interchange ends the reading: nothing after it can be relied on. */
function outside(reading: EdiReading, segment: Segment, reason: string): EdiReading {
  reading.faults.push({ ...at(segment), reason, effect: 'file_refused' });
  return { interchanges: [], faults: reading.faults };
}

function startReason(segment: Segment, syntax: Syntax): string {
  const [header] = Object.entries(syntax.opens).find(([, level]) => level === 'interchange') ?? ['the header'];
  if (segment.tag === header) return `${header} is cut off, or its separators cannot be told.`;
  return `An interchange must begin with ${header}.`;
}

function addTo(message: OpenMessage, segment: Segment): void {
  message.count += 1;
  if (segment.flaw !== null) {
    const reason =
      segment.flaw === 'cut_off' ? 'The segment is cut off.' : 'The segment has more than 8,192 characters.';
    message.flaw ??= { segment, reason };
  } else if (message.segments.length < maxSegmentsOfMessage) message.segments.push(segment);
  else {
    const reason = `The message has more than ${maxSegmentsOfMessage.toLocaleString('en')} segments.`;
    message.flaw ??= { segment, reason };
  }
}

function mismatch(
  end: Segment,
  open: { level: Level; control: string; count: number },
  { sameControl }: Syntax,
): Omit<EdiFault, 'effect'> | null {
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

function at(segment: Segment): { segment: number; tag: string } {
  return { segment: segment.position, tag: segment.tag.slice(0, 20) };
}

/** The place of a segment within its message. */
function placed(
  segment: Segment | undefined,
  first: Segment | undefined,
): { segment: number | null; tag: string | null } {
  if (segment === undefined || first === undefined) return { segment: null, tag: null };
  return { segment: segment.position - first.position + 1, tag: segment.tag.slice(0, 20) };
}

function typeOf(header: Segment | undefined): string {
  if (header === undefined) return '';
  return (header.tag === 'ST' ? part(header, 1) : part(header, 2)) ?? '';
}
