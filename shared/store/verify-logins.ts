import type pg from 'pg';
import { databaseLogins } from '#shared/domain/installation/database-logins.ts';

type FoundLogin = {
  user: string;
  missing: boolean;
  superuser: boolean;
  bypass: boolean;
  creates: boolean;
  roles: string[];
  rights: boolean;
};

/**
 * Throws unless each login of API and worker can do nothing but run as its one role. An operator gets any other right
 * by `set role none` in a session.
 */
export async function verifyLogins(app: pg.Pool): Promise<void> {
  const session = await app.query<{ user: string }>('select session_user::text as user');
  const logins = databaseLogins(session.rows[0]?.user ?? '');
  const { rows } = await app.query<FoundLogin>(
    `
    select l.login as user, r.oid is null as missing, coalesce(r.rolsuper, false) as superuser,
      coalesce(r.rolbypassrls, false) as bypass,
      coalesce(r.rolcreaterole or r.rolcreatedb or r.rolreplication, false) as creates,
      array(
        select g.rolname::text from pg_auth_members as m join pg_roles as g on g.oid = m.roleid
        where m.member = r.oid and (g.rolname <> l.role or m.inherit_option or m.admin_option)
      ) as roles,
      exists (
        select from pg_shdepend as d
        where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype in ('o', 'a')
          -- The right to connect is granted by the database.
          and not (d.deptype = 'a' and d.classid = 'pg_database'::regclass)
      ) as rights
    from unnest($1::text[], $2::text[]) as l (login, role) left join pg_roles as r on r.rolname = l.login`,
    [logins.map(({ user }) => user), logins.map(({ role }) => role)],
  );
  const faults = rows.flatMap(faultsOf);
  if (faults.length > 0) throw new LoginTooPowerful(faults);
}

/** The logins in `DATABASE_URL` could bypass row-level security, or don't exist. */
export class LoginTooPowerful extends Error {
  constructor(faults: readonly string[]) {
    super(
      `account isolation isn't enforced in the database: ${faults.join('; ')}. Set MIGRATION_DATABASE_URL to the ` +
        'address of the user that owns the database, set DATABASE_URL to the same address with a user and password ' +
        'that are not in use yet (postgres://landfall_login:<new password>@…), and run node infra/scripts/migrate.ts: ' +
        'it creates the logins without rights of their own. See "Database logins" in docs/operate/self-hosting.md',
    );
    this.name = 'LoginTooPowerful';
  }
}

function faultsOf(login: FoundLogin): string[] {
  const { user } = login;
  if (login.superuser) return [`the login ${user} is a superuser`];
  const faults: string[] = [];
  if (login.missing) faults.push(`the login ${user} does not exist`);
  if (login.bypass) faults.push(`the login ${user} may bypass row-level security`);
  if (login.creates) faults.push(`the login ${user} may create roles or databases, or replicate`);
  if (login.roles.length > 0)
    faults.push(`the login ${user} is a member of ${login.roles.join(', ')}, or inherits its role's rights`);
  if (login.rights) faults.push(`the login ${user} owns something or was granted rights of its own`);
  return faults;
}
