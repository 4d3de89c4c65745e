import type { Classifier, EventCode } from '#shared/domain/events/event.ts';
import type { StatedHold } from '#shared/domain/events/stated-free-time.ts';

/** Meaning of a status code of a standard. */
export type StatusMeaning = {
  code: EventCode;
  /** The code for an empty container, where it differs. */
  empty?: EventCode;
  /** Default: actual. */
  classifier?: Classifier;
  holds?: readonly StatedHold[];
  /** Its date is the last day of free time: nothing happened on it. */
  isFreeDay?: true;
  /** The standard's name of the code. */
  words: string;
};

export type StatusTable = Readonly<Record<string, StatusMeaning>>;

/** The meaning of a code. Null: the table doesn't have it. */
export function meaningOf(table: StatusTable, code: string): StatusMeaning | null {
  return Object.hasOwn(table, code) ? (table[code] ?? null) : null;
}

/**
 * Makes a table from rows of code, event code and name, separated by blanks: `AF picked_up Departed pickup location`. A
 * tilde before the event code: it is estimated; a plus sign: planned; a slash: the code for an empty container.
 */
export function statusTable(rows: string): Record<string, StatusMeaning> {
  const table: Record<string, StatusMeaning> = {};
  for (const row of rows.trim().split('\n')) {
    const [, key = '', sign = '', code = '', empty, words = ''] =
      /^\s*(\S+) ([~+]?)([a-z_]+)(?:\/([a-z_]+))? (.+)$/.exec(row) ?? [];
    table[key] = {
      code: code as EventCode,
      ...(empty === undefined ? {} : { empty: empty as EventCode }),
      ...(sign === '' ? {} : { classifier: sign === '~' ? ('estimated' as const) : ('planned' as const) }),
      words: words.trim(),
    };
  }
  return table;
}

export function held(type: StatedHold['type'], status: StatedHold['status'] = 'active'): readonly StatedHold[] {
  return [{ type, status }];
}
