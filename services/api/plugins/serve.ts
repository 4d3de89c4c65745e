import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { runSteps } from '#shared/async/yield-event-loop.ts';
import { parseBody, refuseBody, refuseQuery } from '#shared/contract/input/parse-body.ts';
import { parseQuery } from '#shared/contract/input/parse-query.ts';
import type { DashboardOperation, PublicOperation, RawParams, RawQuery } from '#shared/contract/operation.ts';
import { type OperationId, operations } from '#shared/contract/operations.ts';
import { oauthMcpPath } from '#shared/domain/apps/app.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Role } from '#shared/domain/members/role.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { SignedIn } from '../auth/open-auth.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from './authenticate.ts';
import { withMemory } from './memory-share.ts';
import { bearerHintOf } from './resource-metadata.ts';
import { personOf } from './session.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: ServedOperation;
    /** The operation is called by the dashboard: a session takes the place of the key. */
    behindSession?: boolean;
    /** The handler negotiates by the `Accept` header itself. */
    anyAccept?: boolean;
  }
}

type ServedOperation = PublicOperation | DashboardOperation;
type Registry = typeof operations;

/**
 * The input of a handler: the caller and the parsed parts of the request. A part that the operation does not take is null.
 */
export type Call<Id extends OperationId> = {
  ctx: ApiContext;
  caller: CallerOf<Registry[Id]>;
  person: PersonOf<Registry[Id]>;
  params: ParamsOf<Registry[Id]>;
  query: QueryOf<Registry[Id]>;
  body: BodyOf<Registry[Id]>;
  /** For headers and the connection; its input is in the parts above. */
  request: FastifyRequest;
  /** For headers that are sent whatever the handler returns, such as cookies. */
  reply: FastifyReply;
};

/** Returns the body of the operation's first success status, or `answer(…)` where the status or headers vary. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Result<Registry[Id]['answers']>>;

/** Reads the request and writes the reply itself. MCP does: its input and its errors are JSON-RPC. */
export type RawRoute = (ctx: ApiContext) => Pick<RouteOptions, 'handler' | 'onRequest' | 'errorHandler'>;

/** One route for every operation: one that is missing, and one without an operation, does not compile. */
export type Routes = { readonly [Id in OperationId]: Id extends 'mcp' ? RawRoute : Handler<Id> };

type CallerOf<Operation> = Operation extends { access: 'session'; role: infer Needed }
  ? Needed extends Role
    ? Caller
    : null
  : Caller;
type PersonOf<Operation> = Operation extends { access: 'session'; role: infer Needed }
  ? Needed extends 'anyone'
    ? null
    : SignedIn
  : SignedIn | null;
