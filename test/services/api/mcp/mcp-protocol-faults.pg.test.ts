import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { jsonOf, startTestApi, type TestApi, type TestApiOptions } from '#test/support/api/api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

const opened: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_shipments_summary', arguments: {} } };
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
const modernVersion = '2026-07-28';
const modernCall = {
  ...call,
  params: {
    ...call.params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': modernVersion,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};
const modernHeaders = {
  'mcp-protocol-version': modernVersion,
  'mcp-method': 'tools/call',
  'mcp-name': 'list_shipments_summary',
};

async function open(
  options: TestApiOptions,
  environment: Record<string, string> = {},
): Promise<{ api: TestApi; database: pg.Client }> {
  const api = await startTestApi(environment, { openDatabase: ownDatabase, ...options });
  opened.push(api);
  const database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  opened.push({ close: () => database.end() });
  return { api, database };
}

/** Blocks every read of shipments until `rollback`. */
async function blockShipments(database: pg.Client): Promise<void> {
  await database.query('begin');
  await database.query('lock table landfall.shipments in access exclusive mode');
}

/** On a busy machine, even an unblocked call would miss a short deadline. */
function liftDeadline(api: TestApi): void {
  api.ctx.settings.toolDeadlineMs = 600_000;
}

async function waitingCalls(database: pg.Client): Promise<number> {
  // Within a transaction, the list of sessions stays as it was at the first query.
  await database.query('select pg_stat_clear_snapshot()');
  const { rows } = await database.query(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and application_name = 'landfall-api' and wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}

async function post(api: TestApi, body: unknown, headers: Record<string, string> = {}): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  opened.push({ close: () => socket.destroy() });
  const text = JSON.stringify(body);
  const all = {
    host: 'localhost',
    authorization: `Bearer ${api.key}`,
    'content-type': 'application/json',
    'content-length': String(text.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST /v1/mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
  return socket;
}

const logged = (api: TestApi) => api.logLines.map((line) => JSON.parse(line));
const failures = (api: TestApi, message = 'tool call failed') =>
  logged(api).flatMap(({ msg, err }) => (msg === message ? [err.message] : []));

it.each([
  ['a revision with initialize', call, {}],
  ['the stateless revision', modernCall, modernHeaders],
])(
  'answers a call in %s that takes too long with "try again" and cancels it in the database',
  async (_era, body, headers) => {
    const { api, database } = await open({ toolDeadlineMs: 200 });
    await blockShipments(database);
    const answer = await api.post('/v1/mcp', body, headers);
    expect(answer.status).toBe(200);
    const { result } = await jsonOf(answer);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain('Try again');
    expect(result.content[0].text).toContain(answer.headers.get('x-request-id'));
    expect(result.content[0].text).not.toMatch(/database|cancel|timeout|lock/i);
    expect(failures(api)).toEqual(['The tool call timed out.']);
    await expect.poll(() => waitingCalls(database)).toBe(0);
    await database.query('rollback');
    liftDeadline(api);
    expect((await jsonOf(await api.post('/v1/mcp', call))).result.structuredContent.total).toBe(0);
  },
);

it.each([
  ['a revision with initialize', call, {}],
  ['the stateless revision', modernCall, modernHeaders],
  ['a batch', [call, ping, { ...call, id: 3 }], {}],
])('cancels the work of a client that disconnects, and frees its connections: %s', async (_what, body, headers) => {
  const calls = Array.isArray(body) ? 2 : 1;
  // Enough connections for lists that one account may hold two.
  const { api, database } = await open({ toolDeadlineMs: 600_000 }, { DB_POOL_SIZE: '20' });
  await blockShipments(database);
  const cancelled = () => failures(api, 'tool call cancelled');
  /** Returns the errors logged after the client leaves: the statement timeout reports one. */
  const leave = async (): Promise<unknown[]> => {
    const errors = () => logged(api).filter(({ level }) => level === 'error' || level >= 50);
    api.logLines.length = 0;
    const socket = await post(api, body, headers);
    await until(
      () => waitingCalls(database),
      (count) => count === calls || errors().length > 0,
    );
    socket.destroy();
    await expect.poll(() => waitingCalls(database)).toBe(0);
    // A call is logged a moment after its statement has ended.
    await expect.poll(() => cancelled().length + errors().length).toBeGreaterThanOrEqual(calls);
    return errors();
  };
  // On a busy machine, the statement timeout may come before the client has left, but not every time.
  await until(leave, (errors) => errors.length === 0);
  expect(cancelled()).toEqual(Array.from({ length: calls }, () => 'The client disconnected.'));
  const { total, idle, waiting } = api.ctx.core.store.stats().reads;
  expect([total - idle, waiting]).toEqual([0, 0]);
  await database.query('rollback');
  expect((await jsonOf(await api.post('/v1/mcp', call))).result.structuredContent.total).toBe(0);
});

it('applies the deadline to calls that wait for a connection, and leaves nothing behind', async () => {
  // One connection for lists.
  const { api, database } = await open({ toolDeadlineMs: 300 }, { DB_POOL_SIZE: '12' });
  await blockShipments(database);
  const calls = Array.from({ length: 6 }, (_, index) => ({ ...call, id: index + 1 }));
  const answers = await jsonOf(await api.post('/v1/mcp', [...calls, ping]));
  const failed = answers.map(({ result }: { result: { isError?: boolean } }) => result.isError ?? false);
  expect(failed).toEqual([...calls.map(() => true), false]);
  await expect.poll(() => waitingCalls(database)).toBe(0);
  await database.query('rollback');
  liftDeadline(api);
  expect((await jsonOf(await api.post('/v1/mcp', call))).result.structuredContent.total).toBe(0);
});

it.each([
  ['a revision with initialize', call, {}],
  ['the stateless revision', modernCall, modernHeaders],
])('logs the error that a tool throws in %s and keeps it from the client', async (_era, body, headers) => {
  const { api, database } = await open({});
  await database.query('alter table landfall.shipments rename to hidden_shipments');
  const answer = await api.post('/v1/mcp', body, headers);
  const { result } = await jsonOf(answer);
  const requestId = answer.headers.get('x-request-id');
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining(`request id ${requestId}`) }],
  });
  expect(JSON.stringify(result)).not.toMatch(/shipments"|relation|landfall\./);
  const failed = logged(api).find(({ msg }) => msg === 'tool call failed');
  expect(failed).toMatchObject({
    request_id: requestId,
    tool: 'list_shipments_summary',
    err: { message: expect.stringContaining('relation') },
  });
});

it('charges each message of a batch, and runs none of a batch that exceeds the quota', async () => {
  const { api, database } = await open({ limits: { mcp: 12 }, limitTimeoutMs: 20_000 }, { REDIS_URL: '' });
  const remaining = (answer: Response) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
  const first = await api.post('/v1/mcp', [ping, ping, ping, ping]);
  expect([first.status, remaining(first)]).toEqual([200, 8]);
  const second = await api.post('/v1/mcp', ping);
  expect(remaining(second)).toBe(7);
  await blockShipments(database);
  const refused = await api.post(
    '/v1/mcp',
    Array.from({ length: 8 }, () => call),
  );
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([429, 'rate_limited']);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await waitingCalls(database)).toBe(0);
});
