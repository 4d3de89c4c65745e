import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** The version of the terms of live or of test shipments. */
export type TermsVersion = { test: boolean; version: number };

/** `isMarking`: shipments that an earlier version assessed are still being marked. `updatedAt`: ISO UTC. */
export type StoredTerms = TermsVersion & { terms: FreeTimeTerm[]; updatedAt: string; isMarking: boolean };

/**
 * The versions of an account's terms; empty: it has none. To compose a journey that is written, read them after its
 * shipment is locked: a later replacement of the terms marks the shipment after this transaction.
 */
export async function readTermsVersions(tx: Tx, accountId: string): Promise<TermsVersion[]> {
  const rows = await readRows<{ test: boolean; version: number }>(tx, {
    name: 'read-terms-versions',
    text: 'select test, version from landfall.free_time_terms where account_id = $1',
    values: [accountId],
  });
  return rows.map(({ test, version }) => ({ test, version: Number(version) }));
}

/** Null: there are no terms. */
export async function readTerms(
  tx: Tx,
  accountId: string,
  { test, locks = false }: { test: boolean; locks?: boolean },
): Promise<StoredTerms | null> {
  const rows = await readRows<{ version: number; terms: FreeTimeTerm[]; updatedAt: string; isMarking: boolean }>(tx, {
    name: locks ? 'lock-terms' : 'read-terms',
    text: `
      select version, terms, updated_at, marked_to is not null as is_marking
      from landfall.free_time_terms
      where account_id = $1 and test = $2${locks ? ' for no key update' : ''}`,
    values: [accountId, test],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { version, terms, updatedAt, isMarking } = row;
  return { test, version: Number(version), terms, updatedAt, isMarking };
}

/**
 * Replaces the terms. From the commit on, transactions that lock a shipment compose with them, and a worker marks the
 * others.
 */
export async function replaceTerms(
  tx: Tx,
  accountId: string,
  { test, terms }: { test: boolean; terms: readonly FreeTimeTerm[] },
): Promise<{ version: number; updatedAt: string }> {
  const rows = await readRows<{ version: number; updatedAt: string }>(tx, {
    name: 'replace-terms',
    text: `
      insert into landfall.free_time_terms as t (account_id, test, version, terms, marked_to)
      values ($1, $2, 1, $3::jsonb, '00000000-0000-0000-0000-000000000000')
      on conflict (account_id, test) do update
      set version = t.version + 1, terms = excluded.terms, marked_to = excluded.marked_to, updated_at = now()
      returning version, updated_at`,
    values: [accountId, test, JSON.stringify(terms)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the terms just written are missing');
  return { version: Number(row.version), updatedAt: row.updatedAt };
}
