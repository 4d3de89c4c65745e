import { z } from 'zod';
import { maxMentions } from '#shared/domain/notes/mention.ts';
import { type ChangedNote, maxNoteLength, type Note, type NoteAuthor } from '#shared/domain/notes/note.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { cursorAfterId, type ListOfIds, parsePageOfIds } from '../input/page-of-ids.ts';
import { parseBody } from '../input/parse-body.ts';
import { parseId } from '../input/parse-id.ts';
import { plainText } from '../input/plain-text.ts';
import type { RawParams, RawQuery } from '../operation.ts';
import { memberId, toMemberId, toWireMentioned, wireMentioned } from '../record/person-wire.ts';
import { parseShipmentParams, shipmentParams, toShipmentId } from '../record/shipment-id.ts';
import { instant, instantOrNull, openEnum } from '../schema-parts.ts';

const noteId = z.string().meta({
  description: 'Id of the note: `note_` followed by 26 characters.',
  examples: ['note_01kahf3m2xfr5tq4d8z9w6c7yb'],
});

export const noteParams = shipmentParams.extend({ note_id: noteId });

/** Throws LandfallError `shipment_not_found` or `note_not_found`. */
export function parseNoteParams(params: RawParams): { shipmentId: string; noteId: string } {
  const missing = { prefix: 'note', code: 'note_not_found', detail: 'Note not found.' } as const;
  return { ...parseShipmentParams(params), noteId: parseId(params, 'note_id', missing) };
}

const text = plainText({ max: maxNoteLength }).meta({
  description:
    `Plain text of up to ${maxNoteLength.toLocaleString('en')} characters. \`@user_…\` mentions a member, who is ` +
    `alerted: up to ${maxMentions} of them. HTML and Markdown are not interpreted.`,
  examples: ['@user_01kahf3m2xfr5tq4d8z9w6c7yb please call the terminal: the hold is still there.'],
});

export const addNoteBody = z.strictObject({ text });
export const editNoteBody = z.strictObject({ text });

export function parseNoteBody(body: unknown): { text: string } {
  return parseBody(addNoteBody, body);
}

const wireAuthor = z
  .strictObject({
    type: openEnum(['member', 'api_key'], 'Kind of author.'),
    id: z.string().meta({
      description: 'Id of the member or key.',
      examples: ['user_01kahf3m2xfr5tq4d8z9w6c7yb', 'key_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description: 'Name of the member, also of one who has left, or of the key. Null if it is no longer known.',
        examples: ['Anna Berg'],
      }),
  })
  .meta({ id: 'NoteAuthor', description: 'Who wrote a note.' });

/** A note on a shipment. */
export const wireNote = z
  .strictObject({
    note_id: noteId,
    object: z.literal('note').meta({ description: 'Always `note`.' }),
    shipment_id: z.string().meta({ description: 'Id of the shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
    author: wireAuthor,
    text: z.string().meta({
      description: 'Plain text. Show it as text, never as HTML. `@user_…` stands for a member of `mentions`.',
      examples: ['@user_01kahf3m2xfr5tq4d8z9w6c7yb please call the terminal.'],
    }),
    mentions: z.array(wireMentioned).meta({ description: 'The members that it mentions, each once.' }),
    created_at: instant('When it was written.'),
    edited_at: instantOrNull('When its text was last changed. Null if it was not.'),
    edits: z
      .int()
      .min(0)
      .meta({ description: 'How many times its text was changed.', examples: [0] }),
  })
  .meta({ id: 'Note', description: 'A note on a shipment.' });

export type WireNote = z.infer<typeof wireNote>;

export const wireNoteList = z.strictObject({
  data: z.array(wireNote).meta({ description: 'Newest first.' }),
  page: z
    .strictObject({
      limit: z.int().meta({ description: 'Page size.', examples: [25] }),
      has_more: z.boolean().meta({ description: 'Whether there are older notes.', examples: [false] }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: '`cursor` of the next page. Null on the last page.', examples: [null] }),
    })
    .meta({ description: 'Pagination.' }),
});

/** Fields of a change that concerns a note. */
export const wireChangedNote = z
  .strictObject({
    note_id: noteId,
    author: wireAuthor,
    mentions: z.array(memberId).meta({ description: 'Ids of the members that it mentions. Empty after a deletion.' }),
  })
  .meta({
    description:
      'With `shipment.note_added`, `shipment.note_edited` and `shipment.note_deleted`: the note without its text. ' +
      'Read the text with `GET /v1/shipments/{shipment_id}/notes`.',
  });

export function toWireNote(note: Note): WireNote {
  return {
    note_id: toNoteId(note.id),
    object: 'note',
    shipment_id: toShipmentId(note.shipmentId),
    author: toWireAuthor(note.author),
    text: note.text,
    mentions: note.mentions.map(toWireMentioned),
    created_at: note.createdAt,
    edited_at: note.editedAt,
    edits: note.edits,
  };
}

export function toWireChangedNote({ id, author, mentions }: ChangedNote): z.infer<typeof wireChangedNote> {
  return { note_id: toNoteId(id), author: toWireAuthor(author), mentions: mentions.map(toMemberId) };
}

export function toWireNoteList(
  { notes, hasMore }: { notes: readonly Note[]; hasMore: boolean },
  limit: number,
): z.infer<typeof wireNoteList> {
  const last = notes.at(-1);
  return {
    data: notes.map(toWireNote),
    page: { limit, has_more: hasMore, next_cursor: hasMore && last ? cursorAfterId(notesByIds, last.id) : null },
  };
}

const notesByIds: ListOfIds = { binding: 'notes', toId: toNoteId, readId: (id) => decodeTypeId('note', id) };

/** Throws LandfallError `validation_failed`, `unknown_parameter` or `invalid_cursor`. */
export function parseNotesQuery(query: RawQuery): { limit: number; after: string | null } {
  return parsePageOfIds(notesByIds, query);
}

function toNoteId(uuid: string): string {
  return encodeTypeId('note', uuid);
}

function toWireAuthor({ kind, id, name }: NoteAuthor): z.infer<typeof wireAuthor> {
  return { type: kind, id: encodeTypeId(kind === 'member' ? 'user' : 'key', id), name };
}
