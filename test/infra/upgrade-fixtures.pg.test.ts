import { createReadStream, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Restored, restoreBackup } from '#infra/backup/restore-backup.ts';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { readMap } from '#shared/core/lists/read-map.ts';
import { recomposeJourneys } from '#shared/core/tracking/recompose-journeys.ts';
import { scopes } from '#shared/domain/caller.ts';
import { punctualities } from '#shared/domain/record/shipment.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { openBrowser } from '#test/support/browser/dashboard.ts';
import { scaled } from '#test/support/run-scale.ts';
import { type BoundDatabase, emptyDatabaseOfBoundOwner } from '#test/support/stores/bound-owner.ts';

/** Answers of the former build right before it wrote the backup. */
type Facts = {
  key: string;
  testKey: string;
  owner: { email: string; password: string };
  testShipments: number;
  shipments: (Record<string, unknown> & { shipment_id: string; tracking_state: string; containers: string[] })[];
  /** Ids in the order of the feed, from its beginning. */
  changes: string[];
  /** Saved views of the owner, with alerts. */
  views: { id: string; name: string; shared: boolean }[];
  /** Shipments on the way between two places, and the times of their leg. */
  ways: { shipment_id: string; from: string; to: string; mode: string; departed_at: string; arrives_at: string }[];
  /** A key with every scope, and what it was answered, by path. */
  keyOfAnswers: string;
  answers: Record<string, object>;
  /** Alert messages of the owner. */
  messages: object[];
};

/** The oldest, which every migration since has changed, and the newest; in the drills all of them. */
function chosen(files: string[]): string[] {
  return scaled({ short: files.filter((_, index) => index === 0 || index === files.length - 1), full: files });
}

