import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { maxTerms } from '#shared/contract/free-time/terms-body.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { assessDueFreeTime, markReplacedFreeTimeTerms } from '#shared/core/tracking/assess-due-free-time.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
});

afterEach(async () => {
  expect((await put({ terms: [] })).status).toBe(200);
});

afterAll(() => api.close());

const path = '/v1/free-time-terms';
const send = (method: string, to: string, body: Json, headers: Record<string, string> = {}) =>
  api.request(to, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const put = (body: Json, headers: Record<string, string> = {}) => send('PUT', path, body, headers);
const asCsv = { 'content-type': 'text/csv' };
const stored = async () => jsonOf(await api.request(path));

const demurrage = {
  kind: 'demurrage',
  carrier: 'Maersk',
  free_days: 5,
  rates: [
    { from_day: 1, amount: 85 },
    { from_day: 3, amount: 140.5 },
  ],
  currency: 'EUR',
};
const whole = {
  kind: 'demurrage',
  carrier: 'MAEU',
  place: null,
  country: null,
  equipment: null,
  free_days: 5,
  start_event: 'discharged',
  first_day: 'next_day',
  counting: 'calendar',
  charged_days: 'calendar',
  calendar_country: null,
  rates: demurrage.rates,
  currency: 'EUR',
  valid_from: null,
  valid_to: null,
};

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 16);
const dayIn = (days: number) => daysAgo(-days).slice(0, 10);
const rotterdam = {
  name: 'Rotterdam',
  unlocode: 'NLRTM',
  iata: null,
  country: 'NL',
  lat: null,
  lng: null,
  timezone: 'UTC',
  facility: null,
};

let numbers = 810_000_000;

/** A container that was discharged so many days ago. Returns the id of its shipment. */
async function discharged(carrier: string, days: number, key = api.key): Promise<string> {
  numbers += 1;
  const body = { transport_mode: 'ocean', carrier, identifiers: { mbl: `${carrier}${numbers}` } };
  const { shipment_id: id } = await jsonOf(await api.post('/v1/shipments', body, { authorization: `Bearer ${key}` }));
  const subject = { accountId: api.accountId, shipmentId: readShipmentId(id) ?? '' };
  const event = { code: 'discharged', legRole: 'pod', location: rotterdam, local: daysAgo(days) } as const;
  await refresh(api.ctx.core, subject, found(event));
  return id;
}

async function assessAll(): Promise<void> {
  while (await markReplacedFreeTimeTerms(api.ctx.core));
  while ((await assessDueFreeTime(api.ctx.core)) > 0);
}

it('stores terms as JSON and CSV, and returns them in a form that can be sent back', async () => {
  const before = await stored();
  const answer = await put({ terms: [demurrage] });
  const body = await jsonOf(answer);
  expect(body).toEqual({ terms: [whole], version: before.version + 1, updated_at: expect.any(String), applied: false });
  const csv = await api.request(`${path}?format=csv`);
  expect([csv.headers.get('content-type'), csv.headers.get('etag')]).toEqual([
    'text/csv; charset=utf-8; header=present',
    answer.headers.get('etag'),
  ]);
  const file = await csv.text();
  expect(file.split('\r\n')[1]).toContain('1:85;3:140.5,EUR');
  for (const sent of [file, file.replaceAll(',', ';').replace('1:85;3', '"1:85;3').replace('140.5;EUR', '140.5";EUR')])
    expect((await jsonOf(await put(sent, asCsv))).terms).toEqual([whole]);
  expect((await jsonOf(await put(body, {}))).code).toBe('unknown_field');
  expect((await jsonOf(await put({ terms: body.terms }))).terms).toEqual([whole]);
});

it('replaces only the version that the client has read, on request', async () => {
  const first = (await put({ terms: [] })).headers.get('etag') ?? '';
  const second = (await put({ terms: [demurrage] }, { 'if-match': first })).headers.get('etag') ?? '';
  const late = await put({ terms: [] }, { 'if-match': first });
  expect([late.status, (await jsonOf(late)).code]).toEqual([412, 'precondition_failed']);
  expect((await stored()).terms).toHaveLength(1);
  expect((await put({ terms: [] }, { 'if-match': `"other", ${second}` })).status).toBe(200);
});

