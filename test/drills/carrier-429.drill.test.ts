import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CarrierFleet, configuredCarrier, fleets } from '#infra/tools/drills/carrier-fleets.ts';
import { type Lags, pooled, type RefreshWatch, watchRefreshes } from '#infra/tools/drills/watch-refreshes.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { keepLimit, priorityTokens } from '#shared/limits/published-limit.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import type { RunningService } from '#test/support/processes.ts';
import { scaled } from '#test/support/run-scale.ts';
import { until } from '#test/support/until.ts';

/**
 * Seconds for which each carrier is watched while it answers, and then while it answers 429. Without a window, the test
 * waits until others are refreshed: how late they are says something on an otherwise idle machine only.
 */
const windowS = scaled({ short: 0, full: 30 });
const measuresLag = windowS > 0;
/** Connectors that must be refreshed while another one answers 429. */
const othersRefreshed = 3;
/** Seconds between two refreshes of a journey whose arrival is overdue: six hours in fast motion, two on the road. */
const intervalS = Math.max(15, windowS);
/** So long that almost nothing happens while the drill runs. */
const voyageS = 1_000_000;
/** A due shipment waits for the next sweep. */
const sweepS = 1;
/** Fewer refreshes say nothing about lag. */
const minRefreshes = 5;
/** Seconds of overload after all turns. */
const overloadS = Math.max(4, windowS);

type Counts = {
  calls: number;
  byKind: Record<string, number>;
  byStatus: Record<string, number>;
  byMinute: Record<string, number>;
};
/** Calls counted by the simulator. Token requests are not part of a published budget. */
type Spent = { atMs: number; calls: Record<string, number> };

let landfall: Installation;
let workers: RunningService[];
let watch: RefreshWatch;
let beginning: Spent;
let checked: Spent;
const shipments = new Map<string, string[]>();
const healedMs = new Map<string, number>();
const mistakes = new Set<string>();

beforeAll(async () => {
  landfall = await openInstallation({
    redisUrl: null,
    withWorker: false,
    voyageS,
    env: ({ simulatorUrl, accountId }) => ({
      CADENCE_SCALE: String(intervalS / (6 * 3600)),
      // The worker does not know that these are simulated, so that the published budgets apply.
      ...Object.assign({}, ...fleets.map(({ connector }) => configuredCarrier(connector, simulatorUrl, accountId))),
    }),
  });
  workers = [await landfall.startWorker(), await landfall.startWorker()];
  watch = watchRefreshes(landfall.core.store);
});

afterAll(async () => {
  await watch?.close();
  await Promise.all((workers ?? []).map((worker) => worker.kill()));
  await landfall?.close();
});

// A minute, most of it on one core.
it.skipIf(scaled({ short: true, full: false }))(
  'slows no other carrier while one returns 429, keeps every budget, and refreshes that carrier again',
  async () => {
    beginning = { atMs: Date.now(), calls: {} };
    checked = beginning;
    await register();
    const unseen = () => sql('select connector, reason from landfall.polling where last_succeeded_at is null');
    await until(unseen, (rows) => rows.length === 0);

    const compared = fleets.filter(isCompared).map(({ connector }) => connector);
    const turns: Record<string, Lags>[] = [];
    // The smallest budgets first, while they have something left for a carrier that comes back.
    const inTurn = [...fleets].sort((one, other) => budgetOf(one).perMs - budgetOf(other).perMs);
    for (const fleet of inTurn) {
      const { connector } = fleet;
      const others = await comparable(connector);
      const before = await watch.during(windowS);
      await answer429(connector);
      const during = await watch.during(windowS);
      await othersGoOn(connector);
      await until(reportedBy(connector), (rows) => rows.length > 0);
      await request(`${landfall.simulator.url}/control/faults`, { method: 'DELETE' });
      healedMs.set(connector, Date.now());
      if (!measuresLag) continue;

      const turn = Object.fromEntries(others.map((other) => [other, { before: before(other), during: during(other) }]));
      for (const [other, lags] of Object.entries(turn)) evaluate(`${other} while ${connector} answers 429`, lags);
      turns.push(turn);
      const all = { before: before(...others), during: during(...others) };
      evaluate(`all while ${connector} answers 429`, all);
      if (isCompared(fleet)) await comesBack(fleet);
      print({ carrier: connector, windowS, all, own: (await checkBudgets())[connector], others: turn });
    }
    await saysThatItFailed(inTurn.at(-1));
    for (const fleet of inTurn) await comesBack(fleet);
    const whole: Lags[] = [];
    for (const connector of compared) {
      const lags = pooled(turns.flatMap((others) => others[connector] ?? []));
      evaluate(`${connector} while each other answers 429`, lags);
      print({ connector, ...lags });
      whole.push(lags);
    }
    const together = pooled(whole);
    evaluate('all together', together);
    print({ ...together, budgets: await checkBudgets(beginning), overload: await overload() });
    expect([...mistakes]).toEqual([]);
  },
);

