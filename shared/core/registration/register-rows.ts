import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { hasReferences } from '#shared/domain/record/references.ts';
import type { Shipment, Warning } from '#shared/domain/record/shipment.ts';
import { isResumedByRegistration, trackingNotResumed } from '#shared/domain/refresh/ended-tracking.ts';
import { ownKeys, reusableKeys } from '#shared/domain/registration/identifiers.ts';
import {
  findRegistered,
  type MatchedShipment,
  type RegisteredShipments,
  readMatched,
  type SoughtNumber,
} from '#shared/store/registration/find-registered.ts';
import { lockReusableNumbers } from '#shared/store/registration/identifiers.ts';
import type { SendWrites, Write } from '#shared/store/send-in-order.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { enqueueRefreshes } from '../tracking/enqueue-refresh.ts';
import { composeShipments } from './create-shipments.ts';
import { hasAllIdentifiers, type JoinedShipment, joinOrCreate } from './join-shipment.ts';
import type { PreparedRegistration, RegistrationRow } from './prepare-registration.ts';

/**
 * `shipmentId` is a uuid. `shipment` is null for one that had every identifier already: it was not read. `warnings` are
 * those of the record and of this registration.
 */
export type RowResult =
  | { outcome: 'created' | 'existing'; shipmentId: string; shipment: Shipment | null; warnings: Warning[] }
  | { outcome: 'failed'; error: LandfallError };

export type FirstRefresh = { shipmentId: string; connector: string; epoch: number };

/** `hurried`: a client waits for the first status of each row; it is neither a batch nor an import. */
type RowsWork = {
  ctx: CoreContext;
  caller: Pick<Caller, 'accountId' | 'test'>;
  /** Each is prepared, or has the error that refuses it. */
  rows: readonly { prepared: PreparedRegistration | LandfallError; traceparent: string | null }[];
  hurried: boolean;
};
/** `writeAlso` returns the write that depends on the results. It may not await an answer before it has sent everything. */
type LastWrites = { commitWith: SendWrites; writeAlso: (results: readonly RowResult[]) => Write };
type Registered = { results: RowResult[]; firstRefreshes: FirstRefresh[]; isCommitted: boolean };
type Row = RegistrationRow & { place: number };

/**
 * Registers rows of one account in its transaction: single registrations, batches and imports all go through here. Each
 * row has the result that it would have had by itself, in this order. New shipments are inserted together and unchanged
 * ones found together. A row is ambiguous, and registered by itself, if it shares a number or a reference with another
 * row, conflicts with a shipment, adds identifiers or references to an open one, or resumes one. `firstRefreshes` are claimed: put them on the
 * queue after the commit. With `last`, rows that are all new are committed with their insert, in one round trip.
 * Throws what `retryLostRaces` retries when another transaction was faster.
 */
export async function registerRows(
  tx: Tx,
  { ctx, caller, rows: given, hurried }: RowsWork,
  last: LastWrites | null = null,
): Promise<Registered> {
  const results: RowResult[] = [];
  const firstRefreshes: FirstRefresh[] = [];
  const rows: Row[] = [];
  for (const [place, { prepared, traceparent }] of given.entries()) {
    if (prepared instanceof LandfallError) results[place] = { outcome: 'failed', error: prepared };
    else rows.push({ place, prepared, traceparent });
  }
  if (rows.length === 0) return { results, firstRefreshes, isCommitted: false };

  const { fresh, known, ambiguous, now, createdAt } = await sortRows(tx, caller, rows);
  for (const { place, ...found } of known) results[place] = { outcome: 'existing', ...found, shipment: null };

  const created = composeShipments({ ctx, ...caller, rows: fresh, now, createdAt, hurried });
  for (const [index, row] of fresh.entries()) {
    const shipment = created.shipments[index] as Shipment;
    results[row.place] = { outcome: 'created', shipmentId: shipment.id, shipment, warnings: shipment.warnings };
  }
  const insert: Write = async (sender) => {
    const leased = await created.insert(sender);
    for (const [index, { prepared }] of fresh.entries()) {
      const { id } = created.shipments[index] as Shipment;
      if (leased.has(id)) firstRefreshes.push({ shipmentId: id, connector: prepared.connector, epoch: 1 });
    }
  };
  if (last !== null && fresh.length === given.length) {
    await last.commitWith([insert, last.writeAlso(results)]);
    return { results, firstRefreshes, isCommitted: true };
  }
  await insert(tx);

  for (const row of ambiguous.toSorted((left, right) => left.place - right.place)) {
    const one = await settle(() => joinOrCreate(tx, { ctx, caller, ...row, now, createdAt, hurried }));
    if (one instanceof LandfallError) results[row.place] = { outcome: 'failed', error: one };
    else keep(row, one);
  }
  return { results, firstRefreshes, isCommitted: false };

  function keep({ place }: Row, { refresh, ...one }: JoinedShipment): void {
    results[place] = { ...one, shipmentId: one.shipment.id };
    if (refresh !== null)
      firstRefreshes.push({ shipmentId: one.shipment.id, connector: refresh.connector, epoch: refresh.epoch });
  }
}

