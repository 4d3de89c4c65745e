import { searchWords } from '#shared/domain/lists/search-terms.ts';
import type { Identifiers, Shipment, Warning } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import { unpackLocked } from '../settling/unpack-shipments.ts';
import type { Tx } from '../with-account.ts';
import {
  type StoredShipmentRow,
  shipmentColumns,
  shipmentTables,
  storedReferences,
  toShipment,
} from './shipment-row.ts';

/** The whole shipment. Null when the account has none with this id in this mode (test or live). */
export async function readShipment(
  tx: Tx,
  accountId: string,
  subject: { id: string; test: boolean },
): Promise<Shipment | null> {
  const rows = await readRows<StoredShipmentRow>(tx, {
    name: 'read-shipment',
    text: `
      select ${shipmentColumns}
      from ${shipmentTables}
      where s.account_id = $1 and s.id = $2 and s.test = $3`,
    values: [accountId, subject.id, subject.test],
  });
  return rows[0] === undefined ? null : toShipment(rows[0]);
}

/**
 * Locks the shipment until the transaction ends and returns its current state. A settled one is unpacked. Null when
 * there is none.
 */
export async function lockShipment(tx: Tx, accountId: string, shipmentId: string): Promise<Shipment | null> {
  const [row] = await readRows<StoredShipmentRow & { settled: boolean }>(tx, {
    name: 'lock-shipment',
    text: `
      select ${shipmentColumns}, s.settled_at is not null as settled
      from ${shipmentTables}
      where s.account_id = $1 and s.id = $2
      for no key update of s`,
    values: [accountId, shipmentId],
  });
  if (row === undefined) return null;
  if (!row.settled) return toShipment(row);
  await unpackLocked(tx, accountId, [row]);
  // A statement that waited for the lock of settling does not see the packed row that settling wrote.
  return readShipment(tx, accountId, { id: shipmentId, test: row.test });
}

/** Replaces the displayed identifiers and the references of a locked shipment. This is a visible change. */
export async function updateNumbers(
  tx: Tx,
  accountId: string,
  change: { shipment: Shipment; identifiers: Identifiers; references: readonly string[]; warnings: Warning[] },
): Promise<void> {
  const { shipment, identifiers, references, warnings } = change;
  const words = searchWords({ ...shipment, identifiers, references });
  await tx.query({
    name: 'update-numbers',
    text: `
      update landfall.shipments
      set identifiers = $3::jsonb, warnings = $4::jsonb, search_text = $5, search_terms = $6,
        reference = $7, reference_list = $8, updated_at = now(), version = version + 1
      where account_id = $1 and id = $2`,
    values: [
      accountId,
      shipment.id,
      JSON.stringify(identifiers),
      JSON.stringify(warnings),
      words.searchText,
      words.searchTerms,
      references[0] ?? null,
      storedReferences(references),
    ],
  });
}

/** The shipment whose first reference this is, or null. */
export async function findByReference(
  tx: Tx,
  accountId: string,
  subject: { reference: string; test: boolean },
): Promise<string | null> {
  const rows = await readRows<{ id: string }>(tx, {
    name: 'find-by-reference',
    text: 'select id from landfall.shipments where account_id = $1 and test = $2 and reference = $3',
    values: [accountId, subject.test, subject.reference],
  });
  return rows[0]?.id ?? null;
}
