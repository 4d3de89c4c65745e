import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Registration, Shipment } from '#shared/domain/shipments/shipment.ts';
import {
  findStanding,
  readIdentifiersOf,
  type SoughtNumber,
  type Standing,
} from '#shared/store/registration/bulk-registration.ts';
import { lockReusableNumbers } from '#shared/store/registration/identifiers.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { createShipments } from './create-shipments.ts';
import { enqueueFirstRefreshes, type FirstRefresh } from './enqueue-first-refreshes.ts';
import { hasAllIdentifiers, identifierEntries, ownKeys, reusableKeys } from './existing-shipment.ts';
import { findOrCreate } from './find-or-create.ts';
import { type Intake, prepareIntake } from './registration-intake.ts';
import { retryLostRaces } from './retry-lost-races.ts';

/** What became of one row. `shipmentId` is a uuid; `shipment` is null when it was there, complete, and was not read. */
export type RowResult =
  | { outcome: 'created' | 'existing'; shipmentId: string; shipment: Shipment | null }
  | { outcome: 'failed'; error: LandfallError };

/** `firstRefreshes` are claimed: put them on the queue once the transaction is committed. */
export type ManyRegistered = { results: RowResult[]; firstRefreshes: FirstRefresh[] };

/** Registers many at once, in one transaction; each row has the result that `registerShipment` would have given it in this order. */
export async function registerMany(
  ctx: CoreContext,
  caller: Caller,
  registrations: readonly Registration[],
): Promise<RowResult[]> {
  const { results, firstRefreshes } = await retryLostRaces(() =>
    withAccount(ctx.store, caller.accountId, (tx) => registerManyWithin(tx, { ctx, caller, registrations })),
  );
  await enqueueFirstRefreshes(ctx, caller.accountId, firstRefreshes);
  return results;
}

/** `registerMany` within a transaction of the account. */
export async function registerManyWithin(
  tx: Tx,
  { ctx, caller, registrations }: { ctx: CoreContext; caller: Caller; registrations: readonly Registration[] },
): Promise<ManyRegistered> {
  const traceparent = ctx.traceparent();
  const prepared = registrations.map((registration) => settled(() => prepareIntake(ctx, caller, registration)));
  const rows = prepared.flatMap((intake) => (intake instanceof LandfallError ? [] : { intake, traceparent }));
  const { results, firstRefreshes } = await registerRows(tx, { ctx, caller, rows });
  const left = results.values();
  return {
    results: prepared.map((intake) =>
      intake instanceof LandfallError ? { outcome: 'failed', error: intake } : left.next().value,
    ) as RowResult[],
    firstRefreshes,
  };
}

/** A registration to be written, and the traceparent of the request that it came with. */
export type NewRow = { intake: Intake; traceparent: string | null };

type RowsWork = { ctx: CoreContext; caller: Pick<Caller, 'accountId' | 'test'>; rows: readonly NewRow[] };
type Row = NewRow & { place: number };

/**
 * Registers rows within a transaction of the account. New ones are inserted together and unchanged ones found together; a row that shares a
 * number or a reference with another row, conflicts, or brings identifiers to an existing shipment is registered on its own, with the result
 * that it would have had in this order. Throws what `retryLostRaces` understands when another transaction was faster.
 */
