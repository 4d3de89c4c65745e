import type { FastifyRequest } from 'fastify';
import type { DcsaEvent } from '../voyages/event.ts';
import type { EventQuery, QueryStyle } from './event-query.ts';

/** An answer that is not a list of events. */
export type Refusal = { status: number; body: unknown };

/** How one carrier departs from the standard. */
export type Dialect = {
  path: string;
  /** The only line that this endpoint serves; null serves all. */
  scac: string | null;
  style: QueryStyle;
  headers: Record<string, string>;
  /** Seconds that an answer about a real-time voyage holds by its `Cache-Control`; a fast voyage's never does. */
  holdsS?: number;
  /** The refusal of a caller without the right credentials. */
  authenticate: (request: FastifyRequest, nowMs: number) => Refusal | null;
  /** The refusal of a query, given what is wrong with it already. */
  check: (request: FastifyRequest, query: EventQuery, mistakes: string[], nowMs: number) => Refusal | null;
  /** What is said of a number that is unknown; null for an empty list. */
  notFound: (request: FastifyRequest, nowMs: number) => Refusal | null;
  /** The events that the carrier publishes, in its own shape. */
  render: (events: DcsaEvent[], request: FastifyRequest) => Record<string, unknown>[];
  select: (event: DcsaEvent) => boolean;
  wrap: (events: Record<string, unknown>[]) => unknown;
};
