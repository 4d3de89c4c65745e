import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { callOverHttp, detailsTool, listTool, refusalOf, successOf } from '#test/support/api/mcp-calls.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;
const mbl = `MAEU${uniqueNumber()}`;
const live = uniqueNumber();
let archived: string;

async function register(number: string, reference: string): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: number }, reference };
  return (await jsonOf(await api.post('/v1/shipments', body))).shipment_id;
}

beforeAll(async () => {
  api = await startTestApi();
  archived = await register(mbl, 'PO-ARCHIVED');
  await api.request(`/v1/shipments/${archived}`, { method: 'DELETE' });
  await register(live, 'PO-LIVE');
});

afterAll(() => api?.close());

const details = (args: object) => successOf(callOverHttp(api, detailsTool, { ...args }));
const rowsOf = async (args: object) => (await successOf(callOverHttp(api, listTool, { ...args }))).shipments;

it.each([() => mbl, () => mbl.slice(4), () => 'PO-ARCHIVED', () => archived])(
  'details find an archived shipment by each of its numbers, and say that it is archived',
  async (identifier) => {
    expect(await details({ identifier: identifier() })).toMatchObject({
      shipment_id: archived,
      archived_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  },
);

it('details prefer the shipment that is not archived', async () => {
  const again = await register(mbl, 'PO-AGAIN');
  const found = await details({ identifier: mbl });
  expect(found.shipment_id).toBe(again);
  expect(found).not.toHaveProperty('archived_at');
});

it('never name the searched number as the nearest', async () => {
  const refusal = await refusalOf(callOverHttp(api, detailsTool, { identifier: mbl, carrier: 'HLCU' }));
  expect(refusal).not.toMatch(new RegExp(`Nearest: [^.]*${mbl}`));
  expect(refusal).toContain('has it as mbl');
});

it('lists archived shipments on request, and marks them', async () => {
  const ids = (rows: { shipment_id: string; archived?: boolean }[]) =>
    rows.filter(({ shipment_id }) => shipment_id === archived).map((row) => row.archived);
  expect(ids(await rowsOf({}))).toEqual([]);
  expect(ids(await rowsOf({ archived: 'true' }))).toEqual([true]);
  expect(ids(await rowsOf({ archived: true }))).toEqual([true]);
  expect(ids(await rowsOf({ archived: 'any' }))).toEqual([true]);
  expect((await rowsOf({ archived: 'any' })).length).toBe((await rowsOf({})).length + 1);
});
