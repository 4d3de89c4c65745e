import type { Caller } from '#shared/domain/caller.ts';
import { lookupKeys, matchValue, matchValues } from '#shared/domain/registration/identifiers.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { findListedNumbers } from '#shared/store/lists/find-listed-numbers.ts';
import type { Candidate } from '#shared/store/lists/shipment-filter.ts';
import type { Tx } from '#shared/store/with-account.ts';

/** Shipments with one of the listed numbers, and which numbers are whose. */
export type FoundListed = {
  candidates: Candidate[];
  /** By uuid: its numbers as they were sent. */
  matched: Map<string, string[]>;
  /** Numbers that no shipment of the account has, archived ones included. */
  notFound: string[];
};

/** Finds the shipments that have one of the numbers: any identifier, the reference or the shipment id. */
export async function findListed(
  tx: Tx,
  { accountId, test }: Caller,
  numbers: readonly string[],
): Promise<FoundListed> {
  const rows = await findListedNumbers(
    tx,
    { accountId, test, keys: lookupKeys('auto') },
    numbers.map((number) => ({
      candidates: matchValue(number) === '' ? [] : matchValues(null, number, null).candidates,
      reference: number,
      shipmentId: decodeTypeId('shp', number.toLowerCase()),
    })),
  );
  const found = new Set(rows.flatMap(({ places }) => places));
  return {
    candidates: rows.map(({ id, createdAtMs }) => ({ id, createdAtMs })),
    matched: new Map(rows.map(({ id, places }) => [id, places.map((place) => numbers[place] ?? '')])),
    notFound: numbers.filter((_number, place) => !found.has(place)),
  };
}
