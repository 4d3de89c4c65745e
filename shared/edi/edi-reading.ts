import type { SentEventRow } from '#shared/domain/events-in/event-row.ts';

/**
 * What a fault did: what is refused has no events at all. `segment_left_out`: the message was taken without this
 * segment, because the standard makes the others independent of it. `note`: the message was taken whole.
 */
export const faultEffects = [
  'file_refused',
  'interchange_refused',
  'group_refused',
  'message_refused',
  'segment_left_out',
  'note',
] as const;
export type FaultEffect = (typeof faultEffects)[number];

/**
 * A mistake in a file. `segment` counts from 1: the segments of the message (its ST or UNH is 1), or of the file where
 * the mistake is in an envelope; lines in Cargo-IMP. `reason` is a sentence.
 */
export type EdiFault = {
  segment: number | null;
  tag: string | null;
  reason: string;
  effect: FaultEffect;
};

/** An event that a message states, with the segment that states it. */
export type EdiEvent = { segment: number; tag: string; row: Omit<SentEventRow, 'sourceName'> };

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

/** What a file says. `faults`: mistakes outside of every interchange. */
export type EdiReading = { interchanges: EdiInterchange[]; faults: EdiFault[] };

/** Messages and events of one file. */
export const maxMessages = 20_000;
export const maxEvents = 20_000;
/** Events of one message: it is recorded as a whole. */
export const maxEventsOfMessage = 1000;
export const maxSegmentsOfMessage = 10_000;

/** Whether nothing of the message is taken. */
export function isRefused({ faults }: Pick<EdiMessage, 'faults'>): boolean {
  return faults.some(({ effect }) => effect !== 'segment_left_out' && effect !== 'note');
}
