import { Readable } from 'node:stream';
import { readImportColumns } from '#shared/contract/imports/import-columns.ts';
import { errorsFile } from '#shared/contract/imports/import-errors-file.ts';
import { splitCells } from '#shared/contract/imports/import-rows.ts';
import { toImportId, toWireImport } from '#shared/contract/imports/import-wire.ts';
import { getImport, listImportErrors } from '#shared/core/imports/get-import.ts';
import { receiveImportRows } from '#shared/core/imports/receive-import-rows.ts';
import { startImport } from '#shared/core/imports/start-import.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ImportFormat } from '#shared/domain/imports/import.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { liftBodyDeadline } from '../plugins/body-deadline.ts';
import { answer, type Routes } from '../plugins/serve.ts';
import { drainUpload, openUpload, type Upload } from './read-upload.ts';

/** An upload may take hours, but may not pause for longer than this. */
const idleMs = 30_000;
const pollAgainS = '1';

export const importRoutes = {
  /** Answers when every row is stored. The worker starts registering them while the upload is still running. */
  async createImport({ ctx, caller, query: { dryRun, ...defaults }, body: stream, request }) {
    liftBodyDeadline(request.raw);
    try {
      const format = formatOf(request.headers['content-type']);
      const upload = await openUpload(stream, { format, idleMs });
      const options = { delimiter: upload.delimiter, columns: readColumnNames(upload, format), ...defaults };
      const started = await startImport(ctx.core, caller, { format, dryRun, options });
      const importId = toImportId(started.found.id);
      annotateSpan({ 'import.id': importId });
      const { replayed, received } = await receiveImportRows(ctx.core, caller, { started, chunks: upload.chunks });
      return answer(202, toWireImport(received), {
        location: `/v1/imports/${importId}`,
        ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
      });
    } catch (error) {
      await drainUpload(stream);
      throw error;
    }
  },

  async getImport({ ctx, caller, params }) {
    const found = await getImport(ctx.core, caller, params.importId);
    const isRunning = found.state === 'receiving' || found.state === 'running';
    return answer(200, toWireImport(found), isRunning ? { 'retry-after': pollAgainS } : {});
  },

  /** Streams the failed rows, reading the store no faster than the client reads. */
  async getImportErrors({ ctx, caller, params }) {
    const found = await getImport(ctx.core, caller, params.importId);
    const file = errorsFile(found, toImportId(found.id));
    const pages = listImportErrors(ctx.core, caller, found.id);
    async function* lines() {
      if (file.head !== '') yield file.head;
      for await (const page of pages) yield page.map(file.line).join('');
    }
    // In object mode 16 pages would be read ahead.
    return answer(200, Readable.from(lines(), { objectMode: false }), {
      'content-type': file.mediaType,
      'content-disposition': `attachment; filename="${file.name}"`,
    });
  },
} satisfies Partial<Routes>;

function formatOf(contentType: string | undefined): ImportFormat {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'text/csv' ? 'csv' : 'ndjson';
}

function readColumnNames({ header, delimiter }: Upload, format: ImportFormat): string[] {
  if (format === 'ndjson') return [];
  if (header === null) throw new LandfallError('validation_failed', 'The file is empty. A CSV begins with a header.');
  const names = splitCells(header, delimiter ?? ',');
  if (names === null)
    throw new LandfallError(
      'validation_failed',
      'The header has text after a closing quote. Double the quotes in a cell.',
    );
  readImportColumns(names);
  return names;
}
