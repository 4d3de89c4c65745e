import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { failedProof, type ProofFailure } from '#shared/domain/carriers/proof.ts';
import { type ErrorCode, errorCodes } from '#shared/domain/errors.ts';
import { timedTraceId } from '#shared/domain/installation/trace.ts';
import { operatorsAccount } from '#shared/domain/members/role.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { checkAnswer } from '#test/support/api/openapi-checks.ts';
import { sendRaw } from '#test/support/api/raw-http.ts';
import { type Browser, type DashboardAnswer, openBrowser, signedIn } from '#test/support/browser/dashboard.ts';
import { answerProof, deliverParcel } from '#test/support/carriers/delivered-parcel.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
/** With every scope. */
let manager: string;
beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  const scopes = [
    'shipments:read',
    'shipments:write',
    'shares:write',
    'webhooks:manage',
    'carriers:manage',
    'keys:manage',
  ] as const;
  manager = `Bearer ${(await api.createKey({ scopes })).secret}`;
});
afterAll(() => api.close());

type Answer = { status: number; headers: Headers; text: string };

const ocean = (changes: object = {}) => ({
  transport_mode: 'ocean',
  carrier: 'MAEU',
  identifiers: { mbl: uniqueNumber() },
  ...changes,
});
const get = async (path: string, headers: Record<string, string> = {}) => read(await api.request(path, { headers }));
const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
  read(await api.post(path, body, headers));
const getManaged = (path: string) => get(path, { authorization: manager });
const withKey = async (options: Parameters<TestApi['createKey']>[0]) => ({
  authorization: `Bearer ${(await api.createKey(options)).secret}`,
});

const dashboard = async (...asked: Parameters<Browser['ask']>) => toAnswer(await openBrowser(api).ask(...asked));
const asOwner = async (path: string, method: string) =>
  toAnswer(await (await signedIn(api, 'owner', 'owned')).ask(path, { method }));
const asOperator = async (path: string) => toAnswer(await (await signedIn(api, 'owner', operatorsAccount)).ask(path));
const toAnswer = ({ status, headers, body }: DashboardAnswer): Answer => ({
  status,
  headers,
  text: JSON.stringify(body),
});

