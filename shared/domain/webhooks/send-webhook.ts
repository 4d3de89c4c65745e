import type { Change } from '../feed/change.ts';
import type { Shipment } from '../record/shipment.ts';
import type { TryResult } from './delivery-error.ts';
import type { Payload, WebhookEndpoint } from './endpoint.ts';

/** Start of the `user-agent` on all requests of the webhook sender. */
export const webhookAgent = 'Landfall-Webhooks/';

/** The receiver of a delivery, with its secrets in plain text: never log or return it. */
export type WebhookTarget = {
  url: string;
  /** A test endpoint may have an address of this machine. */
  test: boolean;
  timeoutMs: number;
  /** The custom headers. */
  headers: Readonly<Record<string, string>>;
  /** `whsec_…`. Each of them signs: the present one, then the previous one while it is valid. */
  secrets: readonly string[];
};

/** `id` is the `webhook-id`, the same over all tries. */
export type WebhookMessage = { id: string; body: string };

/** The headers of a request, in lower case, and its body. */
export type ComposedWebhook = { headers: Readonly<Record<string, string>>; body: string };

/** Functions of webhook sending for the operations of the API. */
export type WebhookSending = {
  /** Returns the reason for refusing an address. Null: it is allowed. Resolves its name. */
  checkAddress: (url: string, use: { test: boolean }) => Promise<{ code: string; detail: string } | null>;
  /** The request of a try at that time, with its signatures. */
  compose: (
    target: WebhookTarget,
    message: WebhookMessage,
    at: { nowMs: number; traceparent: string | null },
  ) => ComposedWebhook;
  /** Sends it once. Never throws: what went wrong is in `error`. */
  send: (
    target: Pick<WebhookTarget, 'url' | 'test' | 'timeoutMs'>,
    request: ComposedWebhook,
  ) => Promise<TryResult & { latencyMs: number; answer: string | null }>;
};

/** The bodies of deliveries, which the contract composes. */
export type WebhookBodies = {
  /** `record`: the shipment as of the change, for `full` and a change of a shipment. */
  bodyOf: (change: Change, payload: Payload, record: Shipment | null) => string;
  /** `at`: ISO UTC. */
  testBodyOf: (endpoint: Pick<WebhookEndpoint, 'id' | 'url'>, at: string) => string;
};
