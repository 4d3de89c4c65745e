import { findOverload, isWithoutResponse } from '#shared/domain/installation/find-overload.ts';
import { findStall } from '#shared/domain/installation/find-stall.ts';
import { findTroubles, type Trouble } from '#shared/domain/installation/find-troubles.ts';
import { countTroubled as countTroubledOf, isTroubled, slowConnectors } from '#shared/domain/installation/troubled.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { connectorOf, stateOf, type WireConnector, type WireOperations } from './operations-state.ts';

/** The cause of all problems in one sentence, then each problem, the worst first. */
export type Answer = { sign: 'bad' | 'warn' | 'good'; lead: string; note: string; troubles: readonly Trouble[] };

type Culprit = 'us' | 'carrier' | 'credentials';

/** A delay above this is a problem, in seconds. */
export const maxDueAgeS = 300;
export const maxFeedAgeS = 30;
export const maxUnsentAgeS = 60;
const ownNote = 'This installation is within its limits.';

/** Is it this installation, or a carrier? The first question on this page. */
export function answerOf(state: WireOperations): Answer {
  const culprits = culpritsOf(state);
  const troubles = findTroubles(stateOf(state));
  if (culprits.size === 0) {
    return troubles.length === 0
      ? { sign: 'good', lead: 'No problems.', note: normalNote(state), troubles }
      : { sign: 'warn', lead: 'Working, with warnings.', note: ownNote, troubles };
  }
  const sign = troubles.some(({ severity }) => severity === 'bad') ? 'bad' : 'warn';
  if (culprits.has('us')) {
    if (culprits.size === 1 && findOverload(stateOf(state)) !== null)
      return { sign, lead: 'It is this installation, not the carriers.', note: '', troubles };
    const lead =
      culprits.size > 1 ? 'This installation and a carrier have problems.' : 'This installation has problems.';
    return { sign, lead, note: '', troubles };
  }
  const [only] = culprits;
  if (culprits.size === 1 && only === 'credentials')
    return { sign, lead: 'A carrier rejects its credentials.', note: ownNote, troubles };
  const lead = countTroubled(state) > 1 ? 'Carriers have problems.' : 'A carrier has problems.';
  return { sign, lead, note: ownNote, troubles };
}

function normalNote({ workers, connectors, calls_per_minute: calls }: WireOperations): string {
  const polled = connectors.filter(({ requests }) => requests > 0).length;
  const running =
    workers === 1 ? '1 worker is running.' : `${workers.toLocaleString(numberLocale())} workers are running.`;
  if (polled === 0) return `${running} No carrier was called in the last five minutes.`;
  const responding = polled === 1 ? '1 carrier is responding' : `${polled} carriers are responding`;
  return `${running} ${responding}, at ${calls.toLocaleString(numberLocale())} calls a minute.`;
}

function culpritsOf(state: WireOperations): Set<Culprit> {
  const culprits = new Set<Culprit>();
  const slow = slowOf(state);
  const domainState = stateOf(state);
  const isOverloaded = findOverload(domainState) !== null;
  if (
    isOverloaded ||
    findStall(domainState) !== null ||
    state.workers === 0 ||
    state.storage_full ||
    state.queues === null ||
    state.feed_age_s > maxFeedAgeS ||
    state.delivery_age_s > maxDueAgeS ||
    state.webhooks.unsent_age_s > maxUnsentAgeS
  )
    culprits.add('us');
  for (const one of state.connectors) {
    if (one.suspended > 0) culprits.add('credentials');
    const isOurs = isOverloaded && isWithoutResponse(connectorOf(one), domainState.failures);
    if ((inTrouble(one) || slow.has(one.connector)) && one.suspended === 0 && !isOurs) culprits.add('carrier');
    // The carrier responds and has budget left, and shipments still wait: we call it too slowly.
    const isLate = (one.due_oldest_age_s ?? 0) > maxDueAgeS;
    if (isLate && !inTrouble(one) && (one.budget_left ?? 1) >= 1) culprits.add('us');
  }
  return culprits;
}

export function inTrouble(one: WireConnector): boolean {
  return isTroubled(connectorOf(one));
}

export function slowOf(state: WireOperations): ReadonlySet<string> {
  return slowConnectors(stateOf(state));
}

/** The number of carriers with a problem. */
export function countTroubled(state: WireOperations): number {
  return countTroubledOf(stateOf(state));
}

/** Worst first: problems, slow ones, share of failures, delay, number of calls. */
export function worstFirst(state: WireOperations): WireConnector[] {
  const slow = slowOf(state);
  const share = (one: WireConnector) => (one.requests === 0 ? 0 : (one.requests - one.succeeded) / one.requests);
  return state.connectors.toSorted(
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
