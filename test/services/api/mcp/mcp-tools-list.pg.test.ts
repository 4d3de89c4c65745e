import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listShipmentsSummary } from '#services/api/mcp/list-shipments-summary.ts';
import { listToolInput } from '#shared/contract/mcp/list-input.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { shipmentSorts } from '#shared/domain/lists/filter.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { callOverHttp, listTool, refusalOf, successOf } from '#test/support/api/mcp-calls.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';

let api: TestApi;
const ids = new Map<string, string>();

const place = (name: string, unlocode: string, timezone: string) => ({
  name,
  unlocode,
  iata: null,
  country: unlocode.slice(0, 2),
  lat: null,
  lng: null,
  timezone,
  facility: null,
});
const shanghai = place('Shanghai', 'CNSHA', 'Asia/Shanghai');
const rotterdam = place('Rotterdam', 'NLRTM', 'Europe/Amsterdam');
const vessel = { name: 'EVER LIVELY', imo: '9629110', voyage: '1188E', flight: null };

const registrations: Record<string, Json> = {
  sailing: {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: 'MAEU700000001', hbl: 'HOUSE-1' },
    reference: 'PO-7741',
    tags: ['acme'],
  },
  held: { transport_mode: 'ocean', carrier: 'HLCU', identifiers: { mbl: 'HLCU700000002' }, reference: 'PO-7742' },
  flying: { transport_mode: 'air', carrier: 'LH', identifiers: { awb: '020-12345675', hawb: 'HAWB-77' } },
  parcel: { transport_mode: 'parcel', carrier: 'ups', identifiers: { tracking_number: '1Z999AA10123456784' } },
  // Its reference starts with another shipment's number, and it is newer.
  mentions: {
    transport_mode: 'ocean',
    carrier: 'ONEY',
    identifiers: { mbl: 'ONEY700000009' },
    reference: 'MAEU700000001-copy',
  },
};

beforeAll(async () => {
  api = await startTestApi();
  for (const [name, body] of Object.entries(registrations)) {
    const made = await api.post('/v1/shipments', body);
    expect(made.status).toBe(201);
    ids.set(name, (await jsonOf(made)).shipment_id);
  }
  const subject = (name: string) => ({
    accountId: api.accountId,
    shipmentId: readShipmentId(ids.get(name) ?? '') ?? '',
  });
  const departed = {
    code: 'departed' as const,
    local: '2026-03-01T10:00',
    location: shanghai,
    vehicle: vessel,
    legRole: 'pol' as const,
  };
  const estimate = {
    code: 'arrived' as const,
    classifier: 'estimated' as const,
    location: rotterdam,
    legRole: 'pod' as const,
    container: null,
  };
  await refresh(
    api.ctx.core,
    subject('sailing'),
    found(departed, { ...estimate, local: '2026-11-30T10:00', sourceCreatedAt: '2026-03-01T00:00:00.000Z' }),
  );
  await refresh(
    api.ctx.core,
    subject('sailing'),
    found(
      departed,
      { ...estimate, local: '2026-11-30T10:00', sourceCreatedAt: '2026-03-01T00:00:00.000Z' },
      { ...estimate, local: '2026-12-02T22:00', sourceCreatedAt: '2026-03-05T00:00:00.000Z' },
    ),
  );
  await refresh(
    api.ctx.core,
    subject('held'),
    found(
      { ...departed, container: 'HLXU1234561' },
      { code: 'customs_hold', local: '2026-03-20T10:00', location: rotterdam, container: 'HLXU1234561' },
    ),
  );
});
afterAll(() => api.close());

const list = (args: Json) => successOf(callOverHttp(api, listTool, args));
const nameOf = (id: string) => [...ids].find(([, other]) => other === id)?.[0];
const names = async (args: Json) => (await list(args)).shipments.map((row: Json) => nameOf(row.shipment_id)).sort();
const refuse = (args: Json) => refusalOf(callOverHttp(api, listTool, args));

