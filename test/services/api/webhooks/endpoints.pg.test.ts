import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { maxEndpoints } from '#shared/domain/webhooks/endpoint.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { checkDelivery } from '#test/support/api/openapi-checks.ts';

const path = '/v1/webhook-endpoints';

let api: TestApi;
let key: string;
let receiver: Server;
let receiverUrl: string;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  api = await startTestApi();
  key = (await api.createKey({ scopes: ['webhooks:manage'] })).secret;
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(request.url === '/refuses' ? 503 : 200).end('thank you');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

afterAll(async () => {
  receiver.close();
  await api.close();
});

async function ask(method: string, address: string, body?: unknown, by = key): Promise<{ status: number; body: Json }> {
  const answer = await api.request(address, {
    method,
    headers: { authorization: `Bearer ${by}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: answer.status === 204 ? null : await jsonOf(answer) };
}

const create = async (body: object = {}, by = key) => {
  const made = await ask('POST', path, { url: `${receiverUrl}/hooks`, ...body }, by);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
};

const system = async (text: string, values: unknown[] = []) =>
  (await withAccount(api.ctx.core.store, api.accountId, (tx) => tx.query(text, values))).rows;

describe('an endpoint', () => {
  it('is created with defaults, and begins with the next change', async () => {
    const { secret, ...made } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toMatchObject({
      object: 'webhook_endpoint',
      types: ['*'],
      filter: null,
      payload: 'summary',
      api_version: 'v1',
      header_names: [],
      ordering: 'none',
      rate_per_second: null,
      timeout_seconds: 10,
      test: false,
      state: 'enabled',
      backlog: { changes: 0, waiting: 0 },
      previous_secret_until: null,
    });
    expect((await ask('GET', `${path}/${made.webhook_endpoint_id}`)).body).toEqual(made);
    const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU712345678' } };
    await api.post('/v1/shipments', body);
    await sequenceChanges(api.ctx.core);
    const now = (await ask('GET', `${path}/${made.webhook_endpoint_id}`)).body;
    expect([now.position, now.backlog.changes]).toEqual([made.position, 1]);
  });

  it('shows its secret and the values of its headers in no other response, log line or row', async () => {
    const { secret, webhook_endpoint_id: id } = await create({ headers: { 'X-Token': 'value-of-a-header' } });
    const read = (await ask('GET', `${path}/${id}`)).body;
    expect(read.header_names).toEqual(['X-Token']);
    const rotated = (await ask('POST', `${path}/${id}/rotate-secret`, {})).body;
    expect(rotated.secret).not.toBe(secret);
    const shown = [
      read,
      (await ask('GET', path)).body,
      (await ask('PATCH', `${path}/${id}`, { description: 'shown' })).body,
      await system('select * from landfall.audit'),
      (await system('select row_to_json(e)::text as row from landfall.webhook_endpoints as e')).map(({ row }) => row),
      api.logLines,
    ];
    for (const hidden of [secret, rotated.secret, secret.slice(6), 'value-of-a-header'])
      expect(JSON.stringify(shown)).not.toContain(hidden);
  });

  it('keeps omitted fields in an update, merges headers without case, and removes with null', async () => {
    const { webhook_endpoint_id: id } = await create({
      description: 'first',
      types: ['shipment.delivered'],
      filter: { late: true },
      headers: { 'X-One': '1', 'X-Two': '2' },
    });
    const renamed = (await ask('PATCH', `${path}/${id}`, { headers: { 'x-one': 'i', 'X-Three': '3', 'X-TWO': null } }))
      .body;
    expect(renamed).toMatchObject({
      description: 'first',
      types: ['shipment.delivered'],
      filter: { late: true },
      header_names: ['x-one', 'X-Three'],
    });
    const emptied = await ask('PATCH', `${path}/${id}`, {
      description: null,
      types: ['*'],
      filter: null,
      headers: null,
      rate_per_second: 5,
    });
    expect(emptied.body).toMatchObject({
      description: null,
      types: ['*'],
      filter: null,
      header_names: [],
      rate_per_second: 5,
    });
  });

  it('is disabled and enabled again, which may be repeated, and continues where it stopped', async () => {
    const { webhook_endpoint_id: id, position } = await create();
    const disabled = (await ask('POST', `${path}/${id}/disable`)).body;
    expect(disabled).toMatchObject({ state: 'disabled', disabled_reason: 'requested' });
    expect((await ask('POST', `${path}/${id}/disable`)).body).toEqual(disabled);
    await system('update landfall.webhook_cursors set failing_since = now() where endpoint_id is not null');
    const enabled = (await ask('POST', `${path}/${id}/enable`)).body;
    expect(enabled).toMatchObject({ state: 'enabled', disabled_at: null, disabled_reason: null, position });
    await ask('POST', `${path}/${id}/disable`);
    await withGiven(1000, async () => {
      expect((await ask('POST', `${path}/${id}/enable`, { skip_missed: true })).body.position).toBe(1000);
    });
    const [{ epoch }] = (await system(
      'select epoch from landfall.webhook_cursors order by epoch desc limit 1',
    )) as Json;
    expect(epoch).toBe(2);
  });

  it('has two secrets during a rotation, and one after it', async () => {
    const { webhook_endpoint_id: id } = await create();
    const rotated = (await ask('POST', `${path}/${id}/rotate-secret`)).body;
    const hours = (Date.parse(rotated.previous_secret_until) - Date.parse(rotated.secret_created_at)) / 3_600_000;
    expect(hours).toBeCloseTo(24, 3);
    await ask('POST', `${path}/${id}/test`);
    expect(received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    await ask('POST', `${path}/${id}/rotate-secret`, { overlap_hours: 0 });
    await ask('POST', `${path}/${id}/test`);
    expect(received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });

  it('is deleted with its replays, and is then not found', async () => {
    const { webhook_endpoint_id: id } = await create();
    await ask('POST', `${path}/${id}/replay`, { to: 0 });
    expect((await ask('DELETE', `${path}/${id}`)).status).toBe(204);
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', ''],
      ['POST', '/test'],
      ['GET', '/stats'],
    ] as const) {
      const answer = await ask(method, `${path}/${id}${rest}`, method === 'PATCH' ? {} : undefined);
      expect([answer.status, answer.body.code], rest).toEqual([404, 'webhook_endpoint_not_found']);
    }
  });

  it('is one of fifty at most, of both modes together', async () => {
    const other = await api.createKey({ scopes: ['webhooks:manage'], test: true });
    const [{ count }] = (await system('select count(*)::integer as count from landfall.webhook_endpoints')) as Json;
    const left = maxEndpoints - count;
    const made = await Promise.all(
      Array.from({ length: left + 3 }, (_, turn) =>
        ask('POST', path, { url: receiverUrl }, turn % 2 === 0 ? key : other.secret),
      ),
    );
    const statuses = made.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(left);
    expect(made.find(({ status }) => status !== 201)?.body).toMatchObject({
      code: 'invalid_state',
      detail: 'The account has 50 webhook endpoints, and 50 is the maximum. Delete one that is not needed.',
    });
    for (const { body } of made.filter(({ status }) => status === 201))
      await ask('DELETE', `${path}/${body.webhook_endpoint_id}`, undefined, body.test ? other.secret : key);
  });

  it('is listed page by page, newest first, in its own mode', async () => {
    const tester = (await api.createKey({ scopes: ['webhooks:manage'], test: true })).secret;
    const made: string[] = [];
    for (let turn = 0; turn < 5; turn++) made.unshift((await create({}, tester)).webhook_endpoint_id);
    const ids: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`, undefined, tester);
      ids.push(...body.data.map((one: Json) => one.webhook_endpoint_id));
      cursor = body.page.next_cursor ?? '';
    } while (cursor !== '');
    expect(ids).toEqual(made);
    expect((await ask('GET', `${path}/${made[0]}`)).body.code).toBe('webhook_endpoint_not_found');
    for (const id of made) await ask('DELETE', `${path}/${id}`, undefined, tester);
  });

  it('leaves an entry in the audit log for each change', async () => {
    const { webhook_endpoint_id: id } = await create();
    await ask('PATCH', `${path}/${id}`, { description: 'audited' });
    await ask('POST', `${path}/${id}/rotate-secret`);
    await ask('POST', `${path}/${id}/disable`);
    await ask('POST', `${path}/${id}/enable`);
    await ask('POST', `${path}/${id}/replay`, { to: 0 });
    await ask('DELETE', `${path}/${id}`);
    const rows = await system(
      `select action, actor, subject_type, detail from landfall.audit
       where subject_id = (
         select subject_id from landfall.audit where action = 'webhook_endpoint.deleted' order by id desc limit 1
       )
       order by id`,
    );
    expect(rows.map(({ action }) => action.replace('webhook_endpoint.', ''))).toEqual([
      'created',
      'updated',
      'secret_rotated',
      'disabled',
      'enabled',
      'replayed',
      'deleted',
    ]);
    expect(rows[1]).toMatchObject({ subject_type: 'webhook_endpoint', detail: { changed: ['description'] } });
  });
});

