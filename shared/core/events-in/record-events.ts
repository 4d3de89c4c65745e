import { createYield } from '#shared/async/yield-event-loop.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { joinDetails, LandfallError } from '#shared/domain/errors.ts';
import type { EventRowResult, RecordedRow, SentEventRow } from '#shared/domain/events-in/event-row.ts';
import { type RowError, toRowError } from '#shared/domain/registration/storable-error.ts';
import { keepPositions } from '#shared/store/positions/vehicle-positions.ts';
import { readTime, type Tx, withAccountByKey } from '#shared/store/with-account.ts';
import { writePushes } from '../carrier-subscriptions/write-pushes.ts';
import type { CoreContext } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { findAnswers, keepAnswers } from '../registration/idempotency.ts';
import { retryLostRaces } from '../retry-lost-races.ts';
import { composeStatements, type PlacedRow } from './compose-statements.ts';
import { lockWithEvents } from './lock-with-events.ts';
import { type ReadRow, readEventRow } from './read-event-row.ts';
import { type ResolvedTargets, resolveTargets } from './resolve-targets.ts';

export type RecordedEvents = { replayed: boolean; results: EventRowResult[] };

/** Shipments of one transaction: their rows stay locked while it runs, and refreshes of them wait. */
export const maxShipments = 50;

/**
 * Records rows that sources pushed, in the shipments of the account that they name: one result for each row, in order.
 * A row that fails doesn't affect the others. Shipments are recorded in groups, each group in a transaction, so that
 * many rows lock nothing for long. The same rows again change nothing, so a call that was cut off is completed by
 * repeating it. Throws LandfallError `idempotency_in_progress`, `idempotency_mismatch`, `unavailable`.
 */
export async function recordEvents(
  ctx: CoreContext,
  caller: Caller,
  { rows }: { rows: readonly SentEventRow[] },
): Promise<RecordedEvents> {
  const startedAt = performance.now();
  const { accountId } = caller;
  const { targets, nowMs, earlier } = await withAccountByKey(ctx.store, accountId, async (tx) => {
    const kept = await findKept(tx, caller);
    if (kept !== null) return { targets: [], nowMs: 0, earlier: kept };
    const found = await resolveTargets(
      tx,
      caller,
      rows.map((row) => row.targets),
    );
    return { targets: found, nowMs: (await readTime(tx)).getTime(), earlier: null };
  });
  if (earlier !== null) return { replayed: true, results: earlier };

  const { byShipment, failed } = await readRows(rows, { targets, nowMs });
  const recorded: Recorded = { outcomes: rows.map(() => []), failed };
  const shipmentIds = [...byShipment.keys()].sort();
  for (let start = 0; start < shipmentIds.length; start += maxShipments) {
    const chunk = shipmentIds.slice(start, start + maxShipments).map((id) => [id, byShipment.get(id) ?? []] as const);
    const isLast = start + maxShipments >= shipmentIds.length;
    const kept = await recordChunk(ctx, caller, { chunk, recorded, isLast, startedAt });
    if (kept !== null) return { replayed: true, results: kept };
  }
  const results = resultsOf(recorded);
  if (shipmentIds.length === 0)
    await withAccountByKey(ctx.store, accountId, (tx) => keepAnswers(tx, [{ caller }], [{ results }]));
  return { replayed: false, results };
}

/** The results that an earlier request with the caller's Idempotency-Key got. Null: there was none. */
async function findKept(tx: Tx, caller: Caller): Promise<EventRowResult[] | null> {
  const [earlier] = await findAnswers<{ results: EventRowResult[] }>(tx, [caller]);
  if (earlier instanceof LandfallError) throw earlier;
  return earlier?.results ?? null;
}

type Failures = Map<number, RowError>;

async function readRows(
  rows: readonly SentEventRow[],
  { targets, nowMs }: { targets: readonly ResolvedTargets[]; nowMs: number },
): Promise<{ byShipment: Map<string, PlacedRow[]>; failed: Failures }> {
  const byShipment = new Map<string, PlacedRow[]>();
  const failed: Failures = new Map();
  const yieldIfDue = createYield();
  for (const [place, row] of rows.entries()) {
    await yieldIfDue();
    const read = readEventRow(row, nowMs);
    const found = targets[place] ?? [];
    const error = errorOf(row, read, found);
    if (error !== null) failed.set(place, toRowError(error));
    else {
      const placed = { place, sourceName: row.sourceName ?? '', read: read as ReadRow };
      for (const shipmentId of found as string[]) {
        const own = byShipment.get(shipmentId);
        if (own === undefined) byShipment.set(shipmentId, [placed]);
        else own.push(placed);
      }
    }
  }
  return { byShipment, failed };
}

