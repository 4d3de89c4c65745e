import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Note } from '#shared/domain/notes/note.ts';
import { changeNoteEntries } from '#shared/store/alerts/note-entries.ts';
import { readNote, updateNote } from '#shared/store/notes/notes.ts';
import type { CoreContext } from '../core-context.ts';
import { lockRecipients, notifyMembers } from '../notices/notify-members.ts';
import { noEffect, refuseArchived, runVerb, type VerbSubject } from '../shipments/run-verb.ts';
import { auditNote, isAuthor, mentionOfNote, noSuchNote, noteKey, readMentioned } from './note-subject.ts';

/**
 * Replaces the text of one's own note and notifies members that it mentions for the first time. The same text changes
 * nothing. Throws LandfallError `shipment_not_found`, `note_not_found`, `not_the_author`, `invalid_state` for an
 * archived shipment, or `validation_failed` for a new mention of somebody who is not a member.
 */
export async function editNote(
  ctx: CoreContext,
  caller: Caller,
  { shipmentId, noteId, text }: { shipmentId: string; noteId: string; text: string },
): Promise<Note> {
  const { accountId } = caller;
  let edited: Note | null = null;
  await runVerb(ctx, caller, shipmentId, async (subject) => {
    const { tx } = subject;
    const before = await readNote(tx, accountId, { shipmentId, id: noteId });
    if (before === null) throw noSuchNote();
    if (!isAuthor(caller, before)) throw new LandfallError('not_the_author', 'Only its author can edit a note.');
    refuseArchived(subject);
    if (before.text === text) {
      edited = before;
      return noEffect;
    }
    edited = await rewrite(ctx, subject, caller, { before, text });
    const { id, author, mentions } = edited;
    return {
      visible: [
        {
          type: 'shipment.note_edited',
          changes: {},
          note: { id, author, mentions: mentions.map(({ userId }) => userId) },
        },
      ],
      refresh: null,
    };
  });
  if (edited === null) throw new Error('the note just edited is missing');
  return edited;
}

async function rewrite(
  ctx: CoreContext,
  { tx, shipment }: VerbSubject,
  caller: Caller,
  { before, text }: { before: Note; text: string },
): Promise<Note> {
  const { accountId } = caller;
  const { id } = before;
  const shipmentId = shipment.id;
  const known = before.mentions.map(({ userId }) => userId);
  const mentioned = (await readMentioned(tx, accountId, { text, known })).map(({ userId }) => userId);
  const newcomers = mentioned.filter((userId) => !known.includes(userId) && userId !== caller.userId);
  await lockRecipients(tx, accountId, newcomers);
  await updateNote(tx, accountId, { id, shipmentId, text, mentions: mentioned });
  const note = await readNote(tx, accountId, { shipmentId, id });
  if (note === null) throw new Error('the note just edited cannot be read');
  const notification = mentionOfNote(shipment, note);
  await changeNoteEntries(tx, accountId, {
    shipmentId,
    key: notification.key,
    lines: notification.lines,
    userIds: mentioned,
  });
  await notifyMembers(ctx, tx, { accountId, userIds: newcomers, notification });
  await auditNote(tx, caller, { action: 'edited', shipmentId, detail: { note: noteKey(id), edits: note.edits } });
  return note;
}
