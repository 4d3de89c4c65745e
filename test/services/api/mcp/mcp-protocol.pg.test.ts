import { readFileSync } from 'node:fs';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legacyVersions, modernVersion } from '#services/api/mcp/protocol-versions.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { sendRaw } from '#test/support/api/raw-http.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const packageVersion = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')).version;
const list = { jsonrpc: '2.0', method: 'tools/list', id: 1 };
const ping = { jsonrpc: '2.0', method: 'ping', id: 1 };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const search = {
  jsonrpc: '2.0',
  method: 'tools/call',
  id: 7,
  params: { name: 'list_shipments_summary', arguments: {} },
};
const rpc = (body: unknown, headers: Record<string, string> = {}) => api.post('/v1/mcp', body, headers);
const initialize = (protocolVersion: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});
/** The status, and the code of a JSON-RPC error. */
const codeOf = async (answer: Response) => [answer.status, (await jsonOf(answer)).error?.code];

const meta = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
type ModernCall = {
  method: string;
  params?: object;
  id?: unknown;
  claim?: object | null;
  headers?: Record<string, string>;
};
/** A 2026-07-28 request with everything required; `headers` replaces them all. */
const modern = ({ method, params = {}, id = 1, claim = meta, headers }: ModernCall) => {
  const name = 'name' in params && typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const body = { jsonrpc: '2.0', id, method, params: { ...params, ...(claim === null ? {} : { _meta: claim }) } };
  return rpc(body, headers ?? { 'mcp-protocol-version': modernVersion, 'mcp-method': method, ...name });
};
const head = (lines: readonly string[]) => `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`;

describe('revisions', () => {
  it('are those of the SDK, and the next one', () => {
    expect(legacyVersions).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
    expect(legacyVersions).not.toContain(modernVersion);
  });

  it('return the same tools, byte for byte, with and without the header', async () => {
    const listed = async (answer: Response) => {
      const { result } = await jsonOf(answer);
      return JSON.stringify(result.tools, null, 2);
    };
    const expected = await listed(await rpc(list));
    for (const version of legacyVersions)
      expect(await listed(await rpc(list, { 'mcp-protocol-version': version }))).toBe(expected);
    expect(await listed(await modern({ method: 'tools/list' }))).toBe(expected);
    await expect(`${expected}\n`).toMatchFileSnapshot('../../../snapshots/mcp-tools.json');
  });

  it.each<[string, string]>([
    ...legacyVersions.map((version): [string, string] => [version, version]),
    ['1999-01-01', '2025-11-25'],
    [modernVersion, '2025-11-25'],
  ])('negotiates %s to %s in initialize', async (asked, agreed) => {
    const { result } = await jsonOf(await rpc(initialize(asked)));
    expect(result).toMatchObject({
      protocolVersion: agreed,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'landfall' },
    });
    expect(result.serverInfo.version).toBe(packageVersion);
  });

  it('ignores an unknown older header of initialize, whose body negotiates the revision', async () => {
    expect((await rpc(initialize('2025-06-18'), { 'mcp-protocol-version': 'nonsense' })).status).toBe(200);
  });

  it.each(['1999-01-01', '2025-06-19', 'nonsense', '2025-06-18, 2025-06-18'])(
    'rejects the header %s and names the supported revisions',
    async (version) => {
      const answer = await rpc({ ...list, id: 'a' }, { 'mcp-protocol-version': version });
      expect(answer.status).toBe(400);
      const { id, error } = await jsonOf(answer);
      expect([id, error.code]).toEqual(['a', -32_022]);
      expect(error.data).toEqual({ supported: [modernVersion, ...legacyVersions], requested: version });
    },
  );

  it('rejects an unknown stateless revision and names the existing one', async () => {
    const claim = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const answer = await modern({
      method: 'tools/list',
      claim,
      headers: { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
    });
    expect(answer.status).toBe(400);
    expect((await jsonOf(answer)).error).toMatchObject({ code: -32_022, data: { supported: [modernVersion] } });
  });
});

