import type { DeliveryError } from './delivery-error.ts';

/** `waiting`: it failed and will be tried again, or it was requested and not tried yet. */
export const deliveryStates = ['delivered', 'waiting', 'exhausted'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Bytes of a response that are kept. */
export const keptAnswerBytes = 4096;
/** Days for which a delivery that did not succeed is kept. */
export const undeliveredKeptDays = 30;
/** The event type of a test. Its delivery has no sequence. */
export const testType = 'webhook.test';

/** One try of a delivery. */
export type DeliveryTry = {
  /** ISO UTC. */
  at: string;
  /** HTTP status. Null: no response. */
  status: number | null;
  latencyMs: number | null;
  /** Null: there was a response, by whose status it succeeded or failed. */
  error: DeliveryError | null;
  /** The start of the response's body as text. Null: it was empty, or there was none. */
  answer: string | null;
  traceId: string | null;
};

/** Ids are uuids, times ISO UTC. The last try is in the fields of the delivery, the former ones in `earlier`. */
export type WebhookDelivery = {
  id: string;
  endpointId: string;
  /** Null: a test. */
  sequence: number | null;
  /** Its public form is the `webhook-id` of every try. */
  changeId: string;
  type: string;
  shipmentId: string | null;
  state: DeliveryState;
  tries: number;
  nextTryAt: string | null;
  /** Null: not tried yet. */
  triedAt: string | null;
  status: number | null;
  latencyMs: number | null;
  error: DeliveryError | null;
  traceId: string | null;
  createdAt: string;
};

/** With every try, oldest first. */
export type WebhookDeliveryRecord = WebhookDelivery & { everyTry: DeliveryTry[] };
