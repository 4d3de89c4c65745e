import { sleep } from '#shared/async/sleep.ts';
import { postgresFolder } from '../data-folder.ts';
import { DataFolderInUse, type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start-embedded.ts';

/** An embedded PostgreSQL that is restarted on its port if it exits. */
export type RunningDatabase = { databaseUrl: string; origin: EmbeddedPostgres['origin']; stop: () => Promise<void> };

const maxBackoffMs = 10_000;

/** Starts the embedded PostgreSQL of a data folder and keeps it running until `stop`. */
export async function runDatabase(dataFolder: string, log: (line: string) => void): Promise<RunningDatabase> {
  const dataDir = postgresFolder(dataFolder);
  let current = await startEmbeddedPostgres({ dataDir, log });
  let stopping = false;

  const watch = async (): Promise<void> => {
    const lastLines = await current.died;
    for (let backoffMs = 250; !stopping; backoffMs = Math.min(backoffMs * 2, maxBackoffMs)) {
      log(`PostgreSQL exited; restarting it. Last lines:\n${lastLines}`);
      try {
        current = await startEmbeddedPostgres({ dataDir, log, port: current.port });
        void watch();
        return;
      } catch (error) {
        if (error instanceof DataFolderInUse) throw error;
        log(String(error));
        await sleep(backoffMs);
      }
    }
  };
  void watch();
  return {
    databaseUrl: current.databaseUrl,
    origin: current.origin,
    stop: async () => {
      stopping = true;
      await current.stop();
    },
  };
}
