import { createHash, randomUUID, sign, X509Certificate } from 'node:crypto';
import type { CarrierSettings } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';

const lifetimeS = 300;

/**
 * Form fields that authenticate with a certificate: a JWT signed RS256 with the certificate's key, where `x5t` is the
 * certificate's SHA-1 thumbprint (RFC 7523; Microsoft identity platform, "certificate credentials"). Throws
 * `FetchFailure` when the certificate or the key is invalid.
 */
export function clientAssertion(settings: CarrierSettings, now: Date): Record<string, string> {
  const clientId = settings.clientId ?? '';
  const issuedAt = Math.floor(now.getTime() / 1000);
  const claims = {
    aud: settings.authUrl,
    iss: clientId,
    sub: clientId,
    jti: randomUUID(),
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetimeS,
  };
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signedToken(claims, settings),
    ...(settings.scope === null ? {} : { scope: settings.scope }),
  };
}

function signedToken(claims: Record<string, unknown>, settings: CarrierSettings): string {
  try {
    const certificate = new X509Certificate(pem(settings.certificate));
    const x5t = createHash('sha1').update(certificate.raw).digest('base64url');
    const content = `${encode({ alg: 'RS256', typ: 'JWT', x5t })}.${encode(claims)}`;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), pem(settings.privateKey)).toString('base64url')}`;
  } catch {
    // The cause could quote the key, so it is not passed on.
    throw new FetchFailure('carrier_auth_failed', 'the certificate or private key for this carrier is not valid PEM', {
      refusedBy: 'sign_in',
    });
  }
}

/** Environment files often write the line breaks of a PEM text as `\n`. */
function pem(text: string | null): string {
  return (text ?? '').replaceAll('\\n', '\n');
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
