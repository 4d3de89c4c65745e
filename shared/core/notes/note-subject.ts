import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxMentions, mentionedIn, shownNote } from '#shared/domain/notes/mention.ts';
import type { NamedPerson, Note } from '#shared/domain/notes/note.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { readPeopleByName } from '#shared/store/auth/account-directory.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import type { Tx } from '#shared/store/with-account.ts';
import { actorOf } from '../keys/key-permissions.ts';
import type { Personal } from '../notices/notify-members.ts';

/** The members that a text mentions, by name. `known`: mentioned before, who may have left. */
export async function readMentioned(
  tx: Tx,
  accountId: string,
  { text, known }: { text: string; known: readonly string[] },
): Promise<NamedPerson[]> {
  const ids = mentionedIn(text);
  if (ids.length > maxMentions) throw invalidText(`A note mentions at most ${maxMentions} members.`);
  const people = await readPeopleByName(tx, accountId, ids);
  const strangers = ids.filter((id) => people.get(id)?.hasLeft !== false && !known.includes(id));
  if (strangers.length > 0)
    throw invalidText(
      `The note mentions ${strangers.map((id) => encodeTypeId('user', id)).join(', ')}: not a member of the account. ` +
        'See GET /v1/members.',
    );
  return ids.flatMap((id) => people.get(id) ?? []);
}

/** The notification of the members that a note mentions. */
export function mentionOfNote(shipment: Shipment, note: Note): Personal {
  const author = note.author.kind === 'member' ? note.author.name : `The API key “${note.author.name}”`;
  const names = new Map(note.mentions.map(({ userId, name }) => [userId, name]));
  return {
    key: noteKey(note.id),
    shipment,
    lines: [`${author ?? 'A former member'} mentioned you`, `“${shownNote(note.text, names)}”`],
    anchor: `#${noteKey(note.id)}`,
  };
}

/** The public id of a note. */
export function noteKey(id: string): string {
  return encodeTypeId('note', id);
}

/** True when the caller wrote the note. */
export function isAuthor({ userId, keyId }: Caller, { author }: Pick<Note, 'author'>): boolean {
  return author.kind === 'member' ? author.id === userId : userId === undefined && author.id === keyId;
}

export function noSuchNote(): LandfallError {
  return new LandfallError('note_not_found', 'Note not found.');
}

export function auditNote(
  tx: Tx,
  caller: Caller,
  { action, shipmentId, detail }: { action: string; shipmentId: string; detail: Record<string, unknown> },
): Promise<void> {
  return appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action: `note.${action}`,
    subjectType: 'shipment',
    subjectId: shipmentId,
    requestId: caller.requestId,
    detail,
  });
}

function invalidText(detail: string): LandfallError {
  return new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/text', code: 'invalid_value', detail }],
  });
}
