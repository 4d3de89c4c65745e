import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireShipmentList } from '#shared/contract/lists/list-wire.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

let numbers = 800_000_000;

async function register(changes: Record<string, unknown> = {}): Promise<string> {
  numbers += 1;
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: String(numbers) }, ...changes };
  const answer = await api.post('/v1/shipments', body);
  expect(answer.status).toBe(201);
  return (await jsonOf(answer)).shipment_id;
}

async function list(query: string): Promise<Json> {
  const answer = await api.request(`/v1/shipments?${query}`);
  const page = await jsonOf(answer);
  expect([answer.status, page.detail]).toEqual([200, undefined]);
  return wireShipmentList.parse(page);
}

const idsOf = (page: Json): string[] => page.data.map((row: { shipment_id: string }) => row.shipment_id);

describe('filters', () => {
  it('combine commas and repeated parameters with OR, and different parameters with AND', async () => {
    const first = await register({ tags: ['or-1'], reference: 'or a' });
    const second = await register({ tags: ['or-2'], reference: 'or b', carrier: 'HLCU' });
    await register({ tags: ['or-3'] });
    expect(idsOf(await list('tag=or-1,or-2&sort=created_at'))).toEqual([first, second]);
    expect(idsOf(await list('tag=or-1&tag=or-2&sort=created_at'))).toEqual([first, second]);
    expect(idsOf(await list('tag=or-1,or-2&carrier=hapag'))).toEqual([second]);
    expect(idsOf(await list('reference=or%20a,or%20b&sort=created_at'))).toEqual([first, second]);
    expect(idsOf(await list('tag=or-1,or-2&reference=none'))).toEqual([]);
  });

  it('find a reference and a tag with a comma', async () => {
    const id = await register({ tags: ['Smith, Jones'], reference: 'PO 7741, part 2' });
    const other = await register({ tags: ['comma-urgent'] });
    const query = (parameters: Record<string, string>) => list(String(new URLSearchParams(parameters)));
    expect(idsOf(await query({ reference: '"PO 7741, part 2"' }))).toEqual([id]);
    expect(idsOf(await query({ tag: 'comma-urgent,"Smith, Jones"', sort: 'created_at' }))).toEqual([id, other]);
    expect(idsOf(await query({ tag: 'Smith, Jones' }))).toEqual([]);
  });

  it('find any of several numbers, with or without the carrier’s prefix', async () => {
    const first = await register({ identifiers: { mbl: 'MAEU810000001' } });
    const second = await register({ identifiers: { booking: '810000002', hbl: 'House 81-2' } });
    expect(idsOf(await list('identifier=810000001,maeu%20810000002&sort=created_at'))).toEqual([first, second]);
    expect(idsOf(await list('mbl=MAEU810000001,810000002'))).toEqual([first]);
    expect(idsOf(await list('hbl=house812'))).toEqual([second]);
    expect(idsOf(await list('q=House%2081-2'))).toEqual([second]);
    expect(idsOf(await list('q=1000000'))).toEqual(expect.arrayContaining([first, second]));
  });

  it('accept an unescaped plus as the sign of an offset, and a date as the whole local day', async () => {
    const id = await register({ tags: ['times'] });
    await set(
      id,
      `created_at = '2026-04-15T23:59:59.999Z', eta = '2026-04-20T23:30:00Z', eta_day = '2026-04-21',
        departed_at = '2026-04-01T02:00:00Z', departed_day = '2026-03-31'`,
    );
    for (const query of [
      'created_from=2026-04-15&created_to=2026-04-15',
      'created_from=2026-04-16T01:59:59+02:00',
      'eta_from=2026-04-21&eta_to=2026-04-21',
      'eta_to=2026-04-20T23:30:00Z',
      'departed_from=2026-03-31&departed_to=2026-03-31',
    ])
      expect(idsOf(await list(`tag=times&${query}`)), query).toEqual([id]);
    for (const query of [
      'created_to=2026-04-14',
      'eta_to=2026-04-20',
      'departed_from=2026-04-01',
      'eta_from=2026-04-22',
    ])
      expect(idsOf(await list(`tag=times&${query}`)), query).toEqual([]);
  });

  it('return archived shipments with the others for archived=any, in list, counts and export', async () => {
    const [hidden, shown] = [await register({ tags: ['any'] }), await register({ tags: ['any'] })];
    await set(hidden, 'archived_at = now()');
    const exported = async (query: string) =>
      (await (await api.request(`/v1/shipments/export?format=ndjson&tag=any${query}`)).text()).trim().split('\n')
        .length;
    for (const [query, ids] of [
      ['', [shown]],
      ['&archived=false', [shown]],
      ['&archived=true', [hidden]],
      ['&archived=any', [hidden, shown]],
    ] as const) {
      expect(idsOf(await list(`tag=any&sort=created_at${query}`))).toEqual(ids);
      const { total } = await jsonOf(await api.request(`/v1/shipments/counts?tag=any${query}`));
      expect([total, await exported(query)]).toEqual([ids.length, ids.length]);
    }
    expect((await api.request('/v1/shipments?archived=all')).status).toBe(400);
  });

  it('find the shipments that have a container in a status', async () => {
    const [partly, other] = [await register({ tags: ['boxes'] }), await register({ tags: ['boxes'] })];
    await set(partly, `search_terms = search_terms || '{container delivered,container in_transit}'`);
    await set(other, `search_terms = search_terms || '{container in_transit}'`);
    expect(idsOf(await list('tag=boxes&container_status=delivered'))).toEqual([partly]);
    expect(idsOf(await list('tag=boxes&container_status=delivered,in_transit&sort=created_at'))).toEqual([
      partly,
      other,
    ]);
    expect(idsOf(await list('tag=boxes&container_status=booked'))).toEqual([]);
  });

  it('return archived shipments only on request', async () => {
    const id = await register({ tags: ['archive'] });
    const other = await register({ tags: ['archive'] });
    await set(id, 'archived_at = now()');
    expect(idsOf(await list('tag=archive'))).toEqual([other]);
    expect(idsOf(await list('tag=archive&archived=true'))).toEqual([id]);
  });

  it('name contradictory, unknown and misspelled parameters', async () => {
    const refused = async (query: string) => jsonOf(await api.request(`/v1/shipments?${query}`));
    expect(await refused('eta_from=2026-05-02&eta_to=2026-05-01')).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    const misspelled = await refused('departd_from=2026-05-02');
    expect(misspelled).toMatchObject({ status: 400, code: 'unknown_parameter' });
    expect(misspelled.detail).toContain('Did you mean departed_from?');
    expect((await refused('fields=statu')).detail).toContain('Did you mean status?');
    expect(await refused('q=ab')).toMatchObject({ status: 400, errors: [{ pointer: '?q', code: 'too_short' }] });
    expect(await refused(`q=${'a'.repeat(101)}`)).toMatchObject({
      status: 400,
      errors: [{ pointer: '?q', code: 'too_long' }],
    });
  });

  it('suggest the parameter for another service’s name of it', async () => {
    for (const [sent, meant] of [
      ['container_number=MSKU1234565', 'container'],
      ['scac=MAEU', 'carrier'],
      ['per_page=10', 'limit'],
      ['page=2', 'cursor'],
      ['waybill=1', 'identifier'],
    ]) {
      const { errors } = await jsonOf(await api.request(`/v1/shipments?${sent}`));
      expect(errors).toMatchObject([{ code: 'unknown_parameter', detail: expect.stringContaining(`mean ${meant}?`) }]);
    }
  });

  it('never return shipments of the other kind of key', async () => {
    const id = await register({ tags: ['secret'], reference: 'secret reference' });
    const { secret } = await api.createKey({ test: true });
    for (const query of ['tag=secret', 'q=secret', 'reference=secret%20reference', `identifier=${numbers}`, '']) {
      expect(query === '' || idsOf(await list(query)).includes(id)).toBe(true);
      const answer = await api.request(`/v1/shipments?${query}`, { headers: { authorization: `Bearer ${secret}` } });
      expect(idsOf(await jsonOf(answer))).toEqual([]);
    }
  });
});

