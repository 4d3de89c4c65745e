import type { DeliveryError } from '#shared/domain/webhooks/delivery-error.ts';
import { AddressRefused } from './address-guard.ts';

const byCode: Record<string, DeliveryError> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_INVALID_ARG: 'invalid_url',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'invalid_url',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  CERT_HAS_EXPIRED: 'tls_expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_name',
  EPROTO: 'tls_failed',
};

/** Every other code of OpenSSL's verification, of Node's TLS and of the alerts of a handshake. */
const tlsCode = /^(ERR_(TLS|SSL)_|CERT_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

/** Maps an error of undici, Node or OpenSSL to one that a person who looks at the delivery understands. */
export function deliveryErrorOf(error: unknown): DeliveryError {
  if (error instanceof AddressRefused) return error.code;
  const code = codeOf(error);
  const known = byCode[code];
  if (known !== undefined) return known;
  if (error instanceof Error && error.name === 'HTTPParserError') return 'invalid_response';
  if (tlsCode.test(code)) return 'tls_failed';
  if (error instanceof Error && /proxy/i.test(error.message)) return 'proxy_failed';
  if (error instanceof Error && error.cause !== undefined) return deliveryErrorOf(error.cause);
  return 'connection_lost';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
