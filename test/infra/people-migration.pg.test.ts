import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { migrate, migrationNames } from '#infra/migrate.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { openQueueBackend, prepareQueue, queuePrefix } from '#shared/queue/connection.ts';
import { openProducer } from '#shared/queue/producer.ts';
import { emptyDatabase, type TestDatabase } from '#test/support/stores/postgres.ts';

// A database of the build before, with keys that users and keys made, and the queue that its workers created as owners.
let database: TestDatabase;
let client: pg.Client;
const [stays, left] = [randomUUID(), randomUUID()];
const keys = { byUser: randomUUID(), byKey: randomUUID(), rotated: randomUUID(), byOperator: randomUUID() };

beforeAll(async () => {
  database = await emptyDatabase();
  const before = (await migrationNames()).findIndex((name) => name.endsWith('_people'));
  await migrate(database.databaseUrl, { count: before });
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `insert into landfall.accounts (name) values ('first') returning id`,
  );
  const account = rows[0]?.id;
  await client.query(`insert into auth.organizations (id, name, slug) values ($1, 'first', 'first')`, [account]);
  for (const [index, user] of [stays, left].entries())
    await client.query('insert into auth.users (id, name, email) values ($1, $2, $2)', [
      user,
      `user-${index}@example.test`,
    ]);
  await client.query(`insert into auth.members (organization_id, user_id, role) values ($1, $2, 'owner')`, [
    account,
    stays,
  ]);
  for (const [index, user] of [stays, left].entries())
    await client.query(
      `insert into auth.invitations (organization_id, email, role, token_hash, expires_at, inviter_id)
      values ($1, $2, 'owner', sha256($4), now() + interval '1 day', $3)`,
      [account, `invited-${index}@example.test`, user, Buffer.from(user)],
    );
  await client.query(
    `insert into auth.sessions (user_id, token, expires_at) values ($1, 'plain', now() + interval '1 day')`,
    [stays],
  );
  await client.query(`insert into auth.signing_secret (secret) values ('plain')`);
  for (const id of Object.values(keys))
    await client.query(
      `insert into landfall.api_keys (account_id, id, name, prefix, last_four, key_hash, scopes, test)
      values ($1, $2, 'key', 'svc', 'last', sha256($3), '{}', false)`,
      [account, id, Buffer.from(id)],
    );
  const audit = (actor: string, action: string, subject: string, detail = {}) =>
    client.query(
      `insert into landfall.audit (account_id, actor, action, subject_type, subject_id, detail) values ($1, $2, $3, 'api_key', $4, $5)`,
      [account, actor, action, subject, detail],
    );
  await audit(encodeTypeId('user', left), 'api_key.created', keys.byUser);
  await audit(encodeTypeId('key', keys.byUser), 'api_key.created', keys.byKey);
  await audit(encodeTypeId('user', stays), 'api_key.rotated', keys.byKey, {
    rotatedTo: encodeTypeId('key', keys.rotated),
  });
  await audit('system', 'api_key.created', keys.byOperator);
  await prepareQueueAs(database.databaseUrl);
  await migrate(database.databaseUrl);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** As the build before did: the queue's schema belongs to the owner of the database. */
async function prepareQueueAs(ownerUrl: string): Promise<void> {
  const { Queue, createPostgresBackend } = await import('bullmq');
  const connection = { connectionString: ownerUrl, schema: queuePrefix, max: 1, migrate: true };
  const queue = new Queue('migration', { connection, skipMetasUpdate: true }, createPostgresBackend);
  await queue.waitUntilReady();
  await queue.close();
}

it('records who made the existing keys, from the audit log', async () => {
  const { rows } = await client.query('select id, created_by, made_with from landfall.api_keys order by id');
  const sorted = [
    { id: keys.byUser, created_by: left, made_with: null },
    { id: keys.byKey, created_by: null, made_with: keys.byUser },
    { id: keys.rotated, created_by: stays, made_with: null },
    { id: keys.byOperator, created_by: null, made_with: null },
  ].toSorted((one, other) => one.id.localeCompare(other.id));
  expect(rows).toEqual(sorted);
});

it('ends the invitations of former owners and every session that a copy of the database could forge', async () => {
  const { rows } = await client.query('select email, status from auth.invitations order by email');
  expect(rows).toEqual([
    { email: 'invited-0@example.test', status: 'pending' },
    { email: 'invited-1@example.test', status: 'canceled' },
  ]);
  expect((await client.query('select from auth.sessions union all select from auth.signing_secret')).rows).toEqual([]);
});

it('hands the existing queue to its own login, which goes on with it', async () => {
  const settings = {
    redisUrl: null,
    databaseUrl: serviceUrlOf(database.databaseUrl),
    prefix: queuePrefix,
    telemetry: false,
    onError: () => undefined,
  };
  await prepareQueue(settings);
  const backend = openQueueBackend({ ...settings, poolSize: 2 });
  const producer = openProducer(backend);
  const item = { accountId: randomUUID(), shipmentId: randomUUID(), epoch: 1 };
  await producer.enqueue('maersk', [item], { linkOnly: true });
  expect((await producer.queueCounts('maersk')).waiting).toBe(1);
  await producer.close();
  await backend.close();
  const { rows } = await client.query(
    `select distinct relowner::regrole::text as owner from pg_class where relnamespace = 'landfall_queue'::regnamespace`,
  );
  expect(rows).toEqual([{ owner: 'landfall_queue' }]);
});
