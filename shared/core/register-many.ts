import type { Caller } from '#shared/domain/caller.ts';
import type { ChangeData } from '#shared/domain/change.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { knownContainersOf } from '#shared/domain/identifiers.ts';
import { composeJourney } from '#shared/domain/journey.ts';
import type { Registration, Shipment } from '#shared/domain/shipment.ts';
import {
  type BulkShipment,
  findMatches,
  findReferenceHolders,
  insertManyIdentifiers,
  insertManyPolling,
  insertShipments,
  readIdentifiersOf,
  type SoughtNumber,
} from '#shared/store/bulk-registration.ts';
import { appendChanges } from '#shared/store/changes.ts';
import { lockAllReusableNumbers } from '#shared/store/identifiers.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import { enqueueFirstLooks, type FirstLook } from './enqueue-first-look.ts';
import { hasAllIdentifiers, identifierEntries, ownKeys, reusableKeys } from './existing-shipment.ts';
import { findOrCreate, type Intake, prepareIntake } from './register-shipment.ts';
import { retryLostRaces } from './retry-lost-races.ts';
import { shipmentSnapshot } from './shipment-snapshot.ts';

/** What became of one row. `shipmentId` is a uuid. */
export type RowResult = { outcome: 'created' | 'existing'; shipmentId: string } | { outcome: 'failed'; error: LandfallError };

/** `firstLooks` are claimed: put them on the queue once the transaction is committed. */
export type ManyRegistered = { results: RowResult[]; firstLooks: FirstLook[] };

/** Registers many at once, in one transaction; each row has the result that `registerShipment` would have given it in this order. */
export async function registerMany(ctx: CoreContext, caller: Caller, registrations: readonly Registration[]): Promise<RowResult[]> {
  const { results, firstLooks } = await retryLostRaces(() =>
    withAccount(ctx.store, caller.accountId, (tx) => registerManyWithin(tx, { ctx, caller, registrations })),
  );
  await enqueueFirstLooks(ctx, caller.accountId, firstLooks);
  return results;
}

type ManyWork = { ctx: CoreContext; caller: Caller; registrations: readonly Registration[] };
type Row = { place: number; intake: Intake };
type Created = { place: number; shipmentId: string; connector: string; leased: boolean };

/**
 * `registerMany` within a transaction of the account. New rows are inserted together and unchanged ones found together; a row that shares
 * a number or a reference with another row, conflicts, or brings identifiers to an existing shipment is registered on its own.
 * Throws what `retryLostRaces` understands when another transaction was faster.
 */
export async function registerManyWithin(tx: Tx, work: ManyWork): Promise<ManyRegistered> {
  const results: RowResult[] = [];
  const rows: Row[] = [];
  for (const [place, registration] of work.registrations.entries()) {
    const intake = settled(() => prepareIntake(work.ctx, work.caller, registration));
    if (intake instanceof LandfallError) results[place] = { outcome: 'failed', error: intake };
    else rows.push({ place, intake });
  }
  const { fresh, alone, known } = await sortRows(tx, work.caller, rows);
  for (const { place, shipmentId } of known) results[place] = { outcome: 'existing', shipmentId };

  const firstLooks: FirstLook[] = [];
  const created = await createTogether(tx, { ...work, rows: fresh });
  for (const { place, shipmentId, connector, leased } of created) {
    results[place] = { outcome: 'created', shipmentId };
    if (leased) firstLooks.push({ shipmentId, connector });
  }
  // A row of these lost its reference to another transaction a moment ago.
  const createdPlaces = new Set(created.map((one) => one.place));
  const late = fresh.filter((row) => !createdPlaces.has(row.place));
  for (const { place, intake } of [...alone, ...late].toSorted((left, right) => left.place - right.place)) {
    const attempt = await settledLater(() => findOrCreate(tx, { ctx: work.ctx, caller: work.caller, intake }));
    if (attempt instanceof LandfallError) {
      results[place] = { outcome: 'failed', error: attempt };
      continue;
    }
    results[place] = { outcome: attempt.outcome, shipmentId: attempt.shipment.id };
    if (attempt.leased) firstLooks.push({ shipmentId: attempt.shipment.id, connector: intake.connector });
  }
  return { results, firstLooks };
}

