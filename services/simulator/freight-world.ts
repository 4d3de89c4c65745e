import type { FastifyReply } from 'fastify';
import { disturbWrap, sendAnswer } from './fault-effects.ts';
import type { Fault, FaultScript } from './faults.ts';
import type { FirstSeen } from './first-seen.ts';
import type { AccessTokens } from './token-route.ts';
import { isFast, type Played, virtualNow, voyageStart } from './voyages/clock.ts';
import { isUnknown, plainReference } from './voyages/identifiers.ts';

/** What the routes of air and road freight share. */
export type FreightWorld = {
  seed: string;
  voyageS: number;
  now: () => number;
  faults: FaultScript;
  firstSeen: FirstSeen;
  tokens: AccessTokens;
};

/** A journey at this moment of the real clock: `realMs` turns a virtual moment into the real one at which it is reached. All epoch ms. */
export type PlayedNow<J> = { journey: J; startMs: number; virtualMs: number; realMs: (virtualMs: number) => number };

/** The journey of a number as it stands now; null for a number with `404`. It begins when it is first asked for. */
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
    realMs: (virtualMs) => (fast ? firstSeenMs + (virtualMs - firstSeenMs + journey.durationMs) * msPerVirtual : virtualMs),
  };
}

/** Counts a request about a number, takes its next fault and lets it wait when it is held. */
export async function nextFault(world: FreightWorld, number: string): Promise<Fault | null> {
  world.faults.countServed(number);
  const fault = world.faults.take([number]);
  if (fault?.kind === 'hold') await world.faults.hold([number]);
  return fault;
}

/** Sends a body that is made of the list, as the fault would have both. */
export async function sendFreight<T extends Record<string, unknown>>(
  reply: FastifyReply,
  world: FreightWorld,
  answer: { list: T[]; fault: Fault | null; wrap: (list: T[]) => unknown },
): Promise<FastifyReply> {
  const list = disturbFreight(answer.list, answer.fault);
  const body = JSON.stringify(disturbWrap(answer.wrap(list), list, answer.fault));
  return sendAnswer(reply, body, answer.fault, world.now());
}

function disturbFreight<T extends Record<string, unknown>>(list: T[], fault: Fault | null): T[] {
  if (fault?.kind === 'duplicates') return [...list, ...list];
  if (fault?.kind === 'shuffled') return list.toReversed();
  if (fault?.kind === 'vanished_event') return list.slice(0, -1);
  return list;
}
