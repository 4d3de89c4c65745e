import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import type { WebhookBodies, WebhookSending } from '#shared/domain/webhooks/send-webhook.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';

const guard = openAddressGuard({
  allowHttp: true,
  allowedNetworks: ['127.0.0.0/8'],
  loopbackInTests: true,
  proxied: false,
  resolve: async () => ['127.0.0.1'],
});

/** Sends to this machine alone, whatever the name. */
export const testSending: WebhookSending & WebhookBodies = {
  ...openWebhookSender({ guard, proxyUrl: null, version: 'test' }),
  bodyOf: toWebhookBody,
  testBodyOf: toTestBody,
};