const refused: [string, Json, Record<string, string>, string[]][] = [
  [
    'every row of a body by its pointer',
    {
      terms: [
        { ...demurrage, free_days: -1 },
        { ...demurrage, colour: 'red' },
      ],
    },
    {},
    ['/terms/0/free_days too_small', '/terms/1/colour unknown_field'],
  ],
  [
    'rows that overlap, working days without a country and an unknown carrier together',
    { terms: [demurrage, { ...demurrage, carrier: 'MAEU' }, { ...whole, carrier: 'Nobody', counting: 'working' }] },
    {},
    ['/terms/1 overlap', '/terms/2/carrier unknown_carrier', '/terms/2/counting required'],
  ],
  [
    'every line of a file',
    'kind,free_days,rates,currency\ndemurrage,five,,\ndetention,3,1;2,EUR\n\ndemurrage,3,1:9:9,EUR\n',
    asCsv,
    ['/terms/0/free_days wrong_type', '/terms/1/rates/0/amount wrong_type', '/terms/1/rates/1/amount wrong_type'],
  ],
  ['columns that do not exist', 'kind,free_day\ndemurrage,5\n', asCsv, [' unknown_field', ' required']],
  ['a line that is too wide', 'kind,free_days\ndemurrage,5,6\n', asCsv, ['/terms/0 invalid_value']],
  ['too many rows', { terms: Array.from({ length: maxTerms + 1 }, () => whole) }, {}, ['/terms too_long']],
];

it.each(refused)('refuses %s, and stores nothing', async (_name, body, headers, mistakes) => {
  await put({ terms: [demurrage] });
  const { version } = await stored();
  for (const answer of [await put(body, headers), await send('POST', `${path}/preview`, body, headers)]) {
    expect(answer.status).toBe(400);
    const problem = await jsonOf(answer);
    const named = (problem.errors as Json[]).map(({ pointer, code }) => `${pointer} ${code}`);
    expect(named.slice(0, mistakes.length)).toEqual(mistakes);
  }
  expect(await stored()).toMatchObject({ version, terms: [whole] });
});

it('names the line of a mistake in a file', async () => {
  const answer = await put('kind,free_days\n\n\ndemurrage,5\nharbour,5\n', asCsv);
  expect((await jsonOf(answer)).errors).toEqual([
    expect.objectContaining({ pointer: '/terms/1/kind', detail: expect.stringMatching(/^Line 5: /) }),
  ]);
});

it('refuses bodies that are too large, in another form or with another scope', async () => {
  const large = await put(`kind,free_days\n${'demurrage,5\n'.repeat(200_000)}`, asCsv);
  expect([large.status, (await jsonOf(large)).code]).toEqual([413, 'payload_too_large']);
  expect((await put('<terms/>', { 'content-type': 'text/xml' })).status).toBe(415);
  const { secret } = await api.createKey({ scopes: ['shipments:read'] });
  const reader = { authorization: `Bearer ${secret}` };
  expect((await put({ terms: [] }, reader)).status).toBe(403);
  expect((await api.request(path, { headers: reader })).status).toBe(200);
});

it('keeps the terms of test shipments apart from those of live ones', async () => {
  await put({ terms: [demurrage] });
  const { secret } = await api.createKey({ test: true });
  const headers = { authorization: `Bearer ${secret}` };
  expect(await jsonOf(await api.request(path, { headers }))).toMatchObject({ terms: [], version: 0, updated_at: null });
  await put({ terms: [] }, headers);
  expect((await stored()).terms).toHaveLength(1);
});

it('previews the effect of terms without storing them', async () => {
  const id = await discharged('MAEU', 9);
  const preview = await jsonOf(await send('POST', `${path}/preview`, { terms: [demurrage] }));
  expect(preview).toMatchObject({ more: false, changed: 1, before: { unknown_terms: 1 }, after: { over: 1 } });
  // Free for five days after the discharge: two days at 85 and two at 140.50.
  expect(preview.changes).toEqual([
    {
      shipment_id: id,
      container: 'CSQU3054383',
      kind: 'demurrage',
      before: { state: 'unknown_terms', last_free_day: null, cost: null },
      after: { state: 'over', last_free_day: dayIn(-4), cost: { amount: 451, currency: 'EUR', is_floor: false } },
    },
  ]);
  expect((await stored()).terms).toEqual([]);
  await send('DELETE', `/v1/shipments/${id}`, '{}');
});

