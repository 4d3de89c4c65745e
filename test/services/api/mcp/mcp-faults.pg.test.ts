import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type FaultProxy, openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { callOverHttp, detailsTool, listTool, successOf } from '#test/support/api/mcp-calls.ts';
import { carrierDown, found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { ownDatabase, type TestDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';

const secret = 'SECRET-MARKER-7f3a';
/** Words that appear only in internals. */
const inside =
  /SECRET-MARKER|postgres|database|landfall\.|relation|permission denied|statement|ECONN|terminat|\bat .*\.ts|node_modules|select |stack/i;

let api: TestApi;
let database: TestDatabase;
let proxy: FaultProxy;
let admin: pg.Client;
let shipmentId: string;

beforeAll(async () => {
  database = await ownDatabase();
  proxy = await openFaultProxy(database.serviceUrl);
  api = await startTestApi({ DATABASE_URL: proxy.url });
  admin = new pg.Client({ connectionString: database.databaseUrl });
  await admin.connect();
  const made = await api.post('/v1/shipments', {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: '700000001' },
    tags: ['acme'],
  });
  shipmentId = (await jsonOf(made)).shipment_id;
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await admin.end();
  await api.close();
  await proxy.close();
  await database.drop();
});

const calls: [string, Json][] = [
  [listTool, { tag: 'acme' }],
  [detailsTool, { identifier: '700000001' }],
];

const fixedText = /^Server error; the arguments are fine\. Try again\. If it persists, report request id (req_\w+)\.$/;

/** The call fails without details, and the log has more under the same request ID. */
async function expectTrouble(name: string, args: Json): Promise<void> {
  api.logLines.length = 0;
  const { isError, content, structuredContent } = await callOverHttp(api, name, args);
  const text = content.map((part) => part.text).join();
  expect(isError, text).toBe(true);
  expect(structuredContent).toBeUndefined();
  const requestId = fixedText.exec(text)?.[1];
  expect(requestId, text).toBeDefined();
  expect(text).not.toMatch(inside);
  expect(api.logLines.some((line) => line.includes(requestId ?? '-') && line.includes('tool call failed'))).toBe(true);
}

const works = async () => {
  for (const [name, args] of calls) expect(await successOf(callOverHttp(api, name, args))).toBeDefined();
};

/** Replaces the text search function, and restores it. */
async function withBrokenFunction(body: string, check: () => Promise<void>): Promise<void> {
  const { rows } = await admin.query<{ kept: string }>(
    `select pg_get_functiondef('landfall.find_by_words'::regproc) as kept`,
  );
  const owner = `alter function landfall.find_by_words(boolean, text[], text[], text[], integer) owner to`;
  const { rows: roles } = await admin.query<{ me: string }>('select current_user as me');
  await admin.query(
    `create or replace function landfall.find_by_words(of_test boolean, any_terms text[], all_patterns text[], any_patterns text[], max_rows integer)
     returns table (shipment_id uuid, created_at timestamptz)
     language plpgsql security definer as $$ begin ${body} end $$`,
  );
  await admin.query(`${owner} ${roles[0]?.me}`);
  try {
    await check();
  } finally {
    await admin.query(rows[0]?.kept ?? '');
    await admin.query('grant create on schema landfall to landfall_system');
    await admin.query(`${owner} landfall_system`);
    await admin.query('revoke create on schema landfall from landfall_system');
  }
  await works();
}

describe('internals never reach a client', () => {
  const circular: Record<string, unknown> = { secret };
  circular.self = circular;
  const cause = new Error(`${secret} in a cause`);
  it.each<[string, unknown]>([
    ['an error', new Error(`${secret}: password=hunter2 at postgres://u:p@db`)],
    ['an error with a cause', new Error(secret, { cause })],
    [
      'an error with fields of SQL',
      Object.assign(new Error(secret), { code: '42P01', detail: secret, hint: secret, where: secret, query: secret }),
    ],
    ['an error in the form of JSON-RPC', Object.assign(new Error(secret), { code: -32_000, data: { secret } })],
    ['an internal error', new LandfallError('internal_error', secret)],
    ['an unavailable error', new LandfallError('unavailable', secret, { cause })],
    ['a type error', new TypeError(`Cannot read properties of undefined (reading '${secret}')`)],
    ['a string', secret],
    ['an object that is not an error', circular],
    ['undefined', undefined],
  ])('hides them when the store throws %s', async (_what, thrown) => {
    for (const [name, args] of calls) {
      await works();
      const { app, reads } = api.ctx.core.store;
      const fails = [app, reads].map((pool) =>
        vi.spyOn(pool, 'connect').mockImplementation(() => Promise.reject(thrown)),
      );
      await expectTrouble(name, args);
      expect(fails.flatMap(({ mock }) => mock.calls).length).toBeGreaterThan(0);
      for (const one of fails) one.mockRestore();
    }
    await works();
  });

  it.each([
    ['raises an error', `raise exception '${secret}' using detail = '${secret}', hint = '${secret}';`],
    ['raises a timeout', `raise exception '${secret}' using errcode = '57014';`],
    ['lacks a permission', `raise exception 'permission denied for ${secret}' using errcode = '42501';`],
    ['ends its own connection', 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1);'],
  ])('hides them when a Postgres function %s', async (_what, body) => {
    await withBrokenFunction(body, () => expectTrouble(listTool, { tag: 'acme' }));
  });

  it('hides them when a list exceeds the statement timeout, and names the fast lists', async () => {
    await withBrokenFunction('perform pg_sleep(30);', async () => {
      const { isError, content } = await callOverHttp(api, listTool, { tag: 'acme' });
      expect(isError).toBe(true);
      expect(content[0]?.text).toContain('status=arrived&sort=-created_at');
      expect(content[0]?.text).not.toMatch(inside);
    });
  });

  it('hides them when the role lacks read permission', async () => {
    for (const table of ['shipments', 'shipment_identifiers', 'polling']) {
      await admin.query(`revoke select on landfall.${table} from landfall_app`);
      try {
        await expectTrouble(detailsTool, { identifier: '700000001' });
        if (table !== 'shipment_identifiers') await expectTrouble(listTool, {});
      } finally {
        await admin.query(`grant select on landfall.${table} to landfall_app`);
      }
    }
    await works();
  });

  it('hides them when connections are killed between two calls and during one', async () => {
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'landfall-api'`;
    await admin.query(kill);
    await expect.poll(async () => (await callOverHttp(api, listTool, {})).isError ?? false).toBe(false);
    await admin.query('begin');
    await admin.query('lock table landfall.shipments in access exclusive mode');
    const answer = callOverHttp(api, listTool, { tag: 'acme' });
    const isWaiting = async () => {
      await admin.query('select pg_stat_clear_snapshot()');
      const { rows } = await admin.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and application_name = 'landfall-api' and wait_event_type = 'Lock'`,
      );
      return rows[0]?.waiting;
    };
    await expect.poll(isWaiting).toBeGreaterThan(0);
    await admin.query(kill);
    const { isError, content } = await answer;
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(fixedText);
    await admin.query('rollback');
    // A pool may not have noticed yet that its other connections are gone.
    await vi.waitFor(works, { timeout: patienceMs });
  });

  it('hides them while Postgres is unavailable, and calls succeed again afterwards', async () => {
    await proxy.cut();
    for (let n = 0; n < 4; n++) {
      const [name, args] = calls[n % 2] ?? [listTool, {}];
      const answer = await api.post('/v1/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      });
      const text = await answer.text();
      // A key that wasn't read within the last second can't be verified; HTTP reports that.
      expect([200, 503]).toContain(answer.status);
      const said = answer.status === 200 ? JSON.parse(text).result.content[0].text : JSON.parse(text).detail;
      if (answer.status === 200) expect(said).toMatch(fixedText);
      expect(text).not.toMatch(/SECRET|ECONN|127\.0\.0\.1|postgres:|at .*\.ts/);
    }
    await proxy.restore();
    await expect
      .poll(
        async () =>
          (
            await api.post('/v1/mcp', {
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name: listTool, arguments: {} },
            })
          ).status,
      )
      .toBe(200);
    await expect.poll(async () => (await callOverHttp(api, listTool, {})).isError ?? false).toBe(false);
    await works();
  });
});

