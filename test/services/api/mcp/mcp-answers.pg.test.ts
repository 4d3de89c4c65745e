import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { groupDimensions } from '#shared/domain/lists/group-dimensions.ts';
import type { Registration } from '#shared/domain/record/shipment.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { callOverHttp, detailsTool, listTool, refusalOf, successOf } from '#test/support/api/mcp-calls.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { hostileTexts, markupIn } from '#test/support/hostile-texts.ts';

let api: TestApi;
let me: Caller;
const list = (args: object = {}) => successOf(callOverHttp(api, listTool, args));
const details = (args: object) => successOf(callOverHttp(api, detailsTool, args));

async function register(changes: Partial<Registration>, ...events: Parameters<typeof found>): Promise<string> {
  const { id } = (await registerShipment(api.ctx.core, me, oceanRegistration(changes))).shipment;
  if (events.length > 0) await refresh(api.ctx.core, { accountId: me.accountId, shipmentId: id }, found(...events));
  return toShipmentId(id);
}

const rotterdam = {
  ...{ name: 'Rotterdam', unlocode: 'NLRTM', iata: null, country: 'NL', lat: null, lng: null },
  ...{ timezone: 'Europe/Amsterdam', facility: 'ECT Delta' },
};
const boxes = Array.from({ length: 40 }, (_one, n) => `MSKU${7_000_000 + n}`);

beforeAll(async () => {
  api = await startTestApi();
  me = { accountId: api.accountId, keyId: null, scopes: [], test: false, requestId: 'req', idempotency: null };
  await register(
    { identifiers: { mbl: 'MAEU810000001', hbl: 'HOUSE-1' }, reference: 'PO-1', tags: ['acme', 'blue'] },
    ...boxes.map((container) => ({
      ...{ code: 'arrived' as const, local: '2026-04-10T08:00', legRole: 'pod' as const },
      ...{ container, location: rotterdam },
    })),
    { code: 'discharged', local: '2026-04-10T12:00', legRole: 'pod', container: boxes[7] ?? null, location: rotterdam },
    {
      code: 'gate_out_full',
      local: '2026-04-11T12:00',
      legRole: 'pod',
      container: boxes[8] ?? null,
      location: rotterdam,
    },
  );
  await register({ identifiers: { mbl: 'MAEU810000002' }, reference: 'PO-2', tags: ['acme'] });
  await register({ identifiers: { mbl: 'HLCU810000003' }, carrier: 'HLCU', reference: 'PO-3' });
});

afterAll(() => api.close());

describe('details of a part of a shipment', () => {
  it('name the container that was asked for first, with its own status and last event', async () => {
    const [discharged, collected] = [
      await details({ container: boxes[7] }),
      await details({ identifier: boxes[8]?.toLowerCase() }),
    ];
    expect(Object.keys(discharged)[1]).toBe('matched');
    const at = { place: 'Rotterdam (NLRTM)', facility: 'ECT Delta' };
    expect(discharged.matched).toEqual({
      ...{ type: 'container', number: boxes[7], status: 'arrived', last_event: 'discharged' },
      ...{ at: '2026-04-10T12:00', ...at },
    });
    expect(collected.matched).toEqual({
      ...{ type: 'container', number: boxes[8], status: 'out_for_delivery', last_event: 'gate_out_full' },
      ...{ at: '2026-04-11T12:00', ...at },
    });
    expect(await details({ bol: 'HOUSE-1' })).toMatchObject({ matched: { type: 'hbl', number: 'HOUSE-1' } });
    expect(await details({ bol: 'MAEU810000001' })).not.toHaveProperty('matched');
  });

  it('name every container of forty within the budget, by status and last event', async () => {
    const record = await details({ reference: undefined, identifier: 'PO-1' });
    const named = [
      ...(record.containers ?? []).map(({ number }: Json) => number),
      ...Object.values<string>(record.more_containers).flatMap((text) => text.split(' ')),
    ];
    expect(named.toSorted()).toEqual(boxes);
    expect(record.more_containers['arrived, discharged']).toContain(boxes[7]);
    expect(record.containers_not_named).toBeUndefined();
    expect(record.terminal).toBe('ECT Delta');
    expect(countTokens(JSON.stringify(record))).toBeLessThanOrEqual(650);
  });
});

describe('a list by numbers', () => {
  it('finds identifiers, references and ids, assigns each number to its row, and names the unknown ones', async () => {
    const { shipments } = await list({ identifiers: 'PO-2' });
    const id = shipments[0].shipment_id;
    const page = await list({ identifiers: [boxes[3], boxes[4], 'hlcu 810000003', id, 'NOBODY-1', 'ghost'] });
    expect(page.not_found).toEqual(['NOBODY-1', 'ghost']);
    expect(page.total).toBe(3);
    expect(Object.fromEntries(page.shipments.map((row: Json) => [row.reference, row.matched]))).toEqual({
      'PO-1': [boxes[3], boxes[4]],
      'PO-2': [id],
      'PO-3': ['hlcu 810000003'],
    });
    expect(page.counts_by_status).toEqual({ arrived: 1, pending: 2 });
  });

  it('distinguishes numbers that other arguments exclude from unknown ones', async () => {
    const page = await list({ identifiers: ['PO-1', 'PO-3', 'ghost'], carrier: 'Maersk' });
    expect([page.total, page.not_found, page.found_but_filtered_out]).toEqual([1, ['ghost'], ['PO-3']]);
  });

  it('takes a hundred numbers, and refuses more', async () => {
    const numbers = Array.from({ length: 100 }, (_one, n) => `UNKNOWN-${n}`);
    expect((await list({ identifiers: numbers })).not_found).toHaveLength(100);
    expect(await refusalOf(callOverHttp(api, listTool, { identifiers: [...numbers, 'x1'] }))).toContain(
      'identifiers must have at most 100',
    );
  });
});

