import type { FastifyRequest } from 'fastify';
import type { DcsaEvent } from '../voyages/event.ts';
import type { EventQuery, QueryStyle } from './event-query.ts';

/** A response that is not a list of events. */
export type Refusal = { status: number; body: unknown };

/** Differences of a carrier from the standard. */
export type Dialect = {
  path: string;
  /** The only line that this endpoint serves. Null: every line. */
  scac: string | null;
  style: QueryStyle;
  headers: Record<string, string>;
  /**
   * `Cache-Control` lifetime in seconds of a response about a real-time voyage. Responses about fast voyages are never
   * cacheable.
   */
  holdsS?: number;
  /** Rejects a request without valid credentials. */
  authenticate: (request: FastifyRequest, nowMs: number) => Refusal | null;
  /** Rejects a query, given the mistakes found so far. */
  check: (request: FastifyRequest, query: EventQuery, mistakes: string[], nowMs: number) => Refusal | null;
  /** The response for an unknown number. Null: an empty list. */
  notFound: (request: FastifyRequest, nowMs: number) => Refusal | null;
  /** The events that the carrier publishes, in its own shape. */
  render: (events: DcsaEvent[], request: FastifyRequest) => Record<string, unknown>[];
  select: (event: DcsaEvent) => boolean;
  wrap: (events: Record<string, unknown>[]) => unknown;
};

/**
 * The response of Azure's gateway to a request without a valid subscription key (ZIM, and MSC's older authentication).
 */
export const azureKeyRefusal: Refusal = {
  status: 401,
  body: {
    statusCode: 401,
    message:
      'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
  },
};

/** The response of Azure's gateway to a path of no API. */
export const azureNoRoute: Refusal = { status: 404, body: { statusCode: 404, message: 'Resource not found' } };

/** Rejects a request without a key, or with the key `wrong`. */
export function keyRefusal(key: string | string[] | undefined, refusal: Refusal): Refusal | null {
  return typeof key === 'string' && key !== '' && key !== 'wrong' ? null : refusal;
}

/** The token in `Authorization: Bearer …`. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
