import type { Caller } from '#shared/domain/caller.ts';
import type { EventRowResult, SentEventRow } from '#shared/domain/events-in/event-row.ts';
import type { CoreContext } from '../core-context.ts';

export type RecordedEvents = { replayed: boolean; results: EventRowResult[] };

/**
 * Records rows that sources pushed, in the shipments of the account that they name: one result for each row, in order.
 * A row that fails doesn't affect the others. The same rows again change nothing. Throws LandfallError
 * `idempotency_in_progress`, `idempotency_mismatch`, `unavailable`.
 */
export type RecordEvents = (
  ctx: CoreContext,
  caller: Caller,
  work: { rows: readonly SentEventRow[] },
) => Promise<RecordedEvents>;
