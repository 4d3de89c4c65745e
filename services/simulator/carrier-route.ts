import type { FastifyRequest } from 'fastify';

/** Something that the simulator knows to have happened, in its carrier's own word; `at` is ISO 8601 UTC, `local` the time there, to the minute. */
export type KnownEvent = { code: string; at: string; local?: string; place: string | null; container: string | null };

/**
 * All that a carrier can have told of a number by now, and where the cargo is: made from the planned journey alone, never from an answer.
 * `events` are those that happened.
 */
export type Truth = { status: string; events: KnownEvent[] };

/** What faults and counts have to know of a route. */
export type CarrierRoute = {
  connector: string;
  /** `events`: the answer that tells of a number; `token`: sign-in; `object`: a part that is asked for by itself. */
  kind: 'events' | 'token' | 'object';
  /** The numbers that a request is about, as given. */
  numbers: (request: FastifyRequest) => string[];
  /** Other names of the same shipment, by which faults find it too. */
  aliases?: (number: string) => string[];
  /** Null for a number that was never asked for, or that nobody knows. */
  truth?: (number: string, nowMs: number) => Truth | null;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    carrier?: CarrierRoute;
  }
  interface FastifyRequest {
    /** Set once the route has told all of a number that it asked for, so that what was served can be compared with the truth. */
    toldAll: string[];
  }
}

/** The config of a token endpoint. */
export function tokenRoute(connector: string): { config: { carrier: CarrierRoute } } {
  return { config: { carrier: { connector, kind: 'token', numbers: () => [] } } };
}
