import pg from 'pg';
import { databaseLogins, databaseRoles } from '#shared/domain/installation/database-logins.ts';

type FoundRole = { name: string; exists: boolean; granted: boolean };

/**
 * The statements that an administrator runs for an owner that may not create roles: those that create and grant what is
 * still missing of Landfall's roles and of the logins of `user`. Empty: nothing is missing.
 */
export async function missingRoleStatements(client: pg.Client, user: string): Promise<string[]> {
  const session = await client.query<{ owner: string }>('select current_user::text as owner');
  const owner = session.rows[0]?.owner ?? '';
  const roles = Object.values(databaseRoles);
  const logins = databaseLogins(user);
  const found = async (pairs: { role: string; member: string }[], column: 'role' | 'member'): Promise<FoundRole[]> => {
    const { rows } = await client.query<FoundRole>(
      `select p.${column} as name, to_regrole(quote_ident(p.${column})) is not null as exists,
        exists (
          select from pg_auth_members as m
          where m.roleid = to_regrole(p.role) and m.member = to_regrole(quote_ident(p.member)) and m.set_option
        ) as granted
      from unnest($1::text[], $2::text[]) with ordinality as p (role, member, place) order by p.place`,
      [pairs.map(({ role }) => role), pairs.map(({ member }) => member)],
    );
    return rows;
  };
  const ofOwner = await found(
    roles.map((role) => ({ role, member: owner })),
    'role',
  );
  const ofLogins = await found(
    logins.map(({ role, user: member }) => ({ role, member })),
    'member',
  );
  const grantTo = (role: string, member: string) =>
    `grant ${role} to ${pg.escapeIdentifier(member)} with inherit false, set true;`;
  return [
    ...ofOwner.flatMap(({ name, exists }) => (exists ? [] : [`create role ${name} nologin noinherit;`])),
    ...ofOwner.flatMap(({ name, granted }) => (granted ? [] : [grantTo(name, owner)])),
    ...ofLogins.flatMap(({ name, exists }) =>
      exists
        ? []
        : [`create role ${pg.escapeIdentifier(name)} login noinherit password '<the password in DATABASE_URL>';`],
    ),
    ...ofLogins.flatMap(({ name, granted }, index) => (granted ? [] : [grantTo(logins[index]?.role ?? '', name)])),
  ];
}

/** The owner may not create the roles that Landfall needs. */
export class MayNotCreateRoles extends Error {
  constructor(statements: readonly string[], cause: unknown) {
    super(
      'The user in MIGRATION_DATABASE_URL may not create roles. Let an administrator of the database run these ' +
        `statements, then try again:\n${statements.map((statement) => `  ${statement}`).join('\n')}`,
      { cause },
    );
    this.name = 'MayNotCreateRoles';
  }
}
