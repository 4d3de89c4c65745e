import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxNotes, type Note } from '#shared/domain/notes/note.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { insertNote, readNote } from '#shared/store/notes/notes.ts';
import type { CoreContext } from '../core-context.ts';
import { lockRecipients, notifyMembers } from '../notices/notify-members.ts';
import { findAnswers, keepAnswers } from '../registration/idempotency.ts';
import { noEffect, refuseArchived, runVerb, type VerbSubject } from '../shipments/run-verb.ts';
import { auditNote, mentionOfNote, noSuchNote, noteKey, readMentioned } from './note-subject.ts';

/** Stored result for an Idempotency-Key: the note itself may be edited or deleted until the request is repeated. */
type KeptAnswer = { noteId: string; shipmentId: string };

/**
 * Adds a note to a shipment and notifies the members that it mentions, except its author. Throws LandfallError
 * `shipment_not_found`, `validation_failed` for a mention of somebody who is not a member, `invalid_state` for an
 * archived shipment or one note too many, `idempotency_in_progress`, `idempotency_mismatch`, or `note_not_found` for the
 * repetition of a request whose note was deleted.
 */
export async function addNote(
  ctx: CoreContext,
  caller: Caller,
  { shipmentId, text }: { shipmentId: string; text: string },
): Promise<{ note: Note; replayed: boolean }> {
  let added: { note: Note; replayed: boolean } | null = null;
  await runVerb(ctx, caller, shipmentId, async (subject) => {
    const { tx } = subject;
    const [earlier] = await findAnswers<KeptAnswer>(tx, [caller]);
    if (earlier instanceof LandfallError) throw earlier;
    if (earlier) {
      if (earlier.shipmentId !== shipmentId) {
        const detail = 'This Idempotency-Key was used for a note on another shipment. Use a new key.';
        throw new LandfallError('idempotency_mismatch', detail);
      }
      const note = await readNote(tx, caller.accountId, { shipmentId: earlier.shipmentId, id: earlier.noteId });
      if (note === null) throw noSuchNote();
      added = { note, replayed: true };
      return noEffect;
    }
    const note = await writeNote(ctx, subject, caller, text);
    await keepAnswers(tx, [{ caller }], [{ noteId: note.id, shipmentId } satisfies KeptAnswer]);
    added = { note, replayed: false };
    const { id, author, mentions } = note;
    return {
      visible: [
        {
          type: 'shipment.note_added',
          changes: { notesCount: [subject.shipment.notesCount ?? 0, (subject.shipment.notesCount ?? 0) + 1] },
          note: { id, author, mentions: mentions.map(({ userId }) => userId) },
        },
      ],
      refresh: null,
    };
  });
  if (added === null) throw new Error('a note was neither added nor found');
  return added;
}

async function writeNote(ctx: CoreContext, subject: VerbSubject, caller: Caller, text: string): Promise<Note> {
  const { tx, shipment } = subject;
  const { accountId, userId = null, keyId } = caller;
  refuseArchived(subject);
  if ((shipment.notesCount ?? 0) >= maxNotes)
    throw new LandfallError('invalid_state', `A shipment has at most ${maxNotes} notes. Delete some first.`);
  const mentioned = (await readMentioned(tx, accountId, { text, known: [] })).map((person) => person.userId);
  const listeners = mentioned.filter((id) => id !== userId);
  await lockRecipients(tx, accountId, listeners);
  const id = uuidv7(ctx.now().getTime(), globalThis.crypto.getRandomValues(new Uint8Array(10)));
  const shipmentId = shipment.id;
  const author = { userId, keyId: userId === null ? keyId : null };
  await insertNote(tx, accountId, { id, shipmentId, text, mentions: mentioned, ...author });
  const note = await readNote(tx, accountId, { shipmentId, id });
  if (note === null) throw new Error('the note just written cannot be read');
  await notifyMembers(ctx, tx, { accountId, userIds: listeners, notification: mentionOfNote(shipment, note) });
  await auditNote(tx, caller, { action: 'added', shipmentId, detail: { note: noteKey(id) } });
  return note;
}
