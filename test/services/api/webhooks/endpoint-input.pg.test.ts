import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeTypes } from '#shared/domain/feed/change-types.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
let live: string;
let test: string;

beforeAll(async () => {
  api = await startTestApi(
    { WEBHOOK_ALLOW_HTTP: '0', WEBHOOK_ALLOWED_NETWORKS: '' },
    {
      resolveName: async (name) => (name === 'inside.example.com' ? ['93.184.216.34', '10.0.0.7'] : ['93.184.216.34']),
    },
  );
  live = (await api.createKey({ scopes: ['webhooks:manage'] })).secret;
  test = (await api.createKey({ scopes: ['webhooks:manage'], test: true })).secret;
});
afterAll(() => api.close());

const send = async (method: string, address: string, body: unknown, key: string) => {
  const answer = await api.request(address, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await jsonOf(answer) };
};
const create = (body: object, key = live) =>
  send('POST', '/v1/webhook-endpoints', { url: 'https://example.com/hooks', ...body }, key);

/** The mistakes in a refused body, as `pointer code`, and the texts. */
async function refusal(body: object, key = live): Promise<{ errors: string[]; detail: string }> {
  const answer = await create(body, key);
  expect(answer.status, JSON.stringify(answer.body)).toBe(400);
  const errors = answer.body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
  return { errors, detail: answer.body.detail };
}

describe('the address of an endpoint', () => {
  it.each([
    ['http://example.com/hooks', 'invalid_url'],
    ['https://user:secret@example.com/hooks', 'invalid_url'],
    ['ftp://example.com/hooks', 'invalid_url'],
    ['/hooks', 'invalid_url'],
    ['https://127.0.0.1/hooks', 'address_forbidden'],
    ['https://0x7f.1/hooks', 'address_forbidden'],
    ['https://[::ffff:169.254.169.254]/latest', 'address_forbidden'],
    ['https://inside.example.com/hooks', 'address_forbidden'],
  ])('%s is refused at create and at update', async (url, code) => {
    const { errors, detail } = await refusal({ url });
    expect(errors).toEqual([`/url ${code}`]);
    expect(detail).not.toContain('secret');
    expect(detail).not.toContain('10.0.0.7');
    const { body: made } = await create({});
    const updated = await send('PATCH', `/v1/webhook-endpoints/${made.webhook_endpoint_id}`, { url }, live);
    expect([updated.status, updated.body.errors[0].pointer]).toEqual([400, '/url']);
    await api.request(`/v1/webhook-endpoints/${made.webhook_endpoint_id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${live}` },
    });
  });

  it('has at most 2,048 characters', async () => {
    expect((await refusal({ url: `https://example.com/${'x'.repeat(2048)}` })).errors).toEqual(['/url too_long']);
  });

  it('may be http on this machine for a test key only', async () => {
    expect((await create({ url: 'http://127.0.0.1:3000/hooks' }, test)).status).toBe(201);
    expect((await refusal({ url: 'http://127.0.0.1:3000/hooks' })).errors).toEqual(['/url invalid_url']);
  });
});

