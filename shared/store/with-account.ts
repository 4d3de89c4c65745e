import { inTransaction, type TransactionBegin } from './in-transaction.ts';
import type { Store, Tx } from './open-store.ts';
import type { SendWrites } from './send-in-order.ts';

export type { Tx };

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Applies to this transaction only. The connection caches plans made in it. */
const withoutScans = `set_config('enable_seqscan', 'off', true)`;
/**
 * Planning a registration's statements again takes PostgreSQL longer than running them, and with index access no other
 * plan suits other values better. On an empty table every index costs the same, so a plan made there is not kept.
 */
const planByIndex = `${withoutScans}, set_config('plan_cache_mode', case when pg_relation_size('landfall.shipments') > 0 then 'force_generic_plan' else 'auto' end, true)`;
const planByKey = `${withoutScans}, set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/**
 * Runs `fn` in one transaction that can read and write only this account's rows. Rolls back when `fn` throws. Throws
 * LandfallError `unavailable` when the database is unavailable.
 */
export function withAccount<T>(store: Store, accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTurn(store, { pool: 'app', accountId, settings: [] }, fn);
}

/**
 * Runs `fn` like `withAccount`, for lists, counts, search and exports, on connections of their own. `timeoutMs` limits
 * each statement; by default, the pool's limit does.
 */
export function withAccountReads<T>(
  store: Store,
  accountId: string,
  fn: (tx: Tx) => Promise<T>,
  { timeoutMs }: { timeoutMs?: number | undefined } = {},
): Promise<T> {
  const settings = timeoutMs === undefined ? [] : [`set_config('statement_timeout', '${timeoutMs}', true)`];
  return inTurn(store, { pool: 'reads', accountId, settings }, fn);
}

/**
 * For statements that never scan a whole table, with sequential scans disabled. Otherwise PostgreSQL scans a table that
 * its statistics describe as small, also for foreign-key checks, and keeps that plan until the next analyze: for
 * minutes, in which the table has grown. Each statement uses one generic plan. `fn` may commit with its last writes.
 */
export function withAccountByIndex<T>(
  store: Store,
  accountId: string,
  fn: (tx: Tx, commitWith: SendWrites) => Promise<T>,
): Promise<T> {
  return inTurn(store, { pool: 'app', accountId, settings: [planByIndex] }, fn);
}

/**
 * For statements that find all their rows by key: they must not join their few rows with all rows of an account either.
 * Not for statements that join hundreds of their own rows, where a hash join is faster. A prepared statement keeps the
 * plan of the transaction that first used it on its connection, so all users of a statement in one process must use the
 * same function. `fn` may commit with its last writes.
 */
export function withAccountByKey<T>(
  store: Store,
  accountId: string,
  fn: (tx: Tx, commitWith: SendWrites) => Promise<T>,
): Promise<T> {
  return inTurn(store, { pool: 'app', accountId, settings: [planByKey] }, fn);
}

/**
 * Runs `fn` in one transaction of the system role, which sees every account. Never for data that a request reads or
 * writes for its own account. Throws LandfallError `unavailable` when the database is unavailable.
 */
export function withSystem<T>(store: Store, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.system, { text: 'begin', isAwaited: true }, fn);
}

/** For statements of the system role that find all their rows by key, like `withAccountByKey`. */
export function withSystemByKey<T>(store: Store, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.system, { text: `begin; select ${planByKey}`, isAwaited: true }, fn);
}

/**
 * Runs `fn` in one transaction of the auth role, which sees users, sessions and members, but no shipments. Throws
 * LandfallError `unavailable` when the database is unavailable.
 */
export function withAuth<T>(store: Store, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.auth, { text: 'begin', isAwaited: true }, fn);
}

type AccountWork = { pool: 'app' | 'reads'; accountId: string; settings: string[] };

function inTurn<T>(
  store: Store,
  { pool, accountId, settings }: AccountWork,
  fn: (tx: Tx, commitWith: SendWrites) => Promise<T>,
): Promise<T> {
  const begin = asAccount(accountId, ...settings);
  const work = async () => {
    store.silence?.check();
    try {
      return await inTransaction(store[pool], begin, fn, store.signal);
    } catch (error) {
      store.silence?.note(error);
      throw error;
    }
  };
  return store.turns === undefined ? work() : store.turns[pool].run(accountId, work, store.signal);
}

/**
 * The settings are local to the transaction, so that nothing stays on the pooled connection. They are not awaited:
 * without the account, row-level security allows no reads and no writes.
 */
function asAccount(accountId: string, ...settings: string[]): TransactionBegin {
  if (!uuidShape.test(accountId)) throw new Error('accountId is not a lower-case uuid');
  const account = `set_config('landfall.account_id', '${accountId}', true)`;
  return { text: `begin; select ${[account, ...settings].join(', ')}`, isAwaited: false };
}

/** The start of this transaction, by Postgres's clock. */
export async function readTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>({ name: 'read-time', text: 'select now() as now' });
  if (rows[0] === undefined) throw new Error('the database returned no time');
  return rows[0].now;
}
