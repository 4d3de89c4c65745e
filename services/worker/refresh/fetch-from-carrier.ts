import type { CoreContext } from '#shared/core/core-context.ts';
import type { Postponed } from '#shared/core/tracking/postpone-refreshes.ts';
import { type ConnectorCode, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { FetchResult, TrackingReason } from '#shared/domain/shipments/shipment.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { Connector } from '../carriers/carrier.ts';
import { isConnectorCode } from '../carriers/registry.ts';
import { playTestJourney } from '../carriers/test/play-test-journey.ts';
import type { CarrierAccess, CarrierAccesses } from '../credentials/carrier-access.ts';
import type { Credential, Credentials } from '../credentials/credentials.ts';
import type { RefreshConcurrency } from '../pacing/refresh-concurrency.ts';
import { budgetWords, notAskedAttribute, probeWords } from './why-not-asked.ts';

export type FetchContext = {
  core: CoreContext;
  connectors: Record<ConnectorCode, Connector>;
  accessFor: CarrierAccesses['accessFor'];
  /** Told when the carrier refuses a credential itself, and when it takes a suspended one again. */
  credentials: Pick<Credentials, 'suspend' | 'lift'>;
  /** The places for calls to a connector's carrier. */
  lanesOf: (connector: ConnectorCode) => RefreshConcurrency;
};

/** Told of looks as soon as they are taken, or need not be, and of those that have to wait for the budget. */
export type FetchSink = {
  /** Runs the work of one call in the trace that it belongs to. */
  inTrace: (call: readonly RefreshSubject[], work: () => Promise<void>) => Promise<void>;
  taken: (subject: RefreshSubject, refresh: FetchResult) => Promise<void>;
  postponed: (refreshes: Postponed[]) => Promise<void>;
};

type OpenAccess = CarrierAccess & { kind: 'open' };
type Group = { access: OpenAccess; subjects: RefreshSubject[]; priority: boolean };
type FetchOrder = { code: ConnectorCode; sink: FetchSink; signal: AbortSignal; explain: (why: string) => void };

/** The rest of a job of which one call probes a carrier that failed comes back when that has been answered. */
const probeMs = 5000;

/**
 * Asks the carrier about the subjects of one job: as many in one call as the connector can, each call by itself. Resolves when the sink has
 * taken everything.
 */
export async function fetchFromCarrier(
  ctx: FetchContext,
  {
    connector: code,
    subjects,
    ...looking
  }: { connector: string; subjects: readonly RefreshSubject[]; sink: FetchSink; signal: AbortSignal },
): Promise<void> {
  const { sink } = looking;
  if (code === testConnector) {
    await Promise.all(subjects.map((subject) => tell(sink, subject, playTestJourney(subject))));
    return;
  }
  if (!isConnectorCode(code)) {
    const refresh = notAsked(code, 'carrier_not_supported', 'this release has no connector for the carrier');
    await Promise.all(subjects.map((subject) => tell(sink, subject, refresh)));
    return;
  }
  const recording: Promise<void>[] = [];
  const explain = spanExplainer();
  const groups = new Map<string, Group>();
  for (const subject of subjects) {
    const priority = subject.requested === true || subject.urgent === true;
    const access = await accessOnce(ctx, { code, subject, groups: [...groups.values()] });
    if (access.kind === 'closed') {
      const refresh = notAsked(code, access.reason, access.detail, access.retryAfterMs);
      recording.push(
        sink.inTrace([subject], () => {
          annotateSpan({ [notAskedAttribute]: access.why });
          return sink.taken(subject, refresh);
        }),
      );
      // After it: where the shipment has no trace of its own, this span tells of all.
      explain(access.why);
      continue;
    }
    const key = `${access.credential.id} ${priority}`;
    const group = groups.get(key) ?? { access, subjects: [], priority };
    group.subjects.push(subject);
    groups.set(key, group);
  }
  await Promise.all([
    ...recording,
    ...[...groups.values()].map((group) => fetchTogether(ctx, { ...looking, code, explain }, group)),
  ]);
}

/** Puts every reason that is told of a job into its span, each once. */
function spanExplainer(): (why: string) => void {
  const whys = new Set<string>();
  return (why) => {
    whys.add(why);
    annotateSpan({ [notAskedAttribute]: [...whys].join('; ') });
  };
}

function tell(sink: FetchSink, subject: RefreshSubject, refresh: FetchResult): Promise<void> {
  return sink.inTrace([subject], () => sink.taken(subject, refresh));
}

/** A way that was opened for one subject of the job serves the account's others with the carrier: a probe is let through once. */
async function accessOnce(
  ctx: FetchContext,
  { code, subject, groups }: { code: ConnectorCode; subject: RefreshSubject; groups: readonly Group[] },
): Promise<CarrierAccess> {
  const same = groups.find(
    ({ subjects: [first] }) => first?.accountId === subject.accountId && first.carrier === subject.carrier,
  );
  return same?.access ?? ctx.accessFor(code, subject.accountId, subject.carrier);
}

async function fetchTogether(
  ctx: FetchContext,
  looking: FetchOrder,
  { access, subjects, priority }: Group,
): Promise<void> {
  const { batchSize } = ctx.connectors[looking.code];
  const calls = inCalls(access.isProbe ? subjects.slice(0, batchSize) : subjects, batchSize);
  const begun = await access.begin(calls.length, { priority });
  const granted = calls.slice(0, begun.granted);
  const asked = granted.reduce((sum, call) => sum + call.length, 0);
  const waitMs = begun.granted < calls.length ? begun.waitMs : probeMs;
  const postponed = subjects.slice(asked).map((claim) => ({ claim, waitMs: waitMs * (1 + 0.2 * Math.random()) }));
  if (begun.granted < calls.length)
    looking.explain(budgetWords(looking.code, { granted: begun.granted, calls: calls.length, waitMs }));
  else if (postponed.length > 0) looking.explain(probeWords(looking.code));
  const carrier = { ...access.carrier, budget: begun.budget };
  let refused: FetchResult | null = null;
  const ask = async (call: RefreshSubject[]): Promise<FetchedRefresh[]> => {
    // Whom the carrier does not let in is not sent again and again.
    const answer = refused;
    if (answer !== null) return call.map((subject) => ({ subject, refresh: answer }));
    const taken = await askOnce(ctx, looking, { carrier, call });
    const refusal = taken.find(
      ({ refresh }) => refresh.outcome === 'error' && refresh.reason === 'carrier_auth_failed',
    );
    if (refusal !== undefined)
      refused = notAsked(looking.code, 'carrier_auth_failed', 'the carrier refused these credentials a moment ago');
    await judgeCredential(ctx, access.credential, taken);
    return taken;
  };
  const lanes = ctx.lanesOf(looking.code);
  try {
    await Promise.all([
      looking.sink.postponed(postponed),
      ...granted.map((call) =>
        looking.sink.inTrace(call, async () => {
          const taken = await lanes.run(() => ask(call), {
            first: priority || call.every(({ hurried }) => hurried === true),
          });
          await Promise.all(taken.map(({ subject, refresh }) => looking.sink.taken(subject, refresh)));
        }),
      ),
    ]);
  } finally {
    begun.end();
  }
}

type FetchedRefresh = { subject: RefreshSubject; refresh: FetchResult };

async function askOnce(
  ctx: FetchContext,
  { code, signal }: FetchOrder,
  { carrier, call }: { carrier: OpenAccess['carrier']; call: RefreshSubject[] },
): Promise<FetchedRefresh[]> {
  try {
    const refreshes = await ctx.connectors[code].fetch(carrier, call, signal);
    return call.map((subject) => ({
      subject,
      refresh: refreshes.get(subject.shipmentId) ?? notAsked(code, 'internal_error', 'the connector gave no result'),
    }));
  } catch (error) {
    ctx.core.log.error({ err: error, connector: code, shipments: call.length }, 'a connector failed');
    const refresh = notAsked(code, 'internal_error', 'the connector failed');
    return call.map((subject) => ({ subject, refresh }));
  }
}

function inCalls(subjects: readonly RefreshSubject[], size: number): RefreshSubject[][] {
  return Array.from({ length: Math.ceil(subjects.length / size) }, (_, index) =>
    subjects.slice(index * size, (index + 1) * size),
  );
}

/** A refused credential is suspended, for each shipment would only be refused in the same way; one that is taken again is not any more. */
async function judgeCredential(
  ctx: FetchContext,
  credential: Credential,
  taken: readonly FetchedRefresh[],
): Promise<void> {
  const refreshes = taken.map(({ refresh }) => refresh);
  const refused = refreshes.find((refresh) => refresh.outcome === 'error' && refresh.reason === 'carrier_auth_failed');
  try {
    if (refused?.outcome === 'error') await ctx.credentials.suspend(credential, refused.reason, refused.detail);
    else if (credential.suspended !== null && refreshes.some((refresh) => refresh.outcome !== 'error'))
      await ctx.credentials.lift(credential);
  } catch (error) {
    ctx.core.log.warn(
      { err: error, credentialId: credential.id },
      'what a carrier says of a credential could not be kept; the next refresh tries again',
    );
  }
}

function notAsked(
  source: string,
  reason: TrackingReason,
  detail: string,
  retryAfterMs: number | null = null,
): FetchResult {
  return { outcome: 'error', httpStatus: null, durationMs: 0, reason, permanent: false, retryAfterMs, detail, source };
}