describe('the revision without initialize', () => {
  it('is discovered, and states how long lists are valid and that answers are complete', async () => {
    const discovered = (await jsonOf(await modern({ method: 'server/discover' }))).result;
    expect(discovered).toMatchObject({
      resultType: 'complete',
      supportedVersions: [modernVersion],
      capabilities: { tools: {} },
      ttlMs: 3_600_000,
    });
    const listed = (await jsonOf(await modern({ method: 'tools/list' }))).result;
    expect(listed).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' });
    const called = (await jsonOf(await modern({ method: 'tools/call', params: search.params }))).result;
    expect(called).toMatchObject({ resultType: 'complete', structuredContent: { total: 0 } });
  });

  it.each<[string, ModernCall & { method: string }, number, number]>([
    ['no Mcp-Method', { method: 'tools/list', headers: { 'mcp-protocol-version': modernVersion } }, 400, -32_020],
    [
      'another Mcp-Method',
      { method: 'tools/list', headers: { 'mcp-protocol-version': modernVersion, 'mcp-method': 'ping' } },
      400,
      -32_020,
    ],
    ['no version header', { method: 'tools/list', headers: { 'mcp-method': 'tools/list' } }, 400, -32_020],
    [
      'an older version header',
      { method: 'tools/list', headers: { 'mcp-protocol-version': '2025-06-18', 'mcp-method': 'tools/list' } },
      400,
      -32_020,
    ],
    [
      'no Mcp-Name',
      {
        method: 'tools/call',
        params: search.params,
        headers: { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/call' },
      },
      400,
      -32_020,
    ],
    [
      'another Mcp-Name',
      {
        method: 'tools/call',
        params: search.params,
        headers: {
          'mcp-protocol-version': modernVersion,
          'mcp-method': 'tools/call',
          'mcp-name': 'get_shipment_details',
        },
      },
      400,
      -32_020,
    ],
    ['no claim in _meta', { method: 'tools/list', claim: null }, 400, -32_602],
    [
      'a claim without capabilities',
      { method: 'tools/list', claim: { 'io.modelcontextprotocol/protocolVersion': modernVersion } },
      400,
      -32_602,
    ],
    [
      'a claim that is a number',
      { method: 'tools/list', claim: { 'io.modelcontextprotocol/protocolVersion': 7 } },
      400,
      -32_602,
    ],
    ['initialize', { method: 'initialize', params: initialize(modernVersion).params }, 404, -32_601],
    ['ping', { method: 'ping' }, 404, -32_601],
    ['subscriptions', { method: 'subscriptions/listen', params: { notifications: {} } }, 404, -32_601],
    ['an unknown method', { method: 'prompts/list' }, 404, -32_601],
    ['an unknown tool', { method: 'tools/call', params: { name: 'nothing' } }, 200, -32_602],
    [
      'arguments that are a list',
      { method: 'tools/call', params: { name: 'list_shipments_summary', arguments: [] } },
      200,
      -32_602,
    ],
    ['a cursor that is a number', { method: 'tools/list', params: { cursor: 7 } }, 200, -32_602],
    ['a tool that is a number', { method: 'tools/call', params: { name: 7 } }, 200, -32_602],
  ])('rejects %s', async (_what, call, status, code) => {
    const answer = await modern(call);
    expect(answer.status).toBe(status);
    const { error } = await jsonOf(answer);
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/[{[]/);
  });

  it('accepts notifications and rejects batches', async () => {
    expect((await rpc(initialized, { 'mcp-protocol-version': modernVersion })).status).toBe(202);
    expect(await codeOf(await rpc([list], { 'mcp-protocol-version': modernVersion }))).toEqual([400, -32_600]);
    expect(await codeOf(await rpc([{ ...list, params: { _meta: meta } }]))).toEqual([400, -32_600]);
  });
});

describe('messages', () => {
  it.each([0, 1, -5, Number.MAX_SAFE_INTEGER, '', 'a', '0', 'ü'.repeat(1000)])(
    'echo the ID %j unchanged',
    async (id) => {
      for (const message of [{ ...list, id }, { ...search, id }, { ...ping, id }, initialize('2025-06-18', id)]) {
        expect((await jsonOf(await rpc(message))).id).toBe(id);
      }
      expect((await jsonOf(await rpc({ ...list, id, method: 'nothing' }))).id).toBe(id);
      expect((await jsonOf(await modern({ method: 'tools/list', id }))).id).toBe(id);
    },
  );

  it.each([
    ['null', { ...list, id: null }],
    ['a fraction', { ...list, id: 1.5 }],
    ['an unsafe integer', '{"jsonrpc":"2.0","method":"tools/list","id":9007199254740993}'],
    ['a boolean', { ...list, id: true }],
    ['a list', { ...list, id: [1] }],
  ])('are rejected if the ID is %s', async (_what, message) => {
    const answer = await rpc(message);
    expect(answer.status).toBe(400);
    expect(await jsonOf(answer)).toMatchObject({ id: null, error: { code: -32_600 } });
  });

  it('are accepted without an answer if they contain no request', async () => {
    const silent = [
      initialized,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'notifications/of-the-future', params: {} },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
    ];
    for (const message of silent) {
      const answer = await rpc(message, { accept: 'application/json, text/event-stream' });
      expect([answer.status, await answer.text()]).toEqual([202, '']);
    }
  });

  it('work without initialize, and with null params or unknown fields beside them', async () => {
    expect((await jsonOf(await rpc({ ...list, params: null }))).result.tools).toHaveLength(2);
    expect((await jsonOf(await rpc({ ...list, extra: 1 }))).result.tools).toHaveLength(2);
    expect(await jsonOf(await rpc(ping))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it.each([
    ['invalid JSON', '{nope', -32_700],
    ['nothing', '', -32_700],
    ['a key __proto__', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"a":1}}}', -32_700],
    ['a key __proto__ in escapes', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\u005f_proto__":1}}', -32_700],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, -32_600],
    ['a thousand entries and one', JSON.stringify({ ...list, params: { a: Array(1001).fill(1) } }), -32_600],
    ['a string', '"x"', -32_600],
    ['no version', { method: 'ping', id: 1 }, -32_600],
    ['another version', { ...ping, jsonrpc: '1.0' }, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32_600],
    ['a method that is a number', { ...ping, method: 1 }, -32_600],
    ['params that are a list', { ...ping, params: [] }, -32_600],
    ['params that are a string', { ...ping, params: 'x' }, -32_600],
    ['a result and an error', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'x' } }, -32_600],
  ])('are rejected with %s', async (_what, body, code) => {
    expect(await codeOf(await rpc(body))).toEqual([400, code]);
  });

  it.each<[string, Json, number]>([
    ['an unknown method', { ...ping, method: 'prompts/list' }, -32_601],
    ['a method named like an object method', { ...ping, method: 'constructor' }, -32_601],
    ['an unknown tool', { ...search, params: { name: 'nothing' } }, -32_602],
    ['a tool named like an object property', { ...search, params: { name: '__proto__' } }, -32_602],
    ['no tool', { ...search, params: {} }, -32_602],
    ['no params', { ...search, params: undefined }, -32_602],
    ['a tool that is a number', { ...search, params: { name: 1 } }, -32_602],
    ['arguments that are a list', { ...search, params: { ...search.params, arguments: [] } }, -32_602],
    ['_meta that is a number', { ...ping, params: { _meta: 7 } }, -32_602],
    ['initialize without a version', { ...ping, method: 'initialize', params: {} }, -32_602],
    ['initialize with a version that is a number', initialize(7), -32_602],
  ])('with %s are an error of their request, in Landfall’s own words', async (_what, body, code) => {
    const answer = await rpc(body);
    expect(answer.status).toBe(200);
    const { error } = await jsonOf(answer);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^[^{[]*(?:\{"name": string, "arguments": object\})?$/);
  });

  it('may have 32 levels, or be long', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const wrap = (inner: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${inner}}`;
    expect((await rpc(wrap(`{"_meta":{"x":${deep(25)}}}`))).status).toBe(200);
    expect((await rpc(wrap(`{"x":${deep(30)}}`))).status).toBe(200);
    expect(await codeOf(await rpc(deep(30_000)))).toEqual([400, -32_600]);
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_shipments_summary","arguments":{"query":${deep(25)}}}}`;
    expect((await jsonOf(await rpc(call))).result.isError).toBe(true);
    const modernDeep = JSON.stringify({ ...list, params: { _meta: { ...meta, x: 'DEEP' } } }).replace(
      '"DEEP"',
      deep(25),
    );
    expect((await rpc(modernDeep, { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/list' })).status).toBe(
      200,
    );
    const large = await rpc({ ...list, params: { x: 'x'.repeat(1_000_000) } });
    expect([large.status, (await jsonOf(large)).code]).toEqual([413, 'payload_too_large']);
  });
});

describe('batches', () => {
  it.each([undefined, '2025-03-26', '2024-11-05', '2024-10-07'])('are answered in the revision %s', async (version) => {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version };
    const answers = await jsonOf(await rpc([list, initialized, { ...ping, id: 'b' }, { ...search, id: 3 }], headers));
    expect(answers.map(({ id }: Json) => id)).toEqual([1, 'b', 3]);
    expect(answers[2].result.structuredContent.total).toBe(0);
  });

  it.each(['2025-06-18', '2025-11-25'])('are rejected in the revision %s', async (version) => {
    expect(await codeOf(await rpc([list], { 'mcp-protocol-version': version }))).toEqual([400, -32_600]);
  });

  it('get one error if no message is valid', async () => {
    expect(await codeOf(await rpc([1, {}, [ping]]))).toEqual([400, -32_600]);
  });

  it('contain 1 to 10 messages and no initialize', async () => {
    expect(await jsonOf(await rpc(Array.from({ length: 10 }, () => ping)))).toHaveLength(10);
    for (const batch of [[], Array.from({ length: 11 }, () => ping), [ping, initialize('2025-03-26')]]) {
      expect(await codeOf(await rpc(batch))).toEqual([400, -32_600]);
    }
  });

  it('return a list for one request, and an empty body for none', async () => {
    expect(await jsonOf(await rpc([ping]))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const answer = await rpc([initialized, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  });

  it('answer each message, including duplicate IDs and invalid messages', async () => {
    const answers = await jsonOf(await rpc([ping, 1, ping, { jsonrpc: '2.0', id: 4 }, { ...ping, method: 'nothing' }]));
    expect(answers.map(({ id, error }: Json) => [id, error?.code])).toEqual([
      [1, undefined],
      [null, -32_600],
      [1, undefined],
      [4, -32_600],
      [1, -32_601],
    ]);
  });

  it('are returned as one server-sent event', async () => {
    const answer = await rpc([ping, list], { accept: 'text/event-stream' });
    const text = await answer.text();
    expect(JSON.parse(/^event: message\ndata: (.*)\n\n$/.exec(text)?.[1] ?? '')).toHaveLength(2);
  });
});

describe('HTTP', () => {
  it.each([
    [null, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/*', 'application/json'],
    ['image/png', 'application/json'],
    ['', 'application/json'],
    ['application/json, text/event-stream;q=0', 'application/json'],
    ['application/json, text/event-stream', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
    ['TEXT/Event-Stream ; Q=0.1 , application/JSON', 'text/event-stream'],
  ])('answers Accept %j as %s', async (accept, mediaType) => {
    const body = JSON.stringify(list);
    const lines = [
      'POST /v1/mcp HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${api.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...(accept === null ? [] : [`Accept: ${accept}`]),
    ];
    const answer = await sendRaw(api.url, head(lines) + body);
    expect([answer.status, answer.headers['content-type']?.split(';')[0]]).toEqual([200, mediaType]);
  });

  it('returns errors as JSON, regardless of Accept', async () => {
    const answer = await rpc('{', { accept: 'text/event-stream' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
  });

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s returns 405 with Allow before its body is read, and 401 without a key',
    async (method) => {
      // The body is never sent, so a server that waited for it would not answer.
      const lines = [
        `${method} /v1/mcp HTTP/1.1`,
        'Host: localhost',
        'Content-Type: application/json',
        'Content-Length: 9',
      ];
      const answer = await sendRaw(
        api.url,
        head([...lines, `Authorization: Bearer ${api.key}`, 'Accept: text/event-stream']),
      );
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
      expect((await sendRaw(api.url, head(lines))).status).toBe(401);
    },
  );

  it('neither issues nor echoes a session ID', async () => {
    for (const message of [initialize('2025-06-18'), list, initialized]) {
      const answer = await rpc(message, { 'mcp-session-id': 'mine', 'last-event-id': '7' });
      expect(answer.status).toBeLessThan(300);
      expect(answer.headers.has('mcp-session-id')).toBe(false);
    }
  });

  it('requests the key and advertises no OAuth', async () => {
    const without = await fetch(`${api.url}/v1/mcp`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="landfall"']);
    const wrong = await rpc(list, { authorization: 'Bearer nothing' });
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([401, 'application/problem+json; charset=utf-8']);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="landfall", error="invalid_token"');
    const wellKnown = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'];
    const paths = wellKnown.flatMap((name) => [`/.well-known/${name}`, `/.well-known/${name}/v1/mcp`]);
    for (const path of [...paths, '/register', '/authorize', '/token']) {
      for (const authorization of ['', `Bearer ${api.key}`]) {
        expect((await fetch(api.url + path, { headers: { authorization } })).status).toBe(404);
      }
    }
    expect((await api.request('/v1/mcp/.well-known/openid-configuration')).status).toBe(404);
  });

  it('requires the scope', async () => {
    const { secret } = await api.createKey({ scopes: ['shipments:write'] });
    const answer = await rpc(list, { authorization: `Bearer ${secret}` });
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([403, 'insufficient_scope']);
  });

  it.each([
    ['Origin: https://evil.example', 'origin_not_allowed'],
    ['Origin: null', 'origin_not_allowed'],
    ['Origin: http://localhost.evil.example', 'origin_not_allowed'],
    ['Host: rebound.example', 'host_not_allowed'],
    ['Host: localhost@evil.example', 'host_not_allowed'],
  ])('rejects %s before the body is read', async (line, code) => {
    const lines = ['POST /v1/mcp HTTP/1.1', ...(line.startsWith('Host') ? [] : ['Host: localhost']), line];
    const rest = [`Authorization: Bearer ${api.key}`, 'Content-Type: application/json', 'Content-Length: 9'];
    const answer = await sendRaw(api.url, head([...lines, ...rest]));
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, code]);
  });

  it.each(['http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:3000'])(
    'accepts the origin %s',
    async (origin) => {
      expect((await rpc(list, { origin })).status).toBe(200);
    },
  );

  it('accepts only JSON', async () => {
    for (const type of ['text/plain', 'application/x-ndjson', 'application/json-seq']) {
      expect((await rpc(list, { 'content-type': type })).status).toBe(415);
    }
    expect((await rpc(list, { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
  });
});
