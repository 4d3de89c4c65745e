import { dedupeText, revisionText } from '../events/dedupe.ts';
import type { ReadEvent, TrackingEvent } from '../events/event.ts';
import { compareText } from '../events/event-order.ts';
import type { EventOutcome } from './event-row.ts';

/** A statement with the id that it gets if it is new. Ids ascend in the order of arrival. */
export type Statement = { id: string; event: ReadEvent };

export type StatementPlan = {
  /** New rows in the order of arrival. */
  inserts: { id: string; event: ReadEvent; dedupeText: string; supersededBy: string | null }[];
  /** Stored rows whose successor changes. Null: they count again. */
  superseded: { id: string; supersededBy: string | null }[];
  /** Outcome of each statement, in their order, with the row that has it. */
  outcomes: { outcome: Exclude<EventOutcome, 'position_updated'>; eventId: string }[];
};

type Row = {
  id: string;
  event: Omit<ReadEvent, 'raw'>;
  /** When it was stated, or else received (ms). */
  statedMs: number;
  isVoided: boolean;
  supersededBy: string | null;
};

/** The connector family of what a source pushes: part of each dedupe text. */
export function familyOfSource(sourceName: string): string {
  return `client:${sourceName}`;
}

/**
 * Decides what statements of one source add to its stored events, and which of them count. Which ones count follows
 * from the set of statements alone, whatever order they came in:
 *
 * - Statements with one external id are versions of one event. The latest one counts; if that was voided, none does.
 * - Of several plans or estimates of the same thing, the latest that was not voided counts.
 * - A statement is later than another if it was made later: at its `sourceCreatedAt`, or else when it was received.
 *
 * The same statement again, also one that was voided or replaced, adds nothing.
 */
export function planStatements(
  stored: readonly TrackingEvent[],
  statements: readonly Statement[],
  { sourceName, receivedAt }: { sourceName: string; receivedAt: string },
): StatementPlan {
  const family = familyOfSource(sourceName);
  const rows: Row[] = stored.map((event) => ({
    id: event.id,
    event,
    statedMs: Date.parse(event.sourceCreatedAt ?? event.receivedAt),
    isVoided: event.voidedAt !== null,
    supersededBy: event.supersededBy,
  }));
  const known = new Map(stored.map((event, place) => [dedupeText(event, family), rows[place] as Row]));
  const fresh: { row: Row; text: string; event: ReadEvent }[] = [];
  const answers = statements.map(({ id, event }) => {
    const text = dedupeText(event, family);
    const same = known.get(text);
    if (same !== undefined) return { row: same, isNew: false };
    const statedMs = Date.parse(event.sourceCreatedAt ?? receivedAt);
    const row: Row = { id, event, statedMs, isVoided: false, supersededBy: null };
    known.set(text, row);
    rows.push(row);
    fresh.push({ row, text, event });
    return { row, isNew: true };
  });
  const successors = findSuccessors(rows, family);
  const idsWithVersions = new Set<string>();
  for (const event of stored) if (event.sourceEventId !== null) idsWithVersions.add(event.sourceEventId);
  const outcomes = answers.map(({ row, isNew }): StatementPlan['outcomes'][number] => {
    const versionOf = row.event.sourceEventId;
    const isVersion = isNew && versionOf !== null && idsWithVersions.has(versionOf);
    if (isNew && versionOf !== null) idsWithVersions.add(versionOf);
    const eventId = row.id;
    if (row.isVoided) return { outcome: 'voided', eventId };
    if (successors.get(row) !== undefined) return { outcome: 'outdated', eventId };
    return { outcome: isVersion ? 'replaced' : isNew ? 'added' : 'unchanged', eventId };
  });
  return {
    inserts: fresh.map(({ row, text, event }) => ({
      id: row.id,
      event,
      dedupeText: text,
      supersededBy: successors.get(row)?.id ?? null,
    })),
    superseded: changedSuccessors(rows.slice(0, stored.length), successors),
    outcomes,
  };
}

/** Finds the stored events of a source that count otherwise once some of them are voided. */
export function planVoided(
  stored: readonly TrackingEvent[],
  sourceName: string,
): { id: string; supersededBy: string | null }[] {
  return planStatements(stored, [], { sourceName, receivedAt: '' }).superseded;
}

function findSuccessors(rows: readonly Row[], family: string): Map<Row, Row> {
  const successors = new Map<Row, Row>();
  const heads: Row[] = [];
  for (const versions of Map.groupBy(rows, ({ event }) => identityOf(event, family)).values()) {
    const head = latestOf(versions);
    heads.push(head);
    for (const row of versions) if (row !== head) successors.set(row, head);
  }
  const expected = heads.filter(({ event, isVoided }) => event.classifier !== 'actual' && !isVoided);
  for (const about of Map.groupBy(expected, ({ event }) => revisionText(event, family)).values()) {
    const current = latestOf(about);
    for (const row of about) if (row !== current) successors.set(row, current);
  }
  return successors;
}

/**
 * Returns the identity that makes two statements versions of one event. Without an external id, it is all their content
 * except the time of the statement.
 */
function identityOf(event: Row['event'], family: string): string {
  return event.sourceEventId === null
    ? `says ${dedupeText({ ...event, sourceCreatedAt: null }, family)}`
    : `is ${event.sourceEventId}`;
}

function latestOf(rows: readonly Row[]): Row {
  return rows.reduce((latest, row) => (isLater(row, latest) ? row : latest));
}

/** Ids are UUIDv7: where two were stated in the same millisecond, the one that arrived later is later. */
function isLater(left: Row, right: Row): boolean {
  return (left.statedMs - right.statedMs || compareText(left.id, right.id)) > 0;
}

function changedSuccessors(rows: readonly Row[], successors: ReadonlyMap<Row, Row>): StatementPlan['superseded'] {
  return rows.flatMap((row) => {
    const supersededBy = successors.get(row)?.id ?? null;
    return supersededBy === row.supersededBy ? [] : [{ id: row.id, supersededBy }];
  });
}
