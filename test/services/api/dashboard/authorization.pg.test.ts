import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardOperations, publicOperations } from '#shared/contract/operations.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { scopesOfRole } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { Json, TestApi } from '#test/support/api/api.ts';
import {
  type Browser,
  type DashboardAnswer,
  openBrowser,
  type SignedInMember,
  signedIn,
} from '#test/support/browser/dashboard.ts';
import { plantProof } from '#test/support/carriers/plant-proof.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { connect, startOauthApi } from '#test/support/oauth/oauth-api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { plantDelivery } from '#test/support/webhooks/plant-delivery.ts';

/** API keys only: MCP, and the operation that describes the current key. */
const ofKeysAlone = ['callMcp', 'getMe'];
/** Operations that signed-in users may call only on themselves, regardless of role. */
const ofOneself = [
  'endSignIn',
  'endOtherSignIns',
  'signIn',
  'signOut',
  'changePassword',
  'updateUser',
  'claim',
  'acceptInvite',
];

type Route = {
  id: string;
  method: string;
  path: string;
  body: unknown;
  mediaType: string | null;
  changes: boolean;
  viewerMay: boolean;
};

const routes: Route[] = [
  ...publicOperations
    .filter(({ id, path }) => !ofKeysAlone.includes(id) && path !== '/v1/mcp')
    .map((operation) => ({
      id: `v1 ${operation.id}`,
      method: operation.method,
      path: `/dashboard/api${operation.path}`,
      body: operation.body === undefined ? undefined : (Object.values(operation.body.examples ?? {})[0]?.value ?? {}),
      mediaType: operation.body?.mediaTypes?.[0] ?? null,
      changes: operation.scope !== 'shipments:read',
      viewerMay: operation.scope === null || scopesOfRole.viewer.includes(operation.scope),
    })),
  ...dashboardOperations
    .filter(({ id }) => !ofOneself.includes(id))
    .map((operation) => ({
      id: operation.id,
      method: operation.method,
      path: operation.path,
      body: operation.body === undefined ? undefined : { role: 'owner', email: 'x@example.test' },
      mediaType: null,
      changes: operation.method !== 'GET',
      viewerMay: operation.role === 'viewer' || operation.role === 'signed_in' || operation.role === 'anyone',
    })),
];

let api: TestApi;
let database: pg.Client;
let victim: SignedInMember;
let viewer: SignedInMember;
let stranger: SignedInMember;
const own: Record<string, string> = {};
const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
const prefixes: Record<string, string> = {
  shipment_id: 'shp',
  api_key_id: 'key',
  import_id: 'imp',
  member_id: 'user',
  invite_id: 'inv',
  session_id: 'ses',
  event_id: 'evt',
  webhook_endpoint_id: 'whe',
  delivery_id: 'dlv',
  replay_id: 'rpl',
  view_id: 'view',
  alert_id: 'alr',
  message_id: 'msg',
  app_id: 'app',
  share_id: 'shr',
  note_id: 'note',
  bulk_action_id: 'blk',
};

