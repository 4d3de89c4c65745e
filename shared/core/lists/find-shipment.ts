import type { Caller } from '#shared/domain/caller.ts';
import { findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { editDistance } from '#shared/domain/nearest.ts';
import { type IdentifierKey, identifierKeys, type Shipment } from '#shared/domain/record/shipment.ts';
import { failedCheckDigit } from '#shared/domain/registration/check-digits.ts';
import {
  type LookupType,
  lookupKeys,
  type MatchCandidate,
  matchValue,
  matchValues,
} from '#shared/domain/registration/identifiers.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { findByNumbers, findNearbyNumbers, type NumberSearch } from '#shared/store/lists/find-shipments.ts';
import { readShipmentPage } from '#shared/store/lists/shipment-list.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { type Tx, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type FindInput = {
  identifier: string;
  identifierType: LookupType;
  carrier?: string[];
  transportMode?: TransportMode[];
};

export type FoundShipments = {
  /** At most 10: active ones first, then the newest. Archived ones if there are no others. */
  matches: Shipment[];
  /** True when more shipments match. */
  hasMore: boolean;
  /** Searched columns: `shipment_id`, identifier keys and `reference`. */
  searched: string[];
  /** If nothing matched: at most 3 shipments with the number under another key, or with another carrier or mode. */
  elsewhere: { shipment: Shipment; key: IdentifierKey | 'shipment_id' | 'reference' }[];
  /** If nothing matched: similar stored numbers, nearest first. `shipmentId` is a uuid. */
  nearest: { shipmentId: string; identifier: string }[];
  /** If nothing matched and the check digit is wrong: the digit that would be right. */
  checkDigit: { expected: string } | null;
};

const maxMatches = 10;
const maxNearest = 3;
const maxElsewhere = 3;

/** Finds shipments by any number that a person may have. Finding none is a result, not an error. */
export async function findShipment(ctx: CoreContext, caller: Caller, input: FindInput): Promise<FoundShipments> {
  const search = readSearch(input);
  return withAccountReads(ctx.store, caller.accountId, async (tx) => {
    const found = await findMatches(tx, caller, search);
    const matches = found.slice(0, maxMatches);
    const nothing = {
      matches,
      hasMore: found.length > maxMatches,
      searched: search.searched,
      elsewhere: [],
      nearest: [],
      checkDigit: null,
    };
    if (matches.length > 0) return nothing;
    const elsewhere = isWidest(input)
      ? []
      : await findMatches(tx, caller, readSearch({ ...widest, identifier: input.identifier }));
    const { sought, keys } = search;
    const expected =
      keys.length === 0 || input.identifierType === 'bol'
        ? null
        : failedCheckDigit(onlyKey(input), sought, onlyCarrier(input));
    return {
      ...nothing,
      elsewhere: elsewhere.slice(0, maxElsewhere).map((shipment) => ({ shipment, key: keyOf(shipment, sought) })),
      nearest: elsewhere.length > 0 || keys.length === 0 ? [] : await findNearest(tx, caller, { sought, keys }),
      checkDigit: expected === null ? null : { expected },
    };
  });
}

const widest = { identifierType: 'auto' } as const;

function isWidest({ identifierType, carrier, transportMode }: FindInput): boolean {
  return identifierType === 'auto' && carrier === undefined && transportMode === undefined;
}

type Search = {
  input: FindInput;
  sought: string;
  keys: readonly IdentifierKey[];
  shipmentId: string | null;
  searched: string[];
};

/** Ids are lower case, but people paste them in any case. */
function readSearch(input: FindInput): Search {
  const sought = input.identifier.trim();
  const keys = lookupKeys(input.identifierType);
  const isAny = input.identifierType === 'auto';
  const mayBeId = isAny || input.identifierType === 'shipment_id';
  const searched = [...(mayBeId ? ['shipment_id'] : []), ...keys, ...(isAny ? ['reference'] : [])];
  return { input, sought, keys, shipmentId: mayBeId ? decodeTypeId('shp', sought.toLowerCase()) : null, searched };
}

