import type { WireWebhookDelivery } from '#shared/contract/webhooks/delivery-wire.ts';
import type { SignedState } from '../../carriers/carrier-words.ts';
import { hasFailed, outcomeWords } from '../webhook-words.ts';

type Known = Pick<WireWebhookDelivery, 'outcome' | 'status' | 'error'>;

export function deliveryStanding(delivery: Known): SignedState['sign'] {
  if (delivery.outcome === 'delivered') return 'good';
  if (delivery.outcome === 'exhausted') return 'bad';
  // It was requested, and is not tried yet.
  return hasFailed(delivery) ? 'warn' : 'none';
}

/** `Delivered`, `HTTP 500`, `No response in time, exhausted`, `Queued`. */
export function deliveryWords(delivery: Known): string {
  if (delivery.outcome === 'delivered') return 'Delivered';
  if (!hasFailed(delivery)) return 'Queued';
  const why = outcomeWords(delivery);
  return delivery.outcome === 'exhausted' ? `${why}, exhausted` : why;
}