/** Requests that provoke each code. A code that is missing here doesn't compile. */
const waysTo: Record<ErrorCode, () => Promise<Answer>> = {
  invalid_json: () => post('/v1/shipments', '{'),
  validation_failed: () => post('/v1/shipments', {}),
  unknown_parameter: () => get('/v1/shipments?limt=3'),
  unknown_field: () => post('/v1/shipments', ocean({ carier: 'MAEU' })),
  invalid_cursor: () => get('/v1/shipments?cursor=x'),
  missing_api_key: () => get('/v1/shipments', { authorization: '' }),
  invalid_api_key: () => get('/v1/shipments', { authorization: 'Bearer svc_live_short' }),
  expired_api_key: async () =>
    get('/v1/shipments', await withKey({ expiresAt: new Date(Date.now() - 1000).toISOString() })),
  revoked_api_key: async () => {
    const { id, secret } = await api.createKey();
    await revokeApiKey(
      api.ctx.core,
      { accountId: api.accountId, keyId: null, scopes: [], test: false, requestId: 'req_test', idempotency: null },
      id,
    );
    return get('/v1/shipments', { authorization: `Bearer ${secret}` });
  },
  invalid_signature: async () => read(await fetch(`${api.url}/hooks/dcsa/sub_nobody`, { method: 'POST', body: '[]' })),
  not_signed_in: () => dashboard('/dashboard/api/session'),
  wrong_password: () =>
    dashboard('/dashboard/api/auth/sign-in/email', {
      body: { email: 'nobody@example.test', password: 'nothing of value' },
    }),
  insufficient_scope: async () => post('/v1/shipments', ocean(), await withKey({ scopes: ['shipments:read'] })),
  test_key_not_allowed: async () =>
    post(
      '/v1/api-keys',
      { name: 'x', scopes: ['keys:manage'], test: false },
      await withKey({ scopes: ['keys:manage'], test: true }),
    ),
  live_key_not_allowed: () => post('/v1/test/shipments/shp_01kahf3m2xfr5tq4d8z9w6c7yb/advance', {}),
  host_not_allowed: () =>
    rawRequest(api, ['POST /v1/mcp HTTP/1.1', 'Host: evil.example', 'Content-Type: application/json'], '{}'),
  origin_not_allowed: () =>
    post('/v1/mcp', { jsonrpc: '2.0', method: 'tools/list', id: 1 }, { origin: 'https://evil.example' }),
  https_required: () => {
    const lines = [
      'POST /dashboard/api/auth/sign-out HTTP/1.1',
      'Host: tracking.example',
      'Origin: http://tracking.example',
    ];
    return rawRequest(api, lines, '');
  },
  role_not_allowed: async () => {
    const { ask } = await signedIn(api, 'viewer', 'roles');
    return toAnswer(await ask('/dashboard/api/invites'));
  },
  account_not_found: async () => {
    const { ask } = await signedIn(api, 'viewer', 'roles');
    return toAnswer(
      await ask('/dashboard/api/overview', { headers: { 'landfall-account': 'acc_01kahf3m2xfr5tq4d8z9w6c7yb' } }),
    );
  },
  view_not_found: () => asOwner('/dashboard/api/saved-views/view_01kahf3m2xfr5tq4d8z9w6c7yb', 'DELETE'),
  alert_not_found: () => asOwner('/dashboard/api/alerts/alr_01kahf3m2xfr5tq4d8z9w6c7yb', 'DELETE'),
  alert_message_not_found: () => asOwner('/dashboard/api/alert-messages/msg_01kahf3m2xfr5tq4d8z9w6c7yb', 'GET'),
  member_not_found: () => asOwner('/dashboard/api/members/user_01kahf3m2xfr5tq4d8z9w6c7yb', 'DELETE'),
  invite_not_found: () => asOwner('/dashboard/api/invites/inv_01kahf3m2xfr5tq4d8z9w6c7yb', 'DELETE'),
  session_not_found: () => asOwner('/dashboard/api/sessions/ses_01kahf3m2xfr5tq4d8z9w6c7yb', 'DELETE'),
  link_not_valid: () => dashboard('/dashboard/api/invite/check', { body: { token: 'used' } }),
  shipment_not_found: () => get('/v1/shipments/shp_01kahf3m2xfr5tq4d8z9w6c7yb'),
  event_not_found: async () =>
    read(
      await api.request(`/v1/shipments/${await register()}/events/evt_01h455vb4pex5vsknk084sn02q`, {
        method: 'DELETE',
        headers: await withKey({ scopes: ['events:write'] }),
      }),
    ),
  proof_not_found: async () => get(`/v1/shipments/${await register()}/proof/signature`),
  carrier_not_found: () => get('/v1/carriers/NOPE'),
  import_not_found: () => get('/v1/imports/imp_01kahf3m2xfr5tq4d8z9w6c7yb'),
  note_not_found: async () =>
    read(
      await api.request(`/v1/shipments/${await register()}/notes/note_01kahf3m2xfr5tq4d8z9w6c7yb`, {
        method: 'DELETE',
      }),
    ),
  not_the_author: async () => {
    const path = `/v1/shipments/${await register()}/notes`;
    const { note_id: note } = (await (await api.post(path, { text: 'mine' })).json()) as { note_id: string };
    const headers = await withKey({ scopes: ['shipments:write'] });
    return read(await api.request(`${path}/${note}`, { method: 'DELETE', headers }));
  },
  share_not_found: async () =>
    read(
      await api.request('/v1/shares/shr_01kahf3m2xfr5tq4d8z9w6c7yb', {
        method: 'DELETE',
        headers: { authorization: manager },
      }),
    ),
  webhook_endpoint_not_found: () => getManaged('/v1/webhook-endpoints/whe_01kahf3m2xfr5tq4d8z9w6c7yb'),
  webhook_delivery_not_found: () => getManaged('/v1/webhook-endpoints/whe_01kahf3m2xfr5tq4d8z9w6c7yb/deliveries/dlv_x'),
  webhook_replay_not_found: () => getManaged('/v1/webhook-endpoints/whe_01kahf3m2xfr5tq4d8z9w6c7yb/replays/rpl_x'),
  bulk_action_not_found: async () => read(await api.request('/v1/bulk-actions/blk_01kahf3m2xfr5tq4d8z9w6c7yb')),
  api_key_not_found: async () =>
    read(
      await api.request('/v1/api-keys/key_01kahf3m2xfr5tq4d8z9w6c7yb', {
        method: 'DELETE',
        headers: { authorization: manager },
      }),
    ),
  trace_not_found: () => asOperator('/dashboard/api/traces/0af7651916cd43dd8448eb211c80319c'),
  trace_not_kept: () =>
    asOperator(`/dashboard/api/traces/${timedTraceId('0af7651916cd43dd8448eb211c80319c', Date.now())}`),
  route_not_found: () => get('/v1/nothing'),
  method_not_allowed: async () => read(await api.request('/v1/shipments', { method: 'PUT' })),
  not_acceptable: () => get('/v1/shipments', { accept: 'text/html' }),
  payload_too_large: () => post('/v1/shipments', ocean({ reference: 'x'.repeat(70_000) })),
  uri_too_long: () => get(`/v1/shipments?q=${'a'.repeat(9000)}`),
  headers_too_large: () =>
    rawRequest(api, ['GET /v1/shipments HTTP/1.1', 'Host: localhost', `X-Long: ${'a'.repeat(20_000)}`]),
  request_timeout: () =>
    onServer(async (other) => {
      other.app.server.headersTimeout = 200;
      return rawAnswer(other, 'GET /v1/shipments HTTP/1.1\r\nHost: loc');
    }),
  unsupported_media_type: () => post('/v1/shipments', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
  precondition_failed: async () => {
    const id = await register();
    const headers = { 'content-type': 'application/json', 'if-match': '"old"' };
    return read(await api.request(`/v1/shipments/${id}`, { method: 'PATCH', body: '{}', headers }));
  },
  identifier_conflict: async () => {
    const mbl = uniqueNumber();
    await post('/v1/shipments', ocean({ identifiers: { mbl, booking: uniqueNumber() } }));
    return post('/v1/shipments', ocean({ identifiers: { mbl, booking: uniqueNumber() } }));
  },
  reference_conflict: async () => {
    await post('/v1/shipments', ocean({ reference: 'taken' }));
    return post('/v1/shipments', ocean({ reference: 'taken' }));
  },
  idempotency_in_progress: () =>
    onDatabase(api, async (client) => {
      const taken = JSON.stringify(['idempotency', api.accountId, 'POST /v1/shipments', 'held']);
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [taken]);
      return post('/v1/shipments', ocean(), { 'idempotency-key': 'held' });
    }),
  invalid_state: async () => {
    const id = await register();
    await post(`/v1/shipments/${id}/stop`, {});
    return post(`/v1/shipments/${id}/refresh`, {});
  },
  carrier_credentials_missing: () => askForProof('credentials_missing'),
  carrier_rate_limited: () => askForProof('rate_limited', 12_000),
  proof_unavailable: () => askForProof('unavailable'),
  carrier_not_supported: () => post('/v1/shipments', ocean({ carrier: 'MAEUX' })),
  identifier_not_trackable: () => post('/v1/shipments', ocean({ identifiers: { hbl: 'HBL123456' } })),
  identifier_mode_mismatch: () => post('/v1/shipments', ocean({ identifiers: { awb: '020-12345675' } })),
  idempotency_mismatch: async () => {
    await post('/v1/shipments', ocean(), { 'idempotency-key': 'used' });
    return post('/v1/shipments', ocean(), { 'idempotency-key': 'used' });
  },
  rate_limited: () =>
    onServer(
      async (other) => {
        // A window may end between the two.
        const answers = [];
        for (let sent = 0; sent < 4; sent++) answers.push(await read(await other.request('/v1/shipments')));
        return answers.find(({ status }) => status !== 200) ?? Promise.reject(new Error('never limited'));
      },
      { limits: { read: 1 }, limitTimeoutMs: 60_000 },
    ),
  refresh_too_soon: async () => {
    const id = await register();
    await post(`/v1/shipments/${id}/refresh`, {});
    return post(`/v1/shipments/${id}/refresh`, {});
  },
  internal_error: () =>
    onServer((other) =>
      onDatabase(other, async (client) => {
        await client.query('alter table landfall.shipments rename to mislaid');
        return read(await other.request('/v1/shipments'));
      }),
    ),
  list_too_slow: () =>
    onServer((other) =>
      onDatabase(other, async (client) => {
        await client.query('begin; lock table landfall.shipments in access exclusive mode');
        return read(await other.request('/v1/shipments'));
      }),
    ),
  import_quota_exceeded: () =>
    onServer((other) =>
      onDatabase(other, async (client) => {
        const send = () =>
          other.request('/v1/imports', {
            method: 'POST',
            headers: { 'content-type': 'text/csv' },
            body: 'transport_mode,carrier,mbl\nocean,MAEU,123456789\n',
          });
        expect((await send()).status).toBe(202);
        await client.query('update landfall.imports set stored_bytes = 2000000000');
        return read(await send());
      }),
    ),
  account_busy: () =>
    onServer(async (other) => {
      const { store } = other.ctx.core;
      const ended = Promise.withResolvers<void>();
      const held = Array.from({ length: 300 }, () => withAccountReads(store, other.accountId, () => ended.promise));
      const settled = Promise.allSettled(held);
      const answer = await read(await other.request('/v1/shipments'));
      ended.resolve();
      await settled;
      return answer;
    }),
  unavailable: async () => {
    const database = await ownDatabase();
    const proxy = await openFaultProxy(database.serviceUrl);
    const other = await startTestApi({ DATABASE_URL: proxy.url });
    await other.request('/v1/shipments');
    await proxy.cut();
    const answer = await read(await other.request('/v1/shipments'));
    await proxy.restore();
    await other.close();
    await proxy.close();
    await database.drop();
    return answer;
  },
  storage_full: async () => {
    const database = await ownDatabase();
    const owner = new pg.Client({ connectionString: database.databaseUrl });
    await owner.connect();
    await owner.query(fullDisk);
    await owner.end();
    const other = await startTestApi({ DATABASE_URL: database.serviceUrl });
    const answer = await read(await other.post('/v1/shipments', ocean()));
    await other.close();
    await database.drop();
    return answer;
  },
};

