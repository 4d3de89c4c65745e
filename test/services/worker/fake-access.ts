import { randomUUID } from 'node:crypto';
import { openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import type { CarrierSettings, Connector } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { type CarrierAccesses, openCarrierAccess } from '#services/worker/credentials/carrier-access.ts';
import type { Credential, Credentials } from '#services/worker/credentials/credentials.ts';
import { openRefusalMemory } from '#services/worker/credentials/evaluate-refusals.ts';
import { createSweepPlanner, type SweepPlanner } from '#services/worker/pacing/backpressure.ts';
import { openConcurrency } from '#services/worker/pacing/concurrency.ts';
import type { RefreshContext } from '#services/worker/refresh/consume.ts';
import { openRefreshBatchers } from '#services/worker/refresh/record.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import { openTokenBuckets } from '#shared/limits/token-buckets.ts';
import { openTokenTable } from '#shared/store/system/token-buckets.ts';

export const carrierSettings: CarrierSettings = {
  baseUrl: 'http://127.0.0.1:9',
  authUrl: null,
  clientId: 'id',
  clientSecret: 'secret',
  apiKey: null,
  certificate: null,
  privateKey: null,
  scope: null,
  simulated: false,
};

export type FakeWorker = {
  refresh: RefreshContext;
  access: CarrierAccesses;
  planner: SweepPlanner;
  suspended: { id: string; reason: TrackingReason }[];
  /** The connector's calls: the shipments of each. */
  calls: string[][];
  /** Moves the planner's clock on. */
  skip: (ms: number) => void;
  close: () => Promise<void>;
};

export type FakeWorkerOptions = {
  core: CoreContext;
  /** Stands in for one of the registry's. */
  connector: Pick<Connector, 'fetch' | 'batchSize'> & { code: ConnectorCode };
  /** Settings that direct the calls of a connector. */
  settings?: Partial<CarrierSettings>;
  /** Default: one of the instance's, which serves every account. */
  credentialOf?: (accountId: string) => Pick<Credential, 'id' | 'accountId'>;
};

/** The carriers' side of a worker over a real database, with a connector and credentials of the test's own. */
export function openFakeWorker({ core, connector: fake, settings, credentialOf }: FakeWorkerOptions): FakeWorker {
  const calls: string[][] = [];
  let skippedMs = 0;
  const suspended: FakeWorker['suspended'] = [];
  const run = randomUUID();
  const credentials: Pick<Credentials, 'credentialFor' | 'probe' | 'suspend' | 'lift'> = {
    credentialFor: async (connector, accountId) => {
      const whose = credentialOf?.(accountId) ?? { id: `instance:${run}`, accountId: null };
      const all = { ...carrierSettings, ...settings };
      return { ...whose, connector, version: 1, settings: all, suspended: null, probeInMs: null };
    },
    probe: async () => false,
    suspend: async (credential, reason) => void suspended.push({ id: credential.id, reason }),
    lift: async () => {},
  };
  const connector: Connector = {
    ...connectors[fake.code],
    batchSize: fake.batchSize,
    fetch: (ctx, subjects, signal) => {
      calls.push(subjects.map((subject) => subject.shipmentId));
      return fake.fetch(ctx, subjects, signal);
    },
  };
  const agent = openCarrierAgent();
  const buckets = openTokenBuckets({
    takeTokens: openTokenTable(core.store),
    timeoutMs: 5000,
    workers: () => 1,
    onUnavailable: (error) => {
      throw error;
    },
  });
  const access = openCarrierAccess({
    credentials,
    buckets,
    agent,
    tokens: createTokenCache(core.now),
    now: core.now,
    onCircuit: () => {},
  });
  const concurrency = openConcurrency({ maxCalls: 32 });
  const all = { ...connectors, [fake.code]: connector };
  return {
    refresh: {
      core,
      connectors: all,
      accessFor: access.accessFor,
      credentials,
      pressureOf: () => 1,
      completed: () => {},
      batchers: openRefreshBatchers(core),
      refusals: openRefusalMemory(),
      concurrencyOf: () => concurrency,
    },
    access,
    planner: createSweepPlanner({
      access,
      batchSizeOf: (code) => (code === fake.code ? { connector: fake.code, batchSize: fake.batchSize } : null),
      workers: () => 1,
      now: () => performance.now() + skippedMs,
    }),
    skip: (ms) => {
      skippedMs += ms;
    },
    suspended,
    calls,
    close: () => agent.close(),
  };
}