describe('groups', () => {
  it.each(groupDimensions)('by %s are the same over REST and the tool, and add up to all matches', async (by) => {
    const rest = await jsonOf(await api.request(`/v1/shipments/counts?group_by=${by}`));
    const page = await list({ group_by: by, limit: 0 });
    expect(page.shipments).toEqual([]);
    expect(page).not.toHaveProperty('has_more');
    const named = rest.groups.filter(({ key }: Json) => key !== null);
    expect(Object.values(page.groups ?? {})).toEqual(named.map(({ count }: Json) => count));
    expect(page.groups_none ?? 0).toBe(rest.groups.find(({ key }: Json) => key === null)?.count ?? 0);
    const sum = rest.groups.reduce((all: number, { count }: Json) => all + count, 0);
    if (by === 'tag') expect(sum).toBeGreaterThanOrEqual(rest.total);
    else expect(sum + rest.groups_other).toBe(rest.total);
  });

  it('cover the filtered set, with names of carriers, places and countries', async () => {
    expect((await list({ group_by: 'tag', carrier: 'Maersk', limit: 0 })).groups).toEqual({ acme: 2, blue: 1 });
    expect((await list({ group_by: 'carrier', limit: 0 })).groups).toEqual({
      'Maersk (MAEU)': 2,
      'Hapag-Lloyd (HLCU)': 1,
    });
    expect(await list({ group_by: 'destination', limit: 0 })).toMatchObject({
      groups: { 'Rotterdam (NLRTM)': 1 },
      groups_none: 2,
    });
    expect((await list({ group_by: 'destination_country', limit: 0 })).groups).toEqual({ 'Netherlands (NL)': 1 });
  });

  it('are at most fifty, and count the others', async () => {
    for (let n = 0; n < 6; n++)
      await register({ tags: Array.from({ length: 10 }, (_one, tag) => `t${n}-${tag}`), carrier: 'MSCU' });
    const page = await list({ group_by: 'tag', carrier: 'MSC', limit: 0 });
    expect([Object.keys(page.groups).length, page.groups_other]).toEqual([50, 10]);
  });

  it('refuses an unknown dimension with the known ones', async () => {
    expect(await refusalOf(callOverHttp(api, listTool, { group_by: 'vessel' }))).toContain(
      'group_by must be one of status',
    );
    expect((await api.request('/v1/shipments/counts?group_by=vessel')).status).toBe(400);
  });
});

it('pages with a cursor of at most 40 tokens through a search that puts the exact number first', async () => {
  const page = await list({ query: 'MAEU810000002', limit: 1 });
  expect(page.shipments[0].reference).toBe('PO-2');
  const first = await list({ limit: 2 });
  expect(countTokens(first.next_cursor)).toBeLessThanOrEqual(40);
  const rest = await list({ limit: 50, cursor: first.next_cursor });
  expect(new Set([...first.shipments, ...rest.shipments].map((row: Json) => row.shipment_id)).size).toBe(first.total);
});

describe.each(['2025-11-25', '2026-07-28'])('the protocol of %s', (revision) => {
  const call = async (params: object) => {
    const isModern = revision > '2026';
    const meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: isModern ? { ...params, _meta: meta } : params,
    };
    const { name = '' } = params as { name?: string };
    const headers: Record<string, string> = isModern ? { 'Mcp-Method': 'tools/call', 'Mcp-Name': name } : {};
    return jsonOf(await api.post('/v1/mcp', body, { ...headers, 'MCP-Protocol-Version': revision }));
  };

  it('takes null arguments as none', async () => {
    expect((await call({ name: listTool, arguments: null })).result).toMatchObject({ structuredContent: { total: 9 } });
  });

  it('names both tools to a call of an unknown one', async () => {
    const { error } = await call({ name: 'track_shipment', arguments: {} });
    expect(error.code).toBe(-32_602);
    expect(error.message).toContain('list_shipments_summary and get_shipment_details');
  });
});

it('shows no markup of strangers, whichever field it is in', async () => {
  const perShipment = 12;
  const groups = Array.from({ length: Math.ceil(hostileTexts.length / perShipment) }, (_one, n) =>
    hostileTexts.slice(n * perShipment, (n + 1) * perShipment),
  );
  const ids: string[] = [];
  for (const [n, texts] of groups.entries()) {
    const written = texts.map((text) => text.replace(/\p{Cc}/gu, ' ').slice(0, 60));
    ids.push(
      await register(
        { reference: written[n % written.length] ?? null, tags: written },
        ...texts.map((text, hour) => ({
          ...{ code: 'exception' as const, local: `2026-04-10T${10 + hour}:00`, legRole: 'pod' as const },
          ...{ description: text, carrierDescription: text },
          location: { ...rotterdam, unlocode: null, name: text, facility: text },
          vehicle: { name: text, imo: null, voyage: text, flight: null },
        })),
      ),
    );
  }
  const shown: Json[] = [];
  for (const shipment_id of ids)
    for (const response_format of ['detailed', 'concise']) shown.push(await details({ shipment_id, response_format }));
  for (const group_by of ['tag', 'destination']) shown.push(await list({ limit: 50, group_by }));
  const texts = shown.flatMap(textsIn);
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => markupIn(text).length > 0)).toEqual([]);
  for (const text of hostileTexts.slice(0, 20)) {
    const identifier = text.replace(/\p{Cc}/gu, ' ').slice(0, 100);
    const answer = await callOverHttp(api, detailsTool, { identifier });
    expect(textsIn(answer).filter((reported) => markupIn(reported).length > 0)).toEqual([]);
  }
});

/** Every text and name of an answer. */
function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => [name, ...textsIn(value)]);
}
