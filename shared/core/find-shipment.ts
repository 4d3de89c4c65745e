import type { Caller } from '#shared/domain/caller.ts';
import { findCarrier } from '#shared/domain/carrier-catalogue.ts';
import { failedCheckDigit } from '#shared/domain/check-digits.ts';
import { type LookupType, lookupKeys, type MatchCandidate, matchValue, matchValues } from '#shared/domain/identifiers.ts';
import { editDistance } from '#shared/domain/nearest.ts';
import type { IdentifierKey, Shipment } from '#shared/domain/shipment.ts';
import type { TransportMode } from '#shared/domain/transport-mode.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { findByNumbers, findNearbyNumbers, type NumberSearch } from '#shared/store/find-shipments.ts';
import { readShipment } from '#shared/store/shipments.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

export type FindInput = { identifier: string; identifierType: LookupType; carrier?: string[]; transportMode?: TransportMode[] };

export type FoundShipments = {
  /** At most 10: those under way first, then the newest. */
  matches: Shipment[];
  /** What was looked through: `shipment_id` and identifier keys. */
  searched: string[];
  /** When nothing matched: stored numbers that look alike, nearest first. `shipmentId` is a uuid. */
  nearest: { shipmentId: string; identifier: string }[];
  /** When nothing matched and the number's check digit does not fit: the digit that would. */
  checkDigit: { expected: string } | null;
};

const maxMatches = 10;
const maxNearest = 3;

/** Finds shipments by any number that a person may hold in hand. Finding none is an answer, not an error. */
export async function findShipment(ctx: CoreContext, caller: Caller, input: FindInput): Promise<FoundShipments> {
  const sought = input.identifier.trim();
  const keys = lookupKeys(input.identifierType);
  const mayBeId = input.identifierType === 'shipment_id' || input.identifierType === 'auto';
  const shipmentId = mayBeId ? decodeTypeId('shp', sought) : null;
  const searched = [...(mayBeId ? ['shipment_id'] : []), ...keys];
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    const matches = shipmentId === null ? await findByNumber(tx, caller, { input, sought, keys }) : await findById(tx, caller, shipmentId);
    if (matches.length > 0 || keys.length === 0) return { matches, searched, nearest: [], checkDigit: null };
    const expected = failedCheckDigit(onlyKey(input.identifierType), sought);
    return {
      matches,
      searched,
      nearest: await findNearest(tx, caller, { sought, keys }),
      checkDigit: expected === null ? null : { expected },
    };
  });
}

async function findById(tx: Tx, caller: Caller, id: string): Promise<Shipment[]> {
  const shipment = await readShipment(tx, caller.accountId, { id, test: caller.test });
  return shipment === null ? [] : [shipment];
}

async function findByNumber(
  tx: Tx,
  caller: Caller,
  { input, sought, keys }: { input: FindInput; sought: string; keys: readonly IdentifierKey[] },
): Promise<Shipment[]> {
  if (keys.length === 0 || matchValue(sought) === '') return [];
  const carriers = input.carrier?.map((code) => findCarrier(code)?.code ?? code) ?? null;
  const search: NumberSearch = { test: caller.test, keys, carrier: carriers, transportMode: input.transportMode ?? null };
  return findByNumbers(tx, caller.accountId, { ...search, candidates: candidatesOf(sought), limit: maxMatches });
}

function candidatesOf(sought: string): MatchCandidate[] {
  return matchValues(null, sought, null).candidates;
}

type NearestSearch = { sought: string; keys: readonly IdentifierKey[] };

/** Numbers that share the beginning (all but the last four characters, at least three) and are at most three edits away. */
async function findNearest(tx: Tx, caller: Caller, { sought, keys }: NearestSearch): Promise<FoundShipments['nearest']> {
  const plain = candidatesOf(sought).at(-1)?.value ?? matchValue(sought);
  if (plain.length < 4) return [];
  const prefix = plain.slice(0, Math.max(3, plain.length - 4));
  const nearby = await findNearbyNumbers(tx, caller.accountId, { test: caller.test, keys, prefix });
  return nearby
    .map((number) => ({ ...number, distance: editDistance(plain, number.matchValue) }))
    .filter((number) => number.distance <= 3)
    .sort((left, right) => left.distance - right.distance)
    .filter((number, place, all) => all.findIndex((other) => other.shipmentId === number.shipmentId) === place)
    .slice(0, maxNearest)
    .map((number) => ({ shipmentId: number.shipmentId, identifier: number.value }));
}

function onlyKey(type: LookupType): IdentifierKey | null {
  if (type === 'container' || type === 'awb') return type;
  return null;
}
