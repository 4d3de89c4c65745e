import { z } from 'zod';
import { type Import, importFormats, importStates } from '#shared/domain/imports/import.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
const time = (description: string) => z.iso.datetime().meta({ description, examples: ['2026-03-01T09:30:00.000Z'] });

/** An import as it is answered. */
export const wireImport = z
  .strictObject({
    import_id: z
      .string()
      .meta({ description: '`imp_` and 26 characters.', examples: ['imp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
    object: z.literal('import').meta({ description: 'Always `import`.', examples: ['import'] }),
    state: z.enum(importStates).meta({
      description:
        '`receiving`: the upload still runs, or broke and may be continued; `running`: every row is stored, some are not registered yet; `completed`: every row ' +
        'was looked at; `interrupted`: the upload broke and nobody continued it, what had been received was registered.',
      examples: ['running'],
    }),
    dry_run: z.boolean().meta({
      description: 'Nothing is registered: the counts and the failed rows are what would have been.',
      examples: [false],
    }),
    format: z.enum(importFormats).meta({ description: 'How the rows were sent.', examples: ['csv'] }),
    received: count('Rows that are stored.', 20000),
    processed: count('Rows that were looked at: the sum of the next three.', 12500),
    created: count('New shipments.', 12000),
    existing: count('Rows whose shipment was there already.', 375),
    failed: count('Rows that were refused; `/errors` gives them as a file.', 125),
    created_at: time('When the upload began.'),
    completed_at: time('When the last row was looked at; null before.').nullable(),
    error: z
      .strictObject({
        code: z
          .string()
          .meta({ description: '`upload_interrupted`. Open: accept new values.', examples: ['upload_interrupted'] }),
        detail: z
          .string()
          .meta({ description: 'What happened, and what to do.', examples: ['The upload broke after row 1500.'] }),
      })
      .nullable()
      .meta({ description: 'Why the import is not complete; null otherwise.' }),
  })
  .meta({ description: 'An import and its progress.' });

export type WireImport = z.infer<typeof wireImport>;

export function toWireImport(found: Import): WireImport {
  return {
    import_id: toImportId(found.id),
    object: 'import',
    state: found.state,
    dry_run: found.dryRun,
    format: found.format,
    received: found.received,
    processed: found.processed,
    created: found.created,
    existing: found.existing,
    failed: found.failed,
    created_at: found.createdAt,
    completed_at: found.completedAt,
    error:
      found.state === 'interrupted'
        ? {
            code: 'upload_interrupted',
            detail:
              `The upload broke and was not continued; row ${found.received} is the last one that was received. Send the same file again: ` +
              'rows that are registered already are found, not doubled.',
          }
        : null,
  };
}

export function toImportId(uuid: string): string {
  return encodeTypeId('imp', uuid);
}

/** The uuid of a public import id; null when the text is none. */
export function readImportId(text: string): string | null {
  return decodeTypeId('imp', text);
}
