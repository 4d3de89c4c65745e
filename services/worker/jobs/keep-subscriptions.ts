import {
  keepSubscriptions,
  type OpenedCarrier,
  type ServingCredential,
} from '#shared/core/carrier-subscriptions/keep-subscriptions.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { isConnectorCode, pushOf } from '../carriers/registry.ts';
import type { CarrierAccesses } from '../credentials/carrier-access.ts';

export type SubscriptionOptions = {
  core: CoreContext;
  access: Pick<CarrierAccesses, 'accessFor' | 'serviceFor'>;
  /** Address at which carriers reach the API; null: carrier subscriptions are off. */
  callbackBaseUrl: string | null;
  secretDays: number;
  signal: AbortSignal;
};

/** One to find a subscription and one to change it. */
const callsPerSubscription = 2;

/** Keeps the subscriptions at the carriers that push. */
export async function keepCarrierSubscriptions(options: SubscriptionOptions): Promise<undefined> {
  const { core, access, callbackBaseUrl, secretDays, signal } = options;
  await keepSubscriptions(core, {
    connectors: connectorCodes.filter((code) => pushOf(code) !== null),
    callbackBaseUrl,
    secretDays,
    credentialFor: ({ accountId, connector, carrier }) => credentialFor(access, { accountId, connector, carrier }),
    open: (subject) => openCarrier(access, { ...subject, signal }),
    signal,
  });
}

/** Stands in for a shipment: a subscription that fails again and again must not stop the refreshes. */
function subscriptionsOf(credentialId: string): string {
  return `subscriptions ${credentialId}`;
}

type Subject = { accountId: string; connector: string; carrier: string };

async function credentialFor(
  access: SubscriptionOptions['access'],
  { accountId, connector, carrier }: Subject,
): Promise<ServingCredential | null> {
  if (!isConnectorCode(connector)) return null;
  const service = await access.serviceFor(connector, accountId, carrier);
  if (service === null) return null;
  // An account stores credentials for one carrier; the instance's are the connector's.
  return { credentialId: service.credentialId, allCarriers: !service.credentialId.startsWith('account:') };
}

async function openCarrier(
  access: SubscriptionOptions['access'],
  { accountId, connector, carrier, signal }: Subject & { signal: AbortSignal },
): Promise<OpenedCarrier> {
  const push = isConnectorCode(connector) ? pushOf(connector) : null;
  if (!isConnectorCode(connector) || push === null) {
    const detail = 'This release has no subscriptions for the connector.';
    return { kind: 'closed', credentialId: null, retryAfterMs: null, detail };
  }
  const opened = await access.accessFor(connector, accountId, carrier);
  if (opened.kind === 'closed') {
    const { credentialId, retryAfterMs, circuitOpenMs, detail } = opened;
    return { kind: 'closed', credentialId, retryAfterMs: retryAfterMs ?? circuitOpenMs, detail };
  }
  const credentialId = opened.credential.id;
  const { granted, waitMs, budget, release } = await opened.reserve(callsPerSubscription, { priority: false });
  if (granted === 0) {
    const detail = 'The call budget for this carrier is exhausted.';
    return { kind: 'closed', credentialId, retryAfterMs: waitMs, detail };
  }
  const subscriptions = push.subscriptions({ ...opened.carrierFor([subscriptionsOf(credentialId)]), budget }, signal);
  return { kind: 'open', credentialId, carrier: subscriptions, release };
}
