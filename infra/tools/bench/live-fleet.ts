import pg from 'pg';
import { Pool } from 'undici';
import type { Bench } from './bench.ts';
import { openBenchAccount } from './bench-account.ts';
import type { MeasuredServer } from './measure/measured-server.ts';
import { serviceEnv } from './service-env.ts';

export type FleetSize = { apis: number; workers: number };

export type FleetSettings = {
  /**
   * Seconds from booking to delivery. A shipment is refreshed every two or three seconds, and most refreshes bring
   * changes.
   */
  voyageS: number;
};

/** Turns a day between two refreshes into two seconds, the minimum. */
const cadenceScale = '0.00001';
/** Maximum refresh delay, in seconds, while the maximum rate is determined. */
const maxLateS = 5;
const backlogEveryMs = 500;
/** Adjustments of the target per voyage. */
const stepsPerVoyage = 24;
const minInTransit = 20;

export type Rate = { registrationsPerS: number; refreshesPerS: number; p50Ms: number; p99Ms: number; failures: number };

/** The state of the work in a database. */
export type Backlog = {
  oldestDueS: number;
  refreshes: number;
  refreshErrors: number;
  shipments: number;
  moving: number;
};

/**
 * APIs, workers and simulated carriers in processes of their own on one database, and on Redis if `REDIS_URL` is set.
 */
export async function openLiveFleet(bench: Bench, size: FleetSize, { voyageS }: FleetSettings) {
  const databaseUrl = await bench.newDatabase();
  const { key } = await openBenchAccount(databaseUrl);
  const simulator = await bench.startServer({
    file: 'infra/tools/simulator/main.ts',
    env: { SIMULATOR_PORT: '0', SIMULATOR_VOYAGE_S: String(voyageS), LOG_LEVEL: 'warn' },
  });
  const env = {
    ...serviceEnv(databaseUrl),
    ...(bench.redisUrl === null ? {} : { REDIS_URL: bench.redisUrl }),
    SIMULATOR: 'on',
    SIMULATOR_URL: simulator.url,
    CADENCE_SCALE: cadenceScale,
    HOST: '127.0.0.1',
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const start = (file: string, count: number): Promise<MeasuredServer[]> =>
    Promise.all(Array.from({ length: count }, () => bench.startServer({ file, env })));
  const apis = await start('services/api/main.ts', size.apis);
  const workers = await start('services/worker/main.ts', size.workers);
  const client = new pg.Client({ connectionString: databaseUrl });
  // The server may stop while this connection is still open.
  client.on('error', () => undefined);
  await client.connect();
  const pools = apis.map(({ url }) => new Pool(url, { connections: 32, pipelining: 1 }));
  let number = 0;
  let target = minInTransit;

  /** Registers one shipment and reads it. Returns the milliseconds that the registration took, or null if it failed. */
  const registerOne = async (): Promise<number | null> => {
    number += 1;
    const pool = pools[number % pools.length];
    const carrier = carriers[number % carriers.length];
    if (pool === undefined || carrier === undefined) throw new Error('no API is running');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    // The simulator plays voyages in fast motion if the number ends in 0 to 4. Other voyages would take weeks.
    const mbl = `${carrier}${300_000_000 + Math.floor(number / 5) * 10 + (number % 5)}`;
    const body = JSON.stringify({ transport_mode: 'ocean', carrier, identifiers: { mbl } });
    try {
      const sentAt = performance.now();
      const answer = await pool.request({ method: 'POST', path: '/v1/shipments', headers, body });
      const shipment = (await answer.body.json()) as { shipment_id?: string };
      const ms = performance.now() - sentAt;
      const read = await pool.request({ method: 'GET', path: `/v1/shipments/${shipment.shipment_id}`, headers });
      await read.body.dump();
      return answer.statusCode === 201 && read.statusCode === 200 ? ms : null;
    } catch {
      return null;
    }
  };

  const backlog = async (): Promise<Backlog> => {
    const { rows } = await client.query<Backlog>(`
      select coalesce(extract(epoch from now() - min(next_refresh_at) filter (where next_refresh_at <= now())), 0)::float8 as "oldestDueS",
        (select coalesce(sum(count), 0)::float8 from landfall.refreshes) as refreshes,
        (select coalesce(sum(count), 0)::float8 from landfall.refreshes where outcome = 'error') as "refreshErrors",
        (select count(*)::float8 from landfall.shipments) as shipments,
        count(*)::float8 as moving
      from landfall.polling
      where next_refresh_at is not null`);
    return rows[0] as Backlog;
  };

  return {
    apis,
    workers,
    simulator,
    client,
    registerOne,
    backlog,
    /**
     * Finds the maximum registration rate that the workers keep up with. A registration is work for a whole voyage, so
     * the number of shipments in transit is raised step by step, and lowered when refreshes are late. The rate is what
     * keeps as many in transit as there were in the last half of `seconds`. Continues where the last call ended. Throws
     * if no refresh was late.
     */
    findMaximum: async (seconds: number): Promise<Rate> => {
      const latencies: number[] = [];
      let failures = 0;
      const startedAt = performance.now();
      const [halfAt, endAt] = [startedAt + seconds * 500, startedAt + seconds * 1000];
      let [inTransit, wasLate] = [(await backlog()).moving, false];
      const movingSeen: number[] = [];
      let atHalf: Backlog | null = null;
      const steer = async (): Promise<void> => {
        for (let nextStepAt = startedAt; performance.now() < endAt; await pause(backlogEveryMs)) {
          const now = await backlog();
          inTransit = now.moving;
          if (performance.now() >= halfAt) {
            atHalf ??= now;
            movingSeen.push(now.moving);
          }
          if (performance.now() < nextStepAt) continue;
          nextStepAt = performance.now() + (voyageS * 1000) / stepsPerVoyage;
          wasLate ||= now.oldestDueS > maxLateS;
          if (now.oldestDueS > maxLateS) target = Math.max(minInTransit, Math.min(target, now.moving) * 0.9);
          else if (now.moving > target * 0.9) target *= 1.15;
        }
      };
      const register = async (): Promise<void> => {
        while (performance.now() < endAt) {
          // Spread over the voyage, so that the shipments aren't all in the same phase.
          await pause((1000 * voyageS) / (3 * target));
          if (inTransit >= target) continue;
          inTransit += 1;
          void registerOne().then((ms) => {
            if (ms === null) failures += 1;
            else if (performance.now() > halfAt) latencies.push(ms);
          });
        }
      };
      await Promise.all([steer(), register()]);
      if (!wasLate) throw new Error('no maximum found: no refresh was late; use more seconds');
      const [half, end] = [atHalf as Backlog | null, await backlog()];
      latencies.sort((left, right) => left - right);
      return {
        registrationsPerS:
          movingSeen.reduce((sum, moving) => sum + moving, 0) / Math.max(1, movingSeen.length) / voyageS,
        refreshesPerS: (end.refreshes - (half?.refreshes ?? 0)) / (seconds / 2),
        p50Ms: latencies[Math.floor(latencies.length / 2)] ?? 0,
        p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
        failures,
      };
    },
    close: async (): Promise<void> => {
      await Promise.all(pools.map((pool) => pool.destroy()));
      await client.end();
    },
  };
}

export type LiveFleet = Awaited<ReturnType<typeof openLiveFleet>>;

const carriers = ['MAEU', 'HLCU', 'CMDU', 'MSCU', 'ONEY', 'EGLV'];

export function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}
