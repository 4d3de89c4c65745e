import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireApiKey } from '#shared/contract/keys/api-key-wire.ts';
import { apiKeyCursor, parseListApiKeysQuery } from '#shared/contract/keys/list-api-keys-query.ts';
import { listApiKeys } from '#shared/core/keys/list-api-keys.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { linkNextPage } from './link-next-page.ts';

/** One page of keys, with the next one's address in `Link`. */
export function listApiKeysRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const page = parseListApiKeysQuery(Object(request.query));
    const { keys, hasMore } = await listApiKeys(ctx.core, callerOf(request), page);
    const last = keys.at(-1);
    const nextCursor = hasMore && last !== undefined ? apiKeyCursor(last.id) : null;
    linkNextPage(request, reply, nextCursor);
    return reply.send({
      data: keys.map(toWireApiKey),
      page: { limit: page.limit, has_more: hasMore, next_cursor: nextCursor },
    });
  };
}
