import { z } from 'zod';
import type { ShipmentUpdate } from '#shared/domain/registration/shipment-update.ts';
import { manualFreeDays } from '../free-time/manual-free-days.ts';
import { jsonPointer } from '../input/input-mistakes.ts';
import { parseBody } from '../input/parse-body.ts';
import { type Contradiction, refuseContradictions } from '../input/parse-query.ts';
import { plainText } from '../input/plain-text.ts';
import { rawIdentifiers, tagList } from '../record/client-fields.ts';
import { memberIdInput, readMemberId } from '../record/person-wire.ts';
import { readStated, statedShape } from '../record/stated-inputs.ts';

const { reference, references, tags, metadata, ...otherStated } = statedShape('update');

/** The body of an update. Absent fields stay unchanged. */
export const updateShipmentBody = z.strictObject({
  reference,
  references,
  tags,
  tags_add: tagList.meta({
    description: 'Tags to add to those that the shipment has; not together with `tags`. At most 20 tags in total.',
    examples: [['urgent']],
  }),
  tags_remove: tagList.meta({
    description: 'Tags to remove, if the shipment has them; not together with `tags`.',
    examples: [['draft']],
  }),
  metadata,
  identifiers: rawIdentifiers.optional().meta({
    description:
      'Identifiers to add or to correct, named as in a registration. A mistyped one can be corrected until the ' +
      'carrier has reported events; tracking then starts over. Later, a different value is a conflict. Repeating an ' +
      'existing one is allowed. Null is ignored, because identifiers cannot be removed. Landfall uses them from the ' +
      'next refresh on.',
    examples: [{ booking: '123456789' }],
  }),
  carrier: plainText({ max: 64 })
    .optional()
    .meta({
      description: 'Another carrier, by code or name. Only possible before the first event. Tracking then starts over.',
      examples: ['MAEU'],
    }),
  ...otherStated,
  last_free_days: manualFreeDays,
  assignee: memberIdInput
    .nullable()
    .optional()
    .meta({
      description: 'Member to whom the shipment is assigned; another member is notified. Null: unassigned.',
      examples: ['user_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
  archived: z
    .boolean()
    .optional()
    .meta({ description: 'False restores an archived shipment. True archives it, like DELETE.', examples: [false] }),
});

/** Parses the body of an update. Throws one LandfallError that names every mistake. */
export function parseUpdateShipmentBody(body: unknown): ShipmentUpdate {
  const parsed = parseBody(updateShipmentBody, body);
  const { identifiers, carrier, archived, assignee } = parsed;
  const { tags: sentTags, references: sentReferences, ...stated } = readStated(parsed);
  refuseContradictions([...tagContradictions(parsed), ...dayContradictions(parsed)], {
    pointerOf: jsonPointer,
    names: [],
    noun: 'field',
  });
  return {
    ...stated,
    references: sentReferences === null ? [] : sentReferences,
    tags: sentTags === undefined ? undefined : [...new Set(sentTags ?? [])],
    tagsAdd: parsed.tags_add,
    tagsRemove: parsed.tags_remove,
    identifiers,
    carrier,
    manualFreeDays: parsed.last_free_days === undefined ? undefined : (parsed.last_free_days ?? []),
    assignee: assignee ? readMemberId(assignee) : assignee,
    archived,
  };
}

/** One container can have one day of each kind. */
function dayContradictions({ last_free_days: days }: z.output<typeof updateShipmentBody>): Contradiction[] {
  const keys = (days ?? []).map(({ container, kind }) => `${kind} of ${container.toUpperCase()}`);
  const twice = keys.find((key, index) => keys.indexOf(key) < index);
  return twice === undefined ? [] : [{ field: 'last_free_days', detail: `last_free_days names ${twice} twice.` }];
}

function tagContradictions({ tags, tags_add, tags_remove }: z.output<typeof updateShipmentBody>): Contradiction[] {
  const mixed = tags !== undefined && (tags_add !== undefined || tags_remove !== undefined);
  const both = tags_add?.find((tag) => tags_remove?.includes(tag));
  return [
    ...(mixed ? [{ field: 'tags', detail: 'tags replaces all tags. Send it without tags_add and tags_remove.' }] : []),
    ...(both === undefined ? [] : [{ field: 'tags_remove', detail: `${both} is both in tags_add and tags_remove.` }]),
  ];
}
