import type { z } from 'zod';
import { alertOperations } from './alerts/alert-operations.ts';
import { viewOperations } from './alerts/view-operations.ts';
import { analyticsOperations } from './analytics/analytics-operations.ts';
import { appOperations } from './apps/app-operations.ts';
import { bulkOperations } from './bulk/bulk-operations.ts';
import { carrierOperations } from './carriers/carrier-operations.ts';
import { ediOperations } from './edi/edi-operations.ts';
import { eventOperations } from './events-in/event-operations.ts';
import { feedOperations } from './feed/feed-operations.ts';
import { freeTimeOperations } from './free-time/free-time-operations.ts';
import { importOperations } from './imports/import-operations.ts';
import { installationOperations } from './installation/installation-operations.ts';
import { accountOperations } from './keys/account-operations.ts';
import { keyOperations, meOperations } from './keys/key-operations.ts';
import { listOperations } from './lists/list-operations.ts';
import { mcpOperations } from './mcp/mcp-operation.ts';
import { memberOperations } from './members/member-operations.ts';
import { sessionOperations } from './members/session-operations.ts';
import { noteOperations } from './notes/note-operations.ts';
import type { DashboardOperation, Operation, Operations, PublicOperation } from './operation.ts';
import { registrationOperations } from './registration/registration-operations.ts';
import { shareOperations } from './shares/share-operations.ts';
import { recordOperations } from './shipments/record-operations.ts';
import { testOperations, verbOperations } from './shipments/verb-operations.ts';
import { deliveryOperations } from './webhooks/delivery-operations.ts';
import { endpointOperations } from './webhooks/endpoint-operations.ts';

/** Every operation by its id: the public API in the order of the document, then those of the dashboard. */
export const operations = {
  ...registrationOperations,
  ...importOperations,
  ...listOperations,
  ...verbOperations,
  ...bulkOperations,
  ...recordOperations,
  ...ediOperations,
  ...eventOperations,
  ...feedOperations,
  ...endpointOperations,
  ...deliveryOperations,
  ...noteOperations,
  ...shareOperations,
  ...keyOperations,
  ...carrierOperations,
  ...freeTimeOperations,
  ...analyticsOperations,
  ...meOperations,
  ...accountOperations,
  ...testOperations,
  ...mcpOperations,
  ...sessionOperations,
  ...memberOperations,
  ...appOperations,
  ...installationOperations,
  ...viewOperations,
  ...alertOperations,
} as const satisfies Operations;

type Registry = typeof operations;

export type OperationId = keyof Registry;

/** The operations that a key, a session or both may call. */
export type OperationIdOf<Access extends Operation['access']> = {
  [Id in OperationId]: Registry[Id]['access'] extends Access ? Id : never;
}[OperationId];

/**
 * Input as a client sends it, before defaults: a part that the operation does not take is absent. Lists of the query
 * are sent with commas.
 */
export type InputOf<Id extends OperationId> = PartOf<Id, 'params'> & PartOf<Id, 'query'> & BodyOf<Id>;

/** The body of a successful response; undefined if it has none. */
export type AnswerOf<Id extends OperationId> = {
  [Status in keyof Registry[Id]['answers'] & (200 | 201 | 202 | 204)]: AnswerBody<Registry[Id]['answers'][Status]>;
}[keyof Registry[Id]['answers'] & (200 | 201 | 202 | 204)];

type PartOf<Id extends OperationId, Part extends 'params' | 'query'> =
  Registry[Id] extends Record<Part, infer Schema extends z.ZodType>
    ? OptionalIfEmpty<Part, z.input<Schema>>
    : Absent<Part>;

/** A part whose fields are all optional is optional. */
type OptionalIfEmpty<Part extends string, Value> =
  Record<never, never> extends Value ? { [Name in Part]?: Value } : { [Name in Part]: Value };

type BodyOf<Id extends OperationId> = Registry[Id] extends { body: { schema: infer Schema extends z.ZodType } }
  ? Registry[Id] extends { body: { required: false } }
    ? { body?: z.input<Schema> }
    : { body: z.input<Schema> }
  : Absent<'body'>;

type Absent<Part extends string> = { [Name in Part]?: never };

type AnswerBody<Answer> = Answer extends { schema: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;

const entries: [string, Operation][] = Object.entries(operations);

/** The public API, in the order of the document. */
export const publicOperations: readonly PublicOperation[] = entries.flatMap(([id, operation]) =>
  operation.access === 'session' ? [] : [{ ...operation, id }],
);

/** The operations that only the dashboard calls. */
export const dashboardOperations: readonly DashboardOperation[] = entries.flatMap(([id, operation]) =>
  operation.access === 'session' ? [{ ...operation, id }] : [],
);
