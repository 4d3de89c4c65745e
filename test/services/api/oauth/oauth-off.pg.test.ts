import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { startOauthApi } from '#test/support/oauth/oauth-api.ts';

let off: TestApi;
let on: TestApi;
let owner: SignedInMember;
beforeAll(async () => {
  [off, on] = await Promise.all([startTestApi(), startOauthApi()]);
  owner = await signedIn(off, 'owner', off.accountName);
});
afterAll(async () => {
  await Promise.all([off.close(), on.close()]);
});

const wellKnown = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource/v1/mcp',
  '/.well-known/oauth-authorization-server/v1/mcp',
  '/v1/mcp/.well-known/oauth-authorization-server',
];
const ofOauth = [
  '/.well-known/oauth-protected-resource/v1/mcp/oauth',
  '/.well-known/oauth-authorization-server/v1/mcp/oauth',
  '/oauth2/authorize',
  '/oauth2/token',
  '/oauth2/register',
  '/oauth2/revoke',
];

/** Everything of a response but what differs with each request. */
async function seen(api: TestApi, path: string, init: RequestInit = {}) {
  const response = await fetch(api.url + path, { redirect: 'manual', ...init });
  const text = await response.text();
  const { 'x-request-id': _id, date: _date, ratelimit: _left, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: text.replaceAll(/req_[0-9a-z]{26}/g, 'req_') };
}

it('is off by default: its addresses answer like any unknown path', async () => {
  for (const path of [...wellKnown, ...ofOauth].filter((address) => !address.startsWith('/v1'))) {
    for (const method of ['GET', 'POST']) {
      const answer = await seen(off, path, { method });
      const unknown = await seen(off, '/nothing-at-all-here', { method });
      expect([path, answer.status, answer.headers['content-type']]).toEqual([
        path,
        404,
        unknown.headers['content-type'],
      ]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'route_not_found', title: JSON.parse(unknown.text).title });
    }
  }
  const keyed = { method: 'POST', headers: { authorization: `Bearer ${off.key}` } };
  const endpoint = await seen(off, '/v1/mcp/oauth', keyed);
  expect([endpoint.status, JSON.parse(endpoint.text).detail]).toEqual([404, 'Path not found.']);
  const unkeyed = await seen(off, '/v1/mcp/oauth', { method: 'POST' });
  expect([unkeyed.status, unkeyed.headers['www-authenticate']]).toEqual([401, 'Bearer realm="landfall"']);
});

it('is off by default: the dashboard does not show it', async () => {
  const key = encodeTypeId('key', (await off.createKey()).id);
  for (const [path, method] of [
    ['/dashboard/api/app-requests/read', 'POST'],
    ['/dashboard/api/app-requests/allow', 'POST'],
    ['/dashboard/api/app-requests/deny', 'POST'],
    [`/dashboard/api/api-keys/${key}/apps`, 'GET'],
    ['/dashboard/api/apps/app_00000000000000000000000000', 'DELETE'],
  ] as const) {
    const answer = await owner.ask(path, { method, ...(method === 'POST' && { body: {} }) });
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'route_not_found']);
  }
  const { body } = await owner.ask('/dashboard/api/session');
  expect(Object.keys(body).sort()).toEqual(['accounts', 'public_base_url', 'simulated', 'user', 'version']);
});

it('changes nothing elsewhere when it is on', async () => {
  const asked: [string, RequestInit][] = [
    ['/v1/mcp', { method: 'POST' }],
    ['/v1/mcp', { method: 'POST', headers: { authorization: 'Bearer svc_live_wrong' } }],
    ['/v1/mcp', { method: 'GET' }],
    ['/v1/shipments', {}],
    ['/docs/openapi.json', {}],
    ['/docs/asyncapi.json', {}],
    ['/docs/errors', {}],
    ['/livez', {}],
  ];
  for (const [path, init] of asked)
    expect([path, await seen(on, path, init)]).toEqual([path, await seen(off, path, init)]);
  for (const path of wellKnown)
    expect([path, (await seen(on, path)).status]).toEqual([path, (await seen(off, path)).status]);
  const tools = (api: TestApi) =>
    seen(api, '/v1/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
  expect(await tools(on)).toEqual(await tools(off));
});

it('advertises itself at its own address alone when it is on', async () => {
  const issuer = `${on.url}/v1/mcp/oauth`;
  const challenged = await seen(on, '/v1/mcp/oauth', { method: 'POST' });
  expect(challenged.headers['www-authenticate']).toBe(
    `Bearer realm="landfall", resource_metadata="${on.url}/.well-known/oauth-protected-resource/v1/mcp/oauth", ` +
      'scope="shipments:read"',
  );
  expect(JSON.parse((await seen(on, '/.well-known/oauth-protected-resource/v1/mcp/oauth')).text)).toMatchObject({
    resource: issuer,
    authorization_servers: [issuer],
    scopes_supported: ['shipments:read'],
  });
  expect(JSON.parse((await seen(on, '/.well-known/oauth-authorization-server/v1/mcp/oauth')).text)).toEqual({
    issuer,
    authorization_endpoint: `${on.url}/oauth2/authorize`,
    token_endpoint: `${on.url}/oauth2/token`,
    registration_endpoint: `${on.url}/oauth2/register`,
    revocation_endpoint: `${on.url}/oauth2/revoke`,
    scopes_supported: ['shipments:read', 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${on.url}/docs/mcp`,
  });
});
