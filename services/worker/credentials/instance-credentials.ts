import { createHash } from 'node:crypto';
import { carrierEnv } from '#shared/config/carrier-variables.ts';
import type { Env } from '#shared/config/env.ts';
import type { InstanceCredential } from '#shared/core/carriers/announce-credentials.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import {
  type CredentialField,
  type CredentialValues,
  credentialFields,
} from '#shared/domain/carriers/known-connectors.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { CarrierSettings } from '../carriers/carrier.ts';
import { connectors } from '../carriers/registry.ts';
import { type ConfiguredCarrier, settingsFor } from '../carriers/settings-for.ts';

/** The instance's configuration for one connector. `accounts` is empty for the simulator, which serves everyone. */
export type InstanceSettings = { settings: CarrierSettings; fingerprint: string; accounts: ReadonlySet<string> };

const settingOf = {
  client_id: 'clientId',
  client_secret: 'clientSecret',
  api_key: 'apiKey',
  certificate: 'certificate',
  private_key: 'privateKey',
  scope: 'scope',
} as const satisfies Record<CredentialField, keyof ConfiguredCarrier>;

/**
 * The configuration of this process by connector, without those that have neither credentials nor a simulator.
 * Credentials serve the named accounts, or else the first account: a carrier's data is only for the parties of a
 * shipment.
 */
export async function instanceSettings(core: CoreContext, env: Env): Promise<Map<ConnectorCode, InstanceSettings>> {
  const simulatorUrl = env.SIMULATOR === 'off' ? null : env.SIMULATOR_URL;
  const found = new Map<ConnectorCode, InstanceSettings>();
  let firstAccount: string | null = null;
  for (const connector of connectorCodes) {
    const { accounts: named, ...configured } = carrierEnv(env, connector);
    const settings = settingsFor(connectors[connector], configured, simulatorUrl);
    if (settings === null) continue;
    if (!settings.simulated && named.length === 0) firstAccount ??= (await ensureFirstAccount(core)).accountId;
    const accounts =
      named.length === 0
        ? [firstAccount ?? '']
        : named.map((account) => decodeTypeId('acc', account) ?? account.toLowerCase());
    found.set(connector, {
      settings,
      fingerprint: fingerprintOf(settings),
      accounts: new Set(settings.simulated ? [] : accounts),
    });
  }
  return found;
}

/** The connectors whose carrier's address is configured. */
export function configuredAddresses(env: Env): ConnectorCode[] {
  return connectorCodes.filter((connector) => carrierEnv(env, connector).baseUrl !== null);
}

/** The part of it that other processes may see. */
export function announcementOf(instances: ReadonlyMap<ConnectorCode, InstanceSettings>): InstanceCredential[] {
  return [...instances].map(([connector, { settings, fingerprint, accounts }]) => ({
    connector,
    simulated: settings.simulated,
    fingerprint,
    accounts: [...accounts].filter((account) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(account)),
    fields: settings.simulated ? [] : credentialFields.filter((field) => settings[settingOf[field]] !== null),
  }));
}

/**
 * Settings with an account's own credentials. The address is the configured or the published one, never the client's.
 * Null: the carrier's address isn't known to this installation.
 */
export function ownSettings(env: Env, connector: ConnectorCode, values: CredentialValues): CarrierSettings | null {
  const { baseUrl, authUrl } = carrierEnv(env, connector);
  const configured: ConfiguredCarrier = {
    baseUrl: baseUrl ?? connectors[connector].published.baseUrl,
    authUrl,
    clientId: values.client_id ?? null,
    clientSecret: values.client_secret ?? null,
    apiKey: values.api_key ?? null,
    certificate: values.certificate ?? null,
    privateKey: values.private_key ?? null,
    scope: values.scope ?? null,
  };
  return settingsFor(connectors[connector], configured, null);
}

/** Removes credentials from a carrier's message, which may quote them. */
export function withoutSecrets(text: string, settings: CarrierSettings): string {
  const secrets = Object.values(settingOf)
    .map((name) => settings[name])
    .filter((value) => value !== null && value.length >= 4);
  return secrets.reduce<string>(
    (shown, secret) => (secret === null ? shown : shown.replaceAll(secret, '(hidden)')),
    text,
  );
}

function fingerprintOf(settings: CarrierSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(settings, Object.keys(settings).sort()))
    .digest('hex');
}
