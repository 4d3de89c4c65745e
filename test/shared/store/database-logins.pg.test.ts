import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { prepareDatabase } from '#infra/prepare-database.ts';
import { asLogin, databaseLogins } from '#shared/domain/installation/database-logins.ts';
import { ensureLogins } from '#shared/store/ensure-logins.ts';
import { openStore } from '#shared/store/open-store.ts';
import { request } from '#test/support/api/http.ts';
import { openBrowser } from '#test/support/browser/dashboard.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

// A whole installation with the queue in PostgreSQL: every kind of session that API and worker open.
let landfall: Installation;
let admin: pg.Client;
const closings: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  landfall = await openInstallation({ redisUrl: null });
  admin = await connected(landfall.core.databaseUrl);
});
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});
afterAll(async () => {
  await admin.end();
  await landfall.close();
});

async function connected(connectionString: string, options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, options });
  await client.connect();
  return client;
}

type Session = { login: string; application: string };

/** All sessions in the database but this test's own, whatever they call themselves. */
async function sessions(): Promise<Session[]> {
  const { rows } = await admin.query<Session>(
    `select distinct usename::text as login, application_name as application from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows;
}

it('gains nothing by `set role none` or another role in any session of API and worker', async () => {
  const list = `${landfall.api.url}/v1/shipments`;
  const signIn = { email: 'nobody@example.test', password: 'a password of tests' };
  const browser = openBrowser(landfall.api);
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } };
  /** Each kind of work that opens a session. */
  const work = async () => {
    const made = await request(list, { method: 'POST', key: landfall.key, body });
    // The pools for lists and for single records.
    for (const path of [list, `${list}/${made.body.shipment_id}`])
      expect((await request(path, { key: landfall.key })).status).toBe(200);
    await browser.ask('/dashboard/api/auth/sign-in/email', { body: signIn });
  };
  const owner = new URL(landfall.core.serviceUrl).username;
  const logins = databaseLogins(owner);
  const expected = logins.map(({ user }) => user).toSorted();
  const applications = ['landfall-api', 'landfall-worker', 'landfall-traces'];
  // Pools close idle sessions and spans may be lost: the work is repeated, and what was ever open is kept.
  const seen = { logins: new Set<string>(), applications: new Set<string>() };
  await until(
    async () => {
      await work();
      for (const { login, application } of await sessions()) {
        seen.logins.add(login);
        seen.applications.add(application);
      }
      return { logins: [...seen.logins], applications: [...seen.applications] };
    },
    () => expected.every((user) => seen.logins.has(user)) && applications.every((name) => seen.applications.has(name)),
  );
  expect([...seen.logins].toSorted()).toEqual(expected);

  const { rows: roles } = await admin.query<{ name: string }>('select rolname::text as name from pg_roles');
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.relnamespace::regnamespace::text || '.' || c.relname as name from pg_class as c
    where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text in ('landfall', 'auth', 'landfall_queue', 'public')
      or c.oid in ('pg_authid'::regclass, 'pg_shadow'::regclass)`,
  );
  expect(tables.length).toBeGreaterThan(50);
  for (const [use, { user, role }] of Object.entries({
    app: logins[0],
    system: logins[1],
    auth: logins[2],
    queue: logins[3],
  }).flatMap(([name, login]) => (login === undefined ? [] : ([[name as 'app', login]] as const)))) {
    const session = await connected(asLogin(landfall.core.serviceUrl, use), `-c role=${role}`);
    const works = (statement: string) =>
      session.query(statement).then(
        () => true,
        () => false,
      );
    try {
      const entered: string[] = [];
      for (const { name } of roles) if (await works(`set role ${pg.escapeIdentifier(name)}`)) entered.push(name);
      expect(entered.toSorted()).toEqual([user, role].toSorted());
      for (const statement of ['set role none', 'reset role']) {
        await session.query(statement);
        const { rows } = await session.query<{ now: string }>('select current_user::text as now');
        expect(rows[0]?.now).toBe(statement === 'reset role' ? role : user);
      }
      await session.query('set role none');
      const readable: string[] = [];
      for (const { name } of tables) if (await works(`select from ${name} limit 0`)) readable.push(name);
      expect(readable).toEqual([]);
      await session.query(`set role ${role}`);
      for (const { name } of tables) if (await works(`select from ${name} limit 0`)) readable.push(name);
      expect(readable.length).toBeGreaterThan(5);
      await session.query('set role none');
      for (const refused of [
        'create table public.mine (n int)',
        'create schema mine',
        'create role another',
        'alter table landfall.shipments disable row level security',
        `select pg_read_file('/etc/passwd')`,
        `copy (select 1) to program 'true'`,
        'set session authorization landfall',
      ])
        expect([refused, await works(refused)]).toEqual([refused, false]);
    } finally {
      await session.end();
    }
  }
});

const settings = { apiPoolSize: 1, systemPoolSize: 1, applicationName: 'landfall-test', onPoolError: () => {} };

it('refuses to open as the owner of the database, and names the remedy', async () => {
  const opening = openStore({ ...settings, databaseUrl: landfall.core.databaseUrl });
  await expect(opening).rejects.toThrow(/the login landfall is a superuser.*MIGRATION_DATABASE_URL.*migrate\.ts/s);
});

it('names the remedy when a login does not exist or has another password', async () => {
  const other = Object.assign(new URL(landfall.core.serviceUrl), { password: 'wrong' }).href;
  await expect(openStore({ ...settings, databaseUrl: other })).rejects.toThrow(
    /refused a login of DATABASE_URL: password authentication failed.*migrate\.ts/s,
  );
});

let users = 0;

