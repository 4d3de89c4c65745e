import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { byLength, type Drill, type Field, type Figures } from '../drill.ts';
import { onDatabase } from '../worlds/on-database.ts';
import { fillDisk, smallDiskBlockedBy } from '../worlds/small-disk.ts';
import { backends, shapes, type World } from '../worlds/world.ts';
import { load } from './processes.ts';
import { untilReadiness } from './readiness.ts';

const redisOnly = { shapes, backends: ['Redis'] } as const;

/** PostgreSQL and Redis that restart, are full, empty or gone. */
export const storeDrills: readonly Drill[] = [
  {
    name: 'postgres-restarted',
    what: 'PostgreSQL stopped and started again',
    shapes,
    backends,
    inTests: 'fleet',
    run: async ({ world, length }) => {
      for (let turn = 0; turn < byLength(length, { short: 1, long: 3 }); turn += 1) {
        world.signal('postgres', 'SIGINT');
        await load(length, { short: 2, long: 10 });
      }
      await world.untilUp();
    },
  },
  {
    name: 'postgres-connections',
    what: 'every connection of PostgreSQL taken by someone else',
    shapes,
    backends,
    inTests: 'fleet',
    run: takeConnections,
  },
  {
    name: 'disk-full',
    what: 'the disk of PostgreSQL full',
    shapes,
    backends,
    inTests: 'one machine',
    blockedBy: smallDiskBlockedBy,
    needsSmallDisk: true,
    run: async ({ world, length }) => {
      const makeRoom = fillDisk(world.folder);
      await load(length, { short: 3, long: 60 });
      makeRoom();
      await world.untilUp();
    },
  },
  {
    name: 'redis-killed',
    what: 'Redis killed, gone for 10 s, and empty when it is back',
    ...redisOnly,
    inTests: 'fleet',
    run: async ({ world, length }) => {
      await world.redis?.kill();
      await load(length, { short: 2, long: 10 });
      await world.redis?.start();
    },
  },
  {
    name: 'queue-emptied',
    what: 'every job of the queue lost',
    shapes,
    backends,
    inTests: 'one machine',
    run: async ({ world, length }) => {
      for (let turn = 0; turn < byLength(length, { short: 1, long: 3 }); turn += 1) {
        if (world.redis !== null) await world.redis.command('flushall');
        else await onDatabase(world, emptyQueueTables);
        await load(length, { short: 1, long: 10 });
      }
    },
  },
  {
    name: 'redis-frozen',
    what: 'Redis stopped for 60 s',
    ...redisOnly,
    inTests: 'fleet',
    run: async ({ world, length }) => {
      const frozen = world.signal('redis', 'SIGSTOP');
      await load(length, { short: 3, long: 60 });
      process.kill(frozen, 'SIGCONT');
    },
  },
  {
    name: 'redis-full',
    what: 'Redis out of memory',
    ...redisOnly,
    inTests: 'fleet',
    run: async ({ world, length }) => {
      await world.redis?.command('config', 'set', 'maxmemory', '1');
      await load(length, { short: 2, long: 30 });
      await world.redis?.command('config', 'set', 'maxmemory', '0');
    },
  },
  {
    name: 'redis-evicts',
    what: 'Redis that evicts keys of the queue: `/readyz` of the workers says so',
    ...redisOnly,
    inTests: null,
    run: evict,
  },
  {
    name: 'long-transaction',
    what: 'a transaction of three minutes beside the queue in PostgreSQL: no dead row is removed',
    shapes,
    backends: ['PostgreSQL'],
    inTests: null,
    run: holdSnapshot,
  },
];

