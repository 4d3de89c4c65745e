import type { z } from 'zod';
import type { Scope } from '#shared/domain/caller.ts';
import type { ErrorCode } from '#shared/domain/errors.ts';
import type { LimitClass } from '#shared/domain/keys/limits.ts';
import type { Role } from '#shared/domain/members/role.ts';
import type { CsvTable } from '#shared/domain/registration/import.ts';

export const operationTags = [
  'Shipments',
  'Events in',
  'Imports',
  'Carriers',
  'Free time',
  'Analytics',
  'Change feed',
  'Webhooks',
  'Notes',
  'Shared pages',
  'API keys',
  'Test mode',
  'MCP',
] as const;
export type OperationTag = (typeof operationTags)[number];

export type OperationHeader = { description: string; schema: z.ZodType; required?: boolean };

/** An example that a test sends or compares; `value` is what the wire carries. */
export type OperationExample = {
  summary: string;
  value: unknown;
  /** One of the body's media types. Default: the first. */
  mediaType?: string;
};

export type OperationAnswer = {
  /** Only in the public API. */
  description?: string;
  /** Absent: the response has no body. */
  schema?: z.ZodType;
  /** Default: `application/json`. */
  mediaType?: string;
  /** Further media types of the same response, as text or bytes. */
  moreMediaTypes?: readonly string[];
  headers?: Readonly<Record<string, OperationHeader>>;
};

export type RawParams = Readonly<Record<string, string>>;
export type RawQuery = Readonly<Record<string, unknown>>;

export type OperationBody = {
  schema: z.ZodType;
  /**
   * Parses the body into what the handler gets. Default: the output of the schema. Throws one LandfallError that names
   * every mistake.
   */
  parse?: (body: unknown) => unknown;
  /**
   * Reads a large body in steps of a few milliseconds, from its bytes, in place of `parse`. `charset`: what the request
   * states (null: nothing). Throws the same.
   */
  read?: (bytes: Uint8Array, charset: string | null) => Generator<void, unknown>;
  /** Reads a CSV body in steps, where `mediaTypes` has text/csv and `maxBytes` is a number. Throws the same. */
  readTable?: (table: CsvTable) => Generator<void, unknown>;
  /** Remedy for a body of more than `maxBytes`, as a sentence. */
  tooLarge?: string;
  description?: string;
  /** False: the body is optional. Default: true. */
  required?: boolean;
  /** Default: `application/json` alone. */
  mediaTypes?: readonly string[];
  /** Default: 65,536. Null: unlimited, read as a stream. */
  maxBytes?: number | null;
  /** Bytes that the API holds for each byte of the body until it has answered, if they are many. */
  heldPerByte?: number;
  examples?: Readonly<Record<string, OperationExample>>;
};

type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in OpenAPI: `/v1/shipments/{shipment_id}`. */
  path: string;
  limit: LimitClass;
  /** The path parameters. */
  params?: z.ZodObject;
  /** The query parameters; a list is sent with commas. Absent: any parameter is refused. */
  query?: z.ZodObject;
  /**
   * Parse the parameters into what the handler gets. Default: the output of the schema. Throw one LandfallError that
   * names every mistake.
   */
  parseParams?: (params: RawParams) => unknown;
  parseQuery?: (query: RawQuery, accept: string | undefined) => unknown;
  body?: OperationBody;
  answers: Readonly<Record<number, OperationAnswer>>;
  /** The handler negotiates by the `Accept` header itself. */
  anyAccept?: boolean;
  /** Served only by an installation with `MCP_OAUTH=on`. */
  onlyWithOauth?: boolean;
  /** The response stays open: it has a limit of its own, and its duration is not a response time. */
  staysOpen?: boolean;
};

type Described<Part> = Part & { description: string };

/** Part of the public API: documented, and called with a key under `/v1`. */
type PublicPart = {
  /**
   * `key_or_session`: also served under `/dashboard/api/v1`, where the role of the signed-in user replaces the scopes
   * of a key.
   */
  access: 'key' | 'key_or_session';
  /** The scope that the key or the role needs; null: none. */
  scope: Scope | null;
  tag: OperationTag;
  summary: string;
  description: string;
  body?: Described<OperationBody>;
  answers: Readonly<Record<number, Described<OperationAnswer>>>;
  /** The operation's own errors. The document adds those that any request can meet (401, 429, 500 …). */
  errors: readonly ErrorCode[];
  /** Accepts an `Idempotency-Key`. */
  idempotent?: boolean;
  /** Optional request headers of its own. */
  requestHeaders?: Readonly<Record<string, OperationHeader>>;
  /** Refuses live keys. */
  testKeysOnly?: boolean;
  /** Refuses test keys. */
  liveKeysOnly?: boolean;
};

/** Called by the dashboard alone, under `/dashboard/api`. */
type DashboardPart = {
  access: 'session';
  role: DashboardRole;
};

/**
 * `anyone` needs no session; `signed_in` needs one; a role is the least that is needed in the account of the request;
 * `operator` is an owner of the first account, who runs the installation.
 */
export type DashboardRole = 'anyone' | 'signed_in' | Role | 'operator';

/**
 * One method of one path. Routing, validation, rate limits, authorization, the OpenAPI document, the dashboard's client
 * and the generated tests all come from it.
 */
export type Operation = Endpoint & (PublicPart | DashboardPart);

/** Operations by their id, which is camelCase and also the `operationId` in the document. */
export type Operations = Readonly<Record<string, Operation>>;

export type PublicOperation = Endpoint & PublicPart & { id: string };
export type DashboardOperation = Endpoint & DashboardPart & { id: string };
