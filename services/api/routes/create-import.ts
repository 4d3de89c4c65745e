import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readImportColumns } from '#shared/contract/imports/import-columns.ts';
import { parseImportQuery } from '#shared/contract/imports/import-query.ts';
import { splitCells } from '#shared/contract/imports/import-rows.ts';
import { toImportId, toWireImport } from '#shared/contract/imports/import-wire.ts';
import { receiveImportRows } from '#shared/core/imports/receive-import-rows.ts';
import { startImport } from '#shared/core/imports/start-import.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ImportFormat } from '#shared/domain/imports/import.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { liftBodyDeadline } from '../plugins/body-deadline.ts';
import { drainUpload, openUpload, type Upload } from './read-upload.ts';

/** An upload may take hours, but not stand still for longer than this. */
const idleMs = 30_000;

/** 202 when every row is stored; the worker registers them, beginning while the upload still runs. */
export function createImportRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    const { dryRun, carrier, transportMode } = parseImportQuery(Object(request.query));
    const stream = request.body as Readable | undefined;
    if (stream === undefined)
      throw new LandfallError('validation_failed', 'The body is empty; send a CSV or NDJSON file');
    liftBodyDeadline(request.raw);
    try {
      const format = formatOf(request);
      const upload = await openUpload(stream, { format, idleMs });
      const options = { delimiter: upload.delimiter, columns: readColumnNames(upload, format), carrier, transportMode };
      const started = await startImport(ctx.core, caller, { format, dryRun, options });
      const importId = toImportId(started.found.id);
      annotateSpan({ 'import.id': importId });
      const { replayed, received } = await receiveImportRows(ctx.core, caller, { started, chunks: upload.chunks });
      reply.header('location', `/v1/imports/${importId}`);
      if (replayed) reply.header('idempotent-replayed', 'true');
      return reply.status(202).send(toWireImport(received));
    } catch (error) {
      await drainUpload(stream);
      throw error;
    }
  };
}

function formatOf(request: FastifyRequest): ImportFormat {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === 'text/csv' ? 'csv' : 'ndjson';
}

function readColumnNames({ header, delimiter }: Upload, format: ImportFormat): string[] {
  if (format === 'ndjson') return [];
  if (header === null) throw new LandfallError('validation_failed', 'The file is empty; a CSV begins with a header');
  const names = splitCells(header, delimiter ?? ',');
  if (names === null)
    throw new LandfallError('validation_failed', 'The header has a quoted cell that goes on after its closing quote');
  readImportColumns(names);
  return names;
}