type ParamsOf<Operation> = Operation extends { parseParams: (...given: never[]) => infer Params }
  ? Params
  : Operation extends { params: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : null;
type QueryOf<Operation> = Operation extends { parseQuery: (...given: never[]) => infer Query }
  ? Query
  : Operation extends { query: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : null;
type BodyOf<Operation> = Operation extends { body: { maxBytes: null } }
  ? Readable
  : Operation extends { body: { read: (...given: never[]) => Generator<void, infer Body> } }
    ? Body
    : Operation extends { body: { parse: (...given: never[]) => infer Body } }
      ? Body
      : Operation extends { body: { schema: infer Schema extends z.ZodType } }
        ? z.output<Schema>
        : null;

const answered = Symbol('answered');

type Headers = Readonly<Record<string, string>>;

export type Answered<Status, Body> = {
  readonly [answered]: true;
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers | undefined;
};

/** JSON that is sent as it is stored. */
export type JsonText = string & { readonly [answered]: 'json' };

type Result<Answers> = {
  [Status in keyof Answers]: ResultBody<Answers[Status]> | Answered<Status, ResultBody<Answers[Status]>>;
}[keyof Answers];

type ResultBody<Answer> = Answer extends { schema: infer Schema extends z.ZodType }
  ? Answer extends { mediaType: string }
    ? Readable | Buffer
    : z.output<Schema> | JsonText | OtherMedia<Answer>
  : undefined;

/** A response that has further media types may be one of them. */
type OtherMedia<Answer> = Answer extends { moreMediaTypes: readonly string[] } ? Buffer : never;

/** A response with a status or headers of its own. */
export function answer<Status extends number, Body = undefined>(
  status: Status,
  body?: Body,
  headers?: Headers,
): Answered<Status, Body> {
  return { [answered]: true, status, body: body as Body, headers };
}

export function asJson(text: string): JsonText {
  return text as JsonText;
}

/** Routes every operation: public ones under `/v1` and, for the dashboard, again under `/dashboard/api/v1`. */
export function serveOperations(app: FastifyInstance, ctx: ApiContext, routes: Routes): void {
  const { mcp, ...handlers } = routes;
  for (const [id, handler] of Object.entries(handlers)) {
    const operation = { ...operations[id as OperationId], id } as ServedOperation;
    if (operation.onlyWithOauth === true && ctx.oauth === null) continue;
    const serve = handlerOf(ctx, operation, handler as AnyHandler);
    app.route({ ...routeOf(operation), handler: serve });
    if (operation.access !== 'key_or_session') continue;
    const { url, config, ...route } = routeOf(operation);
    app.route({ ...route, url: `/dashboard/api${url}`, config: { ...config, behindSession: true }, handler: serve });
  }
  const { config, ...mcpRoute } = routeOf({ ...operations.mcp, id: 'mcp' });
  app.route({ ...mcpRoute, config, ...mcp(ctx) });
  if (ctx.oauth === null) return;
  // The same server, whose clients find out how to get a token.
  const bearerHint = bearerHintOf(ctx.oauth.issuer);
  app.route({ ...mcpRoute, url: oauthMcpPath, config: { ...config, bearerHint }, ...mcp(ctx) });
}

type AnyHandler = (call: Record<keyof Call<OperationId>, unknown>) => Promise<unknown>;

function routeOf(operation: ServedOperation) {
  const maxBytes = operation.body?.maxBytes;
  return {
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(maxBytes === undefined ? {} : { bodyLimit: maxBytes ?? Number.MAX_SAFE_INTEGER }),
    config: {
      operation,
      behindSession: operation.access === 'session',
      anyAccept: operation.anyAccept === true,
    },
  };
}

/** Everything that depends on the operation alone is decided here, once, and not with each request. */
function handlerOf(ctx: ApiContext, operation: ServedOperation, handler: AnyHandler) {
  const parsers = parsersOf(operation);
  const readInSteps = operation.body?.read;
  const readTable = operation.body?.readTable;
  const needs = needsOf(operation);
  const namesShipment = operation.path.includes('{shipment_id}');
  const [firstStatus = 200] = Object.keys(operation.answers).map(Number);
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = needs.caller ? callerOf(request) : request.caller;
    const person = needs.person ? personOf(request) : request.person;
    const query = parsers.query(request.query as RawQuery, request.headers.accept);
    const params = parsers.params(request.params as RawParams);
    if (namesShipment) annotateSpan({ 'shipment.id': (request.params as RawParams).shipment_id ?? '' });
    const handle = (body: unknown) =>
      handler({ ctx, caller, person, params, query, body, request, reply }).then((result) =>
        send(reply, firstStatus, result),
      );
    const { csvTable } = request;
    const run = () => {
      if (csvTable !== null && readTable !== undefined) return runSteps(readTable(csvTable)).then(handle);
      return readInSteps === undefined
        ? handle(parsers.body(request.body))
        : runSteps(readInSteps(bytesOf(request), charsetOf(request))).then(handle);
    };
    return request.memory === null ? run() : withMemory(request, run);
  };
}

function needsOf(operation: ServedOperation): { caller: boolean; person: boolean } {
  if (operation.access !== 'session') return { caller: true, person: false };
  const { role } = operation;
  return { caller: role !== 'anyone' && role !== 'signed_in' && role !== 'operator', person: role !== 'anyone' };
}

type Parsers = {
  params: (params: RawParams) => unknown;
  query: (query: RawQuery, accept: string | undefined) => unknown;
  body: (body: unknown) => unknown;
};

function parsersOf(operation: ServedOperation): Parsers {
  const { params, query } = operation;
  return {
    params: operation.parseParams ?? ((raw) => params?.parse(raw) ?? null),
    query: operation.parseQuery ?? (query === undefined ? refuseQuery : (raw) => parseQuery(query, raw)),
    body: bodyParserOf(operation),
  };
}

function bodyParserOf(operation: ServedOperation): Parsers['body'] {
  const { body } = operation;
  if (body === undefined) return refusesBody(operation) ? refuseBody : () => null;
  if (body.maxBytes === null) {
    return (stream) => {
      if (stream !== undefined) return stream;
      throw new LandfallError('validation_failed', 'The body is empty. Send a CSV, NDJSON or XLSX file.');
    };
  }
  const parse = body.parse ?? ((sent: unknown) => parseBody(body.schema as z.ZodObject, sent));
  if (body.required === false) return (sent) => parse(sent === undefined ? {} : sent);
  return (sent) => {
    if (sent === undefined) throw emptyBody();
    return parse(sent);
  };
}

/** In the public API, where it is documented; everywhere in the dashboard. */
function refusesBody(operation: ServedOperation): boolean {
  return operation.access === 'session' || operation.errors.includes('unknown_field');
}

/** The character set that the request states. Null: none. */
function charsetOf({ headers }: FastifyRequest): string | null {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? null;
}

function bytesOf({ rawBody }: FastifyRequest): Buffer {
  if (rawBody === null) throw emptyBody();
  return rawBody;
}

function emptyBody(): LandfallError {
  return new LandfallError('invalid_json', 'The body is empty. Send a JSON object.');
}

function send(reply: FastifyReply, firstStatus: number, result: unknown): FastifyReply {
  if (!isAnswered(result)) return reply.status(firstStatus).send(result);
  if (result.headers !== undefined) reply.headers(result.headers);
  // Fastify would send a text as text/plain.
  if (typeof result.body === 'string') reply.header('content-type', 'application/json; charset=utf-8');
  return reply.status(result.status).send(result.body);
}

function isAnswered(result: unknown): result is Answered<number, unknown> {
  return typeof result === 'object' && result !== null && answered in result;
}
