import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorsFile } from '#shared/contract/imports/import-errors-file.ts';
import { toImportId } from '#shared/contract/imports/import-wire.ts';
import { listImportErrors } from '#shared/core/imports/get-import.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { findRequestedImport } from './get-import.ts';
import { refuseQuery } from './refuse-query.ts';

/** The failed rows as a file, read from the store page by page as the client takes it. */
export function getImportErrorsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    const found = await findRequestedImport(ctx, request);
    const file = errorsFile(found, toImportId(found.id));
    const pages = listImportErrors(ctx.core, callerOf(request), found.id);
    async function* lines() {
      if (file.head !== '') yield file.head;
      for await (const page of pages) yield page.map(file.line).join('');
    }
    reply.headers({ 'content-type': file.mediaType, 'content-disposition': `attachment; filename="${file.name}"` });
    // In object mode 16 pages would be read ahead.
    return reply.send(Readable.from(lines(), { objectMode: false }));
  };
}
