import { batch } from '#shared/async/batch.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import type { Write } from '#shared/store/send-in-order.ts';
import { isStatementTimeout } from '#shared/store/store-errors.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import { withAccountByIndex } from '#shared/store/with-account.ts';
import { currentTraceparent, inSpan, type SpanOptions } from '#shared/telemetry/events.ts';
import type { CoreContext } from '../core-context.ts';
import { retryLostRaces } from '../retry-lost-races.ts';
import { findAnswers, idempotencyKeyOf, keepAnswers } from './idempotency.ts';
import type { RegistrationRow } from './prepare-registration.ts';
import { enqueueFirstRefreshes, type FirstRefresh, type RowResult, registerRows } from './register-rows.ts';

/** Dependencies of registering: core, and the batcher that all requests of this process share. */
export type RegistrationContext = CoreContext & { registrations: RegistrationBatcher };

/** A registration that waits for its batch. */
type PendingRegistration = RegistrationRow & { ctx: CoreContext; caller: Caller };

export type RegistrationResult = {
  outcome: 'created' | 'existing';
  /** True for the stored response to an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  shipment: Shipment;
};

/** A result, and the traceparent of the batch that wrote it: null where nothing is traced. */
type BatchedResult = { result: RegistrationResult; batchTraceparent: string | null; batchSize: number };

export type RegistrationBatcher = {
  /** Registers together with whatever else arrives at the same time. Throws as `registerShipment` does. */
  register: (pending: PendingRegistration) => Promise<BatchedResult>;
  /** Resolves when the queue has accepted or refused every first refresh that it was given so far. */
  settled: () => Promise<void>;
};

type Pending = [PendingRegistration, ...PendingRegistration[]];

/**
 * An account's free leases are counted in the transaction that takes them. Two at once would both take the same ones.
 */
const maxRunning = 1;
const maxSize = 100;

/**
 * Commits concurrent registrations of one account together: everything that arrives while a transaction runs shares the
 * next one. A registration that finds none running starts at once. Results do not wait for the queue.
 */
export function openRegistrationBatcher(): RegistrationBatcher {
  const enqueuing = new Set<Promise<void>>();

  const runBatch = async (pending: Pending): Promise<(BatchedResult | Error)[]> => {
    const [{ ctx, caller }] = pending;
    const { results, firstRefreshes } = await registerTogether(pending);
    const enqueued = enqueueFirstRefreshes(ctx, {
      accountId: caller.accountId,
      hurried: true,
      refreshes: firstRefreshes,
    });
    enqueuing.add(enqueued);
    void enqueued.finally(() => enqueuing.delete(enqueued));
    const batchTraceparent = currentTraceparent();
    return results.map((result) =>
      result instanceof Error ? result : { result, batchTraceparent, batchSize: pending.length },
    );
  };

  return {
    register: batch({
      // Row-level security binds a transaction to one account.
      keyOf: ({ caller }) => `${caller.accountId} ${caller.test}`,
      nameOf: ({ caller }) => {
        const key = idempotencyKeyOf(caller);
        return key === null ? null : JSON.stringify([key.route, key.key]);
      },
      maxRunning,
      maxSize,
      run: (pending) => inSpan('registration-batch', spanOf(pending), () => runBatch(pending)),
    }),
    settled: async () => {
      await Promise.all(enqueuing);
    },
  };
}

/** The span belongs to the trace of the oldest request and links to the others. */
function spanOf([first, ...others]: Pending): SpanOptions {
  return {
    attributes: { 'account.id': first.caller.accountId, 'registration.batch_size': others.length + 1 },
    ...(first.traceparent === null ? { root: true } : { parent: first.traceparent }),
    links: others.flatMap(({ traceparent }) => traceparent ?? []),
  };
}

/** One outcome per registration. `firstRefreshes` are claimed and committed: put them on the queue. */
type Registered = { results: (RegistrationResult | Error)[]; firstRefreshes: FirstRefresh[] };

/** Leaves connections for other accounts. */
const maxFallbacks = 4;

/**
 * Registers in one transaction. When it fails, each registration gets a transaction of its own, so that none fails
 * because of another. An unavailable database fails all of them at once.
 */
async function registerTogether(pending: Pending): Promise<Registered> {
  const isSingle = pending.length === 1;
  try {
    return isSingle ? await retryLostRaces(() => registerInTransaction(pending)) : await registerInTransaction(pending);
  } catch (error) {
    if (isSingle || isUnavailable(error)) return { results: pending.map(() => toError(error)), firstRefreshes: [] };
    pending[0].ctx.log.warn(
      { err: error, registrations: pending.length },
      'registration batch failed; retrying singly',
    );
  }
  const results: Registered['results'] = [];
  const firstRefreshes: FirstRefresh[] = [];
  for (let start = 0; start < pending.length; start += maxFallbacks) {
    const some = pending.slice(start, start + maxFallbacks);
    for (const single of await Promise.all(some.map((one) => registerTogether([one])))) {
      results.push(...single.results);
      firstRefreshes.push(...single.firstRefreshes);
    }
  }
  return { results, firstRefreshes };
}

function registerInTransaction(pending: Pending): Promise<Registered> {
  const [{ ctx, caller }] = pending;
  return withAccountByIndex(ctx.store, caller.accountId, async (tx, commitWith) => {
    const callers = pending.map((one) => one.caller);
    const earlier = await findAnswers<KeptResult>(tx, callers);
    const fresh = pending.filter((_, place) => earlier[place] === null);
    let written: (RegistrationResult | LandfallError)[] = [];
    const writeAnswers = (results: readonly RowResult[], shipments: ReadonlyMap<string, Shipment>): Write => {
      written = results.map((result) => toRegistrationResult(result, shipments));
      return (sender) => keepAnswers(sender, fresh, written.map(keptPartOf));
    };
    const { results, firstRefreshes, isCommitted } = await registerRows(
      tx,
      { ctx, caller, rows: fresh, hurried: true },
      { commitWith, writeAlso: (results) => writeAnswers(results, new Map()) },
    );
    if (!isCommitted) {
      const shipments = await readShipments(tx, caller.accountId, { ids: unreadOf(results), withEvents: true });
      await writeAnswers(results, shipments)(tx);
    }
    const left = written.values();
    return {
      results: earlier.map((answer) => {
        if (answer === null) return left.next().value as RegistrationResult | LandfallError;
        if (answer instanceof LandfallError) return answer;
        return { ...answer, replayed: true };
      }),
      firstRefreshes,
    };
  });
}

/** The response stored for an Idempotency-Key. */
type KeptResult = Pick<RegistrationResult, 'outcome' | 'shipment'>;

function keptPartOf(result: RegistrationResult | LandfallError): KeptResult | null {
  if (result instanceof LandfallError) return null;
  return { outcome: result.outcome, shipment: result.shipment };
}

/** Shipments that had every identifier already, and were not read for that. */
function unreadOf(results: readonly RowResult[]): string[] {
  return results.flatMap((result) =>
    result.outcome !== 'failed' && result.shipment === null ? [result.shipmentId] : [],
  );
}

function toRegistrationResult(
  result: RowResult,
  shipments: ReadonlyMap<string, Shipment>,
): RegistrationResult | LandfallError {
  if (result.outcome === 'failed') return result.error;
  const shipment = result.shipment ?? shipments.get(result.shipmentId);
  if (shipment === undefined) throw new Error('a registered shipment cannot be read');
  return { outcome: result.outcome, replayed: false, shipment: { ...shipment, warnings: result.warnings } };
}

/** A statement timeout does not count: it may come from a lock that only one of the registrations needs. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof LandfallError)) return false;
  return error.code === 'storage_full' || (error.code === 'unavailable' && !isStatementTimeout(error.cause));
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('a registration failed', { cause: thrown });
}
