import type { Note } from '#shared/domain/notes/note.ts';
import { readPeopleByName } from '../auth/account-directory.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type NoteRow = {
  id: string;
  shipmentId: string;
  userId: string | null;
  keyId: string | null;
  authorName: string | null;
  text: string;
  mentions: string[];
  createdAt: string;
  editedAt: string | null;
  edits: number;
};

const columns = `
        n.id, n.shipment_id, n.user_id, n.key_id, coalesce(a.name, k.name) as author_name, n.text, n.mentions, n.created_at, n.edited_at,
        n.edits`;
const authors = `
      left join landfall.account_members as a on a.account_id = n.account_id and a.user_id = n.user_id
      left join landfall.api_keys as k on k.account_id = n.account_id and k.id = n.key_id`;

/** Notes of a shipment, newest first, before the one with the id `before`. */
export async function readNotes(
  tx: Tx,
  accountId: string,
  { shipmentId, before, limit }: { shipmentId: string; before: string | null; limit: number },
): Promise<Note[]> {
  const rows = await readRows<NoteRow>(tx, {
    name: 'read-notes',
    text: `
      select ${columns}
      from landfall.notes as n ${authors}
      where n.account_id = $1 and n.shipment_id = $2 and ($3::uuid is null or n.id < $3)
      order by n.id desc
      limit $4`,
    values: [accountId, shipmentId, before, limit],
  });
  return toNotes(tx, accountId, rows);
}

/** Null: the shipment has no such note. */
export async function readNote(
  tx: Tx,
  accountId: string,
  { shipmentId, id }: { shipmentId: string; id: string },
): Promise<Note | null> {
  const rows = await readRows<NoteRow>(tx, {
    name: 'read-note',
    text: `
      select ${columns}
      from landfall.notes as n ${authors}
      where n.account_id = $1 and n.shipment_id = $2 and n.id = $3`,
    values: [accountId, shipmentId, id],
  });
  return (await toNotes(tx, accountId, rows))[0] ?? null;
}

/** Adds a note to a locked shipment, as a visible change of it. */
export async function insertNote(
  tx: Tx,
  accountId: string,
  note: Pick<Note, 'id' | 'shipmentId' | 'text'> & {
    userId: string | null;
    keyId: string | null;
    mentions: readonly string[];
  },
): Promise<void> {
  await tx.query({
    name: 'insert-note',
    text: `
      with added as (
        insert into landfall.notes (account_id, id, shipment_id, user_id, key_id, text, mentions)
        values ($1, $2, $3, $4, $5, $6, $7::uuid[])
      )
      update landfall.shipments
      set notes_count = notes_count + 1, updated_at = now(), version = version + 1
      where account_id = $1 and id = $3`,
    values: [accountId, note.id, note.shipmentId, note.userId, note.keyId, note.text, note.mentions],
  });
}

/** Replaces the text of a note of a locked shipment. */
export async function updateNote(
  tx: Tx,
  accountId: string,
  note: Pick<Note, 'id' | 'shipmentId' | 'text'> & { mentions: readonly string[] },
): Promise<void> {
  await tx.query({
    name: 'update-note',
    text: `
      with edited as (
        update landfall.notes
        set text = $4, mentions = $5::uuid[], edited_at = now(), edits = edits + 1
        where account_id = $1 and shipment_id = $3 and id = $2
      )
      update landfall.shipments set updated_at = now(), version = version + 1 where account_id = $1 and id = $3`,
    values: [accountId, note.id, note.shipmentId, note.text, note.mentions],
  });
}

/** Deletes a note of a locked shipment. */
export async function deleteNoteRow(
  tx: Tx,
  accountId: string,
  { shipmentId, id }: { shipmentId: string; id: string },
): Promise<void> {
  await tx.query({
    name: 'delete-note',
    text: `
      with gone as (
        delete from landfall.notes where account_id = $1 and shipment_id = $3 and id = $2 returning id
      )
      update landfall.shipments
      set notes_count = notes_count - (select count(*)::integer from gone), updated_at = now(), version = version + 1
      where account_id = $1 and id = $3`,
    values: [accountId, id, shipmentId],
  });
}

async function toNotes(tx: Tx, accountId: string, rows: readonly NoteRow[]): Promise<Note[]> {
  const people = await readPeopleByName(tx, accountId, [...new Set(rows.flatMap(({ mentions }) => mentions))]);
  return rows.map((row) => ({
    id: row.id,
    shipmentId: row.shipmentId,
    author: {
      kind: row.userId === null ? 'api_key' : 'member',
      id: row.userId ?? row.keyId ?? '',
      name: row.authorName,
    },
    text: row.text,
    mentions: row.mentions.flatMap((userId) => people.get(userId) ?? []),
    createdAt: row.createdAt,
    editedAt: row.editedAt,
    edits: row.edits,
  }));
}
