import { randomUUID } from 'node:crypto';
import { openCore } from '#shared/core/open-core.ts';
import type { RegistrationContext } from '#shared/core/registration/registration-batcher.ts';
import { type Caller, scopes } from '#shared/domain/caller.ts';
import { openStore } from '#shared/store/open-store.ts';

/** The core of a script: no queue, no traces, two connections. */
export async function openScriptCore(
  databaseUrl: string,
  publicBaseUrl: string,
): Promise<RegistrationContext & { close: () => Promise<void> }> {
  const store = await openStore({
    databaseUrl,
    apiPoolSize: 1,
    systemPoolSize: 1,
    applicationName: 'landfall-script',
    onPoolError: () => {},
  });
  return { ...openCore({ store, settings: { publicBaseUrl } }), close: store.close };
}

/** The person at the machine, with every scope. */
export function operatorOf(accountId: string): Caller {
  return { accountId, keyId: null, scopes, test: false, requestId: `script-${randomUUID()}`, idempotency: null };
}
