/**
 * The arrivals of one calendar day at the place of arrival, `2026-04-15`. A shipment counts once: on the day of its ETA
 * until it arrives, then on the day on which it did.
 */
export type ArrivalDay = {
  day: string;
  /** Not arrived, with an ETA on this day. */
  expected: number;
  /** Of those, late by the rule of `isLate`. */
  late: number;
  /** Arrived on this day, archived ones too. */
  arrived: number;
};

/** Six weeks, as a page of a calendar has at most. */
export const maxArrivalDays = 42;
