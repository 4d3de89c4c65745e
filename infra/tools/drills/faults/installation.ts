import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { projectFolder } from '#infra/data-folder.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { startService } from '#test/support/processes.ts';
import { until } from '#test/support/until.ts';
import { type ApiClient, isAnswer, openApiClient } from '../checker/api-client.ts';
import type { Drill, Field, Figures } from '../drill.ts';
import { onDatabase } from '../worlds/on-database.ts';
import { endOf, isOneMachine, type OneMachine, startTree } from '../worlds/one-machine.ts';
import { signalIfAlive } from '../worlds/process-tree.ts';
import { backends, shapes } from '../worlds/world.ts';
import { load } from './processes.ts';

const run = promisify(execFile);
const oneMachine = {
  shapes: ['one machine'],
  backends,
  inTests: 'one machine',
} as const;
/** The first commit with the schema that the first release has. */
const formerCommit = '6053c8c2';

/** The commands around an installation: start, stop, backup, restore and upgrade. */
export const installationDrills: readonly Drill[] = [
  {
    name: 'two-starts',
    what: 'a second `npm start` in the same data folder',
    ...oneMachine,
    run: async (field) => {
      const { env } = oneMachineOf(field);
      const outcome = await startTree(env).then(
        () => 'it started',
        (error: Error) => error.message,
      );
      if (!/Landfall is already running/.test(outcome)) field.checker.ledger.find('answer', `second start: ${outcome}`);
    },
  },
  ...(['supervisor', 'npm'] as const).flatMap((victim) =>
    (['SIGKILL', 'SIGTERM'] as const).map(
      (signal): Drill => ({
        name: `${victim}-${signal === 'SIGKILL' ? 'killed' : 'terminated'}`,
        what: `${signal} to ${victim === 'npm' ? 'npm alone' : 'the supervisor'}: nothing is left behind`,
        ...oneMachine,
        inTests: (victim === 'supervisor') === (signal === 'SIGKILL') ? oneMachine.inTests : null,
        run: (field) => endTree(field, victim, signal),
      }),
    ),
  ),
  {
    name: 'backup-while-writing',
    what: 'a backup under load, restored and compared',
    shapes,
    backends,
    inTests: 'fleet',
    run: backUpAndCompare,
  },
  {
    name: 'upgrade',
    what: `the build ${formerCommit} writes under load, then this one starts on its folder`,
    ...oneMachine,
    inTests: null,
    blockedBy: () => {
      const { status } = spawnSync('git', ['cat-file', '-e', `${formerCommit}^{commit}`], { cwd: projectFolder });
      return status === 0 ? null : `the repository has no commit ${formerCommit}`;
    },
    startsFrom: formerCommit,
    run: async (field) => {
      const machine = oneMachineOf(field);
      await load(field.length, { short: 3, long: 20 });
      await machine.startAgain({ cwd: projectFolder });
      await load(field.length, { short: 3, long: 20 });
    },
  },
];

function oneMachineOf({ world }: Field): OneMachine {
  if (!isOneMachine(world)) throw new Error('this drill needs npm start');
  return world;
}

/** Ends one process of the tree, waits for the others, and starts again. */
async function endTree(field: Field, victim: 'npm' | 'supervisor', signal: NodeJS.Signals): Promise<Figures> {
  const machine = oneMachineOf(field);
  const tree = machine.tree();
  const processes = tree.processes();
  const startedAt = performance.now();
  signalIfAlive((victim === 'npm' ? tree.npm.pid : tree.supervisor()?.pid) ?? 0, signal);
  const left = await endOf(processes);
  const endedMs = Math.round(performance.now() - startedAt);
  for (const name of left) field.checker.ledger.find('answer', `left behind: ${name}`);
  await machine.startAgain({});
  return { processes: processes.length, endedMs };
}

/** Every registration that was acknowledged before a backup began is in it, as it is in its source. */
async function backUpAndCompare({ world, checker, length }: Field): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-drill-backup-'));
  const file = join(folder, 'drill.backup');
  const script = (name: string, databaseUrl: string) =>
    run(process.execPath, [`infra/scripts/${name}.ts`, file], {
      cwd: projectFolder,
      env: {
        PATH: process.env.PATH,
        MIGRATION_DATABASE_URL: databaseUrl,
        DATABASE_URL: serviceUrlOf(databaseUrl),
        CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
      },
    });
  const name = `restored_${randomBytes(6).toString('hex')}`;
  const target = new URL(world.databaseUrl);
  target.pathname = `/${name}`;
  try {
    await load(length, { short: 1, long: 30 });
    const before = checker.ledger.entries.filter(({ shipmentIds }) => shipmentIds.size > 0);
    await script('backup', world.databaseUrl);
    await onDatabase(world, (client) => client.query(`create database ${name}`));
    await script('restore', target.href);
    const api = await startService('api', {
      DATABASE_URL: serviceUrlOf(target.href),
      SIMULATOR: 'on',
      SIMULATOR_URL: world.simulatorUrl,
      CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
      PORT: '0',
      HOST: '127.0.0.1',
    });
    try {
      const call = openApiClient({ urls: [api.url], key: checker.key });
      for (const { number, shipmentIds } of before) {
        const [id = ''] = shipmentIds;
        const restored = await read(call, id);
        if (restored?.identifiers.mbl !== number) checker.ledger.find('lost', `${number}: ${id} isn't in the backup`);
      }
    } finally {
      await api.kill();
    }
    return { compared: before.length };
  } finally {
    await onDatabase(world, (client) => client.query(`drop database if exists ${name} with (force)`));
    rmSync(folder, { recursive: true });
  }
}

async function read(call: ApiClient, id: string) {
  const outcome = await until(
    () => call('GET', `/v1/shipments/${id}`),
    (answer) => isAnswer(answer) && [200, 404].includes(answer.status),
  );
  return isAnswer(outcome) && outcome.status === 200 ? outcome.body : null;
}