/** The row's own mistakes, and otherwise that its shipment isn't there. */
function errorOf(
  row: SentEventRow,
  read: ReturnType<typeof readEventRow>,
  found: ResolvedTargets,
): LandfallError | null {
  if ('event' in read) return found instanceof LandfallError ? found : null;
  const missing = found instanceof LandfallError && row.targets.length > 0 ? found.mistakes : [];
  const mistakes = [...read, ...missing];
  const codes = new Set(mistakes.map(({ code }) => code));
  const code = codes.size === 1 && codes.has('unknown_field') ? 'unknown_field' : 'validation_failed';
  return new LandfallError(code, joinDetails(mistakes), { mistakes });
}

type Recorded = { outcomes: RecordedRow[][]; failed: Failures };

type Chunk = {
  chunk: readonly (readonly [shipmentId: string, rows: readonly PlacedRow[]])[];
  recorded: Recorded;
  /** The results go into the transaction of the last chunk. */
  isLast: boolean;
  startedAt: number;
};

/**
 * Records the rows of some shipments in one transaction. Returns the kept results if another request with the caller's
 * Idempotency-Key was faster.
 */
function recordChunk(ctx: CoreContext, caller: Caller, work: Chunk): Promise<EventRowResult[] | null> {
  const { chunk, recorded, isLast, startedAt } = work;
  const { accountId, test } = caller;
  return retryLostRaces(() =>
    withAccountByKey(ctx.store, accountId, async (tx, commitWith) => {
      const kept = await findKept(tx, caller);
      if (kept !== null) return kept;
      const ids = chunk.map(([id]) => id);
      const { locked, events } = await lockWithEvents(tx, accountId, { ids, test });
      const rules = await readFreeTimeRules(ctx, tx, accountId);
      const answered: { place: number; outcome: RecordedRow | RowError }[] = [];
      const composed: ReturnType<typeof composeStatements>[] = [];
      const yieldIfDue = createYield();
      for (const [id, rows] of chunk) {
        // Composing a shipment with thousands of events takes tens of milliseconds.
        await yieldIfDue();
        const one = locked.get(id);
        const result = settled(() => {
          if (one === undefined) throw new LandfallError('shipment_not_found', 'Shipment not found.');
          return composeStatements(ctx, one, { stored: events.get(id) ?? [], rows, rules, startedAt });
        });
        for (const { place } of rows)
          answered.push({
            place,
            outcome: result instanceof LandfallError ? toRowError(result) : placed(result.outcomes, place),
          });
        if (!(result instanceof LandfallError)) composed.push(result);
      }
      const after = withRecorded(recorded, answered);
      const positions = composed.flatMap(({ write: { shipmentId }, position }) =>
        position === null ? [] : [{ ...position, shipmentId }],
      );
      await writePushes(
        { tx, commitWith },
        {
          accountId,
          writes: composed.map(({ write }) => write),
          alsoWrite: [
            (sender) => keepPositions(sender, accountId, positions),
            ...(isLast ? [(sender: Tx) => keepAnswers(sender, [{ caller }], [{ results: resultsOf(after) }])] : []),
          ],
        },
      );
      Object.assign(recorded, after);
      return null;
    }),
  );
}

function settled<T>(run: () => T): T | LandfallError {
  try {
    return run();
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

function placed(outcomes: ReadonlyMap<number, RecordedRow>, place: number): RecordedRow {
  const outcome = outcomes.get(place);
  if (outcome === undefined) throw new Error('a row has no outcome');
  return outcome;
}

/** The same with what a transaction adds, which counts only once it is committed. */
function withRecorded(
  { outcomes, failed }: Recorded,
  answered: readonly { place: number; outcome: RecordedRow | RowError }[],
): Recorded {
  const after: Recorded = { outcomes: outcomes.map((own) => [...own]), failed: new Map(failed) };
  for (const { place, outcome } of answered) {
    if ('outcome' in outcome) after.outcomes[place]?.push(outcome);
    else if (!after.failed.has(place)) after.failed.set(place, outcome);
  }
  return after;
}

/** A row that some of its shipments took is recorded. */
function resultsOf({ outcomes, failed }: Recorded): EventRowResult[] {
  return outcomes.map((shipments, place) => {
    const error = failed.get(place);
    if (shipments.length > 0 || error === undefined) return { outcome: 'recorded', shipments };
    return { outcome: 'failed', error };
  });
}
