import type { EdiFault } from '#shared/domain/events-in/edi-report.ts';
import type { SentEventRow } from '#shared/domain/events-in/event-row.ts';

/**
 * An event that a message states, with the segment that states it. `isMain`: the rest of the message depends on it, so
 * its mistakes refuse the whole message.
 */
export type EdiEvent = { segment: number; tag: string; isMain: boolean; row: Omit<SentEventRow, 'sourceName'> };

/** `control`: its control number, of a Cargo-IMP message the air waybill. `type`: `315`, `IFTSTA`, `FSU`. */
export type EdiMessage = {
  type: string;
  control: string;
  group: string | null;
  events: EdiEvent[];
  faults: EdiFault[];
};

/** `sender` and `receiver`: their ids in the header. Null: the format has none. */
export type EdiInterchange = {
  control: string | null;
  sender: string | null;
  receiver: string | null;
  messages: EdiMessage[];
  /** Mistakes in its envelope. */
  faults: EdiFault[];
};

/** Content of a file. `faults`: the reasons why none of it can be read. */
export type EdiReading = { interchanges: EdiInterchange[]; faults: EdiFault[] };

/** Messages (and interchanges) and events of one file. */
export const maxMessages = 20_000;
export const maxEvents = 20_000;
/** Mistakes of one file: with more, it is something else. */
export const maxFaults = 10_000;
/** Events of one message: it is recorded as a whole. */
export const maxEventsOfMessage = 1000;
export const maxSegmentsOfMessage = 10_000;

/** True when no part of the message is taken. */
export function isRefused({ faults }: Pick<EdiMessage, 'faults'>): boolean {
  return faults.some(({ effect }) => effect !== 'segment_left_out' && effect !== 'note');
}

/** The message as it is taken: without any event if it is refused, or if none of its statuses could be read. */
export function settleMessage<Message extends Pick<EdiMessage, 'events' | 'faults'>>(message: Message): Message {
  const { events, faults } = message;
  if (events.length > 0 && !isRefused(message)) return message;
  const refused = faults.map(
    (fault): EdiFault => (fault.effect === 'segment_left_out' ? { ...fault, effect: 'message_refused' } : fault),
  );
  return { ...message, events: [], faults: refused };
}
