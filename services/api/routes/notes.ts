import { toWireNote, toWireNoteList } from '#shared/contract/notes/note-wire.ts';
import { toMemberId } from '#shared/contract/record/person-wire.ts';
import { addNote } from '#shared/core/notes/add-note.ts';
import { deleteNote } from '#shared/core/notes/delete-note.ts';
import { editNote } from '#shared/core/notes/edit-note.ts';
import { listNotes, listPeople } from '#shared/core/notes/list-notes.ts';
import { nextPageLink } from '../http/answer-headers.ts';
import { answer, type Routes } from '../plugins/serve.ts';

export const noteRoutes = {
  async addNote({ ctx, caller, params, body }) {
    const { note, replayed } = await addNote(ctx.core, caller, { ...params, ...body });
    return answer(201, toWireNote(note), replayed ? { 'idempotent-replayed': 'true' } : {});
  },

  async listNotes({ ctx, caller, params, query, request }) {
    const page = toWireNoteList(await listNotes(ctx.core, caller, { ...params, ...query }), query.limit);
    return answer(200, page, nextPageLink(request.url, page.page.next_cursor));
  },

  editNote: async ({ ctx, caller, params, body }) =>
    toWireNote(await editNote(ctx.core, caller, { ...params, ...body })),

  async deleteNote({ ctx, caller, params }) {
    await deleteNote(ctx.core, caller, params);
    return undefined;
  },

  listPeople: async ({ ctx, caller }) => ({
    data: (await listPeople(ctx.core, caller)).map(({ userId, name }) => ({ member_id: toMemberId(userId), name })),
  }),
} satisfies Partial<Routes>;
