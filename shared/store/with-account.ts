import { inTransaction, type TransactionBegin } from './in-transaction.ts';
import type { Store, Tx } from './open-store.ts';

export type { Tx };

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** For this transaction alone; a plan that is made in it is kept by the connection. */
const withoutScans = `set_config('enable_seqscan', 'off', true)`;
/** PostgreSQL takes longer to plan a registration's statements anew than to run them, and by index no other plan is better for other values. */
const planByIndex = `${withoutScans}, set_config('plan_cache_mode', 'force_generic_plan', true)`;
const planByKey = `${withoutScans}, set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/**
 * Runs `fn` in one transaction that sees and writes this account's rows only. Rolls back when `fn` throws. A database that is away throws
 * LandfallError `unavailable`.
 */
export function withAccount<T>(store: Store, accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.app, asAccount(accountId), fn, store.signal);
}

/**
 * The same for statements that read no table from end to end, of which PostgreSQL is told. Else it does so with one that it remembers as small,
 * for checks of foreign keys too, and keeps that plan until the table is analysed again: minutes, in which it has grown. Each statement keeps
 * one plan, whatever its values.
 */
export function withAccountByIndex<T>(store: Store, accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.app, asAccount(accountId, planByIndex), fn, store.signal);
}

/**
 * The same for statements that find all their rows by their keys: they do not join their own handful with all of an account either. Not for
 * those that join rows of their own by the hundred, which is better done by hash. A prepared statement keeps the plan of the transaction that
 * used it first on its connection, so those of one process that share a statement go the same way.
 */
export function withAccountByKey<T>(store: Store, accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.app, asAccount(accountId, planByKey), fn, store.signal);
}

/**
 * Runs `fn` in one transaction of the system role, which sees every account; never for what a request reads or writes of its own. A
 * database that is away throws LandfallError `unavailable`.
 */
export function withSystem<T>(store: Store, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.system, { text: 'begin', isAwaited: true }, fn);
}

/** The same for statements that find all their rows by their keys, as `withAccountByKey`. */
export function withSystemByKey<T>(store: Store, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.system, { text: `begin; select ${planByKey}`, isAwaited: true }, fn);
}

/**
 * Runs `fn` in one transaction of the role that signs people in, which sees users, sessions and members, and nothing of any shipment. A
 * database that is away throws LandfallError `unavailable`.
 */
export function withAuth<T>(store: Store, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store.auth, { text: 'begin', isAwaited: true }, fn);
}

/**
 * Transaction-local, so that nothing is left on the connection when it goes back to the pool. Not awaited: without the account row-level
 * security shows nothing and takes nothing.
 */
function asAccount(accountId: string, ...settings: string[]): TransactionBegin {
  if (!uuidShape.test(accountId)) throw new Error('accountId is not a lower-case uuid');
  const account = `set_config('landfall.account_id', '${accountId}', true)`;
  return { text: `begin; select ${[account, ...settings].join(', ')}`, isAwaited: false };
}