describe('arguments', () => {
  it.each<[Json, string[]]>([
    [{ query: '7741' }, ['sailing']],
    [{ query: 'HOUSE-1' }, ['sailing']],
    [{ query: 'house1' }, ['sailing']],
    [{ query: 'HAWB-77' }, ['flying']],
    [{ query: '02012345675' }, ['flying']],
    [{ query: 'CSQU3054383' }, ['sailing']],
    [{ query: 'ever lively' }, ['held', 'sailing']],
    [{ query: 'rotterdam' }, ['held', 'sailing']],
    [{ query: 7741 }, ['sailing']],
    [{ status: ['in_transit'] }, ['held', 'sailing']],
    [{ status: 'in_transit' }, ['held', 'sailing']],
    [{ status: 'In Transit' }, ['held', 'sailing']],
    [{ status: 'IN-TRANSIT,pending' }, ['flying', 'held', 'mentions', 'parcel', 'sailing']],
    [{ status: '["in_transit"]' }, ['held', 'sailing']],
    [{ status: 'exception' }, ['held', 'sailing']],
    [{ transport_mode: 'OCEAN' }, ['held', 'mentions', 'sailing']],
    [{ transport_mode: ['Air', 'parcel'] }, ['flying', 'parcel']],
    [{ carrier: 'Maersk' }, ['sailing']],
    [{ carrier: ['hapag-lloyd', 'MAEU'] }, ['held', 'sailing']],
    [{ carrier: 'Hapag Lloyd' }, ['held']],
    [{ carrier: '020' }, ['flying']],
    [{ reference: 'PO-7741' }, ['sailing']],
    [{ reference: ['PO-7741', 'PO-7742'] }, ['held', 'sailing']],
    [{ tag: 'acme' }, ['sailing']],
    [{ origin: 'CNSHA' }, ['held', 'sailing']],
    [{ origin: 'cn' }, ['held', 'sailing']],
    [{ origin: 'Shanghai (CNSHA)' }, ['held', 'sailing']],
    [{ origin: 'China' }, ['held', 'sailing']],
    [{ origin: ['the Netherlands', 'People’s Republic of China'] }, ['held', 'sailing']],
    [{ origin: 'Germany' }, []],
    [{ carrier: 'Lufthansa' }, ['flying']],
    [{ carrier: 'Hamburg Süd' }, ['sailing']],
    [{ query: 'Port of Shanghai' }, ['held', 'sailing']],
    [{ destination: 'rotter' }, ['sailing']],
    [{ destination: 'Rotterdam, NL' }, ['sailing']],
    [{ destination: 'Port of Rotterdam' }, ['sailing']],
    [{ origin: 'CN SHA' }, ['held', 'sailing']],
    [{ origin: '上海' }, ['held', 'sailing']],
    [{ eta_from: '2026-12-02' }, ['sailing']],
    [{ eta_to: '2026-12-02' }, ['sailing']],
    [{ eta_to: '2026-12-01' }, []],
    [{ eta_from: '2026-12-02T22:00:01Z' }, []],
    [{ updated_since: '2099-01-01' }, []],
    [{ has_exception: true }, ['held', 'sailing']],
    [{ has_exception: 'True', carrier: 'HLCU' }, ['held']],
    [{ exception: 'Customs Hold' }, ['held']],
    [{ tracking_state: 'Queued' }, ['flying', 'mentions', 'parcel']],
    [{ delayed_min_hours: 48 }, ['sailing']],
    [{ delayed_min_hours: '61' }, []],
    [{ stale: true }, []],
    [{ stale: 'false', limit: '50' }, ['flying', 'held', 'mentions', 'parcel', 'sailing']],
    [
      { status: null, query: null, tag: '', carrier: [], cursor: null, limit: null },
      ['flying', 'held', 'mentions', 'parcel', 'sailing'],
    ],
  ])('%j', async (args, expected) => {
    expect(await names(args)).toEqual(expected);
  });

  it('sort like REST', async () => {
    for (const sort of shipmentSorts) {
      const rest = await jsonOf(await api.request(`/v1/shipments?sort=${sort}`));
      expect(
        (await list({ sort })).shipments.map((row: Json) => row.shipment_id),
        sort,
      ).toEqual(rest.data.map((row: Json) => row.shipment_id));
    }
    expect(await list({ sort: '-ETA' })).toMatchObject({ shipments: (await list({ sort: '-eta' })).shipments });
  });

  it('match between the definition and the parser', () => {
    const { properties = {} } = listShipmentsSummary.definition.inputSchema;
    expect(Object.keys(properties).sort()).toEqual(Object.keys(listToolInput.shape).sort());
  });

  it('are rejected all at once, by name, with the allowed values', async () => {
    const text = await refuse({
      statuses: 'x',
      limit: 51,
      status: 'moving',
      transport_mode: 'sea',
      carrier: 'Maersc',
      eta_from: 'soon',
      stale: 'maybe',
    });
    expect(text).toContain('Unknown argument: statuses. Did you mean status?');
    expect(text).toContain('limit must be at most 50');
    expect(text).toContain('out_for_delivery');
    expect(text).toMatch(/transport_mode must be one of ocean, air, road, rail, parcel/);
    expect(text).toContain('Did you mean MAEU (Maersk)');
    expect(text).toMatch(/Carriers of this account: Maersk \(MAEU, \d\), .*\(/);
    expect(text).toContain('eta_from must be a date (2026-04-15)');
    expect(text).toContain('stale must be true or false');
    expect(await refuse({ account_id: 'x' })).toContain('Unknown argument: account_id. Allowed: query, identifiers');
    expect(await refuse({ eta_from: '2026-12-02', eta_to: '2026-12-01' })).toContain('eta_to is before eta_from');
    expect(await refuse({ limit: -1 })).toContain('limit must be at least 0');
    expect(await refuse({ query: '  ', status: 'moving' })).toMatch(/query is blank\. .*status must be one of/);
    expect(await refuse({ query: 'ab' })).toContain('at least 3 characters');
    expect(await refuse({ query: ids.get('held') })).toContain('get_shipment_details');
  });

  it.each<[Json, string]>([
    [{ status: 'delayed' }, 'For delayed use the argument exception'],
    [{ status: ['in_transit', 'Customs-Hold'] }, 'For Customs-Hold use the argument exception'],
    [{ tracking_state: 'delivered' }, 'For delivered use the argument status'],
    [{ status: 'stale' }, 'stale is a separate argument'],
    [{ status: 'deliverd' }, 'Did you mean delivered?'],
  ])('reports where %j belongs', async (args, hint) => {
    expect(await refuse(args)).toContain(hint);
  });

  it('get the allowed values once, however many are wrong', async () => {
    const values = await refuse({ status: ['lost', 'flying', 'sunk'] });
    expect(values.match(/must be one of/g)).toHaveLength(1);
    const unknown = await refuse(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`zz${n}`, 1])));
    expect(unknown).toContain(
      'Unknown arguments: zz0, zz1, zz2, zz3, zz4, zz5 and 34 more. Allowed: query, identifiers',
    );
    expect(unknown.match(/Allowed:/g)).toHaveLength(1);
  });

  it.each<[Json, RegExp | undefined]>([
    [
      { destination: 'Roterdamm' },
      /No shipments match with destination Roterdamm\. Nearest destinations: Rotterdam \(NLRTM, \d\)/,
    ],
    [{ destination: 'Antwerp' }, /Nearest destinations: Rotterdam \(NLRTM, \d\)/],
    [{ query: 'no such ship' }, /try one of them/],
    [{ query: 'no such ship', status: 'pending' }, /omit some/],
    [{ reference: 'PO' }, /match exactly/],
    [{ stale: true }, undefined],
    [{ query: '7741' }, undefined],
  ])('%j: an empty list suggests what else to try if the words may be wrong', async (args, advice) => {
    const { next_step: nextStep } = await list(args);
    if (advice === undefined) expect(nextStep).toBeUndefined();
    else expect(nextStep).toMatch(advice);
  });

  it('explain to a test key without matches which shipments it can see', async () => {
    const { secret } = await api.createKey({ test: true });
    const { next_step: nextStep } = await successOf(callOverHttp(api, listTool, {}, secret));
    expect(nextStep).toContain('test shipments only');
  });

  it('of the wrong type are rejected concisely', async () => {
    const names = Object.keys(listToolInput.shape);
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`);
    const wrong: Json[] = [
      {},
      { $gt: '' },
      [[]],
      [null],
      deep,
      'x\u0000y',
      '\ud800abc',
      'x'.repeat(10_000),
      Array.from({ length: 500 }, () => 'zzz'),
      1e308,
      -1,
    ];
    for (const value of wrong) {
      const all = JSON.stringify(value).length > 3000 ? [] : [Object.fromEntries(names.map((name) => [name, value]))];
      for (const args of [...names.map((name) => ({ [name]: value })), ...all]) {
        const { isError, content } = await callOverHttp(api, listTool, args);
        const text = content[0]?.text ?? '';
        if (isError !== true) expect(JSON.parse(text).shipments, JSON.stringify(args).slice(0, 80)).toBeDefined();
        else expect(text.length, JSON.stringify(args).slice(0, 80)).toBeLessThanOrEqual(2000);
        expect(text.isWellFormed()).toBe(true);
      }
    }
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${'y'.repeat(500)}${n}`, 1]));
    expect((await refuse(unknown)).length).toBeLessThanOrEqual(2000);
    expect(await refuse({ query: 'x'.repeat(10_000) })).toContain('query must have at most 100 characters');
  });
});

