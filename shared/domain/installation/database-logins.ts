/** Purposes of database connections, and the role of each. */
export const databaseRoles = {
  app: 'landfall_app',
  system: 'landfall_system',
  auth: 'landfall_auth',
  queue: 'landfall_queue',
} as const;

export type DatabaseUse = keyof typeof databaseRoles;

/** The user that signs in to the database, and the only role it may run as. */
export type DatabaseLogin = { user: string; role: string };

const suffixes = { app: '', system: '_system', auth: '_auth', queue: '_queue' } as const satisfies Record<
  DatabaseUse,
  string
>;

/**
 * The logins of an installation. `DATABASE_URL` names the first; the others add a suffix to its user and share its
 * password. A statement injected into a request can therefore switch to no role but that of requests.
 */
export function databaseLogins(user: string): DatabaseLogin[] {
  return Object.entries(suffixes).map(([use, suffix]) => ({
    user: `${user}${suffix}`,
    role: databaseRoles[use as DatabaseUse],
  }));
}

/** `DATABASE_URL` with the login for this use. Throws Error when it names no user. */
export function asLogin(databaseUrl: string, use: DatabaseUse): string {
  const [, start, user, rest] = /^(postgres(?:ql)?:\/\/)([^:@/?#]+)(.*)$/s.exec(databaseUrl) ?? [];
  if (user === undefined || !rest?.includes('@'))
    throw new Error('DATABASE_URL names no user: postgres://user:password@host:5432/database');
  return `${start}${user}${suffixes[use]}${rest}`;
}
