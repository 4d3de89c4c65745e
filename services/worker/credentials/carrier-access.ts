import type { Agent } from 'undici';
import { SecretUnreadable } from '#shared/core/secrets/seal-secret.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { labelOfConnector } from '#shared/domain/carriers/carrier-label.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { keepLimit } from '#shared/limits/published-limit.ts';
import type { TokenBuckets } from '#shared/limits/token-buckets.ts';
import { createCarrierFetch } from '../calls/carrier-fetch.ts';
import { throughCircuit } from '../calls/carrier-http.ts';
import type { TokenCache } from '../carriers/carrier.ts';
import { budgetLimitOf, connectors } from '../carriers/registry.ts';
import { createBudget } from '../pacing/budget.ts';
import { createCarrierRecorder } from '../pacing/carrier-health.ts';
import type { CarrierServices, Served } from '../pacing/carrier-service.ts';
import { openCircuit } from '../pacing/circuit.ts';
import { pacing } from '../pacing/pacing.ts';
import type { Credential, Credentials } from './credentials.ts';
import { type CarrierAccess, closedAccess, grantAccess, type OpenService } from './grant-access.ts';

export type CarrierAccesses = CarrierServices & {
  accessFor: (connector: ConnectorCode, accountId: string, carrierCode: string) => Promise<CarrierAccess>;
  /** Access with one credential that a person wants to try, even if it is suspended. It is not stored. */
  trialAccess: (credential: Credential) => CarrierAccess;
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

const { hostFactor, forgetCredentialAfterMs } = pacing.budget;
const maxTrials = 1000;

/** Opens budget, circuit and HTTP of each credential when it is first used, and closes them when it no longer is. */
export function openCarrierAccess(options: CarrierAccessOptions): CarrierAccesses {
  const services = new Map<string, OpenService>();
  const served = new Map<string, Served>();
  const trials = new Map<string, OpenService>();

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
  const trialOf = (credential: Credential): OpenService => {
    const { id, version } = credential;
    const serving = services.get(id);
    if (serving?.version === version) return serving;
    const known = trials.get(id);
    const service = known?.version === version ? known : openService(options, credential);
    return setBounded(trials, { key: id, value: service, max: maxTrials });
  };
  const isRecent = (atMs: number): boolean => options.now().getTime() - atMs < forgetCredentialAfterMs;

  return {
    accessFor: async (connector, accountId, carrierCode) => {
      const credential = await findCredential(connector, accountId, carrierCode);
      if (credential === 'unreadable') {
        return closedAccess(
          'credentials_missing',
          'The stored credentials cannot be decrypted. Restore the missing key in CREDENTIAL_KEYS.',
        );
      }
      if (credential === null)
        return closedAccess('credentials_missing', 'The account has no credentials for this carrier. Add credentials.');
      const { id, suspended } = credential;
      if (suspended !== null && !(await options.credentials.probe(credential))) {
        return closedAccess(suspended.reason, 'The carrier rejected these credentials. Replace them.', {
          retryAfterMs: credential.probeInMs,
          credentialId: id,
        });
      }
      return grantAccess(credential, serviceOf(credential, { accountId, carrierCode }));
    },
    trialAccess: (credential) => grantAccess(credential, trialOf(credential)),
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
