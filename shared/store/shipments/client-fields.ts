import { searchWords } from '#shared/domain/lists/search-terms.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import type { IdentifierEntry } from '#shared/domain/registration/identifiers.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { storedReferences } from './shipment-row.ts';

/**
 * State of the numbers of a locked shipment: whether they block a second registration, and whether they may do so again
 * after it is restored from the archive.
 */
export type Openness = { open: boolean; closed: boolean; mayOpen: boolean };

/** `openDaysAfterClosing`: how long a closed shipment keeps its numbers. */
export async function readOpenness(
  tx: Tx,
  accountId: string,
  subject: { shipmentId: string; openDaysAfterClosing: number },
): Promise<Openness> {
  const [row] = await readRows<{ open: boolean; closed: boolean; mayOpen: boolean }>(tx, {
    name: 'read-openness',
    text: `
      select open, closed_at is not null as closed,
        closed_at is null or closed_at > now() - make_interval(days => $3) as may_open
      from landfall.shipments
      where account_id = $1 and id = $2`,
    values: [accountId, subject.shipmentId, subject.openDaysAfterClosing],
  });
  if (row === undefined) throw new Error('the locked shipment is missing');
  return { open: row.open, closed: row.closed, mayOpen: row.mayOpen };
}

/** Stores all client fields of a locked shipment as one visible change. `archived` null leaves it unchanged. */
export async function updateClientFields(
  tx: Tx,
  accountId: string,
  change: { shipment: Shipment; connector: string; archived: boolean | null; open: boolean },
): Promise<void> {
  const { shipment } = change;
  const words = searchWords(shipment);
  await tx.query({
    name: 'update-client-fields',
    text: `
      update landfall.shipments
      set reference = $3, tags = $4, metadata = $5::jsonb, identifiers = $6::jsonb, warnings = $7::jsonb, carrier = $8, carrier_name = $9,
        connector = $10, destination_postal_code = $11, search_text = $12, open = $13, search_terms = $15, manual_free_days = $16::jsonb,
        assignee_id = $17, reference_list = $18,
        archived_at = case when $14::boolean is null then archived_at when $14 then now() end,
        updated_at = now(), version = version + 1
      where account_id = $1 and id = $2`,
    values: [
      accountId,
      shipment.id,
      shipment.reference,
      shipment.tags,
      JSON.stringify(shipment.metadata),
      JSON.stringify(shipment.identifiers),
      JSON.stringify(shipment.warnings),
      shipment.carrier,
      shipment.carrierName,
      change.connector,
      shipment.destinationPostalCode,
      words.searchText,
      change.open,
      change.archived,
      words.searchTerms,
      JSON.stringify(shipment.manualFreeDays ?? []),
      shipment.assignee?.userId ?? null,
      storedReferences(shipment.references),
    ],
  });
}

/** Marks locked shipments as visibly changed when the change itself is stored elsewhere. */
export async function touchShipments(tx: Tx, accountId: string, shipmentIds: readonly string[]): Promise<void> {
  if (shipmentIds.length === 0) return;
  await tx.query({
    name: 'touch-shipments',
    text: 'update landfall.shipments set updated_at = now(), version = version + 1 where account_id = $1 and id = any ($2::uuid[])',
    values: [accountId, shipmentIds],
  });
}

/** Deletes the client's numbers, to be inserted again under another carrier. */
export async function deleteClientNumbers(tx: Tx, accountId: string, shipmentId: string): Promise<void> {
  await tx.query({
    name: 'delete-client-numbers',
    text: `delete from landfall.shipment_identifiers where account_id = $1 and shipment_id = $2 and source = 'client'`,
    values: [accountId, shipmentId],
  });
}

/**
 * Adds the client's numbers of a locked shipment, in sorted order so that writers that share several wait for each
 * other. Throws a unique violation of `openIdentifierConstraint` when they are open and another open shipment has one.
 */
export async function insertClientNumbers(
  tx: Tx,
  accountId: string,
  added: { shipment: Shipment; entries: readonly IdentifierEntry[]; open: boolean },
): Promise<void> {
  if (added.entries.length === 0) return;
  const { id, test, transportMode, carrier } = added.shipment;
  await tx.query({
    name: 'insert-client-numbers',
    text: `
      insert into landfall.shipment_identifiers (
        account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier, open
      )
      select $1, $2, e.key, e.value, e."matchValue", 'client', $3, $4, $5, $6
      from json_to_recordset($7::json) as e (key text, value text, "matchValue" text)
      order by e.key collate "C", e."matchValue" collate "C"`,
    values: [accountId, id, test, transportMode, carrier, added.open, JSON.stringify(added.entries)],
  });
}

/**
 * Opens or closes all numbers of a locked shipment. Throws a unique violation of `openIdentifierConstraint` as above.
 */
export async function setNumbersOpen(
  tx: Tx,
  accountId: string,
  change: { shipmentId: string; open: boolean },
): Promise<void> {
  await tx.query({
    name: 'set-numbers-open',
    text: 'update landfall.shipment_identifiers set open = $3 where account_id = $1 and shipment_id = $2 and open <> $3',
    values: [accountId, change.shipmentId, change.open],
  });
}

/** Voids the client's cancellation, not those that its sources pushed. True when there was one. */
export async function voidClientCancellation(tx: Tx, accountId: string, shipmentId: string): Promise<boolean> {
  const result = await tx.query({
    name: 'void-client-cancellation',
    text: `
      update landfall.events
      set voided_at = now()
      where account_id = $1 and shipment_id = $2 and source = 'client' and code = 'cancelled' and voided_at is null
        and rest -> 'details' -> 'sourceName' is null`,
    values: [accountId, shipmentId],
  });
  return (result.rowCount ?? 0) > 0;
}