export async function registerRows(tx: Tx, work: RowsWork): Promise<ManyRegistered> {
  const { ctx, caller } = work;
  if (work.rows.length === 0) return { results: [], firstRefreshes: [] };
  const results: RowResult[] = [];
  const firstRefreshes: FirstRefresh[] = [];
  const keep = (
    place: number,
    one: { outcome: 'created' | 'existing'; shipment: Shipment; connector: string; leased: boolean },
  ) => {
    const { outcome, shipment, connector, leased } = one;
    results[place] = { outcome, shipmentId: shipment.id, shipment };
    if (leased) firstRefreshes.push({ shipmentId: shipment.id, connector });
  };
  const rows = work.rows.map((row, place) => ({ ...row, place }));
  const { fresh, alone, known, now, createdAt } = await sortRows(tx, caller, rows);
  for (const { place, shipmentId } of known) results[place] = { outcome: 'existing', shipmentId, shipment: null };

  const created = await createShipments(tx, { ...work, ...caller, rows: fresh, now, createdAt });
  // A row of these lost its reference to another transaction a moment ago.
  const late: Row[] = [];
  for (const [index, row] of fresh.entries()) {
    const one = created[index];
    if (one === undefined || one === null) late.push(row);
    else keep(row.place, { outcome: 'created', ...one });
  }
  for (const { place, intake, traceparent } of [...alone, ...late].toSorted(
    (left, right) => left.place - right.place,
  )) {
    const one = await settledLater(() => findOrCreate(tx, { ctx, caller, intake, traceparent, now, createdAt }));
    if (one instanceof LandfallError) results[place] = { outcome: 'failed', error: one };
    else keep(place, one);
  }
  return { results, firstRefreshes };
}

type SortedRows = Pick<Standing, 'now' | 'createdAt'> & {
  fresh: Row[];
  alone: Row[];
  known: { place: number; shipmentId: string }[];
};

/** `fresh` are about no open shipment, `known` add nothing to theirs, `alone` need to be looked at one by one. */
async function sortRows(tx: Tx, { accountId, test }: RowsWork['caller'], rows: readonly Row[]): Promise<SortedRows> {
  const numbers = rows.flatMap(soughtNumbers);
  await lockReusableNumbers(tx, accountId, { test, numbers: numbers.filter((number) => !number.own) });
  const references = rows.flatMap(({ intake }) => intake.registration.reference ?? []);
  const { matches, holders, now, createdAt } = await findStanding(tx, accountId, {
    test,
    numbers,
    ownKeys,
    references,
  });
  const identifiers = await readIdentifiersOf(tx, accountId, [...new Set([...matches.values()].flat())]);
  const isShared = sharedNames(rows);

  const sorted: SortedRows = { fresh: [], alone: [], known: [], now, createdAt };
  for (const row of rows) {
    const { registration } = row.intake;
    const [match, ...others] = matches.get(row.place) ?? [];
    const holder = registration.reference === null ? undefined : holders.get(registration.reference);
    if (isShared(row) || others.length > 0 || (holder !== undefined && holder !== match)) sorted.alone.push(row);
    else if (match === undefined) sorted.fresh.push(row);
    else if (hasAllIdentifiers(identifiers.get(match) ?? {}, registration))
      sorted.known.push({ place: row.place, shipmentId: match });
    else sorted.alone.push(row);
  }
  return sorted;
}

/** The numbers by which a row finds its shipment: its own, or, when it has none, those of its equipment. */
function soughtNumbers({ place, intake }: Row): SoughtNumber[] {
  const { transportMode, carrier } = intake.registration;
  const entries = identifierEntries(intake.registration);
  const own = entries.some((entry) => ownKeys.includes(entry.key));
  const keys = own ? ownKeys : reusableKeys;
  return entries
    .filter((entry) => keys.includes(entry.key))
    .map(({ key, matchValue: value }) => ({ place, transportMode, carrier, key, matchValue: value, own }));
}

/** Tells which rows name something that another row names too: their results depend on their order. */
function sharedNames(rows: readonly Row[]): (row: Row) => boolean {
  const namesOf = ({ intake: { registration } }: Row): string[] => [
    ...identifierEntries(registration).map((entry) =>
      JSON.stringify([registration.transportMode, registration.carrier, entry.key, entry.matchValue]),
    ),
    ...(registration.reference === null ? [] : [JSON.stringify(['reference', registration.reference])]),
  ];
  const counts = new Map<string, number>();
  for (const name of rows.flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (row) => namesOf(row).some((name) => (counts.get(name) ?? 0) > 1);
}

function settled<T>(run: () => T): T | LandfallError {
  try {
    return run();
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

/** A refusal of one row is its result; a database that is away ends them all. */
async function settledLater<T>(run: () => Promise<T>): Promise<T | LandfallError> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof LandfallError && error.code !== 'unavailable') return error;
    throw error;
  }
}
