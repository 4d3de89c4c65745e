import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { byLength, type Drill, type Field } from '../drill.ts';
import { onDatabase } from '../worlds/on-database.ts';
import { fillDisk, smallDiskBlockedBy } from '../worlds/small-disk.ts';
import { backends, shapes } from '../worlds/world.ts';
import { load } from './processes.ts';

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
];

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
