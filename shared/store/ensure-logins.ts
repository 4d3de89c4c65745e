import pg from 'pg';
import { type DatabaseLogin, databaseLogins, databaseRoles } from '#shared/domain/operations/database-logins.ts';

/**
 * Creates the logins in `DATABASE_URL` or gives them its password, as the owner of a migrated database. An owner that
 * may not create roles accepts logins that an administrator created. Throws when `DATABASE_URL` names an existing user
 * that isn't a login of Landfall, or when the logins can't be created: the error contains the statements.
 */
export async function ensureLogins(ownerUrl: string, databaseUrl: string): Promise<void> {
  // Parses the address as it does before it connects.
  const { user = '', password } = new pg.Client({ connectionString: databaseUrl });
  const logins = databaseLogins(user);
  const reserved: readonly string[] = Object.values(databaseRoles);
  if (logins.some((login) => reserved.includes(login.user)))
    throw new Error(
      `The user ${user} in DATABASE_URL would clash with Landfall's roles. Choose another name, such as landfall_login.`,
    );
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'landfall-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const login of logins) await ensureLogin(client, login, password ?? null);
  } catch (error) {
    if (Object(error).code !== '42501') throw error;
    const missing = (await Promise.all(logins.map((login) => isReady(client, login)))).includes(false);
    if (!missing) return;
    throw new Error(
      `The user in MIGRATION_DATABASE_URL may not create roles. Let an administrator run:\n${logins
        .map(
          ({ user: name, role }) =>
            `  create role ${pg.escapeIdentifier(name)} login noinherit password '<the password in DATABASE_URL>';\n` +
            `  grant ${role} to ${pg.escapeIdentifier(name)} with inherit false, set true;`,
        )
        .join('\n')}`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureLogin(client: pg.Client, { user, role }: DatabaseLogin, password: string | null): Promise<void> {
  const { rows } = await client.query<{ taken: boolean; granted: boolean }>(
    `select r.rolsuper or r.oid = session_user::regrole as taken,
      exists (select from pg_auth_members where member = r.oid and roleid = to_regrole($2)) as granted
    from pg_roles as r where r.rolname = $1`,
    [user, role],
  );
  const [found] = rows;
  if (found?.taken === true)
    throw new Error(
      `The user ${user} in DATABASE_URL owns the database or is a superuser. Set DATABASE_URL to another user, such as landfall_login, and keep this one in MIGRATION_DATABASE_URL.`,
    );
  const name = pg.escapeIdentifier(user);
  const secret = password === null || password === '' ? '' : ` password ${pg.escapeLiteral(await scramOf(password))}`;
  await again(() => client.query(`${found === undefined ? 'create' : 'alter'} role ${name} login noinherit${secret}`));
  if (found?.granted !== true) await again(() => client.query(`grant ${role} to ${name} with inherit false, set true`));
}

async function isReady(client: pg.Client, { user, role }: DatabaseLogin): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_auth_members as m join pg_roles as r on r.oid = m.member
    where r.rolname = $1 and r.rolcanlogin and m.roleid = to_regrole($2) and m.set_option`,
    [user, role],
  );
  return rows.length > 0;
}

/** Roles belong to the cluster: another database's start may create or change the same one at the same moment. */
async function again(statement: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await statement();
      return;
    } catch (error) {
      const isRaced = ['XX000', '23505', '42710'].includes(Object(error).code);
      if (!isRaced || attempt === 20) throw error;
      if (Object(error).code !== 'XX000') return;
    }
  }
}

/** What PostgreSQL stores of a password (RFC 5803), so that the password itself reaches no log of the server. */
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
