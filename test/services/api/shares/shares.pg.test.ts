import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const secretReference = 'PO-SECRET-7741';
const secretTag = 'secret-tag';
const secretMetadata = 'secret-buyer';
let api: TestApi;
let pusher: { authorization: string };
let publisher: { authorization: string };
let owner: SignedInMember;

beforeAll(async () => {
  api = await startTestApi({ PUBLIC_BASE_URL: 'https://track.example.test' }, { openDatabase: ownDatabase });
  pusher = { authorization: `Bearer ${(await api.createKey({ scopes: ['events:write'] })).secret}` };
  publisher = { authorization: `Bearer ${(await api.createKey({ scopes: ['shares:write'] })).secret}` };
  owner = await signedIn(api, 'owner', 'sharing');
});
afterAll(() => api.close());

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const event = (code: string, unlocode: string, hours: number, more: object = {}) => ({
  source_name: 'acme-line',
  code,
  time: { at: hoursFromNow(hours) },
  location: { unlocode },
  ...more,
});

async function registered(events: object[] = []): Promise<Json> {
  const answer = await api.post('/v1/shipments', {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
    reference: `${secretReference}-${uniqueNumber()}`,
    tags: [secretTag],
    metadata: { buyer: secretMetadata },
    tracking: { mode: 'pushed' },
  });
  expect(answer.status, await answer.clone().text()).toBe(201);
  const shipment = await jsonOf(answer);
  if (events.length > 0) {
    const pushed = await api.post(`/v1/shipments/${shipment.shipment_id}/events`, { events }, pusher);
    const { results } = await jsonOf(pushed);
    expect(
      results.map((result: Json) => result.outcome),
      JSON.stringify(results),
    ).toEqual(events.map(() => 'added'));
  }
  return shipment;
}

const atSea = () =>
  registered([
    event('loaded', 'CNSHA', -80),
    event('departed', 'CNSHA', -72),
    event('arrived', 'NLRTM', 480, { classifier: 'estimated' }),
  ]);

const shared = async (shipmentId: string, body: object = {}) => {
  const answer = await api.post(`/v1/shipments/${shipmentId}/shares`, body, publisher);
  expect(answer.status, await answer.clone().text()).toBe(201);
  return jsonOf(answer);
};
const pathOf = ({ url }: { url: string }) => new URL(url).pathname;
const open = (path: string, init: RequestInit = {}) => fetch(`${api.url}${path}`, { redirect: 'manual', ...init });
const revoke = (shareId: string) => api.request(`/v1/shares/${shareId}`, { method: 'DELETE', headers: publisher });

describe('a share', () => {
  it('needs a scope of its own', async () => {
    const { shipment_id: id } = await registered();
    const share = await shared(id);
    const refused = await api.post(`/v1/shipments/${id}/shares`, {});
    expect([refused.status, (await jsonOf(refused)).code]).toEqual([403, 'insufficient_scope']);
    expect((await api.request(`/v1/shares/${share.share_id}`, { method: 'DELETE' })).status).toBe(403);
  });

  it('opens a page that shows the journey and no data of the account', async () => {
    const shipment = await atSea();
    const share = await shared(shipment.shipment_id);
    expect(share).toMatchObject({
      object: 'share',
      state: 'active',
      shows: [],
      has_password: false,
      expires_at: null,
      expires_after_days: 30,
    });
    expect(share.url).toMatch(/^https:\/\/track\.example\.test\/t\/[\w-]{22}$/);
    const answer = await open(pathOf(share));
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('In transit');
    expect(text).toContain('Shanghai');
    expect(text).toContain('Rotterdam');
    expect(text).toContain('<svg');
    for (const hidden of [shipment.identifiers.mbl, secretReference, secretTag, secretMetadata, shipment.shipment_id])
      expect(text).not.toContain(hidden);
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  it('shows the parts that the owner has chosen', async () => {
    const shipment = await atSea();
    const shows = ['identifiers', 'carrier', 'reference', 'tags', 'metadata'];
    const text = await (await open(pathOf(await shared(shipment.shipment_id, { shows })))).text();
    for (const shown of [shipment.identifiers.mbl, shipment.reference, secretTag, secretMetadata])
      expect(text).toContain(shown);
  });

  it('is listed without its address, and ends for good when it is revoked', async () => {
    const { shipment_id: id } = await atSea();
    const { url: _url, ...share } = await shared(id, { label: 'Customer' });
    const listed = () => api.request(`/v1/shipments/${id}/shares`).then(jsonOf);
    expect((await listed()).data).toEqual([share]);
    expect((await open(new URL(_url).pathname)).status).toBe(200);
    expect((await revoke(share.share_id)).status).toBe(204);
    expect((await revoke(share.share_id)).status).toBe(204);
    expect((await open(new URL(_url).pathname)).status).toBe(404);
    expect((await listed()).data).toMatchObject([{ share_id: share.share_id, state: 'revoked' }]);
  });

  it('expires some days after the shipment has closed', async () => {
    const shipment = await atSea();
    const share = await shared(shipment.shipment_id, { expires_after_days: 2 });
    await api.post(
      `/v1/shipments/${shipment.shipment_id}/events`,
      { events: [event('delivered', 'NLRTM', -1)] },
      pusher,
    );
    expect((await open(pathOf(share))).status).toBe(200);
    await move(shipment.shipment_id, 3);
    const [listed] = (await jsonOf(await api.request(`/v1/shipments/${shipment.shipment_id}/shares`))).data;
    expect(listed).toMatchObject({ state: 'expired', expires_after_days: 2 });
    expect((await open(pathOf(share))).status).toBe(404);
  });

  it.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ expires_at: '2999-01-01', expires_after_days: 3 }, '/expires_after_days'],
    [{ shows: ['everything'] }, '/shows/0'],
    [{ password: 'short' }, '/password'],
  ])('refuses %j and names the field', async (body, pointer) => {
    const { shipment_id: id } = await registered();
    const answer = await api.post(`/v1/shipments/${id}/shares`, body, publisher);
    expect(answer.status).toBe(400);
    expect((await jsonOf(answer)).errors[0].pointer).toBe(pointer);
  });

  it('is refused beyond 20 active ones', async () => {
    const { shipment_id: id } = await registered();
    const create = async () => (await api.post(`/v1/shipments/${id}/shares`, {}, publisher)).status;
    for (let made = 0; made < 19; made++) expect(await create()).toBe(201);
    expect((await Promise.all([create(), create()])).sort()).toEqual([201, 409]);
  });
});

