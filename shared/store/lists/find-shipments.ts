import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey, Shipment } from '#shared/domain/record/shipment.ts';
import type { MatchCandidate } from '#shared/domain/registration/identifiers.ts';
import { readRows } from '../read-rows.ts';
import { identifierCondition } from '../registration/identifiers.ts';
import { type StoredShipmentRow, shipmentColumns, shipmentTables, toShipment } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';
import { filterCondition } from './shipment-filter.ts';

export type NumberSearch = {
  test: boolean;
  keys: readonly IdentifierKey[];
  carrier: string[] | null;
  transportMode: TransportMode[] | null;
  archived: boolean;
};

/**
 * Shipments that have one of the candidates, including containers from the carrier. Active ones first, then the newest.
 * At most `limit`.
 */
export async function findByNumbers(
  tx: Tx,
  accountId: string,
  search: NumberSearch & { candidates: readonly MatchCandidate[]; limit: number },
): Promise<Shipment[]> {
  const { text, values, add } = filterCondition({
    accountId,
    test: search.test,
    filter: {
      ...(search.carrier === null ? {} : { carrier: search.carrier }),
      ...(search.transportMode === null ? {} : { transportMode: search.transportMode }),
      archived: search.archived,
    },
  });
  const rows = await readRows<StoredShipmentRow>(tx, {
    text: `
      select ${shipmentColumns}
      from ${shipmentTables}
      where ${text}
        and ${identifierCondition(add, search.candidates, search.keys)}
      order by (s.closed_at is null) desc, s.created_at desc, s.id desc
      limit ${add(search.limit)}`,
    values,
  });
  return rows.map(toShipment);
}

export type NearbyNumber = { shipmentId: string; value: string; matchValue: string };

/** Numbers of the account that start with `prefix` (upper case, without separators), at most 200. */
export async function findNearbyNumbers(
  tx: Tx,
  accountId: string,
  search: { test: boolean; keys: readonly IdentifierKey[]; prefix: string },
): Promise<NearbyNumber[]> {
  return readRows<{ shipmentId: string; value: string; matchValue: string }>(tx, {
    name: 'find-nearby-numbers',
    text: `
      select shipment_id, value, match_value
      from landfall.shipment_identifiers
      where account_id = $1 and match_value >= $2 and match_value < $3 and test = $4 and key = any($5)
      order by match_value
      limit 200`,
    // U+10FFFF sorts after every character of a number.
    values: [accountId, search.prefix, `${search.prefix}\u{10ffff}`, search.test, search.keys],
  });
}
