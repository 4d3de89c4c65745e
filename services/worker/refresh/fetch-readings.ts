import type { CoreContext } from '#shared/core/core-context.ts';
import type { Postponed } from '#shared/core/tracking/refresh-claims.ts';
import { type ConnectorCode, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { FetchResult, TrackingReason } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { resumeSpreadMs } from '#shared/domain/refresh/retry-wait.ts';
import type { Connector } from '../carriers/carrier.ts';
import { isConnectorCode } from '../carriers/registry.ts';
import { playTestJourney } from '../carriers/test/play-test-journey.ts';
import type { CarrierAccesses } from '../credentials/carrier-access.ts';
import type { Credential, Credentials } from '../credentials/credentials.ts';
import type { RefusalMemory } from '../credentials/evaluate-refusals.ts';
import type { CarrierAccess } from '../credentials/grant-access.ts';
import { withoutSecrets } from '../credentials/instance-credentials.ts';
import type { Reservation } from '../pacing/budget.ts';
import type { Concurrency } from '../pacing/concurrency.ts';
import { pacing } from '../pacing/pacing.ts';
import { describeBudget, describeProbe } from '../pacing/why-not-asked.ts';

export type FetchContext = {
  core: CoreContext;
  connectors: Record<ConnectorCode, Connector>;
  accessFor: CarrierAccesses['accessFor'];
  credentials: Pick<Credentials, 'suspend' | 'lift'>;
  refusals: RefusalMemory;
  concurrencyOf: (connector: ConnectorCode) => Concurrency;
};

export type Fetched = { subject: RefreshSubject; result: FetchResult };

/** A result without a call to the carrier. `why`: for the span; null for a test shipment. */
export type Unasked = Fetched & { why: string | null };

type OpenAccess = CarrierAccess & { kind: 'open' };

/** The subjects of a job that share a credential and its priority. */
export type CredentialGroup = {
  connector: ConnectorCode;
  access: OpenAccess;
  priority: boolean;
  subjects: RefreshSubject[];
};

/** Divides the subjects of a job into those to fetch, by credential, and those that no call is made for. */
export async function groupByCredential(
  ctx: FetchContext,
  connector: string,
  subjects: readonly RefreshSubject[],
): Promise<{ unasked: Unasked[]; groups: CredentialGroup[]; postponed: Postponed[] }> {
  if (connector === testConnector) {
    return {
      unasked: subjects.map((subject) => ({ subject, result: playTestJourney(subject), why: null })),
      groups: [],
      postponed: [],
    };
  }
  if (!isConnectorCode(connector)) {
    const result = failed(connector, 'carrier_not_supported', 'This release has no connector for the carrier.');
    return { unasked: subjects.map((subject) => ({ subject, result, why: null })), groups: [], postponed: [] };
  }
  const unasked: Unasked[] = [];
  const postponed: Postponed[] = [];
  const groups = new Map<string, CredentialGroup>();
  for (const subject of subjects) {
    const { accountId, carrier } = subject;
    // A probe is granted once, so the job's subjects of one account and carrier share their access.
    const same = [...groups.values()].find(
      ({ subjects: [first] }) => first?.accountId === accountId && first.carrier === carrier,
    );
    const access = same?.access ?? (await ctx.accessFor(connector, accountId, carrier));
    if (access.kind === 'closed') {
      const { circuitOpenMs } = access;
      if (circuitOpenMs !== null && showsFailure(subject)) {
        postponed.push({ claim: subject, waitMs: circuitOpenMs + resumeSpreadMs * Math.random() });
        continue;
      }
      const result = failed(connector, access.reason, access.detail, access.retryAfterMs);
      unasked.push({ subject, result: probedSoon(result, circuitOpenMs ?? 0), why: access.why });
      continue;
    }
    if (subject.demonstration === true && !access.credential.settings.simulated) {
      unasked.push({ subject, result: notForRealCarriers(connector), why: null });
      continue;
    }
    const priority = subject.requested === true || subject.urgent === true || subject.hurried === true;
    const key = `${access.credential.id} ${priority}`;
    const group = groups.get(key) ?? { connector, access, priority, subjects: [] };
    group.subjects.push(subject);
    groups.set(key, group);
  }
  return { unasked, groups: [...groups.values()], postponed };
}

/** The record says that the carrier fails. Saying so again would push everything else out of its history. */
function showsFailure({ polling, requested, urgent }: RefreshSubject): boolean {
  return polling.state === 'degraded' && polling.reason !== null && requested !== true && urgent !== true;
}

/** A failure while the circuit is open: the refresh is due again when the carrier is, not by its own backoff. */
function probedSoon<Result extends FetchResult>(result: Result, circuitOpenMs: number): Result {
  return circuitOpenMs > 0 && result.outcome === 'error' && !result.permanent ? { ...result, circuitOpenMs } : result;
}

/** The calls of a group that its budget covers now. */
export type ReservedCalls = {
  group: CredentialGroup;
  calls: RefreshSubject[][];
  postponed: Postponed[];
  /** Reason for postponing some of them, for the span. */
  why: string | null;
  budget: Reservation['budget'];
  /** To call when all calls have ended. */
  release: () => void;
  /** Set once the carrier has rejected the credential: the other calls are not made. */
  rejection: FetchResult | null;
};

export async function reserveCalls(ctx: FetchContext, group: CredentialGroup): Promise<ReservedCalls> {
  const { connector, access, priority, subjects } = group;
  const { batchSize } = ctx.connectors[connector];
  const calls = inCalls(access.isProbe ? subjects.slice(0, batchSize) : subjects, batchSize);
  const { granted, waitMs, budget, release } = await access.reserve(calls.length, { priority });
  const covered = calls.slice(0, granted);
  const surplus = subjects.slice(covered.reduce((sum, call) => sum + call.length, 0));
  const isShort = granted < calls.length;
  const dueInMs = isShort ? waitMs : pacing.circuit.probeMs;
  const why = isShort
    ? describeBudget(connector, { granted, calls: calls.length, waitMs })
    : surplus.length > 0
      ? describeProbe(connector)
      : null;
  const postponed = surplus.map((claim) => ({ claim, waitMs: dueInMs * (1 + 0.2 * Math.random()) }));
  return { group, calls: covered, postponed, why, budget, release, rejection: null };
}

function inCalls(subjects: readonly RefreshSubject[], size: number): RefreshSubject[][] {
  return Array.from({ length: Math.ceil(subjects.length / size) }, (_, index) =>
    subjects.slice(index * size, (index + 1) * size),
  );
}

/** Makes one call as soon as the connector's concurrency allows it. Returns one result per subject, never rejects. */
export function fetchCall(
  ctx: FetchContext,
  reserved: ReservedCalls,
  { call, signal }: { call: RefreshSubject[]; signal: AbortSignal },
): Promise<Fetched[]> {
  const { connector, access, priority } = reserved.group;
  return ctx.concurrencyOf(connector).run(
    async () => {
      const { rejection } = reserved;
      if (rejection !== null) return call.map((subject) => ({ subject, result: rejection }));
      const { credential } = access;
      const { fetched, rejection: ofCall } = settleRefusals(
        ctx,
        credential,
        await fetchNow(ctx, reserved, { call, signal }),
      );
      if (ofCall !== null) {
        const detail = 'The carrier just rejected these credentials.';
        reserved.rejection = failed(connector, 'carrier_auth_failed', detail);
      }
      const isAccepted = fetched.some(({ result }) => result.outcome !== 'error');
      await suspendOrLift(ctx, credential, { rejection: ofCall, isAccepted });
      return fetched;
    },
    { first: priority, isAnswer: (fetched) => fetched.some(({ result }) => result.outcome !== 'error') },
  );
}

async function fetchNow(
  ctx: FetchContext,
  { group: { connector, access }, budget }: ReservedCalls,
  { call, signal }: { call: RefreshSubject[]; signal: AbortSignal },
): Promise<Fetched[]> {
  try {
    const ids = call.map(({ shipmentId }) => shipmentId);
    const results = await ctx.connectors[connector].fetch({ ...access.carrierFor(ids), budget }, call, signal);
    access.circuit.refreshed(ids.filter((id) => isRefreshed(results.get(id))));
    const circuitOpenMs = access.circuit.waitMs();
    return call.map((subject) => {
      const result =
        results.get(subject.shipmentId) ?? failed(connector, 'internal_error', 'The connector returned no result.');
      if (result.outcome !== 'error') return { subject, result };
      const detail = withoutSecrets(result.detail, access.credential.settings);
      return { subject, result: probedSoon({ ...result, detail }, circuitOpenMs) };
    });
  } catch (error) {
    ctx.core.log.error({ err: error, connector, shipments: call.length }, 'connector failed');
    const result = failed(connector, 'internal_error', 'The connector failed.');
    return call.map((subject) => ({ subject, result }));
  }
}

function isRefreshed(result: FetchResult | undefined): boolean {
  return result !== undefined && result.outcome !== 'error';
}

type FailedResult = FetchResult & { outcome: 'error' };

/**
 * Decides whether a refused call speaks against the credentials or only against the shipment's number. `rejection`: the
 * one that spoke against the credentials.
 */
function settleRefusals(
  { refusals }: Pick<FetchContext, 'refusals'>,
  credential: Credential,
  fetched: readonly Fetched[],
): { fetched: Fetched[]; rejection: FailedResult | null } {
  let rejection: FailedResult | null = null;
  if (fetched.some(({ result }) => result.outcome !== 'error')) refusals.accepted(credential);
  const settled = fetched.map(({ subject, result }): Fetched => {
    if (result.outcome !== 'error' || result.refusedBy === undefined) return { subject, result };
    const { refusedBy: by } = result;
    const isKnown = subject.polling.reason === 'data_withheld';
    const verdict =
      credential.suspended === null
        ? refusals.refused(credential, { shipmentId: subject.shipmentId, by, isKnown })
        : 'credentials';
    if (verdict === 'credentials') {
      rejection ??= result;
      return { subject, result: { ...result, reason: 'carrier_auth_failed' } };
    }
    return { subject, result: by === 'call' ? { ...result, reason: 'data_withheld' } : result };
  });
  return { fetched: settled, rejection };
}

/** Suspends a rejected credential, which every shipment would repeat, and lifts the suspension of an accepted one. */
async function suspendOrLift(
  ctx: FetchContext,
  credential: Credential,
  { rejection, isAccepted }: { rejection: FailedResult | null; isAccepted: boolean },
): Promise<void> {
  try {
    if (rejection !== null) await ctx.credentials.suspend(credential, 'carrier_auth_failed', rejection.detail);
    else if (credential.suspended !== null && isAccepted) await ctx.credentials.lift(credential);
  } catch (error) {
    ctx.core.log.warn(
      { err: error, credentialId: credential.id },
      'updating the suspension of credentials failed; the next refresh tries again',
    );
  }
}

/** The simulator knew the number before the carrier was configured. Polling ends. */
function notForRealCarriers(connector: string): FetchResult {
  const detail = 'This is a demonstration shipment. Only the simulated carrier knows it.';
  return { ...failed(connector, 'not_found', detail), permanent: true };
}

function failed(
  source: string,
  reason: TrackingReason,
  detail: string,
  retryAfterMs: number | null = null,
): FailedResult {
  return { outcome: 'error', httpStatus: null, durationMs: 0, reason, permanent: false, retryAfterMs, detail, source };
}