const folder = fileURLToPath(new URL('../fixtures/upgrade/', import.meta.url));
/** Tables whose rows are used up, or appear only for a moment. */
const mayBeEmpty = [
  'landfall.alert_entries',
  'landfall.alert_failing',
  'landfall.alert_notices',
  'landfall.credential_wakes',
  'landfall.import_chunks',
  'landfall.operations_samples',
  'landfall.shipment_count_deltas',
  'landfall.stale_cells',
];
// Each file was written by the build before a migration, through its own API and its own backup command. The owner of
// the database is bound by row-level security, as on most hosted servers.
describe.each(chosen(globSync('*.backup', { cwd: folder }).toSorted()))('%s, restored and migrated', (file) => {
  const facts: Facts = JSON.parse(readFileSync(`${folder}${basename(file, '.backup')}.json`, 'utf8'));
  let database: BoundDatabase;
  let restored: Restored;
  let sql: pg.Client;
  let api: TestApi;

  beforeAll(async () => {
    database = await emptyDatabaseOfBoundOwner();
    restored = await restoreBackup(createReadStream(folder + file), database.ownerUrl);
    sql = new pg.Client({ connectionString: database.databaseUrl });
    await sql.connect();
    api = await startTestApi({ DATABASE_URL: database.serviceUrl });
  });

  afterAll(async () => {
    await api?.close();
    await sql?.end();
    await database?.drop();
  });

  const get = async (path: string, key = facts.key) =>
    jsonOf(await fetch(api.url + path, { headers: { authorization: `Bearer ${key}` } }));

  const openDashboard = async () => {
    const signedIn = async (headers: Record<string, string>) => {
      const browser = openBrowser(api, headers);
      expect((await browser.ask('/dashboard/api/auth/sign-in/email', { body: facts.owner })).status).toBe(200);
      return browser;
    };
    const { body: session } = await (await signedIn({})).ask('/dashboard/api/session');
    return signedIn({ 'landfall-account': session.accounts[0].id });
  };

  it('has rows of every kind', async () => {
    const names = restored.header.tables.map(({ schema = 'landfall', name }) => `${schema}.${name}`);
    // Later migrations have dropped some tables.
    const { rows: present } = await sql.query<{ name: string }>(
      'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
      [names],
    );
    const counts = await Promise.all(
      present
        .map(({ name }) => name)
        .map(async (name) => ({ name, rows: (await sql.query(`select from ${name} limit 1`)).rowCount })),
    );
    expect(names.length).toBeGreaterThan(25);
    expect(
      counts
        .filter(({ rows }) => rows === 0)
        .map(({ name }) => name)
        .filter((name) => !mayBeEmpty.includes(name)),
    ).toEqual([]);
  });

  it('leaves every table under row-level security, also for its owner', async () => {
    const { rows } = await sql.query(
      `select relname from pg_class
      where relnamespace = 'landfall'::regnamespace and relkind in ('r', 'p') and relrowsecurity and not relforcerowsecurity`,
    );
    expect(rows).toEqual([]);
    const { rows: owners } = await sql.query(
      `select distinct r.rolsuper, r.rolbypassrls from pg_class as c join pg_roles as r on r.oid = c.relowner
      where c.oid = 'landfall.shipments'::regclass`,
    );
    expect(owners).toEqual([{ rolsuper: false, rolbypassrls: false }]);
  });

  it('returns every shipment as the former build did', async () => {
    for (const fact of facts.shipments) {
      const record = await get(`/v1/shipments/${fact.shipment_id}`);
      const { containers, tracking, ...fields } = record;
      expect({
        ...fields,
        tracking_state: tracking.state,
        containers: containers.map(({ number }: { number: string }) => number),
      }).toMatchObject(fact);
      const events = await get(`/v1/shipments/${fact.shipment_id}/events?limit=100`);
      expect(events.data).toHaveLength(Math.min(100, record.events_count));
    }
    expect((await get('/v1/shipments?limit=100&archived=any')).data).toHaveLength(facts.shipments.length);
    expect((await get('/v1/shipments?limit=100', facts.testKey)).data).toHaveLength(facts.testShipments);
    expect((await get('/v1/shipments/counts')).total).toBe(
      facts.shipments.filter(({ archived_at }) => archived_at === null).length,
    );
  });

  it.each(['key', 'testKey'] as const)(
    'shows full records of the data that the former build wrote to its %s',
    async (key) => {
      // Each answer must match the OpenAPI document.
      const read = async (path: string) => {
        const answer = await api.request(path, { headers: { authorization: `Bearer ${facts[key]}` } });
        expect(answer.status, path).toBe(200);
        return answer;
      };
      const onTime = { on_time: expect.toBeOneOf([...punctualities]) };
      const list = await jsonOf(await read('/v1/shipments?limit=100&archived=any'));
      for (const { shipment_id: id, delivery } of list.data) {
        expect(delivery, id).toMatchObject(onTime);
        const record = await jsonOf(await read(`/v1/shipments/${id}`));
        expect(record.delivery, id).toEqual(delivery);
        // Composed anew, without the values that depend on time alone.
        const now = await jsonOf(await read(`/v1/shipments/${id}?as_of=${new Date().toISOString()}`));
        if (!record.late) expect(now.delivery.on_time, id).toBe(delivery.on_time);
        await read(`/v1/shipments/${id}/refreshes`);
        const bundle = await (await read(`/v1/shipments/${id}/bundle`)).text();
        const parts = bundle
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect(parts[0]).toMatchObject({ part: 'record', data: { shipment_id: id, delivery } });
        expect(parts.filter(({ part }) => part === 'event')).toHaveLength(record.events_count);
        expect(parts.at(-1)).toEqual({ part: 'end', data: { lines: parts.length - 1 } });
      }
      const feed = await jsonOf(await read('/v1/events?after=0&limit=500'));
      const shown = feed.data.flatMap(({ data }: { data: Json }) => data.shipment?.delivery ?? []);
      expect(shown.length).toBeGreaterThan(0);
      for (const delivery of shown) expect(delivery).toMatchObject(onTime);
    },
  );

  it('continues the feed where it was', async () => {
    const changes: string[] = [];
    for (let after = 0; changes.length < facts.changes.length; ) {
      const { data, page } = await get(`/v1/events?after=${after}&limit=500`);
      expect(page.gap).toBe(false);
      expect(data.length).toBeGreaterThan(0);
      changes.push(...data.map(({ id }: { id: string }) => id));
      after = page.next_after;
    }
    expect(changes.slice(0, facts.changes.length)).toEqual(facts.changes);
  });

  it('answers an Idempotency-Key of the former build as it did', async () => {
    const kept = `select response from landfall.idempotency where response ? 'shipment' order by created_at`;
    const { rows } = await sql.query<{ response: { shipment: { identifiers: object } } }>(kept);
    expect(rows.length).toBeGreaterThan(0);
    for (const [place, { response }] of rows.entries()) {
      const register = () =>
        api.request('/v1/shipments', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${facts.key}`,
            'content-type': 'application/json',
            'idempotency-key': `upgrade-${place}`,
          },
          body: JSON.stringify({
            transport_mode: 'ocean',
            carrier: 'MAEU',
            identifiers: { mbl: `MAEU7${String(place).padStart(8, '0')}` },
          }),
        });
      expect((await register()).status).toBe(201);
      // Keys are kept for a day only. This one is given the answer that the former build kept.
      const renew = `update landfall.idempotency set response = $1 where key = $2`;
      expect((await sql.query(renew, [JSON.stringify(response), `upgrade-${place}`])).rowCount).toBe(1);
      const again = await register();
      expect(again.status).toBeOneOf([200, 201]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect((await jsonOf(again)).identifiers).toMatchObject(response.shipment.identifiers);
    }
  });

  it('keeps saved views with their alerts, and shared pages', async () => {
    const owner = await openDashboard();
    const views: { id: string }[] = (await owner.ask('/dashboard/api/saved-views')).body.data;
    expect(views).toEqual(expect.arrayContaining(facts.views.map((view) => expect.objectContaining(view))));
    const alerts: { subject: { view_id?: string } }[] = (await owner.ask('/dashboard/api/alerts')).body.data;
    const followed = new Set(alerts.map(({ subject }) => subject.view_id));
    expect(views.map(({ id }) => id).filter((id) => !followed.has(id))).toEqual([]);
    const { rows } = await sql.query('select from landfall.shares where revoked_at is null');
    expect(rows.length).toBeGreaterThan(0);
  });

  it('lets keys that may do everything publish shipments, and no others', async () => {
    const { rows } = await sql.query<{ name: string; scopes: string[] }>('select name, scopes from landfall.api_keys');
    const publishing = rows.filter(({ scopes: granted }) => granted.includes('shares:write'));
    expect(publishing.map(({ scopes: granted }) => granted.toSorted())).toContainEqual([...scopes].toSorted());
    for (const { scopes: granted } of publishing) expect(granted).toHaveLength(scopes.length);
    expect(publishing.length).toBeLessThan(rows.length);
  });

  it('keeps people and their passwords', async () => {
    const signIn = await fetch(`${api.url}/dashboard/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: api.url, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(facts.owner),
    });
    expect(signIn.status).toBe(200);
  });

  it('answers about members, notes, bulk actions, analytics and deliveries as the former build did', async () => {
    for (const [path, answer] of Object.entries(facts.answers))
      expect(await get(path, facts.keyOfAnswers), path).toMatchObject(answer);
    const messages = (await (await openDashboard()).ask('/dashboard/api/alert-messages')).body.data;
    for (const message of facts.messages) expect(messages).toContainEqual(expect.objectContaining(message));
  });

  it('shows on the map when shipments left and when they arrive', async () => {
    // Composed again, as after a migration that marks them.
    await sql.query('update landfall.shipments set recompose = true');
    const records = () => Promise.all(facts.ways.map(({ shipment_id: id }) => get(`/v1/shipments/${id}`)));
    const before = await records();
    while ((await recomposeJourneys(api.ctx.core)) > 0);
    const { account } = await get('/v1/me');
    const accountId = decodeTypeId('acc', account.account_id) ?? '';
    const { places } = await readMap(api.ctx.core, operatorOf(accountId), 'place');
    const shown = places.map(({ from, to, mode, departedAt, arrivesAt, count }) => ({
      from: from.key,
      to: to?.key,
      mode,
      departed_at: departedAt,
      arrives_at: arrivesAt,
      count,
    }));
    for (const { shipment_id: _, ...way } of facts.ways) expect(shown).toContainEqual({ ...way, count: 1 });
    // Time alone may change others, such as exceptions.
    for (const [place, { status, legs, departure, arrival, eta }] of (await records()).entries())
      expect(before[place]).toMatchObject({ status, legs, departure, arrival, eta });
  });
});
