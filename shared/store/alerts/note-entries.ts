import type { Tx } from '../with-account.ts';

/** The entries about one note or one assignment. */
type EntriesOf = { shipmentId: string; key: string };

/** Replaces what entries say, whether or not they have been sent. Those that wait for members beyond `userIds` go. */
export async function changeNoteEntries(
  tx: Tx,
  accountId: string,
  { shipmentId, key, lines, userIds }: EntriesOf & { lines: readonly string[]; userIds: readonly string[] },
): Promise<void> {
  await tx.query({
    name: 'change-note-entries',
    text: `
      with gone as (
        delete from landfall.alert_entries
        where account_id = $1 and shipment_id = $2 and key = $3 and message_id is null and user_id <> all ($5::uuid[])
      )
      update landfall.alert_entries
      set facts = jsonb_set(facts, '{lines}', $4::jsonb)
      where account_id = $1 and shipment_id = $2 and key = $3 and (message_id is not null or user_id = any ($5::uuid[]))`,
    values: [accountId, shipmentId, key, JSON.stringify(lines), userIds],
  });
}

/** Takes back unsent assignments of one member: somebody else has the shipment by now. */
export async function forgetAssignments(
  tx: Tx,
  accountId: string,
  { shipmentId, userId }: { shipmentId: string; userId: string },
): Promise<void> {
  await tx.query({
    name: 'forget-assignments',
    text: `
      delete from landfall.alert_entries
      where account_id = $1 and shipment_id = $2 and user_id = $3 and key like 'assigned %' and message_id is null`,
    values: [accountId, shipmentId, userId],
  });
}
