import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { restoreBackup } from '#infra/backup/restore-backup.ts';
import { writeBackup } from '#infra/backup/write-backup.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { ensureLogins } from '#shared/store/ensure-logins.ts';
import { openBuild } from './build-under-test.ts';
import { capture, type RecordedAnswer, type Registered, writeAnswers } from './capture.ts';
import { openCarriers } from './carrier-answers.ts';
import { stopTheClock } from './fixed-clock.ts';
import { newDatabase } from './new-database.ts';
import { type PhaseName, phaseNames, phasesOf } from './phases.ts';
import { changeByClients, push, refreshDue, refreshLate, register, subscribe, tidy } from './play.ts';
import { settle } from './settle.ts';
import { voyagesOf } from './voyages.ts';

type Pool = pg.Pool & { options: pg.PoolConfig };

/** Longer than any pause of a machine that does other work as well. */
const patienceMs = 30 * 60_000;

/**
 * Lets the build under test wait for connections and statements as long as it takes. Its own limits are seconds, which
 * a busy machine breaks, and a recording of an hour would be lost for one of them.
 */
function waitForConnections(): void {
  const build = process.env.LANDFALL_BUILD;
  if (build === undefined) throw new Error('LANDFALL_BUILD must name the folder of the build to drive');
  const { Pool } = createRequire(join(build, 'package.json'))('pg') as typeof pg;
  const prototype = Pool.prototype as { connect: (this: Pool, ...given: unknown[]) => unknown };
  const connect = prototype.connect;
  prototype.connect = function (...given) {
    this.options.connectionTimeoutMillis = patienceMs;
    this.options.query_timeout = patienceMs;
    const { options } = this.options;
    if (options !== undefined) this.options.options = options.replaceAll(/(timeout)=\d+/g, `$1=${patienceMs}`);
    return connect.apply(this, given);
  };
}

/**
 * Records one build: plays voyages through it under a stopped clock and writes every answer about them into a folder.
 * `main.ts` starts it with `LANDFALL_BUILD` and `resolve-build.ts` for each build in turn.
 */
