import type { z } from 'zod';
import type { Scope } from '#shared/domain/caller.ts';
import type { ErrorCode } from '#shared/domain/errors.ts';
import type { LimitClass } from '#shared/domain/keys/limits.ts';

export const operationTags = [
  'Shipments',
  'Imports',
  'Carriers',
  'Change feed',
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
  /** One of the body's media types; default: the first. */
  mediaType?: string;
};

export type OperationAnswer = {
  description: string;
  /** Absent: the answer has no body. */
  schema?: z.ZodType;
  /** Default `application/json`. */
  mediaType?: string;
  /** Further media types of the same answer, as text. */
  textMediaTypes?: readonly string[];
  headers?: Readonly<Record<string, OperationHeader>>;
};

export type OperationBody = {
  schema: z.ZodType;
  description: string;
  /** False: the request may come without a body. Default true. */
  required?: boolean;
  /** Default `application/json` alone. */
  mediaTypes?: readonly string[];
  /** Default 65,536; null: unbounded, read as a stream. */
  maxBytes?: number | null;
  examples?: Readonly<Record<string, OperationExample>>;
};

/**
 * One method of one address, as it is documented, routed, limited and guarded: the OpenAPI document, the server's routes and the tests that
 * try every route are all made from these. Failures that any request can meet (400 for what cannot be read, 401, 403, 406, 408, 413, 414, 415,
 * 429, 431, 500, 503) are added by the document; `errors` names the operation's own.
 */
export type Operation = {
  /** camelCase, also the name in the typed client. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the form of OpenAPI: `/v1/shipments/{shipment_id}`. */
  path: string;
  tag: OperationTag;
  summary: string;
  description: string;
  /** The scope that a key needs; null: any key. */
  scope: Scope | null;
  limit: LimitClass;
  /** Takes an `Idempotency-Key`. */
  idempotent?: boolean;
  /** Live keys are refused. */
  testKeysOnly?: boolean;
  /** Test keys are refused. */
  liveKeysOnly?: boolean;
  /** The path's parameters. */
  params?: z.ZodObject;
  /** The query's parameters; a list is sent with commas. Without it the address takes none. */
  query?: z.ZodObject;
  body?: OperationBody;
  answers: Readonly<Record<number, OperationAnswer>>;
  errors: readonly ErrorCode[];
};