/** Moves the closing of a shipment into the past. */
async function move(shipmentId: string, days: number): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const { readShipmentId } = await import('#shared/contract/record/shipment-id.ts');
  await client.query('alter table landfall.shipments no force row level security');
  const { rowCount } = await client.query(
    'update landfall.shipments set closed_at = now() - make_interval(days => $2) where id = $1',
    [readShipmentId(shipmentId), days],
  );
  await client.query('alter table landfall.shipments force row level security');
  await client.end();
  expect(rowCount).toBe(1);
}

describe('a link that opens nothing', () => {
  it('gets the same answer for every cause', async () => {
    const fresh = await startTestApi({}, { openDatabase: ownDatabase, failedSignInsPerMinute: 1_000_000 });
    try {
      const { secret } = await fresh.createKey({ scopes: ['shipments:write', 'shares:write'] });
      const headers = { authorization: `Bearer ${secret}` };
      const post = (path: string, body: object) => fresh.post(path, body, headers);
      const { shipment_id: id } = await jsonOf(
        await post('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } }),
      );
      const revoked = await jsonOf(await post(`/v1/shipments/${id}/shares`, {}));
      await fresh.request(`/v1/shares/${revoked.share_id}`, { method: 'DELETE', headers });
      const soon = new Date(Date.now() + 1500).toISOString();
      const expired = await jsonOf(await post(`/v1/shipments/${id}/shares`, { expires_at: soon }));
      await expect.poll(async () => (await fetch(`${fresh.url}${pathOf(expired)}`)).status).toBe(404);
      const random = Array.from({ length: 60 }, () =>
        Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url'),
      );
      const malformed = ['', 'x', '%ff', '%00', 'a'.repeat(3000), '../../v1/me', '..%2f', "' or 1=1", 'a/b/c', 'é'];
      const paths = [pathOf(revoked), pathOf(expired), ...[...random, ...malformed].map((token) => `/t/${token}`)];
      const answers = await Promise.all(
        paths.map(async (path) => {
          const answer = await fetch(`${fresh.url}${path.replace('../../', '..%2f..%2f')}`);
          const headers = Object.fromEntries(answer.headers);
          for (const name of ['date', 'x-request-id', 'traceparent']) delete headers[name];
          return { status: answer.status, headers, text: await answer.text() };
        }),
      );
      const different = new Set(answers.map((answer) => JSON.stringify(answer)));
      expect(
        [...different]
          .map((answer) => JSON.parse(answer))
          .map(({ status, headers }) => ({ status, headers }))
          .slice(1),
      ).toEqual([]);
      expect(different.size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404 });
    } finally {
      await fresh.close();
    }
  });

  it('is limited by address, and valid links are not', async () => {
    const fresh = await startTestApi(
      { REDIS_URL: '' },
      { openDatabase: ownDatabase, failedSignInsPerMinute: 5, limitWindowS: 3600, limitTimeoutMs: 60_000 },
    );
    try {
      const { shipment_id: id } = await jsonOf(
        await fresh.post('/v1/shipments', {
          transport_mode: 'ocean',
          carrier: 'MAEU',
          identifiers: { mbl: uniqueNumber() },
        }),
      );
      const { secret } = await fresh.createKey({ scopes: ['shares:write'] });
      const headers = { authorization: `Bearer ${secret}` };
      const valid = await jsonOf(await fresh.post(`/v1/shipments/${id}/shares`, {}, headers));
      const statuses: number[] = [];
      for (let turn = 0; turn < 8; turn++) statuses.push((await fetch(`${fresh.url}/t/wrong-${turn}`)).status);
      expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429, 429]);
      expect((await fetch(`${fresh.url}${pathOf(valid)}`)).status).toBe(200);
    } finally {
      await fresh.close();
    }
  });

  it('ends with SHARED_PAGES=off', async () => {
    const off = await startTestApi({ SHARED_PAGES: 'off', DATABASE_URL: api.serviceUrl });
    try {
      const share = await shared((await registered()).shipment_id);
      expect((await fetch(`${api.url}${pathOf(share)}`)).status).toBe(200);
      expect((await fetch(`${off.url}${pathOf(share)}`)).status).toBe(404);
    } finally {
      await off.close();
    }
  });
});