describe('the answer', () => {
  it('has one row per shipment, and counts of all matches', async () => {
    const answer = await callOverHttp(api, listTool, { limit: 2 });
    const page = await successOf(answer);
    expect(page).toMatchObject({
      total: 5,
      counts_by_status: { in_transit: 2, pending: 3 },
      stale_count: 0,
      has_more: true,
    });
    expect(page.shipments).toHaveLength(2);
    expect(page.as_of).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
    expect(JSON.parse(answer.content[0]?.text ?? '')).toEqual(page);
    expect(answer.content[0]?.text).not.toContain('null');
    const [row] = (await list({ query: 'MAEU700000001' })).shipments;
    expect(row).toEqual({
      shipment_id: ids.get('sailing'),
      status: 'in_transit',
      transport_mode: 'ocean',
      carrier: 'MAEU',
      identifier: 'MAEU700000001',
      reference: 'PO-7741',
      origin: expect.stringContaining('CNSHA'),
      destination: expect.stringContaining('NLRTM'),
      eta: '2026-12-02',
      delay_hours: 60,
      exception: 'delayed',
      last_event: 'departed',
      last_event_at: expect.stringContaining('2026-03-01'),
      containers: ['CSQU3054383'],
      departed_at: '2026-03-01',
    });
  });

  it('fits its schema, whose closed enums are plain strings', async () => {
    const { outputSchema } = listShipmentsSummary.definition;
    const validate = new Ajv({ strict: false }).compile(outputSchema);
    for (const args of [{}, { limit: 1 }, { status: 'delivered' }, { query: 'rotterdam' }])
      expect(validate(await list(args)), JSON.stringify(validate.errors)).toBe(true);
    expect(JSON.stringify(outputSchema)).not.toContain('enum');
  });

  it('counts stale shipments of the whole result', async () => {
    const { withSystem } = await import('#shared/store/with-account.ts');
    const shipmentId = readShipmentId(ids.get('held') ?? '');
    const setStale = (at: string) =>
      withSystem(api.ctx.core.store, (tx) =>
        tx.query(`update landfall.polling set stale_at = ${at} where shipment_id = $1`, [shipmentId]),
      );
    await setStale(`now() - interval '1 hour'`);
    expect(await list({ limit: 1, sort: '-created_at' })).toMatchObject({ stale_count: 1, total: 5 });
    expect(await list({ stale: true })).toMatchObject({
      shipments: [{ shipment_id: ids.get('held'), stale: true }],
      stale_count: 1,
      total: 1,
    });
    await setStale(`now() + interval '1 day'`);
  });

  it('lists the shipment with exactly this number first, and none twice', async () => {
    for (const query of ['MAEU700000001', 'maeu 700000001', 'MAEU-700000001']) {
      const page = await list({ query });
      expect(nameOf(page.shipments[0].shipment_id), query).toBe('sailing');
    }
    for (const limit of [1, 2, 50]) {
      const shown: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ query: 'MAEU700000001', limit, ...(cursor === undefined ? {} : { cursor }) });
        expect(page).toMatchObject({ total: 2, counts_by_status: { in_transit: 1, pending: 1 } });
        shown.push(...page.shipments.map((row: Json) => nameOf(row.shipment_id)));
        cursor = page.next_cursor;
        expect(page.has_more).toBe(cursor !== undefined);
      } while (cursor !== undefined);
      expect(shown, String(limit)).toEqual(['sailing', 'mentions']);
    }
  });

  it('counts a shipment that only the number finds', async () => {
    const made = await api.post('/v1/shipments', {
      transport_mode: 'ocean',
      carrier: 'MAEU',
      identifiers: { mbl: '812345678' },
    });
    const { shipment_id } = await jsonOf(made);
    expect(await list({ query: 'MAEU812345678' })).toMatchObject({
      shipments: [{ shipment_id }],
      total: 1,
      counts_by_status: { pending: 1 },
      has_more: false,
    });
    expect((await api.request(`/v1/shipments/${shipment_id}`, { method: 'DELETE' })).status).toBeLessThan(300);
  });

  it('rejects a cursor of another filter, sort or account, and a modified one', async () => {
    const { next_cursor: cursor } = await list({ limit: 1 });
    expect((await list({ limit: 4, cursor })).shipments).toHaveLength(4);
    for (const args of [{ status: 'pending' }, { sort: 'created_at' }, { query: 'maeu' }]) {
      expect(await refuse({ ...args, cursor })).toContain('cursor belongs to a different filter or sort');
    }
    for (const bad of ['x', `${cursor}A`, 'x'.repeat(2000), btoa('[null]')])
      expect(await refuse({ cursor: bad })).toContain('cursor');
    const { secret } = await api.createKey({ test: true });
    expect(await refusalOf(callOverHttp(api, listTool, { cursor }, secret))).toContain(
      'cursor belongs to a different filter or sort',
    );
  });
});
