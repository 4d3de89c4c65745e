import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectors } from '#services/worker/carriers/registry.ts';
import { keepLimit, priorityTokens } from '#shared/limits/published-limit.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { request } from '#test/support/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { type RunningService, until } from '#test/support/processes.ts';
import { type CarrierFleet, configuredCarrier, fleets } from './carrier-fleets.ts';
import { type Lags, pooled, type RefreshWatch, watchRefreshes } from './watch-refreshes.ts';

/** Seconds for which each carrier is watched while it answers, and then while it answers 429. */
const windowS = Number(process.env.CARRIER_429_S ?? 2);
/** After a long window the carrier is waited for; after a short one it counts as another carrier as soon as it is itself again. */
const isLong = windowS >= 10;
/** Seconds between two looks at a journey whose arrival is overdue: six hours in fast motion, two on the road. */
const intervalS = Math.max(15, windowS);
/** So long that next to nothing happens while the drill runs. */
const voyageS = 1_000_000;
/** A due shipment waits for the next sweep. */
const sweepS = 1;
/** Fewer refreshes say nothing of lag: short windows are at the mercy of whatever else the machine does, and only many of them together count. */
const minRefreshes = isLong ? 5 : 15;
/** Seconds of calm before all turns, and of overload after them. */
const aroundS = Math.max(6, windowS);

type Counts = {
  calls: number;
  byKind: Record<string, number>;
  byStatus: Record<string, number>;
  byMinute: Record<string, number>;
};
/** Calls counted by the simulator; signing in is no part of a published budget. */
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
      // Not simulated as far as the worker can tell: the published budgets hold.
      ...Object.assign({}, ...fleets.map(({ connector }) => configuredCarrier(connector, simulatorUrl, accountId))),
    }),
  });
  workers = [await landfall.startWorker(), await landfall.startWorker()];
  watch = watchRefreshes(landfall.core.store);
}, 60_000);

afterAll(async () => {
  await watch?.close();
  await Promise.all((workers ?? []).map((worker) => worker.kill()));
  await landfall?.close();
});

it(`each carrier in turn answers 429 for ${windowS} s: no other is slowed, no budget is exceeded, and it is asked again afterwards`, {
  timeout: fleets.length * windowS * 5000 + 600_000,
}, async () => {
  beginning = { atMs: Date.now(), calls: {} };
  checked = beginning;
  await register();
  const unseen = () => sql('select connector, reason from landfall.polling where last_succeeded_at is null');
  await until(unseen, (rows) => rows.length === 0, 60_000);

  const compared = fleets.filter(isCompared).map(({ connector }) => connector);
  const calm = (await watch.during(aroundS))(...compared);
  const turns: Record<string, Lags>[] = [];
  // The smallest budgets first, while they have something left for a carrier that comes back.
  const inTurn = [...fleets].sort((one, other) => budgetOf(one).perMs - budgetOf(other).perMs);
  for (const fleet of inTurn) {
    const { connector } = fleet;
    const others = await comparable(connector);
    const before = await watch.during(windowS);
    await answer429(connector);
    const during = await watch.during(windowS);
    await until(toldBy(connector), (rows) => rows.length > 0, 15_000);
    await request(`${landfall.simulator.url}/control/faults`, { method: 'DELETE' });
    healedMs.set(connector, Date.now());

    const turn = Object.fromEntries(others.map((other) => [other, { before: before(other), during: during(other) }]));
    for (const [other, lags] of Object.entries(turn)) judge(`${other} while ${connector} answers 429`, lags);
    turns.push(turn);
    const all = { before: before(...others), during: during(...others) };
    judge(`all while ${connector} answers 429`, all);
    if (isLong && isCompared(fleet)) await comesBack(fleet);
    tell({ carrier: connector, windowS, all, own: (await checkBudgets())[connector], others: turn });
  }
  await saysThatItFailed(inTurn.at(-1));
  for (const fleet of inTurn) await comesBack(fleet);
  const whole: Lags[] = [];
  for (const connector of compared) {
    const lags = pooled(turns.flatMap((others) => others[connector] ?? []));
    judge(`${connector} while each other answers 429`, lags);
    tell({ connector, ...lags });
    whole.push(lags);
  }
  const { before, during } = pooled(whole);
  // Between short windows, those that answered 429 a moment ago are still away.
  judge('all together', { before: isLong ? before : calm, during });
  tell({ calm, before, during });
  tell({ budgets: await checkBudgets(beginning), overload: await overload() });
  expect([...mistakes]).toEqual([]);
});

function budgetOf({ connector }: Pick<CarrierFleet, 'connector'>) {
  return keepLimit(connectors[connector].budget);
}

/** Seconds between two looks at one shipment. */
function intervalOf({ mode }: CarrierFleet): number {
  return mode === 'parcel' || mode === 'road' ? intervalS / 3 : intervalS;
}

/** A budget that does not carry one shipment at this pace makes it late by itself. */
function isCompared(fleet: CarrierFleet): boolean {
  return budgetOf(fleet).perMs * intervalOf(fleet) * 1000 >= 1;
}

