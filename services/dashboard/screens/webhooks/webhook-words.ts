import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { changeTypes } from '#shared/domain/feed/change-types.ts';
import { type DeliveryError, deliveryErrors, describeTry } from '#shared/domain/webhooks/delivery-error.ts';
import { capital } from '../../parts/words/code-words.ts';
import type { SignedState } from '../carriers/carrier-words.ts';

/** All types, also those of later releases. */
export const everyType = '*';

type EndpointState = Pick<WireWebhookEndpoint, 'state' | 'disabled_reason'>;

export function standingOf({ state, disabled_reason: reason }: EndpointState): SignedState {
  if (state === 'failing') return { sign: 'bad', word: 'Failing' };
  if (state === 'disabled') return { sign: reason === 'requested' ? 'none' : 'bad', word: 'Disabled' };
  return { sign: 'good', word: 'Enabled' };
}

/** One sentence on the reason why an endpoint is disabled. */
export function disabledWords(reason: string | null): string {
  if (reason === 'gone') return 'The receiver responded with 410 Gone.';
  if (reason === 'failing') return 'Deliveries failed for three days, and none succeeded.';
  if (reason === 'restored')
    return 'A backup was restored, and the installation that it was taken from may still send to the receiver.';
  return 'It was disabled on request.';
}

/** `shipment.status_changed` reads `Status changed`, `webhook.test` reads `Webhook test`. */
export function typeWords(type: string): string {
  const known = type === 'shipment.created' || type === 'shipment.updated' || type === 'shipment.delivered';
  const words = (known ? type : type.replace(/^shipment\./, '')).replace(/[._]/g, ' ');
  return capital(words.replace(/^eta /, 'ETA '));
}

/** `Status changed, ETA changed`, `All types`, `5 types`. */
export function typesWords(types: readonly string[]): string {
  if (types.includes(everyType) || types.length === changeTypes.length) return 'All types';
  return types.length <= 2 ? types.map(typeWords).join(', ') : `${types.length} types`;
}

const errorWords: Record<DeliveryError, string> = {
  invalid_url: 'Invalid URL',
  address_forbidden: 'Address not allowed',
  dns_failed: 'Host name not found',
  connection_refused: 'Connection refused',
  unreachable: 'Unreachable',
  connection_lost: 'Connection lost',
  timeout: 'No response in time',
  tls_expired: 'Certificate expired',
  tls_self_signed: 'Self-signed certificate',
  tls_untrusted: 'Untrusted certificate',
  tls_wrong_name: 'Certificate for another host',
  tls_failed: 'TLS failed',
  invalid_response: 'Invalid response',
  proxy_failed: 'Proxy failed',
};

/** The outcome of a try, as on the wire. */
type Outcome = { status: number | null; error: string | null };

/** `HTTP 500`, `No response in time`, `Not sent yet`. */
export function outcomeWords({ status, error }: Outcome): string {
  if (error !== null) return (errorWords as Record<string, string>)[error] ?? capital(error.replaceAll('_', ' '));
  return status === null ? 'Not sent yet' : `HTTP ${status}`;
}

/** True when a delivery was attempted and failed. */
export function hasFailed({ status, error }: Outcome): boolean {
  return error !== null || (status !== null && (status < 200 || status > 299));
}

/** A failure in a sentence. Null: it did not fail. */
export function failureWords({ status, error }: Outcome): string | null {
  if (!hasFailed({ status, error })) return null;
  if (error !== null) return (deliveryErrors as Record<string, string>)[error] ?? null;
  return `${describeTry({ status, error: null })} Only a status of 200 to 299 is a success.`;
}

/** An address without its scheme, as it stands in a list. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '');
}