beforeAll(async () => {
  api = await startOauthApi({}, { openDatabase: ownDatabase });
  database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  victim = await signedIn(api, 'owner', 'victims');
  await signedIn(api, 'owner', 'victims');
  viewer = await signedIn(api, 'viewer', 'victims');
  stranger = await signedIn(api, 'owner', 'strangers');
  const ocean = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } };
  const ask = async (path: string, body: unknown): Promise<Json> =>
    (await victim.ask(`/dashboard/api${path}`, { body })).body;
  own.shipment_id = (await ask('/v1/shipments', ocean)).shipment_id;
  const planted = { accountId: victim.accountId, shipmentId: readShipmentId(own.shipment_id ?? '') ?? '' };
  own.proof_id = await plantProof(api.ctx.core, planted, 'document');
  const { secret } = await ask('/v1/api-keys', { name: 'yard', scopes: ['events:write'] });
  const pushed = {
    events: [{ source_name: 'yard', code: 'notice', available: true, time: { at: new Date().toISOString() } }],
  };
  const answer = await api.post(`/v1/shipments/${own.shipment_id}/events`, pushed, {
    authorization: `Bearer ${secret}`,
  });
  own.event_id = ((await answer.json()) as Json).results[0].shipments[0].event_id;
  own.api_key_id = (await ask('/v1/api-keys', { name: 'spare', scopes: ['shipments:read'] })).api_key_id;
  own.import_id = await startImport();
  const endpoint = (await ask('/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' })).webhook_endpoint_id;
  own.webhook_endpoint_id = endpoint;
  own.delivery_id = await plantDelivery(api.ctx.core.store, endpoint, { sequence: 1 });
  own.replay_id = (await ask(`/v1/webhook-endpoints/${endpoint}/replay`, { to: 0 })).replay_id;
  const view = { name: 'Red', shared: true, search: {}, filter: { tag: ['red'] }, sort: 'eta' };
  own.view_id = (await ask('/saved-views', view)).id;
  const alert = { view_id: own.view_id, rules: { enters: true }, channels: ['email'], timing: 'daily' };
  own.alert_id = (await ask('/alerts', alert)).id;
  own.message_id = (await ask('/alert-preferences/trial', { channel: 'email' })).message_id;
  own.note_id = (await ask(`/v1/shipments/${own.shipment_id}/notes`, { text: 'ours' })).note_id;
  const bulk = { action: 'archive', filter: { reference: ['nothing has this reference'] } };
  own.bulk_action_id = (await ask('/v1/bulk-actions', bulk)).bulk_action_id;
  own.share_id = (await ask(`/v1/shipments/${own.shipment_id}/shares`, {})).share_id;
  await connect(api, victim, own.api_key_id ?? '');
  own.app_id = (await victim.ask(`/dashboard/api/api-keys/${own.api_key_id}/apps`)).body.data[0].id;
  own.invite_id = (await ask('/invites', { email: 'invited@example.test', role: 'viewer' })).id;
  own.member_id = viewer.userId;
  own.session_id = (await victim.ask('/dashboard/api/sessions')).body.data[0].id;
  for (const [name, id] of Object.entries(own)) expect(id, name).toBeTypeOf('string');
});

afterAll(async () => {
  await database.end();
  await api.close();
});

async function startImport(): Promise<string> {
  const cookie = [...victim.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${api.url}/dashboard/api/v1/imports`, {
    method: 'POST',
    headers: { cookie, origin: api.url, 'landfall-account': victim.account, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } })}\n`,
  });
  const started = (await answer.json()) as Json;
  expect(started.import_id, JSON.stringify(started)).toBeTypeOf('string');
  return started.import_id;
}

/** The route's address with the victim's IDs, or with IDs that don't exist. */
function addressOf(route: Route, whose: 'victim' | 'none'): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'carrier_code') return 'MAEU';
    if (name === 'channel') return 'slack';
    if (name === 'proof_id') return own.proof_id ?? '';
    if (name === 'trace_id') return '0af7651916cd43dd8448eb211c80319c';
    const prefix = prefixes[name];
    if (prefix === undefined) throw new Error(`Add {${name}} to this test, with a way to create one for the victim`);
    return whose === 'victim' ? (own[name] ?? '') : encodeTypeId(prefix, unknown);
  });
}

function call(
  browser: Browser,
  route: Route,
  options: { whose?: 'victim' | 'none'; headers?: Record<string, string> } = {},
) {
  return browser.ask(addressOf(route, options.whose ?? 'victim'), {
    method: route.method,
    body: route.body,
    headers: { ...(route.mediaType === null ? {} : { 'content-type': route.mediaType }), ...options.headers },
  });
}

/** A hash of everything that belongs to the victims' account, users and sessions, except what reading alone changes. */
async function victimRows(): Promise<Record<string, string>> {
  const { rows: tables } = await database.query<{ name: string; owner: string }>(`
    select format('%I.%I', c.table_schema, c.table_name) as name, c.column_name as owner
    from information_schema.columns as c
    where (c.table_schema = 'landfall' and c.column_name = 'account_id')
      or (c.table_schema = 'auth' and c.column_name = 'organization_id')`);
  expect(tables.length).toBeGreaterThan(12);
  // One query for all tables. Leases and the next refresh time are left out because they change on their own.
  const own = tables.map(
    ({ name, owner }) => `
      select '${name}' as name, concat(count(*), ' ', md5(string_agg(row, '|' order by row))) as sum
      from (select (to_jsonb(t) - array['lease_until', 'epoch', 'next_refresh_at'])::text as row from ${name} as t where ${owner} = $1) as r`,
  );
  const { rows } = await database.query<{ name: string; sum: string }>(own.join(' union all '), [victim.accountId]);
  const people = await database.query(
    'select u::text, s.id from auth.users as u left join auth.sessions as s on s.user_id = u.id order by 2',
  );
  return { ...Object.fromEntries(rows.map(({ name, sum }) => [name, sum])), people: JSON.stringify(people.rows) };
}

