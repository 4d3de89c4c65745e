import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { openApiClient } from '../checker/api-client.ts';
import { byLength, type Drill, type Field, type Figures } from '../drill.ts';
import { onDatabase } from '../worlds/on-database.ts';
import { backends } from '../worlds/world.ts';
import { load } from './processes.ts';
import { untilReadiness } from './readiness.ts';

/** Longer than every deadline of a request together. */
const maxAnswerMs = 20_000;

/** Faults between the services and their stores. */
export const networkDrills: readonly Drill[] = [
  {
    name: 'packets-vanish',
    what: 'no packet to or from PostgreSQL for 45 s, then to or from Redis: connections stay open and silent',
    shapes: ['fleet'],
    backends,
    inTests: null,
    needsProxies: true,
    run: losePackets,
  },
  {
    name: 'certificates-expired',
    what: 'the certificates of PostgreSQL and Redis expired, then renewed',
    shapes: ['fleet'],
    backends,
    inTests: null,
    needsTls: true,
    blockedBy: () => {
      const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;
      return hasOpenssl ? null : 'openssl is not installed';
    },
    run: letCertificatesExpire,
  },
];

async function losePackets({ world, checker, length }: Field): Promise<Figures> {
  const { stores } = world;
  if (stores === null) throw new Error('this drill needs proxies');
  const figures: Figures = {};
  const silenceS = byLength(length, { short: 3, long: 45 });
  for (const [name, proxy] of Object.entries({ postgres: stores.postgres, redis: stores.redis })) {
    if (proxy === null) continue;
    proxy.freeze();
    const answered = sendFor(world.apiUrls, checker.key, silenceS);
    await pause(1000 * silenceS);
    proxy.thaw();
    const slowestMs = await answered;
    figures[`${name}SlowestMs`] = slowestMs;
    if (slowestMs > maxAnswerMs)
      checker.ledger.find('answer', `while ${name} was silent, a request took ${slowestMs} ms to its answer`);
    await world.untilUp();
    await load(length, { short: 1, long: 15 });
  }
  return figures;
}

/** Sends a request each half second for a while. Returns the longest time in milliseconds that one of them took. */
async function sendFor(urls: readonly string[], key: string, seconds: number): Promise<number> {
  const call = openApiClient({ urls, key });
  const ends = performance.now() + 1000 * seconds;
  const sent: Promise<number>[] = [];
  while (performance.now() < ends) {
    const startedAt = performance.now();
    const path = sent.length % 2 === 0 ? '/v1/shipments?limit=1' : '/v1/shipments/counts';
    // Without an answer, the client ends the wait after 30 s.
    sent.push(call('GET', path).then(() => performance.now() - startedAt));
    await pause(500);
  }
  return Math.round(Math.max(...(await Promise.all(sent))));
}

async function letCertificatesExpire({ world, length }: Field): Promise<undefined> {
  const { certificates, redis } = world;
  if (certificates === null) throw new Error('this drill needs TLS');
  for (const store of redis === null ? (['postgres'] as const) : (['postgres', 'redis'] as const)) {
    await certificates.install(store, 'expired');
    const ends = performance.now() + 1000 * byLength(length, { short: 3, long: 45 });
    while (performance.now() < ends) {
      // A certificate is checked by new connections alone.
      if (store === 'redis') await redis?.command('client', 'kill', 'type', 'normal');
      else await onDatabase(world, (client) => client.query(endOthers));
      await pause(1000);
    }
    // No connection is left, so that this says whether new ones are refused.
    if (store === 'redis') await untilReadiness(world.workerUrls, /the queue has been unavailable/);
    else await untilReadiness(world.apiUrls, /database (unavailable|slow)/);
    await certificates.install(store, 'valid');
    await world.untilUp();
    await load(length, { short: 1, long: 15 });
  }
}

const endOthers = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`;
