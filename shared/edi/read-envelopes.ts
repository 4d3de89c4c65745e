import { entryOf } from '#shared/domain/entry-of.ts';
import type { FaultEffect } from '#shared/domain/events-in/edi-report.ts';
import {
  type EdiInterchange,
  type EdiMessage,
  type EdiReading,
  maxEvents,
  maxFaults,
  maxMessages,
  maxSegmentsOfMessage,
} from './edi-reading.ts';
import {
  at,
  excess,
  type FaultAt,
  firstReason,
  type Level,
  mismatch,
  outside,
  placed,
  type Syntax,
  startReason,
  typeOf,
} from './envelope-faults.ts';
import { part, type Segment } from './segment.ts';

/** Envelopes of a message. `group` is the segment that opened its group. */
export type Envelopes = { interchange: Segment; group: Segment | null };

export type ReadMessage = (segments: readonly Segment[], within: Envelopes) => Omit<EdiMessage, 'group' | 'control'>;

/** `refused`: how many of its messages are refused with it. Null: it is not refused so far. */
type Open = { header: Segment; control: string; count: number; messages: EdiMessage[]; refused: number | null };
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

const flawReasons: Readonly<Record<NonNullable<Segment['flaw']>, string>> = {
  cut_off: 'The segment is cut off.',
  too_long: 'The segment has more than 8,192 characters.',
  undecodable: 'The segment has bytes that are not in the character set of its interchange.',
};

/** Characters between two chances for others to run. */
const stride = 32_768;

/**
 * Reads a file's interchanges, groups and messages. What has no matching end, a wrong count or another control number is
 * refused with everything in it. Yields each message that has ended, which its envelopes may still refuse, and undefined
 * now and then.
 */
export function* readEnvelopes(
  segments: Iterable<Segment>,
  syntax: Syntax,
  readMessage: ReadMessage,
): Generator<EdiMessage | undefined, EdiReading> {
  const reading: EdiReading = { interchanges: [], faults: [] };
  let interchange: (Open & { to: EdiInterchange }) | null = null;
  let group: Open | null = null;
  let message: OpenMessage | null = null;
  let messages = 0;
  let events = 0;
  let faults = 0;
  let last: Segment | null = null;
  let ended: EdiMessage[] = [];

  const refuse = (open: Open, level: Level, fault: FaultAt): void => {
    interchange?.to.faults.push({ ...fault, effect: effects[level] });
    faults += 1;
    refuseMessages(open, level);
  };
  /** Refuses the messages added since the last call: a file may have a mistake in each of its segments. */
  const refuseMessages = (open: Open, level: Level): void => {
    const effect = effects[level];
    for (const each of open.messages.slice(open.refused ?? 0)) {
      each.events = [];
      each.faults.push({ segment: null, tag: null, reason: `Its ${level} ${open.control} was refused.`, effect });
    }
    open.refused = open.messages.length;
  };
  const endMessage = (fault: FaultAt | null): void => {
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
    interchange.messages.push(read);
    group?.messages.push(read);
    ended.push(read);
    message = null;
  };
  const end = (level: 'group' | 'interchange', fault: FaultAt | null): void => {
    const open = level === 'group' ? group : interchange;
    if (open !== null && fault !== null) refuse(open, level, fault);
    else if (open !== null && open.refused !== null) refuseMessages(open, level);
    if (level === 'group') group = null;
    else interchange = null;
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
    if (group !== null)
      end('group', { ...place, reason: `Group ${group.control} is cut off: ${instead} before its end.` });
    if (level === 'group') return;
    if (interchange !== null)
      end('interchange', {
        ...place,
        reason: `Interchange ${interchange.control} is cut off: ${instead} before its end.`,
      });
  };

  let paused = 0;
  for (const segment of segments) {
    if (segment.to - paused > stride) {
      paused = segment.to;
      yield;
    }
    const opened = entryOf(syntax.opens, segment.tag);
    const closed = entryOf(syntax.closes, segment.tag);
    const isWhole = segment.flaw === null || segment.flaw === 'undecodable';
    if (opened !== undefined && isWhole) {
      cutOff(opened, segment);
      const control = part(segment, syntax.controlAt[opened]) ?? '';
      const fresh: Open = { header: segment, control, count: 0, messages: [], refused: null };
      if (opened === 'interchange') {
        if (reading.interchanges.length >= maxMessages)
          return excess(`The file has more than ${maxMessages.toLocaleString('en')} interchanges. Send it in parts.`);
        const to: EdiInterchange = { control, ...syntax.sender(segment), messages: [], faults: [] };
        reading.interchanges.push(to);
        interchange = { ...fresh, messages: to.messages, to };
      } else if (interchange === null) {
        return outside(reading, segment, `${segment.tag} is outside of an interchange.`);
      } else if (opened === 'group') {
        interchange.count += 1;
        group = fresh;
      } else {
        messages += 1;
        if (messages > maxMessages)
          return excess(`The file has more than ${maxMessages.toLocaleString('en')} messages. Send it in parts.`);
        if (group !== null) group.count += 1;
        else if (syntax.isGrouped) return outside(reading, segment, `${segment.tag} is outside of a group.`);
        else interchange.count += 1;
        message = { control, segments: [segment], flaw: null, count: 1 };
      }
    } else if (interchange === null) {
      return outside(reading, segment, startReason(segment, syntax));
    } else if (closed === undefined || !isWhole) {
      if (message !== null) addTo(message, segment);
      else if (isWhole)
        refuse(interchange, 'interchange', { ...at(segment), reason: `${segment.tag} is outside of a message.` });
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
      end(closed, fault);
    }
    if (events > maxEvents)
      return excess(`The file states more than ${maxEvents.toLocaleString('en')} events. Send it in parts.`);
    if (faults > maxFaults)
      return excess(`The file has more than ${maxFaults.toLocaleString('en')} mistakes. ${firstReason(reading)}`);
    last = segment;
    if (ended.length === 0) continue;
    yield* ended;
    ended = [];
  }
  cutOff('interchange', null);
  yield* ended;
  if (reading.interchanges.length === 0 && reading.faults.length === 0) return excess('The file has no segments.');
  return reading;
}

function addTo(message: OpenMessage, segment: Segment): void {
  message.count += 1;
  if (segment.flaw !== null) {
    message.flaw ??= { segment, reason: flawReasons[segment.flaw] };
  } else if (message.segments.length < maxSegmentsOfMessage) message.segments.push(segment);
  else {
    const reason = `The message has more than ${maxSegmentsOfMessage.toLocaleString('en')} segments.`;
    message.flaw ??= { segment, reason };
  }
}
