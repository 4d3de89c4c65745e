import type { RecordedRow } from './event-row.ts';

/** The formats of messages in. */
export const ediFormats = ['x12', 'edifact', 'cargo_imp'] as const;
export type EdiFormat = (typeof ediFormats)[number];

/**
 * Effect of a fault: a refused message or file has no events at all. `segment_left_out`: the message was taken without
 * this segment, because the standard makes the others independent of it. `note`: the segment was taken, but not all of
 * it.
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

/**
 * Outcome of a message. `taken`: all that it states was recorded, or known. `partly_taken`: without the segments in its
 * faults. `no_shipment`: the account tracks none that it names. `refused`: it has a mistake, and nothing of it was
 * recorded.
 */
export const ediOutcomes = ['taken', 'partly_taken', 'no_shipment', 'refused'] as const;
export type EdiOutcome = (typeof ediOutcomes)[number];

export type ReportedMessage = {
  type: string;
  /** Its control number; of a Cargo-IMP message the air waybill. */
  control: string;
  group: string | null;
  outcome: EdiOutcome;
  /** Recorded events, by the segment that states them. */
  events: { segment: number; tag: string; shipments: readonly RecordedRow[] }[];
  faults: EdiFault[];
};

export type ReportedInterchange = {
  control: string | null;
  sender: string | null;
  receiver: string | null;
  /** Under which name its events are recorded. */
  sourceName: string;
  messages: ReportedMessage[];
  /** Mistakes in its envelope. */
  faults: EdiFault[];
};

/** Outcome of a file. */
export type EdiReport = { interchanges: ReportedInterchange[] };
