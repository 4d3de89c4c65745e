import pg from 'pg';
import {
  asLogin,
  type DatabaseLogin,
  type DatabaseUse,
  databaseLogins,
  databaseRoles,
} from '#shared/domain/installation/database-logins.ts';
import { MayNotCreateRoles, missingRoleStatements } from './role-statements.ts';

const signInMs = 5000;

/** `setsPassword`: logins that exist get the password in `DATABASE_URL`. By default they keep theirs. */
export type LoginOptions = { setsPassword?: boolean };

/**
 * Throws if a login in `DATABASE_URL` exists with another password. Logins belong to the whole server: another
 * installation there may sign in with it, and would be locked out by a new one. Signs in at the address that the services
 * use; where that is not possible for another reason, the password is not checked.
 */
export async function checkLoginPasswords(ownerUrl: string, databaseUrl: string): Promise<void> {
  const { user, password } = loginIn(databaseUrl);
  if (password === null || password === '') return;
  const names = databaseLogins(user).map((login) => login.user);
  const existing = await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select rolname as name from pg_roles where rolname = any($1) and rolcanlogin',
      [names],
    );
    return rows.map(({ name }) => name);
  });
  for (const use of Object.keys(databaseRoles) as DatabaseUse[]) {
    const address = asLogin(databaseUrl, use);
    const { user: name } = loginIn(address);
    if (existing.includes(name) && (await isPasswordRefused(address))) throw new OtherPassword(name);
  }
}

/** A login in `DATABASE_URL` exists with another password. */
export class OtherPassword extends Error {
  constructor(user: string) {
    super(
      `The database user ${user} exists with another password than the one in DATABASE_URL, or its password has expired. ` +
        'If another installation on this server uses it, choose another user in DATABASE_URL, such as ' +
        'postgres://landfall2_login:<new password>@…. If you changed the password, add --set-password to this command ' +
        '(node infra/scripts/migrate.ts, or npm run restore) and restart the services.',
    );
    this.name = 'OtherPassword';
  }
}

/** 28P01: the password is wrong, or has expired. PostgreSQL checks it before the right to connect to a database. */
async function isPasswordRefused(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    application_name: 'landfall-migrate',
    connectionTimeoutMillis: signInMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return Object(error).code === '28P01';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Creates the logins in `DATABASE_URL` as the owner of a migrated database. An owner that may not create roles accepts
 * logins that an administrator created. Throws when `DATABASE_URL` names an existing user that Landfall did not create,
 * and MayNotCreateRoles when the logins can't be created.
 */
export async function ensureLogins(
  ownerUrl: string,
  databaseUrl: string,
  { setsPassword = false }: LoginOptions = {},
): Promise<void> {
  const { user, password } = loginIn(databaseUrl);
  const logins = databaseLogins(user);
  const reserved: readonly string[] = Object.values(databaseRoles);
  if (logins.some((login) => reserved.includes(login.user)))
    throw new Error(
      `The user ${user} in DATABASE_URL would clash with Landfall's roles. Choose another name, such as landfall_login.`,
    );
  await asOwner(ownerUrl, async (client) => {
    try {
      for (const login of logins) await findLogin(client, login);
      for (const login of logins) await again(() => ensureLogin(client, login, { password, setsPassword }));
    } catch (error) {
      if (Object(error).code !== '42501') throw error;
      const statements = await missingRoleStatements(client, user);
      if (statements.length > 0) throw new MayNotCreateRoles(statements, error);
    }
  });
}

/**
 * Throws MayNotCreateRoles if that is why a migration failed with this error, which names neither the roles nor what to
 * do.
 */
export async function explainMissingRoles(ownerUrl: string, databaseUrl: string, error: unknown): Promise<void> {
  if (Object(error).code !== '42501') return;
  await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ may: boolean }>(
      'select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user',
    );
    if (rows[0]?.may === true) return;
    const statements = await missingRoleStatements(client, loginIn(databaseUrl).user);
    if (statements.length > 0) throw new MayNotCreateRoles(statements, error);
  });
}

/** Parses the address as it does before it connects. */
function loginIn(databaseUrl: string): { user: string; password: string | null } {
  const { user = '', password } = new pg.Client({ connectionString: databaseUrl });
  return { user, password: password ?? null };
}

async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'landfall-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns whether the login exists. Throws if it is somebody else's: roles belong to the whole server. */
async function findLogin(client: pg.Client, { user, role }: DatabaseLogin): Promise<boolean> {
  const { rows } = await client.query<{ powerful: boolean; granted: boolean }>(
    `select r.rolsuper or r.oid = session_user::regrole as powerful,
      exists (select from pg_auth_members where member = r.oid and roleid = to_regrole($2)) as granted
    from pg_roles as r where r.rolname = $1`,
    [user, role],
  );
  const [found] = rows;
  if (found?.powerful === true)
    throw new Error(
      `The user ${user} in DATABASE_URL owns the database or is a superuser. Set DATABASE_URL to another user, such as landfall_login, and keep this one in MIGRATION_DATABASE_URL.`,
    );
  if (found?.granted === false)
    throw new Error(
      `The database user ${user} exists, and Landfall did not create it. Set DATABASE_URL to a user that isn't in ` +
        `use, such as landfall_login: Landfall needs that name and the same with _system, _auth and _queue. If the ` +
        `user was created for Landfall, let an administrator run: ${grantOf({ user, role })};`,
    );
  return found !== undefined;
}

async function ensureLogin(
  client: pg.Client,
  login: DatabaseLogin,
  { password, setsPassword }: { password: string | null; setsPassword: boolean },
): Promise<void> {
  const exists = await findLogin(client, login);
  const keepsPassword = password === null || password === '' || (exists && !setsPassword);
  const secret = keepsPassword ? '' : ` password ${pg.escapeLiteral(await scramOf(password))}`;
  // One string is one transaction: a login that exists without its role is somebody else's.
  const settings = `role ${pg.escapeIdentifier(login.user)} login noinherit${secret}`;
  await client.query(exists ? `alter ${settings}` : `create ${settings}; ${grantOf(login)}`);
}

function grantOf({ user, role }: DatabaseLogin): string {
  return `grant ${role} to ${pg.escapeIdentifier(user)} with inherit false, set true`;
}

/** Another database's start may create or change the same one at the same moment. */
async function again(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const isRaced = ['XX000', '23505', '42710'].includes(Object(error).code);
      if (!isRaced || attempt === 20) throw error;
    }
  }
}

/**
 * Computes PostgreSQL's stored form of a password (RFC 5803), so that the password itself reaches no log of the server.
 */
async function scramOf(password: string): Promise<string> {
  const { subtle } = globalThis.crypto;
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const [salt, iterations] = [globalThis.crypto.getRandomValues(new Uint8Array(16)), 4096];
  const secret = await subtle.importKey('raw', bytesOf(password.normalize('NFKC')), 'PBKDF2', false, ['deriveBits']);
  const salted = await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, secret, 256);
  const key = await subtle.importKey('raw', salted, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const storedKey = await subtle.digest('SHA-256', await subtle.sign('HMAC', key, bytesOf('Client Key')));
  const serverKey = await subtle.sign('HMAC', key, bytesOf('Server Key'));
  const [saltText, storedText, serverText] = [salt, new Uint8Array(storedKey), new Uint8Array(serverKey)].map((bytes) =>
    Buffer.from(bytes).toString('base64'),
  );
  return `SCRAM-SHA-256$${iterations}:${saltText}$${storedText}:${serverText}`;
}
