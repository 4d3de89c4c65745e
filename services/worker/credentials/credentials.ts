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
import type { TrackingReason } from '#shared/domain/shipments/shipment.ts';
import type { CarrierSettings } from '../carriers/carrier.ts';
import { createFreshCache } from './fresh-cache.ts';
import { announcementOf, instanceSettings, ownSettings, withoutSecrets } from './instance-credentials.ts';

/** With what a carrier is asked for one account. */
export type Credential = {
  /** `account:<uuid>`, `instance:<connector>` or `simulator:<connector>`: what budgets and circuits go by. */
  id: string;
  connector: ConnectorCode;
  /** Null: the instance's. */
  accountId: string | null;
  /** One more with each change. */
  version: number;
  settings: CarrierSettings;
  /** The carrier refused it: no refresh is sent with it but a probe. */
  suspended: Suspension | null;
  /** Milliseconds until one refresh may try it again; null: it is not suspended. */
  probeInMs: number | null;
};

export type Credentials = {
  /**
   * The account's own credentials, else the instance's where they serve the account, else the simulator's; null: none. At most `freshMs` old. Throws
   * `SecretUnreadable` for stored ones that do not open: the instance's never take their place.
   */
  credentialFor: (connector: ConnectorCode, accountId: string, carrierCode: string) => Promise<Credential | null>;
  /** Takes the one refresh that may try a suspended credential now, for this process to send; false: it is not time, or another worker has it. */
  probe: (credential: Credential) => Promise<boolean>;
  /** The carrier refused the credential itself. A simulated carrier's is never suspended: nobody could replace it. */
  suspend: (credential: Credential, reason: TrackingReason, detail: string) => Promise<void>;
  /** The carrier took a suspended credential: what waited for it is due. */
  lift: (credential: Credential) => Promise<void>;
  close: () => void;
};

export type CredentialsOptions = {
  core: CoreContext;
  env: Env;
  /** How long credentials are used without looking whether they were changed. Default 3 s. */
  freshMs?: number;
};

/** What the carriers are asked with. States the instance's configuration in the store, so that the API can tell it. */
export async function openCredentials({ core, env, freshMs = 3000 }: CredentialsOptions): Promise<Credentials> {
  const instances = await instanceSettings(core, env);
  await announceCredentials(core, announcementOf(instances));
  const owns = createFreshCache<AccountCredential | null>(freshMs);
  const states = createFreshCache<ReadonlyMap<string, InstanceState>>(freshMs);

  const ownCredential = async (
    connector: ConnectorCode,
    accountId: string,
    carrierCode: string,
  ): Promise<Credential | null> => {
    const own = await owns.get(`${accountId} ${carrierCode}`, () =>
      findAccountCredential(core, accountId, carrierCode),
    );
    const settings = own === null ? null : ownSettings(env, connector, own.values);
    if (own === null || settings === null) return null;
    const { version, suspension, probeInMs } = own;
    return { id: `account:${own.id}`, connector, accountId, version, settings, suspended: suspension, probeInMs };
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
    // Of other settings: another worker was started with them later. Their suspension is not about these.
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
        'a carrier refuses credentials: they are suspended',
      );
    },
    lift: async (credential) => {
      const used = usedOf(credential);
      if (used === null || !(await liftSuspension(core, used))) return;
      forget();
      const { id, connector, accountId } = credential;
      core.log.info({ credentialId: id, connector, accountId }, 'a carrier takes suspended credentials again');
    },
    close: forget,
  };
}

/** Null for what is never suspended. */
function usedOf({ id, connector, version }: Credential): UsedCredential | null {
  const [kind, ...rest] = id.split(':');
  if (kind === 'account') return { kind, id: rest.join(':'), version };
  return kind === 'instance' ? { kind, connector, version } : null;
}
