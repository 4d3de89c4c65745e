import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Env } from '#shared/config/env.ts';
import { announceCredentials, type InstanceState, instanceStates } from '#shared/core/carriers/announce-credentials.ts';
import { type AccountCredential, findAccountCredential } from '#shared/core/carriers/find-account-credential.ts';
import {
  liftSuspension,
  suspendCredential,
  takeCredentialProbe,
  type UsedCredential,
} from '#shared/core/carriers/suspend-credential.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { Suspension } from '#shared/domain/carriers/carrier-credential.ts';
import type { CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import type { CarrierSettings } from '../carriers/carrier.ts';
import {
  announcementOf,
  configuredAddresses,
  instanceSettings,
  ownSettings,
  withoutSecrets,
} from './instance-credentials.ts';

/** The credential and settings for calls to a carrier for one account. */
export type Credential = {
  /** `account:<uuid>`, `instance:<connector>` or `simulator:<connector>`; each has its own budget and circuit. */
  id: string;
  connector: ConnectorCode;
  /** Null: the instance's. */
  accountId: string | null;
  /** Incremented with each change. */
  version: number;
  settings: CarrierSettings;
  /** Set if the carrier rejected it: only a probe may use it. */
  suspended: Suspension | null;
  /** Milliseconds until one refresh may probe it; null: it is not suspended. */
  probeInMs: number | null;
};

export type Credentials = {
  /**
   * The account's own credentials, else the instance's if they serve the account, else the simulator's; null: none. At
   * most `freshMs` old. Throws `SecretUnreadable` if stored ones can't be decrypted: the instance's never replace them.
   */
  credentialFor: (connector: ConnectorCode, accountId: string, carrierCode: string) => Promise<Credential | null>;
  /**
   * The account's own stored credentials, read anew, or those that it entered to try them. `unaddressed`: the carrier's
   * address isn't known to this installation; null: the account has none. Throws `SecretUnreadable`.
   */
  ownCredential: (
    connector: ConnectorCode,
    whose: { accountId: string; carrierCode: string; entered: CredentialValues | null },
  ) => Promise<Credential | 'unaddressed' | null>;
  /** Takes the probe of a suspended credential; false: it is too early, or another worker has taken it. */
  probe: (credential: Credential) => Promise<boolean>;
  /** Suspends a rejected credential, except a simulator's, which can't be replaced. */
  suspend: (credential: Credential, reason: TrackingReason, detail: string) => Promise<void>;
  /** Lifts the suspension of an accepted credential: the shipments that wait for it become due. */
  lift: (credential: Credential) => Promise<void>;
  close: () => void;
};

export type CredentialsOptions = {
  core: CoreContext;
  env: Env;
  /** Milliseconds for which credentials are used before they are read again; 0: read each time. Default: 3000. */
  freshMs?: number;
};

/** The credentials of all accounts. Writes the instance's configuration to the store, where the API reads it. */
export async function openCredentials({ core, env, freshMs = 3000 }: CredentialsOptions): Promise<Credentials> {
  const instances = await instanceSettings(core, env);
  await announceCredentials(core, announcementOf(instances), configuredAddresses(env));
  const owns = openCache<AccountCredential | null>(freshMs);
  const states = openCache<ReadonlyMap<string, InstanceState>>(freshMs);

  /** Null: the carrier's address isn't known. */
  const storedCredential = (
    connector: ConnectorCode,
    accountId: string,
    { id, version, values, suspension, probeInMs }: AccountCredential,
  ): Credential | null => {
    const settings = ownSettings(env, connector, values);
    if (settings === null) return null;
    return { id: `account:${id}`, connector, accountId, version, settings, suspended: suspension, probeInMs };
  };

  const ownCredential = async (
    connector: ConnectorCode,
    accountId: string,
    carrierCode: string,
  ): Promise<Credential | null> => {
    const own = await owns.get(`${accountId} ${carrierCode}`, () =>
      findAccountCredential(core, accountId, carrierCode),
    );
    return own === null ? null : storedCredential(connector, accountId, own);
  };

  const enteredCredential = (
    connector: ConnectorCode,
    accountId: string,
    values: CredentialValues,
  ): Credential | 'unaddressed' => {
    const settings = ownSettings(env, connector, values);
    if (settings === null) return 'unaddressed';
    const version = createHash('sha256').update(JSON.stringify(values)).digest().readUInt32BE();
    // One budget for whatever an account tries at a carrier.
    const id = `entered:${accountId}:${connector}`;
    return { id, connector, accountId, version, settings, suspended: null, probeInMs: null };
  };

  const instanceCredential = async (connector: ConnectorCode, accountId: string): Promise<Credential | null> => {
    const instance = instances.get(connector);
    if (instance === undefined) return null;
    const { settings, accounts, fingerprint } = instance;
    if (settings.simulated) {
      return {
        id: `simulator:${connector}`,
        connector,
        accountId: null,
        version: 1,
        settings,
        suspended: null,
        probeInMs: null,
      };
    }
    if (!accounts.has(accountId)) return null;
    const state = (await states.get('all', () => instanceStates(core))).get(connector);
    // Another worker was started later with other settings: their suspension doesn't concern these.
    const own = state?.fingerprint === fingerprint ? state : null;
    const [version, suspended, probeInMs] = [own?.version ?? 0, own?.suspension ?? null, own?.probeInMs ?? null];
    return { id: `instance:${connector}`, connector, accountId: null, version, settings, suspended, probeInMs };
  };

  const forget = (): void => {
    owns.clear();
    states.clear();
  };

  return {
    credentialFor: async (connector, accountId, carrierCode) =>
      (await ownCredential(connector, accountId, carrierCode)) ?? instanceCredential(connector, accountId),
    ownCredential: async (connector, { accountId, carrierCode, entered }) => {
      if (entered !== null) return enteredCredential(connector, accountId, entered);
      const own = await findAccountCredential(core, accountId, carrierCode);
      return own === null ? null : (storedCredential(connector, accountId, own) ?? 'unaddressed');
    },
    probe: async (credential) => {
      const used = usedOf(credential);
      if (used === null || credential.probeInMs === null || credential.probeInMs > freshMs) return false;
      const taken = await takeCredentialProbe(core, used);
      forget();
      return taken;
    },
    suspend: async (credential, reason, detail) => {
      const used = usedOf(credential);
      if (used === null || !(await suspendCredential(core, used, reason))) return;
      forget();
      const { id, connector, accountId } = credential;
      const said = withoutSecrets(detail, credential.settings);
      core.log.warn(
        { credentialId: id, connector, accountId, reason, detail: said },
        'credentials suspended: the carrier rejected them',
      );
    },
    lift: async (credential) => {
      const used = usedOf(credential);
      if (used === null || !(await liftSuspension(core, used))) return;
      forget();
      const { id, connector, accountId } = credential;
      core.log.info(
        { credentialId: id, connector, accountId },
        'credentials no longer suspended: the carrier accepts them',
      );
    },
    close: forget,
  };
}

/** Null for a credential that is never suspended. */
function usedOf({ id, connector, version }: Credential): UsedCredential | null {
  const [kind, ...rest] = id.split(':');
  if (kind === 'account') return { kind, id: rest.join(':'), version };
  return kind === 'instance' ? { kind, connector, version } : null;
}

const maxCached = 10_000;

type Cache<T> = { get: (key: string, read: () => Promise<T>) => Promise<T>; clear: () => void };

/** Callers of the same moment share one read. A failed read is not kept. */
function openCache<T>(freshMs: number): Cache<T> {
  const reads = new LRUCache<string, Promise<T>>({ max: maxCached, ttl: freshMs });
  return {
    get: (key, read) => {
      const known = reads.get(key);
      if (known !== undefined) return known;
      const reading = read();
      if (freshMs > 0) reads.set(key, reading);
      reading.catch(() => {
        if (reads.peek(key) === reading) reads.delete(key);
      });
      return reading;
    },
    clear: () => reads.clear(),
  };
}
