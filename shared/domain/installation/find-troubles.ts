import type { TrackingReason } from '../record/shipment.ts';
import { findOverload, overloadText } from './find-overload.ts';
import { findStall } from './find-stall.ts';
import type { ConnectorState, FailureCount, OperationsState } from './operations.ts';
import { failingShare, minCalls, slowText } from './slow-carriers.ts';

/** A current problem in plain words. `connector` is null if it concerns the whole installation. */
export type Trouble = { severity: 'bad' | 'warn'; connector: string | null; text: string };

const unreliableShare = 0.1;
const lateFromS = 300;
const feedLateFromS = 30;
const webhooksLateFromS = 60;
/** Of the enabled endpoints. Fewer are the receivers' own failures. */
const failingEndpoints = { share: 0.5, least: 3 };

const whyTexts: Partial<Record<TrackingReason, string>> = {
  carrier_unreachable: 'unavailable',
  carrier_rate_limited: 'rate limited',
  carrier_auth_failed: 'credentials rejected',
  unrecognized_response: 'unrecognized responses',
};

/** All current problems, the worst first. While this installation is overloaded, no carrier is called slow. */
export function findTroubles(state: OperationsState): Trouble[] {
  const overload = findOverload(state);
  const troubles = [
    ...(overload === null ? [] : [{ severity: 'bad' as const, connector: null, text: overloadText(overload) }]),
    ...ownTroubles(state),
    ...state.connectors.flatMap((one) => connectorTroubles(one, state, overload !== null)),
  ];
  return troubles.toSorted((left, right) => Number(right.severity === 'bad') - Number(left.severity === 'bad'));
}

function ownTroubles(state: OperationsState): Trouble[] {
  const troubles: Trouble[] = [];
  const bad = (text: string) => troubles.push({ severity: 'bad', connector: null, text });
  const warn = (text: string) => troubles.push({ severity: 'warn', connector: null, text });
  if (state.storageFull)
    bad("The database's disk is full, so nothing can be registered or refreshed. Free some space, or add some.");
  if (state.workers === 0) bad('No worker is running, so no carrier is polled. Start a worker, or check why it exits.');
  const stalledS = findStall(state);
  if (stalledS !== null)
    bad(
      `Shipments are due, but no refresh has completed for ${inWords(stalledS)}. ` +
        'Check the CPU time of this machine, the database and the queue.',
    );
  if (state.queues === null) warn('The queue is unavailable. Refreshes wait until it recovers. No data is lost.');
  if (state.unsequencedAgeS > feedLateFromS)
    bad(`Changes are not reaching the feed. The oldest has waited for ${inWords(state.unsequencedAgeS)}.`);
  if (state.deliveryAgeS > lateFromS) {
    warn(
      `Deliveries of carrier subscriptions are not being processed. The oldest has waited for ${inWords(state.deliveryAgeS)}.`,
    );
  }
  // Without a worker, nothing is sent. That is reported above.
  const { enabled, failing, unsentAgeS } = state.webhooks;
  if (state.workers > 0 && unsentAgeS > webhooksLateFromS)
    bad(`Webhooks are sent late. The oldest change has waited for ${inWords(unsentAgeS)}.`);
  if (failing >= failingEndpoints.least && failing >= enabled * failingEndpoints.share) {
    warn(
      `${failing.toLocaleString('en-US')} of ${enabled.toLocaleString('en-US')} webhook endpoints are failing. ` +
        'Check the network, DNS and proxy of the workers.',
    );
  }
  return troubles;
}