/** With another end of the feed, which is put back afterwards. */
async function withGiven(given: number, fn: () => Promise<void>): Promise<void> {
  const set = (to: number) =>
    withSystem(api.ctx.core.store, (tx) =>
      tx.query(
        `with former as (select given from landfall.account_feeds where account_id = $1)
         insert into landfall.account_feeds as f (account_id, given) values ($1, $2)
         on conflict (account_id) do update set given = excluded.given
         returning (select given from former) as former`,
        [api.accountId, to],
      ),
    );
  const { rows } = await set(given);
  await fn();
  await set(rows[0]?.former ?? 0);
}

describe('a test', () => {
  it('is sent at once, signed, with the custom headers, and returns the response', async () => {
    const { webhook_endpoint_id: id } = await create({ headers: { 'x-secret': 'hush' } });
    const { status, body } = await ask('POST', `${path}/${id}/test`);
    expect(status).toBe(200);
    const got = received.at(-1);
    if (got !== undefined) checkDelivery(got);
    expect(got?.headers).toMatchObject({ 'x-secret': 'hush', 'webhook-id': body.webhook_id });
    expect(JSON.parse(got?.body ?? '')).toEqual({
      type: 'webhook.test',
      timestamp: body.tried_at,
      data: { webhook_endpoint: { webhook_endpoint_id: id, url: `${receiverUrl}/hooks` } },
    });
    expect(body).toMatchObject({ type: 'webhook.test', outcome: 'delivered', status: 200, position: null, tries: 1 });
    expect(body.every_try).toMatchObject([{ status: 200, error: null, answer: 'thank you' }]);
    expect(body.request.body).toBe(got?.body);
    expect(body.request.headers).toMatchObject({
      'x-secret': '***',
      'webhook-signature': got?.headers['webhook-signature'],
    });
    const [listed] = (await ask('GET', `${path}/${id}/deliveries`)).body.data;
    expect(listed.delivery_id).toBe(body.delivery_id);
    expect((await ask('POST', `${path}/${id}/deliveries/${body.delivery_id}/resend`)).body.detail).toBe(
      'A test cannot be sent again. Send another test.',
    );
  });

  it('reports why it failed, and leaves the state of the endpoint', async () => {
    const refusing = await create({ url: `${receiverUrl}/refuses` });
    const refused = (await ask('POST', `${path}/${refusing.webhook_endpoint_id}/test`)).body;
    expect(refused).toMatchObject({ outcome: 'exhausted', status: 503, detail: 'The receiver responded with 503.' });
    const closed = await create({ url: 'http://127.0.0.1:9/hooks' });
    const { body } = await ask('POST', `${path}/${closed.webhook_endpoint_id}/test`);
    expect(body).toMatchObject({
      outcome: 'exhausted',
      status: null,
      error: 'connection_refused',
      detail: 'The host refused the connection.',
    });
    expect((await ask('GET', `${path}/${closed.webhook_endpoint_id}`)).body).toMatchObject({
      state: 'enabled',
      consecutive_failures: 0,
    });
  });
});
