import { cutText } from '#shared/domain/cut-text.ts';
import type { Classifier, EventCode } from '#shared/domain/events/event.ts';
import type { StatedFreeDay, StatedHold } from '#shared/domain/events/stated-free-time.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { EdiFault } from '#shared/domain/events-in/edi-report.ts';
import type { EventTarget, SentEventRow, SentVehicle } from '#shared/domain/events-in/event-row.ts';
import { readEdiPlace, type WrittenPlace } from './edi-place.ts';
import { type EdiEvent, type EdiMessage, isRefused, maxEventsOfMessage, settleMessage } from './edi-reading.ts';
import { type EdiDigits, type EdiZone, readEdiTime } from './edi-time.ts';
import type { Segment } from './segment.ts';
import { isSegmentTag } from './segment-directory.ts';

/** Context of a reader beside the segments of its message. `text` is the whole file, which the offsets are about. */
export type MessageSource = {
  text: string;
  format: 'x12' | 'edifact' | 'cargo_imp';
  interchange: string | null;
  control: string;
  /** When the message was made. Null: its header doesn't say. */
  createdAt: string | null;
};

/** An event as a message states it. */
export type DraftEvent = {
  /** Null: the sender only states holds, a last free day or the like. */
  code: EventCode | null;
  classifier: Classifier;
  digits: EdiDigits;
  /** The zone of its time, once the place's own is known (null: it isn't). */
  zone: (placeTimezone: string | null) => EdiZone;
  place: WrittenPlace | null;
  targets: readonly EventTarget[];
  container?: string | null;
  piece?: string | null;
  mode?: TransportMode | null;
  vehicle?: Omit<SentVehicle, 'position'> | null;
  holds?: readonly StatedHold[];
  freeDays?: readonly StatedFreeDay[];
  details?: NonNullable<SentEventRow['details']>;
  /** Of an expected delivery: when its window begins. */
  windowFrom?: EdiDigits | null;
  empty?: boolean;
  seals?: readonly string[];
  statusCode: string;
  /** A sentence that names the list without the code. The status is kept as information. */
  unlisted?: string | null;
  words: string | null;
  description?: string | null;
  /** The segments that it was read from: the first states the status, and stands for them in faults. */
  from: Segment;
  to: Segment;
  /** Its mistakes refuse the whole message: what else the message says depends on it. */
  isMain?: boolean;
};

export type MessageDraft = {
  /** Notes a fault. False: nothing was taken. */
  fault: (segment: Segment, reason: string, effect: EdiFault['effect']) => false;
  /** Returns whether the event was taken. Otherwise its mistake is a fault of its first segment. */
  add: (event: DraftEvent) => boolean;
  end: () => Omit<EdiMessage, 'group' | 'control'>;
};

/** Mistakes of one message that are listed. */
const maxFaultsOfMessage = 100;
/** Characters of a message that are kept with each of its events as they came. */
const maxKeptText = 4096;

/** Collects what a message states. A message of which no status could be taken is refused. */
export function draftMessage(type: string, segments: readonly Segment[], source: MessageSource): MessageDraft {
  const first = segments[0];
  const events: EdiEvent[] = [];
  const faults: EdiFault[] = [];
  const placeOf = (segment: Segment) => ({
    segment: segment.position - (first?.position ?? 1) + 1,
    tag: segment.tag.slice(0, 20),
  });
  const fault: MessageDraft['fault'] = (segment, reason, effect) => {
    if (faults.length < maxFaultsOfMessage || effect === 'message_refused')
      faults.push({ ...placeOf(segment), reason, effect });
    return false;
  };
  const add: MessageDraft['add'] = (event) => {
    if (events.length > maxEventsOfMessage) return false;
    const effect = event.isMain === true ? 'message_refused' : 'segment_left_out';
    const refuse = (reason: string) => fault(event.from, reason, effect);
    const place = event.place === null ? { place: null, timezone: null, note: null } : readEdiPlace(event.place);
    if ('reason' in place) return refuse(place.reason);
    const read = readEdiTime(event.digits, event.zone(place.timezone), place.timezone);
    if ('reason' in read) return refuse(read.reason);
    if (place.note !== null) fault(event.from, place.note, 'note');
    if (event.unlisted != null) fault(event.from, event.unlisted, 'note');
    const from =
      event.windowFrom == null ? null : readEdiTime(event.windowFrom, event.zone(place.timezone), place.timezone);
    const row: Omit<SentEventRow, 'sourceName'> = {
      targets: event.targets,
      externalId: null,
      createdAt: source.createdAt,
      code: event.code,
      classifier: classifierOf(event, source),
      time: read.time,
      location: place.place,
      container: event.container ?? null,
      piece: event.piece ?? null,
      vehicle: event.vehicle == null ? null : { ...event.vehicle, position: null },
      transportMode: event.mode ?? null,
      holds: event.holds ?? [],
      freeDays: event.freeDays ?? [],
      fees: [],
      available: null,
      description: event.description ?? null,
      sourceCode: event.statusCode,
      ...(event.details === undefined ? {} : { details: event.details }),
      ...(from !== null && 'time' in from ? { windowFrom: from.time } : {}),
      ...(event.empty === undefined ? {} : { empty: event.empty }),
      ...(event.seals === undefined ? {} : { seals: event.seals }),
      ...(event.words === null ? {} : { sourceWords: cutText(event.words, 500) }),
      raw: rawOf(segments, event, source),
    };
    events.push({ ...placeOf(event.from), isMain: event.isMain === true, row });
    return true;
  };
  const end: MessageDraft['end'] = () => {
    const spoilt = isRefused({ faults }) ? [] : segments.filter(({ tag }) => !isSegmentTag(source.format, tag));
    for (const segment of spoilt)
      fault(segment, `${segment.tag.slice(0, 20) || 'It'} is not a segment of the standard.`, 'segment_left_out');
    if (events.length > maxEventsOfMessage && first !== undefined)
      fault(
        first,
        `The message states more than ${maxEventsOfMessage.toLocaleString('en')} events.`,
        'message_refused',
      );
    if (events.length === 0 && faults.length === 0 && first !== undefined)
      fault(first, 'The message states no status.', 'message_refused');
    return settleMessage({ type, events, faults });
  };
  return { fault, add, end };
}

/** A code that no list has may be about something to come: it is where its day is after that of the message. */
function classifierOf({ classifier, unlisted, digits }: DraftEvent, { createdAt }: MessageSource): Classifier {
  const day = createdAt?.slice(0, 10).replaceAll('-', '') ?? null;
  const isAhead = unlisted != null && day !== null && digits.date.slice(-6) > day.slice(-6);
  return isAhead ? 'planned' : classifier;
}

/** The text of the message; of a long one what stands before its first status, and the segments of this one. */
function rawOf(segments: readonly Segment[], { from, to }: DraftEvent, source: MessageSource): unknown {
  const { text, format, interchange, control } = source;
  const [start, end] = [segments[0]?.from ?? 0, (segments.at(-1)?.to ?? 0) + 1];
  const kept =
    end - start <= maxKeptText
      ? text.slice(start, end)
      : `${text.slice(start, start + maxKeptText / 2)} … ${text.slice(from.from, Math.min(to.to + 1, from.from + maxKeptText / 2))}`;
  return { format, interchange, message: control, text: kept.trimEnd() };
}
