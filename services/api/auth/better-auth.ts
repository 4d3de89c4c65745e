import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { hashPassword } from 'better-auth/crypto';
import { getAdapter } from 'better-auth/db/adapter';
import { organization } from 'better-auth/plugins/organization';
import { passwordLength, sessionDays } from '#shared/domain/members/role.ts';
import type { Store } from '#shared/store/open-store.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { type HashOf, hashSessionTokens } from './hash-session-tokens.ts';

export type BetterAuthWiring = {
  pool: Store['auth'];
  /** Session tokens are stored under it. */
  hashOf: HashOf;
  /** Signs cookies. */
  secret: string;
  /** Origin of the dashboard. */
  baseUrl: string;
  basePath: string;
  /** Header with the IP address of the client. */
  addressHeader: string;
  logger: Logger;
};

export { hashPassword };
export type BetterAuth = Awaited<ReturnType<typeof makeBetterAuth>>;

/**
 * better-auth on the tables of the schema `auth`. Sign-up is disabled: users are created by the claim link, by an
 * invitation or by `INIT_…`. Plugins that serve the whole dashboard check the Origin and the rate limit of requests
 * before they get here.
 */
export async function makeBetterAuth({ pool, hashOf, ...wiring }: BetterAuthWiring) {
  const options = optionsOf(wiring);
  const adapter = await getAdapter({ ...options, database: pool });
  return betterAuth({ ...options, database: () => hashSessionTokens(adapter, hashOf) });
}

function optionsOf(wiring: Omit<BetterAuthWiring, 'pool' | 'hashOf'>) {
  return {
    ...sessionOptions(wiring),
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
    },
    // Its routes are not served: our own verbs change members and invitations, and keep an owner and an audit log.
    plugins: [organization({ allowUserToCreateOrganization: false, schema: organizationSchema })],
  } satisfies BetterAuthOptions;
}

/** Returns the options that every instance must share to read the same sessions from the same tables. */
export function sessionOptions({
  secret,
  baseUrl,
  basePath,
  addressHeader,
  logger,
}: Omit<BetterAuthWiring, 'pool' | 'hashOf'>) {
  return {
    appName: 'Landfall',
    baseURL: baseUrl,
    basePath,
    secret,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      log: (level, message) => logger[level === 'error' ? 'warn' : 'debug']({ source: 'better-auth' }, message),
    },
    // `__Host-` limits the cookie to this host and to https. Sessions are read from the database with each request.
    advanced: {
      cookiePrefix: '__Host-landfall',
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      disableCSRFCheck: true,
      database: { generateId: 'uuid', validateSchema: false },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      cookieCache: { enabled: false },
      expiresIn: sessionDays.unused * 86_400,
    },
    account: {
      modelName: 'logins',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
  } satisfies BetterAuthOptions;
}

const organizationSchema = {
  session: { fields: { activeOrganizationId: 'active_organization_id' } },
  organization: { modelName: 'organizations', fields: { createdAt: 'created_at' } },
  member: {
    modelName: 'members',
    fields: { organizationId: 'organization_id', userId: 'user_id', createdAt: 'created_at' },
  },
  invitation: {
    modelName: 'invitations',
    fields: {
      organizationId: 'organization_id',
      inviterId: 'inviter_id',
      expiresAt: 'expires_at',
      createdAt: 'created_at',
    },
  },
} as const;