/** Archived shipments only if no other one matches. Reads one more than is returned, for `hasMore`. */
async function findMatches(tx: Tx, caller: Caller, search: Search): Promise<Shipment[]> {
  if (search.shipmentId !== null) return findById(tx, caller, search.shipmentId);
  for (const archived of [false, true]) {
    const numbered = await findByNumber(tx, caller, { ...search, archived });
    if (numbered.length > 0) return numbered;
    if (search.input.identifierType !== 'auto') continue;
    const referenced = await findByReference(tx, caller, { ...search, archived });
    if (referenced.length > 0) return referenced;
  }
  return [];
}

type InArchive = Search & { archived: boolean };

async function findByReference(
  tx: Tx,
  { accountId, test }: Caller,
  { input, sought, archived }: InArchive,
): Promise<Shipment[]> {
  const { carrier, transportMode } = input;
  const filter = {
    reference: [sought],
    archived,
    ...(carrier === undefined ? {} : { carrier: codesOf(carrier) }),
    ...(transportMode === undefined ? {} : { transportMode }),
  };
  const page = { sort: '-created_at', limit: maxMatches + 1, after: null, withEvents: true } as const;
  return (await readShipmentPage(tx, { accountId, test, filter }, page)).shipments;
}

function keyOf(shipment: Shipment, sought: string): FoundShipments['elsewhere'][number]['key'] {
  if (decodeTypeId('shp', sought.toLowerCase()) === shipment.id) return 'shipment_id';
  const values = candidatesOf(sought).map((candidate) => candidate.value);
  const isSought = (number: string, key: IdentifierKey) =>
    values.includes(matchValues(key, number, shipment.carrier).stored);
  const own = identifierKeys.find((key) => isSought(shipment.identifiers[key] ?? '', key));
  if (own !== undefined) return own;
  return shipment.references.includes(sought) ? 'reference' : 'container';
}

async function findById(tx: Tx, caller: Caller, id: string): Promise<Shipment[]> {
  const shipment = await readShipment(tx, caller.accountId, { id, test: caller.test });
  return shipment === null ? [] : [shipment];
}

async function findByNumber(tx: Tx, caller: Caller, { input, sought, keys, archived }: InArchive): Promise<Shipment[]> {
  if (keys.length === 0 || matchValue(sought) === '') return [];
  const carrier = input.carrier === undefined ? null : codesOf(input.carrier);
  const transportMode = input.transportMode ?? null;
  const search: NumberSearch = { test: caller.test, keys, carrier, transportMode, archived };
  return findByNumbers(tx, caller.accountId, { ...search, candidates: candidatesOf(sought), limit: maxMatches + 1 });
}

function codesOf(carriers: readonly string[]): string[] {
  return carriers.map((code) => findCarrierByName(code)?.code ?? code);
}

function candidatesOf(sought: string): MatchCandidate[] {
  return matchValues(null, sought, null).candidates;
}

type NearestSearch = { sought: string; keys: readonly IdentifierKey[] };

/** Numbers with the same beginning (all but the last four characters, at least three) and at most three edits away. */
async function findNearest(
  tx: Tx,
  caller: Caller,
  { sought, keys }: NearestSearch,
): Promise<FoundShipments['nearest']> {
  const plain = candidatesOf(sought).at(-1)?.value ?? matchValue(sought);
  if (plain.length < 4) return [];
  const prefix = plain.slice(0, Math.max(3, plain.length - 4));
  const nearby = await findNearbyNumbers(tx, caller.accountId, { test: caller.test, keys, prefix });
  return (
    nearby
      .map((number) => ({ ...number, distance: editDistance(plain, number.matchValue) }))
      // The searched number itself is no suggestion, whatever it was not found for.
      .filter((number) => number.distance > 0 && number.distance <= 3)
      .sort((left, right) => left.distance - right.distance)
      .filter((number, place, all) => all.findIndex((other) => other.shipmentId === number.shipmentId) === place)
      .slice(0, maxNearest)
      .map((number) => ({ shipmentId: number.shipmentId, identifier: number.value }))
  );
}

function onlyKey({ identifierType }: FindInput): IdentifierKey | null {
  return identifierType === 'container' || identifierType === 'awb' ? identifierType : null;
}

function onlyCarrier({ carrier = [] }: FindInput): string | null {
  const [code, another] = codesOf(carrier);
  return code === undefined || another !== undefined ? null : code;
}
