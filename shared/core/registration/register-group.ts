import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { type IdempotencyKey, storeIdempotencies } from '#shared/store/registration/idempotency.ts';
import { isStatementTimeout } from '#shared/store/store-errors.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import { type Tx, withAccountByIndex } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { findAnswers, idempotencyKeyOf } from './answer-once.ts';
import type { FirstRefresh } from './enqueue-first-refreshes.ts';
import { type NewRow, type RowResult, registerRows } from './register-many.ts';
import { retryLostRaces } from './retry-lost-races.ts';
import type { Settled } from './work-groups.ts';

/** One request of a group. */
export type GroupMember = NewRow & { caller: Caller };

export type RegistrationResult = {
  outcome: 'created' | 'existing';
  /** The answer of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  shipment: Shipment;
};

/** `firstRefreshes` are claimed and committed: put them on the queue. */
export type GroupRegistered = { answers: Settled<RegistrationResult>[]; firstRefreshes: FirstRefresh[] };

type Members = readonly [GroupMember, ...GroupMember[]];

/** So few that other accounts find connections too. */
const aloneAtOnce = 4;

/**
 * Registers requests of one account and one side of test mode in one transaction, with an answer for each. No two may have the same
 * Idempotency-Key. When the transaction fails, each is tried on its own, so that none fails for another's sake; a database that is away
 * fails them all at once.
 */
export async function registerGroup(ctx: CoreContext, members: Members): Promise<GroupRegistered> {
  if (members.length === 1) return registerAlone(ctx, members[0]);
  try {
    return await registerTogether(ctx, members);
  } catch (error) {
    if (isAway(error)) return { answers: members.map(() => error), firstRefreshes: [] };
    ctx.log.warn(
      { err: error, members: members.length },
      'a group of registrations failed and is registered one by one',
    );
    const groups: GroupRegistered[] = [];
    for (let start = 0; start < members.length; start += aloneAtOnce) {
      groups.push(
        ...(await Promise.all(members.slice(start, start + aloneAtOnce).map((member) => registerAlone(ctx, member)))),
      );
    }
    return {
      answers: groups.flatMap((group) => group.answers),
      firstRefreshes: groups.flatMap((group) => group.firstRefreshes),
    };
  }
}

async function registerAlone(ctx: CoreContext, member: GroupMember): Promise<GroupRegistered> {
  try {
    return await retryLostRaces(() => registerTogether(ctx, [member]));
  } catch (error) {
    return {
      answers: [error instanceof Error ? error : new Error('a registration failed', { cause: error })],
      firstRefreshes: [],
    };
  }
}

/** A statement that took too long may have waited for what only one member is about. */
function isAway(error: unknown): error is LandfallError {
  return error instanceof LandfallError && error.code === 'unavailable' && !isStatementTimeout(error.cause);
}

function registerTogether(ctx: CoreContext, members: Members): Promise<GroupRegistered> {
  const [{ caller }] = members;
  return withAccountByIndex(ctx.store, caller.accountId, (tx) =>
    registerWithin(tx, { ctx, members, accountId: caller.accountId, test: caller.test }),
  );
}

type Group = { ctx: CoreContext; members: Members; accountId: string; test: boolean };
type Kept = Pick<RegistrationResult, 'outcome' | 'shipment'>;
type Keyed = { place: number; key: IdempotencyKey };

async function registerWithin(tx: Tx, { ctx, members, accountId, test }: Group): Promise<GroupRegistered> {
  const answers: Settled<RegistrationResult>[] = [];
  const keyed = members.flatMap(({ caller }, place): Keyed[] => {
    const key = idempotencyKeyOf(caller);
    return key === null ? [] : [{ place, key }];
  });
  const keys = keyed.map(({ key }) => key);
  for (const [index, earlier] of (await findAnswers<Kept>(tx, accountId, keys)).entries()) {
    const place = keyed[index]?.place;
    if (earlier === null || place === undefined) continue;
    answers[place] = earlier instanceof LandfallError ? earlier : { ...earlier, replayed: true };
  }

  const rows = members.flatMap((member, place) => (answers[place] === undefined ? [{ ...member, place }] : []));
  const { results, firstRefreshes } = await registerRows(tx, { ctx, caller: { accountId, test }, rows });
  const unread = results.flatMap((result) =>
    result.outcome !== 'failed' && result.shipment === null ? [result.shipmentId] : [],
  );
  const shipments = await readShipments(tx, accountId, unread);
  for (const [index, { place }] of rows.entries()) answers[place] = toAnswer(results[index], shipments);

  const stored = keyed.flatMap(({ place, key }) => {
    const answer = answers[place];
    if (answer === undefined || answer instanceof Error || answer.replayed) return [];
    const { outcome, shipment } = answer;
    return [{ ...key, response: { outcome, shipment } satisfies Kept }];
  });
  await storeIdempotencies(tx, accountId, stored);
  return { answers, firstRefreshes };
}

function toAnswer(result: RowResult | undefined, shipments: Map<string, Shipment>): Settled<RegistrationResult> {
  if (result?.outcome === 'failed') return result.error;
  const shipment = result === undefined ? undefined : (result.shipment ?? shipments.get(result.shipmentId));
  if (result === undefined || shipment === undefined) throw new Error('a registration of the group has no result');
  return { outcome: result.outcome, replayed: false, shipment };
}
