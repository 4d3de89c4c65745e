import { setTimeout as pause } from 'node:timers/promises';
import { type RunningService, startService } from '#test/support/processes.ts';

/** Settings that differ from the installation's, and the folder of another build. */
export type ServiceChanges = { env?: Record<string, string>; sources?: string };

export type KeptService = {
  pid: () => number | null;
  isUp: () => boolean;
  /** SIGKILL and SIGTERM end the process, after which it is started again. */
  signal: (signal: NodeJS.Signals) => number;
  restart: (changes: ServiceChanges) => Promise<void>;
  close: () => Promise<void>;
};

const restartPauseMs = 250;

/** A service on a fixed port that is started again whenever it ends. `surprise` is notified of every unexpected end. */
export async function keepService(
  name: 'api' | 'worker',
  env: Record<string, string>,
  surprise: (line: string) => void,
): Promise<KeptService> {
  let changes: ServiceChanges = {};
  let current: RunningService | null = await startService(name, env);
  let starting: Promise<void> = Promise.resolve();
  let isClosed = false;

  const watch = (service: RunningService): void => {
    service.process.once('exit', (code, signal) => {
      if (current !== service) return;
      current = null;
      if (isClosed) return;
      if (signal !== 'SIGKILL' && code !== 0)
        surprise(`${name} ended with ${code ?? signal}: ${service.output().slice(-500)}`);
      starting = start();
    });
  };
  const start = async (): Promise<void> => {
    while (!isClosed) {
      try {
        current = await startService(name, { ...env, ...changes.env }, [], changes.sources);
        if (isClosed) await current.kill();
        else watch(current);
        return;
      } catch {
        // PostgreSQL may be unavailable. A supervisor tries again.
        await pause(restartPauseMs);
      }
    }
  };
  watch(current);
  const end = (signal: NodeJS.Signals): number => {
    if (current === null) return 0;
    if (signal === 'SIGKILL') void current.kill();
    else if (signal === 'SIGTERM') void current.stop();
    else current.process.kill(signal);
    return current.process.pid ?? 0;
  };
  return {
    pid: () => current?.process.pid ?? null,
    isUp: () => current !== null,
    signal: end,
    restart: async (nextChanges) => {
      changes = nextChanges;
      const before = current;
      await before?.stop();
      await starting;
    },
    close: async () => {
      isClosed = true;
      await current?.kill();
      await starting;
    },
  };
}
