import { type Env, isLoopbackHost } from '#shared/config/env.ts';
import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import type { WebhookBodies, WebhookSending } from '#shared/domain/webhooks/send-webhook.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import type { ResolveName } from '#shared/net/resolve-name.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';

/** What the verbs about webhooks need: which addresses are allowed, and the sending of tests. */
export function openWebhooks(
  env: Pick<Env, 'HOST' | 'WEBHOOK_ALLOW_HTTP' | 'WEBHOOK_ALLOWED_NETWORKS' | 'WEBHOOK_PROXY'>,
  { version, resolve }: { version: string; resolve?: ResolveName | undefined },
): WebhookSending & WebhookBodies & { close: () => Promise<void> } {
  const guard = openAddressGuard({
    allowHttp: env.WEBHOOK_ALLOW_HTTP,
    allowedNetworks: env.WEBHOOK_ALLOWED_NETWORKS,
    loopbackInTests: isLoopbackHost(env.HOST),
    proxied: env.WEBHOOK_PROXY !== null,
    ...(resolve && { resolve }),
  });
  const sender = openWebhookSender({ guard, proxyUrl: env.WEBHOOK_PROXY, version });
  return { ...sender, bodyOf: toWebhookBody, testBodyOf: toTestBody };
}
