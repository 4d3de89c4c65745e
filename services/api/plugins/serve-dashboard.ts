import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { bodyRefusal } from '#shared/contract/keys/create-api-key-body.ts';
import type { DashboardOperation } from '#shared/contract/operation.ts';
import { type AnswerOf, type OperationIdOf, operations } from '#shared/contract/operations.ts';
import { readQuery } from '#shared/contract/read-query.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { refuseQuery } from '../routes/refuse-query.ts';

type DashboardOperationId = OperationIdOf<'session'>;

type Query<Id extends DashboardOperationId> = (typeof operations)[Id] extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : null;

type Body<Id extends DashboardOperationId> = (typeof operations)[Id] extends {
  body: { schema: infer Schema extends z.ZodType };
}
  ? z.output<Schema>
  : null;

/** A request whose query and body were read as the operation says. */
export type DashboardRequest<Id extends DashboardOperationId> = {
  request: FastifyRequest;
  reply: FastifyReply;
  body: Body<Id>;
  query: Query<Id>;
};

export type DashboardHandler<Id extends DashboardOperationId> = (
  asked: DashboardRequest<Id>,
) => Promise<undefined extends AnswerOf<Id> ? unknown : AnswerOf<Id>>;

/** Routes one operation of the dashboard: its address, who may, its input and its status come from the contract. */
export function serveDashboard<Id extends DashboardOperationId>(
  app: FastifyInstance,
  id: Id,
  handler: DashboardHandler<Id>,
): void {
  const operation: DashboardOperation = { ...operations[id], id };
  const [status = 200] = Object.keys(operation.answers).map(Number);
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { dashboard: { access: operation.role, own: operation } },
    handler: async (request, reply) => {
      const query =
        operation.query === undefined ? refuseQuery(request) : readQuery(operation.query, Object(request.query));
      const body =
        operation.body === undefined
          ? refuseBody(request)
          : readBody(operation.body.schema as z.ZodObject, request.body);
      const asked = { request, reply, query: query ?? null, body: body ?? null } as unknown as DashboardRequest<Id>;
      const answer = await handler(asked);
      return reply.status(status).send(status === 204 ? undefined : answer);
    },
  });
}

function readBody(schema: z.ZodObject, body: unknown): unknown {
  if (body === undefined) throw new LandfallError('invalid_json', 'The body is empty; send a JSON object');
  const result = schema.safeParse(body);
  if (!result.success) throw bodyRefusal(result.error, body, Object.keys(schema.shape));
  return result.data;
}

/** `{}` says nothing, and many clients send it. */
function refuseBody({ body }: FastifyRequest): void {
  if (body === undefined || body === null) return;
  const [name] = Object.keys(Object(body));
  if (typeof body === 'object' && !Array.isArray(body) && name === undefined) return;
  throw new LandfallError('unknown_field', 'This address takes no body');
}
