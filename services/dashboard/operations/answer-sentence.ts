import { findTroubles } from '#shared/domain/find-troubles.ts';
import type { OperationsState } from '#shared/domain/operations.ts';
import type { TrackingReason } from '#shared/domain/shipment.ts';
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
  if (culprits.size === 1 && only === 'credentials') return { sign, lead: 'It is the credentials.', because: [...because, ownWords] };
  const many = state.connectors.filter((one) => inTrouble(one)).length > 1;
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
  if (state.workers === 0 || state.queues === null || state.feed_age_s > feedLateFromS || state.delivery_age_s > lateFromS)
    culprits.add('us');
  for (const one of state.connectors) {
    if (one.suspended > 0) culprits.add('credentials');
    if (inTrouble(one) && one.suspended === 0) culprits.add('carrier');
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

/** Worst first: in trouble, then by how much failed, then by how late, then by how often it is asked. */
export function worstFirst(connectors: readonly WireConnector[]): WireConnector[] {
  const share = (one: WireConnector) => (one.requests === 0 ? 0 : (one.requests - one.succeeded) / one.requests);
  return connectors.toSorted(
    (left, right) =>
      Number(inTrouble(right)) - Number(inTrouble(left)) ||
      Number(right.circuit === 'open') - Number(left.circuit === 'open') ||
      share(right) - share(left) ||
      (right.due_oldest_age_s ?? 0) - (left.due_oldest_age_s ?? 0) ||
      right.requests - left.requests ||
      left.name.localeCompare(right.name),
  );
}

/** As the domain names it, so that its rules hold here too. */
function stateOf(state: WireOperations): OperationsState {
  return {
    at: state.as_of,
    workers: state.workers,
    connectors: state.connectors.map((one) => ({
      connector: one.connector,
      name: one.name,
      requests: one.requests,
      succeeded: one.succeeded,
      latencyP50Ms: one.latency_p50_ms,
      latencyP95Ms: one.latency_p95_ms,
      usualMs: one.usual_ms,
      circuit: one.circuit,
      budgetLeft: one.budget_left,
      closedForS: one.closed_for_s,
      lastSuccessAt: one.last_success_at,
      lastErrorAt: one.last_error_at,
      lastErrorReason: one.last_error_reason as TrackingReason | null,
      dueOldestAgeS: one.due_oldest_age_s,
      dueCount: one.due_count,
      suspended: one.suspended,
    })),
    failures: state.failures.map(({ http_status: httpStatus, reason, ...rest }) => ({
      ...rest,
      reason: reason as TrackingReason,
      httpStatus,
    })),
    recent: [],
    // Only whether the queue answers is asked of it.
    queues: state.queues === null ? null : [],
    dueOldestAgeS: state.due.oldest_age_s,
    dueCount: state.due.count,
    unsequencedAgeS: state.feed_age_s,
    deliveryAgeS: state.delivery_age_s,
    registrationsPerMinute: state.registrations_per_minute,
    callsPerMinute: state.calls_per_minute,
  };
}
