import type { Bench } from '../bench.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { type FleetSize, type LiveFleet, openLiveFleet } from '../live-fleet.ts';
import type { Measurement, Result, Row } from '../row.ts';

const voyageS = 12;
/** Five voyages: a shorter measurement would miss the work that continues after the registration. */
const minSeconds = 60;

/**
 * Two APIs and two workers against one of each, on one Redis and one PostgreSQL: registrations that the workers keep up
 * with.
 */
export const fleetRow: Row = { name: 'fleet', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const two = await openOn(bench, 5, { apis: 2, workers: 2 });
  const one = await openOn(bench, 6, { apis: 1, workers: 1 });
  const rounds = await interleave(bench.rounds, { two: () => maximumOf(two, bench), one: () => maximumOf(one, bench) });
  await Promise.all([two.close(), one.close()]);
  return [
    {
      work: 'registrations, each tracked to delivery: 2 APIs, 2 workers',
      baseline: '1 API, 1 worker',
      compares: 'registrations/s',
      ...compareRounds(rounds.two, rounds.one, (ours, theirs) => ours.operationsPerS / theirs.operationsPerS),
      // With spare cores the ratio is nearly 2. One API and one worker already fill two cores; there, more processes
      // must at least cost nothing.
      goal: { atLeast: 0.9 },
      product: medians(rounds.two),
      baselineCost: medians(rounds.one),
    },
  ];
}

/** Workers take every job in their Redis, so each fleet has a Redis database of its own. */
function openOn(bench: Bench, redisDatabase: number, size: FleetSize): Promise<LiveFleet> {
  if (bench.redisUrl === null) throw new Error('REDIS_URL must name a Redis that nothing else uses');
  return openLiveFleet({ ...bench, redisUrl: new URL(`/${redisDatabase}`, bench.redisUrl).href }, size, { voyageS });
}

async function maximumOf(fleet: LiveFleet, bench: Bench): Promise<Measurement> {
  const servers = [...fleet.apis, ...fleet.workers];
  const usage = () => Promise.all(servers.map((server) => server.usage()));
  const before = await usage();
  const { shipments } = await fleet.backlog();
  const rate = await fleet.findMaximum(Math.max(minSeconds, bench.seconds));
  const after = await usage();
  if (rate.failures > 0) throw new Error(`${rate.failures} requests failed`);
  const registered = (await fleet.backlog()).shipments - shipments;
  const cpuUs = after.reduce((sum, { cpuUs: us }, server) => sum + us - (before[server]?.cpuUs ?? 0), 0);
  return {
    operationsPerS: rate.registrationsPerS,
    cpuPerOperationUs: cpuUs / registered,
    p50Ms: rate.p50Ms,
    p99Ms: rate.p99Ms,
    rssMb: Math.max(...after.map(({ rssBytes }) => rssBytes)) / 1e6,
  };
}
