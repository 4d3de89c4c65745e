import type { ClockKind } from '../events/stated-free-time.ts';
import type { CalendarBasis, ClockStart } from '../record/free-time.ts';

export const equipmentGroups = ['standard', 'reefer', 'tank', 'special'] as const;
/** Groups of ISO 6346 types: reefers (R, H), tanks (T, K), special (open top U, platform P, bulk B and others), rest. */
export type EquipmentGroup = (typeof equipmentGroups)[number];

/** From this chargeable day on (1 is the first day after the last free day), each day costs `amount`. */
export type RateStep = { fromDay: number; amount: number };

/**
 * One row of an account's free-time terms. Null in `carrier`, `place`, `country` or `equipment`: any. Of the rows that
 * match, the most specific counts: one with a carrier before one without, then place, country and equipment.
 */
export type FreeTimeTerm = {
  kind: ClockKind;
  carrier: string | null;
  /** UN/LOCODE of the terminal's place. */
  place: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  equipment: EquipmentGroup | null;
  freeDays: number;
  startEvent: ClockStart;
  /** Decides if the day of the start event is the first free day, or the day after it. */
  firstDay: 'same_day' | 'next_day';
  /** Days that count as free days. */
  counting: 'calendar' | 'working';
  /** Days after the last free day that are charged. */
  chargedDays: 'calendar' | 'working';
  /** The country whose weekends and public holidays `working` means. Null: those of `country`, otherwise of `place`. */
  calendarCountry: string | null;
  /** By `fromDay`, which begins at 1. Empty: the rates are not known. */
  rates: RateStep[];
  /** ISO 4217. Null if and only if there are no rates. */
  currency: string | null;
  /** First and last day on which a clock may start, `2026-01-01`. Null: open. */
  validFrom: string | null;
  validTo: string | null;
};

/** Rules of the free-time fold beside the events. `isWorkingDay`: by country (alpha-2) and day, `2026-04-15`. */
export type FreeTimeRules = {
  terms: readonly FreeTimeTerm[];
  isWorkingDay: (country: string, day: string) => boolean;
  /** Absent: no terms count working days. */
  calendarBasis?: (country: string, year: string) => CalendarBasis;
  /** Days before the last free day from which a clock is `expiring`. Default: 2. */
  nearDays: number;
};

/** No account terms: only what carriers, terminals and clients state counts. */
export const noFreeTimeRules: FreeTimeRules = { terms: [], isWorkingDay: () => true, nearDays: 2 };
