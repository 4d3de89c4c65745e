import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { keepMaps } from '#services/api/dashboard/kept-maps.ts';
import { mapRoutes } from '#services/api/dashboard/map-routes.ts';
import { countArrivalDays } from '#shared/core/analytics/count-arrival-days.ts';
import { followAnalytics } from '#shared/core/analytics/follow-feed.ts';
import { readArrivalReport } from '#shared/core/analytics/read-reports.ts';
import { getBulkAction, startBulkAction } from '#shared/core/bulk/bulk-actions.ts';
import { runBulkActions } from '#shared/core/bulk/run-bulk-actions.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { exportShipments } from '#shared/core/lists/export-shipments.ts';
import { mapKeyOf } from '#shared/domain/lists/map-position.ts';
import { findPlace } from '#shared/places/find-place.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { type Bench, openBench } from './bench.ts';
import { ports } from './data/trade.ts';
import { openBenchCore } from './service-env.ts';

// Measures what an account with many shipments costs: map, calendar, export, bulk action and analytics, each in this
// process and in PostgreSQL. `node infra/tools/bench/large-account.ts --shipments 20000`

const dayMs = 86_400_000;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({ options: { shipments: { type: 'string', default: '20000' } } });
const count = Number(values.shipments);
const { bench, close } = await openBench({ rounds: 1, seconds: 1, profileFolder: null, note: say });
try {
  await measureAccount(bench);
} finally {
  await close();
}

async function measureAccount({ newDatabase, databaseCpu }: Bench): Promise<void> {
  const databaseUrl = await newDatabase();
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const core = await openBenchCore(databaseUrl);
  const measure = measureWith(databaseCpu);
  try {
    const { rows } = await owner.query<{ id: string }>(
      `insert into landfall.accounts (name) values ('large') returning id`,
    );
    const accountId = rows[0]?.id ?? '';
    const caller = operatorOf(accountId);
    await seedShipments({ databaseUrl, accountId, count });
    await placeShipments(owner, accountId);
    say(`${count} current shipments`);

    const ask = (maps: ReturnType<typeof keepMaps>, view: string) =>
      mapRoutes.getMap({ ctx: { core, maps }, caller, query: { by: 'place', view } } as never);
    const [world, quarter, port] = ['1.414214,-500,-240,500,170', '4,-60,-200,300,60', '16,-60,-180,40,-100'] as const;
    // Shipping lanes are found once per process.
    await ask(keepMaps(core), world);
    const maps = keepMaps(core);
    await measure('map, first view', () => ask(maps, world));
    for (const view of [world, quarter, port]) await measure(`map, ${view}`, () => ask(maps, view));
    const fresh = keepMaps(core);
    await measure('map, ten first views at once', () =>
      Promise.all(Array.from({ length: 10 }, (_, index) => ask(fresh, index % 2 === 0 ? world : quarter))),
    );

    const month = [0, 41].map((days) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10));
    await measure('calendar, six weeks', () =>
      countArrivalDays(core, caller, { filter: {}, from: month[0] ?? '', to: month[1] ?? '' }),
    );
    await measure('export', async () => {
      for await (const _ of exportShipments(core, caller, { filter: {}, sort: '-created_at' }));
    });

    await measure('tag all', async () => {
      const action = { kind: 'tag', add: ['large'], remove: [] } as const;
      const { started } = await startBulkAction(core, caller, { action, source: { filter: {} } });
      const { signal } = new AbortController();
      while ((await runBulkActions(core, { signal })) > 0);
      const ended = await getBulkAction(core, caller, started.id);
      if (ended.changed !== count) throw new Error(`${ended.changed} shipments were tagged`);
    });

    await deliverShipments(owner, accountId);
    await measure('analytics of all, delivered within a year', async () => {
      while ((await sequenceChanges(core)) !== 0);
      while (await followAnalytics(core, { countAfterMs: 10_000 }));
      while (await followAnalytics(core, { countAfterMs: 0 }));
    });
    const to = new Date().toISOString().slice(0, 10);
    for (const days of [90, 365])
      for (const by of ['carrier', 'lane'] as const)
        await measure(`analytics, ${days} days by ${by}`, async () => {
          const from = new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
          await readArrivalReport(core, caller, { scope: { from, to }, by, trend: 'week', limit: 30 });
        });
  } finally {
    await core.close();
    await owner.end();
  }
}

