import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { settlesWithin } from '#shared/async/deadline.ts';
import { projectFolder } from './data-folder.ts';

const worker = 'services/worker/main.ts';

/**
 * How Node runs a service: the telemetry first, and a young generation (MiB) that streaming an import cannot grow; V8 lets it grow to several
 * times that, which costs 80 MB and saves nothing here. Half of it saves a worker 20 MB; it would cost an API's reads more. The limit of the old
 * generation (MiB) is ten times what lives there: it is meant for how far V8 lets garbage pile up, which goes by the limit. With its own,
 * gigabytes on a large machine, that is up to four times what lives. `file` is the service's, relative to the project.
 */
export function nodeArgumentsOf(file: string): readonly string[] {
  const young = file === worker ? 8 : 16;
  return [`--max-semi-space-size=${young}`, '--max-old-space-size=512', '--import', './shared/telemetry/register.ts'];
}

/** A service that is kept running. */
export type Supervised = {
  /** Resolves with the service's address when it says that it is ready for the first time; rejects when it keeps dying before. */
  ready: Promise<string | null>;
  stop: (graceMs: number) => Promise<void>;
};

export type SupervisedService = {
  /** Ends the wait for `ready`. */
  signal: AbortSignal;
  name: string;
  /** File to run, relative to the project. */
  file: string;
  env: Record<string, string | undefined>;
  log: (line: string) => void;
};

const longestBackoffMs = 30_000;
const steadyAfterMs = 60_000;
const attemptsBeforeReady = 3;

/**
 * Starts a service in its own process and starts it again whenever it dies, waiting longer each time. The service says
 * `process.send({type: 'ready', url})`.
 */
export function supervise(service: SupervisedService): Supervised {
  let stopping = false;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;
  let deaths = 0;
  let wasReady = false;
  const ready = Promise.withResolvers<string | null>();
  ready.promise.catch(() => {});
  service.signal.addEventListener(
    'abort',
    () => ready.reject(new Error(`${service.name} was stopped before it was ready.`)),
    {
      once: true,
    },
  );

  const start = (): void => {
    const startedAt = performance.now();
    child = spawnService(service);
    child.on('message', (message) => {
      if (!isReady(message)) return;
      if (wasReady) service.log(`${service.name} is running again`);
      wasReady = true;
      ready.resolve(message.url ?? null);
    });
    child.once('error', (error) => service.log(`${service.name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (stopping || service.signal.aborted) return;
      deaths = performance.now() - startedAt > steadyAfterMs ? 1 : deaths + 1;
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      if (!wasReady && deaths >= attemptsBeforeReady) {
        ready.reject(
          new Error(`${service.name} ${how} before it was ready, ${deaths} times; its own lines above say why.`),
        );
        return;
      }
      const backoffMs = Math.min(250 * 2 ** (deaths - 1), longestBackoffMs);
      service.log(`${service.name} ${how}; starting it again in ${backoffMs} ms`);
      timer = setTimeout(start, backoffMs);
    });
  };
  start();

  const stop = async (graceMs: number): Promise<void> => {
    stopping = true;
    clearTimeout(timer);
    await endProcess(child, graceMs, () => service.log(`${service.name} did not finish within ${graceMs} ms`));
  };
  return { ready: ready.promise, stop };
}

function spawnService(service: SupervisedService): ChildProcess {
  return spawn(process.execPath, [...nodeArgumentsOf(service.file), service.file], {
    cwd: projectFolder,
    env: { ...process.env, ...service.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A terminal's Ctrl-C must reach only the supervisor, which stops the services in order.
    detached: true,
  });
}

async function endProcess(child: ChildProcess | null, graceMs: number, onKill: () => void): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  if (await settlesWithin(ended, graceMs)) return;
  onKill();
  child.kill('SIGKILL');
  await ended;
}

function isReady(message: unknown): message is { type: 'ready'; url?: string } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}
