import { z } from 'zod';
import type { ShipmentUpdate } from '#shared/domain/shipments/shipment-update.ts';
import { parseBody } from '../parse-body.ts';
import { isPlain, plainText } from '../plain-text.ts';

const mostMetadataKeys = 20;
const longestMetadataBytes = 4096;
const mostIdentifiers = 20;

const metadataChanges = z
  .record(z.string(), z.string().nullable())
  .refine((value) => Object.values(value).filter((text) => text !== null).length <= mostMetadataKeys, {
    error: `may have at most ${mostMetadataKeys} keys`,
    params: { code: 'too_long' },
  })
  // Names to remove count too, so that the limit of the body is not the only one.
  .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= 2 * longestMetadataBytes, {
    error: 'may have at most 4 KB',
    params: { code: 'too_long' },
  })
  .refine((value) => Object.entries(value).every(([key, text]) => isPlain(key) && (text === null || isPlain(text))), {
    error: 'must not contain control characters or broken Unicode',
    params: { code: 'invalid_text' },
  });

/** The body of an update: what is left out stays as it is. */
export const updateShipmentBody = z.strictObject({
  reference: plainText({ max: 255 })
    .nullable()
    .optional()
    .meta({
      description: 'Your own id, unique in your account; null removes it. An archived shipment keeps its reference.',
      examples: ['PO-7741'],
    }),
  tags: z
    .array(plainText({ max: 64 }))
    .max(20)
    .nullable()
    .optional()
    .meta({ description: 'Replaces all tags; null or an empty list removes them.', examples: [['acme']] }),
  metadata: metadataChanges
    .nullable()
    .optional()
    .meta({
      description:
        'Merged by key: a key that is sent is set, one with null is removed, the others stay. Null as a whole removes them all. ' +
        'At most 20 keys and 4 KB after merging.',
      examples: [{ buyer: 'acme', desk: null }],
    }),
  identifiers: z
    .record(z.string(), z.unknown())
    .refine((value) => Object.keys(value).length <= mostIdentifiers, {
      error: `may have at most ${mostIdentifiers} entries`,
      params: { code: 'too_long' },
    })
    .optional()
    .meta({
      description:
        'Numbers to add, named as in a registration. One that the shipment has may be repeated; another value for it is a conflict. ' +
        'Null is the same as absent: a number cannot be taken away. They are asked for with the next refresh.',
      examples: [{ booking: '123456789' }],
    }),
  carrier: plainText({ max: 64 })
    .optional()
    .meta({
      description:
        'Another carrier: code or name. Only while no carrier has given an event; tracking then begins anew.',
      examples: ['MAEU'],
    }),
  destination_postal_code: plainText({ max: 16 })
    .nullable()
    .optional()
    .meta({ description: 'Some parcel carriers need it; null removes it.', examples: ['3011 AA'] }),
  archived: z
    .boolean()
    .optional()
    .meta({ description: 'False restores an archived shipment; true archives it, as DELETE does.', examples: [false] }),
});

/** Reads an untrusted body. Throws one LandfallError that names every mistake at once: `unknown_field` or `validation_failed`. */
export function parseUpdateShipmentBody(body: unknown): ShipmentUpdate {
  const { reference, tags, metadata, identifiers, carrier, destination_postal_code, archived } = parseBody(
    updateShipmentBody,
    body,
  );
  return {
    reference,
    tags: tags === undefined ? undefined : [...new Set(tags ?? [])],
    metadata,
    identifiers,
    carrier,
    destinationPostalCode: destination_postal_code,
    archived,
  };
}
