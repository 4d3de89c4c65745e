import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { settlesWithin } from '#shared/async/deadline.ts';
import { projectFolder } from '../data-folder.ts';
import { allocatorEnvironment, nodeArgumentsOf } from './service-programs.ts';

/** A service that is kept running. */
export type Supervised = {
  /** Resolves with the service's address the first time it is ready. Rejects if it exits three times before that. */
  ready: Promise<string | null>;
  /** Stops the service and starts it again with the current sources. */
  restart: (graceMs: number) => Promise<void>;
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

const maxBackoffMs = 30_000;
const steadyAfterMs = 60_000;
const maxDeathsBeforeReady = 3;

/**
 * Runs a service in its own process and restarts it when it exits, with a growing backoff. The service reports
 * `process.send({type: 'ready', url})`.
 */
export function supervise(service: SupervisedService): Supervised {
  let stopping = false;
  let restarting = false;
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
      if (wasReady) service.log(`${service.name} is ready again`);
      wasReady = true;
      ready.resolve(message.url ?? null);
    });
    child.once('error', (error) => service.log(`${service.name} couldn't be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (stopping || restarting || service.signal.aborted) return;
      deaths = performance.now() - startedAt > steadyAfterMs ? 1 : deaths + 1;
      const how = signal ? `was terminated by ${signal}` : `exited with code ${code}`;
      if (!wasReady && deaths >= maxDeathsBeforeReady) {
        ready.reject(
          new Error(`${service.name} ${how} before it was ready, ${deaths} times. See its log lines above.`),
        );
        return;
      }
      const backoffMs = Math.min(250 * 2 ** (deaths - 1), maxBackoffMs);
      service.log(`${service.name} ${how}; restarting in ${backoffMs} ms`);
      timer = setTimeout(start, backoffMs);
    });
  };
  start();

  const end = async (graceMs: number): Promise<void> => {
    clearTimeout(timer);
    await endProcess(child, graceMs, () => service.log(`${service.name} did not stop within ${graceMs} ms`));
  };
  const restart = async (graceMs: number): Promise<void> => {
    restarting = true;
    await end(graceMs);
    restarting = false;
    deaths = 0;
    if (!stopping && !service.signal.aborted) start();
  };
  const stop = async (graceMs: number): Promise<void> => {
    stopping = true;
    await end(graceMs);
  };
  return { ready: ready.promise, restart, stop };
}

function spawnService(service: SupervisedService): ChildProcess {
  return spawn(process.execPath, [...nodeArgumentsOf(service.file), service.file], {
    cwd: projectFolder,
    env: { ...allocatorEnvironment, ...process.env, ...service.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C in a terminal must reach only the supervisor, which stops the services in order.
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
