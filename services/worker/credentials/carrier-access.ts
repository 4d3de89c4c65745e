import type { Agent } from 'undici';
import { SecretUnreadable } from '#shared/core/carriers/seal-secret.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { labelOfConnector } from '#shared/domain/carriers/carrier-label.ts';
import type { TrackingReason } from '#shared/domain/shipments/shipment.ts';
import { keepLimit } from '#shared/limits/published-limit.ts';
import type { TokenBucket } from '#shared/limits/token-bucket.ts';
import type { TokenBuckets } from '#shared/limits/token-buckets.ts';
import type { CarrierContext, TokenCache } from '../carriers/carrier.ts';
import { createCarrierFetch } from '../carriers/http.ts';
import { budgetLimitOf } from '../carriers/registry.ts';
import { type Circuit, openCircuit } from '../pacing/circuit.ts';
import { type BegunRefresh, createRefreshBudget, type RefreshBudget } from '../pacing/refresh-budget.ts';
import { watchFetch } from '../refresh/watched-fetch.ts';
import { circuitWords, pauseWords } from '../refresh/why-not-asked.ts';
import { type CarrierRecorder, createCarrierRecorder } from './carrier-record.ts';
import type { Credential, Credentials } from './credentials.ts';

/** The way to a carrier with one credential: open, or closed for a reason that the shipment is told. */
export type CarrierAccess =
  | {
      kind: 'open';
      credential: Credential;
      carrier: CarrierContext;
      /** One call is to find out whether the carrier answers again, or takes the credential again. */
      isProbe: boolean;
      /** Reserves the calls of a refresh that begins now. */
      begin: (calls: number, options: { priority: boolean }) => Promise<BegunRefresh>;
    }
  | {
      kind: 'closed';
      reason: TrackingReason;
      /** For the shipment: the same words every time. */
      detail: string;
      /** For whoever runs the service: since when, after what. */
      why: string;
      retryAfterMs: number | null;
      credentialId: string | null;
    };

/** What a worker knows of one credential of one connector. */
export type CarrierService = {
  connector: ConnectorCode;
  credentialId: string;
  bucket: TokenBucket;
  circuit: Circuit;
  recorder: CarrierRecorder;
  /** Calls that scheduled refreshes may make now; how a sweep that has already planned some sees it. */
  free: () => number;
  /** Milliseconds for which the carrier is not asked at all; 0: it is. */
  closedMs: () => number;
};

/** Which credential served an account's shipments with a carrier. */
export type Served = {
  connector: ConnectorCode;
  accountId: string;
  carrier: string;
  credentialId: string;
  seenAtMs: number;
};

export type CarrierAccesses = {
  accessFor: (connector: ConnectorCode, accountId: string, carrierCode: string) => Promise<CarrierAccess>;
  /** The credential that would serve, with what is known of it; null: none, or it is suspended. Sends nothing and probes nothing. */
  serviceFor: (connector: ConnectorCode, accountId: string, carrierCode: string) => Promise<CarrierService | null>;
  services: (connector?: ConnectorCode) => CarrierService[];
  served: (connector?: ConnectorCode) => Served[];
};

export type CarrierAccessOptions = {
  credentials: Pick<Credentials, 'credentialFor' | 'probe'>;
  buckets: TokenBuckets;
  agent: Agent;
  tokens: TokenCache;
  now: () => Date;
  /** Of the code that reads answers; null: every answer is read. */
  readerIdentity?: string | null;
  onCircuit: (fields: { connector: ConnectorCode; credentialId: string; circuit: 'open' | 'closed' }) => void;
  pauses?: { firstPauseMs: number; longestPauseMs: number };
};

type OpenService = CarrierService & {
  version: number;
  carrier: CarrierContext;
  budget: RefreshBudget;
  usedAtMs: number;
};

/** A host carries the refreshes of many credentials. Nobody publishes what it bears: a guess. */
const hostFactor = 10;
const forgetAfterMs = 3_600_000;
const defaultPauses = { firstPauseMs: 5000, longestPauseMs: 300_000 };