/** PostgreSQL's error for a table that can't grow. */
const fullDisk = `
  create function landfall.report_full_disk() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger full_disk before insert on landfall.shipments execute function landfall.report_full_disk();`;

it.each(errorCodes)('returns %s over HTTP as the document and the catalogue describe', async (code) => {
  const { status, headers, text } = await waysTo[code]();
  expect(headers.get('content-type')).toContain('application/problem+json');
  const problem = JSON.parse(text);
  expect(problem).toMatchObject({
    code,
    status,
    type: `/docs/errors#${code}`,
    request_id: headers.get('x-request-id'),
  });
  expect(problem.detail.length).toBeGreaterThan(10);
  expect(JSON.stringify(problem)).not.toMatch(/ECONN|landfall_|mislaid|node_modules|select /);
  if ([429, 503].includes(status)) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  if (status === 405) expect(headers.get('allow')).toContain('GET');
});

async function register(): Promise<string> {
  return JSON.parse((await post('/v1/shipments', ocean())).text).shipment_id;
}

async function read(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A raw request with the key, which no client library would send. */
function rawRequest(of: TestApi, head: string[], body = ''): Promise<Answer> {
  const lines = [...head, `Authorization: Bearer ${of.key}`, `Content-Length: ${body.length}`, 'Connection: close'];
  return rawAnswer(of, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

async function rawAnswer(of: TestApi, bytes: string): Promise<Answer> {
  const { status, headers, body } = await sendRaw(of.url, bytes);
  const [method = 'GET', path = '/'] = bytes.split(' ');
  const answer = { status, headers: new Headers(headers), text: body };
  checkAnswer({ method, url: of.url + path, status, headers: answer.headers, body });
  return answer;
}

async function onServer(
  ask: (other: TestApi) => Promise<Answer>,
  options: Parameters<typeof startTestApi>[1] = {},
): Promise<Answer> {
  const other = await startTestApi({ REDIS_URL: '' }, { openDatabase: ownDatabase, ...options });
  try {
    return await ask(other);
  } finally {
    await other.close();
  }
}

async function onDatabase(of: TestApi, ask: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: of.databaseUrl });
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

/** A request for a signature, which a worker answers so. */
function askForProof(failure: ProofFailure, retryAfterMs: number | null = null): Promise<Answer> {
  return onServer(
    async (other) => {
      const { shipmentId } = await deliverParcel(other.ctx.core, other.accountId);
      const asked = other.request(`/v1/shipments/${toShipmentId(shipmentId)}/proof/signature`);
      await answerProof(other.ctx.core, {
        answer: failedProof(failure, 'As the worker says.', retryAfterMs),
        content: null,
      });
      return read(await asked);
    },
    { answerWaitMs: 30_000 },
  );
}
