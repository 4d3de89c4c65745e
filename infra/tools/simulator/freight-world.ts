import type { FastifyRequest } from 'fastify';
import type { CarrierRoute } from './carrier-route.ts';
import type { FirstSeen } from './first-seen.ts';
import type { AccessTokens } from './token-route.ts';
import { isFast, type Played, virtualNow, voyageStart } from './voyages/clock.ts';
import { isUnknown, plainReference } from './voyages/identifiers.ts';

/** Dependencies that the air and road freight routes share. */
export type FreightWorld = {
  seed: string;
  voyageS: number;
  now: () => number;
  firstSeen: FirstSeen;
  tokens: AccessTokens;
};

/** A journey at the current real time. `realMs` converts a virtual moment to real time. All in epoch ms. */
export type PlayedNow<J> = { journey: J; startMs: number; virtualMs: number; realMs: (virtualMs: number) => number };

/**
 * The current state of a number's journey. Null for a number that contains `404`. The journey starts with the first
 * request.
 */
export function playNow<J extends Played>(
  world: FreightWorld,
  network: string,
  number: string,
  plan: (plain: string) => J,
): PlayedNow<J> | null {
  const plain = plainReference(number);
  if (plain === '' || isUnknown(plain)) return null;
  const journey = plan(plain);
  const fast = isFast(plain);
  const nowMs = world.now();
  const firstSeenMs = world.firstSeen.of(network, plain, nowMs);
  const msPerVirtual = (world.voyageS * 1000) / journey.durationMs;
  return {
    journey,
    startMs: voyageStart(journey, fast, firstSeenMs),
    virtualMs: virtualNow(journey, fast, firstSeenMs, world.voyageS, nowMs),
    realMs: (virtualMs) =>
      fast ? firstSeenMs + (virtualMs - firstSeenMs + journey.durationMs) * msPerVirtual : virtualMs,
  };
}

/** The config of a freight carrier's route. */
export function freightRoute(
  connector: string,
  route: {
    kind?: CarrierRoute['kind'];
    numbers: (request: FastifyRequest) => string | string[];
    truth?: CarrierRoute['truth'];
  },
): { config: { carrier: CarrierRoute } } {
  const { kind = 'events', numbers, truth } = route;
  return {
    config: {
      carrier: { connector, kind, numbers: (request) => [numbers(request)].flat(), ...(truth ? { truth } : {}) },
    },
  };
}
