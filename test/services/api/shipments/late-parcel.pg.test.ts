import { afterAll, beforeAll, expect, it } from 'vitest';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import { openRefreshBatchers } from '#services/worker/refresh/record.ts';
import { toWireOverview } from '#shared/contract/installation/overview-wire.ts';
import { readOverview } from '#shared/core/lists/read-overview.ts';
import { claimDue } from '#shared/store/system/tracking/claim-due.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { callOverHttp, listTool, successOf } from '#test/support/api/mcp-calls.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
let key: string;
let late: string;

const ask = async (path: string) =>
  api.request(path, { headers: { authorization: `Bearer ${key}` } }).then((answer) => answer.text());
const get = async (path: string): Promise<Json> => JSON.parse(await ask(path));

async function register(number: string): Promise<string> {
  const body = { transport_mode: 'parcel', carrier: 'UPS', identifiers: { tracking_number: number } };
  const answer = await api.request('/v1/shipments', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return (await jsonOf(answer)).shipment_id;
}

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  key = (await api.createKey({ test: true })).secret;
  late = await register('TEST-DELAYED');
  const ids = [late, await register('TEST-IN-TRANSIT')];
  const { core } = api.ctx;
  const worker = { core, pressureOf: () => 1, batchers: openRefreshBatchers(core) };
  await until(
    async () => {
      const items = await withSystem(core.store, (tx) => claimDue(tx, 'test', { limit: 100, leaseS: 60 }));
      const refresh = worker as unknown as Parameters<typeof refreshShipments>[0];
      await refreshShipments(refresh, { connector: 'test', items }, new AbortController().signal);
      return Promise.all(ids.map((id) => get(`/v1/shipments/${id}`)));
    },
    (records) => records.every(({ tracking }) => tracking.last_succeeded_at !== null),
  );
});
afterAll(() => api.close());

const idsOf = (found: Json): string[] => found.data.map((row: Json) => row.shipment_id);

it('has a delay of 72 hours, a history of its ETA, and is late', async () => {
  const record = await get(`/v1/shipments/${late}`);
  expect(record).toMatchObject({
    status: 'in_transit',
    delay_hours: 72,
    delay_basis: 'first_estimated',
    late: true,
    eta: { kind: 'delivery' },
    delivery: { delay_hours: 72, on_time: 'late' },
    exceptions: [{ code: 'delayed', resolved_at: null, container: null, piece: null }],
  });
  expect(record.eta_history.map(({ kind }: Json) => kind)).toEqual(['delivery', 'delivery']);
  const [first, last] = record.eta_history.map(({ eta }: Json) => Date.parse(eta.at));
  expect([last - first, record.eta.time]).toEqual([72 * 3_600_000, record.eta_history[1].eta]);
});

it.each([
  ['delayed_min_hours=72', true],
  ['delayed_min_hours=73', false],
  ['late=true', true],
  ['late=false', false],
  ['exception=delayed', true],
])('is found in the list, the counts and the export by %s: %s', async (query, isFound) => {
  const all = `${query}&transport_mode=parcel`;
  expect(idsOf(await get(`/v1/shipments?${all}`)).includes(late)).toBe(isFound);
  const others = query === 'late=false' ? 1 : 0;
  expect(await get(`/v1/shipments/counts?${all}`)).toMatchObject({ total: isFound ? 1 : others });
  const csv = await ask(`/v1/shipments/export?${all}&fields=shipment_id,delay_hours,late`);
  expect(csv.includes(`${late},72,true`)).toBe(isFound);
});

it('is found over MCP, with its delay', async () => {
  const find = (hours: number) => successOf(callOverHttp(api, listTool, { delayed_min_hours: hours }, key));
  expect(await find(72)).toMatchObject({ shipments: [{ shipment_id: late, delay_hours: 72 }] });
  expect(await find(73)).toMatchObject({ shipments: [] });
});

it('is counted as late in the overview', async () => {
  const caller = {
    accountId: api.accountId,
    keyId: null,
    scopes: ['shipments:read' as const],
    test: true,
    requestId: 'req_test',
    idempotency: null,
  };
  const { statuses } = toWireOverview({ ...(await readOverview(api.ctx.core, caller)), stalledS: null });
  expect(statuses.find(({ status }) => status === 'in_transit')).toMatchObject({ count: 2, late: 1 });
});