describe('error texts of carriers stay internal', () => {
  it('hides them in detailed answers, in lists and while data is stale', async () => {
    if (carrierDown.outcome !== 'error') throw new Error('the carrier answers');
    const down = carrierDown;
    const subject = { accountId: api.accountId, shipmentId: readShipmentId(shipmentId) ?? '' };
    await refresh(
      api.ctx.core,
      subject,
      found({
        code: 'departed',
        local: '2026-03-01T10:00',
        raw: { token: secret },
        carrierCode: secret,
        sourceEventId: secret,
        document: secret,
      }),
    );
    for (let n = 0; n < 3; n++) {
      const detail = `401 for https://api.carrier.example/?api_key=${secret} Authorization: Bearer ${secret} <html>${secret}</html>`;
      const refused: FetchResult = { ...down, detail, reason: 'carrier_auth_failed', httpStatus: 401 };
      await refresh(api.ctx.core, subject, refused);
    }
    await admin.query(`update landfall.polling set stale_at = now() - interval '1 hour'`);
    for (const [name, args] of [...calls, [detailsTool, { identifier: '700000001', response_format: 'detailed' }]] as [
      string,
      Json,
    ][]) {
      const { isError, content, structuredContent } = await callOverHttp(api, name, args);
      expect(isError ?? false).toBe(false);
      expect(content[0]?.text).toContain('stale');
      expect(content[0]?.text).not.toContain(secret);
      expect(JSON.stringify(structuredContent)).not.toContain(secret);
    }
    const record = await successOf(callOverHttp(api, detailsTool, { identifier: '700000001' }));
    expect(record.tracking).toMatchObject({ state: 'degraded', reason: 'carrier_auth_failed' });
  });
});