/** Redis gets less memory than it uses, and may make room. */
async function evict({ world, length }: Field): Promise<Figures> {
  const { redis } = world;
  const info = String(await redis?.command('info', 'memory'));
  const usedBytes = Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
  await redis?.command('config', 'set', 'maxmemory-policy', 'allkeys-lru');
  await redis?.command('config', 'set', 'maxmemory', String(Math.round(usedBytes * 0.95)));
  const noticedMs = await untilReadiness(world.workerUrls, /evicting keys \(maxmemory-policy allkeys-lru\)/);
  await load(length, { short: 1, long: 60 });
  const stats = String(await redis?.command('info', 'stats'));
  await redis?.command('config', 'set', 'maxmemory', '0');
  await redis?.command('config', 'set', 'maxmemory-policy', 'noeviction');
  await world.untilUp();
  return { noticedMs, evictedKeys: Number(/^evicted_keys:(\d+)/m.exec(stats)?.[1]) };
}

const maxClaimMs = 500;

/** While a snapshot is held, vacuum removes nothing that a later transaction deleted, and a claim reads past all of it. */
async function holdSnapshot({ world, checker, length }: Field): Promise<Figures> {
  const before = await readQueue(world);
  const during = await onDatabase(world, async (client) => {
    await client.query('begin isolation level repeatable read');
    await client.query('select count(*) from landfall.accounts');
    await load(length, { short: 3, long: 180 });
    const measured = await readQueue(world);
    await client.query('rollback');
    return measured;
  });
  await load(length, { short: 1, long: 60 });
  const after = await readQueue(world);
  if (during.claimMs > maxClaimMs) checker.ledger.find('answer', `a claim took ${during.claimMs} ms`);
  return {
    ...{ deadRows: during.deadRows, deadRowsBefore: before.deadRows, deadRowsAfter: after.deadRows },
    ...{ claimMs: during.claimMs, claimMsBefore: before.claimMs, claimMsAfter: after.claimMs },
  };
}

/** Dead rows of the jobs and of the polling rows, and the median time of a claim, which is undone. */
function readQueue(world: Pick<World, 'databaseUrl'>): Promise<{ deadRows: number; claimMs: number }> {
  return onDatabase(world, async (client) => {
    const { rows } = await client.query<{ dead: number }>(
      `select sum(n_dead_tup)::integer as dead from pg_stat_user_tables
       where (schemaname, relname) in (('landfall_queue', 'job'), ('landfall', 'polling'))`,
    );
    // A finished job leaves the table, so that it may be empty.
    const queues = await client.query<{ queue: string }>(
      `select distinct 'refresh.' || connector as queue from landfall.polling`,
    );
    await client.query('set search_path to landfall_queue');
    const times: number[] = [];
    for (const { queue } of queues.rows)
      for (let turn = 0; turn < 5; turn += 1) {
        await client.query('begin');
        const startedAt = performance.now();
        await client.query('select * from move_to_active($1, $2, $3, $4, $5, null, null)', [
          ...[queue, 'drill', 1000, Date.now(), 'drill'],
        ]);
        times.push(performance.now() - startedAt);
        await client.query('rollback');
      }
    times.sort((left, right) => left - right);
    return { deadRows: rows[0]?.dead ?? 0, claimMs: Number((times[times.length >> 1] ?? 0).toFixed(1)) };
  });
}

/** Takes every connection, those of the services included, and gives them back. */
async function takeConnections({ world, length }: Field): Promise<{ connections: number }> {
  const taken: pg.Client[] = [];
  const until = performance.now() + 1000 * byLength(length, { short: 3, long: 30 });
  while (performance.now() < until) {
    const client = new pg.Client({ connectionString: world.databaseUrl, application_name: 'drill' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      taken.push(client);
    } catch {
      // All are taken. Those of others end, and the next attempts race with theirs for the free places.
      await taken[0]?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and application_name <> 'drill'`,
      );
      await pause(50);
    }
  }
  await Promise.all(taken.map((client) => client.end()));
  return { connections: taken.length };
}

async function emptyQueueTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select format('%I.%I', schemaname, tablename) as table from pg_tables
     where schemaname = 'landfall_queue' and tablename not like '%migration%'`,
  );
  await client.query(`truncate ${rows.map((row) => row.table).join(', ')} cascade`);
}