describe('rows', () => {
  it('have only the requested fields, and the ID', async () => {
    const id = await register({ tags: ['fields'] });
    const page = await list('tag=fields&fields=status,tags');
    expect(page.data).toEqual([{ shipment_id: id, status: 'pending', tags: ['fields'] }]);
  });

  it('have events, containers, legs and exceptions on request', async () => {
    await register({ tags: ['include'] });
    expect((await list('tag=include')).data[0]).not.toHaveProperty('events');
    const page = await list('tag=include&include=events,containers,legs,exceptions&fields=version');
    expect(page.data).toEqual([
      { shipment_id: expect.any(String), version: 1, events: [], containers: [], legs: [], exceptions: [] },
    ]);
  });

  it('have metadata, the numbers of containers and the vehicle on request', async () => {
    await register({ tags: ['extras'], metadata: { buyer: 'acme' } });
    expect((await list('tag=extras')).data[0]).not.toHaveProperty('metadata');
    const page = await list('tag=extras&include=metadata,container_status_counts,vehicle&fields=version');
    expect(page.data[0]).toMatchObject({ metadata: { buyer: 'acme' }, container_status_counts: {}, vehicle: null });
  });

  it('come with their total and statuses on request', async () => {
    const delivered = await register({ tags: ['total'] });
    await register({ tags: ['total'] });
    await set(delivered, `status = 'delivered'`);
    const page = await list('tag=total&include_total=true&limit=1');
    expect(page).toMatchObject({
      page: { total: 2, total_is_lower_bound: false },
      counts_by_status: { delivered: 1, pending: 1 },
    });
    expect(await list('tag=total')).toMatchObject({ page: { total: null }, counts_by_status: null });
  });
});

