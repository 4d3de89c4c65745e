import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findWaitingEndpoints } from '#shared/store/webhooks/waiting-endpoints.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { explainSystemQueries } from '#test/support/stores/explain-queries.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  const owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
  await owner.query(`
    set session_replication_role = replica;
    insert into landfall.account_feeds (account_id, given) select md5(n::text)::uuid, 1000 from generate_series(1, 10000) as n;
    insert into landfall.webhook_endpoints (account_id, test, url, key_version, secret_sealed)
      select account_id, false, 'https://receiver.example', 'v1', '\\x00' from landfall.account_feeds cross join generate_series(1, 5);
    insert into landfall.webhook_cursors (account_id, endpoint_id, sequence) select account_id, id, 1000 from landfall.webhook_endpoints;
    analyze landfall.account_feeds, landfall.webhook_endpoints, landfall.webhook_cursors`);
  await owner.end();
});
afterAll(() => core?.close());

it('finds with one pass over their cursors that no endpoint of any account has work', async () => {
  const queries = await explainSystemQueries(core.store, (tx) => findWaitingEndpoints(tx, null, { limit: 1000 }));
  for (const { blocks, plan } of queries) expect(blocks, plan).toBeLessThan(5000);
});
