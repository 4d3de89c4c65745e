import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { callOverHttp, listTool, successOf } from '#test/support/api/mcp-calls.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';

/** From the westernmost inhabited zone to the easternmost: −11 to +14. */
const zones = [
  'Pacific/Pago_Pago',
  'America/Los_Angeles',
  'America/St_Johns',
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
];
const dayMs = 86_400_000;
const firstMs = Math.floor(Date.now() / dayMs) * dayMs - 30 * dayMs;
/** Near each end of a day in UTC and in its middle. */
const moments = [0.4, 11.3, 12.7, 23.6].map((hour) => firstMs + hour * 3_600_000);
const lasting = { departed: 0, eta: 9 * dayMs, delivered: 20 * dayMs, last_free_day: 12 * dayMs };
type Kind = keyof typeof lasting | 'created';
const kinds: Kind[] = ['departed', 'eta', 'delivered', 'last_free_day', 'created'];

let api: TestApi;
/** The true day of each shipment by kind. The calendar of the platform is the evaluate. */
const truth: Record<Kind, Map<string, string>> = {
  departed: new Map(),
  eta: new Map(),
  delivered: new Map(),
  last_free_day: new Map(),
  created: new Map(),
};

const dayIn = (timezone: string, ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(ms);
const timeIn = (timezone: string, ms: number) => {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, timeStyle: 'short' }).format(ms);
  return {
    ...{ at: new Date(ms).toISOString(), local: `${dayIn(timezone, ms)}T${clock}`, timezone },
    ...{ zoneSource: 'location' as const, precision: 'minute' as const },
  };
};

beforeAll(async () => {
  api = await startTestApi();
  const caller = {
    accountId: api.accountId,
    keyId: null,
    scopes: [],
    test: false,
    requestId: 'req',
    idempotency: null,
  };
  let number = 3_000_000;
  for (const timezone of zones)
    for (const ms of moments)
      for (const isDelivered of [true, false]) {
        const { id } = (await registerShipment(api.ctx.core, caller, oceanRegistration())).shipment;
        number += 1;
        const place = { name: timezone.slice(-9), unlocode: null, iata: null, country: null, lat: null, lng: null };
        const common = { container: `MSKU${number}`, location: { ...place, timezone, facility: null }, local: '' };
        const sketches = [
          { ...common, code: 'departed', legRole: 'pol', ms: ms + lasting.departed },
          { ...common, code: 'arrived', legRole: 'pod', classifier: 'estimated', ms: ms + lasting.eta },
          ...(isDelivered
            ? [{ ...common, code: 'delivered', legRole: 'destination', ms: ms + lasting.delivered }]
            : [
                {
                  ...{ ...common, code: 'discharged', legRole: 'pod', ms: ms + 8 * dayMs },
                  details: {
                    freeDays: [{ by: 'terminal', kind: 'demurrage', day: dayIn(timezone, ms + lasting.last_free_day) }],
                  },
                },
              ]),
        ] as const;
        const result = found(...(sketches as unknown as Parameters<typeof found>));
        if (result.outcome !== 'found') throw new Error('nothing found');
        for (const [index, event] of result.reading.events.entries())
          event.time = timeIn(timezone, sketches[index]?.ms ?? 0);
        await refresh(api.ctx.core, { accountId: api.accountId, shipmentId: id }, result);
        await withAccount(api.ctx.core.store, api.accountId, (tx) =>
          tx.query('update landfall.shipments set created_at = $3 where account_id = $1 and id = $2', [
            api.accountId,
            id,
            new Date(ms).toISOString(),
          ]),
        );
        const shipmentId = toShipmentId(id);
        truth.created.set(shipmentId, dayIn('UTC', ms));
        truth.departed.set(shipmentId, dayIn(timezone, ms));
        truth.eta.set(shipmentId, dayIn(timezone, ms + lasting.eta));
        if (isDelivered) truth.delivered.set(shipmentId, dayIn(timezone, ms + lasting.delivered));
        else truth.last_free_day.set(shipmentId, dayIn(timezone, ms + lasting.last_free_day));
      }
});

afterAll(() => api.close());

const bounds = (kind: Kind, from: string, to: string) => ({ [`${kind}_from`]: from, [`${kind}_to`]: to });
const shownDay: Record<Kind, (row: Json) => string> = {
  departed: (row) => row.departed_at,
  eta: (row) => row.eta,
  delivered: (row) => row.delivered_at,
  last_free_day: (row) => row.last_free_day,
  created: (row) => row.created_at,
};
const days = (kind: Kind) => {
  const of = [...new Set(truth[kind].values())].toSorted();
  const beside = (day: string, by: number) => new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);
  return [beside(of[0] ?? '', -1), ...of, beside(of.at(-1) ?? '', 1)];
};
const idsOf = (rows: readonly Json[]) => rows.map(({ shipment_id: id }) => id).toSorted();

async function allRows(args: Record<string, string>): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null = null; cursor !== null || rows.length === 0; ) {
    const more = cursor === null ? {} : { cursor };
    const page = await successOf(callOverHttp(api, listTool, { ...args, ...more, limit: 50 }));
    rows.push(...page.shipments);
    cursor = page.next_cursor ?? null;
    if (cursor === null) break;
  }
  return rows;
}

describe.each(kinds)('the filter by the day of %s', (kind) => {
  it('finds exactly the shipments of each local day in list, counts, export and the tool, which show that day', async () => {
    expect(days(kind).length).toBeGreaterThanOrEqual(kind === 'created' ? 3 : 5);
    for (const day of days(kind)) {
      const expected = [...truth[kind]].filter(([, own]) => own === day).map(([id]) => id);
      const query = new URLSearchParams(bounds(kind, day, day)).toString();
      const rest = await jsonOf(await api.request(`/v1/shipments?limit=100&${query}`));
      expect(idsOf(rest.data), day).toEqual(expected.toSorted());
      const counts = await jsonOf(await api.request(`/v1/shipments/counts?${query}`));
      expect(counts.total).toBe(expected.length);
      const file = await (await api.request(`/v1/shipments/export?format=ndjson&${query}`)).text();
      expect(
        idsOf(
          file
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        ),
      ).toEqual(expected.toSorted());
      const rows = await allRows(bounds(kind, day, day));
      expect(idsOf(rows)).toEqual(expected.toSorted());
      expect(rows.map((row: Json) => shownDay[kind](row))).toEqual(expected.map(() => day));
    }
  });

  it('adds up to all shipments over any split of the days', async () => {
    const all = days(kind);
    for (const [index, last] of all.entries()) {
      const counted = async (range: Record<string, string>) =>
        (await successOf(callOverHttp(api, listTool, { ...range, limit: 0 }))).total;
      const [until, after] = [
        await counted({ [`${kind}_to`]: last }),
        index + 1 < all.length ? await counted({ [`${kind}_from`]: all[index + 1] ?? '' }) : 0,
      ];
      expect(until + after).toBe(truth[kind].size);
    }
  });
});

it('compares an instant with the instant, at any place', async () => {
  const middle = new Date((moments[1] ?? 0) + 1).toISOString();
  const { total } = await successOf(callOverHttp(api, listTool, { departed_to: middle, limit: 0 }));
  expect(total).toBe(zones.length * 2 * 2);
  const { total: delivered } = await successOf(
    callOverHttp(api, listTool, {
      delivered_from: new Date((moments[2] ?? 0) + lasting.delivered).toISOString(),
      limit: 0,
    }),
  );
  expect(delivered).toBe(zones.length * 2);
});