/**
 * Puts the refreshes that committed registrations claimed on the queue, all connectors at the same time. Never rejects:
 * what the queue doesn't take is left to the sweep.
 */
export async function enqueueFirstRefreshes(
  ctx: CoreContext,
  { accountId, hurried, refreshes }: { accountId: string; hurried: boolean; refreshes: readonly FirstRefresh[] },
): Promise<void> {
  const byConnector = Map.groupBy(refreshes, (refresh) => refresh.connector);
  await Promise.all(
    [...byConnector].map(([connector, some]) => {
      const items = some.map(({ shipmentId, epoch }) => ({ accountId, shipmentId, epoch }));
      return enqueueRefreshes(ctx, { accountId, connector, items, hurried });
    }),
  );
}

type SortedRows = Pick<RegisteredShipments, 'now' | 'createdAt'> & {
  /** About no open shipment. */
  fresh: Row[];
  /** About an open shipment that has all their identifiers, and whose tracking needs no restart. */
  known: { place: number; shipmentId: string; warnings: Warning[] }[];
  ambiguous: Row[];
};

async function sortRows(tx: Tx, { accountId, test }: RowsWork['caller'], rows: readonly Row[]): Promise<SortedRows> {
  const numbers = rows.flatMap(soughtNumbers);
  await lockReusableNumbers(tx, accountId, { test, numbers: numbers.filter((number) => !number.own) });
  const references = rows.flatMap(({ prepared }) => prepared.registration.reference ?? []);
  const standing = await findRegistered(tx, accountId, { test, numbers, ownKeys, references });
  const { matches, holders, now, createdAt } = standing;
  const matched = await readMatched(tx, accountId, [...new Set([...matches.values()].flat())]);
  const isShared = sharedNames(rows);

  const sorted: SortedRows = { fresh: [], known: [], ambiguous: [], now, createdAt };
  for (const row of rows) {
    const { registration } = row.prepared;
    const [match, ...others] = matches.get(row.place) ?? [];
    const holder = registration.reference === null ? undefined : holders.get(registration.reference);
    if (isShared(row) || others.length > 0 || (holder !== undefined && holder !== match)) sorted.ambiguous.push(row);
    else if (match === undefined) sorted.fresh.push(row);
    else {
      const found = matched.get(match);
      if (found === undefined || needsJoining(found, registration)) sorted.ambiguous.push(row);
      else sorted.known.push({ place: row.place, shipmentId: match, warnings: warningsOf(found) });
    }
  }
  return sorted;
}

function needsJoining(found: MatchedShipment, registration: PreparedRegistration['registration']): boolean {
  return (
    !hasAllIdentifiers(found.identifiers, registration) ||
    !hasReferences(found.references, registration.references) ||
    isResumedByRegistration(found)
  );
}

function warningsOf(found: MatchedShipment): Warning[] {
  const ended = trackingNotResumed(found);
  return ended === null ? found.warnings : [...found.warnings, ended];
}

/** The numbers that find a row's shipment: those that name one shipment or, if it has none, those of its equipment. */
function soughtNumbers({ place, prepared }: Row): SoughtNumber[] {
  const { entries } = prepared;
  const { transportMode, carrier } = prepared.registration;
  const own = entries.some((entry) => ownKeys.includes(entry.key));
  const keys = own ? ownKeys : reusableKeys;
  return entries
    .filter((entry) => keys.includes(entry.key))
    .map(({ key, matchValue }) => ({ place, transportMode, carrier, key, matchValue, own }));
}

/** Finds the rows with a number or a reference in common with another row: their results depend on the order. */
function sharedNames(rows: readonly Row[]): (row: Row) => boolean {
  const holders = new Map<string, Row>();
  const shared = new Set<Row>();
  for (const row of rows) {
    const { entries, registration } = row.prepared;
    const { transportMode, carrier, reference } = registration;
    // Only the last part of a name can contain a space.
    const names = entries.map(({ key, matchValue }) => `${transportMode} ${carrier} ${key} ${matchValue}`);
    if (reference !== null) names.push(`reference ${reference}`);
    for (const name of names) {
      const holder = holders.get(name);
      if (holder === undefined) holders.set(name, row);
      else shared.add(holder).add(row);
    }
  }
  return (row) => shared.has(row);
}

/** Turns the refusal of one row into its result. An unavailable database ends all rows. */
async function settle<T>(register: () => Promise<T>): Promise<T | LandfallError> {
  try {
    return await register();
  } catch (error) {
    if (error instanceof LandfallError && error.code !== 'unavailable') return error;
    throw error;
  }
}