const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    voyages: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '18' },
    phases: { type: 'string', default: phaseNames.join() },
    /** Start of the numbers that stand in for randomness: another value gives other ids. */
    'random-from': { type: 'string', default: '0' },
  },
});
if (values.to === undefined) throw new Error('--to must name a folder for the recording');
const folder = resolve(values.to);
const steps = Number(values.steps);
const phases = phasesOf(values.phases);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.parse('2026-01-05T08:00:00Z');
/** After the first reading of everything, for the voyages that have not ended by then. */
const lastSteps = 3;
/** Long enough that what ended with the voyages has been closed for more than `SETTLE_AFTER_DAYS`. */
const settledAfterDays = 45;
const say = (line: string): void => void process.stdout.write(`${basename(folder)} ${line}\n`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
waitForConnections();
const startedAt = process.hrtime.bigint();
const clock = stopTheClock(startMs, Number(values['random-from']));
const dataDir = mkdtempSync(join(tmpdir(), 'landfall-golden-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
try {
  await record();
} finally {
  await clock.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();

async function record(): Promise<void> {
  const database = await newDatabase(postgres.databaseUrl, 'golden', clock.prepare);
  const build = await openBuild(database.serviceUrl, null);
  const carriers = openCarriers(clock.now, { voyageDays: steps * 2.2, edited: true });
  const voyages = voyagesOf(Number(values.voyages));
  const registered: Registered[] = [];
  const byUuid = new Map<string, Registered>();
  const subscriptions = await subscribe(build);
  const writes: RecordedAnswer[] = [];
  const asked = { refreshes: 0 };

  const pass = async (ms: number): Promise<void> => {
    await clock.set(clock.now() + ms);
    await tidy(build);
  };
  const keep = async (name: PhaseName, from = build): Promise<void> => {
    if (!phases.has(name)) return;
    const phase = `${phaseNames.indexOf(name) + 1}-${name}`;
    const answers = await capture(from, { registered, folder: join(folder, phase), nowMs: clock.now() });
    if (from.failures.length > 0) throw new Error(`the build failed:\n${from.failures.slice(0, 5).join('\n')}`);
    say(`${elapsed()} ${phase}: ${answers} answers`);
  };

  for (let step = 0; step < steps; step++) {
    const starting = voyages.filter(({ fromStep }) => fromStep === step);
    for (const one of await register(build, starting, clock.now())) {
      registered.push(one);
      byUuid.set(one.uuid, one);
    }
    await pass(2 * hourMs);
    asked.refreshes += (await refreshDue(build, carriers, byUuid, { step })).all;
    await pass(26 * hourMs);
    writes.push(...(await changeByClients(build, registered, step)));
    const pushing = registered.filter(({ voyage }) => voyage.connector === 'dcsa' && (voyage.number + step) % 3 === 0);
    await push(build, carriers, { subscriptions, registered: pushing, step });
    await pass(((step % 3) + 1.5) * dayMs);
    asked.refreshes += (await refreshDue(build, carriers, byUuid, { step })).all;
    await pass(hourMs);
  }
  registered.sort((one, other) => one.voyage.number - other.voyage.number);
  say(`${elapsed()} ${registered.length} voyages, ${asked.refreshes} refreshes, until ${new Date().toISOString()}`);
  writeAnswers(join(folder, '0-written'), 'writes', writes);
  await keep('played');

  for (let step = steps; step < steps + lastSteps; step++) {
    await pass(10 * dayMs);
    await refreshDue(build, carriers, byUuid, { step });
  }
  await pass(settledAfterDays * dayMs);
  say(`${elapsed()} settled: ${(await settle(build.core)) ?? 'this build settles nothing'}`);
  await keep('settled');

  const again = registered.filter(({ voyage }) => voyage.number % 2 === 0);
  const late = { registered: again, byUuid, step: steps + lastSteps };
  writeAnswers(join(folder, '0-written'), 'late', await refreshLate(build, carriers, late));
  const pushed = registered.filter(({ voyage }) => voyage.connector === 'dcsa' && voyage.number % 2 === 1);
  await push(build, carriers, { subscriptions, registered: pushed, step: steps + lastSteps });
  await pass(hourMs);
  await keep('unpacked');
  await pass(settledAfterDays * dayMs);
  say(`${elapsed()} settled again: ${(await settle(build.core)) ?? 'this build settles nothing'}`);
  await keep('settled-again');

  const restored = await restoreInto(postgres.databaseUrl, database.ownerUrl, clock.prepare, {
    scratch: dataDir,
  });
  say(`${elapsed()} backup of ${restored.backupBytes} bytes restored`);
  const reopened = await openBuild(restored.serviceUrl, build.customers);
  await keep('restored', reopened);
  await reopened.close();
  await build.close();
  await carriers.close();
}

function elapsed(): string {
  return `${(process.hrtime.bigint() - startedAt) / 1_000_000_000n} s`.padStart(7);
}

/** Backs a database up and restores the backup into a new one on the same server, as the scripts do. */
async function restoreInto(
  serverUrl: string,
  ownerUrl: string,
  before: (ownerUrl: string) => Promise<void>,
  { scratch }: { scratch: string },
): Promise<{ serviceUrl: string; backupBytes: number }> {
  const file = join(scratch, 'golden.backup');
  await writeBackup(createWriteStream(file), { databaseUrl: ownerUrl, credentialKeys: null });
  const target = await newDatabase(serverUrl, 'golden_restored', before, { schema: false });
  await restoreBackup(createReadStream(file), target.ownerUrl);
  await ensureLogins(target.ownerUrl, target.serviceUrl);
  return { serviceUrl: target.serviceUrl, backupBytes: statSync(file).size };
}
