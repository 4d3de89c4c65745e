import { spawnSync } from 'node:child_process';
import os from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Drill, Length } from './drill.ts';
import { drills } from './drill-catalogue.ts';
import { type DrillResult, performDrill } from './perform-drill.ts';
import { findRun, openProgress, type RecordedRun, type RunKey, recordRun, writeTable } from './results.ts';
import { openWorld } from './worlds/open-world.ts';
import { type Backend, backends, type Shape, shapes, type World } from './worlds/world.ts';

const usage = `npm run drills [name …] [-- --shape 'one machine'|fleet --backend PostgreSQL|Redis --rounds 1 --short --again]`;
/** Long enough that a fault meets voyages in every phase. */
const voyageS: Record<Length, number> = { short: 4, long: 12 };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
let current: World | null = null;
let isInterrupted = false;

// An interrupted drill is started again by the next call.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    const closing = current?.close() ?? Promise.resolve([]);
    void closing.finally(() => process.exit(130));
  });
}

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n${usage}\n`);
  process.exitCode = 1;
}

/** Runs the chosen drills one after another. Returns whether none had a finding. */
async function run(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      shape: { type: 'string' },
      backend: { type: 'string' },
      short: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '1' },
    },
  });
  const length: Length = values.short ? 'short' : 'long';
  const chosen = chooseDrills(positionals);
  const rounds = Array.from({ length: Number(values.rounds) }, (_, index) => index + 1);
  if (rounds.length === 0) throw new Error('--rounds takes a number from 1.');
  const keys = chosen
    .flatMap((drill) => runsOf(drill, values))
    .flatMap((key) => rounds.map((round) => ({ ...key, round })));
  // The short form is for trying a drill out: nothing is recorded.
  const progress = length === 'long' ? openProgress(keys, values.again) : null;
  if (progress !== null && progress.done > 0) say(`resuming: ${progress.done} of ${keys.length} runs are done`);
  let isClean = true;
  for (const key of keys) {
    if (progress?.isDone(key)) continue;
    const drill = chosen.find(({ name }) => name === key.drill) as Drill;
    const reason = (key.backend === 'Redis' ? redisBlockedBy() : null) ?? drill.blockedBy?.() ?? null;
    if (reason !== null) {
      say(`- ${nameOf(key)}: skipped, ${reason}`);
      continue;
    }
    const result = await runOne(drill, key, length);
    // A failure because of a closed installation is no finding.
    if (isInterrupted) return false;
    say(lineOf({ ...result, round: key.round }));
    for (const { kind, detail } of result.findings.slice(0, 10)) say(`    ${kind}: ${detail}`);
    isClean &&= result.findings.length === 0;
    if (progress !== null) {
      // A later round without a finding doesn't replace one with findings.
      const hasWorse = key.round > 1 && (findRun(key)?.findings.length ?? 0) > result.findings.length;
      if (!hasWorse) recordRun({ ...result, machine: machine() });
      // After each drill: a call that is interrupted has reported what it found.
      writeTable();
      progress.finish(key);
    }
  }
  progress?.close();
  return isClean;
}

function chooseDrills(names: readonly string[]): readonly Drill[] {
  const unknown = names.filter((name) => !drills.some((drill) => drill.name === name));
  if (unknown.length > 0)
    throw new Error(`Unknown drill: ${unknown.join(', ')}. Choose from ${drills.map(({ name }) => name).join(', ')}.`);
  return names.length === 0 ? drills : drills.filter(({ name }) => names.includes(name));
}

function runsOf(drill: Drill, wanted: { shape?: string | undefined; backend?: string | undefined }): RunKey[] {
  const among = <Value extends string>(known: readonly Value[], value: string | undefined, of: readonly Value[]) => {
    if (value !== undefined && !known.includes(value as Value))
      throw new Error(`${value} is none of ${known.join(', ')}.`);
    return of.filter((one) => value === undefined || one === value);
  };
  return among<Shape>(shapes, wanted.shape, drill.shapes).flatMap((shape) =>
    among<Backend>(backends, wanted.backend, drill.backends).map((backend) => ({ drill: drill.name, shape, backend })),
  );
}

/** One drill in an installation of its own. An error is a finding: the next drill runs all the same. */
async function runOne(drill: Drill, { shape, backend }: RunKey, length: Length): Promise<DrillResult> {
  let result: DrillResult | null = null;
  let failure: unknown = null;
  let left: string[] = [];
  const at = new Date().toISOString();
  try {
    current = await openWorld({ shape, backend, voyageS: voyageS[length] }, drill);
    result = await (await performDrill(current, drill, length)).settle();
  } catch (error) {
    failure = error;
  } finally {
    left = (await current?.close()) ?? [];
    current = null;
  }
  const nothing = { registered: 0, acknowledged: 0, unknown: 0, unknownStored: 0, changes: 0, outcomes: {} };
  const empty = { ...nothing, maxSilenceMs: 0, recoveryMs: 0, figures: {}, findings: [] };
  const done = result ?? { drill: drill.name, shape, backend, length, at, ...empty };
  const text = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return {
    ...done,
    findings: [
      ...done.findings,
      ...(failure === null ? [] : [{ kind: 'answer' as const, detail: text }]),
      ...left.map((name) => ({ kind: 'answer' as const, detail: `left behind: ${name}` })),
    ],
  };
}

function lineOf(result: DrillResult & RunKey): string {
  const { acknowledged, unknown, unknownStored, changes, recoveryMs, maxSilenceMs, figures, findings } = result;
  return (
    `${findings.length === 0 ? '✓' : '✗'} ${nameOf(result)}: ${acknowledged} acknowledged, ${unknown} unknown ` +
    `(${unknownStored} stored), ${changes} changes, silent for ${maxSilenceMs} ms, refreshes after ${recoveryMs} ms` +
    `${Object.entries(figures)
      .map(([name, value]) => `, ${name} ${value}`)
      .join('')}, ${findings.length} findings`
  );
}

function nameOf({ drill, shape, backend, round = 1 }: RunKey): string {
  return `${drill}, ${shape}, queue on ${backend}${round > 1 ? `, round ${round}` : ''}`;
}

function redisBlockedBy(): string | null {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0
    ? null
    : 'redis-server is not installed';
}

/** Without a name: results are published. */
function machine(): RecordedRun['machine'] {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1e9),
    node: process.versions.node,
    load: Number((os.loadavg()[0] ?? 0).toFixed(1)),
  };
}
