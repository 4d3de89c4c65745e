import type { Agent } from 'undici';
import { SecretUnreadable } from '#shared/core/carriers/seal-secret.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { labelOfConnector } from '#shared/domain/carriers/carrier-label.ts';
import type { TrackingReason } from '#shared/domain/shipments/shipment.ts';
import { keepLimit } from '#shared/limits/published-limit.ts';
import type { TokenBucket } from '#shared/limits/token-bucket.ts';
import type { TokenBuckets } from '#shared/limits/token-buckets.ts';
import type { CarrierContext, TokenCache } from '../carriers/carrier.ts';
import { budgetLimitOf, connectors } from '../carriers/registry.ts';
import { type Budget, createBudget } from '../pacing/budget.ts';
import { type Circuit, openCircuit } from '../pacing/circuit.ts';
import { pacing } from '../pacing/pacing.ts';
import { createCarrierFetch } from '../refresh/carrier-fetch.ts';
import { throughCircuit } from '../refresh/carrier-http.ts';
import { describeOpenCircuit, describePause } from '../refresh/why-not-asked.ts';
import { type CarrierRecorder, createCarrierRecorder } from './carrier-health.ts';
import type { Credential, Credentials } from './credentials.ts';

/** Access to a carrier with one credential: open, or closed for a reason that the shipment shows. */
export type CarrierAccess =
  | {
      kind: 'open';
      credential: Credential;
      /** What a connector needs for calls about these shipments. */
      carrierFor: (shipmentIds: readonly string[]) => CarrierContext;
      /** One call tests whether the carrier responds again, or accepts the credential again. */
      isProbe: boolean;
      reserve: Budget['reserve'];
      circuit: Pick<Circuit, 'waitMs' | 'refreshed'>;
    }
  | {
      kind: 'closed';
      reason: TrackingReason;
      /** For the account; the same text each time. */
      detail: string;
      /** For operators: since when, and after which failure. */
      why: string;
      retryAfterMs: number | null;
      /** Milliseconds until the circuit lets the next call through. Null: it isn't what stops the call. */
      circuitOpenMs: number | null;
      credentialId: string | null;
    };

/** One credential of one connector, as seen by this worker. */
export type CarrierService = {
  connector: ConnectorCode;
  credentialId: string;
  bucket: TokenBucket;
  circuit: Circuit;
  recorder: CarrierRecorder;
  /** Calls that scheduled refreshes may make now. */
  free: () => number;
  /** Milliseconds until the carrier may be called; 0: now. */
  closedMs: () => number;
};

/** The credential that served an account's shipments with a carrier. */
export type Served = {
  connector: ConnectorCode;
  accountId: string;
  carrier: string;
  credentialId: string;
  seenAtMs: number;
};

export type CarrierAccesses = {
  accessFor: (connector: ConnectorCode, accountId: string, carrierCode: string) => Promise<CarrierAccess>;
  /** The credential that would serve; null: there is none, or it is suspended. Makes no call and takes no probe. */
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
  /** Version of the code that parses responses; null: every response is parsed, even a known one. */
  readerIdentity?: string | null;
  onCircuit: (fields: { connector: ConnectorCode; credentialId: string; circuit: 'open' | 'closed' }) => void;
};

type OpenService = CarrierService & {
  version: number;
  carrierFor: (shipmentIds: readonly string[]) => CarrierContext;
  budget: Budget;
  usedAtMs: number;
};

const { hostFactor, forgetCredentialAfterMs } = pacing.budget;

/** Opens budget, circuit and HTTP of each credential when it is first used, and closes them when it no longer is. */
export function openCarrierAccess(options: CarrierAccessOptions): CarrierAccesses {
  const services = new Map<string, OpenService>();
  const served = new Map<string, Served>();

  const serviceOf = (credential: Credential, subject: { accountId: string; carrierCode: string }): OpenService => {
    const { connector, id } = credential;
    const nowMs = options.now().getTime();
    const known = services.get(id);
    const service =
      known !== undefined && known.version === credential.version ? known : openService(options, credential);
    if (service !== known) services.set(id, service);
    service.usedAtMs = nowMs;
    const pair = [connector, subject.accountId, subject.carrierCode].join(' ');
    served.set(pair, {
      connector,
      accountId: subject.accountId,
      carrier: subject.carrierCode,
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
  const isRecent = (atMs: number): boolean => options.now().getTime() - atMs < forgetCredentialAfterMs;

  return {
    accessFor: async (connector, accountId, carrierCode) => {
      const credential = await findCredential(connector, accountId, carrierCode);
      if (credential === 'unreadable') {
        return closed(
          'credentials_missing',
          'The stored credentials cannot be decrypted. Restore the missing key in CREDENTIAL_KEYS.',
        );
      }
      if (credential === null)
        return closed('credentials_missing', 'The account has no credentials for this carrier. Add credentials.');
      const { id, suspended } = credential;
      if (suspended !== null && !(await options.credentials.probe(credential))) {
        return closed(suspended.reason, 'The carrier rejected these credentials. Replace them.', {
          retryAfterMs: credential.probeInMs,
          credentialId: id,
        });
      }
      const service = serviceOf(credential, { accountId, carrierCode });
      const { closedMs } = service.bucket.standing();
      if (closedMs > 0) {
        return closed('carrier_rate_limited', 'The carrier requested a pause. Calls resume when it ends.', {
          why: describePause(connector, closedMs),
          retryAfterMs: Math.ceil(closedMs),
          credentialId: id,
        });
      }
      const waitMs = service.circuit.enter();
      if (waitMs > 0) {
        const reason = service.recorder.read().lastErrorReason ?? 'carrier_unreachable';
        return closed(reason, 'The carrier failed repeatedly. Calls resume after a pause.', {
          why: describeOpenCircuit(connector, service),
          retryAfterMs: null,
          circuitOpenMs: Math.ceil(waitMs),
          credentialId: id,
        });
      }
      const { carrierFor, budget, circuit } = service;
      const isProbe = suspended !== null || circuit.state() !== 'closed';
      return { kind: 'open', credential, carrierFor, isProbe, reserve: budget.reserve, circuit };
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
  const report = (state: 'open' | 'closed') => () => options.onCircuit({ connector, credentialId: id, circuit: state });
  const { firstPauseMs, maxPauseMs } = pacing.circuit;
  const circuit = openCircuit({
    firstPauseMs,
    maxPauseMs,
    onOpen: report('open'),
    onClose: report('closed'),
  });
  const budget = createBudget(bucket, host);
  const { maxBodyBytes } = connectors[connector];
  const fetch = createCarrierFetch(options.agent, { settings, maxBodyBytes });
  const label = labelOfConnector(connector);
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
    carrierFor: (about) => ({
      settings,
      fetch: throughCircuit(fetch, { connector, settings, circuit, recorder, label, about }),
      budget: budget.open,
      tokens: options.tokens,
      now,
      ...(options.readerIdentity ? { readerIdentity: options.readerIdentity } : {}),
    }),
    usedAtMs: now().getTime(),
  };
}

type ClosedMore = {
  why?: string;
  retryAfterMs: number | null;
  circuitOpenMs?: number;
  credentialId: string | null;
};

function closed(
  reason: TrackingReason,
  detail: string,
  more: ClosedMore = { retryAfterMs: null, credentialId: null },
): CarrierAccess {
  return { kind: 'closed', reason, detail, why: detail, circuitOpenMs: null, ...more };
}
