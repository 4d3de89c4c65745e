import { z } from 'zod';
import { readableName } from '#shared/domain/apps/readable-name.ts';

const maxRedirects = 10;
/** Without control characters and halves of characters, which the database refuses. */
const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{C}+$/u, 'must be plain text');
/** An address has no others (RFC 3986). */
const address = z
  .string()
  .max(1000)
  .regex(/^[!-~]+$/, 'must be an address');

/**
 * Stored fields of a client's registration (RFC 7591). The rest is ignored, as the server may: a client has no secret,
 * since PKCE and rotating refresh tokens protect it, and its scopes and grants are those of every app. Redirects to a
 * loopback address of any port (RFC 8252) are for native clients, and those to HTTPS for both.
 */
const registration = z.object({
  client_name: z
    .string()
    .max(200)
    .transform((name) => readableName(name) ?? undefined)
    .optional(),
  client_uri: address.optional(),
  redirect_uris: z.array(address).min(1).max(maxRedirects),
  software_id: text(200).optional(),
  software_version: text(200).optional(),
});

export type Registration = z.output<typeof registration> & {
  application_type: 'native';
  token_endpoint_auth_method: 'none';
  grant_types: string[];
  response_types: string[];
};

/** An error of RFC 7591, 3.2.2. */
export type RegistrationError = { error: string; error_description: string };

/** Reads an untrusted body. The library evaluates the redirect addresses. */
export function readRegistration(body: unknown): Registration | RegistrationError {
  const parsed = registration.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path[0] === undefined ? 'the body' : issue.path.join('.');
    return {
      error: field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      error_description:
        `${field} is not valid: ${issue?.message ?? 'unreadable'}. Send up to ${maxRedirects} redirect_uris of at ` +
        'most 1,000 characters, and a client_name of at most 200.',
    };
  }
  return {
    ...parsed.data,
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}
