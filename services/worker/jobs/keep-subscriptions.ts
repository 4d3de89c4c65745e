import type { CoreContext } from '#shared/core/core-context.ts';
import { keepSubscriptions, type OpenedCarrier, type ServingCredential } from '#shared/core/push/keep-subscriptions.ts';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { Connector } from '../carriers/carrier.ts';
import { connectors, isConnectorCode } from '../carriers/registry.ts';
import type { CarrierAccesses } from '../credentials/carrier-access.ts';
import { repeatJob } from './repeat-job.ts';

export type SubscriptionLoopOptions = {
  access: Pick<CarrierAccesses, 'accessFor' | 'serviceFor'>;
  /** Where carriers reach the API; null: push is off. */
  callbackBaseUrl: string | null;
  secretDays: number;
  signal: AbortSignal;
};

const intervalMs = 30_000;
const shortestIntervalMs = 1000;
const longestPauseMs = 60_000;
/** To find a subscription and to change it. */
const callsOfOne = 2;

/** Keeps subscriptions at the carriers that push, until `signal`. An error is logged and never ends it. */
export async function runSubscriptionLoop(core: CoreContext, options: SubscriptionLoopOptions): Promise<void> {
  const { access, callbackBaseUrl, secretDays, signal } = options;
  await repeatJob({
    name: 'the keeping of subscriptions',
    signal,
    log: core.log,
    longestPauseMs,
    run: async () => {
      await keepSubscriptions(core, {
        connectors: connectorCodes.filter((code) => pushOf(code) !== null),
        callbackBaseUrl,
        secretDays,
        credentialFor: ({ accountId, connector, carrier }) => credentialFor(access, { accountId, connector, carrier }),
        open: (asked) => openCarrier(access, { ...asked, signal }),
        signal,
      });
      // Workers started together do not stay together.
      return (
        Math.max(shortestIntervalMs, intervalMs * Math.min(1, core.settings.cadenceScale)) * (0.9 + Math.random() / 5)
      );
    },
  });
}

type Asked = { accountId: string; connector: string; carrier: string };

async function credentialFor(
  access: SubscriptionLoopOptions['access'],
  asked: Asked,
): Promise<ServingCredential | null> {
  if (!isConnectorCode(asked.connector)) return null;
  const service = await access.serviceFor(asked.connector, asked.accountId, asked.carrier);
  if (service === null) return null;
  // An account stores credentials for one carrier; the instance's are the connector's.
  return { credentialId: service.credentialId, allCarriers: !service.credentialId.startsWith('account:') };
}

async function openCarrier(
  access: SubscriptionLoopOptions['access'],
  { accountId, connector, carrier, signal }: Asked & { signal: AbortSignal },
): Promise<OpenedCarrier> {
  const push = isConnectorCode(connector) ? pushOf(connector) : null;
  if (!isConnectorCode(connector) || push === null) {
    return {
      kind: 'closed',
      credentialId: null,
      retryAfterMs: null,
      detail: 'this release has no push for the connector',
    };
  }
  const opened = await access.accessFor(connector, accountId, carrier);
  if (opened.kind === 'closed') {
    return {
      kind: 'closed',
      credentialId: opened.credentialId,
      retryAfterMs: opened.retryAfterMs,
      detail: opened.detail,
    };
  }
  const credentialId = opened.credential.id;
  const begun = await opened.begin(callsOfOne, { priority: false });
  if (begun.granted === 0) {
    return {
      kind: 'closed',
      credentialId,
      retryAfterMs: begun.waitMs,
      detail: 'the budget of calls to this carrier is used up for now',
    };
  }
  const subscriptions = push.subscriptions({ ...opened.carrier, budget: begun.budget }, signal);
  return { kind: 'open', credentialId, carrier: subscriptions, end: begun.end };
}

function pushOf(code: ConnectorCode): NonNullable<Connector['push']> | null {
  const { push }: Connector = connectors[code];
  return push ?? null;
}