/** Budgets, circuits and HTTP by credential, for as long as it is used. */
export function openCarrierAccess(options: CarrierAccessOptions): CarrierAccesses {
  const services = new Map<string, OpenService>();
  const served = new Map<string, Served>();

  const serviceOf = (credential: Credential, asked: { accountId: string; carrierCode: string }): OpenService => {
    const { connector, id } = credential;
    const nowMs = options.now().getTime();
    const known = services.get(id);
    const service =
      known !== undefined && known.version === credential.version ? known : openService(options, credential);
    if (service !== known) services.set(id, service);
    service.usedAtMs = nowMs;
    const pair = [connector, asked.accountId, asked.carrierCode].join(' ');
    served.set(pair, {
      connector,
      accountId: asked.accountId,
      carrier: asked.carrierCode,
      credentialId: id,
      seenAtMs: nowMs,
    });
    return service;
  };
  const findCredential = async (
    connector: ConnectorCode,
    accountId: string,
    carrierCode: string,
  ): Promise<Credential | 'unreadable' | null> => {
    try {
      return await options.credentials.credentialFor(connector, accountId, carrierCode);
    } catch (error) {
      if (error instanceof SecretUnreadable) return 'unreadable';
      throw error;
    }
  };
  const isRecent = (atMs: number): boolean => options.now().getTime() - atMs < forgetAfterMs;

  return {
    accessFor: async (connector, accountId, carrierCode) => {
      const credential = await findCredential(connector, accountId, carrierCode);
      if (credential === 'unreadable') {
        return closed(
          'credentials_missing',
          'the stored credentials cannot be opened: this installation lacks the key',
        );
      }
      if (credential === null)
        return closed('credentials_missing', 'no credentials for this carrier serve the account');
      const { id, suspended } = credential;
      if (suspended !== null && !(await options.credentials.probe(credential))) {
        return closed(suspended.reason, 'the carrier refused these credentials; replace them', {
          retryAfterMs: credential.probeInMs,
          credentialId: id,
        });
      }
      const service = serviceOf(credential, { accountId, carrierCode });
      const { closedMs } = service.bucket.standing();
      if (closedMs > 0) {
        return closed('carrier_rate_limited', 'the carrier has asked for a pause, which is not over', {
          why: pauseWords(connector, closedMs),
          retryAfterMs: Math.ceil(closedMs),
          credentialId: id,
        });
      }
      const waitMs = service.circuit.enter();
      if (waitMs > 0) {
        const reason = service.recorder.read().lastErrorReason ?? 'carrier_unreachable';
        return closed(reason, 'the carrier has failed again and again, and is not asked until it had a pause', {
          why: circuitWords(connector, service),
          retryAfterMs: Math.ceil(waitMs),
          credentialId: id,
        });
      }
      const { carrier, budget } = service;
      const isProbe = suspended !== null || service.circuit.state() !== 'closed';
      return { kind: 'open', credential, carrier, isProbe, begin: budget.begin };
    },
    serviceFor: async (connector, accountId, carrierCode) => {
      const credential = await findCredential(connector, accountId, carrierCode);
      if (credential === null || credential === 'unreadable') return null;
      return credential.suspended !== null ? null : serviceOf(credential, { accountId, carrierCode });
    },
    services: (connector) => {
      for (const [id, { usedAtMs }] of services) if (!isRecent(usedAtMs)) services.delete(id);
      return [...services.values()].filter((service) => connector === undefined || service.connector === connector);
    },
    served: (connector) => {
      for (const [pair, { seenAtMs }] of served) if (!isRecent(seenAtMs)) served.delete(pair);
      return [...served.values()].filter((one) => connector === undefined || one.connector === connector);
    },
  };
}

function openService(options: CarrierAccessOptions, credential: Credential): OpenService {
  const { now, buckets } = options;
  const { connector, id, settings } = credential;
  const published = budgetLimitOf(connector, settings);
  const bucket = buckets.bucket(`credential:${id}`, keepLimit(published));
  const shared = { ...published, calls: published.calls * hostFactor, burst: published.burst * hostFactor };
  const host = buckets.bucket(`host:${connector}:${new URL(settings.baseUrl).origin}`, keepLimit(shared));
  const recorder = createCarrierRecorder(now);
  const tell = (state: 'open' | 'closed') => () => options.onCircuit({ connector, credentialId: id, circuit: state });
  const circuit = openCircuit({ ...(options.pauses ?? defaultPauses), onOpen: tell('open'), onClose: tell('closed') });
  const budget = createRefreshBudget(bucket, host);
  const fetch = watchFetch(createCarrierFetch(options.agent, settings), {
    connector,
    settings,
    circuit,
    recorder,
    label: labelOfConnector(connector),
  });
  return {
    connector,
    credentialId: id,
    version: credential.version,
    bucket,
    circuit,
    recorder,
    free: budget.free,
    closedMs: () => Math.max(bucket.standing().closedMs, circuit.waitMs()),
    budget,
    carrier: {
      settings,
      fetch,
      budget: budget.open,
      tokens: options.tokens,
      now,
      ...(options.readerIdentity ? { readerIdentity: options.readerIdentity } : {}),
    },
    usedAtMs: now().getTime(),
  };
}

type ClosedMore = { why?: string; retryAfterMs: number | null; credentialId: string | null };

function closed(
  reason: TrackingReason,
  detail: string,
  more: ClosedMore = { retryAfterMs: null, credentialId: null },
): CarrierAccess {
  return { kind: 'closed', reason, detail, why: detail, ...more };
}
