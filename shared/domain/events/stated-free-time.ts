export const holdTypes = ['customs', 'freight', 'terminal', 'agriculture', 'exam', 'line', 'other'] as const;
export type HoldType = (typeof holdTypes)[number];

export const holdStatuses = ['active', 'pending', 'released'] as const;
export type HoldStatus = (typeof holdStatuses)[number];

/** A hold as one event states it. Absent detail: the source gives no reason. */
export type StatedHold = { type: HoldType; status: HoldStatus; detail?: string };

/** A fee as one event states it. `amount` in units of `currency` (ISO 4217), `type` in the source's words. */
export type StatedFee = { type: string; amount: number; currency: string };

/** Kinds of clock that a last free day belongs to. */
export const clockKinds = ['demurrage', 'detention', 'combined'] as const;
export type ClockKind = (typeof clockKinds)[number];

/** The party that states a last free day. */
export const freeDayAuthorities = ['line', 'terminal'] as const;

/** True when a date can be a last free day. Other dates do not fit every store of days and the days around them. */
export function isBelievableDay(day: string): boolean {
  return day >= '1970-01-01' && day < '3000-01-01';
}

/** A last free day as one event states it: a calendar day at the terminal, `2026-04-15`. */
export type StatedFreeDay = { by: (typeof freeDayAuthorities)[number]; kind: ClockKind; day: string };

/** A last free day that a client set by hand. It overrides every other source. */
export type ManualFreeDay = { container: string; kind: ClockKind; day: string };