function connectorTroubles(one: ConnectorState, state: OperationsState, isOverloaded: boolean): Trouble[] {
  const troubles: Trouble[] = [];
  const add = (severity: Trouble['severity'], text: string) =>
    troubles.push({ severity, connector: one.connector, text: `${one.name} ${text}` });
  const failed = one.requests - one.succeeded;
  const share = one.requests === 0 ? 0 : failed / one.requests;
  const isFailing = one.circuit !== 'closed' || (one.requests >= minCalls && share >= failingShare);
  if (one.suspended > 0) {
    add(
      'bad',
      `rejects ${one.suspended === 1 ? 'its credentials' : `${one.suspended} sets of credentials`}. Replace them.`,
    );
  }
  if (isFailing) add('bad', failingText(one, failed, state.failures));
  else if (one.requests >= minCalls && share >= unreliableShare) {
    add('warn', `is unreliable: ${ofCalls(one, failed)} failed${mostWith(one, state.failures)}.`);
  }
  if (one.closedForS !== null && one.closedForS > 0)
    add('warn', `is rate limiting Landfall. Calls resume in ${inWords(one.closedForS)}.`);
  // A connector with an open circuit may still respond to most calls, but slowly. Latency is then the reason.
  const slow = isOverloaded || share >= failingShare ? null : slowText(one, state.connectors);
  if (slow !== null) add('warn', slow);
  const unreadable = countFailures(one, state.failures, 'unrecognized_response');
  if (unreadable > 0)
    add(
      'warn',
      `sends unrecognized responses: ${unreadable} ${unreadable === 1 ? 'refresh' : 'refreshes'} in the last 15 minutes.`,
    );
  if (one.unreadableEvents > 0) {
    const count = one.unreadableEvents.toLocaleString('en-US');
    add(
      'warn',
      `sent ${count} ${one.unreadableEvents === 1 ? 'event' : 'events'} in the last 24 hours that could not be read. ` +
        'The pages of the shipments show them.',
    );
  }
  // Without a worker, all shipments wait. That is reported above.
  if (state.workers > 0 && one.dueOldestAgeS !== null && one.dueOldestAgeS > lateFromS)
    add('warn', lateText(one, isFailing));
  return troubles;
}

function failingText(one: ConnectorState, failed: number, failures: readonly FailureCount[]): string {
  const pause = one.circuit === 'closed' ? '' : ' Landfall sends only probe calls until it responds.';
  if (failed === 0) {
    const why = one.lastErrorReason === null ? '' : `: ${whyText(one.lastErrorReason)}`;
    return `is failing${why}.${pause}`;
  }
  return `is failing: ${ofCalls(one, failed)} failed${mostWith(one, failures)}.${pause}`;
}

function ofCalls(one: ConnectorState, failed: number): string {
  return `${Math.round((failed / one.requests) * 100)}% of its last ${one.requests} calls`;
}

/** The most frequent result of the failed refreshes. */
function mostWith(one: ConnectorState, failures: readonly FailureCount[]): string {
  const own = failures.filter(
    ({ connector, reason, asked }) => connector === one.connector && asked && reason !== 'carrier_not_found_yet',
  );
  const [most] = own.toSorted((left, right) => right.refreshes - left.refreshes);
  if (most === undefined) return one.lastErrorReason === null ? '' : `, last reason: ${whyText(one.lastErrorReason)}`;
  if (most.httpStatus !== null) return `, most with HTTP ${most.httpStatus}`;
  return most.reason === 'carrier_unreachable'
    ? ', most without a response'
    : `, most with reason: ${whyText(most.reason)}`;
}

function lateText(one: ConnectorState, isFailing: boolean): string {
  const count = one.dueCount >= 10_000 ? 'more than 10,000' : String(one.dueCount);
  const due = one.dueCount === 1 ? '1 overdue shipment, by' : `${count} overdue shipments, the oldest by`;
  const waits = `has ${due} ${inWords(one.dueOldestAgeS ?? 0)}`;
  if (isFailing) return `${waits}. Refreshes resume when it responds.`;
  if (one.budgetLeft !== null && one.budgetLeft < 1) return `${waits}. Its call budget is used up.`;
  return `${waits}. More workers may help.`;
}

function whyText(reason: TrackingReason): string {
  return whyTexts[reason] ?? reason.replaceAll('_', ' ');
}

function countFailures(one: ConnectorState, failures: readonly FailureCount[], reason: TrackingReason): number {
  return failures
    .filter((each) => each.connector === one.connector && each.reason === reason)
    .reduce((sum, { refreshes }) => sum + refreshes, 0);
}

/** A duration in its largest useful unit. */
export function inWords(s: number): string {
  if (s < 120) return `${Math.round(s)} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86_400)} days`;
}
