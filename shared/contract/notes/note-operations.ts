import { z } from 'zod';
import { maxNotes } from '#shared/domain/notes/note.ts';
import { pageOfIdsQuery } from '../input/page-of-ids.ts';
import type { Operations } from '../operation.ts';
import { wireMember } from '../record/person-wire.ts';
import { parseShipmentParams, shipmentParams } from '../record/shipment-id.ts';
import {
  addNoteBody,
  editNoteBody,
  noteParams,
  parseNoteBody,
  parseNoteParams,
  parseNotesQuery,
  wireNote,
  wireNoteList,
} from './note-wire.ts';

const common = { access: 'key_or_session', tag: 'Notes' } as const;
const ofShipment = {
  ...common,
  path: '/v1/shipments/{shipment_id}/notes',
  params: shipmentParams,
  parseParams: parseShipmentParams,
} as const;
const ofNote = {
  ...common,
  path: '/v1/shipments/{shipment_id}/notes/{note_id}',
  scope: 'shipments:write',
  limit: 'write',
  params: noteParams,
  parseParams: parseNoteParams,
} as const;
const plain = { summary: 'A note', value: { text: 'The terminal confirms release for Monday.' } };
const bodyErrors = ['invalid_json', 'validation_failed', 'unknown_field', 'unknown_parameter'] as const;

export const noteOperations = {
  addNote: {
    ...ofShipment,
    method: 'POST',
    scope: 'shipments:write',
    limit: 'write',
    idempotent: true,
    summary: 'Add a note',
    description:
      'Adds a note to the thread of the shipment. Members that it mentions with `@user_…` are alerted as they have ' +
      `chosen, except its author. A shipment can have ${maxNotes.toLocaleString('en')} notes. Archived shipments ` +
      'take none.',
    body: {
      schema: addNoteBody,
      parse: parseNoteBody,
      description: 'The note.',
      examples: {
        plain,
        mention: {
          summary: 'A note that mentions a member',
          value: { text: '@user_01kahf3m2xfr5tq4d8z9w6c7yb please call the terminal.' },
        },
      },
    },
    answers: {
      201: {
        description: 'The note. With `Idempotent-Replayed`: its current state.',
        schema: wireNote,
        headers: {
          'Idempotent-Replayed': {
            description: '`true` if an earlier request with the same Idempotency-Key added the note.',
            schema: z.literal('true'),
          },
        },
      },
    },
    errors: [
      ...bodyErrors,
      'shipment_not_found',
      'note_not_found',
      'invalid_state',
      'idempotency_in_progress',
      'idempotency_mismatch',
    ],
  },
  listNotes: {
    ...ofShipment,
    method: 'GET',
    scope: 'shipments:read',
    limit: 'read',
    summary: 'List the notes of a shipment',
    description: 'Returns the notes on the shipment, newest first.',
    query: pageOfIdsQuery,
    parseQuery: parseNotesQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireNoteList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last page.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor', 'shipment_not_found'],
  },
  editNote: {
    ...ofNote,
    method: 'PATCH',
    summary: 'Edit a note',
    description:
      'Replaces the text of a note. Only its author can: the member, or the key that wrote it. `edited_at` and ' +
      '`edits` show that it was edited. Members that it mentions for the first time are alerted. Safe to repeat.',
    body: { schema: editNoteBody, parse: parseNoteBody, description: 'The new text.', examples: { plain } },
    answers: { 200: { description: 'The edited note.', schema: wireNote } },
    errors: [...bodyErrors, 'shipment_not_found', 'note_not_found', 'not_the_author', 'invalid_state'],
  },
  deleteNote: {
    ...ofNote,
    method: 'DELETE',
    summary: 'Delete a note',
    description:
      'Deletes a note and its text for good. Its author can, an owner of the account, and a key with the scope ' +
      '`shipments:delete`. The feed keeps only that there was a note.',
    answers: { 204: { description: 'The note is deleted.' } },
    errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found', 'note_not_found', 'not_the_author'],
  },
  listPeople: {
    ...common,
    method: 'GET',
    path: '/v1/members',
    scope: 'shipments:read',
    limit: 'read',
    summary: 'List the members',
    description: 'Returns the members of the account by name: whom notes can mention and shipments be assigned to.',
    answers: {
      200: {
        description: 'The members, in the order of their names.',
        schema: z
          .strictObject({ data: z.array(wireMember).meta({ description: 'The members.' }) })
          .meta({ description: 'The members of the account.' }),
      },
    },
    errors: ['unknown_parameter'],
  },
} as const satisfies Operations;
