import pg from 'pg';
import { emptyDatabase, type TestDatabase } from './postgres.ts';

/** `databaseUrl` is of the superuser, `ownerUrl` of the owner. */
export type BoundDatabase = TestDatabase & { ownerUrl: string };

/** A database without a schema whose owner is neither a superuser nor exempt from row-level security. */
export async function emptyDatabaseOfBoundOwner(): Promise<BoundDatabase> {
  const database = await emptyDatabase();
  const url = new URL(database.databaseUrl);
  const name = url.pathname.slice(1);
  const owner = `bound_${name.slice(-16)}`;
  await asSuperuser(database.databaseUrl, [
    `create role ${owner} login password 'another' nosuperuser nobypassrls`,
    `grant landfall_app, landfall_system, landfall_auth, landfall_queue to ${owner} with inherit false, set true`,
    `alter database ${name} owner to ${owner}`,
  ]);
  url.username = owner;
  url.password = 'another';
  return {
    ...database,
    ownerUrl: url.href,
    drop: async () => {
      await asSuperuser(database.databaseUrl, [
        `alter database ${name} owner to current_user`,
        `reassign owned by ${owner} to current_user`,
        `drop owned by ${owner}`,
        `drop role ${owner}`,
      ]);
      await database.drop();
    },
  };
}

async function asSuperuser(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
