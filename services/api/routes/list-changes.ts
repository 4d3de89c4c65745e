import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireChangeList } from '#shared/contract/feed/change-wire.ts';
import { parseListChangesQuery } from '#shared/contract/feed/list-changes-query.ts';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';

/** The change feed after a position. */
export function listChangesRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const input = parseListChangesQuery(Object(request.query));
    return reply.send(toWireChangeList(await listChanges(ctx.core, callerOf(request), input)));
  };
}