const comparable = ({ status, body }: DashboardAnswer) => ({
  status,
  body: JSON.stringify(body).replaceAll(/"(request_id|trace_id|as_of|at)":("[^"]*"|null)/g, ''),
});

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  it('exists and requires a session: neither no credentials nor a key is accepted', async () => {
    if (dashboardOperations.find(({ id }) => id === route.id)?.role === 'anyone') return;
    const { secret } = await api.createKey({ scopes: scopesOfRole.owner });
    for (const headers of [{}, { authorization: `Bearer ${secret}` }]) {
      expect(await call(openBrowser(api), route, { headers })).toMatchObject({
        status: 401,
        body: { code: 'not_signed_in' },
      });
    }
    expect((await call(victim, route, { whose: 'none' })).body?.code).not.toBe('route_not_found');
  });

  it('rejects requests from another site, and changes without an Origin, even with a session', async () => {
    const before = await victimRows();
    const foreign = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      ...(route.method === 'GET'
        ? []
        : [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: '' }, { 'sec-fetch-site': 'same-site' }]),
    ];
    for (const headers of foreign) {
      expect(await call(victim, route, { headers }), JSON.stringify(headers)).toMatchObject({
        status: 403,
        body: { code: 'origin_not_allowed' },
      });
    }
    expect(await victimRows()).toEqual(before);
  });

  it('rejects every change by a viewer', async () => {
    if (route.viewerMay && !route.changes) {
      const before = await victimRows();
      await call(viewer, route);
      expect(await victimRows()).toEqual(before);
      return;
    }
    if (route.id === 'endSignIn' || route.viewerMay) return;
    const before = await victimRows();
    expect(await call(viewer, route)).toMatchObject({ status: 403, body: { code: 'role_not_allowed' } });
    expect(await victimRows()).toEqual(before);
  });

  it('shows and changes nothing of an account for users outside it', async () => {
    const before = await victimRows();
    const chosen = await call(stranger, route, { headers: { 'landfall-account': victim.account } });
    const hidden = ['victims', victim.email, viewer.email, ...Object.values(own)];
    const echoed = addressOf(route, 'victim');
    for (const text of hidden) if (!echoed.includes(text)) expect(JSON.stringify(chosen.body)).not.toContain(text);
    const address = await call(stranger, route);
    if (/\{(?!carrier_code|trace_id|channel)/.test(route.path)) {
      expect(comparable(address)).toEqual(comparable(await call(stranger, route, { whose: 'none' })));
      expect(address.status).toBeGreaterThanOrEqual(400);
    }
    for (const text of hidden) if (!echoed.includes(text)) expect(JSON.stringify(address.body)).not.toContain(text);
    expect(await victimRows()).toEqual(before);
  });
});

it('rejects a cookie under /v1, whatever else is sent with it', async () => {
  for (const { method, path } of publicOperations) {
    const answer = await victim.ask(path.replaceAll(/\{\w+\}/g, 'x'), { method });
    expect(answer, path).toMatchObject({ status: 401, body: { code: 'missing_api_key' } });
  }
});

it('separates test shipments from live ones for users too', async () => {
  const journey = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'TEST-JOURNEY' } };
  const test = { 'landfall-mode': 'test' };
  const made = await victim.ask('/dashboard/api/v1/shipments', { body: journey, headers: test });
  expect(made.body).toMatchObject({ test: true });
  const path = `/dashboard/api/v1/shipments/${made.body.shipment_id}`;
  expect((await victim.ask(path)).status).toBe(404);
  expect((await victim.ask(path, { headers: test })).status).toBe(200);
  expect((await victim.ask(path, { headers: { 'landfall-mode': 'both' } })).body.code).toBe('validation_failed');
});

it('allows operations and traces only to owners of the first account', async () => {
  const operator = await signedIn(api, 'owner', api.accountName);
  const member = await signedIn(api, 'member', api.accountName);
  for (const path of [
    '/dashboard/api/operations',
    '/dashboard/api/traces',
    '/dashboard/api/traces/0af7651916cd43dd8448eb211c80319c',
  ]) {
    expect([200, 404], path).toContain((await operator.ask(path)).status);
    for (const other of [member, victim])
      expect(await other.ask(path)).toMatchObject({ status: 403, body: { code: 'role_not_allowed' } });
  }
});