describe('a page with a password', () => {
  it('shows nothing until the password is right, and remembers the browser', async () => {
    const { shipment_id: id } = await atSea();
    const share = await shared(id, { password: 'correct horse' });
    const path = pathOf(share);
    const asked = await open(path);
    expect(asked.status).toBe(200);
    const form = await asked.text();
    expect(form).toContain('type="password"');
    for (const hidden of ['Shanghai', 'Rotterdam', 'In transit']) expect(form).not.toContain(hidden);
    const send = (password: string) => open(path, { method: 'POST', body: new URLSearchParams({ password }) });
    const wrong = await send('wrong horse');
    expect(wrong.status).toBe(403);
    expect(await wrong.text()).toContain('not correct');
    const right = await send('correct horse');
    expect(right.status).toBe(303);
    const [cookie = ''] = right.headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`; Path=${path}; .*HttpOnly; SameSite=Lax`));
    const shown = await open(path, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(await shown.text()).toContain('Rotterdam');
    const other = await shared(id, { password: 'other horse' });
    const foreign = await open(pathOf(other), { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(await foreign.text()).not.toContain('Rotterdam');
  });

  it('opens with the right password while other addresses send many wrong ones', async () => {
    const fresh = await startTestApi(
      { DATABASE_URL: api.serviceUrl, REDIS_URL: '' },
      { failedSignInsPerMinute: 5, limitWindowS: 3600, limitTimeoutMs: 60_000 },
    );
    try {
      const share = await shared((await atSea()).shipment_id, { password: 'correct horse' });
      const ofPage = `shared-password:${decodeTypeId('shr', share.share_id)}`;
      for (let wrong = 0; wrong < 100; wrong += 1) await fresh.ctx.limiter.admit(ofPage, 100);
      const send = async (password: string) => {
        const body = new URLSearchParams({ password });
        return (await fetch(`${fresh.url}${pathOf(share)}`, { method: 'POST', body, redirect: 'manual' })).status;
      };
      expect(await send('correct horse')).toBe(303);
      const statuses: number[] = [];
      for (let tries = 0; tries < 4; tries += 1) statuses.push(await send('wrong horse'));
      expect(statuses).toEqual([403, 403, 403, 429]);
    } finally {
      await fresh.close();
    }
  });

  it('sends networks that fetch its picture no data of the shipment', async () => {
    const { shipment_id: id } = await atSea();
    const other = await registered([event('departed', 'DEHAM', -20)]);
    const pictures = await Promise.all(
      [
        await shared(id, { password: 'correct horse' }),
        await shared(other.shipment_id, { password: 'correct horse' }),
      ].map(async (share) =>
        Buffer.from(await (await open(`${pathOf(share)}/picture.png`)).arrayBuffer()).toString('base64'),
      ),
    );
    expect(pictures[0]).toBe(pictures[1]);
  });
});

it('draws a picture of 1200 × 630 for chats', async () => {
  const answer = await open(`${pathOf(await shared((await atSea()).shipment_id))}/picture.png`);
  expect(answer.headers.get('content-type')).toBe('image/png');
  const png = Buffer.from(await answer.arrayBuffer());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
});

describe('settings', () => {
  const ask = (method: string, body?: unknown, more = '') =>
    owner.ask(`/dashboard/api/share-settings${more}`, { method, ...(body === undefined ? {} : { body }) });
  const logo = (mediaType: string, bytes: Buffer | string) =>
    ask('PUT', { media_type: mediaType, data: Buffer.from(bytes).toString('base64') }, '/logo');

  it('are defaults at first, and are changed by owners alone', async () => {
    expect((await ask('GET')).body).toMatchObject({ enabled: true, name: null, shows: [], expires_after_days: 30 });
    const changed = await ask('PATCH', {
      name: 'ACME & Sons',
      accent_color: '#0A5FFF',
      embed_origins: ['https://acme.test/'],
    });
    expect(changed.body).toMatchObject({
      name: 'ACME & Sons',
      accent_color: '#0a5fff',
      embed_origins: ['https://acme.test'],
    });
    const viewer = await signedIn(api, 'viewer', 'sharing');
    expect((await viewer.ask('/dashboard/api/share-settings', { method: 'PATCH', body: { name: 'x' } })).status).toBe(
      403,
    );
  });

  it('turn all pages of the account off and on', async () => {
    const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } };
    const created = await owner.ask('/dashboard/api/v1/shipments', { method: 'POST', body });
    const share = () =>
      owner.ask(`/dashboard/api/v1/shipments/${created.body.shipment_id}/shares`, { method: 'POST', body: {} });
    const path = pathOf((await share()).body);
    expect((await ask('PATCH', { public_pages: false })).body).toMatchObject({ public_pages: false });
    expect((await open(path)).status).toBe(404);
    expect((await share()).status).toBe(409);
    expect((await ask('PATCH', { public_pages: true })).body).toMatchObject({ public_pages: true });
    expect((await open(path)).status).toBe(200);
  });

  it('brand the pages of the account, and let named sites alone embed them', async () => {
    const created = await owner.ask('/dashboard/api/v1/shipments', {
      method: 'POST',
      body: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } },
    });
    const share = await owner.ask(`/dashboard/api/v1/shipments/${created.body.shipment_id}/shares`, {
      method: 'POST',
      body: {},
    });
    await ask('PATCH', { name: 'ACME & Sons', embed_origins: ['https://acme.test'] });
    const page = await open(pathOf(share.body));
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await page.text()).toContain('ACME &amp; Sons');
    const embedded = await open(`${pathOf(share.body)}?embed=1`);
    expect(embedded.headers.get('content-security-policy')).toContain('frame-ancestors https://acme.test');
    expect(await embedded.text()).not.toContain('<header>');
  });

  it('take a logo and serve it as a picture that Landfall has drawn', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10" fill="#0a5fff"/></svg>';
    expect((await logo('image/svg+xml', svg)).body).toMatchObject({ has_logo: true });
    const { body } = await logo('image/png', pngOf(8, 4));
    expect(body.logo).toMatch(/^data:image\/png;base64,/);
    expect((await ask('DELETE', undefined, '/logo')).body).toMatchObject({ has_logo: false });
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['an entity', '<!DOCTYPE svg [<!ENTITY a "b">]>'],
    ['a file', '<image href="/etc/passwd"/>'],
    ['another site', '<use href="https://evil.test/x.svg#a"/>'],
    ['a style that loads', '<style>@import url(https://evil.test/x.css)</style>'],
    ['a fill that loads', '<rect fill="url(https://evil.test/x)"/>'],
    ['foreign objects', '<foreignObject><p>x</p></foreignObject>'],
    ['an endless filter', '<filter id="f"><feTurbulence/></filter>'],
    ['5,000 elements', '<g/>'.repeat(5000)],
    ['an open element', '<g>'],
  ])('refuse a logo with %s', async (_what, part) => {
    const [head, tail] = part.startsWith('<!') ? [part, ''] : ['', part];
    const svg = `${head}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${tail}</svg>`;
    const refused = await logo('image/svg+xml', svg);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toMatchObject({ pointer: '/data', code: 'invalid_image' });
  });

  it('refuse a PNG of a million times a million pixels, and files that are no PNG', async () => {
    const bomb = pngOf(8, 4);
    bomb.writeUInt32BE(1_000_000, 16);
    bomb.writeUInt32BE(1_000_000, 20);
    expect((await logo('image/png', bomb)).status).toBe(400);
    expect((await logo('image/png', 'GIF89a')).status).toBe(400);
    expect((await logo('image/png', pngOf(8, 4).subarray(0, 40))).status).toBe(400);
  });
});

/** A PNG of one color (RFC 2083), written here so that no encoder of ours evaluates itself. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const sized = Buffer.alloc(8);
    sized.writeUInt32BE(data.length, 0);
    sized.writeUInt32BE(crc32Of(body), 4);
    return Buffer.concat([sized.subarray(0, 4), body, sized.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3), 0x55);
  for (let row = 0; row < height; row++) rows[row * (1 + width * 3)] = 0;
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32Of(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