/** As many shipments as ask for half of the budget; without tokens to spare, refreshes that come together wait for each other: a quarter. */
function sizeOf(fleet: CarrierFleet): number {
  const limit = budgetOf(fleet);
  const perS = limit.perMs * 1000;
  const wanted = limit.capacity - priorityTokens(limit) > 1 ? perS / 2 : Math.min(perS, 1) / 4;
  return Math.max(1, Math.floor(wanted * intervalOf(fleet)));
}

/** Registers every fleet evenly over one interval, so that its refreshes stay spread. Each journey is half over, and its arrival overdue. */
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

/** The others whose lag tells something: all of their shipments were seen again since their own turn. */
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

/** Everything that this carrier is asked, signing in included. A client asks for its shipments too. */
async function answer429(connector: CarrierFleet['connector']): Promise<void> {
  const faults = Array.from({ length: 100 }, () => ({ kind: 'too_many_requests', retryAfter: 'seconds', seconds: 1 }));
  await control('faults', { path: `${connectors[connector].simulated.basePath}/`, faults, times: 100 });
  for (const id of shipments.get(connector) ?? []) {
    expect(
      (await request(`${landfall.api.url}/v1/shipments/${id}/refresh`, { key: landfall.key, body: {} })).status,
    ).toBe(202);
  }
}

/** Lag may grow by 20 %, and by as much as chance makes it: one refresh waits for up to a sweep, the average of many for nearly the same. */
function judge(what: string, { before, during }: Lags): void {
  const refreshes = Math.min(before.refreshes, during.refreshes);
  if (refreshes < minRefreshes) return;
  const slackS = isLong ? sweepS * Math.min(1, 1.5 / Math.sqrt(refreshes)) : sweepS;
  if (during.lagS > before.lagS * 1.2 + slackS) mistakes.add(`${what}: ${JSON.stringify({ before, during })}`);
}

/** Shipments whose record says why their carrier tells nothing. */
const toldBy = (connector: string) => () =>
  sql(
    `select shipment_id from landfall.polling where connector = '${connector}' and reason in ('carrier_rate_limited', 'carrier_unreachable')`,
  );

/** Every shipment is seen again. */
async function comesBack({ connector }: CarrierFleet): Promise<void> {
  const healed = new Date(healedMs.get(connector) ?? 0).toISOString();
  const unseen = () =>
    sql(
      `select state, reason, next_refresh_at from landfall.polling where connector = '${connector}' and last_succeeded_at < '${healed}'`,
    );
  await until(unseen, (rows) => rows.length === 0, 420_000);
}

async function saysThatItFailed(fleet: CarrierFleet | undefined): Promise<void> {
  const service = async () =>
    (await request(`${landfall.api.url}/v1/carriers/${fleet?.carrier}`, { key: landfall.key })).body.service;
  const told = await until(service, (answer) => answer !== null && answer.success_rate < 1, 15_000);
  expect(told).toMatchObject({ circuit: expect.stringMatching(/open|closed/), budget_left: expect.any(Number) });
}

/** Everything is due all the time: the workers ask as much as they may. */
async function overload(): Promise<object> {
  await checkBudgets();
  const untilMs = Date.now() + aroundS * 1000;
  while (Date.now() < untilMs) {
    await sql(
      'update landfall.polling set next_refresh_at = least(next_refresh_at, now()) where next_refresh_at is not null',
    );
    await pause(250);
  }
  return checkBudgets();
}

/** Compares what was asked of each carrier since then, and in its busiest minute, with what its published budget carries. */
async function checkBudgets(since = checked): Promise<Record<string, object>> {
  const served: Record<string, Counts> = (await request(`${landfall.simulator.url}/control/served`)).body.byConnector;
  const atMs = Date.now();
  const calls: Record<string, number> = {};
  const told: Record<string, object> = {};
  for (const fleet of fleets) {
    const { connector } = fleet;
    const counts = served[connector];
    if (counts === undefined) throw new Error(`${connector} was never asked`);
    const { budget } = connectors[connector];
    const { capacity, perMs, holdMs } = budgetOf(fleet);
    const signIns = counts.byKind.token ?? 0;
    calls[connector] = counts.calls - signIns;
    const spent = calls[connector] - (since.calls[connector] ?? 0);
    // What lets through a bucket that was full then.
    const carried = Math.ceil(capacity + perMs * (atMs - since.atMs + holdMs));
    const busiestMinute = Math.max(...Object.values(counts.byMinute));
    const published = budget.calls * Math.max(1, 60_000 / budget.perMs);
    if (spent > carried) mistakes.add(`${connector} was asked ${spent} times, its budget carries ${carried}`);
    if (busiestMinute > published + signIns) mistakes.add(`${connector} was asked ${busiestMinute} times in a minute`);
    told[connector] = { shipments: sizeOf(fleet), spent, carried, busiestMinute, signIns, byStatus: counts.byStatus };
  }
  checked = { atMs, calls };
  return told;
}

function tell(measured: object): void {
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

function sql<Row extends object>(text: string): Promise<Row[]> {
  return withSystem(landfall.core.store, async (tx) => (await tx.query(text)).rows as Row[]);
}

async function control(action: string, body: object): Promise<void> {
  expect((await request(`${landfall.simulator.url}/control/${action}`, { body })).status).toBe(204);
}