/** The address of four new logins. */
async function newLogins(): Promise<{ url: string; user: string }> {
  users += 1;
  const user = `login_${process.pid}_${users}`;
  const url = new URL(landfall.core.databaseUrl);
  url.username = user;
  url.password = "p@ss'word\\";
  await ensureLogins(landfall.core.databaseUrl, url.href);
  closings.push(async () => {
    for (const login of databaseLogins(user)) {
      await admin.query(`drop owned by ${login.user}`);
      await admin.query(`drop role ${login.user}`);
    }
  });
  return { url: url.href, user };
}

it('refuses logins with any right of their own', async () => {
  const { url, user } = await newLogins();
  const refusal = async (grant: string, revoke: string) => {
    await admin.query(grant);
    try {
      await (await openStore({ ...settings, databaseUrl: url })).close();
      return 'opened';
    } catch (error) {
      return String(error);
    } finally {
      await admin.query(revoke);
    }
  };
  expect(await refusal('select', 'select')).toBe('opened');
  expect(await refusal(`grant landfall_system to ${user}`, `revoke landfall_system from ${user}`)).toMatch(
    /is a member of landfall_system/,
  );
  expect(await refusal(`alter role ${user}_auth bypassrls`, `alter role ${user}_auth nobypassrls`)).toMatch(
    /_auth may bypass row-level security/,
  );
  expect(await refusal(`alter role ${user}_queue createrole`, `alter role ${user}_queue nocreaterole`)).toMatch(
    /_queue may create roles/,
  );
  expect(
    await refusal(
      `grant select on landfall.shipments to ${user}_system`,
      `revoke select on landfall.shipments from ${user}_system`,
    ),
  ).toMatch(/_system owns something or was granted rights/);
  expect(
    await refusal(
      `grant landfall_app to ${user} with inherit true`,
      `grant landfall_app to ${user} with inherit false`,
    ),
  ).toMatch(/inherits its role's rights/);
});

it('gives the logins a new password, twice at once', async () => {
  const { url } = await newLogins();
  const changed = new URL(url);
  changed.password = 'another';
  await Promise.all([1, 2].map(() => ensureLogins(landfall.core.databaseUrl, changed.href, { setsPassword: true })));
  await expect(connected(url)).rejects.toThrow(/password/);
  for (const use of ['app', 'system', 'auth', 'queue'] as const)
    await (await connected(asLogin(changed.href, use))).end();
});

it('stops before anything changes when a login has another password, and leaves it to the other installation', async () => {
  const first = await newLogins();
  const second = await emptyDatabase();
  closings.push(second.drop);
  const of = (user: string, password: string) =>
    Object.assign(new URL(second.databaseUrl), { username: user, password }).href;
  const prepare = (user: string, password: string) =>
    prepareDatabase({ ownerUrl: second.databaseUrl, databaseUrl: of(user, password) });

  await expect(prepare(first.user, 'of-the-second')).rejects.toThrow(
    /exists with another password than the one in DATABASE_URL.*--set-password/s,
  );
  const owner = new pg.Client({ connectionString: second.databaseUrl });
  await owner.connect();
  closings.push(() => owner.end());
  expect((await owner.query(`select to_regnamespace('landfall') as schema`)).rows).toEqual([{ schema: null }]);
  await (await connected(first.url)).end();

  // The same password is accepted, and so are logins of its own.
  const own = `${first.user}_second`;
  closings.push(async () => {
    for (const { user } of databaseLogins(own)) await admin.query(`drop role ${user}`);
  });
  for (const [user, password] of [
    [first.user, "p@ss'word\\"],
    [own, 'of-the-second'],
  ] as const) {
    await prepare(user, password);
    await (await openStore({ ...settings, databaseUrl: of(user, password) })).close();
  }
  await (await connected(first.url)).end();
});

it('never turns an owner or a role of Landfall into a login', async () => {
  const ownerUrl = landfall.core.databaseUrl;
  const named = (user: string) => Object.assign(new URL(ownerUrl), { username: user }).href;
  await admin.query(`create role super_${process.pid} superuser`);
  closings.push(() => admin.query(`drop role super_${process.pid}`));
  await expect(ensureLogins(ownerUrl, named(`super_${process.pid}`))).rejects.toThrow(
    /is a superuser. Set DATABASE_URL/,
  );
  await expect(ensureLogins(ownerUrl, named('landfall'))).rejects.toThrow(/clash/);
  expect(() => asLogin('postgres://127.0.0.1/landfall', 'app')).toThrow(/names no user/);
});

it('changes no role that it did not create, and names the setting that chooses another', async () => {
  const user = `foreign_${process.pid}`;
  await admin.query(`create role ${user}_auth login password 'theirs'`);
  closings.push(() => admin.query(`drop role ${user}_auth`));
  const url = Object.assign(new URL(landfall.core.databaseUrl), { username: user, password: 'ours' }).href;
  const stored = async () => {
    const { rows } = await admin.query<{ rolname: string; rolpassword: string }>(
      `select rolname, rolpassword from pg_authid where rolname like '${user}%'`,
    );
    return rows;
  };
  const before = await stored();
  await expect(ensureLogins(landfall.core.databaseUrl, url)).rejects.toThrow(
    /foreign_\d+_auth exists, and Landfall did not create it. Set DATABASE_URL to a user/,
  );
  expect(await stored()).toEqual(before);
});

it('gives the services of an embedded server a password that does not reveal the owner’s', () => {
  const url = new URL(serviceUrlOf('postgres://landfall:owners-password@127.0.0.1:54329/postgres'));
  expect(url.href).not.toContain('owners-password');
  expect([url.username, url.password.length, url.pathname]).toEqual(['landfall_login', 43, '/postgres']);
});
