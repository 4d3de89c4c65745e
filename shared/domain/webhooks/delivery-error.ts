/** Reasons why a try got no usable response, each in words for a person. */
export const deliveryErrors = {
  invalid_url: 'The URL or a header is not valid.',
  address_forbidden: 'The host has an address that is not public. Nothing was sent.',
  dns_failed: 'The host name could not be resolved.',
  connection_refused: 'The host refused the connection.',
  unreachable: 'The host is unreachable.',
  connection_lost: 'The connection ended before the response was complete.',
  timeout: 'The receiver did not respond in time.',
  tls_expired: 'The TLS certificate of the receiver has expired.',
  tls_self_signed: 'The TLS certificate of the receiver is self-signed.',
  tls_untrusted: 'The TLS certificate of the receiver is not from a trusted issuer, or its chain is incomplete.',
  tls_wrong_name: 'The TLS certificate of the receiver is for another host name.',
  tls_failed: 'The TLS handshake with the receiver failed.',
  invalid_response: 'The response of the receiver is not valid HTTP.',
  proxy_failed: 'The egress proxy (WEBHOOK_PROXY) did not connect to the receiver.',
} as const;

export type DeliveryError = keyof typeof deliveryErrors;

/** The outcome of one try: the status of a response, or why there is none. */
export type TryResult = { status: number | null; error: DeliveryError | null };

/** A 2xx that was read in time. A status before an error is not one. */
export function isDelivered({ status, error }: TryResult): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

/** Describes the error in a sentence. Null: the delivery succeeded. */
export function describeTry({ status, error }: TryResult): string | null {
  if (error !== null) return deliveryErrors[error];
  if (status === null || isDelivered({ status, error })) return null;
  if (status === 410) return 'The receiver responded with 410 (Gone), which disables the endpoint.';
  if (status >= 300 && status < 400) return `The receiver responded with ${status}. Redirects are not followed.`;
  return `The receiver responded with ${status}.`;
}
