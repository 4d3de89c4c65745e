import type { FastifyRequest } from 'fastify';

/** An actual event in the carrier's own code. `at` is ISO 8601 UTC, `local` the local time to the minute. */
export type KnownEvent = { code: string; at: string; local?: string; place: string | null; container: string | null };

/**
 * Past events and current status of a shipment. They are derived from the planned journey only, never from a response.
 * `events` contains the actual events.
 */
export type Truth = { status: string; events: KnownEvent[] };

/** Describes a route for fault injection and request counts. */
export type CarrierRoute = {
  connector: string;
  /**
   * `events`: the tracking response for a number; `token`: authentication; `object`: a linked object that is requested
   * separately.
   */
  kind: 'events' | 'token' | 'object';
  /** The numbers in a request, as given. */
  numbers: (request: FastifyRequest) => string[];
  /** Other identifiers of the same shipment. Faults for them apply too. */
  aliases?: (number: string) => string[];
  /** Null for a number that was never requested or that is unknown. */
  truth?: (number: string, nowMs: number) => Truth | null;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    carrier?: CarrierRoute;
  }
  interface FastifyRequest {
    /** Set once the route has returned every event of a number, so that the response can be compared with the truth. */
    completeFor: string[];
  }
}

/** The config of a token endpoint. */
export function tokenRoute(connector: string): { config: { carrier: CarrierRoute } } {
  return { config: { carrier: { connector, kind: 'token', numbers: () => [] } } };
}
