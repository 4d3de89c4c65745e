import type { FastifyReply, FastifyRequest } from 'fastify';
import { readImportId, toWireImport } from '#shared/contract/imports/import-wire.ts';
import { getImport } from '#shared/core/imports/get-import.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Import } from '#shared/domain/imports/import.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

const refreshAgainS = 1;

/** The progress of an import. */
export function getImportRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    const found = await findRequestedImport(ctx, request);
    if (found.state === 'receiving' || found.state === 'running') reply.header('retry-after', String(refreshAgainS));
    return reply.send(toWireImport(found));
  };
}

/** The import that the path names. Throws LandfallError `import_not_found`. */
export async function findRequestedImport(ctx: ApiContext, request: FastifyRequest): Promise<Import> {
  const { import_id: importId } = request.params as { import_id: string };
  const id = readImportId(importId);
  if (id === null) throw new LandfallError('import_not_found', 'There is no import with this id.');
  return getImport(ctx.core, callerOf(request), id);
}
