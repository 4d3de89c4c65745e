import process from 'node:process';
import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { createWebhookEndpoint } from '#shared/core/webhooks/create-endpoint.ts';
import { type EndpointFilter, maxEndpoints } from '#shared/domain/webhooks/endpoint.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { openBenchCore } from '../service-env.ts';

/** Filters that select nothing, each another one. */
const filtersOf: readonly ((number: number) => EndpointFilter)[] = [
  (number) => ({ carrier: [`Z${number}`] }),
  (number) => ({ destination: ['NLRTM', 'DEHAM'], late: true, reference: [`none-${number}`] }),
  (number) => ({ tag: [`none-${number}`], status: ['in_transit', 'delivered'] }),
  (number) => ({ delayed_min_hours: 5000 + number }),
];

/**
 * Subscribes `count` endpoints, by default as many as `BENCH_ENDPOINTS` says, the account's maximum to the account and the others to another
 * one: each change is compared with all of its account and matches none, so that the cost of being subscribed is measured
 * and not that of sending. Returns what API and worker need in their environment.
 */
export async function subscribeEndpoints(
  databaseUrl: string,
  accountId: string,
  count = Number(process.env.BENCH_ENDPOINTS ?? 0),
): Promise<Record<string, string>> {
  if (count === 0) return {};
  const sender = openWebhookSender({
    guard: openAddressGuard({ allowHttp: false, allowedNetworks: [], loopbackInTests: true, proxied: false }),
    proxyUrl: null,
    version: '1',
  });
  const core = {
    ...(await openBenchCore(databaseUrl)),
    secretKeys: await openSecretKeys([{ version: 'v1', key: testCredentialKey }]),
    webhooks: { ...sender, bodyOf: toWebhookBody, testBodyOf: toTestBody },
  };
  try {
    const other = await withSystem(core.store, (tx) => ensureAccount(tx, 'other subscribers'));
    for (let number = 0; number < count; number += 1) {
      const caller = {
        accountId: number < maxEndpoints ? accountId : other.accountId,
        keyId: null,
        scopes: [],
        test: false,
        requestId: 'bench',
        idempotency: null,
      };
      await createWebhookEndpoint(core, caller, {
        url: `https://1.1.1.1/${number}`,
        filter: filtersOf[number % filtersOf.length]?.(number) ?? null,
      });
    }
  } finally {
    await core.close();
    await sender.close();
  }
  return { CREDENTIAL_KEYS: `v1:${testCredentialKey}` };
}