function budgetOf({ connector }: Pick<CarrierFleet, 'connector'>) {
  return keepLimit(connectors[connector].budget);
}

/** Seconds between two refreshes of one shipment. */
function intervalOf({ mode }: CarrierFleet): number {
  return mode === 'parcel' || mode === 'road' ? intervalS / 3 : intervalS;
}

/** A budget too small for one shipment at this pace makes it late by itself. */
function isCompared(fleet: CarrierFleet): boolean {
  return budgetOf(fleet).perMs * intervalOf(fleet) * 1000 >= 1;
}

/** Shipments that use half of the budget, or a quarter if it has no spare tokens, where concurrent refreshes wait. */
function sizeOf(fleet: CarrierFleet): number {
  const limit = budgetOf(fleet);
  const perS = limit.perMs * 1000;
  const wanted = limit.capacity - priorityTokens(limit) > 1 ? perS / 2 : Math.min(perS, 1) / 4;
  return Math.max(1, Math.floor(wanted * intervalOf(fleet)));
}

/** Registers every fleet evenly over one interval, which spreads its refreshes. Every arrival is overdue. */
async function register(): Promise<void> {
  const startedMs = Date.now();
  const wanted = fleets.flatMap((fleet, index) => {
    const size = sizeOf(fleet);
    return Array.from({ length: size }, (_, order) => ({
      fleet,
      order,
      atS: ((order + index / fleets.length) / size) * intervalS,
    }));
  });
  for (const { fleet, order, atS } of wanted.sort((one, other) => one.atS - other.atS)) {
    await pause(Math.max(0, startedMs + atS * 1000 - Date.now()));
    const number = fleet.number(order);
    const at = startedMs - (voyageS / 2) * 1000;
    for (const reference of new Set([number, fleet.asked(number)])) await control('first-seen', { reference, at });
    const body = { transport_mode: fleet.mode, carrier: fleet.carrier, identifiers: { [fleet.key]: number } };
    const answer = await request(`${landfall.api.url}/v1/shipments`, { key: landfall.key, body });
    expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
    shipments.set(fleet.connector, [...(shipments.get(fleet.connector) ?? []), answer.body.shipment_id]);
  }
}

/** Other connectors whose lag is comparable: all their shipments were refreshed since their own turn. */
async function comparable(failing: string): Promise<string[]> {
  const seen = await sql<{ connector: string; at: Date }>(
    'select connector, min(last_succeeded_at) as at from landfall.polling group by connector',
  );
  const since = new Map(seen.map(({ connector, at }) => [connector, at.getTime()]));
  return fleets
    .filter((fleet) => fleet.connector !== failing && isCompared(fleet))
    .map(({ connector }) => connector)
    .filter((other) => (since.get(other) ?? 0) > (healedMs.get(other) ?? 0));
}

/** Shipments of other carriers are refreshed while this one fails. */
async function othersGoOn(failing: string): Promise<void> {
  const [now] = await sql<{ at: string }>('select now()::text as at');
  const refreshed = () =>
    sql(
      `select distinct connector from landfall.polling
       where connector <> '${failing}' and last_succeeded_at > '${now?.at}'::timestamptz`,
    );
  await until(refreshed, (rows) => rows.length >= othersRefreshed);
}

/** Every call to this carrier fails, token requests included. A client requests refreshes of its shipments too. */
async function answer429(connector: CarrierFleet['connector']): Promise<void> {
  const faults = Array.from({ length: 100 }, () => ({ kind: 'too_many_requests', retryAfter: 'seconds', seconds: 1 }));
  await control('faults', { path: `${connectors[connector].simulated.basePath}/`, faults, times: 100 });
  for (const id of shipments.get(connector) ?? []) {
    expect(
      (await request(`${landfall.api.url}/v1/shipments/${id}/refresh`, { key: landfall.key, body: {} })).status,
    ).toBe(202);
  }
}