it('answers which containers cost money by a day in one request and one call, and how many are unknown', async () => {
  await put({ terms: [demurrage] });
  const over = await discharged('MAEU', 9);
  const soon = await discharged('MAEU', 4);
  const later = await discharged('MAEU', 0);
  const unknown = await discharged('HLCU', 9);
  const friday = dayIn(3);
  const ask = `last_free_day_to=${friday}&sort=last_free_day`;
  const list = await jsonOf(await api.request(`/v1/shipments?${ask}`));
  expect(list.data.map((row: Json) => [row.shipment_id, row.free_time.state, row.free_time.costs])).toEqual([
    [over, 'over', [{ amount: 451, currency: 'EUR', is_floor: false }]],
    [soon, 'expiring', []],
  ]);
  expect(list.unknown_terms).toBe(1);
  expect(list.data[0].free_time).toMatchObject({ last_free_day: dayIn(-4), days_left: -4, more: 0, unknown_terms: 0 });
  expect((await jsonOf(await api.request('/v1/shipments?limit=1'))).unknown_terms).toBeNull();
  expect(await jsonOf(await api.request(`/v1/shipments/counts?last_free_day_to=${friday}`))).toMatchObject({
    total: 2,
    unknown_terms: 1,
  });
  expect(await jsonOf(await api.request('/v1/shipments/counts?carrier=MAEU'))).toMatchObject({ unknown_terms: 0 });
  const listed = async (query: string) =>
    (await jsonOf(await api.request(`/v1/shipments?${query}`))).data.map((row: Json) => row.shipment_id);
  expect(await listed('free_time=unknown_terms')).toEqual([unknown]);
  expect(await listed('free_time=over,running')).toEqual([later, over]);
  expect(await listed(`last_free_day_from=${dayIn(4)}&sort=-last_free_day`)).toEqual([later]);

  const file = await (await api.request(`/v1/shipments/export?${ask}&fields=free_time`)).text();
  expect(file.trimEnd().split('\r\n')).toEqual([
    'shipment_id,free_time.state,free_time.last_free_day,free_time.days_left,free_time.costs,free_time.unknown_terms',
    `${over},over,${dayIn(-4)},-4,451 EUR,0`,
    `${soon},expiring,${dayIn(1)},1,,0`,
  ]);

  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${api.key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/v1/mcp`), { requestInit: { headers } }));
  try {
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
      'get_shipment_details',
      'list_shipments_summary',
    ]);
    const args = { last_free_day_to: friday, sort: 'last_free_day' };
    const { structuredContent } = (await client.callTool({ name: 'list_shipments_summary', arguments: args })) as Json;
    expect(structuredContent).toMatchObject({
      total: 2,
      unknown_terms_count: 1,
      shipments: [
        { shipment_id: over, free_time: 'over', last_free_day: dayIn(-4), cost: '451 EUR' },
        { shipment_id: soon, free_time: 'expiring', last_free_day: dayIn(1) },
      ],
    });
  } finally {
    await client.close();
  }
});

it('accepts last free days by hand, and removes them', async () => {
  const id = await discharged('HLCU', 9);
  const at = `/v1/shipments/${id}`;
  const day = dayIn(20);
  const set = await send('PATCH', at, { last_free_days: [{ container: 'csqu-305438-3', day }] });
  expect(await jsonOf(set)).toMatchObject({
    free_time: { state: 'running', last_free_day: day, days_left: 20 },
    containers: [{ last_free_day: { effective: day, source: 'manual', manual: day, calculated: null } }],
  });
  const { version } = await jsonOf(await api.request(at));
  const again = await send('PATCH', at, { last_free_days: [{ day, container: 'CSQU3054383' }] });
  expect((await jsonOf(again)).version).toBe(version);
  for (const [days, pointer] of [
    [[{ container: 'MSKU0000000', day }], '/last_free_days/0/container'],
    [[{ container: 'CSQU3054383', day: 'Friday' }], '/last_free_days/0/day'],
    [['CSQU3054383', 'CSQU3054383'].map((container) => ({ container, day })), '/last_free_days'],
  ] as [Json, string][]) {
    const answer = await send('PATCH', at, { last_free_days: days });
    expect([answer.status, (await jsonOf(answer)).errors[0].pointer]).toEqual([400, pointer]);
  }
  expect(await jsonOf(await send('PATCH', at, { last_free_days: null }))).toMatchObject({
    free_time: { state: 'unknown_terms', last_free_day: null },
  });
});

it('reports when every shipment is queued for assessment by the terms', async () => {
  const id = await discharged('MAEU', 9);
  await put({ terms: [demurrage] });
  expect((await stored()).applied).toBe(false);
  await assessAll();
  expect((await stored()).applied).toBe(true);
  expect((await jsonOf(await api.request(`/v1/shipments/${id}`))).free_time.state).toBe('over');
});
