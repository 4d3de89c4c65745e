import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { prepareDatabase } from '#infra/prepare-database.ts';
import { databaseLogins } from '#shared/domain/installation/database-logins.ts';
import { openStore } from '#shared/store/open-store.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';

it('migrates as an owner that may not create roles, once an administrator ran the statements of the error', async () => {
  const database = await emptyDatabase();
  const admin = new pg.Client({ connectionString: database.databaseUrl });
  await admin.connect();
  const owner = `owner_${process.pid}`;
  const user = `login_${process.pid}_by_hand`;
  const password = "p@ss'word";
  await admin.query(`create role ${owner} login password 'x'`);
  try {
    const name = new URL(database.databaseUrl).pathname.slice(1);
    await admin.query(`alter database ${name} owner to ${owner}`);
    const ownerUrl = Object.assign(new URL(database.databaseUrl), { username: owner, password: 'x' }).href;
    const databaseUrl = Object.assign(new URL(database.databaseUrl), { username: user, password }).href;
    const prepared = () => prepareDatabase({ ownerUrl, databaseUrl });
    const refusal = await prepared().then(
      () => '',
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/MIGRATION_DATABASE_URL may not create roles. Let an administrator/);
    const statements = refusal.split('\n').slice(1);
    expect(statements).toHaveLength(4 + 2 * databaseLogins(user).length);
    for (const statement of statements)
      await admin.query(statement.replace(`'<the password in DATABASE_URL>'`, pg.escapeLiteral(password)));
    expect((await prepared()).applied).toBeGreaterThan(0);
    expect((await prepared()).applied).toBe(0);
    const settings = { apiPoolSize: 1, systemPoolSize: 1, applicationName: 'landfall-test', onPoolError: () => {} };
    await (await openStore({ ...settings, databaseUrl })).close();
  } finally {
    await admin.end();
    await database.drop();
    const server = new pg.Client({ connectionString: inject('templateUrl') });
    await server.connect();
    for (const { user: role } of [{ user: owner }, ...databaseLogins(user)])
      await server.query(`drop role if exists ${role}`);
    await server.end();
  }
});