/** Lag may grow by 20 % plus chance: one refresh waits for up to one sweep, the average of many varies less. */
function evaluate(what: string, { before, during }: Lags): void {
  const refreshes = Math.min(before.refreshes, during.refreshes);
  if (refreshes < minRefreshes) return;
  const slackS = sweepS * Math.min(1, 1.5 / Math.sqrt(refreshes));
  if (during.lagS > before.lagS * 1.2 + slackS) mistakes.add(`${what}: ${JSON.stringify({ before, during })}`);
}

/** Shipments whose record gives the failure of their carrier. */
const reportedBy = (connector: string) => () =>
  sql(
    `select shipment_id from landfall.polling
     where connector = '${connector}' and reason in ('carrier_rate_limited', 'carrier_unreachable')`,
  );

/** Every shipment is refreshed again. */
async function comesBack({ connector }: CarrierFleet): Promise<void> {
  const healed = new Date(healedMs.get(connector) ?? 0).toISOString();
  const unseen = () =>
    sql(
      `select state, reason, next_refresh_at from landfall.polling
       where connector = '${connector}' and last_succeeded_at < '${healed}'`,
    );
  await until(unseen, (rows) => rows.length === 0);
}

async function saysThatItFailed(fleet: CarrierFleet | undefined): Promise<void> {
  const service = async () =>
    (await request(`${landfall.api.url}/v1/carriers/${fleet?.carrier}`, { key: landfall.key })).body.service;
  const reported = await until(service, (answer) => answer !== null && answer.success_rate < 1);
  expect(reported).toMatchObject({ circuit: expect.stringMatching(/open|closed/), budget_left: expect.any(Number) });
}

/** Everything is due all the time: the workers call as often as they may. */
async function overload(): Promise<object> {
  await checkBudgets();
  const untilMs = Date.now() + overloadS * 1000;
  while (Date.now() < untilMs) {
    await sql(
      'update landfall.polling set next_refresh_at = least(next_refresh_at, now()) where next_refresh_at is not null',
    );
    await pause(250);
  }
  return checkBudgets();
}

/** Compares the calls to each carrier since then, and in its busiest minute, with its published budget. */
async function checkBudgets(since = checked): Promise<Record<string, object>> {
  const served: Record<string, Counts> = (await request(`${landfall.simulator.url}/control/served`)).body.byConnector;
  const atMs = Date.now();
  const calls: Record<string, number> = {};
  const reported: Record<string, object> = {};
  for (const fleet of fleets) {
    const { connector } = fleet;
    const counts = served[connector];
    if (counts === undefined) throw new Error(`${connector} got no call`);
    const { budget } = connectors[connector];
    const { capacity, perMs, holdMs } = budgetOf(fleet);
    const signIns = counts.byKind.token ?? 0;
    calls[connector] = counts.calls - signIns;
    const spent = calls[connector] - (since.calls[connector] ?? 0);
    // A full bucket then permits this many calls.
    const carried = Math.ceil(capacity + perMs * (atMs - since.atMs + holdMs));
    const busiestMinute = Math.max(...Object.values(counts.byMinute));
    const published = budget.calls * Math.max(1, 60_000 / budget.perMs);
    if (spent > carried) mistakes.add(`${connector} got ${spent} calls; its budget allows ${carried}`);
    if (busiestMinute > published + signIns) mistakes.add(`${connector} got ${busiestMinute} calls in one minute`);
    reported[connector] = {
      shipments: sizeOf(fleet),
      spent,
      carried,
      busiestMinute,
      signIns,
      byStatus: counts.byStatus,
    };
  }
  checked = { atMs, calls };
  return reported;
}

function print(measured: object): void {
  if (!measuresLag) return;
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

function sql<Row extends object>(text: string): Promise<Row[]> {
  return withSystem(landfall.core.store, async (tx) => (await tx.query(text)).rows as Row[]);
}

async function control(action: string, body: object): Promise<void> {
  expect((await request(`${landfall.simulator.url}/control/${action}`, { body })).status).toBe(204);
}
