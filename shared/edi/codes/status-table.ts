import { entryOf } from '#shared/domain/entry-of.ts';
import type { Classifier, EventCode } from '#shared/domain/events/event.ts';
import type { StatedHold } from '#shared/domain/events/stated-free-time.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';

/** Meaning of a status code of a standard. */
export type StatusMeaning = {
  code: EventCode;
  /** The code for an empty container, where it differs. */
  empty?: EventCode;
  /** Default: actual. */
  classifier?: Classifier;
  holds?: readonly StatedHold[];
  /** The reason of the status, or the way in which the cargo was handed over. */
  detail?: StatusDetail;
  /** Its date is the last day of free time: nothing happened on it. */
  isFreeDay?: true;
  /** The standard's name of the code. */
  words: string;
};

export type StatusTable = Readonly<Record<string, StatusMeaning>>;

/** The meaning of a code. Null: the table doesn't have it. */
export function meaningOf(table: StatusTable, code: string): StatusMeaning | null {
  return entryOf(table, code) ?? null;
}

/**
 * Makes a table from rows of code, event code and name, separated by blanks: `AF picked_up Departed pickup location`. A
 * tilde before the event code: it is estimated; a plus sign: planned; a slash: the code for an empty container; an
 * exclamation mark: the status detail.
 */
export function statusTable(rows: string): Record<string, StatusMeaning> {
  const table: Record<string, StatusMeaning> = {};
  for (const row of rows.trim().split('\n')) {
    const [, key = '', sign = '', code = '', empty, detail, words = ''] =
      /^\s*(\S+) ([~+]?)([a-z_]+)(?:\/([a-z_]+))?(?:!([a-z_]+))? (.+)$/.exec(row) ?? [];
    table[key] = {
      code: code as EventCode,
      ...(empty === undefined ? {} : { empty: empty as EventCode }),
      ...(detail === undefined ? {} : { detail: detail as StatusDetail }),
      ...(sign === '' ? {} : { classifier: sign === '~' ? ('estimated' as const) : ('planned' as const) }),
      words: words.trim(),
    };
  }
  return table;
}

export function held(type: StatedHold['type'], status: StatedHold['status'] = 'active'): readonly StatedHold[] {
  return [{ type, status }];
}

/**
 * The meaning of a code, also of one that the table doesn't have: that is kept as information. `unlisted`: a sentence for
 * the report of the file. Null: the table has it.
 */
export function meaningOrOther(
  table: StatusTable,
  code: string,
  list: string,
): { meaning: StatusMeaning; unlisted: string | null } {
  const meaning = meaningOf(table, code);
  if (meaning !== null) return { meaning, unlisted: null };
  const unlisted = `${code} is not a ${list} known to Landfall. It is kept as information.`;
  return { meaning: { code: 'other', words: `${list[0]?.toUpperCase()}${list.slice(1)} ${code}` }, unlisted };
}

/** The status detail of a meaning as an event has it. */
export function detailsOf({ detail }: StatusMeaning): { details?: { statusDetail: StatusDetail } } {
  return detail === undefined ? {} : { details: { statusDetail: detail } };
}
