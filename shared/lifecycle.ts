import process from 'node:process';
import { settlesWithin } from './async/deadline.ts';
import { sleep } from './async/sleep.ts';

/** Hooks with which a process starts and stops in order. */
export type Life = {
  /** Aborts when the process should stop: after a signal, a lost parent, an unhandled error or `stop`. */
  signal: AbortSignal;
  /** Registers a resource to close. The last one registered is closed first. */
  onDispose: (dispose: () => unknown, name?: string) => void;
  /** Stops the process with this exit code, by default 0. */
  stop: (exitCode?: number) => void;
};

export type LifeOptions = {
  /** Milliseconds for all disposals together. After that, the process exits with code 1. */
  deadlineMs: number;
  /**
   * Milliseconds between SIGTERM and the first disposal, for those who send work to notice that `signal` aborted.
   * Ctrl-C skips them. Default: 0.
   */
  delayMs?: number;
  /** Called for errors that stop the process or disturb its shutdown. Default: writes to stderr. */
  onError?: (error: unknown, message: string) => void;
};

type Disposal = { dispose: () => unknown; name: string };

/** Ctrl-C in a terminal reaches a process both directly and through its launcher. Two signals this close are one. */
const sameSignalMs = 500;
const openingGraceMs = 1000;

/**
 * Runs a process: calls `main`, waits for a reason to stop, closes all resources in reverse order, and exits. A second
 * signal exits at once with code 130. An error in `main` closes what was opened and exits with code 1.
 */
export async function runMain(main: (life: Life) => unknown, options: LifeOptions): Promise<void> {
  const controller = new AbortController();
  const disposals: Disposal[] = [];
  const onError = options.onError ?? printError;
  let exitCode = 0;
  let firstSignalAt = 0;
  let delayMs = 0;

  const stop = (code = 0): void => {
    exitCode ||= code;
    if (!controller.signal.aborted) controller.abort();
  };
  const stopBySignal = (name: NodeJS.Signals): void => {
    const now = performance.now();
    if (firstSignalAt > 0 && now - firstSignalAt > sameSignalMs) process.exit(130);
    firstSignalAt ||= now;
    if (name === 'SIGTERM' && !controller.signal.aborted) delayMs = options.delayMs ?? 0;
    stop();
  };
  const stopByError = (error: unknown): void => {
    onError(error, 'stopping after an unhandled error');
    stop(1);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stopBySignal);
  // The reader of the output may exit first (`npm start | head`), which is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', stopByError);
  process.on('unhandledRejection', stopByError);
  // A supervisor that was killed sends no signal, but its channel closes.
  process.once('disconnect', () => stop());
  const stopped = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // Listeners of the signal alone don't keep the process alive.
  const keepAlive = setInterval(() => {}, 60_000);
  const startShutdown = (): void => startDeadline(delayMs + options.deadlineMs, onError);
  controller.signal.addEventListener('abort', startShutdown, { once: true });
  // The supervisor was killed while this process was loading, so `disconnect` has passed.
  if (process.connected === false) stop();

  const onDispose: Life['onDispose'] = (dispose, name = 'a resource') => disposals.push({ dispose, name });
  const running = (async () => {
    try {
      await main({ signal: controller.signal, onDispose, stop });
    } catch (error) {
      if (controller.signal.aborted) return;
      onError(error, 'could not start');
      stop(1);
    }
  })();
  await stopped;
  // `main` may be opening a resource, which must be registered before everything is closed.
  await settlesWithin(running, openingGraceMs);
  if (delayMs > 0) await sleep(delayMs);
  await disposeAll(disposals, onError);
  clearInterval(keepAlive);
  process.exit(exitCode);
}

async function disposeAll(disposals: Disposal[], onError: (error: unknown, message: string) => void): Promise<void> {
  for (let last = disposals.pop(); last; last = disposals.pop()) {
    try {
      await last.dispose();
    } catch (error) {
      onError(error, `closing ${last.name} failed`);
    }
  }
}

function startDeadline(deadlineMs: number, onError: (error: unknown, message: string) => void): void {
  setTimeout(() => {
    onError(new Error(`not closed within ${deadlineMs} ms`), 'exiting without waiting longer');
    process.exit(1);
  }, deadlineMs).unref();
}

function printError(error: unknown, message: string): void {
  const detail =
    error instanceof Error
      ? error.name === 'EnvironmentError'
        ? error.message
        : (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`${message}: ${detail}\n`);
}
