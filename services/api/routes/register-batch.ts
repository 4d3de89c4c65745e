import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBatchBody, toWireBatch } from '#shared/contract/registration/batch-body.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { addTo } from '#shared/telemetry/instruments.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** 200 with one result for each row. */
export function registerBatchRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    refuseQuery(request);
    if (request.body === undefined) throw new LandfallError('invalid_json', 'The body is empty; send a JSON object');
    const rows = parseBatchBody(request.body, { test: caller.test });
    const { replayed, results } = await registerBatch(ctx.core, caller, rows);
    const created = results.filter((result) => result.outcome === 'created').length;
    if (created > 0 && !replayed) addTo('landfall.registrations', created, { source: 'batch' });
    if (replayed) reply.header('idempotent-replayed', 'true');
    return reply.send(toWireBatch(results));
  };
}
