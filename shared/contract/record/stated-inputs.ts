import { z } from 'zod';
import { type SnakeCase, snakeCase } from '#shared/domain/fold-text.ts';
import { maxReferences } from '#shared/domain/record/references.ts';
import { type StatedName, statedNames } from '#shared/domain/record/stated-fields.ts';
import { plainText } from '../input/plain-text.ts';
import { oldAndNew } from '../schema-parts.ts';
import { metadataOf } from './client-fields.ts';

const maxReferenceLength = 255;

type StatedInput = {
  /** In a registration. Null or absent: nothing is stated. */
  registration: z.ZodType;
  /** In an update. Absent: unchanged. */
  update: z.ZodType;
  /** In a change: its old and new value. */
  change: z.ZodType;
};

/** Client input of each stated field: a row for each of `statedFields`, by its name in snake_case. */
export const statedInputs = {
  reference: {
    registration: plainText({ max: maxReferenceLength })
      .nullish()
      .meta({ description: 'Your reference, unique in your account.', examples: ['PO-7741'] }),
    update: plainText({ max: maxReferenceLength })
      .nullable()
      .optional()
      .meta({
        description:
          'Your reference, unique in your account. It replaces the first one of `references`, or moves there. Null ' +
          'removes the first one. Archived shipments keep their reference.',
        examples: ['PO-7741'],
      }),
    change: oldAndNew(z.string().nullable(), 'Your reference.'),
  },
  references: {
    registration: z
      .array(plainText({ max: maxReferenceLength }))
      .max(maxReferences)
      .nullish()
      .meta({
        description:
          `Up to ${maxReferences} references, such as the orders in one parcel. \`reference\`, or the first one, is unique in your ` +
          'account; the others may be on several shipments. References that an existing shipment lacks are added to it.',
        examples: [['PO-7741', 'PO-7742']],
      }),
    update: z
      .array(plainText({ max: maxReferenceLength }))
      .max(maxReferences)
      .nullable()
      .optional()
      .meta({
        description: 'Replaces all references, `reference` first if it is sent. Null or an empty list removes them.',
        examples: [['PO-7741', 'PO-7742']],
      }),
    change: oldAndNew(z.array(z.string()), 'All of your references.'),
  },
  tags: {
    registration: z
      .array(plainText({ max: 64 }))
      .max(20)
      .nullish()
      .meta({ description: 'Up to 20 tags to filter by.', examples: [['acme', 'urgent']] }),
    update: z
      .array(plainText({ max: 64 }))
      .max(20)
      .nullable()
      .optional()
      .meta({ description: 'Replaces all tags. Null or an empty list removes them.', examples: [['acme']] }),
    change: oldAndNew(z.array(z.string()), 'Your tags.'),
  },
  metadata: {
    registration: metadataOf(z.string())
      .nullish()
      .meta({
        description: 'Up to 20 key–value pairs, 4 KB in total. Returned unchanged.',
        examples: [{ buyer: 'acme' }],
      }),
    update: metadataOf(z.string().nullable())
      .nullable()
      .optional()
      .meta({
        description:
          'Merged by key: sent keys are set, keys with null are removed, other keys stay. Null removes all metadata. ' +
          'At most 20 keys and 4 KB after merging.',
        examples: [{ buyer: 'acme', desk: null }],
      }),
    change: oldAndNew(z.record(z.string(), z.string()), 'Your metadata.'),
  },
  destination_postal_code: {
    registration: plainText({ max: 16 })
      .nullish()
      .meta({
        description: 'Postal code of the consignee, which some parcel carriers require.',
        examples: ['10115'],
      }),
    update: plainText({ max: 16 })
      .nullable()
      .optional()
      .meta({ description: 'Required by some parcel carriers. Null removes it.', examples: ['3011 AA'] }),
    change: oldAndNew(z.string().nullable(), 'Destination postal code.'),
  },
} satisfies Record<SnakeCase<StatedName>, StatedInput>;

export type WireStatedName = keyof typeof statedInputs;

/** The schemas of all of them, as a part of the shape of an object. */
export function statedShape<Part extends keyof StatedInput>(
  part: Part,
): { [Name in WireStatedName]: (typeof statedInputs)[Name][Part] } {
  const entries = Object.entries(statedInputs).map(([name, input]) => [name, input[part]]);
  return Object.fromEntries(entries) as { [Name in WireStatedName]: (typeof statedInputs)[Name][Part] };
}

const wireNames = statedNames.map((name) => [name, snakeCase(name)] as const);

/** The stated fields of a body, in domain names. Undefined: absent. */
export function readStated<Sent extends Partial<Readonly<Record<WireStatedName, unknown>>>>(
  sent: Sent,
): { [Name in StatedName]: Sent[SnakeCase<Name> & keyof Sent] } {
  const entries = wireNames.map(([name, wireName]) => [name, sent[wireName]]);
  return Object.fromEntries(entries) as { [Name in StatedName]: Sent[SnakeCase<Name> & keyof Sent] };
}
