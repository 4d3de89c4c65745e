import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { changeNoteEntries } from '#shared/store/alerts/note-entries.ts';
import { deleteNoteRow, readNote } from '#shared/store/notes/notes.ts';
import type { CoreContext } from '../core-context.ts';
import { runVerb } from '../shipments/run-verb.ts';
import { auditNote, isAuthor, noSuchNote, noteKey } from './note-subject.ts';

/**
 * Deletes one's own note or, with the scope `shipments:delete`, which owners have, any note. Its text is gone from
 * messages, too. Also on an archived shipment. Throws LandfallError `shipment_not_found`, `note_not_found` or
 * `not_the_author`.
 */
export async function deleteNote(
  ctx: CoreContext,
  caller: Caller,
  { shipmentId, noteId }: { shipmentId: string; noteId: string },
): Promise<void> {
  const { accountId } = caller;
  await runVerb(ctx, caller, shipmentId, async ({ tx, shipment }) => {
    const note = await readNote(tx, accountId, { shipmentId, id: noteId });
    if (note === null) throw noSuchNote();
    if (!isAuthor(caller, note) && !caller.scopes.includes('shipments:delete'))
      throw new LandfallError(
        'not_the_author',
        'Only its author, an owner of the account or a key with shipments:delete can delete a note.',
      );
    await deleteNoteRow(tx, accountId, { shipmentId, id: noteId });
    await changeNoteEntries(tx, accountId, {
      shipmentId,
      key: noteKey(noteId),
      lines: ['The note was deleted'],
      userIds: [],
    });
    const { author } = note;
    const writer = encodeTypeId(author.kind === 'member' ? 'user' : 'key', author.id);
    await auditNote(tx, caller, { action: 'deleted', shipmentId, detail: { note: noteKey(noteId), author: writer } });
    const count = shipment.notesCount ?? 0;
    return {
      visible: [
        {
          type: 'shipment.note_deleted',
          changes: { notesCount: [count, count - 1] },
          note: { id: noteId, author, mentions: [] },
        },
      ],
      refresh: null,
    };
  });
}
