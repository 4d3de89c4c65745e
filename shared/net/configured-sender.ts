import { readFileSync } from 'node:fs';
import { openAddressGuard } from './address-guard.ts';
import type { ResolveName } from './resolve-name.ts';
import { openWebhookSender, type WebhookSender } from './webhook-sender.ts';

/** Variables of the environment. */
export type SenderSettings = {
  WEBHOOK_ALLOW_HTTP: boolean;
  WEBHOOK_ALLOWED_NETWORKS: readonly string[];
  WEBHOOK_PROXY: string | null;
};

/** Opens what API and worker send webhooks with. `isMachineOnly`: only programs on this machine reach the installation. */
export function openConfiguredSender(
  env: SenderSettings,
  { isMachineOnly, resolve }: { isMachineOnly: boolean; resolve?: ResolveName | undefined },
): WebhookSender {
  const guard = openAddressGuard({
    allowHttp: env.WEBHOOK_ALLOW_HTTP,
    allowedNetworks: env.WEBHOOK_ALLOWED_NETWORKS,
    loopbackInTests: isMachineOnly,
    proxied: env.WEBHOOK_PROXY !== null,
    ...(resolve && { resolve }),
  });
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return openWebhookSender({ guard, proxyUrl: env.WEBHOOK_PROXY, version });
}
