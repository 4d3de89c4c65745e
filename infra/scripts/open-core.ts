import { randomUUID } from 'node:crypto';
import { type CoreContext, coreDefaults } from '#shared/core/core-context.ts';
import { type Caller, scopes } from '#shared/domain/caller.ts';
import { openStore } from '#shared/store/open-store.ts';

/** The core context of a script: no queue, no traces, two connections. */
export async function openCore(
  databaseUrl: string,
  publicBaseUrl: string,
): Promise<CoreContext & { close: () => Promise<void> }> {
  const store = await openStore({
    databaseUrl,
    apiPoolSize: 1,
    systemPoolSize: 1,
    applicationName: 'landfall-script',
    onPoolError: () => {},
  });
  return {
    store,
    secretKeys: null,
    producer: null,
    now: () => new Date(),
    settings: { ...coreDefaults, publicBaseUrl },
    connectorFor: () => null,
    traceparent: () => null,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    close: () => store.close(),
  };
}

/** The person at the machine, with every scope. */
export function operatorOf(accountId: string): Caller {
  return { accountId, keyId: null, scopes, test: false, requestId: `script-${randomUUID()}`, idempotency: null };
}