/** `fresh` are about no open shipment, `known` add nothing to theirs, `alone` need to be looked at one by one. */
async function sortRows(
  tx: Tx,
  caller: Caller,
  rows: readonly Row[],
): Promise<{ fresh: Row[]; alone: Row[]; known: { place: number; shipmentId: string }[] }> {
  const { accountId, test } = caller;
  const numbersByRow = new Map(rows.map((row) => [row, soughtNumbers(row)]));
  const numbers = [...numbersByRow.values()].flat();
  if (numbers.some((number) => !number.own)) await lockAllReusableNumbers(tx, accountId, { test });
  const matches = await findMatches(tx, accountId, { test, numbers, ownKeys });
  const references = rows.flatMap(({ intake }) => intake.registration.reference ?? []);
  const holders = await findReferenceHolders(tx, accountId, { test, references });
  const identifiers = await readIdentifiersOf(tx, accountId, [...new Set([...matches.values()].flat())]);
  const isShared = sharedNames(rows);

  const sorted = { fresh: [] as Row[], alone: [] as Row[], known: [] as { place: number; shipmentId: string }[] };
  for (const row of rows) {
    const { registration } = row.intake;
    const [match, ...others] = matches.get(row.place) ?? [];
    const holder = registration.reference === null ? undefined : holders.get(registration.reference);
    if (isShared(row) || others.length > 0 || (holder !== undefined && holder !== match)) sorted.alone.push(row);
    else if (match === undefined) sorted.fresh.push(row);
    else if (hasAllIdentifiers(identifiers.get(match) ?? {}, registration)) sorted.known.push({ place: row.place, shipmentId: match });
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

async function createTogether(tx: Tx, work: Omit<ManyWork, 'registrations'> & { rows: readonly Row[] }): Promise<Created[]> {
  const { ctx, caller } = work;
  const { accountId, test } = caller;
  const traceparent = ctx.traceparent();
  const nowMs = ctx.now().getTime();
  const shipments = work.rows.map(({ intake }) => newShipment(intake, nowMs));
  const inserted = await insertShipments(tx, accountId, { test, traceparent, shipments });
  const added = inserted.flatMap(({ place, id, createdAt }) => {
    const shipment = shipments[place];
    const row = work.rows[place];
    return shipment === undefined || row === undefined ? [] : [{ place: row.place, id, createdAt, shipment }];
  });
  const identifiers = added.flatMap(({ id, shipment: { registration } }) =>
    identifierEntries(registration).map((entry) => ({
      ...entry,
      shipmentId: id,
      transportMode: registration.transportMode,
      carrier: registration.carrier,
    })),
  );
  await insertManyIdentifiers(tx, accountId, { test, identifiers });
  const claimed = await insertManyPolling(tx, accountId, {
    claims: added.map(({ id, shipment }) => ({ shipmentId: id, connector: shipment.connector })),
    leaseS: ctx.settings.leaseS,
    maxLeases: ctx.producer === null ? 0 : ctx.settings.maxEagerLeases,
  });
  const claimOf = new Map(claimed.map((claim) => [claim.shipmentId, claim]));
  const changes = added.map(({ id, createdAt, shipment }) => {
    const record = asRead(shipment, { id, accountId, test, createdAt, nextCheckAt: claimOf.get(id)?.nextCheckAt ?? null });
    const data: ChangeData = { shipment: shipmentSnapshot(record), changes: { status: [null, record.journey.status] } };
    return { type: 'shipment.created' as const, shipmentId: id, test, data, traceparent };
  });
  await appendChanges(tx, accountId, changes);
  return added.map(({ place, id, shipment }) => ({
    place,
    shipmentId: id,
    connector: shipment.connector,
    leased: claimOf.get(id)?.leased === true,
  }));
}

function newShipment(intake: Intake, nowMs: number): BulkShipment {
  const { transportMode, identifiers } = intake.registration;
  const knownContainers = knownContainersOf(identifiers);
  return { ...intake, journey: composeJourney({ events: [], transportMode, knownContainers }, nowMs) };
}

type Stored = { id: string; accountId: string; test: boolean; createdAt: string; nextCheckAt: string | null };

/** The shipment as reading it would give it. */
function asRead({ registration, carrierName, journey, warnings }: BulkShipment, stored: Stored): Shipment {
  const { nextCheckAt, ...columns } = stored;
  return {
    ...columns,
    ...registration,
    carrierName,
    statusChangedAt: null,
    journey,
    tracking: {
      state: 'queued',
      reason: null,
      freshness: 'never',
      source: null,
      lastAttemptedAt: null,
      lastSucceededAt: null,
      lastChangedAt: null,
      nextCheckAt,
      consecutiveFailures: 0,
      traceId: null,
    },
    warnings,
    updatedAt: stored.createdAt,
    archivedAt: null,
    version: 1,
  };
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