describe('the selection of an endpoint', () => {
  it('suggests the type that was meant', async () => {
    const { errors, detail } = await refusal({ types: ['shipment.eta_change'] });
    expect(errors).toEqual(['/types/0 invalid_value']);
    expect(detail).toContain('Did you mean shipment.eta_changed?');
    expect((await create({ types: ['shipment.delivered', 'shipment.delivered'] })).body.types).toEqual([
      'shipment.delivered',
    ]);
    expect((await create({ types: [...changeTypes, '*'] })).body.types).toEqual(['*']);
  });

  it('accepts the filter of the list with arrays for lists, and names each mistake in it', async () => {
    const filter = { transport_mode: ['ocean'], destination: ['NLRTM'], late: true, metadata: { buyer: ['acme'] } };
    expect((await create({ filter })).body.filter).toEqual(filter);
    const { errors, detail } = await refusal({
      filter: { statuss: ['arrived'], carrier: ['NOBODY'], eta_from: 'soon', late: 'yes', status: 'arrived' },
    });
    expect(errors.toSorted()).toEqual([
      '/filter/carrier/0 unknown_carrier',
      '/filter/eta_from invalid_format',
      '/filter/late wrong_type',
      '/filter/status wrong_type',
      '/filter/statuss unknown_field',
    ]);
    expect(detail).toContain('Unknown field: statuss. Did you mean status?');
    expect((await create({ filter: {} })).body.filter).toBeNull();
  });

  it('refuses a filter that can never match, and names the contradiction', async () => {
    const reversed = await refusal({ filter: { eta_from: '2026-05-01', eta_to: '2026-04-01' } });
    expect(reversed).toEqual({
      errors: ['/filter/eta_to contradiction'],
      detail: 'In filter: eta_to is before eta_from.',
    });
    expect((await refusal({ filter: { exception: ['delayed'], has_exception: false } })).errors).toEqual([
      '/filter/has_exception contradiction',
    ]);
    expect((await refusal({ types: ['webhook.disabled'], filter: { late: true } })).errors).toEqual([
      '/filter contradiction',
    ]);
  });

  it('refuses an update that selects nothing together with the stored selection', async () => {
    const { body: made } = await create({ filter: { late: true } });
    const address = `/v1/webhook-endpoints/${made.webhook_endpoint_id}`;
    expect((await send('PATCH', address, { types: ['webhook.disabled'] }, live)).body.errors[0].code).toBe(
      'contradiction',
    );
  });
});

describe('custom headers', () => {
  it.each([
    [{ 'x-a\r\nset-cookie': 'b' }, 'invalid_name'],
    [{ 'x a': 'b' }, 'invalid_name'],
    [{ '': 'b' }, 'invalid_name'],
    [{ 'x-a': 'b\r\nx-c: d' }, 'invalid_text'],
    [{ 'x-a': 'b\n' }, 'invalid_text'],
    [{ 'x-a': 'ü' }, 'invalid_text'],
    [{ 'x-a': '' }, 'invalid_text'],
    [{ 'Content-Length': '3' }, 'reserved_name'],
    [{ Host: 'example.com' }, 'reserved_name'],
    [{ 'WebHook-Signature': 'v1,x' }, 'reserved_name'],
    [{ 'Proxy-Authorization': 'x' }, 'reserved_name'],
    [{ 'x-a': '1', 'X-A': '2' }, 'repeated'],
    [{ 'x-a': 'b'.repeat(1025) }, 'too_long'],
    [Object.fromEntries(Array.from({ length: 21 }, (_, turn) => [`x-${turn}`, 'y'])), 'too_long'],
  ])('%j is refused as %s', async (headers, code) => {
    const { errors, detail } = await refusal({ headers });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.split(' ').at(-1)).toBe(code);
    expect(detail).not.toContain('v1,x');
  });

  it('are at most 20 after merging', async () => {
    const headers = Object.fromEntries(Array.from({ length: 20 }, (_, turn) => [`x-${turn}`, 'y']));
    const { body: made } = await create({ headers });
    const address = `/v1/webhook-endpoints/${made.webhook_endpoint_id}`;
    expect((await send('PATCH', address, { headers: { 'x-more': 'y' } }, live)).body.errors[0]).toMatchObject({
      pointer: '/headers',
      code: 'too_long',
    });
    expect((await send('PATCH', address, { headers: { 'x-more': 'y', 'x-0': null } }, live)).status).toBe(200);
  });
});

it('requires keys to seal secrets with, and reports missing ones', async () => {
  const without = await startTestApi({ CREDENTIAL_KEYS: '' }, { openDatabase: ownDatabase });
  try {
    const { secret } = await without.createKey({ scopes: ['webhooks:manage'] });
    const answer = await without.post(
      '/v1/webhook-endpoints',
      { url: 'https://example.com' },
      { authorization: `Bearer ${secret}` },
    );
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([409, 'invalid_state']);
  } finally {
    await without.close();
  }
});
