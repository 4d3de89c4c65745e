import { setTimeout as pause } from 'node:timers/promises';
import { until } from '#test/support/until.ts';
import { isAnswer, openApiClient } from '../checker/api-client.ts';
import { byLength, type Drill, type Field, type Figures } from '../drill.ts';
import { residentBytes } from '../worlds/process-tree.ts';
import { backends, shapes } from '../worlds/world.ts';
import { load } from './processes.ts';

const everywhere = { shapes, backends };
/** Answers that cost their reader much, or that can't be read. */
const poison = [
  { kind: 'endless_body' },
  { kind: 'invalid_json' },
  { kind: 'truncated_json' },
  { kind: 'gzip_lie' },
  { kind: 'html' },
  { kind: 'empty_body' },
  { kind: 'wrapper_object' },
  { kind: 'cursor_loop' },
  { kind: 'cut_connection' },
  { kind: 'drip', ms: 2000 },
];

/** Carriers that are gone, answer badly, or have everything due at once. */
export const carrierDrills: readonly Drill[] = [
  {
    name: 'carrier-dead',
    what: 'every carrier unreachable for three minutes',
    ...everywhere,
    inTests: 'fleet',
    run: async ({ world, length }) => {
      await world.carriers.cut();
      await load(length, { short: 1, long: 180 });
      const before = await callsSeen(world.simulatorUrl);
      await world.carriers.restore();
      const healedAt = performance.now();
      await until(
        () => callsSeen(world.simulatorUrl),
        (calls) => calls > before,
      );
      return { firstCallAfterMs: Math.round(performance.now() - healedAt) };
    },
  },
  {
    name: 'poison-answers',
    what: 'a handful of numbers answered with endless, unreadable and broken bodies',
    ...everywhere,
    inTests: 'one machine',
    run: poisonSome,
  },
  {
    name: 'all-due-at-once',
    what: '20,000 shipments due at once, beside single registrations',
    ...everywhere,
    inTests: 'fleet',
    // On two cores, more voyages in progress would take most of the time that the backlog needs.
    load: { registrationsPerS: 1 },
    run: dueAtOnce,
  },
];

/** A minute is usual. A machine that can't keep up with the load of the clients would never end. */
const drainPatienceMs = 30 * 60_000;
const longAgo = '2020-01-01T00:00:00Z';

/** Poisons the answers for some numbers of the load. Their neighbours at the same carriers must not notice. */
async function poisonSome({ world, checker, length }: Field): Promise<Figures> {
  const poisoned = checker.ledger.entries.slice(0, 4);
  for (const { number } of poisoned)
    await control(world.simulatorUrl, 'faults', {
      reference: number,
      faults: poison,
      times: byLength(length, { short: 1, long: 10 }),
    });
  let maxBytes = 0;
  const ends = performance.now() + 1000 * byLength(length, { short: 5, long: 60 });
  while (performance.now() < ends) {
    maxBytes = Math.max(maxBytes, ...world.pids('worker').map(residentBytes));
    await pause(200);
  }
  await fetch(`${world.simulatorUrl}/control/faults`, { method: 'DELETE', headers: { connection: 'close' } });
  return { workerMb: Math.round(maxBytes / 1e6), poisoned: poisoned.length };
}

/** Registers many shipments of another account in batches and times single registrations until all are refreshed. */
async function dueAtOnce({ world, checker, length }: Field): Promise<Figures> {
  const count = byLength(length, { short: 200, long: 20_000 });
  const { key } = await world.newAccount();
  const call = openApiClient({ urls: world.apiUrls, key });
  const startedAt = performance.now();
  const rows = byLength(length, { short: 100, long: 1000 });
  for (let from = 0; from < count; from += rows) {
    // Ends in 5: a voyage in real time. In octal, each is another number, and none contains the 404 of unknown ones.
    const numbers = Array.from(
      { length: rows },
      (_, index) => `HDMU3${(from + index).toString(8).replaceAll('4', '9').padStart(7, '0')}5`,
    );
    // A voyage that is over is refreshed once and then rests. Others would be due again every two seconds.
    for (const reference of numbers) await control(world.simulatorUrl, 'first-seen', { reference, at: longAgo });
    const shipments = numbers.map((mbl, index) => ({
      transport_mode: 'ocean',
      carrier: 'HDMU',
      identifiers: { mbl },
      reference: `due-${from + index}`,
    }));
    const sent = () => call('POST', '/v1/shipments/batch', { body: { shipments }, idempotencyKey: `due-${from}` });
    await until(sent, (outcome) => isAnswer(outcome) && outcome.status === 200);
  }
  const singles: number[] = [];
  const waiting = async (): Promise<number> => {
    const outcome = await call('GET', '/v1/shipments/counts?tracking_state=queued');
    return isAnswer(outcome) && outcome.status === 200 ? outcome.body.total : Number.POSITIVE_INFINITY;
  };
  const deadline = startedAt + drainPatienceMs;
  let left = 0;
  do {
    singles.push(await checker.untilRefreshesFlow());
    left = await waiting();
  } while (left > 0 && performance.now() < deadline);
  if (left > 0) checker.ledger.find('answer', `${left} of ${count} shipments were never refreshed`);
  singles.sort((left, right) => left - right);
  return {
    shipments: count,
    drainedS: Math.round((performance.now() - startedAt) / 1000),
    singleP50Ms: singles[Math.floor(singles.length / 2)] ?? 0,
    singleP95Ms: singles[Math.floor(singles.length * 0.95)] ?? 0,
  };
}

/** Calls that the simulated carriers have answered. */
async function callsSeen(simulatorUrl: string): Promise<number> {
  const response = await fetch(`${simulatorUrl}/control/served`, { headers: { connection: 'close' } });
  const { byConnector } = (await response.json()) as { byConnector: Record<string, { calls: number }> };
  return Object.values(byConnector).reduce((sum, { calls }) => sum + calls, 0);
}

async function control(simulatorUrl: string, action: string, body: object): Promise<void> {
  const response = await fetch(`${simulatorUrl}/control/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${action}: ${response.status} ${await response.text()}`);
}