describe('pages', () => {
  it('continue at the address in Link with any parameters', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++)
      ids.push(await register({ tags: [index % 2 === 0 ? 'link a' : 'link+b?'] }));
    const seen: string[] = [];
    let path: string | null = '/v1/shipments?tag=link%20a&tag=link%2Bb?&limit=2&sort=created_at&fields=status';
    while (path !== null) {
      const answer: Response = await api.request(path);
      const page = await jsonOf(answer);
      seen.push(...idsOf(page));
      path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
      expect(path === null).toBe(!page.page.has_more);
    }
    expect(seen).toEqual(ids);
  });

  it('bind a cursor to its filter and sort, not to the notation of the filter', async () => {
    for (let index = 0; index < 2; index++) await register({ tags: ['bound'] });
    const { page } = await list('tag=bound,x&status=pending&limit=1');
    expect((await list(`status=pending&tag=x,bound&limit=5&cursor=${page.next_cursor}`)).data).toHaveLength(1);
    for (const query of [
      'tag=bound',
      'tag=bound,x&status=pending&sort=eta',
      'tag=bound,x&status=pending&archived=true',
    ]) {
      const refused = await api.request(`/v1/shipments?${query}&cursor=${page.next_cursor}`);
      expect((await jsonOf(refused)).code, query).toBe('invalid_cursor');
    }
  });
});

/** Sets columns that normally only a refresh sets. */
async function set(shipmentId: string, assignment: string): Promise<void> {
  const changed = await withAccount(api.ctx.core.store, api.accountId, (tx) =>
    tx.query(`update landfall.shipments set ${assignment} where account_id = $1 and id = $2`, [
      api.accountId,
      readShipmentId(shipmentId),
    ]),
  );
  expect(changed.rowCount).toBe(1);
}

describe('metadata and short words', () => {
  it('match by key, and accept several values and keys', async () => {
    const first = await register({ metadata: { buyer: 'Acme, Ltd', desk: '7' }, tags: ['meta'] });
    const second = await register({ metadata: { buyer: 'zeta', desk: '7' }, tags: ['meta'] });
    const query = (parameters: Record<string, string>) =>
      list(String(new URLSearchParams({ ...parameters, sort: 'created_at' })));
    expect(idsOf(await query({ 'metadata[desk]': '7' }))).toEqual([first, second]);
    expect(idsOf(await query({ 'metadata[buyer]': '"Acme, Ltd"' }))).toEqual([first]);
    expect(idsOf(await query({ 'metadata[buyer]': 'zeta,"Acme, Ltd"', 'metadata[desk]': '7' }))).toEqual([
      first,
      second,
    ]);
    expect(idsOf(await query({ 'metadata[buyer]': 'zeta', 'metadata[desk]': '8' }))).toEqual([]);
    const patched = await api.request(`/v1/shipments/${first}`, {
      method: 'PATCH',
      body: JSON.stringify({ metadata: { desk: '8' } }),
      headers: { 'content-type': 'application/json' },
    });
    expect(patched.status).toBe(200);
    expect(idsOf(await query({ 'metadata[desk]': '8' }))).toEqual([first]);
    expect((await api.request('/v1/shipments?metadata[__proto__]=x')).status).toBe(400);
    expect((await api.request('/v1/shipments?metadata=x')).status).toBe(400);
  });

  it('find two characters of a Chinese, Japanese or Korean name, and refuse two Latin ones', async () => {
    const [chinese, japanese, korean] = [
      await register({ reference: '上海港务 1' }),
      await register({ reference: '東京ターミナル' }),
      await register({ reference: '부산항' }),
    ];
    for (const [q, id] of [
      ['上海', chinese],
      ['港务', chinese],
      ['東京', japanese],
      ['ミナ', japanese],
      ['부산', korean],
    ] as const)
      expect(idsOf(await list(String(new URLSearchParams({ q }))))).toEqual([id]);
    const latin = await register({ reference: 'Busan 1' });
    expect(idsOf(await list(String(new URLSearchParams({ q: '釜山' }))))).toEqual([latin, korean]);
    const kana = await register({ reference: 'パナマ' });
    expect(idsOf(await list(String(new URLSearchParams({ q: 'パナ'.normalize('NFD') }))))).toEqual([kana]);
    const refused = await api.request('/v1/shipments?q=ab');
    expect((await jsonOf(refused)).errors).toMatchObject([{ code: 'too_short' }]);
  });
});
