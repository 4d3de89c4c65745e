import { findTroubles, isSlow } from '#shared/domain/operations/find-troubles.ts';
import { connectorOf, stateOf } from './operations-state.ts';
import type { WireConnector, WireOperations } from './operations-types.ts';

/** Whose fault it is, in one sentence, and what is behind it. */
export type Answer = { sign: 'bad' | 'warn' | 'good'; lead: string; because: string[] };

type Culprit = 'us' | 'carrier' | 'credentials';

const lateFromS = 300;
const feedLateFromS = 30;
const fewestCalls = 5;
const unreliableShare = 0.1;

/** Is it us, or the carrier? The first question of whoever opens the page. */
export function answerOf(state: WireOperations): Answer {
  const culprits = culpritsOf(state);
  const troubles = findTroubles(stateOf(state));
  const because = troubles.map(({ text }) => text);
  if (culprits.size === 0) {
    return troubles.length === 0
      ? { sign: 'good', lead: 'All is well.', because: [wellWords(state)] }
      : { sign: 'warn', lead: 'All is well, nearly.', because };
  }
  const isBad = troubles.some(({ severity }) => severity === 'bad');
  const sign = isBad ? 'bad' : 'warn';
  if (culprits.has('us') && culprits.size > 1) return { sign, lead: 'It is us, and not only us.', because };
  if (culprits.has('us')) return { sign, lead: 'It is us.', because };
  const [only] = culprits;
  if (culprits.size === 1 && only === 'credentials')
    return { sign, lead: 'It is the credentials.', because: [...because, ownWords] };
  const many = countTroubled(state) > 1;
  return { sign, lead: many ? 'It is the carriers.' : 'It is the carrier.', because: [...because, ownWords] };
}

const ownWords = 'Everything of ours is within its limits.';

function wellWords({ workers, connectors, calls_per_minute: calls }: WireOperations): string {
  const asked = connectors.filter(({ requests }) => requests > 0).length;
  const ran = workers === 1 ? '1 worker runs' : `${workers.toLocaleString('en')} workers run`;
  if (asked === 0) return `${ran}; no carrier had to be asked in the last five minutes.`;
  return `${ran}; ${asked === 1 ? 'the one carrier that was asked answers' : `all ${asked} carriers that were asked answer`}, ${calls.toLocaleString('en')} calls a minute.`;
}

function culpritsOf(state: WireOperations): Set<Culprit> {
  const culprits = new Set<Culprit>();
  const slow = slowOf(state.connectors);
  if (
    state.workers === 0 ||
    state.queues === null ||
    state.feed_age_s > feedLateFromS ||
    state.delivery_age_s > lateFromS
  )
    culprits.add('us');
  for (const one of state.connectors) {
    if (one.suspended > 0) culprits.add('credentials');
    if ((inTrouble(one) || slow.has(one.connector)) && one.suspended === 0) culprits.add('carrier');
    // It answers and may be asked, and still shipments wait: it is not asked fast enough.
    const isLate = (one.due_oldest_age_s ?? 0) > lateFromS;
    if (isLate && !inTrouble(one) && (one.budget_left ?? 1) >= 1) culprits.add('us');
  }
  return culprits;
}

/** Whether a carrier does not do what it should: it refuses, does not answer, fails often or wants to be left alone. */
export function inTrouble(one: WireConnector): boolean {
  const failing = one.requests >= fewestCalls && (one.requests - one.succeeded) / one.requests >= unreliableShare;
  return one.suspended > 0 || one.circuit !== 'closed' || failing || (one.closed_for_s ?? 0) > 0;
}

/** The codes of those that answer, but far later than they should. */
export function slowOf(connectors: readonly WireConnector[]): ReadonlySet<string> {
  const all = connectors.map(connectorOf);
  return new Set(all.filter((one) => isSlow(one, all)).map(({ connector }) => connector));
}

/** How many carriers the answer speaks of. */
export function countTroubled({ connectors }: Pick<WireOperations, 'connectors'>): number {
  const slow = slowOf(connectors);
  return connectors.filter((one) => inTrouble(one) || slow.has(one.connector)).length;
}

/** Worst first: in trouble, then slow, then by how much failed, then by how late, then by how often it is asked. */
export function worstFirst(connectors: readonly WireConnector[]): WireConnector[] {
  const slow = slowOf(connectors);
  const share = (one: WireConnector) => (one.requests === 0 ? 0 : (one.requests - one.succeeded) / one.requests);
  return connectors.toSorted(
    (left, right) =>
      Number(inTrouble(right)) - Number(inTrouble(left)) ||
      Number(right.circuit === 'open') - Number(left.circuit === 'open') ||
      Number(slow.has(right.connector)) - Number(slow.has(left.connector)) ||
      share(right) - share(left) ||
      (right.due_oldest_age_s ?? 0) - (left.due_oldest_age_s ?? 0) ||
      right.requests - left.requests ||
      left.name.localeCompare(right.name),
  );
}
