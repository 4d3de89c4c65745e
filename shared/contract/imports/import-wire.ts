import { z } from 'zod';
import { type Import, importFormats, importStates } from '#shared/domain/imports/import.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { count, instant, instantOrNull } from '../schema-parts.ts';

export const wireImport = z
  .strictObject({
    import_id: z.string().meta({
      description: 'Id of the import: `imp_` followed by 26 characters.',
      examples: ['imp_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
    object: z.literal('import').meta({ description: 'Always `import`.', examples: ['import'] }),
    state: z.enum(importStates).meta({
      description:
        '`receiving`: the upload is running, or was interrupted and may be continued. `running`: every row is ' +
        'stored, some are not processed yet. `completed`: every row is processed. `interrupted`: the upload was ' +
        'interrupted and not continued; the rows received are registered.',
      examples: ['running'],
    }),
    dry_run: z.boolean().meta({
      description: 'Whether rows were only validated. Nothing is registered then.',
      examples: [false],
    }),
    format: z.enum(importFormats).meta({ description: 'File format.', examples: ['csv'] }),
    received: count('Stored rows.', 20000),
    processed: count('Processed rows: the sum of `created`, `existing` and `failed`.', 12500),
    created: count('New shipments.', 12000),
    existing: count('Rows whose shipment already existed.', 375),
    failed: count('Failed rows. Download them with `/errors`.', 125),
    created_at: instant('When the upload began.'),
    completed_at: instantOrNull('When the last row was processed. Null until then.'),
    error: z
      .strictObject({
        code: z
          .string()
          .meta({ description: '`upload_interrupted`. More values may be added.', examples: ['upload_interrupted'] }),
        detail: z
          .string()
          .meta({ description: 'What happened and how to fix it.', examples: ['The upload ended after row 1500.'] }),
      })
      .nullable()
      .meta({ description: 'Why the import is incomplete. Null otherwise.' }),
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
              `The upload was interrupted after row ${found.received} and not continued. ` +
              'Send the same file again: rows that are already registered are not duplicated.',
          }
        : null,
  };
}

export function toImportId(uuid: string): string {
  return encodeTypeId('imp', uuid);
}

/** The uuid of a public import id, or null if the text is not one. */
export function readImportId(text: string): string | null {
  return decodeTypeId('imp', text);
}