function measureWith(databaseCpu: Bench['databaseCpu']) {
  return async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    const [since, own, database] = [performance.now(), process.cpuUsage(), databaseCpu() ?? Number.NaN];
    await work();
    const ms = performance.now() - since;
    const { user, system } = process.cpuUsage(own);
    const databaseMs = ((databaseCpu() ?? Number.NaN) - database) / 1000;
    await sleep(10);
    delay.disable();
    const parts = [
      `${ms.toFixed(0)} ms`,
      `CPU ${((user + system) / 1000).toFixed(0)} ms and ${databaseMs.toFixed(0)} ms in PostgreSQL`,
      `longest wait of the loop ${(delay.max / 1_000_000).toFixed(0)} ms`,
      `resident ${(process.memoryUsage.rss() / 1_000_000).toFixed(0)} MB`,
    ];
    say(`${name}: ${parts.join(', ')}`);
  };
}

/** Two of three at sea with times of their own, a tenth unknown, the others in ports. */
async function placeShipments(owner: pg.Client, accountId: string): Promise<void> {
  const points = ports.flatMap(([code]) => {
    const found = findPlace(code);
    const { lat = null, lng = null, name = null } = found ?? {};
    return lat === null || lng === null ? [] : [{ key: code, name, lat, lng }];
  });
  const { rows } = await owner.query<{ id: string }>(
    'select id from landfall.shipments where account_id = $1 order by id',
    [accountId],
  );
  const placed = rows.map(({ id }, index) => {
    const pick = (at: number) => points[at % points.length] ?? null;
    const [from, to, destination] = [pick(index), pick(index * 7 + Math.floor(index / 60) + 3), pick(index * 13 + 5)];
    if (index % 10 === 9) return { id, status: 'pending', position: null, key: null };
    const moving = index % 10 >= 3;
    const times = {
      departedAt: new Date(Date.now() - Math.random() * 20 * dayMs).toISOString(),
      arrivesAt: new Date(Date.now() + Math.random() * 25 * dayMs).toISOString(),
    };
    const position = { from, to: moving ? to : null, destination, moving, ...(moving ? times : {}) };
    return { id, status: moving ? 'in_transit' : 'arrived', position, key: mapKeyOf(position, 'ocean') };
  });
  for (let start = 0; start < placed.length; start += 5000)
    await owner.query(
      `update landfall.shipments as s
      set status = g.status, position = g.position, map_key = g.key, delivered_at = null, delivered_day = null,
        eta = now() + random() * interval '40 days', eta_day = (now() + random() * interval '40 days')::date
      from json_to_recordset($2::json) as g (id uuid, status text, position jsonb, key text)
      where s.account_id = $1 and s.id = g.id`,
      [accountId, JSON.stringify(placed.slice(start, start + 5000))],
    );
  await owner.query('vacuum analyze landfall.shipments');
}

/** One arrival for each shipment within the last year, on time or not. */
async function deliverShipments(owner: pg.Client, accountId: string): Promise<void> {
  const time = (at: string) =>
    `jsonb_build_object('at', to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:00.000"Z"'), 'local', to_char(${at}, 'YYYY-MM-DD"T"HH24:MI'),
      'timezone', 'UTC', 'zoneSource', 'location', 'precision', 'minute')`;
  const place = (end: string) =>
    `jsonb_build_object('name', s.${end}_name, 'unlocode', s.${end}_unlocode, 'country', s.${end}_country, 'iata', null,
      'lat', null, 'lng', null, 'timezone', null, 'facility', null)`;
  await owner.query(
    `with drawn as (
      select id, date_trunc('minute', now() - random() * interval '364 days') as arrived, random() as luck
      from landfall.shipments where account_id = $1
    ),
    voyages as (
      select *, arrived - (20 + 30 * luck) * interval '1 day' as departed, arrived - (luck - 0.7) * interval '6 days' as planned
      from drawn
    )
    update landfall.shipments as s
    set status = 'delivered', delivered_at = v.arrived, delivered_day = v.arrived::date, eta = null, eta_day = null, late_from = null,
      record = s.record || jsonb_build_object('status', 'delivered', 'origin', ${place('origin')}, 'destination', ${place('destination')},
        'departure', jsonb_build_object('planned', null, 'estimated', null, 'actual', ${time('v.departed')}),
        'arrival', jsonb_build_object('planned', ${time('v.planned')}, 'estimated', null, 'actual', ${time('v.arrived')}),
        'delivery', jsonb_build_object('planned', null, 'estimated', null, 'actual', ${time('v.arrived')}))
    from voyages as v
    where s.account_id = $1 and s.id = v.id`,
    [accountId],
  );
  await owner.query('vacuum analyze landfall.shipments');
}
