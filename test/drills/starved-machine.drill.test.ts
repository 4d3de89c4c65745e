import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { redisUrl } from '#test/support/stores/redis.ts';

/** `npm run drills starved -- --rounds 5` sets it. */
const rounds = Number(process.env['DRILL_ROUNDS'] ?? 1);
/** `STARVED_…`: set them lower for a short try. */
const loops = Number(process.env['STARVED_LOOPS'] ?? 20);
const shipments = Number(process.env['STARVED_SHIPMENTS'] ?? 3000);
const loadS = Number(process.env['STARVED_LOAD_S'] ?? 180);
const windowS = 15;
const recoveryS = 60;
const maxLogBytesAMinute = 40_000;
/** The first minute has a line of each kind in full. A short try has the budget of this time. */
const minLogS = 180;
/** More would be messages that differ each time, so that repetitions aren't found. */
const maxKinds = 60;
/** Refreshes wait for several processes in turn, so they get less than the share of one process. */
const minShare = 1 / (3 * (loops + 1));

const runs = Array.from({ length: rounds }, (_, index) => [
  { name: 'PostgreSQL', url: null, round: index + 1 },
  { name: 'Redis', url: redisUrl(5), round: index + 1 },
]).flat();

it.each(runs.filter(({ name, url }) => name === 'PostgreSQL' || url !== null))(
  'refreshes in proportion and registers while other work takes the machine, with the queue in $name, round $round',
  async ({ name, url, round }) => {
    const landfall = await openInstallation({ redisUrl: url, voyageS: 36_000, env: { LOG_LEVEL: 'warn' } });
    onTestFinished(() => landfall.close());
    const client = new pg.Client({ connectionString: landfall.core.databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await registerMany(landfall);
    await refreshesIn(client, windowS);
    const idle = await refreshesIn(client, windowS);

    const registering = startRegistering(landfall);
    const busy = startLoops();
    onTestFinished(() => endLoops(busy));
    const logged = logSizes(landfall);
    const loaded: number[] = [];
    for (let s = 0; s < loadS; s += windowS) loaded.push(await refreshesIn(client, windowS));
    const lines = outputs(landfall).map((text, index) => text.slice(logged[index]));
    const logAMinute = Math.round((lines.join('').length / Math.max(loadS, minLogS)) * 60);
    const warnings = lines.map(countWarnings);
    await endLoops(busy);
    const recovered: number[] = [];
    for (let s = 0; s < recoveryS; s += windowS) recovered.push(await refreshesIn(client, windowS));
    const statuses = await registering.end();

    process.stdout.write(`${JSON.stringify({ queue: name, round, idle, loaded, recovered, logAMinute, statuses })}\n`);
    const mean = loaded.reduce((sum, count) => sum + count, 0) / loaded.length;
    expect(Math.min(...loaded)).toBeGreaterThan(0);
    expect(mean).toBeGreaterThan(idle * minShare);
    expect(Object.keys(statuses)).toEqual(['201']);
    expect(Math.max(...recovered)).toBeGreaterThan(idle / 2);
    expect(logAMinute).toBeLessThan(maxLogBytesAMinute);
    for (const counts of warnings) {
      expect(counts.size, [...counts.keys()].join('\n')).toBeLessThanOrEqual(maxKinds);
      for (const [kind, count] of counts) expect(count, kind).toBeLessThanOrEqual(Math.ceil(loadS / 60) + 1);
    }
  },
  3_600_000,
);

/** Shipments that are refreshed in the next seconds. */
async function refreshesIn(client: pg.Client, seconds: number): Promise<number> {
  await pause(seconds * 1000);
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer from landfall.polling where last_refreshed_at > now() - make_interval(secs => $1)',
    [seconds],
  );
  return rows[0]?.count ?? 0;
}

function registrationOf(number: number): object {
  return { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${100_000_000 + number}` } };
}

async function registerMany({ api, key }: Installation): Promise<void> {
  for (let from = 0; from < shipments; from += 500) {
    const rows = Array.from({ length: Math.min(500, shipments - from) }, (_, index) => registrationOf(from + index));
    const { status } = await request(`${api.url}/v1/shipments/batch`, { key, body: { shipments: rows } });
    expect(status).toBeLessThan(300);
  }
}

/** Registers one shipment after another. `end` returns how often each status was answered. */
function startRegistering({ api, key }: Installation): { end: () => Promise<Record<string, number>> } {
  const statuses: Record<string, number> = {};
  let isOn = true;
  const registering = (async () => {
    for (let number = shipments; isOn; number += 1) {
      const { status } = await request(`${api.url}/v1/shipments`, { key, body: registrationOf(number) });
      statuses[status] = (statuses[status] ?? 0) + 1;
      await pause(500);
    }
  })();
  return {
    end: async () => {
      isOn = false;
      await registering;
      return statuses;
    },
  };
}

/** Each loop in a session of its own, so that the scheduler gives it as much as it gives Landfall. */
function startLoops(): ChildProcess[] {
  return Array.from({ length: loops }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { detached: true, stdio: 'ignore' }),
  );
}

async function endLoops(busy: ChildProcess[]): Promise<void> {
  await Promise.all(
    busy.splice(0).map(async (child) => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }),
  );
}

function outputs({ api, worker }: Installation): string[] {
  return [api.output(), worker?.output() ?? ''];
}

function logSizes(landfall: Installation): number[] {
  return outputs(landfall).map(({ length }) => length);
}

/**
 * Lines of each kind of warning with an error: the first in full, and then one a minute. Those of requests are always
 * written.
 */
function countWarnings(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one.startsWith('{') && one.endsWith('}'))) {
    const { level, msg, err, error, job, connector, queue, request_id } = JSON.parse(line);
    if (level < 40 || request_id !== undefined || (err ?? error) === undefined) continue;
    const reason = String(err === undefined ? error : `${err.type}: ${err.message}`);
    const kind = JSON.stringify([msg, reason.replaceAll(/[0-9a-f-]{36}|\d+/g, '#'), job, connector, queue]);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
