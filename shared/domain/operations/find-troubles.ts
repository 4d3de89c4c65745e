import type { TrackingReason } from '../shipments/shipment.ts';
import type { ConnectorState, FailureCount, OperationsState } from './operations.ts';

/** A current problem, in plain words. `connector` null: it concerns the whole installation. */
export type Trouble = { severity: 'bad' | 'warn'; connector: string | null; text: string };

const minCalls = 5;
const failingShare = 0.5;
const unreliableShare = 0.1;
const slowFromMs = 2000;
const slowAgainst = { usual: 2, others: 3 };
const lateFromS = 300;
const feedLateFromS = 30;

const whyTexts: Partial<Record<TrackingReason, string>> = {
  carrier_unreachable: 'it does not respond or returns errors',
  carrier_rate_limited: 'it limits the rate',
  carrier_auth_failed: 'it rejects the credentials',
  unrecognized_response: 'its responses are not recognized',
};

/** What needs attention, worst first. */
export function findTroubles(state: OperationsState): Trouble[] {
  const troubles = [...ownTroubles(state), ...state.connectors.flatMap((one) => connectorTroubles(one, state))];
  return troubles.toSorted((left, right) => Number(right.severity === 'bad') - Number(left.severity === 'bad'));
}

function ownTroubles(state: OperationsState): Trouble[] {
  const troubles: Trouble[] = [];
  const bad = (text: string) => troubles.push({ severity: 'bad', connector: null, text });
  const warn = (text: string) => troubles.push({ severity: 'warn', connector: null, text });
  if (state.workers === 0) bad('No worker is running, so no carrier is polled. Start one, or find out why it exits.');
  if (state.queues === null) warn('The queue is unavailable. Nothing is lost; refreshes wait until it is back.');
  if (state.unsequencedAgeS > feedLateFromS)
    bad(`Changes do not reach the feed. The oldest has waited for ${inWords(state.unsequencedAgeS)}.`);
  if (state.deliveryAgeS > lateFromS) {
    warn(`Push deliveries are not processed. The oldest has waited for ${inWords(state.deliveryAgeS)}.`);
  }
  return troubles;
}

function connectorTroubles(one: ConnectorState, state: OperationsState): Trouble[] {
  const troubles: Trouble[] = [];
  const report = (severity: Trouble['severity'], text: string) =>
    troubles.push({ severity, connector: one.connector, text: `${one.name} ${text}` });
  const failed = one.requests - one.succeeded;
  const share = one.requests === 0 ? 0 : failed / one.requests;
  const isFailing = one.circuit !== 'closed' || (one.requests >= minCalls && share >= failingShare);
  if (one.suspended > 0) {
    report('bad', `rejects ${one.suspended === 1 ? 'its credentials' : `${one.suspended} credentials`}. Replace them.`);
  }
  if (isFailing) report('bad', failingText(one, failed, state.failures));
  else if (one.requests >= minCalls && share >= unreliableShare) {
    report('warn', `is unreliable: ${ofCalls(one, failed)} failed${mostWith(one, state.failures)}.`);
  }
  if (one.closedForS !== null && one.closedForS > 0)
    report('warn', `limits the rate. Polling pauses for another ${inWords(one.closedForS)}.`);
  // A carrier whose circuit opened may respond to most calls, but late: then that is the reason.
  const slow = share >= failingShare ? null : slowText(one, state.connectors);
  if (slow !== null) report('warn', slow);
  const unreadable = countFailures(one, state.failures, 'unrecognized_response');
  if (unreadable > 0) {
    const refreshes = `${unreadable} ${unreadable === 1 ? 'refresh' : 'refreshes'}`;
    report('warn', `returned unrecognized responses to ${refreshes} in the last 15 minutes.`);
  }
  // Without a worker all of them wait, which is reported above.
  if (state.workers > 0 && one.dueOldestAgeS !== null && one.dueOldestAgeS > lateFromS)
    report('warn', lateText(one, isFailing));
  return troubles;
}

function failingText(one: ConnectorState, failed: number, failures: readonly FailureCount[]): string {
  const pause = one.circuit === 'closed' ? '' : ' It is only probed until it responds again.';
  if (failed === 0) {
    const why = one.lastErrorReason === null ? '' : ` (${whyTexts[one.lastErrorReason] ?? one.lastErrorReason})`;
    return `is failing repeatedly${why}.${pause}`;
  }
  return `is failing: ${ofCalls(one, failed)} failed${mostWith(one, failures)}.${pause}`;
}

function ofCalls(one: ConnectorState, failed: number): string {
  return `${Math.round((failed / one.requests) * 100)} % of its last ${one.requests} calls`;
}

/** What most of the failed refreshes have in common. */
function mostWith(one: ConnectorState, failures: readonly FailureCount[]): string {
  const own = failures.filter(
    ({ connector, reason, asked }) => connector === one.connector && asked && reason !== 'carrier_not_found_yet',
  );
  const [most] = own.toSorted((left, right) => right.refreshes - left.refreshes);
  if (most === undefined)
    return one.lastErrorReason === null ? '' : `: ${whyTexts[one.lastErrorReason] ?? one.lastErrorReason}`;
  if (most.httpStatus !== null) return `, mostly with HTTP ${most.httpStatus}`;
  return most.reason === 'carrier_unreachable' ? ', mostly without a response' : `, mostly as ${most.reason}`;
}

/** True when a carrier responds much slower than usual or than the other carriers. */
export function isSlow(one: ConnectorState, all: readonly ConnectorState[]): boolean {
  const share = one.requests === 0 ? 0 : (one.requests - one.succeeded) / one.requests;
  return share < failingShare && slowText(one, all) !== null;
}

function slowText(one: ConnectorState, all: readonly ConnectorState[]): string | null {
  const { latencyP95Ms: p95, usualMs } = one;
  if (p95 === null || one.requests < minCalls || p95 < slowFromMs) return null;
  if (usualMs !== null)
    return p95 >= slowAgainst.usual * usualMs ? `is slow: p95 ${seconds(p95)}, usually ${seconds(usualMs)}.` : null;
  const others = all
    .flatMap((other) => (other === one || other.latencyP95Ms === null ? [] : [other.latencyP95Ms]))
    .toSorted((a, b) => a - b);
  const median = others[Math.floor(others.length / 2)];
  if (median === undefined) return `is slow: p95 ${seconds(p95)}.`;
  return p95 >= slowAgainst.others * median ? `is slow: p95 ${seconds(p95)}, other carriers ${seconds(median)}.` : null;
}

function lateText(one: ConnectorState, isFailing: boolean): string {
  const count = one.dueCount >= 10_000 ? 'more than 10,000' : String(one.dueCount);
  const due = one.dueCount === 1 ? '1 due shipment, waiting for' : `${count} due shipments, the oldest waiting for`;
  const waits = `has ${due} ${inWords(one.dueOldestAgeS ?? 0)}`;
  if (isFailing) return `${waits}. They wait until it responds.`;
  if (one.budgetLeft !== null && one.budgetLeft < 1) return `${waits}. Its call budget is used up.`;
  return `${waits}. More workers may help.`;
}

function countFailures(one: ConnectorState, failures: readonly FailureCount[], reason: TrackingReason): number {
  return failures
    .filter((each) => each.connector === one.connector && each.reason === reason)
    .reduce((sum, { refreshes }) => sum + refreshes, 0);
}

function seconds(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A duration in seconds, in words. */
export function inWords(s: number): string {
  if (s < 120) return `${Math.round(s)} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86_400)} days`;
}
