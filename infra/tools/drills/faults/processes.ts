import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '#test/support/until.ts';
import { byLength, type Drill, type Field, type Length } from '../drill.ts';
import { openEntryProxy } from '../worlds/entry-proxy.ts';
import { backends, type Role, shapes } from '../worlds/world.ts';

const everywhere = { shapes, backends };
const clockOffsetMs = 2 * 3_600_000;
const shiftClock = fileURLToPath(new URL('../worlds/shift-clock.mjs', import.meta.url));

/** Processes that die, freeze, are replaced or have a wrong clock. */
export const processDrills: readonly Drill[] = [
  {
    name: 'api-killed',
    what: 'kill -9 of an API every few seconds',
    ...everywhere,
    inTests: 'fleet',
    run: (field) => killEvery(field, 'api', { short: 2, long: 8 }),
  },
  {
    name: 'worker-killed',
    what: 'kill -9 of a worker every few seconds',
    ...everywhere,
    inTests: 'fleet',
    run: (field) => killEvery(field, 'worker', { short: 2, long: 8 }),
  },
  {
    name: 'postgres-killed',
    what: 'kill -9 of PostgreSQL every few seconds',
    ...everywhere,
    inTests: 'one machine',
    run: (field) => killEvery(field, 'postgres', { short: 1, long: 5 }),
  },
  {
    name: 'api-frozen',
    what: 'SIGSTOP of an API, SIGCONT later',
    ...everywhere,
    inTests: 'fleet',
    run: (field) => freeze(field, 'api', { short: 2, long: 20 }),
  },
  {
    name: 'worker-frozen',
    what: 'SIGSTOP of a worker until its leases have expired, then SIGCONT',
    ...everywhere,
    inTests: 'fleet',
    run: (field) => freeze(field, 'worker', { short: 3, long: 75 }),
  },
  {
    name: 'clock-wrong',
    what: 'clocks of the workers two hours ahead and two hours behind',
    ...everywhere,
    inTests: 'fleet',
    run: async ({ world, length }) => {
      const turns = world.shape === 'fleet' ? [1] : [1, -1];
      for (const turn of turns) {
        await world.restart('worker', (index) => wrongClock('worker', index % 2 === 0 ? turn : -turn));
        await load(length, { short: 4, long: 30 });
      }
      await world.restart('worker', () => ({}));
    },
  },
  {
    name: 'api-clock-wrong',
    what: 'clocks of the APIs two hours ahead and two hours behind',
    ...everywhere,
    inTests: null,
    run: async ({ world, length }) => {
      const turns = world.shape === 'fleet' ? [1] : [1, -1];
      for (const turn of turns) {
        await world.restart('api', (index) => wrongClock('api', index % 2 === 0 ? turn : -turn));
        await load(length, { short: 4, long: 30 });
      }
      await world.restart('api', () => ({}));
    },
  },
  {
    name: 'terminated',
    what: 'SIGTERM of an API and a worker under load',
    shapes: ['fleet'],
    backends,
    inTests: 'fleet',
    run: async ({ world, checker, length }) => {
      const before = checker.ledger.outcomes.broken ?? 0;
      for (let turn = 0; turn < byLength(length, { short: 1, long: 4 }); turn += 1) {
        await replaceOne(world, 'api', turn % 2);
        await replaceOne(world, 'worker', turn % 2);
      }
      // Without a proxy, clients are refused until the API has started again. What it accepted it answers.
      const broken = (checker.ledger.outcomes.broken ?? 0) - before;
      const { find, failures } = checker.ledger;
      if (broken > 0)
        find(
          'answer',
          `${broken} requests broke off, ${failures.filter((text) => !/: connect /.test(text)).join('; ')}`,
        );
    },
  },
  {
    name: 'rolling-restart',
    what: 'every API and worker replaced one by one behind a proxy: clients see no error',
    shapes: ['fleet'],
    backends,
    inTests: 'fleet',
    openEntry: (world, length) => openEntryProxy(world.apiUrls, { real: length === 'long' }),
    run: async ({ world, checker, length }) => {
      for (let turn = 0; turn < byLength(length, { short: 1, long: 2 }); turn += 1) {
        for (const role of ['api', 'worker'] as const) {
          for (const [index] of world.pids(role).entries()) await replaceOne(world, role, index);
        }
      }
      const wrong = Object.entries(checker.ledger.outcomes).filter(([outcome]) => !isGood(outcome));
      if (wrong.length === 0) return;
      const { find, failures } = checker.ledger;
      find(
        'answer',
        `clients saw ${JSON.stringify(Object.fromEntries(wrong))}, first ${failures.slice(0, 3).join('; ')}`,
      );
    },
  },
];

function wrongClock(role: 'api' | 'worker', hours: number) {
  return {
    env: {
      NODE_OPTIONS: `--import=${shiftClock}`,
      DRILL_CLOCK_OF: role,
      DRILL_CLOCK_OFFSET_MS: String(hours * clockOffsetMs),
    },
  };
}

/** Lets the load run. */
export async function load(length: Length, seconds: Record<Length, number>): Promise<void> {
  await pause(1000 * byLength(length, seconds));
}

/** Kills one process of a role, waits until it is there again and has worked for a while, and so on. */
async function killEvery({ world, length }: Field, role: Role, times: Record<Length, number>): Promise<undefined> {
  for (let turn = 0; turn < byLength(length, times); turn += 1) {
    const before = world.pids(role).length;
    const killed = world.signal(role, 'SIGKILL', turn % 2);
    await until(
      async () => world.pids(role),
      (pids) => !pids.includes(killed) && pids.length >= before,
    );
    // A process that is killed while it starts would only make the pause longer.
    await world.untilUp();
    await load(length, { short: 1.5, long: 3 });
  }
}

async function freeze({ world, length }: Field, role: Role, seconds: Record<Length, number>): Promise<undefined> {
  const frozen = world.signal(role, 'SIGSTOP');
  await load(length, seconds);
  process.kill(frozen, 'SIGCONT');
}

async function replaceOne(world: Field['world'], role: Role, index: number): Promise<void> {
  const before = world.pids(role).length;
  const ended = world.signal(role, 'SIGTERM', index);
  await until(
    async () => world.pids(role),
    (pids) => !pids.includes(ended) && pids.length >= before,
  );
  await world.untilUp();
  // Several readiness checks of a proxy: it must know the new process before the next one ends.
  await pause(500);
}

function isGood(outcome: string): boolean {
  return ['200', '201', 'read', 'replayed'].includes(outcome);
}
